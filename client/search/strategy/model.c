/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model: a Gaussian process over the logarithm of the values.  Points that agree in a dimension, or
 * are near in it, are expected to be alike.  Of some candidates, the one is next from which the
 * most improvement can be expected.  How much a step in each dimension matters is what makes the
 * values seen likeliest (automatic relevance determination).
 */
#include <math.h>
#include <string.h>

#include "client/search/strategy/strategy_impl.h"

enum {
	MOST = 80,		/* points that the model knows: the cost grows as their cube */
	CANDIDATES = 120, BEST_PLACES = 3, BESIDE = 16, FIRST = 10, REFIT = 3,
	MOST_FITTED = 12,	/* dimensions: each costs four factorisations */
};
#define NOISE		0.01		/* of a value's variance */
#define LEAST_WEIGHT	0.02
#define MOST_WEIGHT	4.0

struct model {
	struct point	point[MOST];
	double		y[MOST], worst;		/* logarithms; of the finite ones */
	double		mean, scale;
	double		weight[GRID_MAX_DIMENSIONS];	/* how unlike a step makes two points */
	double		chol[MOST][MOST];	/* L of the covariance */
	double		alpha[MOST];		/* inverse of the covariance times y */
	size_t		n, fitted, proposed, trials;	/* trials: seen on the trail so far */
	bool		works;
};

/* ---- the model ---- */

static double
likeness(const struct grid *s, const struct model *m, const struct point *a, const struct point *b)
{
	double	far = 0;

	for (size_t d = 0; d < s->ndims; d++) {
		if (a->at[d] == b->at[d])
			continue;
		far += m->weight[d] * (s->ordered[d] ? 0.6 + fabs((double)a->at[d] - b->at[d]) /
		    (s->values[d] - 1) : 1.0);
	}
	return exp(-far);
}

/* L of the covariance of n points.  False: it is singular. */
static bool
factor(const struct grid *s, struct model *m)
{
	for (size_t i = 0; i < m->n; i++) {
		for (size_t j = 0; j <= i; j++) {
			double	sum = likeness(s, m, &m->point[i], &m->point[j]) +
				    (i == j ? NOISE : 0);

			for (size_t k = 0; k < j; k++)
				sum -= m->chol[i][k] * m->chol[j][k];
			if (i == j && !(sum > 0))
				return false;
			m->chol[i][j] = i == j ? sqrt(sum) : sum / m->chol[j][j];
		}
	}
	return true;
}

/* x := the inverse of L times x */
static void
solve_lower(const struct model *m, double *x)
{
	for (size_t i = 0; i < m->n; i++) {
		for (size_t k = 0; k < i; k++)
			x[i] -= m->chol[i][k] * x[k];
		x[i] /= m->chol[i][i];
	}
}

static void
solve_upper(const struct model *m, double *x)
{
	for (size_t i = m->n; i-- > 0;) {
		for (size_t k = i + 1; k < m->n; k++)
			x[i] -= m->chol[k][i] * x[k];
		x[i] /= m->chol[i][i];
	}
}

/* alpha, and how likely the values are under this length, as a logarithm without constants. */
static double
likelihood(struct model *m)
{
	double	quadratic = 0, determinant = 0;

	for (size_t i = 0; i < m->n; i++)
		m->alpha[i] = (m->y[i] - m->mean) / m->scale;
	solve_lower(m, m->alpha);
	for (size_t i = 0; i < m->n; i++) {
		quadratic += m->alpha[i] * m->alpha[i];
		determinant += log(m->chol[i][i]);
	}
	solve_upper(m, m->alpha);
	return -0.5 * quadratic - determinant;
}

static double
likelihood_of(const struct grid *s, struct model *m)
{
	return factor(s, m) ? likelihood(m) : -INFINITY;
}

/* One dimension's weight, the others as they are; how likely that makes the values. */
static double
choose_weight(const struct grid *s, struct model *m, size_t d, double likely)
{
	static const double	times[] = { 0.25, 0.5, 2, 4 };
	const double		before = m->weight[d];
	double			best = before;

	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
		double	now;

		m->weight[d] = fmin(fmax(before * times[i], LEAST_WEIGHT), MOST_WEIGHT);
		if ((now = likelihood_of(s, m)) > likely) {
			likely = now;
			best = m->weight[d];
		}
	}
	m->weight[d] = best;
	return likely;
}

static void
choose_weights(const struct grid *s, struct model *m)
{
	double	likely;

	for (size_t d = 0; m->fitted == 0 && d < s->ndims; d++)
		m->weight[d] = 0.5;
	likely = likelihood_of(s, m);
	for (size_t d = 0; d < s->ndims && d < MOST_FITTED; d++)
		likely = choose_weight(s, m, d, likely);
	m->fitted = m->n;
}

static void
fit(const struct grid *s, struct model *m)
{
	double	sum = 0, squares = 0;

	for (size_t i = 0; i < m->n; i++)
		sum += m->y[i];
	m->mean = sum / (double)m->n;
	for (size_t i = 0; i < m->n; i++)
		squares += (m->y[i] - m->mean) * (m->y[i] - m->mean);
	m->scale = fmax(1e-9, sqrt(squares / (double)m->n));
	if (m->fitted == 0 || m->n >= m->fitted + REFIT)
		choose_weights(s, m);
	m->works = factor(s, m);
	if (m->works)
		(void)likelihood(m);
}

/* Improvement over the best that a point promises, in standard deviations of all values. */
static double
promise(const struct grid *s, const struct model *m, const struct point *p, double best)
{
	double	k[MOST], mean = 0, variance = 1 + NOISE, sigma, z;

	for (size_t i = 0; i < m->n; i++) {
		k[i] = likeness(s, m, p, &m->point[i]);
		mean += k[i] * m->alpha[i];
	}
	solve_lower(m, k);
	for (size_t i = 0; i < m->n; i++)
		variance -= k[i] * k[i];
	sigma = sqrt(fmax(1e-9, variance));
	z = (best - mean) / sigma;
	return (best - mean) * 0.5 * erfc(-z * M_SQRT1_2) +
	    sigma * exp(-0.5 * z * z) * 0.3989422804014327;
}

/* ---- what it knows ---- */

/* The one to be forgotten for another: the worst, but for every second time, the oldest. */
static size_t
place_for(struct model *m)
{
	size_t	at = 0;

	if (m->n < MOST)
		return m->n++;
	for (size_t i = 1; i < m->n; i++)
		if (m->y[i] > m->y[at])
			at = i;
	return m->trials % 2 == 0 ? at : m->trials / 2 % MOST;
}

/* What all of a portfolio have seen since, in the order of proposals as far as all is seen. */
static void
learn(struct strategy *s)
{
	struct model		*m = s->own;
	const struct trial	*t;

	for (; m->trials < s->trail->n && s->trail->trial[m->trials].seen; m->trials++) {
		size_t	at = place_for(m);

		t = &s->trail->trial[m->trials];
		if (isfinite(t->value))
			m->worst = m->trials == 0 ? log(t->value) : fmax(m->worst, log(t->value));
		m->y[at] = isfinite(t->value) ? log(t->value) : m->worst;
		grid_point(s->grid, t->id, &m->point[at]);
	}
}

struct candidate {
	struct point	point;
	double		promise;
	bool		found;
};

static void
consider(struct strategy *s, struct candidate *c, const struct point *p, double best)
{
	double	promised;

	if (trail_find(s->trail, grid_id(s->grid, p)) != NULL)
		return;
	promised = promise(s->grid, s->own, p, best);
	if (!c->found || promised > c->promise)
		*c = (struct candidate){ *p, promised, true };
}

static size_t
best_place(const struct model *m)
{
	size_t	at = 0;

	for (size_t i = 1; i < m->n; i++)
		if (m->y[i] < m->y[at])
			at = i;
	return at;
}

/* Beside good points, and by chance. */
static void
look_around(struct strategy *s, struct candidate *c)
{
	const struct model	*m = s->own;
	const size_t		 top = best_place(m);
	const double		 best = (m->y[top] - m->mean) / m->scale;
	const uint64_t		 n = grid_neighbours(s->grid);
	struct point		 p;

	for (uint64_t i = 0; i < n && i < BESIDE * BEST_PLACES; i++)
		if (grid_neighbour(s->grid, &m->point[top], n <= BESIDE * BEST_PLACES ? i :
		    dice_below(&s->dice, n), &p))
			consider(s, c, &p, best);
	for (unsigned i = 0; i < CANDIDATES; i++)
		if (grid_random(s->grid, &s->dice, &p))
			consider(s, c, &p, best);
}

static bool
next(struct strategy *s, struct point *p)
{
	struct model		*m = s->own;
	struct candidate	 c = { .found = false };

	learn(s);
	if (m->n < FIRST)
		return strategy_fresh(s, p);
	fit(s->grid, m);
	if (m->works)
		look_around(s, &c);
	*p = c.point;
	return c.found || strategy_fresh(s, p);
}

const struct strategy_kind	strategy_model = {
	.name = "model",
	.bytes = sizeof(struct model), .next = next,
};
