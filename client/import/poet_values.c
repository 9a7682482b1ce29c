/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars of a POET specification: what a name stands for, and what the routine gets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/import/formula.h"
#include "client/import/poet_parts.h"
#include "client/import/random.h"
#include "client/import/scan.h"
#include "proto/base/base64.h"

struct poet_item *
poet_item(struct poet *p, struct span name)
{
	for (size_t i = 0; i < p->nitems; i++)
		if (span_equals(p->items[i].name, name))
			return &p->items[i];
	return NULL;
}

size_t
poet_argument(const struct poet *p, struct span name)
{
	size_t	i = 0;

	while (i < p->prototype.nparams && !span_is(name, p->prototype.params[i].name))
		i++;
	return i;
}

/* Macro(NAME,72) → its two parts. */
static bool
is_macro(struct span init, struct span *name, struct span *value)
{
	struct span	inside;
	const char	*comma, *end;

	if (!poet_is_call(init, "Macro", &inside))
		return false;
	end = inside.at + inside.n;
	comma = scan_to(inside.at, end, ",");
	*name = span_between(inside.at, comma);
	*value = comma < end ? span_between(comma + 1, end) : (struct span){ end, 0 };
	return true;
}

/* "…" → what is between the quotes. */
static bool
is_string(struct span s, struct span *text)
{
	if (s.n < 2 || *s.at != '"' || scan_past(s.at, s.at + s.n) != s.at + s.n)
		return false;
	*text = (struct span){ s.at + 1, s.n - 2 };
	return true;
}

enum status
poet_add_macros(struct poet *p, struct fault *why)
{
	struct span	 name, value;
	const char	*made;
	enum status	 st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < p->nitems; i++)
		if (is_macro(p->items[i].init, &name, &value))
			st = params_add(&p->params, p->source, name, value, &made, why);
	return st;
}

/* ---- what a name stands for ---- */

/* A number in a size or formula: a param, so that it can be changed. */
static enum status
as_param(struct poet *p, const struct poet_item *item, struct span number, char **text,
    struct fault *why)
{
	const char	*made;
	enum status	 st = params_add(&p->params, p->source, item->name, number, &made, why);

	if (st == ST_OK && (*text = strdup(made)) == NULL)
		st = fault_set(why, ST_NOMEM, "param");
	return st;
}

static bool
is_range(struct span init, struct span *begin, struct span *step)
{
	struct span	inside;
	const char	*comma, *end;

	if (!poet_is_call(init, "Range", &inside))
		return false;
	end = inside.at + inside.n;
	comma = scan_to(inside.at, end, ",");
	*begin = span_between(inside.at, comma);
	*step = comma < end ? span_between(comma + 1, end) : (struct span){ end, 0 };
	return true;
}

static enum status
make_text(struct poet *p, struct poet_item *item, struct fault *why)
{
	struct span	 name, value, text;
	const char	*made;

	if (is_macro(item->init, &name, &value)) {
		made = params_find(&p->params, name);
		item->text = made != NULL ? strdup(made) : NULL;
		return item->text != NULL ? ST_OK : fault_set(why, ST_NOMEM, "macro");
	}
	if (is_range(item->init, &name, &value))
		return as_param(p, item, name, &item->text, why);
	if (span_is(item->init, "RANDOM"))
		return foreign_fault(p->source, item->name.at, why,
		    "%.*s is random, and cannot be in a size or formula",
		    SPAN_ARGS(item->name));
	if (formula_is_number(item->init))
		return as_param(p, item, item->init, &item->text, why);
	return poet_formula(p, is_string(item->init, &text) ? text : item->init, &item->text,
	    why);
}

static enum status
meaning_of(struct poet *p, struct poet_item *item, char **text, struct fault *why)
{
	enum status	st = ST_OK;

	if (item->kind != POET_SCALAR)
		return foreign_fault(p->source, item->name.at, why,
		    "%.*s is no scalar, and cannot be in a size or formula",
		    SPAN_ARGS(item->name));
	if (item->is_resolving)
		return foreign_fault(p->source, item->name.at, why,
		    "the value of %.*s depends on itself", SPAN_ARGS(item->name));
	if (item->text == NULL) {
		item->is_resolving = true;
		st = make_text(p, item, why);
		item->is_resolving = false;
	}
	if (st == ST_OK && (*text = strdup(item->text)) == NULL)
		st = fault_set(why, ST_NOMEM, "expression");
	return st;
}

static enum status
find_name(void *arg, struct span name, char **text, struct fault *why)
{
	struct poet		*p = arg;
	struct poet_item	*item = poet_item(p, name);
	const char		*param = params_find(&p->params, name);

	if (item != NULL)
		return meaning_of(p, item, text, why);
	if (param != NULL) {
		*text = strdup(param);
		return *text != NULL ? ST_OK : fault_set(why, ST_NOMEM, "param");
	}
	if (poet_argument(p, name) < p->prototype.nparams) {
		(void)foreign_fault(p->source, name.at, why, "%.*s has no value in init",
		    SPAN_ARGS(name));
		fault_hint(why, "add to init: %.64s=Macro(SIZE,100);",
		    p->prototype.params[poet_argument(p, name)].name);
		return ST_BAD_SPEC;
	}
	return ST_NOT_FOUND;
}

enum status
poet_formula(struct poet *p, struct span s, char **text, struct fault *why)
{
	const struct formula_names	names = { &p->macros, find_name, p, "argument or macro" };

	return formula_read(p->source, s, &names, text, why);
}

/* ---- what the routine gets ---- */

static enum status
plain_value(struct poet *p, struct poet_item *item, struct span s, json_t **value,
    struct fault *why)
{
	char		*text;
	enum status	 st;

	if (item->text != NULL) {		/* a param by now */
		*value = formula_json(item->text);
		return ST_OK;
	}
	if ((st = poet_formula(p, s, &text, why)) != ST_OK)
		return st;
	*value = formula_json(text);
	free(text);
	return ST_OK;
}

static enum status
ranged_value(struct poet *p, struct poet_item *item, struct span step, json_t **value,
    struct fault *why)
{
	char		*text;
	enum status	 st = meaning_of(p, item, &text, why);

	if (st != ST_OK)
		return st;
	foreign_remark(p->source, item->name.at, "%.*s stays as it begins in every call, without "
	    "its step of %.*s; time another value with -p %s=", SPAN_ARGS(item->name),
	    SPAN_ARGS(step), text);
	*value = json_string(text);
	free(text);
	return ST_OK;
}

static enum status
number_value(struct poet *p, struct poet_item *item, json_t **value, struct fault *why)
{
	struct span	begin, step, text;

	if (is_range(item->init, &begin, &step))
		return ranged_value(p, item, step, value, why);
	if (span_is(item->init, "RANDOM")) {
		*value = random_scalar(p->source, item->name,
		    p->prototype.params[item->argument].type, p->seed + item->argument + 1);
		return ST_OK;
	}
	if (is_macro(item->init, &begin, &step)) {
		*value = json_string(params_find(&p->params, begin));
		return ST_OK;
	}
	return plain_value(p, item, is_string(item->init, &text) ? text : item->init, value, why);
}

/* ---- pointers without an operand of their own ---- */

/* The characters and a NUL. */
static enum status
text_value(struct span text, json_t **value, struct fault *why)
{
	char	*bytes = span_copy(text), *encoded;

	encoded = bytes != NULL ? base64_encode(bytes, text.n + 1) : NULL;
	*value = encoded != NULL ? json_pack("{s:[i], s:{s:s}}", "dims", (int)text.n + 1, "init",
	    "data", encoded) : NULL;
	free(encoded);
	free(bytes);
	return *value != NULL ? ST_OK : fault_set(why, ST_NOMEM, "text");
}

static enum status
pointer_value(struct poet *p, const struct poet_item *item, json_t **value, struct fault *why)
{
	const struct proto_param	*a = &p->prototype.params[item->argument];
	struct poet_item		*other = poet_item(p, item->init);
	struct span			 text;

	if (span_is(item->init, "0") || span_is(item->init, "NULL")) {
		*value = json_null();
		return ST_OK;
	}
	if (other != NULL && other->kind != POET_SCALAR) {
		*value = json_pack("{s:s%}", "same_as", other->name.at, other->name.n);
		return ST_OK;
	}
	if (is_string(item->init, &text) && a->type == CTYPE_CHAR)
		return text_value(text, value, why);
	(void)foreign_fault(p->source, item->init.at, why, "%s is a pointer", a->name);
	fault_hint(why, "write: %.64s=Vector(%s,N,RANDOM,flush); or 0 for a null pointer", a->name,
	    ctype_name(a->type));
	return ST_BAD_SPEC;
}

enum status
poet_scalar(struct poet *p, struct poet_item *item, json_t **value, struct fault *why)
{
	if (p->prototype.params[item->argument].is_pointer)
		return pointer_value(p, item, value, why);
	return number_value(p, item, value, why);
}
