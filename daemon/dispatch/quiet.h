/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_QUIET_H
#define ASSAY_DAEMON_DISPATCH_QUIET_H

#include "daemon/setup/topology.h"
#include "daemon/store/store.h"

/*
 * What the gate of each timing slot has learnt of quiet (proto/wire/gate_state.h), kept in the
 * database from one worker to the next: a worker that starts beside a neighbour would take the
 * neighbour for quiet.  It holds for this machine alone, and for as long as the host is in the
 * state in which it was learnt, by its `fitness` (NULL: unknown).
 *
 * It is the worker's document with one member more: `taken`, when the canary was last as fast as
 * that.
 */
struct quiet {
	struct store	*store;		/* borrowed */
	char		 machine[TOPOLOGY_MACHINE_BYTES];
};

/* Of one slot. */
struct quiet_state {
	json_t		*doc;		/* owned; NULL: nothing is known */
	double		 taken;		/* its `taken` */
	double		 stored;	/* when it was last written; 0: never */
	bool		 is_dirty;	/* it has changed since */
};
#define QUIET_STORE_S	5.0		/* between two writes: each timing changes it a little */

void		 quiet_init(struct quiet *, struct store *, const struct topology *);
void		 quiet_recall(const struct quiet *, struct quiet_state *, int cpu,
		    const char *fitness);

/*
 * What a timing reported replaces what was known; written now, or by a later call or quiet_store.
 */
void		 quiet_keep(const struct quiet *, struct quiet_state *, int cpu,
		    const char *fitness, const json_t *reported, double now);
void		 quiet_store(const struct quiet *, struct quiet_state *, int cpu,
		    const char *fitness, double now);
void		 quiet_forget(struct quiet_state *);

#endif
