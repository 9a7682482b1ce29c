/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_QUIET_H
#define ASSAY_DAEMON_DISPATCH_QUIET_H

#include "daemon/setup/topology.h"
#include "daemon/store/store.h"

/*
 * What the gate of each timing slot knows of quiet (worker/quiet/quiet.h), kept in the database from one worker to the next:
 * one that starts beside a neighbour would take him for quiet.  It holds for this machine alone, and for as long as the
 * host is in the state in which it was learnt, which `fitness` tells (NULL: unknown).
 *
 * It is the worker's document with one member more: `taken`, when the canary was last as fast as that.
 */
struct quiet {
	struct store	*store;		/* borrowed */
	char		 machine[TOPOLOGY_MACHINE_BYTES];
};

void		 quiet_init(struct quiet *, struct store *, const struct topology *);
json_t		*quiet_recall(const struct quiet *, int cpu, const char *fitness);	/* new; NULL: nothing */

/* What was told becomes what is known; new reference.  before: what was known until now; may be NULL. */
json_t		*quiet_keep(const struct quiet *, int cpu, const char *fitness, const json_t *told,
		    const json_t *before, double now);

#endif
