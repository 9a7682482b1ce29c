/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/search/weighted.h"

static const char *
text_of(const char *text)
{
	return text != NULL ? text : "";
}

static struct weighted_variant *
find(struct weighted *w, const struct result *r)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->variant[i].name, text_of(r->name)) == 0 &&
		    strcmp(w->variant[i].binary, text_of(r->binary)) == 0)
			return &w->variant[i];
	return NULL;
}

/* NULL: no memory. */
static struct weighted_variant *
find_or_add(struct weighted *w, const struct result *r)
{
	struct weighted_variant	*v = find(w, r), *grown;

	if (v != NULL)
		return v;
	if ((grown = realloc(w->variant, (w->n + 1) * sizeof *grown)) == NULL)
		return NULL;
	w->variant = grown;
	v = &grown[w->n];
	*v = (struct weighted_variant){ .name = strdup(text_of(r->name)),
	    .binary = strdup(text_of(r->binary)), .mean_ns = NAN };
	for (size_t c = 0; c < WEIGHTED_CONTEXTS; c++)
		v->ns[c] = NAN;
	w->n++;
	return v->name != NULL && v->binary != NULL ? v : NULL;
}

enum status
weighted_add(struct weighted *w, size_t context, const struct results *results, struct fault *why)
{
	for (size_t i = 0; i < results->n; i++) {
		const struct result	*r = &results->at[i];
		struct weighted_variant	*v = find_or_add(w, r);

		if (v == NULL)
			return fault_set(why, ST_NOMEM, "variants");
		if (results_outcome(r) == ST_OK && r->has_time && r->time.value_ns >= 0)
			v->ns[context] = r->time.value_ns * results_correction(r);
	}
	return ST_OK;
}

static double
mean_of(const struct weighted *w, const struct weighted_variant *v)
{
	double	sum = 0, weights = 0;

	for (size_t c = 0; c < w->contexts; c++) {
		sum += w->weight[c] * v->ns[c];
		weights += w->weight[c];
	}
	return sum / weights;		/* NaN: a context lacks a time */
}

/* Those left out come last. */
static int
by_mean(const void *a, const void *b)
{
	const double	x = ((const struct weighted_variant *)a)->mean_ns;
	const double	y = ((const struct weighted_variant *)b)->mean_ns;

	if (isnan(x) != isnan(y))
		return isnan(x) ? 1 : -1;
	return (x > y) - (x < y);
}

void
weighted_rank(struct weighted *w)
{
	w->ranked = 0;
	memset(w->missing, 0, sizeof w->missing);
	for (size_t i = 0; i < w->n; i++) {
		struct weighted_variant	*v = &w->variant[i];

		v->mean_ns = mean_of(w, v);
		w->ranked += !isnan(v->mean_ns);
		for (size_t c = 0; c < w->contexts; c++)
			w->missing[c] += isnan(v->ns[c]);
	}
	if (w->n > 0)
		qsort(w->variant, w->n, sizeof *w->variant, by_mean);
}

void
weighted_release(struct weighted *w)
{
	for (size_t i = 0; i < w->n; i++) {
		free(w->variant[i].name);
		free(w->variant[i].binary);
	}
	free(w->variant);
	*w = (struct weighted){ .n = 0 };
}
