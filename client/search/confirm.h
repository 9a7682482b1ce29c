/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_CONFIRM_H
#define ASSAY_CLIENT_SEARCH_CONFIRM_H

#include "client/print/results/results.h"

/*
 * Which of several jobs has the best variant, by rounds of comparisons (compare.run).  The best so
 * far, at first the job that seemed fastest, is timed in turn with each of the others.  If any is
 * faster, the fastest of them takes its place, the beaten one is out, and a round follows among the
 * rest.  Otherwise the best is found.
 *
 * Many comparisons have many chances to be wrong.  No two jobs meet more than once, so K jobs have
 * at most K (K - 1) / 2 comparisons in all rounds.  Each is made with that fraction of the error
 * that was asked for (Bonferroni).  So the chance that any of equal variants is called faster or
 * slower is at most `error`, over everything.
 */
struct confirm_tie {
	const struct result	*job;	/* borrowed */
	double			 ratio;	/* its time divided by the best one's */
};

struct confirm {
	const struct result	**left;	/* owned, what they point to is borrowed; the best so far
					 * first */
	size_t			  nleft;
	struct confirm_tie	 *tie;	/* owned; of the last round */
	size_t			  nties;
	json_t			 *all;	/* owned; documents of all comparisons so far */
	size_t			  comparisons;	/* the most that there may be */
	double			  error;
	unsigned		  rounds, failed;	/* failed: comparisons */
	bool			  over;
};

/* Of jobs' results, fastest first as they seem; these are borrowed.  ST_NOMEM. */
enum status	 confirm_init(struct confirm *, const struct results *, double error,
		    struct fault *);
void		 confirm_release(struct confirm *);	/* zeroed memory is fine */

/* Params of the next round's compare.run, new reference; NULL: the best is known. */
json_t		*confirm_next_round(const struct confirm *);

/* The comparisons of that round: one for each job but the first, in their order. */
void		 confirm_add_round(struct confirm *, const struct results *);

bool		 confirm_is_certain(const struct confirm *);	/* no tie, no failure */
double		 confirm_error_each(const struct confirm *);	/* of each comparison */

/* { job, name, distinguishable, failed, rounds, comparisons, error, correction, ties }, new. */
json_t		*confirm_outcome(const struct confirm *);

#endif
