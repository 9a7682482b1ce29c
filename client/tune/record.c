/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/member.h"
#include "client/tune/record.h"

enum status
record_init(struct record *r, const struct field *f, const struct point *p, struct fault *why)
{
	*r = (struct record){ .point = *p, .value = INFINITY };
	if ((r->cell = calloc(f->ncells, sizeof *r->cell)) == NULL)
		return fault_set(why, ST_NOMEM, "times");
	for (size_t c = 0; c < f->ncells; c++)
		r->cell[c].ns = r->cell[c].low_ns = r->cell[c].high_ns = NAN;
	return ST_OK;
}

void
record_release(struct record *r)
{
	free(r->cell);
	r->cell = NULL;
}

bool
record_is_timed(const struct record *r, const struct field *f)
{
	for (size_t c = 0; c < f->ncells; c++)
		if (r->cell[c].state != CELL_TIMED && r->cell[c].state != CELL_ABSENT)
			return false;
	return isfinite(r->value);
}

bool
record_is_bound(const struct record *r, const struct field *f)
{
	for (size_t c = 0; c < f->ncells; c++)
		if (r->cell[c].state == CELL_BOUND)
			return true;
	return false;
}

/* ---- JSON ---- */

static void
put_number(json_t *o, const char *name, double x)
{
	if (isfinite(x))
		(void)json_object_set_new(o, name, json_real(x));
}

static json_t *
cell_json(const struct cell_time *c, size_t number)
{
	json_t	*o = json_pack("{s:i, s:s}", "cell", (int)number, "status",
		    c->state == CELL_BOUND ? "stopped" : c->outcome);

	put_number(o, c->state == CELL_BOUND ? "look_ns" : "time_ns", c->ns);
	if (c->state == CELL_BOUND)
		put_number(o, "bound_ns", c->low_ns);
	else if (isfinite(c->low_ns) && isfinite(c->high_ns))
		(void)json_object_set_new(o, "ci95_ns", json_pack("[f, f]", c->low_ns,
		    c->high_ns));
	if (c->job != 0)
		(void)json_object_set_new(o, "job", json_integer((json_int_t)c->job));
	if (c->code_bytes > 0)
		(void)json_object_set_new(o, "code_bytes",
		    json_integer((json_int_t)c->code_bytes));
	if (c->note[0] != '\0')
		(void)json_object_set_new(o, "note", json_string(c->note));
	return o;
}

uint64_t
record_code_bytes(const struct record *r, const struct field *f)
{
	uint64_t	most = 0;

	for (size_t c = 0; c < f->ncells; c++) {
		if (r->cell[c].state == CELL_ABSENT)
			continue;
		if (r->cell[c].code_bytes == 0)
			return 0;
		most = r->cell[c].code_bytes > most ? r->cell[c].code_bytes : most;
	}
	return most;
}

json_t *
record_json(const struct record *r, const struct field *f)
{
	json_t	*cells = json_array(), *o;

	for (size_t c = 0; c < f->ncells; c++)
		if (r->cell[c].state != CELL_ABSENT)
			(void)json_array_append_new(cells, cell_json(&r->cell[c], c));
	o = json_pack("{s:o, s:i, s:o}", "point", field_values(f, &r->point), "phase",
	    (int)r->phase, "cells", cells);
	put_number(o, "value", r->value);
	put_number(o, "at_s", r->at_s);
	return o;
}

static double
number_in(const json_t *array, size_t at)
{
	const json_t	*n = json_array_get(array, at);

	return json_is_number(n) ? json_number_value(n) : NAN;
}

static bool
is_time(double x)
{
	return isfinite(x) && x >= 0;
}

static void
read_cell(struct cell_time *c, const json_t *o)
{
	const char	*word = member_text(o, "status");
	const json_t	*ci = json_object_get(o, "ci95_ns");

	c->state = CELL_FAILED;
	c->ns = member_number(o, "time_ns");
	c->low_ns = number_in(ci, 0);
	c->high_ns = number_in(ci, 1);
	c->job = json_integer_value(json_object_get(o, "job"));
	c->code_bytes = (uint64_t)json_integer_value(json_object_get(o, "code_bytes"));
	(void)snprintf(c->outcome, sizeof c->outcome, "%s", word);
	(void)snprintf(c->note, sizeof c->note, "%s", member_text(o, "note"));
	if (strcmp(word, "stopped") == 0) {
		c->ns = member_number(o, "look_ns");
		c->low_ns = member_number(o, "bound_ns");
		c->state = is_time(c->low_ns) && is_time(c->ns) ? CELL_BOUND : CELL_FAILED;
	} else if (strcmp(word, "ok") == 0 && is_time(c->ns)) {
		c->state = CELL_TIMED;
	}
}

enum status
record_read(struct record *r, const struct field *f, const json_t *o, struct fault *why)
{
	const json_t	*item;
	struct point	 p = { .at = { 0 } };
	enum status	 st;
	size_t		 i;

	if (!field_find(f, json_object_get(o, "point"), &p) || !grid_admits(&f->grid, &p))
		return fault_at(why, ST_BAD_SPEC, "point", "is none of this space");
	if ((st = record_init(r, f, &p, why)) != ST_OK)
		return st;
	json_array_foreach(json_object_get(o, "cells"), i, item) {
		json_int_t	cell = json_integer_value(json_object_get(item, "cell"));

		if (cell >= 0 && (size_t)cell < f->ncells)
			read_cell(&r->cell[cell], item);
	}
	r->phase = (unsigned)json_integer_value(json_object_get(o, "phase"));
	r->at_s = member_number(o, "at_s");
	r->value = member_number(o, "value");
	if (!is_time(r->value))
		r->value = INFINITY;
	return ST_OK;
}

/* ---- the ledger ---- */

enum status
ledger_add(struct ledger *l, struct record *r, const struct field *f, struct fault *why)
{
	const size_t	 room = l->room > 0 ? 2 * l->room : 64;
	struct record	*more;

	if (l->n == l->room) {
		if ((more = realloc(l->at, room * sizeof *more)) == NULL) {
			record_release(r);
			return fault_set(why, ST_NOMEM, "times");
		}
		l->at = more;
		l->room = room;
	}
	if (record_is_timed(r, f) && (l->best >= l->n || r->value < l->at[l->best].value))
		l->best = l->n;
	else if (l->best >= l->n)
		l->best = l->n + 1;		/* still none */
	l->at[l->n++] = *r;
	return ST_OK;
}

void
ledger_release(struct ledger *l)
{
	for (size_t i = 0; i < l->n; i++)
		record_release(&l->at[i]);
	free(l->at);
	*l = (struct ledger){ .at = NULL };
}

const struct record *
ledger_best(const struct ledger *l)
{
	return l->best < l->n ? &l->at[l->best] : NULL;
}

/* What ranks a record; INFINITY: it has no place. */
static double
standing(const struct record *r, const struct field *f, size_t cell)
{
	if (cell == f->ncells)
		return record_is_timed(r, f) ? r->value : INFINITY;
	return r->cell[cell].state == CELL_TIMED ? r->cell[cell].ns : INFINITY;
}

static bool
is_before(const struct ledger *l, const struct field *f, size_t cell, size_t a, size_t b)
{
	const double	x = standing(&l->at[a], f, cell), y = standing(&l->at[b], f, cell);

	return x < y || (x == y && a < b);
}

size_t
ledger_rank(const struct ledger *l, const struct field *f, size_t cell, size_t k)
{
	size_t	last = l->n;

	for (size_t round = 0; round <= k; round++) {
		size_t	next = l->n;

		for (size_t i = 0; i < l->n; i++)
			if (isfinite(standing(&l->at[i], f, cell)) &&
			    (last == l->n || is_before(l, f, cell, last, i)) &&
			    (next == l->n || is_before(l, f, cell, i, next)))
				next = i;
		if (next == l->n)
			return l->n;
		last = next;
	}
	return last;
}
