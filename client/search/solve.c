/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/search/solve.h"
#include "proto/base/monotone.h"
#include "proto/base/rank.h"

/* A step between sizes so near is timed again: it may have been a loud moment. */
#define CLOSE		1.1
#define CLOSE_TO_WARM	((uint64_t)64 << 10)	/* bytes */
#define STEP_BANDS	4.0
#define STEP_TIMES	5.0
#define LEAST_STEP	0.2	/* of the way: from the next size to each of those around it */

void
solve_init(struct solve *s, double target_ns, double band, uint64_t most_bytes,
    unsigned evaluations)
{
	memset(s, 0, sizeof *s);
	s->band = band;
	s->most_bytes = most_bytes;
	solve_again(s, target_ns, evaluations);
}

void
solve_again(struct solve *s, double target_ns, unsigned evaluations)
{
	s->target_ns = target_ns;
	s->left = evaluations < SOLVE_MAX_EVALUATIONS ? evaluations : SOLVE_MAX_EVALUATIONS;
	s->end = SOLVE_GOES_ON;
}

static double
difference(const struct solve *s, size_t i)
{
	return s->point[i].time_ns / s->target_ns - 1;
}

static bool
is_near(const struct solve *s, size_t i)
{
	return fabs(difference(s, i)) <= s->band;
}

static size_t
nearest(const struct solve *s)
{
	size_t	best = 0;

	for (size_t i = 1; i < s->n; i++)
		if (fabs(difference(s, i)) < fabs(difference(s, best)))
			best = i;
	return best;
}

static bool
finish(struct solve *s, enum solve_end end)
{
	s->end = end;
	s->best = nearest(s);
	return false;
}

static bool
ask(struct solve *s, uint64_t bytes, uint64_t *out)
{
	if (s->left == 0 || s->n == SOLVE_MAX_EVALUATIONS)
		return finish(s, SOLVE_CLOSEST);
	s->left--;
	*out = bytes;
	return true;
}

/*
 * Between points i and i + 1, where a line through the two (time over the logarithm of the size)
 * meets the target.
 */
static bool
ask_between(struct solve *s, size_t i, const double *fitted, uint64_t *out)
{
	double		low = s->point[i].bytes > 0 ? (double)s->point[i].bytes : SOLVE_GRAIN_BYTES;
	double		high = (double)s->point[i + 1].bytes, part, grains;
	uint64_t	bytes;

	part = (s->target_ns - fitted[i]) / (fitted[i + 1] - fitted[i]);
	part = fmin(fmax(part, LEAST_STEP), 1 - LEAST_STEP);
	grains = low * pow(high / low, part) / SOLVE_GRAIN_BYTES;
	bytes = (uint64_t)(grains + 0.5) * SOLVE_GRAIN_BYTES;
	if (s->point[i].bytes == 0 && high <= SOLVE_GRAIN_BYTES)
		return finish(s, SOLVE_CLOSEST);
	if (bytes <= s->point[i].bytes)
		bytes = s->point[i].bytes + SOLVE_GRAIN_BYTES;
	if (bytes >= s->point[i + 1].bytes)
		return finish(s, SOLVE_CLOSEST);
	return ask(s, bytes, out);
}

/* Twice, before it is said that the target cannot be had. */
static bool
ask_end(struct solve *s, size_t i, enum solve_end verdict, uint64_t *out)
{
	if (s->point[i].times < 2 && s->left > 0)
		return ask(s, s->point[i].bytes, out);
	return finish(s, verdict);
}

/* Of the two around the target, the one to be timed again; NULL: none is. */
static const struct solve_point *
uncertain(const struct solve_point *low, const struct solve_point *high, double band)
{
	const struct solve_point	*p = low->times < high->times ? low : high;

	const bool			 is_close = low->bytes == 0 ? high->bytes <= CLOSE_TO_WARM :
					    (double)high->bytes < CLOSE * (double)low->bytes;

	return is_close && high->time_ns > (1 + STEP_BANDS * band) * low->time_ns &&
	    p->times < STEP_TIMES ? p : NULL;
}

/* What was measured, without its noise; between which two points does the target lie? */
static bool
ask_by_fit(struct solve *s, uint64_t *bytes)
{
	double	fitted[SOLVE_MAX_EVALUATIONS + 2], weight[SOLVE_MAX_EVALUATIONS + 2];
	size_t	i = 0;
	const struct solve_point	*again;

	for (size_t k = 0; k < s->n; k++) {
		fitted[k] = s->point[k].time_ns;
		weight[k] = s->point[k].times;
	}
	monotone_fit(fitted, weight, s->n);
	if (s->target_ns < fitted[0])
		return ask_end(s, 0, SOLVE_BELOW_WARM, bytes);
	if (s->target_ns > fitted[s->n - 1])
		return ask_end(s, s->n - 1, SOLVE_ABOVE_COLD, bytes);
	while (i + 2 < s->n && fitted[i + 1] < s->target_ns)
		i++;
	again = uncertain(&s->point[i], &s->point[i + 1], s->band);
	return again != NULL ? ask(s, again->bytes, bytes) : ask_between(s, i, fitted, bytes);
}

/* Two times that agree, or all that are kept. */
static bool
is_settled(const struct solve_point *p, double band)
{
	double	low = p->kept_ns[0], high = low;

	for (size_t i = 1; i < SOLVE_KEPT && i < p->times; i++) {
		low = fmin(low, p->kept_ns[i]);
		high = fmax(high, p->kept_ns[i]);
	}
	return p->times >= SOLVE_KEPT || (p->times >= 2 && high - low <= 2 * band * p->time_ns);
}

bool
solve_next(struct solve *s, uint64_t *bytes)
{
	const struct solve_point	*near;

	if (s->n == 0 || s->point[0].bytes != 0)
		return ask(s, 0, bytes);
	if (s->point[s->n - 1].bytes < s->most_bytes)
		return ask(s, s->most_bytes, bytes);
	near = &s->point[nearest(s)];
	if (!is_near(s, nearest(s)))
		return ask_by_fit(s, bytes);
	return is_settled(near, s->band) ? finish(s, SOLVE_HIT) : ask(s, near->bytes, bytes);
}

static void
keep(struct solve_point *p, double time_ns)
{
	double	sorted[SOLVE_KEPT];
	size_t	n;

	p->kept_ns[(size_t)p->times++ % SOLVE_KEPT] = time_ns;
	n = p->times < SOLVE_KEPT ? (size_t)p->times : SOLVE_KEPT;
	memcpy(sorted, p->kept_ns, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, rank_ascending);
	p->time_ns = rank_middle(sorted, n);
}

void
solve_add(struct solve *s, uint64_t bytes, double time_ns)
{
	struct solve_point	*p = s->point;
	size_t			 i = 0;

	while (i < s->n && p[i].bytes < bytes)
		i++;
	if (i == s->n || p[i].bytes != bytes) {
		memmove(&p[i + 1], &p[i], (s->n - i) * sizeof *p);
		p[i] = (struct solve_point){ .bytes = bytes };
		s->n++;
	}
	keep(&p[i], time_ns);
}

double
solve_difference(const struct solve *s)
{
	return difference(s, s->best);
}

const char *
solve_end_name(enum solve_end end)
{
	static const char *const	names[SOLVE_NENDS] = {
		"", "hit", "closest", "below_warm", "above_cold", "flat"
	};

	return names[end];
}
