/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of <loop_info>: loops of C and OpenMP's clauses. */
#include <string.h>

#include "client/micro/read/fill.h"
#include "proto/base/name.h"

enum status
open_loop(struct reading *r, struct open *o, struct fault *why)
{
	struct loop	*l = arena_take(r->micro->arena, sizeof *l);

	(void)why;
	l->at = o->at;
	((struct kernel *)o->parent->object)->loop = l;
	return ST_OK;
}

static struct loop *
loop_around(const struct open *o)
{
	while (o->node->id != NODE_KERNEL)
		o = o->parent;
	return ((struct kernel *)o->object)->loop;
}

/* ---- <count_iteration> ---- */

enum status
open_count(struct reading *r, struct open *o, struct fault *why)
{
	struct loop	*l = loop_around(o);

	(void)why;
	l->counts = arena_grow(r->micro->arena, l->counts, l->ncounts, sizeof *l->counts);
	l->counts[l->ncounts] = (struct count){ .at = o->at, .increment = 1 };
	o->object = &l->counts[l->ncounts++];
	return ST_OK;
}

enum status
close_count(struct reading *r, struct open *o, struct fault *why)
{
	struct count	*c = o->object;

	if (c->variable == NULL)
		return miss(r, o, "induction", why);
	if (!c->has_max && c->max_variable == NULL)
		c->max_variable = "n";
	if (c->has_max && c->min_variable == NULL && c->min >= c->max)
		return refuse(r, o, why, "it ends at %lld, where it begins or before",
		    (long long)c->max);
	return ST_OK;
}

/* A word that is an identifier of C and no word of it. */
static enum status
set_identifier(struct reading *r, const struct open *o, const char **to, struct fault *why)
{
	struct fault	bad;

	if (name_check_routine(o->text, &bad) != ST_OK)
		return refuse(r, o, why, "%s", bad.text);
	*to = o->text;
	return ST_OK;
}

enum status
set_variable(struct reading *r, struct open *o, struct fault *why)
{
	return set_identifier(r, o, &((struct count *)o->parent->object)->variable, why);
}

enum status
set_count_increment(struct reading *r, struct open *o, struct fault *why)
{
	if (o->number < 1 || o->number > INT32_MAX)
		return refuse(r, o, why, "%s is not from 1 to %d", o->text, INT32_MAX);
	((struct count *)o->parent->object)->increment = o->number;
	return ST_OK;
}

enum status
set_count_min(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	((struct count *)o->parent->object)->min = o->number;
	return ST_OK;
}

enum status
set_count_max(struct reading *r, struct open *o, struct fault *why)
{
	struct count	*c = o->parent->object;

	(void)r;
	(void)why;
	c->max = o->number;
	c->has_max = true;
	return ST_OK;
}

enum status
set_min_variable(struct reading *r, struct open *o, struct fault *why)
{
	return set_identifier(r, o, &((struct count *)o->parent->object)->min_variable, why);
}

enum status
set_max_variable(struct reading *r, struct open *o, struct fault *why)
{
	return set_identifier(r, o, &((struct count *)o->parent->object)->max_variable, why);
}

enum status
set_count_register(struct reading *r, struct open *o, struct fault *why)
{
	((struct count *)o->parent->object)->reg = o->text;
	return check_word(r, o, "", why);
}

enum status
set_count_offset(struct reading *r, struct open *o, struct fault *why)
{
	if (o->number < INT32_MIN || o->number > INT32_MAX)
		return refuse(r, o, why, "%s does not fit in 32 bits", o->text);
	((struct count *)o->parent->object)->offset = o->number;
	return ST_OK;
}

/* ---- OpenMP ---- */

enum status
set_schedule(struct reading *r, struct open *o, struct fault *why)
{
	static const char *const	words[] = { "static", "dynamic", "guided", "auto",
					    "runtime", NULL };
	size_t				which;

	loop_around(o)->schedule = o->text;
	return one_of(r, o, words, &which, why);
}

enum status
set_chunk(struct reading *r, struct open *o, struct fault *why)
{
	if (o->number < 1)
		return refuse(r, o, why, "chunks have at least 1 iteration, not %s", o->text);
	loop_around(o)->chunk = o->number;
	return ST_OK;
}

enum status
set_parallel(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	loop_around(o)->is_parallel = true;
	return ST_OK;
}

static enum sharing
sharing_of(const char *name)
{
	enum sharing	s = SHARING_PRIVATE;

	while (s < SHARING_LAST && strcmp(sharing_word(s), name) != 0)
		s++;
	return s;
}

enum status
open_clause(struct reading *r, struct open *o, struct fault *why)
{
	struct loop	*l = loop_around(o);

	(void)why;
	l->clauses = arena_grow(r->micro->arena, l->clauses, l->nclauses, sizeof *l->clauses);
	l->clauses[l->nclauses] = (struct clause){ .at = o->at,
	    .sharing = sharing_of(o->node->name), .numbers = range_of_one(0) };
	o->object = &l->clauses[l->nclauses++];
	return ST_OK;
}

enum status
close_clause(struct reading *r, struct open *o, struct fault *why)
{
	struct clause	*c = o->object;

	if (c->name == NULL)
		return miss(r, o, "name", why);
	c->numbers.is_given = c->numbers.has_min;
	if (c->numbers.has_min != c->numbers.has_max || c->numbers.min < 0 ||
	    c->numbers.min > c->numbers.max || c->numbers.max > 63)
		return refuse(r, o, why, "min and max are the first and last of at most 64 "
		    "numbers");
	return ST_OK;
}

enum status
set_clause_name(struct reading *r, struct open *o, struct fault *why)
{
	return set_identifier(r, o, &((struct clause *)o->parent->object)->name, why);
}
