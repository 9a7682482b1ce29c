/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NLopt's algorithms without derivatives, on the grid: nelder-mead, sbplx, direct, crs2.
 *
 * NLopt calls a function for each value, and the caller of a strategy hands values in.  So NLopt
 * has a thread of its own that works only while `next` waits for it: one of the two runs at a
 * time, and nothing is locked but the turn.  The thread's random numbers are its own, too
 * (nlopt_srand is per thread), which is what makes a seed repeat.
 *
 * A place between grid points takes the value of the cell that it is in.  Known points and those
 * outside of the space are answered at once.  When an algorithm ends, it starts again elsewhere.
 */
#include <math.h>
#include <pthread.h>
#include <semaphore.h>

#include <nlopt.h>

#include "client/search/strategy/strategy_impl.h"

enum {
	START_CALLS = 4000,	/* of a function, most of them known points, for one start */
	IDLE_STARTS = 3,	/* one after the other without a new point: it has no more */
};
#define FAILED	3.0		/* what a failed point seems worse than the worst, as a logarithm */

struct bridge {
	nlopt_algorithm	 algorithm;
	pthread_t	 thread;
	sem_t		 go_on, done;	/* the thread's turn; ours */
	bool		 runs, over;	/* the thread exists; it is to end */
	bool		 asks;		/* the thread wants the value of `asked` */
	struct point	 asked;
	double		 value;		/* of asked */
	double		 worst;		/* logarithm, of the finite values so far */
	size_t		 fresh;		/* points asked for since the last start */
	unsigned	 idle;		/* starts without any */
};

/* ---- the thread's side ---- */

static void
to_point(const struct grid *s, const double *x, struct point *p)
{
	for (size_t d = 0; d < s->ndims; d++) {
		uint32_t	at = x[d] > 0 ? (uint32_t)x[d] : 0;

		p->at[d] = at < s->values[d] ? at : s->values[d] - 1;
	}
}

/* Hand the turn over, and wait for the next.  False: the search is over. */
static bool
yield(struct bridge *b)
{
	(void)sem_post(&b->done);
	while (sem_wait(&b->go_on) != 0)
		continue;
	return !b->over;
}

static double
height(struct bridge *b, double value)
{
	if (!isfinite(value))
		return b->worst + FAILED;
	b->worst = fmax(b->worst, log(value));
	return log(value);
}

struct start {
	struct strategy	*strategy;
	nlopt_opt	 opt;
};

static double
function(unsigned n, const double *x, double *gradient, void *arg)
{
	struct start	*start = arg;
	struct strategy	*s = start->strategy;
	struct bridge	*b = s->own;
	double		 value;

	(void)n;
	(void)gradient;
	to_point(s->grid, x, &b->asked);
	if (!b->over && strategy_knows(s, &b->asked, &value))
		return height(b, value);
	b->asks = true;
	b->fresh++;
	if (b->over || !yield(b)) {
		(void)nlopt_force_stop(start->opt);
		return 0;
	}
	return height(b, b->value);
}

/* From a point by chance, in steps of a quarter of each dimension. */
static void
run_once(struct strategy *s, unsigned n)
{
	struct bridge	*b = s->own;
	struct start	 start = { s, nlopt_create(b->algorithm, n) };
	double		 x[GRID_MAX_DIMENSIONS], high[GRID_MAX_DIMENSIONS];
	double		 step[GRID_MAX_DIMENSIONS], low[GRID_MAX_DIMENSIONS] = { 0 }, least;
	struct point	 p;

	if (start.opt == NULL || !grid_random(s->grid, &s->dice, &p)) {
		nlopt_destroy(start.opt);
		return;
	}
	for (size_t d = 0; d < n; d++) {
		high[d] = s->grid->values[d];
		x[d] = p.at[d] + 0.5;
		step[d] = fmax(1, high[d] / 4);
	}
	(void)nlopt_set_lower_bounds(start.opt, low);
	(void)nlopt_set_upper_bounds(start.opt, high);
	(void)nlopt_set_initial_step(start.opt, step);
	(void)nlopt_set_xtol_abs1(start.opt, 0.4);
	(void)nlopt_set_maxeval(start.opt, START_CALLS);
	(void)nlopt_set_min_objective(start.opt, function, &start);
	(void)nlopt_optimize(start.opt, x, &least);
	nlopt_destroy(start.opt);
}

static void *
work(void *arg)
{
	struct strategy	*s = arg;
	struct bridge	*b = s->own;
	struct dice	 seed = s->dice;

	while (sem_wait(&b->go_on) != 0)
		continue;
	nlopt_srand((unsigned long)dice_bits(&seed));
	while (!b->over) {
		b->fresh = 0;
		run_once(s, (unsigned)s->grid->ndims);
		b->idle = b->fresh == 0 ? b->idle + 1 : 0;
		if (b->idle > 0 && !b->over) {	/* the caller tries elsewhere */
			b->asks = false;
			(void)yield(b);
		}
	}
	(void)sem_post(&b->done);
	return NULL;
}

/* ---- the strategy's side ---- */

static enum status
open_bridge(struct strategy *s, nlopt_algorithm algorithm, struct fault *why)
{
	struct bridge	*b = s->own;

	b->algorithm = algorithm;
	if (sem_init(&b->go_on, 0, 0) != 0 || sem_init(&b->done, 0, 0) != 0 ||
	    pthread_create(&b->thread, NULL, work, s) != 0)
		return fault_set(why, ST_NOMEM, "a thread for NLopt");
	b->runs = true;
	return ST_OK;
}

static void
take_turn(struct bridge *b)
{
	(void)sem_post(&b->go_on);
	while (sem_wait(&b->done) != 0)
		continue;
}

static void
close_bridge(struct strategy *s)
{
	struct bridge	*b = s->own;

	if (!b->runs)
		return;
	b->over = true;
	take_turn(b);
	(void)pthread_join(b->thread, NULL);
	(void)sem_destroy(&b->go_on);
	(void)sem_destroy(&b->done);
}

static bool
next(struct strategy *s, struct point *p)
{
	struct bridge	*b = s->own;

	if (b->asks || b->idle >= IDLE_STARTS)	/* asks: its value is on the way */
		return false;
	take_turn(b);
	*p = b->asked;
	return b->asks;
}

static void
saw(struct strategy *s, const struct point *p, double value)
{
	struct bridge	*b = s->own;

	(void)p;
	b->value = value;
	b->asks = false;
}

#define KIND(id, algorithm, word) \
	static enum status \
	open_##id(struct strategy *s, struct fault *why) \
	{ \
		return open_bridge(s, algorithm, why); \
	} \
	const struct strategy_kind	strategy_##id = { \
		.name = word, .bytes = sizeof(struct bridge), .open = open_##id, \
		.next = next, .saw = saw, .close = close_bridge, \
	}

KIND(nelder_mead, NLOPT_LN_NELDERMEAD, "nelder-mead");
KIND(sbplx, NLOPT_LN_SBPLX, "sbplx");
KIND(direct, NLOPT_GN_DIRECT_L, "direct");
KIND(crs2, NLOPT_GN_CRS2_LM, "crs2");
