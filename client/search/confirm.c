/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/search/confirm.h"

enum status
confirm_init(struct confirm *c, const struct results *r, double error, struct fault *why)
{
	const size_t	n = r->n;

	*c = (struct confirm){ .nleft = n, .error = error,
	    .comparisons = n > 1 ? n * (n - 1) / 2 : 0 };
	c->left = calloc(n + 1, sizeof *c->left);
	c->tie = calloc(n + 1, sizeof *c->tie);
	c->all = json_array();
	if (c->left == NULL || c->tie == NULL || c->all == NULL) {
		confirm_release(c);
		return fault_set(why, ST_NOMEM, "comparisons");
	}
	for (size_t i = 0; i < n; i++)
		c->left[i] = &r->at[i];
	return ST_OK;
}

void
confirm_release(struct confirm *c)
{
	free(c->left);
	free(c->tie);
	json_decref(c->all);
	memset(c, 0, sizeof *c);
}

double
confirm_error_each(const struct confirm *c)
{
	return c->error / (double)(c->comparisons > 0 ? c->comparisons : 1);
}

json_t *
confirm_next_round(const struct confirm *c)
{
	json_t	*ids;

	if (c->nleft < 2 || c->over)
		return NULL;
	ids = json_array();
	for (size_t i = 0; i < c->nleft; i++)
		(void)json_array_append_new(ids, json_integer((json_int_t)c->left[i]->job));
	return json_pack("{s:o, s:{s:f}}", "ids", ids, "rule", "error", confirm_error_each(c));
}

/* ---- a round ---- */

static bool
has_verdict(const struct result *r, const char *word)
{
	const char	*verdict = r->comparison.found.verdict;

	return verdict != NULL && strcmp(verdict, word) == 0;
}

/* The place in left[] of the fastest that beat the best so far; 0: none did. */
static size_t
fastest_of(const struct results *round)
{
	double	least = INFINITY;
	size_t	at = 0;

	for (size_t i = 0; i < round->n; i++) {
		if (has_verdict(&round->at[i], "faster") &&
		    round->at[i].comparison.found.ratio < least) {
			least = round->at[i].comparison.found.ratio;
			at = i + 1;
		}
	}
	return at;
}

/* left[at] goes to the front; the beaten one is out. */
static void
replace_best(struct confirm *c, size_t at)
{
	c->left[0] = c->left[at];
	c->nleft--;
	memmove(&c->left[at], &c->left[at + 1], (c->nleft - at) * sizeof *c->left);
}

static void
note_ties(struct confirm *c, const struct results *round)
{
	for (size_t i = 0; i < round->n && i + 1 < c->nleft; i++)
		if (has_verdict(&round->at[i], "indistinguishable"))
			c->tie[c->nties++] = (struct confirm_tie){ c->left[i + 1],
			    round->at[i].comparison.found.ratio };
}

void
confirm_add_round(struct confirm *c, const struct results *round)
{
	size_t	at = fastest_of(round);

	c->rounds++;
	(void)json_array_extend(c->all, round->documents);
	for (size_t i = 0; i < round->n; i++)
		c->failed += round->at[i].comparison.found.verdict == NULL;
	if (at != 0 && at < c->nleft) {
		replace_best(c, at);
		return;
	}
	note_ties(c, round);
	c->over = true;
}

/* ---- the outcome ---- */

bool
confirm_is_certain(const struct confirm *c)
{
	return c->nties == 0 && c->failed == 0;
}

static json_t *
number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *
ties_of(const struct confirm *c)
{
	json_t	*ties = json_array();

	for (size_t i = 0; i < c->nties; i++)
		(void)json_array_append_new(ties, json_pack("{s:I, s:s?, s:o}", "job",
		    (json_int_t)c->tie[i].job->job, "name", c->tie[i].job->name, "ratio",
		    number(c->tie[i].ratio)));
	return ties;
}

json_t *
confirm_outcome(const struct confirm *c)
{
	const struct result	*best = c->left[0];

	return json_pack("{s:I, s:s?, s:b, s:I, s:i, s:O, s:f, s:{s:s, s:I, s:f}, s:o}", "job",
	    (json_int_t)best->job, "name", best->name, "distinguishable", confirm_is_certain(c),
	    "failed", (json_int_t)c->failed, "rounds", (int)c->rounds, "comparisons", c->all,
	    "error", c->error, "correction", "method", "bonferroni", "comparisons",
	    (json_int_t)c->comparisons, "error_each", confirm_error_each(c), "ties", ties_of(c));
}
