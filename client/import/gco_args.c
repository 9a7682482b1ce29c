/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of GCO's directives → the member args of a spec. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/import/formula.h"
#include "client/import/gco_parts.h"
#include "client/import/random.h"
#include "proto/base/name.h"

static struct span
text_span(const char *text)
{
	return (struct span){ text, strlen(text) };
}

/* ---- sizes and values ---- */

static enum status	formula_of(struct gco *, struct span, char **, struct fault *);

static enum status
meaning_of(struct gco *g, struct gco_arg *a, char **text, struct fault *why)
{
	enum status	st;

	if (a->ndims > 0 || span_is(a->value, "$rand"))
		return foreign_fault(g->source, a->name.at, why, "%.*s is %s, and cannot be in a "
		    "size", SPAN_ARGS(a->name), a->ndims > 0 ? "an array" : "random");
	if (a->is_resolving)
		return foreign_fault(g->source, a->name.at, why,
		    "the value of %.*s depends on itself", SPAN_ARGS(a->name));
	a->is_resolving = true;
	st = formula_of(g, a->value, text, why);
	a->is_resolving = false;
	return st;
}

static enum status
find_name(void *arg, struct span name, char **text, struct fault *why)
{
	struct gco	*g = arg;
	struct gco_arg	*a = gco_arg(g, name);

	if (a != NULL)
		return meaning_of(g, a, text, why);
	if (!span_is(name, "$size"))
		return ST_NOT_FOUND;
	if (g->size.at == NULL) {
		(void)foreign_fault(g->source, name.at, why, "there is no SIZE directive");
		fault_hint(why, "write: /*$ATLAS SIZE 1:31:1 */");
		return ST_BAD_SPEC;
	}
	*text = strdup(g->size_name);
	return *text != NULL ? ST_OK : fault_set(why, ST_NOMEM, "size");
}

static enum status
formula_of(struct gco *g, struct span s, char **text, struct fault *why)
{
	const struct formula_names	names = { NULL, find_name, g, "argument or $size" };

	return formula_read(g->source, s, &names, text, why);
}

static enum status
put_formula(struct gco *g, struct span s, json_t *list, struct fault *why)
{
	char		*text;
	enum status	 st = formula_of(g, s, &text, why);

	if (st != ST_OK)
		return st;
	(void)json_array_append_new(list, formula_json(text));
	free(text);
	return ST_OK;
}

/* ---- one argument ---- */

static enum status
check_type(struct gco *g, const struct gco_arg *a, const struct proto_param *p, struct fault *why)
{
	char		*text = span_on_one_line(a->type);
	enum ctype	 type = CTYPE_VOID;
	bool		 is_writable = !span_is(a->direction, "IN");

	if (text != NULL)
		(void)ctype_parse(&type, text, NULL);
	free(text);
	if (a->ndims > 0 && !p->is_pointer)
		return foreign_fault(g->source, a->name.at, why,
		    "%s is no pointer in the routine, but %s", p->name, ctype_name(p->type));
	if (type != p->type && p->type != CTYPE_VOID) {
		(void)foreign_fault(g->source, a->type.at, why, "%s is %s%s in the routine, not %s",
		    p->name, ctype_name(p->type), p->is_pointer ? " *" : "", ctype_name(type));
		fault_hint(why, "write %s here, or change the routine", ctype_name(p->type));
		return ST_BAD_SPEC;
	}
	if (is_writable && (!p->is_pointer || p->is_const))
		return foreign_fault(g->source, a->direction.at, why, "%s cannot be %.*s: it is %s",
		    p->name, SPAN_ARGS(a->direction), p->is_pointer ? "const" : "no pointer");
	return ST_OK;
}

/* What a pointer points to; a scalar that is passed by its address has one element. */
static enum status
make_operand(struct gco *g, const struct gco_arg *a, const struct proto_param *p, json_t *operand,
    struct fault *why)
{
	json_t		*dims = json_array(), *values = json_array();
	char		 access[8];
	enum status	 st = ST_OK;

	(void)json_object_set_new(operand, "dims", dims);
	if (a->ndims == 0)
		(void)json_array_append_new(dims, json_integer(1));
	for (size_t i = 0; st == ST_OK && i < a->ndims; i++)
		st = put_formula(g, a->dims[i], dims, why);
	if (p->type == CTYPE_VOID)
		(void)json_object_set_new(operand, "type", json_stringn(a->type.at, a->type.n));
	if (st == ST_OK && span_is(a->value, "$rand"))
		(void)json_object_set_new(operand, "init", json_string("random"));
	else if (st == ST_OK && (st = put_formula(g, a->value, values, why)) == ST_OK)
		(void)json_object_set_new(operand, "init", json_pack("{s:O}", "value",
		    json_array_get(values, 0)));
	json_decref(values);
	(void)snprintf(access, sizeof access, "%s", span_is(a->direction, "IN") ? "in" :
	    span_is(a->direction, "OUT") ? "out" : "inout");
	(void)json_object_set_new(operand, "access", json_string(access));
	return st;
}

static enum status
make_scalar(struct gco *g, const struct gco_arg *a, size_t i, json_t **value, struct fault *why)
{
	char		*text;
	enum status	 st;

	if (span_is(a->value, "$rand")) {
		*value = random_scalar(g->source, a->name, g->prototype.params[i].type, i + 1);
		return ST_OK;
	}
	if ((st = formula_of(g, a->value, &text, why)) != ST_OK)
		return st;
	*value = formula_json(text);
	free(text);
	return ST_OK;
}

static enum status
make_arg(struct gco *g, size_t i, json_t *args, struct fault *why)
{
	const struct proto_param	*p = &g->prototype.params[i];
	struct gco_arg			*a = gco_arg(g, text_span(p->name));
	json_t				*value = NULL;
	enum status			 st;

	if (a == NULL) {
		(void)foreign_fault(g->source, g->routine.at, why,
		    "no ARG describes the parameter %s", p->name);
		fault_hint(why, p->is_pointer ? "write: /*$ATLAS ARG %.64s[N] IN %s $rand */" :
		    "write: /*$ATLAS ARG %.64s IN %s $size */", p->name, ctype_name(p->type));
		return ST_BAD_SPEC;
	}
	a->is_used = true;
	if ((st = check_type(g, a, p, why)) != ST_OK)
		return st;
	if (p->is_pointer) {
		value = json_object();
		st = make_operand(g, a, p, value, why);
	} else {
		st = make_scalar(g, a, i, &value, why);
	}
	if (st == ST_OK)
		(void)json_object_set(args, p->name, value);
	json_decref(value);
	return st;
}

/* ---- all ---- */

static enum status
unused_arg(const struct gco *g, const struct gco_arg *a, struct fault *why)
{
	const char	*names[PROTOTYPE_MAX_PARAMS + 1] = { NULL }, *near;
	char		*name = span_copy(a->name);

	for (size_t i = 0; i < g->prototype.nparams; i++)
		names[i] = g->prototype.params[i].name;
	(void)foreign_fault(g->source, a->name.at, why, "%s has no parameter \"%.*s\"",
	    g->prototype.name, (int)(a->name.n < 128 ? a->name.n : 128), a->name.at);
	if (name != NULL && (near = nearest_name(name, names)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", near);
	free(name);
	return ST_BAD_SPEC;
}

enum status
gco_args(struct gco *g, json_t **out, struct fault *why)
{
	json_t		*args = json_object();
	enum status	 st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < g->prototype.nparams; i++)
		st = make_arg(g, i, args, why);
	for (size_t i = 0; st == ST_OK && i < g->nargs; i++)
		if (!g->args[i].is_used)
			st = unused_arg(g, &g->args[i], why);
	*out = st == ST_OK ? json_incref(args) : NULL;
	json_decref(args);
	return st;
}
