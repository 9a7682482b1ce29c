/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/format.h"
#include "client/print/results/cells_table.h"
#include "client/print/results/entry.h"
#include "client/print/table.h"

enum { LABEL_BYTES = 64, WINNER_BYTES = 128, MOST_TIES = 2, MOST_NAMES = 8, MOST_KEYS = 8 };

/* ---- words of a cell ---- */

static const char *
put_label(const struct row *r, char buf[LABEL_BYTES])
{
	char	*name = cells_variant(r);

	(void)snprintf(buf, LABEL_BYTES, "%s", name != NULL ? name : "");
	free(name);
	return buf;
}

static const char *
put_key(const struct cell *c, const char *key, char buf[LABEL_BYTES])
{
	const json_t	*value = json_object_get(c->first->cell, key);
	char		*plain = value != NULL ? row_plain_value(value) : NULL;

	(void)snprintf(buf, LABEL_BYTES, "%s", plain != NULL ? plain : "");
	free(plain);
	return buf;
}

/* "b", "b or c", "b or c or 3 more", "none" */
static const char *
put_winner(const struct cell *c, double noise, char buf[WINNER_BYTES])
{
	const size_t	ties = cells_ties(c, noise);
	char		label[LABEL_BYTES];
	size_t		used, shown = 0;

	if (c->ok == 0)
		return "none";
	used = (size_t)snprintf(buf, WINNER_BYTES, "%s", put_label(c->rows[0], label));
	for (size_t i = 1; i < c->ok && shown < MOST_TIES && used < WINNER_BYTES; i++) {
		if (!ranking_is_tied(&c->ranking, i, noise))
			continue;
		used += (size_t)snprintf(buf + used, WINNER_BYTES - used, " or %s",
		    put_label(c->rows[i], label));
		shown++;
	}
	if (ties > shown && used < WINNER_BYTES)
		(void)snprintf(buf + used, WINNER_BYTES - used, " or %zu more", ties - shown);
	return buf;
}

/* Of the fastest over the cell's first job; "": they are one, or cannot be told apart. */
static const char *
put_speedup(const struct cell *c, double noise, char *buf)
{
	for (size_t i = 1; i < c->ok; i++)
		if (c->rows[i] == c->first && !ranking_is_tied(&c->ranking, i, noise))
			return format_ratio(ranking_speedup(&c->ranking, c->first, c->rows[0]),
			    buf);
	return "";
}

static const char *
put_time(const struct cell *c, const struct row *r, char *buf)
{
	if (r == NULL)
		return "";
	if (r->raced)
		return "given up";
	if (r->quick)
		return "quick";
	return r->status == ST_OK ? format_duration_ns(ranking_taken_ns(&c->ranking, r), buf) :
	    r->word;
}

/* ---- tables ---- */

struct lines {
	struct table_column	 columns[TABLE_MAX_COLUMNS + 1];
	const char		*cells[TABLE_MAX_COLUMNS];
	char			 key[MOST_KEYS][LABEL_BYTES], winner[WINNER_BYTES];
	char			 number[TABLE_MAX_COLUMNS][FORMAT_BYTES];
	size_t			 n;
};

static void
add_column(struct lines *l, const char *heading, bool right)
{
	l->columns[l->n++] = (struct table_column){ heading, right };
}

static void
add_cell(struct lines *l, const char *text)
{
	l->cells[l->n++] = text;
}

/* A column of numbers alone stands to the right. */
static bool
is_number(const struct cells *c, const char *key)
{
	for (size_t i = 0; i < c->n; i++)
		if (!json_is_number(json_object_get(c->at[i].first->cell, key)))
			return false;
	return true;
}

static size_t
shown_keys(const struct cells *c)
{
	return c->nkeys < MOST_KEYS ? c->nkeys : MOST_KEYS;
}

static void
add_key_columns(struct lines *l, const struct cells *c)
{
	for (size_t i = 0; i < shown_keys(c); i++)
		add_column(l, c->keys[i], is_number(c, c->keys[i]));
	if (c->nkeys == 0)
		add_column(l, "cell", true);
}

static void
add_winner_columns(struct lines *l)
{
	add_column(l, "fastest", false);
	add_column(l, "speed-up", true);
}

/* Cells without keys differ in other members of their specs: they are numbered. */
static void
begin_line(struct lines *l, const struct cells *c, size_t cell)
{
	l->n = 0;
	for (size_t i = 0; i < shown_keys(c); i++)
		add_cell(l, put_key(&c->at[cell], c->keys[i], l->key[i]));
	if (c->nkeys == 0) {
		(void)snprintf(l->key[0], LABEL_BYTES, "%zu", cell + 1);
		add_cell(l, l->key[0]);
	}
}

static bool
end_line(struct lines *l, const struct cell *c, struct table *t, double noise)
{
	add_cell(l, put_winner(c, noise, l->winner));
	add_cell(l, put_speedup(c, noise, l->number[l->n]));
	return table_add(t, l->cells, NULL) == ST_OK;
}

/* The result of each variant in a cell; false: one has two. */
static bool
find_rows(const struct cells *c, const struct cell *cell, const struct row *found[])
{
	char	label[LABEL_BYTES];

	for (size_t v = 0; v < c->nvariants; v++)
		found[v] = NULL;
	for (size_t i = 0; i < cell->n; i++) {
		size_t	v = 0;

		(void)put_label(cell->rows[i], label);
		while (v < c->nvariants && strncmp(c->variants[v], label, LABEL_BYTES - 1) != 0)
			v++;
		if (v == c->nvariants || found[v] != NULL)
			return false;
		found[v] = cell->rows[i];
	}
	return true;
}

static bool
add_matrix_line(struct lines *l, const struct cells *c, size_t cell, struct table *t, double noise)
{
	const struct row	*found[TABLE_MAX_COLUMNS];

	begin_line(l, c, cell);
	if (!find_rows(c, &c->at[cell], found))
		return false;
	for (size_t v = 0; v < c->nvariants; v++)
		add_cell(l, put_time(&c->at[cell], found[v], l->number[l->n]));
	return c->nvariants > 1 ? end_line(l, &c->at[cell], t, noise) :
	    table_add(t, l->cells, NULL) == ST_OK;
}

static bool
fill_matrix(struct lines *l, const struct cells *c, struct table *t, double noise)
{
	for (size_t i = 0; i < c->n; i++)
		if (!add_matrix_line(l, c, i, t, noise))
			return false;
	return true;
}

bool
cells_print_matrix(const struct cells *c, FILE *to, size_t columns, double noise)
{
	struct lines	 l = { .n = 0 };
	struct table	*t;
	bool		 fits;

	if (c->nkeys > MOST_KEYS || c->nkeys + c->nvariants + 3 > TABLE_MAX_COLUMNS)
		return false;
	add_key_columns(&l, c);
	for (size_t v = 0; v < c->nvariants; v++)
		add_column(&l, c->variants[v], true);
	if (c->nvariants > 1)
		add_winner_columns(&l);
	if (table_new(&t, l.columns, NULL) != ST_OK)
		return false;
	fits = fill_matrix(&l, c, t, noise) && (columns == 0 || table_width(t) <= columns);
	if (fits)
		table_print(t, to, columns);
	table_free(t);
	return fits;
}

void
cells_print_winners(const struct cells *c, FILE *to, size_t columns, double noise)
{
	struct lines	 l = { .n = 0 };
	struct table	*t;

	add_key_columns(&l, c);
	add_column(&l, "time", true);
	add_winner_columns(&l);
	if (table_new(&t, l.columns, NULL) != ST_OK)
		return;
	for (size_t i = 0; i < c->n; i++) {
		const struct cell	*cell = &c->at[i];

		begin_line(&l, c, i);
		add_cell(&l, cell->ok > 0 ? put_time(cell, cell->rows[0], l.number[l.n]) : "");
		(void)end_line(&l, cell, t, noise);
	}
	table_print(t, to, columns);
	table_free(t);
}

/* ---- sentences ---- */

/* Cells in which the variant is alone the fastest; NULL: in which several may be. */
static size_t
count_wins(const struct cells *c, const char *variant, double noise)
{
	char	label[LABEL_BYTES];
	size_t	n = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct cell	*cell = &c->at[i];

		if (cell->ok == 0 || (cells_ties(cell, noise) > 0) != (variant == NULL))
			continue;
		n += variant == NULL || strncmp(put_label(cell->rows[0], label), variant,
		    LABEL_BYTES - 1) == 0;
	}
	return n;
}

static void
put_wins(const struct cells *c, const struct page *p, double noise)
{
	const size_t	open = count_wins(c, NULL, noise);
	struct entry	e;
	size_t		shown = 0;
	char		buf[FORMAT_BYTES];

	entry_begin(&e, p, "");
	for (size_t v = 0; v < c->nvariants && c->nvariants > 1; v++) {
		const size_t	wins = count_wins(c, c->variants[v], noise);

		if (wins > 0 && shown++ < MOST_NAMES)
			entry_clause(&e, shown == 1 ? "%s is fastest in %zu of %zu cells" :
			    "%s in %zu", c->variants[v], wins, c->n);
	}
	if (open > 0 && c->nvariants > 1)
		entry_clause(&e, "%s %zu of %zu the fastest cannot be told apart by these times",
		    e.used > 0 ? "in" : "In", open, c->n);
	if (e.used > 0)
		entry_append(&e, ".");
	if (!isnan(noise))
		entry_append(&e, " On this host today, differences below %s mean nothing.",
		    format_percent(noise, buf));
	entry_end(&e);
}

/* The names of the variants that have each note. */
static json_t *
collect_notes(const struct cells *c)
{
	json_t	*notes = json_object(), *names;
	char	 label[LABEL_BYTES];

	for (size_t i = 0; i < c->n; i++) {
		for (size_t k = 0; k < c->at[i].n; k++) {
			const struct row	*r = c->at[i].rows[k];

			if (r->note[0] == '\0')
				continue;
			if (json_object_get(notes, r->note) == NULL)
				(void)json_object_set_new(notes, r->note, json_object());
			names = json_object_get(notes, r->note);
			(void)json_object_set_new(names, put_label(r, label), json_true());
		}
	}
	return notes;
}

static void
put_note(const struct cells *c, const struct page *p, const char *note, const json_t *names)
{
	struct entry	e;
	char		label[LABEL_BYTES];
	size_t		shown = 0;

	entry_begin(&e, p, "");
	for (size_t v = 0; v < c->nvariants && shown < MOST_NAMES; v++) {
		(void)snprintf(label, sizeof label, "%s", c->variants[v]);
		if (json_object_get(names, label) == NULL)
			continue;
		entry_add(&e, "%s", label);
		shown++;
	}
	if (json_object_size(names) > shown)
		entry_append(&e, " and %zu more", json_object_size(names) - shown);
	entry_append(&e, ": %s.", note);
	entry_end(&e);
}

static void
put_notes(const struct cells *c, const struct page *p)
{
	json_t		*notes = collect_notes(c), *names;
	const char	*note;
	size_t		 shown = 0;

	json_object_foreach(notes, note, names)
		if (shown++ < MOST_NAMES)
			put_note(c, p, note, names);
	json_decref(notes);
}

void
cells_print_words(const struct cells *c, FILE *to, size_t columns, double noise)
{
	struct page	page;

	page_init(&page, to, columns, 0, 0);
	put_notes(c, &page);
	put_wins(c, &page, noise);
}
