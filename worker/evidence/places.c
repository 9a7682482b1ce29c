/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "worker/evidence/places.h"

enum { BINS = 2 * RUNNER_BINS, STEPS = 200 };
#define SMOOTH	0.5		/* readings that each bin has beside those counted */
#define LEAST	1e-9

/* Readings of one operand, and how likely each is at each level. */
struct mixture {
	double	 count[BINS];
	double	 chance[RUNNER_NLEVELS][BINS];
	bool	 is_known[RUNNER_NLEVELS];
	double	 all;
};

static unsigned
count_of(const struct runner_lines *l, unsigned bin)
{
	return bin < RUNNER_BINS ? l->single[bin] : l->chain[bin - RUNNER_BINS];
}

/*
 * Of single lines, or of chains (`from` on).  A reading between two bins falls into either, so its
 * neighbours share it.
 */
static double
learn(double *chance, const struct runner_lines *l, unsigned from)
{
	double	all = 0;

	for (unsigned i = from; i < from + RUNNER_BINS; i++) {
		const double	before = i > from ? count_of(l, i - 1) : 0;
		const double	after = i + 1 < from + RUNNER_BINS ? count_of(l, i + 1) : 0;

		chance[i] = (before + 6.0 * count_of(l, i) + after) / 8 + SMOOTH / RUNNER_BINS;
		all += chance[i];
	}
	for (unsigned i = from; i < from + RUNNER_BINS; i++)
		chance[i] /= all;
	return all;
}

/* The bin with the first twentieth of readings behind it; RUNNER_BINS: there are none. */
static unsigned
first_of(const uint16_t *count)
{
	unsigned	all = 0, before = 0;

	for (unsigned i = 0; i < RUNNER_BINS; i++)
		all += count[i];
	for (unsigned i = 0; i < RUNNER_BINS; i++)
		if (20 * (before += count[i]) > all)
			return i;
	return RUNNER_BINS;
}

/* What looks like memory there was memory: other work of the host had driven it out. */
static void
clean(uint16_t *cache, const uint16_t *memory)
{
	unsigned	behind = 0;

	for (unsigned i = first_of(memory); i < RUNNER_BINS; i++)
		behind += cache[i];
	for (unsigned i = first_of(memory); i < RUNNER_BINS; i++)
		cache[i] = 0;
	if (first_of(cache) == RUNNER_BINS && behind > 0)
		cache[first_of(memory)] = (uint16_t)behind;	/* no clock for it */
}

/*
 * A cache with few known readings is not thereby as slow as memory: behind the first readings from
 * there all are memory's, whose times shift with the host's load.
 */
static void
end_before_memory(double *chance, const uint16_t *cache, const uint16_t *memory)
{
	const unsigned	from = first_of(memory);

	if (first_of(cache) >= from)
		return;
	for (unsigned i = from; i < RUNNER_BINS; i++)
		chance[i] = LEAST;
}

static double
astray(unsigned asked)
{
	return asked == 1u << RUNNER_MEMORY ? PLACES_BROUGHT : PLACES_DRIVEN;
}

static struct mixture
mixture_of(const struct runner_proof *p, unsigned operand)
{
	struct mixture	m = { .all = 0 };

	for (unsigned i = 0; i < BINS; i++)
		m.all += m.count[i] = count_of(&p->operand[operand], i);
	for (unsigned l = 0; l < RUNNER_NLEVELS; l++) {
		struct runner_lines	known = p->known[l];
		double			all;

		if (l != RUNNER_MEMORY) {
			clean(known.single, p->known[RUNNER_MEMORY].single);
			clean(known.chain, p->known[RUNNER_MEMORY].chain);
		}
		all = learn(m.chance[l], &known, 0) + learn(m.chance[l], &known, RUNNER_BINS);
		if (l != RUNNER_MEMORY) {
			end_before_memory(m.chance[l], known.single,
			    p->known[RUNNER_MEMORY].single);
			end_before_memory(m.chance[l] + RUNNER_BINS, known.chain,
			    p->known[RUNNER_MEMORY].chain);
		}
		m.is_known[l] = all >= 2;	/* more than the smoothing */
	}
	return m;
}

static double
chance_of(const struct mixture *m, const double *share, unsigned bin)
{
	double	sum = 0;

	for (unsigned l = 0; l < RUNNER_NLEVELS; l++)
		sum += share[l] * m->chance[l][bin];
	return sum > 0 ? sum : LEAST;
}

/* The parts inside and outside of `asked` keep their sums, if those are given. */
static void
hold(double *share, unsigned asked, double inside)
{
	double	in = 0, out = 0;

	for (unsigned l = 0; l < RUNNER_NLEVELS; l++)
		*(asked >> l & 1 ? &in : &out) += share[l];
	for (unsigned l = 0; l < RUNNER_NLEVELS; l++)
		share[l] *= asked >> l & 1 ? inside / fmax(in, LEAST) :
		    (1 - inside) / fmax(out, LEAST);
}

/*
 * The most likely shares; with `asked`, of those that have as many outside of it as may be.
 * Returns the logarithm of their likelihood.
 */
static double
fit(const struct mixture *m, unsigned asked, double *share)
{
	double	sum = 0;

	for (unsigned l = 0; l < RUNNER_NLEVELS; l++)
		share[l] = m->is_known[l];
	hold(share, asked != 0 ? asked : ~0u, asked != 0 ? 1 - astray(asked) : 1);
	for (unsigned step = 0; step < STEPS; step++) {
		double	next[RUNNER_NLEVELS] = { 0 };

		for (unsigned i = 0; i < BINS; i++)
			for (unsigned l = 0; m->count[i] > 0 && l < RUNNER_NLEVELS; l++)
				next[l] += m->count[i] / m->all * share[l] * m->chance[l][i] /
				    chance_of(m, share, i);
		if (asked != 0)
			hold(next, asked, 1 - astray(asked));
		memcpy(share, next, sizeof next);
	}
	for (unsigned i = 0; i < BINS; i++)
		if (m->count[i] > 0)
			sum += m->count[i] * log(chance_of(m, share, i));
	return sum;
}

struct places
places_of(const struct runner_proof *p, unsigned operand)
{
	const struct mixture	m = mixture_of(p, operand);
	struct places		out = { .read = (unsigned)m.all };

	if (m.all > 0)
		(void)fit(&m, 0, out.share);
	return out;
}

static double
share_in(const struct places *p, unsigned levels)
{
	double	sum = 0;

	for (unsigned l = 0; l < RUNNER_NLEVELS; l++)
		sum += levels >> l & 1 ? p->share[l] : 0;
	return sum;
}

bool
places_are_wrong(const struct runner_proof *p, unsigned operand, unsigned asked)
{
	const struct mixture	m = mixture_of(p, operand);
	struct places		best;
	double			likely, share[RUNNER_NLEVELS];

	for (unsigned l = 0; l < RUNNER_NLEVELS; l++)
		if ((asked >> l & 1) && !m.is_known[l])
			return false;
	if (asked == 0 || m.all == 0)
		return false;
	likely = fit(&m, 0, best.share);
	if (share_in(&best, asked) >= 1 - astray(asked))
		return false;
	return 2 * (likely - fit(&m, asked, share)) > PLACES_SIGMA * PLACES_SIGMA;
}

double
places_nearer(const struct places *p, unsigned asked)
{
	return asked != 0 ? share_in(p, (asked & -asked) - 1) : 0;
}

double
places_farther(const struct places *p, unsigned asked)
{
	unsigned	behind = asked;

	while (behind != 0 && (behind & (behind + 1)) != 0)
		behind |= behind >> 1;
	return asked != 0 ? share_in(p, ~behind) : 0;
}
