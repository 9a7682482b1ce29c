/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOLD_HOLD_H
#define ASSAY_DAEMON_HOLD_HOLD_H

#include "daemon/host/fitness.h"
#include "daemon/setup/config.h"
#include "daemon/setup/topology.h"

/*
 * assayd's hold on its host: the connection to assay-hostd, where there is one, and what is known
 * of the host's fitness.  Every function accepts NULL: nothing is held, nothing is known, timing is
 * allowed.
 */
struct hold;

/* Without assay-hostd too: then the host stays as it is, which is logged and reported. */
enum status	 hold_open(struct hold **, const struct config *, const struct topology *,
		    struct fault *);
void		 hold_free(struct hold *);			/* gives the host back */

int		 hold_slot_fd(const struct hold *, int cpu);	/* see hostd_msg.h; -1: no slot of
								 * its own */

/*
 * Looks at the host again, at most ten times a second. false: nothing may be timed now, the reason
 * is logged once.
 */
bool		 hold_may_time(struct hold *);
const char	*hold_hash(const struct hold *);		/* fitness_hash; NULL: unknown */
json_t		*hold_report(struct hold *);			/* fitness_report; new reference,
								 * null when unknown */

#endif
