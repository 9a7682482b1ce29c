/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the rounds of an audit confirm a claimed time, contradict it, or leave it open. */
#include <stdio.h>
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/trust/audit.h"

/* Beyond any core: more than ten times the fastest at the time of writing. */
#define FLOPS_PER_NS	16384.0
#define BYTES_PER_NS	4096.0
/* Eight instructions a cycle at 8 GHz, each with 512 bits. */
#define ITERATIONS_PER_NS	32768.0
/*
 * A call on inputs that it has seen may be faster because branches were learnt, each of which costs
 * twenty cycles otherwise.  Nothing honest is faster by this.
 */
#define LEARNT_TIMES	32.0
#define HOPELESS_TIMES	2.0
#define UNSURE_NS	50.0	/* a sample's ends, which are subtracted, may be wrong by this */
enum { LEAST_ROUNDS = 2 };	/* that confirm a time */

/* The good rounds' times in ascending order, each divided by the clock's slowness; their number. */
static unsigned
times_of(const struct audit *a, double best_pace, double *ns)
{
	unsigned	n = 0;

	for (unsigned i = 0; i < a->rounds; i++) {
		const struct audit_round	*r = &a->round[i];
		const double			 slow = best_pace > 0 ? r->time.pace / best_pace :
						    1;

		if (audit_is_good(r))
			ns[n++] = r->ns / (slow > 1 ? slow : 1);
	}
	qsort(ns, n, sizeof *ns, rank_ascending);
	return n;
}

unsigned
audit_good_rounds(const struct audit *a)
{
	unsigned	n = 0;

	for (unsigned i = 0; i < a->rounds; i++)
		n += audit_is_good(&a->round[i]);
	return n;
}

static unsigned
sorted(const struct audit *a, double best_pace, double **ns)
{
	*ns = calloc(a->rounds + 1, sizeof **ns);
	return *ns != NULL ? times_of(a, best_pace, *ns) : 0;
}

double
audit_least_ns(const struct audit *a)
{
	double		*ns;
	unsigned	 n = sorted(a, 0, &ns);
	double		 least = n > 0 ? ns[0] : 0;

	free(ns);
	return least;
}

double
audit_median_ns(const struct audit *a)
{
	double		*ns;
	unsigned	 n = sorted(a, 0, &ns);
	double		 median = n > 0 ? rank_middle(ns, n) : 0;

	free(ns);
	return median;
}

bool
audit_is_beyond_learning(const struct audit *a, const struct audit_claim *c)
{
	double	times = LEARNT_TIMES * (c->fresh_times > 1 ? c->fresh_times : 1);

	return !a->visible && audit_least_ns(a) > times * c->median_ns + UNSURE_NS &&
	    audit_least_ns(a) * a->calls > AUDIT_FIRM_NS;
}

/* An eighth of the good rounds, two at least, are near enough to the claim. */
static bool
confirms(const struct audit *a, double claim_ns, double best_pace)
{
	double		*ns;
	unsigned	 n = sorted(a, best_pace, &ns);
	unsigned	 need = n / 8 < LEAST_ROUNDS ? LEAST_ROUNDS : n / 8;
	bool		 near = n >= need && ns[need - 1] <= AUDIT_TOLERANCE * claim_ns;

	free(ns);
	return near;
}

/* More rounds only lower the least, which is what rounds of several calls are judged by. */
static unsigned
least_rounds(const struct audit *a)
{
	return a->calls > 1 ? 1 : LEAST_ROUNDS;
}

bool
audit_is_firm(const struct audit *a)
{
	return a->calls == 1 && audit_least_ns(a) >= AUDIT_FIRM_NS;
}

static bool
is_confirmed(const struct audit *a, const struct audit_claim *c)
{
	if (c->is_compared && c->median_ns > AUDIT_TOLERANCE * audit_median_ns(a))
		return false;
	return confirms(a, c->median_ns, 0) &&
	    (c->least_ns == 0 || audit_least_ns(a) <= AUDIT_TOLERANCE * c->least_ns) &&
	    (c->normalised_ns == 0 || confirms(a, c->normalised_ns, c->best_pace));
}

enum audit_opinion
audit_opinion(const struct audit *a, const struct audit_claim *c)
{
	const double	least_ns = audit_least_ns(a);

	if (a->visible)
		return AUDIT_HOPELESS;
	if (audit_good_rounds(a) < least_rounds(a))
		return AUDIT_OPEN;
	if (!audit_is_firm(a) && !audit_is_beyond_learning(a, c))
		return AUDIT_HOPELESS;
	if (audit_is_firm(a) && is_confirmed(a, c))
		return AUDIT_CONFIRMED;
	return a->rounds > AUDIT_LOOK && least_ns > HOPELESS_TIMES * c->median_ns &&
	    !audit_is_beyond_learning(a, c) ?
	    AUDIT_HOPELESS : AUDIT_OPEN;
}

bool
audit_is_look(const struct audit *a)
{
	unsigned	look = AUDIT_LOOK;

	if (a->calls > 1 && a->rounds == 1)
		return true;
	if (a->rounds == LEAST_ROUNDS)
		return a->round[a->rounds - 1].time.took_ns > AUDIT_LONG_NS;
	while (look < a->rounds)
		look *= 2;
	return look == a->rounds;
}

const char *
audit_contradiction(const struct audit *a, const struct audit_claim *c, char *words, size_t bytes)
{
	double	threads = c->threads > 1 ? c->threads : 1;
	double	ns = c->median_ns > 0 ? c->median_ns : 0.05;

	if (c->flops / ns > FLOPS_PER_NS * threads || c->bytes / ns > BYTES_PER_NS * threads) {
		snprintf(words, bytes,
		    "it claims %.3g ns a call, faster than any machine: %.3g flops, %.3g bytes",
		    c->median_ns, c->flops, c->bytes);
		return words;
	}
	if (c->iterations / ns > ITERATIONS_PER_NS * threads) {
		snprintf(words, bytes, "it claims %.3g ns for %.15g iterations, more than any "
		    "core can retire, even of one bit each", c->median_ns, c->iterations);
		return words;
	}
	if (audit_good_rounds(a) >= AUDIT_ROUNDS / 2 && audit_is_beyond_learning(a, c)) {
		snprintf(words, bytes,
		    "it claims %.4g ns a call, but by the supervisor's clock no call on fresh "
		    "operands took less than %.4g ns, in %u audits", c->median_ns,
		    audit_least_ns(a), audit_good_rounds(a));
		return words;
	}
	return NULL;
}

const char *
audit_trust_word(enum trust t)
{
	static const char *const	words[TRUST_N] = { "claimed", "audited",
	    "verified", "suspect" };

	return words[t];
}
