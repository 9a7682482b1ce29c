/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_DRIFT_H
#define ASSAY_DAEMON_STORE_DRIFT_H

#include <stddef.h>
#include <stdint.h>

/*
 * The correction of a time for its host's drift, by bracketing: a yardstick is timed before and
 * after, and its slowness relative to the sweep's first one is interpolated on a line in time.
 * Chemists correct their instruments in this way (Salit and Turk, Analytical Chemistry 70, 1998,
 * page 3184, on the method and its limits).  Pure arithmetic; nothing is extrapolated.
 */
#define CORRECTION_LIST(X)							\
	X(CORRECTED, "corrected")						\
	X(WAITING, "waiting")		/* no yardstick has ended after it yet */	\
	X(NOISE, "noise")		/* the drift is within the yardstick's noise */	\
	X(STEP, "step")			/* the yardsticks around it are far apart */	\
	X(FAR, "far")			/* one of them is far from the first */		\
	X(FAILED, "failed")		/* one of them did not end ok */		\
	X(ESTIMATOR, "estimator")	/* their times, or its own, are of another kind */ \
	X(REBOOT, "reboot")		/* the host was started anew between them */	\
	X(BEFORE, "before")		/* no yardstick had ended before it */		\
	X(ELSEWHERE, "elsewhere")	/* a repeat of what its sweep did not time */

enum correction {
#define X(name, word) CORRECTION_##name,
	CORRECTION_LIST(X)
#undef X
	CORRECTION_N
};
const char	*correction_word(enum correction);
/* CORRECTION_FAILED: there is no such word. */
enum correction	 correction_of(const char *word);

/* An instant: a boot of the host, and seconds of its monotonic clock. */
struct drift_moment {
	int64_t	boot;
	double	ended;
};

enum { DRIFT_ESTIMATOR_BYTES = 24, DRIFT_HISTORY = 32 };
#define DRIFT_STEP_MOST	1.2	/* of two yardsticks in a row */
#define DRIFT_MOST	1.5	/* from the first yardstick */
#define DRIFT_HALF	0.01	/* for a time without an interval: too few samples */

/* A timing of the yardstick. */
struct drift_mark {
	struct drift_moment	 at;
	double			 ns;		/* NaN: it did not end ok */
	char			 estimator[DRIFT_ESTIMATOR_BYTES];
	double			 half;		/* of its 95 % interval, relative; NaN: none */
	double			 factor;	/* slowness; 1: within noise; NaN: of no use */
	enum correction		 reason;	/* why it is of no use */
};

/*
 * What the scatter of times alone may make two of them differ by, relative, at 95 %.  A steady
 * drift is no scatter, nor is a single step: the lesser of two robust estimates counts, by the
 * distances of neighbours and by the distances from the line through both neighbours.  n: at most
 * DRIFT_HISTORY, in order.
 */
double		 drift_scatter(const double *ns, size_t n);

/* Sets factor and reason; ns: the last times with its estimator, its own among them. */
void		 drift_judge(struct drift_mark *, const struct drift_mark *first, const double *ns,
		    size_t n);

/* before NULL: there is none.  CORRECTION_CORRECTED: the time is to be divided by *factor. */
enum correction	 drift_between(const struct drift_mark *before, const struct drift_mark *after,
		    const struct drift_moment *, const char *estimator, double *factor);

#endif
