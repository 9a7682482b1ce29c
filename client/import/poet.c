/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/import/check.h"
#include "client/import/head.h"
#include "client/import/includes.h"
#include "client/import/poet_parts.h"
#include "client/import/scan.h"
#include "proto/base/name.h"
#include "proto/spec/spec.h"

/* ---- the routine ---- */

char *
poet_expanded(const struct poet *p, struct span s)
{
	struct macro	all = { .body = s };
	struct span	bodies[MACRO_MAX_PARAMETERS];

	for (size_t i = p->macros.n; i-- > 0 && all.nparameters < MACRO_MAX_PARAMETERS; ) {
		if (p->macros.list[i].is_function)
			continue;
		bodies[all.nparameters] = p->macros.list[i].body;
		all.parameters[all.nparameters++] = p->macros.list[i].name;
	}
	return all.nparameters > 0 ? macro_expand(&all, bodies) : span_on_one_line(s);
}

static enum status
put_routine(struct poet *p, json_t *spec, struct fault *why)
{
	if (p->routine.at == NULL) {
		(void)foreign_fault(p->source, p->source->text, why, "there is no routine");
		fault_hint(why, "write: routine=void f(const int n, double *x);");
		return ST_BAD_SPEC;
	}
	return head_put(p->source, p->routine, poet_expanded(p, p->routine), &p->prototype, spec,
	    why);
}

/* ---- arguments ---- */

/* An argument that init lacks: the generator's timer would have read an undefined value. */
static enum status
missing_argument(struct poet *p, size_t i, json_t *args, struct fault *why)
{
	const struct proto_param	*a = &p->prototype.params[i];
	const char			*place = p->init.at != NULL ? p->init.at - 1 :
					    p->routine.at;

	if (!a->is_pointer && ctype_is_floating(a->type)) {
		foreign_remark(p->source, place, "%s has no value in init; it is 1", a->name);
		(void)json_object_set_new(args, a->name, json_integer(1));
		return ST_OK;
	}
	(void)foreign_fault(p->source, place, why, "%s has no value in init", a->name);
	if (a->is_pointer)
		fault_hint(why, "add: %.64s=Vector(%s,SIZE,RANDOM,flush);", a->name,
		    ctype_name(a->type));
	else
		fault_hint(why, "add: %.64s=Macro(SIZE,100);", a->name);
	return ST_BAD_SPEC;
}

/*
 * Operands come first: they decide which numbers become params.  The arguments stand in the order
 * of init.
 */
static enum status
put_args(struct poet *p, json_t *spec, struct fault *why)
{
	json_t		*args = json_object_get(spec, "args"), *value;
	enum status	 st = ST_OK;

	for (size_t i = 0; i < p->nitems; i++)
		(void)json_object_setn_new(args, p->items[i].name.at, p->items[i].name.n,
		    json_null());
	for (int scalars = 0; scalars <= 1; scalars++) {
		for (size_t i = 0; st == ST_OK && i < p->nitems; i++) {
			struct poet_item	*item = &p->items[i];

			if ((item->kind == POET_SCALAR) != (scalars == 1))
				continue;
			st = (scalars == 1 ? poet_scalar : poet_operand)(p, item, &value, why);
			if (st == ST_OK)
				(void)json_object_setn_new(args, item->name.at, item->name.n,
				    value);
		}
	}
	for (size_t i = 0; st == ST_OK && i < p->prototype.nparams; i++)
		if (json_object_get(args, p->prototype.params[i].name) == NULL)
			st = missing_argument(p, i, args, why);
	return st;
}

/* ---- caches ---- */

/*
 * The generator's portable flush empties the caches of all operands as soon as one asks for it; its
 * x86 flush, and the paper, of each that asks.
 */
static void
put_context(struct poet *p, json_t *spec)
{
	json_t	*args = json_object_get(spec, "args");
	size_t	 operands = 0, flushed = 0;

	for (size_t i = 0; i < p->nitems; i++) {
		operands += p->items[i].kind != POET_SCALAR;
		flushed += p->items[i].flush;
	}
	(void)json_object_set_new(spec, "context", json_string(flushed > 0 ? "cold" : "warm"));
	if (flushed == 0 || flushed == operands)
		return;
	foreign_remark(p->source, p->init.at - 1, "operands without flush are warm, beside others "
	    "that are cold; the generator's own flush would take them all out of the caches");
	for (size_t i = 0; i < p->nitems; i++)
		if (p->items[i].kind != POET_SCALAR && !p->items[i].flush)
			(void)json_object_set_new(json_object_getn(args, p->items[i].name.at,
			    p->items[i].name.n), "cache", json_string("warm"));
}

/* ---- outputs ---- */

static enum status
check_output(struct poet *p, struct span name, struct fault *why)
{
	size_t	i = poet_argument(p, name);

	if (i == p->prototype.nparams)
		return foreign_fault(p->source, name.at, why, "%s has no parameter \"%.*s\"",
		    p->prototype.name, (int)(name.n < 64 ? name.n : 64), name.at);
	if (!p->prototype.params[i].is_pointer || p->prototype.params[i].is_const) {
		(void)foreign_fault(p->source, name.at, why,
		    "%.*s cannot be an output: it is %s", SPAN_ARGS(name),
		    p->prototype.params[i].is_pointer ? "const" : "no pointer");
		fault_hint(why, "name operands that the routine writes");
		return ST_BAD_SPEC;
	}
	return ST_OK;
}

static bool
is_returned(const struct poet *p, const char *name)
{
	const char	*end = p->returns.at + p->returns.n, *past;

	for (const char *c = p->returns.at; c < end; c = scan_blank(past, end)) {
		past = scan_past(c, end);
		if (span_is((struct span){ c, (size_t)(past - c) }, name))
			return true;
	}
	return false;
}

static enum status
check_outputs(struct poet *p, struct fault *why)
{
	const char	*end, *comma;
	enum status	 st = ST_OK;

	if (p->returns.n == 0)
		return ST_OK;
	end = p->returns.at + p->returns.n;
	for (const char *c = p->returns.at; st == ST_OK && c < end; c = comma + 1) {
		comma = scan_to(c, end, ",");
		st = check_output(p, span_between(c, comma), why);
	}
	return st;
}

/* By its own name, or by that of an argument that points into it. */
static bool
is_output(const struct poet *p, const json_t *args, const char *name)
{
	const char	*other;
	json_t		*arg;

	json_object_foreach((json_t *)(uintptr_t)args, other, arg) {
		const char	*of = json_string_value(json_object_get(arg, "same_as"));

		if (of != NULL && strcmp(of, name) == 0 && is_returned(p, other))
			return true;
	}
	return is_returned(p, name);
}

/* Written, but not among returns: scratch, which a variant may leave as it likes. */
static void
put_scratch(struct poet *p, json_t *args)
{
	for (size_t i = 0; p->returns.n > 0 && i < p->prototype.nparams; i++) {
		const struct proto_param	*a = &p->prototype.params[i];
		json_t				*arg = json_object_get(args, a->name);

		if (!a->is_const && json_object_get(arg, "dims") != NULL &&
		    !is_output(p, args, a->name))
			(void)json_object_set_new(arg, "checked", json_false());
	}
}

/* ---- the reference ---- */

/* include="./out_x.c" is a file beside the timer. */
static char *
put_include(struct poet *p, char *to)
{
	struct span	s = p->include;
	bool		f2c = false;

	if (s.n == 0)
		return to;
	s = span_trimmed(s);
	if (s.n > 0 && *s.at == '"') {
		foreign_remark(p->source, s.at, "%.*s is left out: no file is opened",
		    (int)(s.n < 200 ? s.n : 200), s.at);
		return to;
	}
	return includes_left_out(p->source, p->include, to, &f2c);
}

static enum status
put_reference(struct poet *p, json_t *spec, struct fault *why)
{
	char	*source, *to;

	if ((source = malloc(p->include.n + INCLUDES_MORE_BYTES + p->routine.n +
	    p->body.n + 8)) == NULL)
		return fault_set(why, ST_NOMEM, "reference");
	to = put_include(p, source);
	if (p->body.n > 0) {
		to = (char *)mempcpy(to, p->routine.at, p->routine.n);
		*to++ = '\n';
		to = (char *)mempcpy(to, p->body.at, p->body.n);
		*to++ = '\n';
		(void)json_object_set_new(spec, "check", json_pack("{s:{s:s, s:s%}}", "reference",
		    "language", "c", "source", source, (size_t)(to - source)));
	} else if (p->returns.n > 0) {
		foreign_remark(p->source, p->returns.at, "returns needs a routine with a body: "
		    "without a reference no output is checked");
	}
	free(source);
	return ST_OK;
}

/* ---- the whole ---- */

static enum status
put_flops(struct poet *p, json_t *spec, struct fault *why)
{
	char		*text;
	enum status	 st;

	if (p->flop.n == 0)
		return ST_OK;
	if ((st = poet_formula(p, p->flop, &text, why)) == ST_OK)
		(void)json_object_set_new(spec, "flops", json_string(text));
	free(text);
	return st;
}

/* What the routine is called with. */
static enum status
put_calls(struct poet *p, json_t *spec, struct fault *why)
{
	enum status	st;

	(void)json_object_set(spec, "params", p->params.values);
	(void)json_object_set_new(spec, "args", json_object());
	if ((st = put_flops(p, spec, why)) != ST_OK || (st = put_args(p, spec, why)) != ST_OK)
		return st;
	put_context(p, spec);
	put_scratch(p, json_object_get(spec, "args"));
	return ST_OK;
}

/* An image has its own operands. */
static enum status
put_checkpoint(struct poet *p, json_t *spec, struct fault *why)
{
	const char	*name = p->checkpoint.at, *end = name + p->checkpoint.n;

	for (const char *c = name; c < end; c++)
		if (*c == '/')
			name = c + 1;
	if (name > p->checkpoint.at)
		foreign_remark(p->source, p->checkpoint.at, "the image is looked for in the "
		    "daemon's directory of images, by its name alone");
	if (p->nitems > 0)
		foreign_remark(p->source, p->init.at - 1, "the values of init are left out: calls "
		    "in an image have the application's");
	if (p->returns.n > 0)
		foreign_remark(p->source, p->returns.at, "returns is left out: all of an image's "
		    "memory is compared");
	(void)json_object_set_new(spec, "checkpoint", json_stringn(name, (size_t)(end - name)));
	(void)json_object_set(spec, "params", p->params.values);
	return put_flops(p, spec, why);
}

static const char *
place_of(void *arg, struct span argument)
{
	struct poet		*p = arg;
	struct poet_item	*item = poet_item(p, argument);

	return item != NULL ? item->name.at : p->routine.at;
}

/* Members in the order of the manual. */
static enum status
put_spec(struct poet *p, const struct cli_list *parameters, json_t *spec, struct fault *why)
{
	enum status	st;

	if ((st = poet_read(p, why)) != ST_OK ||
	    (st = macros_read(&p->macros, p->source, p->include, why)) != ST_OK ||
	    (st = put_routine(p, spec, why)) != ST_OK ||
	    (st = poet_read_items(p, why)) != ST_OK ||
	    (st = poet_add_macros(p, why)) != ST_OK || (st = check_outputs(p, why)) != ST_OK ||
	    (st = poet_parameters(p, parameters, spec, why)) != ST_OK)
		return st;
	if ((st = p->checkpoint.n > 0 ? put_checkpoint(p, spec, why) :
	    put_calls(p, spec, why)) != ST_OK ||
	    (st = put_reference(p, spec, why)) != ST_OK)
		return st;
	if ((st = poet_settle(p, spec, why)) != ST_OK)
		return st;
	if (json_object_size(p->params.values) == 0)
		(void)json_object_del(spec, "params");
	return check_spec(p->source, spec, place_of, p, why);
}

enum status
poet_import(struct foreign *source, const struct cli_list *parameters, json_t **out,
    struct fault *why)
{
	struct poet	*p = calloc(1, sizeof *p);
	json_t		*spec = json_object();
	enum status	 st;

	*out = NULL;
	if (p == NULL || spec == NULL)
		st = fault_set(why, ST_NOMEM, "spec");
	else if ((st = params_init(&p->params, why)) == ST_OK) {
		p->source = source;
		st = put_spec(p, parameters, spec, why);
	}
	if (st == ST_OK)
		*out = json_incref(spec);
	json_decref(spec);
	if (p != NULL) {
		for (size_t i = 0; i < p->nitems; i++)
			free(p->items[i].text);
		macros_release(&p->macros);
		params_release(&p->params);
	}
	free(p);
	return st;
}
