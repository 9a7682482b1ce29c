/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_UPKEEP_UPKEEP_H
#define ASSAY_DAEMON_UPKEEP_UPKEEP_H

#include <stdint.h>

#include <jansson.h>

#include "daemon/dispatch/dispatch.h"
#include "daemon/queue/intake.h"

/*
 * The daemon's own timings, kept in the database.  A calibration finds how much must be read on
 * this host to flush each of its caches (Whaley and Castaldo, section 3).  The yardstick is a
 * kernel that is timed again and again: the spread of its times is the host's noise floor.
 *
 * Either is a task: a row of ordinary jobs of the daemon's own user (daemon/upkeep/yardstick.h),
 * one after the other.  At most one task is under way.  A task ends with the daemon; its last job
 * goes on in the next daemon without it.
 */
struct upkeep;

struct upkeep_env {
	struct store		*store;		/* all borrowed */
	struct queue		*queue;
	struct intake		*intake;
	struct dispatch		*dispatch;
	const struct topology	*topology;
	/* between two timings of the yardstick; 0: only on request */
	unsigned		 yardstick_minutes;
	/* that a cold job waits for the first calibration; 0: calibrations only on request */
	unsigned		 calibration_wait_s;
};

/* Finds the host's last calibration and gives it to dispatch. */
enum status	 upkeep_new(struct upkeep **, const struct upkeep_env *, struct fault *);
/* The two members of upkeep_env, changed at run time. */
void		 upkeep_set_times(struct upkeep *, unsigned yardstick_minutes,
		    unsigned calibration_wait_s);
void		 upkeep_stop(struct upkeep *);		/* starts no more jobs; NULL is fine */
void		 upkeep_free(struct upkeep *);		/* after the store's last commit; NULL is
							 * fine */

/* Start a task; a calibration is followed by the yardstick.  ST_CONFLICT: one is under way. */
enum status	 upkeep_calibrate(struct upkeep *, struct fault *);
enum status	 upkeep_yardstick(struct upkeep *, struct fault *);

/* A job is over, the daemon's own or another. */
void		 upkeep_news(struct upkeep *, const struct news *);

/*
 * To be called once a second, with the monotonic clock in seconds.  Times the yardstick if no job
 * is alive and yardstick_minutes have passed since the first call or the last timing.
 */
void		 upkeep_tick(struct upkeep *, double now);

/* `calibration` of host.get; new reference. */
json_t		*upkeep_calibration(const struct upkeep *);
/* `reference` of host.get; new reference. */
json_t		*upkeep_yardstick_report(struct upkeep *);
uint64_t	 upkeep_flush_bytes(const struct upkeep *);	/* 0: not calibrated */
/* For dispatch_trial_with. */
bool		 upkeep_trial(void *upkeep);
/* For dispatch_ask: a cold job waits for the host's first calibration. */
bool		 upkeep_may_time(void *upkeep, const struct queued_job *);

/* The last times of one yardstick; count 0: none. */
struct yardstick_summary {
	const char	*kernel;
	/* of the times below: the last ones with one estimator and fitness */
	size_t		 count;
	double		 last_ns, median_ns;
	double		 cv;			/* NaN: fewer than three */
};
enum { UPKEEP_KERNELS = 2, UPKEEP_HISTORY = 20 };
void		 upkeep_summary(struct upkeep *, struct yardstick_summary[UPKEEP_KERNELS]);

#endif
