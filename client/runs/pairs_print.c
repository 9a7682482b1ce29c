/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/format.h"
#include "client/print/table.h"
#include "client/runs/pairs_print.h"

enum { NCELLS = 7, CELL_BYTES = 128 };

static const struct table_column columns_of[NCELLS + 1] = {
	{ "variant", false }, { "params", false }, { "A", true }, { "B", true }, { "B/A", true },
	{ "interval", true }, { "verdict", false }, { NULL, false },
};

/* ---- words ---- */

/* "; 3 faster" */
static void
add_count(char *buf, const struct pairs *p, enum pair_verdict v, const char *words)
{
	const size_t	used = strlen(buf);

	if (p->count[v] > 0)
		(void)snprintf(buf + used, PAIRS_SENTENCE_BYTES - used, "%s%zu %s",
		    used > 0 ? ", " : "", p->count[v], words);
}

char *
pairs_sentence(const struct pairs *p, char buf[PAIRS_SENTENCE_BYTES])
{
	size_t	used;

	buf[0] = '\0';
	add_count(buf, p, PAIR_SLOWER, "slower");
	add_count(buf, p, PAIR_BROKEN, "broken");
	add_count(buf, p, PAIR_FASTER, "faster");
	add_count(buf, p, PAIR_MENDED, "mended");
	add_count(buf, p, PAIR_INDISTINGUISHABLE, "cannot be told apart");
	add_count(buf, p, PAIR_NOT_COMPARED, "not compared");
	add_count(buf, p, PAIR_ONLY_A, "only in A");
	add_count(buf, p, PAIR_ONLY_B, "only in B");
	used = strlen(buf);
	if (used == 0)
		(void)snprintf(buf, PAIRS_SENTENCE_BYTES, "there is nothing to compare");
	else if (p->compared > 0)
		(void)snprintf(buf + used, PAIRS_SENTENCE_BYTES - used,
		    "; the chance of any verdict among equal ones is at most %.3g %%",
		    100 * p->error);
	return buf;
}

static void
add_warning(json_t *list, const char *what, json_t *a, json_t *b)
{
	const char	*name;
	json_t		*value;

	json_object_foreach(a, name, value)
		if (json_object_size(b) > 0 && json_object_get(b, name) == NULL) {
			(void)json_array_append_new(list, json_string(what));
			return;
		}
	json_object_foreach(b, name, value)
		if (json_object_size(a) > 0 && json_object_get(a, name) == NULL) {
			(void)json_array_append_new(list, json_string(what));
			return;
		}
}

json_t *
pairs_warnings(const struct run *a, const struct run *b)
{
	json_t	*list = json_array();

	add_warning(list, "the runs are of hosts of different classes: a difference may be theirs",
	    a->hosts, b->hosts);
	if (json_array_size(list) == 0)
		add_warning(list, "the host was in another state (fitness) in one of the runs: a "
		    "difference may be its own", a->fitness, b->fitness);
	return list;
}

/* ---- rows ---- */

struct cells {
	char	text[NCELLS][CELL_BYTES];
};

static const struct run_item *
item_of(const struct pair *x)
{
	return x->b.item != NULL ? x->b.item : x->a.item;
}

static void
put_ns(char *cell, const struct pair_side *s)
{
	char	number[FORMAT_BYTES];

	(void)snprintf(cell, CELL_BYTES, "%s%s", s->item == NULL ? "" : s->kind == RUN_TIMED ?
	    format_duration_ns(s->ns, number) : s->kind == RUN_RACED ? "raced" : s->best->status,
	    s->results > 1 ? " (pooled)" : "");
}

static void
put_cells(const struct pair *x, struct cells *c)
{
	const struct run_item	*item = item_of(x);
	char			*params = item->params != NULL ?
				    json_dumps(item->params, JSON_COMPACT) : NULL;

	memset(c, 0, sizeof *c);
	(void)snprintf(c->text[0], CELL_BYTES, "%s", item->name);
	(void)snprintf(c->text[1], CELL_BYTES, "%s", params != NULL ? params : "");
	put_ns(c->text[2], &x->a);
	put_ns(c->text[3], &x->b);
	if (isfinite(x->ratio))
		(void)snprintf(c->text[4], CELL_BYTES, "%s%.4f", isinf(x->high) ? ">= " : "",
		    x->ratio);
	if (isfinite(x->low) && isfinite(x->high))
		(void)snprintf(c->text[5], CELL_BYTES, "%.4f-%.4f", x->low, x->high);
	(void)snprintf(c->text[6], CELL_BYTES, "%s%s%s", pair_word(x->verdict),
	    x->reason != NULL ? ": " : "", x->reason != NULL ? x->reason : "");
	free(params);
}

static bool
is_shown(const struct pair *x, bool all)
{
	return all || (x->verdict != PAIR_INDISTINGUISHABLE && x->verdict != PAIR_ONLY_A &&
	    x->verdict != PAIR_ONLY_B);
}

enum status
pairs_print(const struct pairs *p, FILE *to, size_t columns, bool all, struct fault *why)
{
	const char	*cell[NCELLS];
	struct table	*t;
	struct cells	 c;
	enum status	 st = table_new(&t, columns_of, why);

	for (size_t i = 0; st == ST_OK && i < p->n; i++) {
		if (!is_shown(&p->at[i], all))
			continue;
		put_cells(&p->at[i], &c);
		for (size_t k = 0; k < NCELLS; k++)
			cell[k] = c.text[k];
		st = table_add(t, cell, why);
	}
	if (st == ST_OK && table_rows(t) > 0)
		table_print(t, to, columns);
	table_free(t);
	return st;
}

/* ---- the document ---- */

static json_t *
number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *
side_json(const struct pair_side *s)
{
	if (s->item == NULL)
		return json_null();
	return json_pack("{s:I, s:s, s:o, s:I, s:I}", "job", (json_int_t)s->best->job, "status",
	    s->best->status, "ns", number(s->ns), "processes", (json_int_t)s->n, "results",
	    (json_int_t)s->results);
}

static json_t *
pair_json(const struct pair *x)
{
	const struct run_item	*item = item_of(x);

	return json_pack("{s:s, s:O?, s:O?, s:o, s:o, s:o, s:o, s:s, s:s?}", "name", item->name,
	    "params", item->params, "meta", item->meta, "a", side_json(&x->a), "b",
	    side_json(&x->b), "ratio", number(x->ratio), "interval", isfinite(x->low) ?
	    json_pack("[o, o]", number(x->low), number(x->high)) : json_null(), "verdict",
	    pair_word(x->verdict), "reason", x->reason);
}

static json_t *
run_json(const struct run *r)
{
	return json_pack("{s:s, s:I, s:I}", "run", r->label, "results", (json_int_t)r->n,
	    "yardsticks", (json_int_t)r->yardsticks);
}

json_t *
pairs_document(const struct pairs *p, const struct run *a, const struct run *b)
{
	char	 sentence[PAIRS_SENTENCE_BYTES];
	json_t	*counts = json_object(), *list = json_array();

	for (unsigned v = 0; v < PAIR_NVERDICTS; v++)
		(void)json_object_set_new(counts, pair_word(v),
		    json_integer((json_int_t)p->count[v]));
	for (size_t i = 0; i < p->n; i++)
		(void)json_array_append_new(list, pair_json(&p->at[i]));
	return json_pack("{s:o, s:o, s:b, s:f, s:f, s:s, s:I, s:o, s:s, s:o, s:o}", "a",
	    run_json(a), "b", run_json(b), "regression", pairs_regress(p), "threshold",
	    p->threshold, "error", p->error, "correction", "bonferroni", "compared",
	    (json_int_t)p->compared, "counts", counts, "sentence", pairs_sentence(p, sentence),
	    "warnings", pairs_warnings(a, b), "pairs", list);
}
