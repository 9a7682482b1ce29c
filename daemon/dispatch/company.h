/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_COMPANY_H
#define ASSAY_DAEMON_DISPATCH_COMPANY_H

#include "daemon/dispatch/dispatch_impl.h"

/*
 * The company of a build order: jobs of the same sweep, or of none as it is, that come soon and may
 * share most of its build (worker/build/unit/unit.h).  The order has their documents.  They count
 * as being built, and the same builder has their own orders in their turn; by then it has most of
 * their objects.
 */

/* j is about to be given to this builder; how many of the company, its last, are j's. */
unsigned	 company_gather(struct dispatch *, struct station *, const struct queued_job *j);
/*
 * The next of them; NULL: none, or `next`, the queue's, has its turn before.  Those that may not
 * begin now wait in the queue again.
 */
struct queued_job *company_take(struct dispatch *, struct station *,
		    const struct queued_job *next);
/* A job of them ends otherwise. */
void	 company_forget(struct dispatch *, const struct queued_job *);
/* The builder has died, or has a fault: any may build them. */
void	 company_dissolve(struct dispatch *, struct station *);
/* The builder has answered; were the variant's bytes in the cache? */
void	 company_learn(struct dispatch *, struct station *, const struct queued_job *,
	    bool is_cached);

#endif
