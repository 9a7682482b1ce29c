/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOLD_HOLD_H
#define ASSAY_DAEMON_HOLD_HOLD_H

#include "daemon/host/fitness.h"
#include "daemon/setup/config.h"
#include "daemon/setup/topology.h"

/*
 * assayd's hold on its host: the connection to assay-hostd, if there is one, and the host's
 * fitness.  Every function accepts NULL: nothing is held, nothing is known, timing is allowed.
 */
struct hold;

/* Succeeds without assay-hostd too: the host then stays as it is, which is logged and reported. */
enum status	 hold_open(struct hold **, const struct config *, const struct topology *,
		    struct fault *);
void		 hold_free(struct hold *);			/* gives the host back */

/* See hostd_msg.h; -1: it has no slot. */
int		 hold_slot_fd(const struct hold *, int cpu);

/*
 * The clock of the slot's CPUs at a frequency (frequency.h); khz 0: as it was.  ST_BAD_SPEC: it
 * cannot be had, for the reason in the fault.
 */
enum status	 hold_set_frequency(struct hold *, int cpu, unsigned khz, struct fault *);

/*
 * Glances at the host (fitness_has_changed), at most fifty times a second, and looks at all of it
 * if that shows a change, else every other second.  false: timing is forbidden now; the reason is
 * logged once.
 */
bool		 hold_may_time(struct hold *);
/* A timing is over: the same at once, so that its result has what changed meanwhile. */
void		 hold_see_window(struct hold *);
const char	*hold_hash(const struct hold *);		/* fitness_hash; NULL: unknown */
json_t		*hold_report(struct hold *);	/* fitness_report; new reference, null if unknown */

#endif
