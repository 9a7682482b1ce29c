/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_DISPATCH_IMPL_H
#define ASSAY_DAEMON_DISPATCH_DISPATCH_IMPL_H

#include "daemon/dispatch/cancels.h"
#include "daemon/dispatch/station/quiet.h"
#include "daemon/dispatch/station/station.h"
#include "daemon/dispatch/station/streamer.h"
#include "daemon/dispatch/dispatch.h"
#include "daemon/dispatch/ending.h"
#include "daemon/dispatch/once.h"
#include "daemon/dispatch/retry.h"

/*
 * Shared by dispatch's own files: dispatch.c (life, the tick), answers.c, orders.c, calling_off.c,
 * look.c.
 */

struct dispatch {
	const struct config	*config;	/* borrowed */
	const struct topology	*topology;	/* borrowed */
	struct store		*store;		/* borrowed */
	struct queue		*queue;		/* borrowed */
	struct briefs		 briefs;
	double			 clocks_apart;	/* wall clock less the monotonic one, s */
	struct endings		 endings;
	struct child_pool	*pool;		/* borrowed */
	struct hold		*host;		/* borrowed; NULL: none */
	struct station		*stations;		/* owned; builders first, then slots */
	unsigned		 nstations, nbuilders;
	unsigned		 widest;	/* CPUs of the widest slot */
	json_t			*calibrated;	/* owned; NULL: this host is not calibrated */
	char			 uncalibrated[256];	/* the reason for that; "" */
	may_time_fn		*may_time;	/* NULL: all jobs may */
	void			*may_time_arg;
	bool			 is_draining;
	char			 host_class[TOPOLOGY_CLASS_BYTES];
	struct quiet		 quiet;
	struct streamer		 streamer;
	struct cancels		 cancels;
	struct retry		 retry;
	struct once		 once;
	const struct queued_job	*judged;	/* timed, and soon stored; NULL: none */
};

/* ---- answers.c ---- */

void		 dispatch_took(void *arg, struct child *, struct msg *);	/* child_events */
void		 dispatch_ended(void *arg, struct child *, int wait_status);
/* A job's end.  detail, timed: NULL, none. */
void		 dispatch_finish(struct dispatch *, struct queued_job *, enum status outcome,
		    const char *detail, const struct report *timed);
/* After a fault of Assay's own. */
void		 dispatch_try_again(struct dispatch *, struct station *, struct queued_job *,
		    const char *detail);
/* true: the job was timed before, and ends with that result. */
bool		 dispatch_repeat_stored(struct dispatch *, struct queued_job *);
/* The store takes results now. */
bool		 dispatch_may_store(const struct dispatch *);

/* ---- orders.c ---- */

bool		 dispatch_may_time(const struct dispatch *, const struct queued_job *);
bool		 dispatch_is_cold(const struct queued_job *);
/* Of the clock that its spec asks for; 0: any. */
unsigned	 dispatch_khz(const struct queued_job *);
/* The slot's clock is as it was before a job with one of its own. */
void		 dispatch_give_clock_back(struct dispatch *, struct station *);
/* The queue's choice for the slot.  The second has none that was timed before: such a job ends. */
struct queued_job *dispatch_next_to_time(const struct dispatch *, const struct station *,
		    int64_t now);
struct queued_job *dispatch_next_untimed(struct dispatch *, const struct station *, int64_t now);
enum status	 dispatch_send_order(const struct dispatch *, const struct station *,
		    const struct queued_job *, unsigned ncompany, struct fault *);
/* Its worker is at the job now. */
void		 dispatch_begin(struct dispatch *, struct station *, struct queued_job *);
void		 dispatch_expire(struct dispatch *, int64_t now, uint64_t budget_ns);

/* ---- calling_off.c ---- */

bool		 dispatch_go_on_cancelling(void *dispatch, int64_t id);

#endif
