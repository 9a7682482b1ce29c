/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_RUNS_PAIRS_H
#define ASSAY_CLIENT_RUNS_PAIRS_H

#include "client/runs/run.h"

/*
 * Two runs of the same variants, an old one (a) and a new one (b), at different times, so that no
 * disturbance is common to both.
 *
 * Results are paired by the variant's name, the routine, the params and the point.  The point is
 * those members of `meta` that differ within one of the runs; others, as a revision, say nothing of
 * it.  Results of one key are pooled: their processes are draws of the same kind.  A result that is
 * another's timing, given again, counts once.
 *
 * The process is the unit of chance (Kalibera and Jones, "Rigorous Benchmarking in Reasonable
 * Time", 2013): of each there is one time, by the results' own estimator.  The logarithms of the
 * two sides' times are compared by Welch's t, with `error` shared out to all pairs (Bonferroni).
 * So among equal variants the chance of any verdict is at most `error`.
 */
enum pair_verdict {
	PAIR_FASTER, PAIR_SLOWER,	/* b than a: certain, and by the threshold or more */
	PAIR_INDISTINGUISHABLE,
	PAIR_BROKEN, PAIR_MENDED,	/* b fails and a did not; the other way round */
	PAIR_NOT_COMPARED,		/* `reason` says why */
	PAIR_ONLY_A, PAIR_ONLY_B,
	PAIR_NVERDICTS
};

struct pair_side {
	const struct run_item	*item;		/* borrowed; the first of them; NULL: none */
	enum run_kind		 kind;		/* of all: timed if one was, and so on */
	const struct run_item	*best;		/* borrowed; the first of that kind */
	double			*log_ns;	/* owned; pooled */
	size_t			 n, results;
	double			 ns;		/* the median of the processes; NaN: not timed */
};

struct pair {
	struct pair_side	 a, b;
	enum pair_verdict	 verdict;
	const char		*reason;	/* static; NULL: none */
	double			 ratio;		/* b / a; NaN: unknown */
	double			 low, high;	/* its interval; high HUGE_VAL: at least `low` */
};

struct pairs {
	struct pair	*at;		/* owned; in a's order, then those that are in b alone */
	size_t		 n, compared;	/* compared: by Welch's t */
	size_t		 count[PAIR_NVERDICTS];
	double		 error, threshold;
};

enum { PAIRS_LEAST_PROCESSES = 3 };

/* threshold 0.03: 3 %.  by_name: a point is not looked at.  The runs are to outlive the pairs. */
enum status	 pairs_make(struct pairs *, struct run *a, struct run *b, bool by_name,
		    double threshold, double error, struct fault *);
void		 pairs_release(struct pairs *);

const char	*pair_word(enum pair_verdict);	/* "faster", "not compared", … */
bool		 pairs_regress(const struct pairs *);	/* one is slower, or broken */
/* ST_NOT_FOUND with the reason and a remedy: no pair has been judged, so nothing can be said. */
enum status	 pairs_check(const struct pairs *, struct fault *);

#endif
