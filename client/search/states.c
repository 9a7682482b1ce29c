/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/search/states.h"
#include "client/search/states_predict.h"

enum { WARM_CERTAIN = 9 };	/* warm times, before a target is said to be below them */

static int
by_size(const void *a, const void *b)
{
	const struct states_operand	*x = a, *y = b;

	return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

void
states_init(struct states *s, const struct states_operand *operand, size_t n)
{
	memset(s, 0, sizeof *s);
	s->noperands = n < STATES_OPERANDS ? n : STATES_OPERANDS;
	memcpy(s->operand, operand, s->noperands * sizeof *operand);
	qsort(s->operand, s->noperands, sizeof *s->operand, by_size);
}

void
states_seek(struct states *s, double target_ns, double band, unsigned timings)
{
	s->target_ns = target_ns;
	s->band = band;
	s->left = timings;
	s->end = SOLVE_GOES_ON;
}

/* ---- readings ---- */

static int
ascending(const void *a, const void *b)
{
	const double	x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* n: 1 … STATES_WARM_TIMES */
static double
median(const double *x, size_t n)
{
	double	sorted[STATES_WARM_TIMES];

	memcpy(sorted, x, n * sizeof *x);
	qsort(sorted, n, sizeof *sorted, ascending);
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

double
states_warm_ns(const struct states *s)
{
	return s->nwarm > 0 ? median(s->warm_ns, s->nwarm) : NAN;
}

double
states_noise(const struct states *s)
{
	const double	middle = states_warm_ns(s);
	double		away[STATES_WARM_TIMES];

	for (size_t i = 0; i < s->nwarm; i++)
		away[i] = fabs(s->warm_ns[i] / middle - 1);
	return s->nwarm > 1 ? 1.4826 * median(away, s->nwarm) : NAN;
}

double
states_time_ns(const struct states *s, const struct states_point *p)
{
	return p->ratio * states_warm_ns(s);
}

static double
off(const struct states *s, size_t i)
{
	return states_time_ns(s, &s->point[i]) / s->target_ns - 1;
}

static bool
is_near(const struct states *s, size_t i)
{
	return fabs(off(s, i)) <= s->band;
}

double
states_difference(const struct states *s)
{
	return off(s, s->best);
}

bool
states_is_warm(const struct states_point *p)
{
	for (size_t k = 0; k < STATES_OPERANDS; k++)
		if (p->level[k] != LEVEL_WARM)
			return false;
	return !p->is_cold;
}

static size_t
nearest(const struct states *s)
{
	size_t	best = 0;

	for (size_t i = 1; i < s->n; i++)
		if (fabs(off(s, i)) < fabs(off(s, best)))
			best = i;
	return best;
}

bool
states_is_flat(const struct states *s)
{
	return s->n > 1 && fabs(s->point[1].ratio - 1) <= s->band;
}

size_t
states_rivals(const struct states *s)
{
	size_t	n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += i != s->best && is_near(s, i);
	return n;
}

size_t
states_find(const struct states *s, const struct states_point *p)
{
	size_t	i = 0;

	while (i < s->n && (s->point[i].is_cold != p->is_cold ||
	    memcmp(s->point[i].level, p->level, sizeof p->level) != 0))
		i++;
	return i;
}

/* states_next gives no new point when there is no room. */
void
states_add(struct states *s, const struct states_point *p, double warm_ns, double time_ns)
{
	const size_t		 i = states_find(s, p);
	struct states_point	*to = &s->point[i];

	if (s->nwarm < STATES_WARM_TIMES)
		s->warm_ns[s->nwarm++] = warm_ns;
	if (i == s->n) {
		*to = *p;
		to->ratio = to->times = 0;
		s->n++;
	}
	to->ratio = (to->ratio * to->times + time_ns / warm_ns) / (to->times + 1);
	to->times++;
	if (i > 0)
		s->point[0].times++;	/* beside it */
}

/* ---- the order ---- */

static bool
finish(struct states *s, enum solve_end end, size_t best)
{
	s->end = end;
	s->best = best;
	return false;
}

static bool
ask(struct states *s, const struct states_point *p, struct states_point *out)
{
	const unsigned	timings = states_is_warm(p) ? 1 : 2;

	if (s->left < timings || s->n == STATES_POINTS)
		return finish(s, SOLVE_CLOSEST, nearest(s));
	s->left -= timings;
	*out = *p;
	return true;
}

/* A point again, or the verdict if it was timed twice. */
static bool
confirm(struct states *s, size_t i, enum solve_end verdict, struct states_point *out)
{
	return s->point[i].times < 2 ? ask(s, &s->point[i], out) : finish(s, verdict, i);
}

/* A host that is loud for a moment makes warm times longer, too. */
static bool
certain_warm(struct states *s, struct states_point *out)
{
	return s->nwarm < WARM_CERTAIN ? ask(s, &s->point[0], out) :
	    finish(s, SOLVE_BELOW_WARM, 0);
}

static bool
is_clean(enum state_level level)
{
	return level != LEVEL_WARM_DIRTY && level != LEVEL_L3_DIRTY;
}

/* All operands at the level, or at the last one within it that they can have. */
static struct states_point
uniform(const struct states *s, enum state_level level)
{
	struct states_point	p = { .is_cold = false };

	for (size_t k = 0; k < s->noperands; k++)
		for (enum state_level l = LEVEL_WARM; l <= level; l++)
			if (is_clean(l) && (s->operand[k].may & 1u << l))
				p.level[k] = (unsigned char)l;
	return p;
}

static bool
next_uniform(const struct states *s, struct states_point *p)
{
	for (enum state_level l = LEVEL_L1; l <= LEVEL_L3; l++) {
		*p = uniform(s, l);
		if (states_find(s, p) == s->n)
			return true;
	}
	return false;
}

/* Was the operand alone, at a level within this one, too slow already? */
static bool
is_beyond(const struct states *s, size_t k, enum state_level level)
{
	for (enum state_level l = LEVEL_L1; l < level; l++) {
		const struct states_point	*p = states_single(s, k, l);

		if (p != NULL && states_time_ns(s, p) > s->target_ns * (1 + s->band))
			return true;
	}
	return false;
}

static bool
next_single(const struct states *s, struct states_point *p)
{
	for (size_t k = 0; k < s->noperands; k++)
		for (enum state_level l = LEVEL_WARM_DIRTY; l < LEVEL_N; l++) {
			if ((s->operand[k].may & 1u << l) == 0 || is_beyond(s, k, l))
				continue;
			*p = (struct states_point){ .is_cold = false };
			p->level[k] = (unsigned char)l;
			if (states_find(s, p) == s->n)
				return true;
		}
	return false;
}

/* All operands in memory, then each alone, which can take longer than the cold context. */
static bool
next_in_memory(const struct states *s, struct states_point *p)
{
	*p = uniform(s, LEVEL_MEMORY);
	if (states_find(s, p) == s->n)
		return true;
	for (size_t k = 0; k < s->noperands; k++) {
		*p = (struct states_point){ .is_cold = false };
		p->level[k] = LEVEL_MEMORY;
		if (states_find(s, p) == s->n)
			return true;
	}
	return false;
}

bool
states_next(struct states *s, struct states_point *out)
{
	const struct states_point	warm = { .is_cold = false }, cold = { .is_cold = true };
	struct states_point		p;
	double				target;

	if (s->n == 0)
		return ask(s, &warm, out);
	if (s->n == 1)
		return ask(s, &cold, out);
	target = s->target_ns / states_warm_ns(s);
	if (is_near(s, nearest(s)))
		return confirm(s, nearest(s), SOLVE_HIT, out);
	if (states_is_flat(s))
		return s->point[1].times < 2 ? ask(s, &cold, out) :
		    finish(s, SOLVE_FLAT, nearest(s));
	if (target < 1)
		return certain_warm(s, out);
	if (target > s->point[1].ratio && next_in_memory(s, &p))
		return ask(s, &p, out);
	if (target > s->point[1].ratio)
		return confirm(s, 1, SOLVE_ABOVE_COLD, out);
	if (next_uniform(s, &p) || next_single(s, &p) || states_predict(s, &p))
		return ask(s, &p, out);
	return finish(s, SOLVE_CLOSEST, nearest(s));
}
