/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_UPKEEP_UPKEEP_H
#define ASSAY_DAEMON_UPKEEP_UPKEEP_H

#include <stdint.h>

#include <jansson.h>

#include "daemon/dispatch/dispatch.h"
#include "daemon/queue/intake.h"

/*
 * What the daemon times for itself, and keeps in the database: how much must be read on this host
 * to flush its caches (Whaley and Castaldo, section 3), and what a reference kernel takes, again
 * and again: how far it spreads is the host's noise floor.  Either is a task, a row of ordinary
 * jobs of the daemon's own user (daemon/upkeep/yardstick.h), one after the other; there is at most
 * one task at a time.  A task does not outlive the daemon; its job does, and is then nobody's.
 */
struct upkeep;

struct upkeep_env {
	struct store		*store;		/* all borrowed */
	struct queue		*queue;
	struct intake		*intake;
	struct dispatch		*dispatch;
	const struct topology	*topology;
	unsigned		 yardstick_minutes;	/* between two timings of the reference; 0:
							 * only when asked */
};

/* Finds the host's last calibration and has dispatch use it. */
enum status	 upkeep_new(struct upkeep **, const struct upkeep_env *, struct fault *);
void		 upkeep_stop(struct upkeep *);		/* no more jobs from now on; NULL is fine */
void		 upkeep_free(struct upkeep *);		/* after the store's last commit; NULL is
							 * fine */

/* Start a task; a calibration ends with the reference.  ST_CONFLICT: one is under way. */
enum status	 upkeep_calibrate(struct upkeep *, struct fault *);
enum status	 upkeep_yardstick(struct upkeep *, struct fault *);

void		 upkeep_news(struct upkeep *, const struct news *);	/* a job is over; may be anybody's */

/*
 * Once a second, with the wall clock in seconds: times the reference if so many minutes have passed
 * since the first call or the last reference, and no job is alive.
 */
void		 upkeep_tick(struct upkeep *, double now);

json_t		*upkeep_calibration(const struct upkeep *);	/* host.get's `calibration`; new
								 * reference */
json_t		*upkeep_yardstick_report(struct upkeep *);	/* host.get's `reference`; new
								 * reference */
uint64_t	 upkeep_flush_bytes(const struct upkeep *);	/* 0: not calibrated */

/* What is known of one reference kernel; count 0: nothing. */
struct yardstick_summary {
	const char	*kernel;
	size_t		 count;			/* the last ones that the others are of: same
						 * estimator, same fitness */
	double		 last_ns, median_ns;
	double		 cv;			/* NaN: fewer than three */
};
enum { UPKEEP_KERNELS = 2, UPKEEP_HISTORY = 20 };
void		 upkeep_summary(struct upkeep *, struct yardstick_summary[UPKEEP_KERNELS]);

#endif
