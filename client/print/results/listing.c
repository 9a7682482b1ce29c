/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/csv.h"
#include "client/print/format.h"
#include "client/print/output.h"
#include "client/print/results/brief.h"
#include "client/print/results/cells_table.h"
#include "client/print/results/listing.h"
#include "client/print/results/ranking.h"
#include "client/print/results/results.h"
#include "client/print/results/row.h"
#include "client/print/table.h"

enum { FIRST_ROWS = 64, NCELLS = 13, POINT_COLUMNS = 40, POINT_BYTES = 4 * POINT_COLUMNS + 1 };

struct listed {
	struct row	 r;
	json_t		*document;	/* owned; only for LISTING_JSON */
};

struct listing {
	enum listing_form	 form;
	unsigned		 how;
	struct listed		*rows;		/* owned */
	size_t			 n, room;
	double			 noise;		/* NaN: not known */
};

enum listing_form
listing_form(const struct cli *cli)
{
	return cli->ndjson ? LISTING_NDJSON : cli->json ? LISTING_JSON :
	    cli->brief ? LISTING_BRIEF : LISTING_TABLE;
}

enum status
listing_new(struct listing **out, enum listing_form form, unsigned how, struct fault *why)
{
	struct listing	*l = calloc(1, sizeof *l);

	*out = NULL;
	if (l == NULL)
		return fault_set(why, ST_NOMEM, "listing");
	l->form = form;
	l->how = how;
	l->noise = NAN;
	if (form == LISTING_CSV)
		csv_put_heading(stdout, (how & LISTING_CORES) != 0);
	*out = l;
	return ST_OK;
}

void
listing_free(struct listing *l)
{
	if (l == NULL)
		return;
	for (size_t i = 0; i < l->n; i++) {
		row_release(&l->rows[i].r);
		json_decref(l->rows[i].document);
	}
	free(l->rows);
	free(l);
}

void
listing_set_noise(struct listing *l, double noise)
{
	l->noise = noise;
}

bool
listing_has_cells(const struct listing *l)
{
	for (size_t i = 1; i < l->n; i++)
		if (strcmp(l->rows[i].r.problem, l->rows[0].r.problem) != 0)
			return (l->how & LISTING_CELLS) != 0;
	return false;
}

size_t
listing_count(const struct listing *l)
{
	return l->n;
}

static bool
grow(struct listing *l)
{
	size_t		 room = 2 * l->room + FIRST_ROWS;
	struct listed	*more;

	if (l->n < l->room)
		return true;
	if ((more = realloc(l->rows, room * sizeof *more)) == NULL)
		return false;
	l->rows = more;
	l->room = room;
	return true;
}

enum status
listing_add(struct listing *l, const json_t *document, const struct result *r, struct fault *why)
{
	struct listed	*row;

	if (!grow(l) || !row_init(&(row = &l->rows[l->n])->r, r))
		return fault_set(why, ST_NOMEM, "listing");
	l->n++;
	row->document = l->form == LISTING_JSON ? json_incref((json_t *)(uintptr_t)document) : NULL;
	if (l->form == LISTING_NDJSON)
		return output_line(document, why);
	if (l->form == LISTING_BRIEF)
		brief_put_row(stdout, &row->r);
	if (l->form == LISTING_CSV)
		csv_put_result(stdout, r, (l->how & LISTING_CORES) != 0);
	return ST_OK;
}

enum status
listing_add_all(struct listing *l, const json_t *documents, struct fault *why)
{
	struct results	r;
	enum status	st;

	if ((st = results_read(&r, documents, why)) != ST_OK)
		return st;
	for (size_t i = 0; st == ST_OK && i < r.n; i++)
		st = listing_add(l, json_array_get(documents, i), &r.at[i], why);
	results_release(&r);
	return st;
}

/* ---- the table ---- */

static const struct table_column columns[NCELLS + 1] = {
	{ "job", true }, { "sweep", false }, { "name", false }, { "point", false },
	{ "status", false }, { "time", true }, { "min", true }, { "median", true },
	{ "spread", true }, { "MFLOPS", true }, { "GB/s", true }, { "speed-up", true },
	{ "", false }, { NULL, false },
};

/* Columns that depend on all rows. */
struct look {
	bool		 sweep;		/* they are not all of one sweep */
	bool		 mflops;	/* one row has them, so GB/s are left out */
	bool		 is_ranked;	/* the time that ranks is shown, too */
	bool		 is_brief;	/* of the times only the one that ranks */
	bool		 has_base;	/* there are speed-ups */
	const struct row *base;		/* borrowed; of speed-ups: the first row of its cell */
	struct ranking	 ranking;
};

static struct look
look_of(const struct listing *l, const struct row *const *rows)
{
	struct look	look = { .is_ranked = (l->how & LISTING_RANKED) != 0 };

	for (size_t i = 0; i < l->n; i++) {
		look.sweep = look.sweep || strcmp(l->rows[i].r.sweep, l->rows[0].r.sweep) != 0;
		look.mflops = look.mflops || isfinite(l->rows[i].r.mflops);
	}
	look.is_brief = look.is_ranked && listing_has_cells(l);
	look.has_base = (l->how & LISTING_SPEEDUP) != 0;
	ranking_init(&look.ranking, rows, l->n);
	return look;
}

/* An empty cell instead of "-" where there is no number. */
static const char *
unless_nan(double x, char *(*format)(double, char *), char *buf)
{
	return isnan(x) ? "" : format(x, buf);
}

/* A user's `meta` may be of any length; --json has it whole. */
static const char *
shortened(const char *text, char buf[POINT_BYTES])
{
	char		*shown = format_shown(text);
	const char	*rest = "";
	size_t		 n;

	if (shown == NULL)
		return "";
	n = strlen(shown);
	if (format_width(shown) > POINT_COLUMNS) {
		n = format_cut(shown, POINT_COLUMNS - 3);
		rest = "...";
	}
	(void)snprintf(buf, POINT_BYTES, "%.*s%s",
	    (int)(n < POINT_BYTES - 4 ? n : POINT_BYTES - 4), shown, rest);
	free(shown);
	return buf;
}

static enum status
add_row(struct table *t, const struct row *r, const struct look *look, struct fault *why)
{
	char		 buf[NCELLS][FORMAT_BYTES];
	const char	*cells[NCELLS] = { NULL };
	char		 point[POINT_BYTES];

	(void)snprintf(buf[0], sizeof buf[0], "%" PRId64, r->job);
	cells[0] = buf[0];
	cells[1] = look->sweep ? r->sweep : "";
	cells[2] = r->name;
	cells[3] = shortened(r->point, point);
	cells[4] = r->word;
	cells[5] = look->is_ranked ? unless_nan(ranking_taken_ns(&look->ranking, r),
	    format_duration_ns, buf[5]) : "";
	cells[6] = look->is_brief ? "" : unless_nan(r->min_ns, format_duration_ns, buf[6]);
	cells[7] = look->is_brief ? "" : unless_nan(r->median_ns, format_duration_ns, buf[7]);
	cells[8] = unless_nan(r->cv, format_percent, buf[8]);
	cells[9] = unless_nan(r->mflops, format_number, buf[9]);
	cells[10] = look->mflops ? "" : unless_nan(r->gbs, format_number, buf[10]);
	cells[11] = !look->has_base ? "" : unless_nan(ranking_speedup(&look->ranking, look->base,
	    r), format_ratio, buf[11]);
	cells[12] = r->note;
	return table_add(t, cells, why);
}

/* The listing's first row of the same cell; `bases` remembers where it is. */
static const struct row *
base_of(json_t *bases, const struct listing *l, const struct row *r)
{
	const json_t	*known = json_object_get(bases, r->problem);
	size_t		 i = 0;

	if (known != NULL)
		return &l->rows[json_integer_value(known)].r;
	while (strcmp(l->rows[i].r.problem, r->problem) != 0)
		i++;
	(void)json_object_set_new(bases, r->problem, json_integer((json_int_t)i));
	return &l->rows[i].r;
}

static enum status
print_rows(const struct listing *l, const struct row *const *rows, struct fault *why)
{
	struct look	 look = look_of(l, rows);
	json_t		*bases = json_object();
	struct table	*t;
	enum status	 st = table_new(&t, columns, why);

	for (size_t i = 0; st == ST_OK && i < l->n; i++) {
		look.base = base_of(bases, l, rows[i]);
		st = add_row(t, rows[i], &look, why);
	}
	json_decref(bases);
	if (st == ST_OK)
		table_print(t, stdout, output_columns());
	table_free(t);
	return st;
}

/* In the order of the table; owned.  NULL: no memory. */
static const struct row **
ordered_rows(const struct listing *l, struct fault *why)
{
	const struct row	**rows = calloc(l->n + 1, sizeof *rows);

	if (rows == NULL) {
		(void)fault_set(why, ST_NOMEM, "listing");
		return NULL;
	}
	for (size_t i = 0; i < l->n; i++)
		rows[i] = &l->rows[i].r;
	if ((l->how & LISTING_RANKED) != 0 && !listing_has_cells(l))
		ranking_sort(rows, l->n);
	return rows;
}

/* The rows of all cells, or one line a cell if that has all that there is to say. */
static enum status
print_cells(const struct listing *l, const struct row *const *rows, struct fault *why)
{
	const size_t	wide = output_columns();
	struct cells	c;
	enum status	st;

	if ((st = cells_init(&c, rows, l->n, why)) != ST_OK)
		return st;
	if (!cells_print_matrix(&c, stdout, wide, l->noise)) {
		if ((st = print_rows(l, c.rows, why)) == ST_OK) {
			(void)fputc('\n', stdout);
			cells_print_winners(&c, stdout, wide, l->noise);
		}
	}
	(void)fputc('\n', stdout);
	cells_print_words(&c, stdout, wide, l->noise);
	cells_release(&c);
	return st;
}

static enum status
print_table(const struct listing *l, struct fault *why)
{
	const struct row	**rows = ordered_rows(l, why);
	enum status		  st;

	if (rows == NULL)
		return ST_NOMEM;
	st = listing_has_cells(l) ? print_cells(l, rows, why) : print_rows(l, rows, why);
	free(rows);
	return st;
}

enum status
listing_rank(const struct listing *l, const struct row ***rows, struct ranking *ranking,
    struct fault *why)
{
	if ((*rows = ordered_rows(l, why)) == NULL)
		return ST_NOMEM;
	ranking_init(ranking, *rows, l->n);
	return ST_OK;
}

/* ---- the end ---- */

static int
compare_jobs(const void *a, const void *b)
{
	const struct listed	*x = a, *y = b;

	return (x->r.job > y->r.job) - (x->r.job < y->r.job);
}

/* Cells, and who wins them, beside the results; NULL: there is one cell, or no memory. */
static json_t *
cells_of(const struct listing *l)
{
	const struct row	**rows = listing_has_cells(l) ? ordered_rows(l, NULL) : NULL;
	json_t			*o = NULL;
	struct cells		 c;

	if (rows != NULL && cells_init(&c, rows, l->n, NULL) == ST_OK) {
		o = cells_json(&c, l->noise);
		cells_release(&c);
	}
	free(rows);
	return o;
}

static enum status
print_document(const struct listing *l, json_t *more, struct fault *why)
{
	json_t		*results = json_array(), *doc, *cells = cells_of(l);
	enum status	 st;

	for (size_t i = 0; i < l->n; i++)
		(void)json_array_append(results, l->rows[i].document);
	doc = json_pack("{s:o}", "results", results);
	(void)json_object_update(doc, cells);
	(void)json_object_update(doc, more);
	json_decref(cells);
	st = output_document(doc, why);
	json_decref(doc);
	return st;
}

enum status
listing_end(struct listing *l, json_t *more, struct fault *why)
{
	enum status	st = ST_OK;

	if ((l->how & LISTING_BY_JOB) != 0 && l->n > 0)
		qsort(l->rows, l->n, sizeof *l->rows, compare_jobs);
	if (l->form == LISTING_JSON)
		st = print_document(l, more, why);
	else if (l->form == LISTING_TABLE && (l->how & LISTING_SILENT) == 0)
		st = print_table(l, why);
	json_decref(more);
	return st;
}

void
listing_put_summary(const struct listing *l, char *buf, size_t bytes)
{
	size_t	count[ST_N] = { 0 }, raced = 0, used;
	bool	first = true;

	for (size_t i = 0; i < l->n; i++)
		count[l->rows[i].r.status]++;
	for (size_t i = 0; i < l->n; i++)
		raced += l->rows[i].r.raced;
	used = (size_t)snprintf(buf, bytes, "%zu job%s", l->n, l->n == 1 ? "" : "s");
	for (unsigned st = 0; st < ST_N; st++) {
		if (count[st] == 0 || used >= bytes)
			continue;
		used += (size_t)snprintf(buf + used, bytes - used, "%s %zu %s",
		    first ? ":" : ",", count[st], status_word(st));
		first = false;
	}
	if (raced > 0 && used < bytes)
		(void)snprintf(buf + used, bytes - used, "; %zu given up", raced);
}

int
listing_exit_code(const struct listing *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->rows[i].r.status != ST_OK)
			return status_exit_code(l->rows[i].r.status);
	return 0;
}
