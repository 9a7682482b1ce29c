/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_CONFIRM_H
#define ASSAY_CLIENT_SEARCH_CONFIRM_H

#include <stdbool.h>

#include <jansson.h>

/*
 * Which of several jobs has the best variant, by rounds of comparisons (compare.run): the champion, first the one that
 * seemed fastest, is timed in turn with each of the others.  While one of them turns out faster, the fastest of these
 * takes its place, whom it beat is out, and the next round is among those that are left.
 *
 * Many comparisons have many chances to be wrong.  No two jobs meet more than once, so of K jobs K (K - 1) / 2 pairs at
 * most are compared in all rounds together, and each comparison is made with that part of the error that was asked for
 * (Bonferroni): the chance that of equal variants any is called faster or slower is `error` at most, over everything.
 */
struct confirm {
	json_t		*list;		/* owned; results of the jobs that are left, the champion first */
	json_t		*all;		/* owned; results of all comparisons so far */
	const json_t	*last;		/* borrowed; of the round in which nobody beat the champion; NULL: not yet */
	size_t		 comparisons;	/* that there may be */
	double		 error;
	unsigned	 rounds;
};

/* Of results of jobs, fastest first as they seem. */
void		 confirm_init(struct confirm *, const json_t *results, double error);
void		 confirm_release(struct confirm *);

/* Params of the next round's compare.run, new reference; NULL: there is none, the champion is known. */
json_t		*confirm_next_round(const struct confirm *);

/* What it gave, borrowed as long as the rivals live: a result for each id but the first, in their order. */
void		 confirm_add_round(struct confirm *, const json_t *results);

/* { job, name, distinguishable, failed, rounds, comparisons, error, correction, ties }; new reference. */
json_t		*confirm_outcome(const struct confirm *);

/* "" when there is none. */
const char	*confirm_verdict(const json_t *result);

#endif
