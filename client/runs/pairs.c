/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/runs/pairs.h"
#include "client/runs/welch.h"
#include "proto/base/rank.h"

#define SAME_TIMING	"it is one timing, given again"

const char *
pair_word(enum pair_verdict v)
{
	static const char *const	words[] = {
		[PAIR_FASTER] = "faster", [PAIR_SLOWER] = "slower",
		[PAIR_INDISTINGUISHABLE] = "indistinguishable", [PAIR_BROKEN] = "broken",
		[PAIR_MENDED] = "mended", [PAIR_NOT_COMPARED] = "not compared",
		[PAIR_ONLY_A] = "only in A", [PAIR_ONLY_B] = "only in B",
	};

	return words[v];
}

bool
pairs_regress(const struct pairs *p)
{
	return p->count[PAIR_SLOWER] + p->count[PAIR_BROKEN] > 0;
}

static size_t
judged(const struct pairs *p)
{
	return p->count[PAIR_FASTER] + p->count[PAIR_SLOWER] + p->count[PAIR_INDISTINGUISHABLE] +
	    p->count[PAIR_BROKEN] + p->count[PAIR_MENDED];
}

/* NULL: each is in one run alone. */
static const struct pair *
first_not_compared(const struct pairs *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->at[i].verdict == PAIR_NOT_COMPARED)
			return &p->at[i];
	return NULL;
}

enum status
pairs_check(const struct pairs *p, struct fault *why)
{
	const struct pair	*x = first_not_compared(p);

	if (judged(p) > 0)
		return ST_OK;
	if (x == NULL) {
		(void)fault_set(why, ST_NOT_FOUND, "no pair was compared: no variant is in "
		    "both runs");
		fault_hint(why, "pairs have the same name, routine, params and point: see --all; "
		    "--by-name ignores the point");
		return ST_NOT_FOUND;
	}
	(void)fault_set(why, ST_NOT_FOUND, "no pair was compared: of %.100s%s, %s", x->a.item->name,
	    p->count[PAIR_NOT_COMPARED] > 1 ? " and others" : "", x->reason);
	if (strcmp(x->reason, SAME_TIMING) == 0)
		fault_hint(why, "the runs share stored times: \"fresh\": true in the second "
		    "sweep's document has it timed anew");
	else
		fault_hint(why, "see the reason of each pair above");
	return ST_NOT_FOUND;
}

/* ---- keys ---- */

/* Members of meta that differ within the run are added to `varies`. */
static void
find_varying(const struct run *run, json_t *varies)
{
	json_t		*first = run->n > 0 ? run->at[0].meta : NULL, *value;
	const char	*name;

	for (size_t i = 1; i < run->n; i++) {
		json_object_foreach(run->at[i].meta, name, value)
			if (!json_equal(json_object_get(first, name), value))
				(void)json_object_set_new(varies, name, json_true());
		json_object_foreach(first, name, value)
			if (json_object_get(run->at[i].meta, name) == NULL)
				(void)json_object_set_new(varies, name, json_true());
	}
}

static bool
set_key(struct run_item *item, const json_t *varies, bool by_name)
{
	json_t		*point = json_object(), *value, *key;
	const char	*name;

	json_object_foreach((json_t *)(uintptr_t)varies, name, value)
		if (!by_name && json_object_get(item->meta, name) != NULL)
			(void)json_object_set(point, name, json_object_get(item->meta, name));
	key = json_pack("[s, s, O?, o]", item->name, item->routine, item->params, point);
	item->key = key != NULL ? json_dumps(key, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
	json_decref(key);
	return item->key != NULL;
}

static bool
set_keys(struct run *a, struct run *b, bool by_name)
{
	json_t	*varies = json_object();
	bool	 ok = varies != NULL;

	find_varying(a, varies);
	find_varying(b, varies);
	for (size_t i = 0; ok && i < a->n; i++)
		ok = set_key(&a->at[i], varies, by_name);
	for (size_t i = 0; ok && i < b->n; i++)
		ok = set_key(&b->at[i], varies, by_name);
	json_decref(varies);
	return ok;
}

/* ---- pooling ---- */

static bool
is_same_timing(const struct run_item *a, const struct run_item *b)
{
	return a->n == b->n && a->n > 0 &&
	    memcmp(a->log_ns, b->log_ns, a->n * sizeof *a->log_ns) == 0;
}

static bool
pool_times(struct pair_side *s, const struct run_item *item)
{
	double	*more = realloc(s->log_ns, (s->n + item->n + 1) * sizeof *more);

	if (more == NULL)
		return false;
	s->log_ns = more;
	if (item->n > 0)
		memcpy(more + s->n, item->log_ns, item->n * sizeof *more);
	s->n += item->n;
	return true;
}

/* Is it a timing that the side has already? */
static bool
is_had(const struct pair_side *s, const struct run_item *item)
{
	for (size_t at = 0; at + item->n <= s->n && item->n > 0; at++)
		if (memcmp(s->log_ns + at, item->log_ns, item->n * sizeof *s->log_ns) == 0)
			return true;
	return false;
}

static bool
pool(struct pair_side *s, const struct run_item *item)
{
	s->results++;
	if (s->item == NULL) {
		s->item = s->best = item;
		s->kind = item->kind;
	} else if (item->kind < s->kind) {
		s->kind = item->kind;
		s->best = item;
	}
	return item->kind != RUN_TIMED || is_had(s, item) || pool_times(s, item);
}

static double
middle_of(const struct pair_side *s)
{
	double	*sorted, ns;

	if (s->kind != RUN_TIMED)
		return NAN;
	if (s->n == 0 || (sorted = malloc(s->n * sizeof *sorted)) == NULL)
		return s->best->value_ns;
	memcpy(sorted, s->log_ns, s->n * sizeof *sorted);
	qsort(sorted, s->n, sizeof *sorted, rank_ascending);
	ns = exp(rank_middle(sorted, s->n));
	free(sorted);
	return ns;
}

/* *places: the key's place in the pairs. */
static bool
take_run(struct pairs *p, const struct run *run, bool is_b, json_t *places)
{
	for (size_t i = 0; i < run->n; i++) {
		const char	*key = run->at[i].key;
		json_t		*place = json_object_get(places, key);
		size_t		 at = place != NULL ? (size_t)json_integer_value(place) : p->n;

		if (place == NULL && json_object_set_new(places, key,
		    json_integer((json_int_t)p->n++)) != 0)
			return false;
		if (!pool(is_b ? &p->at[at].b : &p->at[at].a, &run->at[i]))
			return false;
	}
	return true;
}

/* ---- verdicts ---- */

static double
greatest(const struct pair_side *s)
{
	double	most = -HUGE_VAL;

	for (size_t i = 0; i < s->n; i++)
		most = fmax(most, s->log_ns[i]);
	return exp(most);
}

/* b was given up at a bound, which it surely exceeds: is that above all that a took? */
static void
judge_raced(struct pairs *p, struct pair *x)
{
	const double	bound_ns = x->b.best->bound_ns;

	x->reason = "it was given up in a race";
	x->verdict = PAIR_NOT_COMPARED;
	if (x->a.n == 0 || !(bound_ns > greatest(&x->a) * (1 + p->threshold)))
		return;
	x->ratio = bound_ns / x->a.ns;
	x->low = bound_ns / greatest(&x->a);
	x->high = HUGE_VAL;
	x->verdict = PAIR_SLOWER;
}

/* Why two times are not compared; NULL: they are. */
static const char *
refusal(const struct pair *x)
{
	const struct run_item	*a = x->a.best, *b = x->b.best;

	if (is_same_timing(a, b))
		return SAME_TIMING;
	if (strcmp(a->estimator, b->estimator) != 0)
		return "their estimators differ";
	if (strcmp(a->context, b->context) != 0)
		return "their contexts differ";
	if (x->a.n < PAIRS_LEAST_PROCESSES || x->b.n < PAIRS_LEAST_PROCESSES)
		return "fewer than three processes";
	return NULL;
}

/* All that is known without the times; PAIR_INDISTINGUISHABLE: they are to be compared. */
static void
judge_kinds(struct pairs *p, struct pair *x)
{
	const enum run_kind	a = x->a.kind, b = x->b.kind;

	x->ratio = x->low = x->high = NAN;
	x->a.ns = x->a.item != NULL ? middle_of(&x->a) : NAN;
	x->b.ns = x->b.item != NULL ? middle_of(&x->b) : NAN;
	x->verdict = PAIR_NOT_COMPARED;
	if (x->a.item == NULL || x->b.item == NULL) {
		x->verdict = x->a.item == NULL ? PAIR_ONLY_B : PAIR_ONLY_A;
	} else if (a == RUN_OTHER || b == RUN_OTHER) {
		x->reason = "one of them says nothing of the variant";
	} else if (a == RUN_FAILED || b == RUN_FAILED) {
		x->reason = a == b ? "both fail" : NULL;
		if (a != b)
			x->verdict = b == RUN_FAILED ? PAIR_BROKEN : PAIR_MENDED;
	} else if (b == RUN_RACED && a == RUN_TIMED) {
		judge_raced(p, x);
	} else if (a == RUN_RACED) {
		x->reason = "it was given up in a race";
	} else if ((x->reason = refusal(x)) == NULL) {
		x->verdict = PAIR_INDISTINGUISHABLE;
		p->compared++;
	}
}

static void
judge_times(const struct pairs *p, struct pair *x)
{
	const struct welch	w = welch_compare(x->a.log_ns, x->a.n, x->b.log_ns, x->b.n,
				    p->error / (double)p->compared);

	x->ratio = exp(w.difference);
	x->low = exp(w.difference - w.half);
	x->high = exp(w.difference + w.half);
	if (x->low > 1 && x->ratio >= 1 + p->threshold)
		x->verdict = PAIR_SLOWER;
	else if (x->high < 1 && x->ratio <= 1 / (1 + p->threshold))
		x->verdict = PAIR_FASTER;
}

static void
judge(struct pairs *p)
{
	for (size_t i = 0; i < p->n; i++)
		judge_kinds(p, &p->at[i]);
	for (size_t i = 0; i < p->n; i++) {
		if (p->at[i].verdict == PAIR_INDISTINGUISHABLE)
			judge_times(p, &p->at[i]);
		p->count[p->at[i].verdict]++;
	}
}

enum status
pairs_make(struct pairs *p, struct run *a, struct run *b, bool by_name, double threshold,
    double error, struct fault *why)
{
	json_t	*places = json_object();
	bool	 ok;

	*p = (struct pairs){ .error = error, .threshold = threshold };
	p->at = calloc(a->n + b->n + 1, sizeof *p->at);
	ok = p->at != NULL && places != NULL && set_keys(a, b, by_name) &&
	    take_run(p, a, false, places) && take_run(p, b, true, places);
	json_decref(places);
	if (!ok) {
		pairs_release(p);
		return fault_set(why, ST_NOMEM, "comparison");
	}
	judge(p);
	return ST_OK;
}

void
pairs_release(struct pairs *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->at[i].a.log_ns);
		free(p->at[i].b.log_ns);
	}
	free(p->at);
	*p = (struct pairs){ .at = NULL };
}
