/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_STATION_QUIET_H
#define ASSAY_DAEMON_DISPATCH_STATION_QUIET_H

#include "daemon/setup/topology.h"
#include "daemon/store/store.h"

/*
 * The state of each timing slot's gate (proto/wire/gate_state.h), kept in the database from one
 * worker to the next.  Without it, a worker that starts beside a neighbour would take the neighbour
 * for quiet.
 *
 * A state is valid for this machine, and for the host's state in which it was learnt, by its hash
 * `fitness` (NULL: unknown).
 *
 * It is the worker's document with one more member: `taken`, when the canary was last as fast as in
 * the document.
 */
struct quiet {
	struct store	*store;		/* borrowed */
	char		 machine[TOPOLOGY_MACHINE_BYTES];
};

/* The state of one slot's gate. */
struct quiet_state {
	json_t		*doc;		/* owned; NULL: nothing is known */
	double		 taken;		/* its `taken` */
	double		 stored;	/* time of the last write; 0: never */
	bool		 is_dirty;	/* changed since the last write */
};
#define QUIET_STORE_S	5.0		/* between two writes, as each timing changes it a little */

void		 quiet_init(struct quiet *, struct store *, const struct topology *);
void		 quiet_recall(const struct quiet *, struct quiet_state *, int cpu,
		    const char *fitness);

/*
 * The report of a timing replaces the state.  It is written now, by a later call, or by
 * quiet_store.
 */
void		 quiet_keep(const struct quiet *, struct quiet_state *, int cpu,
		    const char *fitness, const json_t *reported, double now);
void		 quiet_store(const struct quiet *, struct quiet_state *, int cpu,
		    const char *fitness, double now);
void		 quiet_forget(struct quiet_state *);

#endif
