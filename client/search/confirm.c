/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "client/print/member.h"
#include "client/search/confirm.h"

const char *
confirm_verdict(const json_t *result)
{
	return member_text(json_object_get(result, "comparison"), "verdict");
}

static double
ratio_of(const json_t *result)
{
	return member_number(json_object_get(result, "comparison"), "ratio");
}

void
confirm_init(struct confirm *r, const json_t *results, double error)
{
	size_t	n = json_array_size(results);

	*r = (struct confirm){ .list = json_copy((json_t *)(uintptr_t)results), .all = json_array(), .error = error,
	    .comparisons = n > 1 ? n * (n - 1) / 2 : 0 };
}

void
confirm_release(struct confirm *r)
{
	json_decref(r->list);
	json_decref(r->all);
	r->list = r->all = NULL;
}

/* The place among the rivals of the fastest that beat the champion; 0: none did. */
static size_t
fastest_of(const json_t *results)
{
	double	 least = INFINITY;
	size_t	 at = 0, i;
	json_t	*result;

	json_array_foreach((json_t *)(uintptr_t)results, i, result) {
		if (strcmp(confirm_verdict(result), "faster") == 0 && ratio_of(result) < least) {
			least = ratio_of(result);
			at = i + 1;
		}
	}
	return at;
}

/* The winner goes to the front; whom it beat is out. */
static void
dethrone(struct confirm *r, size_t at)
{
	json_t	*champion = json_incref(json_array_get(r->list, at));

	(void)json_array_remove(r->list, at);
	(void)json_array_set_new(r->list, 0, champion);
}

static double
error_each(const struct confirm *r)
{
	return r->error / (double)(r->comparisons > 0 ? r->comparisons : 1);
}

json_t *
confirm_next_round(const struct confirm *r)
{
	json_t	*ids, *one;
	size_t	 i;

	if (json_array_size(r->list) < 2 || r->last != NULL)
		return NULL;
	ids = json_array();
	json_array_foreach(r->list, i, one)
		(void)json_array_append(ids, json_object_get(one, "job"));
	return json_pack("{s:o, s:{s:f}}", "ids", ids, "rule", "error", error_each(r));
}

void
confirm_add_round(struct confirm *r, const json_t *results)
{
	size_t	at = fastest_of(results);

	r->rounds++;
	(void)json_array_extend(r->all, (json_t *)(uintptr_t)results);
	if (at == 0)
		r->last = results;
	else
		dethrone(r, at);
}

static json_t *
ties_of(const struct confirm *r)
{
	json_t	*ties = json_array(), *result;
	size_t	 i;

	json_array_foreach((json_t *)(uintptr_t)r->last, i, result) {
		const json_t	*rival = json_array_get(r->list, i + 1);

		if (strcmp(confirm_verdict(result), "indistinguishable") == 0)
			(void)json_array_append_new(ties, json_pack("{s:O, s:O, s:f}", "job",
			    json_object_get(rival, "job"), "name", json_object_get(rival, "name"), "ratio",
			    ratio_of(result)));
	}
	return ties;
}

/* A comparison that failed, and so says nothing of its rival, is told as what it is. */
static size_t
failures_in(const json_t *results)
{
	json_t	*result;
	size_t	 i, n = 0;

	json_array_foreach((json_t *)(uintptr_t)results, i, result)
		n += confirm_verdict(result)[0] == '\0';
	return n;
}

json_t *
confirm_outcome(const struct confirm *r)
{
	const json_t	*best = json_array_get(r->list, 0);
	json_t		*ties = ties_of(r);
	size_t		 failed = failures_in(r->all);

	return json_pack("{s:O, s:O, s:b, s:I, s:i, s:O, s:f, s:{s:s, s:I, s:f}, s:o}", "job",
	    json_object_get(best, "job"), "name", json_object_get(best, "name"), "distinguishable",
	    json_array_size(ties) == 0 && failed == 0, "failed", (json_int_t)failed, "rounds", (int)r->rounds,
	    "comparisons", r->all, "error", r->error, "correction", "method", "bonferroni", "comparisons",
	    (json_int_t)r->comparisons, "error_each", error_each(r), "ties", ties);
}
