/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/results/cells.h"

/* ---- variants ---- */

/* Takes " KEY=VALUE" out of the text, where it is followed by a blank or the end. */
static void
drop_pair(char *text, const char *name, const json_t *value)
{
	char	*plain = row_plain_value(value), *pair = NULL, *at;
	int	 n = plain != NULL ? asprintf(&pair, " %s=%s", name, plain) : -1;

	free(plain);
	if (n < 0)
		return;
	if ((at = strstr(text, pair)) != NULL && (at[n] == ' ' || at[n] == '\0'))
		memmove(at, at + n, strlen(at + n) + 1);
	free(pair);
}

char *
cells_variant(const struct row *r)
{
	char		*text = strdup(r->name[0] != '\0' ? r->name : "(no name)");
	const char	*name;
	json_t		*value;

	if (text == NULL)
		return NULL;
	json_object_foreach(r->cell, name, value)
		drop_pair(text, name, value);
	return text;
}

/* The number of a name in `known`, which gets it if it is new. */
static size_t
number_of(json_t *known, const char *name)
{
	const json_t	*number = json_object_get(known, name);
	const size_t	 n = json_object_size(known);

	if (number != NULL)
		return (size_t)json_integer_value(number);
	(void)json_object_set_new(known, name, json_integer((json_int_t)n));
	return n;
}

static bool
list_variants(struct cells *c, const struct row *const *rows, size_t n, json_t *known)
{
	if ((c->variants = calloc(n + 1, sizeof *c->variants)) == NULL)
		return false;
	for (size_t i = 0; i < n; i++) {
		char	*name = cells_variant(rows[i]);

		if (name == NULL)
			return false;
		if (number_of(known, name) == c->nvariants)
			c->variants[c->nvariants++] = name;
		else
			free(name);
	}
	return true;
}

/* ---- cells ---- */

/* Sets n of each cell, and where its rows are to be. */
static void
count_rows(struct cells *c, const size_t *cell, size_t n)
{
	size_t	at = 0;

	for (size_t i = 0; i < n; i++)
		c->at[cell[i]].n++;
	for (size_t i = 0; i < c->n; i++) {
		c->at[i].rows = c->rows + at;
		at += c->at[i].n;
		c->at[i].n = 0;
	}
}

static void
rank_rows(struct cell *c)
{
	c->first = c->rows[0];
	ranking_sort(c->rows, c->n);
	ranking_init(&c->ranking, c->rows, c->n);
	while (c->ok < c->n && row_is_ranked(c->rows[c->ok]))
		c->ok++;
}

static bool
fill_cells(struct cells *c, const struct row *const *rows, size_t n, size_t *cell, json_t *known)
{
	for (size_t i = 0; i < n; i++)
		cell[i] = number_of(known, rows[i]->problem);
	c->n = json_object_size(known);
	c->at = calloc(c->n + 1, sizeof *c->at);
	c->rows = calloc(n + 1, sizeof *c->rows);
	if (c->at == NULL || c->rows == NULL)
		return false;
	count_rows(c, cell, n);
	for (size_t i = 0; i < n; i++)
		c->at[cell[i]].rows[c->at[cell[i]].n++] = rows[i];
	for (size_t i = 0; i < c->n; i++)
		rank_rows(&c->at[i]);
	return true;
}

/* ---- keys ---- */

static bool
is_key(const struct cells *c, const char *name)
{
	const json_t	*one = json_object_get(c->at[0].first->cell, name), *other;

	for (size_t i = 1; i < c->n; i++) {
		other = json_object_get(c->at[i].first->cell, name);
		if ((one != NULL) != (other != NULL) || (one != NULL && !json_equal(one, other)))
			return true;
	}
	return false;
}

static bool
find_keys(struct cells *c, json_t *names)
{
	const char	*name;
	json_t		*value;

	for (size_t i = 0; i < c->n; i++)
		(void)json_object_update(names, c->at[i].first->cell);
	if ((c->keys = calloc(json_object_size(names) + 1, sizeof *c->keys)) == NULL)
		return false;
	for (size_t i = 0; i < c->n; i++)
		json_object_foreach(c->at[i].first->cell, name, value)
			if (json_object_del(names, name) == 0 && is_key(c, name))
				c->keys[c->nkeys++] = name;
	return true;
}

/* ---- the whole ---- */

enum status
cells_init(struct cells *c, const struct row *const *rows, size_t n, struct fault *why)
{
	json_t	*variants = json_object(), *problems = json_object(), *names = json_object();
	size_t	*cell = calloc(n + 1, sizeof *cell);
	bool	 ok = variants != NULL && problems != NULL && names != NULL && cell != NULL;

	*c = (struct cells){ .at = NULL };
	ok = ok && list_variants(c, rows, n, variants) &&
	    fill_cells(c, rows, n, cell, problems) && find_keys(c, names);
	json_decref(variants);
	json_decref(problems);
	json_decref(names);
	free(cell);
	if (ok)
		return ST_OK;
	cells_release(c);
	return fault_set(why, ST_NOMEM, "cells");
}

void
cells_release(struct cells *c)
{
	for (size_t i = 0; i < c->nvariants; i++)
		free(c->variants[i]);
	free(c->variants);
	free(c->keys);
	free(c->rows);
	free(c->at);
	*c = (struct cells){ .at = NULL };
}

size_t
cells_ties(const struct cell *c, double noise)
{
	size_t	n = 0;

	for (size_t i = 1; i < c->ok; i++)
		n += ranking_is_tied(&c->ranking, i, noise);
	return n;
}

/* ---- as JSON ---- */

static json_t *
keys_of(const struct cells *c, const struct cell *cell)
{
	json_t	*o = json_object(), *value;

	for (size_t i = 0; i < c->nkeys; i++)
		if ((value = json_object_get(cell->first->cell, c->keys[i])) != NULL)
			(void)json_object_set(o, c->keys[i], value);
	return o;
}

static json_t *
cell_json(const struct cells *c, const struct cell *cell, double noise)
{
	json_t	*jobs = json_array(), *tied = json_array();

	for (size_t i = 0; i < cell->n; i++) {
		(void)json_array_append_new(jobs, json_integer((json_int_t)cell->rows[i]->job));
		if (i > 0 && i < cell->ok && ranking_is_tied(&cell->ranking, i, noise))
			(void)json_array_append_new(tied,
			    json_integer((json_int_t)cell->rows[i]->job));
	}
	return json_pack("{s:o, s:o, s:o, s:o}", "cell", keys_of(c, cell), "jobs", jobs, "fastest",
	    cell->ok > 0 ? json_integer((json_int_t)cell->rows[0]->job) : json_null(), "tied",
	    tied);
}

json_t *
cells_json(const struct cells *c, double noise)
{
	json_t	*cells = json_array(), *keys = json_array(), *variants = json_array();

	for (size_t i = 0; i < c->n; i++)
		(void)json_array_append_new(cells, cell_json(c, &c->at[i], noise));
	for (size_t i = 0; i < c->nkeys; i++)
		(void)json_array_append_new(keys, json_string(c->keys[i]));
	for (size_t i = 0; i < c->nvariants; i++)
		(void)json_array_append_new(variants, json_string(c->variants[i]));
	return json_pack("{s:o, s:{s:o, s:o}}", "cells", cells, "axes", "cells", keys, "variants",
	    variants);
}
