/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/best/best_weighted.h"
#include "client/cmd/job/ids.h"
#include "client/connect/connection.h"
#include "client/print/format.h"
#include "client/print/output.h"
#include "client/print/table.h"
#include "client/search/weighted.h"

enum { PAGE = 1000, OWN_COLUMNS = 2 };

struct asked {
	char		*sweep[WEIGHTED_CONTEXTS];	/* owned */
	struct weighted	 found;
};

/* ---- SWEEP=N ---- */

static enum status
read_weight(const char *text, char **sweep, double *weight, struct fault *why)
{
	const char	*equals = strrchr(text, '=');
	char		*end = NULL;
	enum status	 st;

	*weight = equals != NULL ? strtod(equals + 1, &end) : 0;
	if (equals == NULL || equals == text || end == equals + 1 || *end != '\0' ||
	    !(*weight > 0) || isinf(*weight)) {
		st = fault_at(why, ST_BAD_REQUEST, "--weight",
		    "\"%s\" is no sweep with a number above 0", text);
		fault_hint(why, "--weight dot-cold=12 --weight dot-warm=988: calls in each");
		return st;
	}
	*sweep = strndup(text, (size_t)(equals - text));
	return *sweep != NULL ? ST_OK : fault_set(why, ST_NOMEM, "weights");
}

static enum status
read_weights(struct asked *a, const struct cli_list *weights, struct fault *why)
{
	struct weighted	*w = &a->found;
	enum status	 st = ST_OK;

	if (weights->n < 2 || weights->n > WEIGHTED_CONTEXTS)
		return fault_at(why, ST_BAD_REQUEST, "--weight",
		    "is wanted 2 to %d times, once for each sweep", WEIGHTED_CONTEXTS);
	for (size_t i = 0; st == ST_OK && i < weights->n; i++) {
		st = read_weight(weights->items[i], &a->sweep[i], &w->weight[i], why);
		w->contexts += st == ST_OK;
	}
	return st;
}

/* ---- the sweeps' results ---- */

static enum status
add_page(struct weighted *w, size_t context, const json_t *reply, struct fault *why)
{
	struct results	page;
	enum status	st = results_read(&page, json_object_get(reply, "results"), why);

	if (st != ST_OK)
		return st;
	st = weighted_add(w, context, &page, why);
	results_release(&page);
	return st;
}

static enum status
fetch(struct asked *a, size_t context, struct connection *c, struct fault *why)
{
	json_t		*params = json_pack("{s:o, s:i}", "sweep", ids_sweep(a->sweep[context]),
			    "limit", PAGE);
	json_t		*reply = NULL, *next = NULL;
	enum status	 st;

	do {
		st = connection_call(c, "results.query", json_incref(params), &reply, why);
		if (st != ST_OK)
			break;
		st = add_page(&a->found, context, reply, why);
		next = json_object_get(reply, "next");
		if (json_is_string(next))
			(void)json_object_set(params, "cursor", next);
		else
			next = NULL;
		json_decref(reply);
	} while (st == ST_OK && next != NULL);
	json_decref(params);
	return st;
}

/* ---- the answer ---- */

static json_t *
document(const struct asked *a, size_t top)
{
	const struct weighted	*w = &a->found;
	json_t			*list = json_array(), *missing = json_object();

	for (size_t i = 0; i < w->ranked && i < top; i++) {
		const struct weighted_variant	*v = &w->variant[i];
		json_t				*ns = json_object();

		for (size_t c = 0; c < w->contexts; c++)
			(void)json_object_set_new(ns, a->sweep[c], json_real(v->ns[c]));
		(void)json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:o}",
		    "name", v->name, "binary", v->binary, "weighted_ns", v->mean_ns, "ns", ns));
	}
	for (size_t c = 0; c < w->contexts; c++)
		(void)json_object_set_new(missing, a->sweep[c],
		    json_integer((json_int_t)w->missing[c]));
	return json_pack("{s:o, s:I, s:o}", "best", list, "left_out",
	    (json_int_t)(w->n - w->ranked), "missing", missing);
}

static enum status
print_table(const struct asked *a, size_t top, struct fault *why)
{
	const struct weighted	*w = &a->found;
	struct table_column	 columns[OWN_COLUMNS + WEIGHTED_CONTEXTS + 1] = {
		{ "VARIANT", false }, { "WEIGHTED", true },
	};
	char			 text[WEIGHTED_CONTEXTS + 1][FORMAT_BYTES];
	struct table		*t;
	enum status		 st;

	for (size_t c = 0; c < w->contexts && OWN_COLUMNS + c < TABLE_MAX_COLUMNS; c++)
		columns[OWN_COLUMNS + c] = (struct table_column){ a->sweep[c], true };
	if ((st = table_new(&t, columns, why)) != ST_OK)
		return st;
	for (size_t i = 0; st == ST_OK && i < w->ranked && i < top; i++) {
		const char	*cells[OWN_COLUMNS + WEIGHTED_CONTEXTS] = { w->variant[i].name,
				    format_duration_ns(w->variant[i].mean_ns, text[0]) };

		for (size_t c = 0; c < w->contexts; c++)
			cells[OWN_COLUMNS + c] =
			    format_duration_ns(w->variant[i].ns[c], text[1 + c]);
		st = table_add(t, cells, why);
	}
	if (st == ST_OK)
		table_print(t, stdout, output_columns());
	table_free(t);
	return st;
}

static void
note_left_out(const struct cli *cli, const struct asked *a)
{
	const struct weighted	*w = &a->found;

	for (size_t c = 0; !cli->quiet && c < w->contexts; c++)
		if (w->missing[c] > 0)
			(void)fprintf(stderr, "assay: left out: %zu of %zu variants have no ok "
			    "time in %s; to see why: assay results --sweep %s\n", w->missing[c],
			    w->n, a->sweep[c], a->sweep[c]);
}

static enum status
print(const struct cli *cli, const struct asked *a, size_t top, struct fault *why)
{
	json_t		*whole;
	enum status	 st;

	if (!cli->json && !cli->ndjson) {
		st = print_table(a, top, why);
		note_left_out(cli, a);
		return st;
	}
	whole = document(a, top);
	st = output_json(cli, whole, why);
	json_decref(whole);
	return st;
}

static enum status
rank(struct asked *a, const struct cli *cli, int64_t top, struct fault *why)
{
	struct connection	*c = NULL;
	enum status		 st = connection_open_reading(&c, cli, why);

	for (size_t i = 0; st == ST_OK && i < a->found.contexts; i++)
		st = fetch(a, i, c, why);
	connection_free(c);
	if (st != ST_OK)
		return st;
	weighted_rank(&a->found);
	if (a->found.ranked > 0)
		return print(cli, a, (size_t)top, why);
	note_left_out(cli, a);
	return fault_set(why, ST_NOT_FOUND, "no variant has an ok time in all %zu sweeps",
	    a->found.contexts);
}

enum status
best_weighted(const struct cli *cli, const struct cli_list *weights, int64_t top, struct fault *why)
{
	struct asked	a = { .found.contexts = 0 };
	enum status	st;

	if ((st = read_weights(&a, weights, why)) == ST_OK)
		st = rank(&a, cli, top, why);
	for (size_t i = 0; i < WEIGHTED_CONTEXTS; i++)
		free(a.sweep[i]);
	weighted_release(&a.found);
	return st;
}
