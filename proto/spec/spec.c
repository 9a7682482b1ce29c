/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/spec/spec_parts.h"

/* The member `spec` of a job: the routine, what it is called with, how it is timed and checked. */

static enum status
decode_routine(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;
	enum status	 st;

	if ((st = decode_text(n, PROTOTYPE_MAX_BYTES, &s->routine_text, why)) != ST_OK)
		return st;
	if ((st = prototype_parse(&s->routine, s->routine_text, why)) != ST_OK)
		(void)decode_place(n, why);
	return st;
}

/* --- arguments --- */

static enum status
decode_scalar(struct spec *s, size_t place, const struct node *n, struct fault *why)
{
	struct arg	*a = &s->args[place];
	enum ctype	 type = s->routine.params[place].type;
	enum status	 st;

	if (!json_is_string(n->value) && !json_is_number(n->value)) {
		st = decode_refuse(n, NULL, why, "the routine takes %s here: an expression or a number",
		    ctype_name(type));
		fault_hint(why, "\"2*N\" or 8; only pointers take an operand");
		return st;
	}
	if ((st = spec_decode_expr(n, &a->scalar, why)) != ST_OK ||
	    (st = spec_eval(s, n, a->scalar, &a->value, why)) != ST_OK)
		return st;
	return spec_fit(n, type, &a->value, why);
}

static enum status
decode_arg(struct spec *s, size_t place, const struct node *n, struct fault *why)
{
	const struct proto_param	*p = &s->routine.params[place];
	enum status			 st;

	if (!p->is_pointer)
		return decode_scalar(s, place, n, why);
	s->args[place].is_operand = true;
	if (json_is_object(n->value))
		return spec_decode_operand(s, place, n, why);
	st = decode_refuse(n, NULL, why, "the routine takes a pointer to %s here: an operand (an object) is wanted",
	    ctype_name(p->type));
	fault_hint(why, "{ \"dims\": [\"N\"], \"init\": \"random\" }");
	return st;
}

static enum status
refuse_extra_arg(const struct spec *s, const struct node *n, const char *name, struct fault *why)
{
	const char	*names[PROTOTYPE_MAX_PARAMS + 1];
	enum status	 st;

	for (size_t i = 0; i < s->routine.nparams; i++)
		names[i] = s->routine.params[i].name;
	names[s->routine.nparams] = NULL;
	st = decode_refuse(n, name, why, "the routine has no such argument");
	decode_hint(why, name, names);
	return st;
}

static bool
is_argument(const struct spec *s, const char *name)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (strcmp(s->routine.params[i].name, name) == 0)
			return true;
	return false;
}

static enum status
decode_args(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;
	const char	*name;
	json_t		*value;
	enum status	 st;

	if (s->checkpoint != NULL)
		return ST_OK;			/* refused as a whole */
	if ((st = decode_object(n, why)) != ST_OK)
		return st;
	json_object_foreach((json_t *)n->value, name, value)
		if (!is_argument(s, name))
			return refuse_extra_arg(s, n, name, why);
	for (size_t i = 0; i < s->routine.nparams; i++) {
		struct node	arg = decode_member(n, s->routine.params[i].name);

		if (arg.value == NULL)
			return decode_refuse(&arg, NULL, why, "is missing: the routine takes %s%s",
			    s->routine.params[i].is_pointer ? "a pointer to " : "",
			    ctype_name(s->routine.params[i].type));
		if ((st = decode_arg(s, i, &arg, why)) != ST_OK)
			return st;
	}
	return ST_OK;
}

/* --- formulas --- */

static enum status
decode_formula(const struct spec *s, const struct node *n, struct expr **e, double *count, struct fault *why)
{
	struct value	v;
	enum status	st;

	if ((st = spec_decode_expr(n, e, why)) != ST_OK || (st = spec_eval(s, n, *e, &v, why)) != ST_OK)
		return st;
	if ((*count = value_real(&v)) < 0)
		return decode_refuse(n, NULL, why, "is %g; a count is not negative", *count);
	return ST_OK;
}

static enum status
decode_flops(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;

	return decode_formula(s, n, &s->flops, &s->flops_count, why);
}

static enum status
decode_bytes(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;

	return decode_formula(s, n, &s->bytes, &s->bytes_count, why);
}

/* --- check --- */

enum { NOT_GIVEN = -1 };

static enum status
decode_reference(void *out, const struct node *n, struct fault *why)
{
	struct check	*c = out;

	return spec_decode_variant(&c->reference, n, why);
}

static enum status
decode_rtol(void *out, const struct node *n, struct fault *why)
{
	struct check	*c = out;

	return decode_real(n, 0, 1, &c->rtol, why);
}

static enum status
decode_atol(void *out, const struct node *n, struct fault *why)
{
	struct check	*c = out;

	return decode_real(n, 0, DBL_MAX, &c->atol, why);
}

static double
tolerance_of(enum ctype t)
{
	if (!ctype_is_floating(t))
		return 0;
	return t == CTYPE_FLOAT || t == CTYPE_CFLOAT ? 1e-4 : 1e-9;
}

static bool
is_output(const struct arg *a)
{
	return a->is_operand && a->operand.access != ACCESS_IN;
}

static bool
has_output(const struct spec *s)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (is_output(&s->args[i]))
			return true;
	return s->routine.result != CTYPE_VOID;
}

static void
set_tolerance(struct spec *s)
{
	struct check	*c = &s->check;
	double		 widest = tolerance_of(s->routine.result);

	for (size_t i = 0; i < s->routine.nparams; i++)
		if (is_output(&s->args[i]) && tolerance_of(s->args[i].operand.type) > widest)
			widest = tolerance_of(s->args[i].operand.type);
	if (c->rtol == NOT_GIVEN && c->atol == NOT_GIVEN)
		c->rtol = c->atol = widest;
	if (c->rtol == NOT_GIVEN)
		c->rtol = 0;
	if (c->atol == NOT_GIVEN)
		c->atol = 0;
}

/* "none": what an image's memory holds after the call is not looked at. */
static enum status
decode_no_check(struct spec *s, const struct node *n, struct fault *why)
{
	enum status	st = ST_OK;

	s->check.image = false;
	if (s->checkpoint == NULL || strcmp(json_string_value(n->value), "none") != 0) {
		st = decode_refuse(n, NULL, why, "must be an object%s", s->checkpoint != NULL ? " or \"none\"" : "");
		fault_hint(why, s->checkpoint != NULL ? "{ \"rtol\": 1e-9 }" : "{ \"reference\": { … } }");
	}
	return st;
}

static enum status
decode_check(void *out, const struct node *n, struct fault *why)
{
	static const struct member	members[] = {
		{ "reference", decode_reference, false },
		{ "rtol", decode_rtol, false },
		{ "atol", decode_atol, false },
		{ NULL, NULL, false }
	};
	struct spec	*s = out;
	struct node	 reference = decode_member(n, "reference");
	enum status	 st;

	if (json_is_string(n->value))
		return decode_no_check(s, n, why);
	s->check.present = reference.value != NULL;
	s->check.rtol = s->check.atol = NOT_GIVEN;
	if ((st = decode_members(n, members, &s->check, why)) != ST_OK)
		return st;
	if (!s->check.present && s->checkpoint == NULL)
		return decode_refuse(n, "reference", why, "is missing");
	if (!has_output(s) && s->checkpoint == NULL) {
		st = decode_refuse(n, NULL, why, "there is nothing to compare: the routine returns and writes nothing");
		fault_hint(why, "set the access of an operand to out or inout, or leave check out");
		return st;
	}
	set_tolerance(s);
	return s->check.present ? spec_check_macros(s, &s->check.reference, &reference, why) : ST_OK;
}

/* --- the whole --- */

enum status
spec_decode(void *out, const struct node *n, struct fault *why)
{
	static const struct member	members[] = {	/* each may need those before it */
		{ "routine", decode_routine, true },
		{ "params", spec_decode_params, false },
		{ "checkpoint", spec_decode_checkpoint, false },
		{ "context", spec_decode_context, false },
		{ "data_sensitive", spec_decode_data_sensitive, false },
		{ "args", decode_args, false },
		{ "flops", decode_flops, false },
		{ "bytes", decode_bytes, false },
		{ "timing", spec_decode_timing, false },
		{ "check", decode_check, false },
		{ NULL, NULL, false }
	};
	struct spec	*s = out;
	enum status	 st;

	s->timing.budget_ms = SPEC_BUDGET_MS;
	s->timing.layouts = SPEC_LAYOUTS;
	s->timing.layout_seed = SPEC_LAYOUT_SEED;
	if ((st = decode_members(n, members, s, why)) != ST_OK)
		return st;
	if ((st = spec_check_checkpoint(s, n, why)) != ST_OK)
		return st;
	if (s->checkpoint != NULL && json_object_get(n->value, "check") == NULL) {
		s->check.rtol = s->check.atol = NOT_GIVEN;
		set_tolerance(s);
	}
	if (s->routine.nparams > 0 && json_object_get(n->value, "args") == NULL && s->checkpoint == NULL)
		return decode_refuse(n, "args", why, "is missing: the routine takes %zu arguments", s->routine.nparams);
	return spec_check_timing(s, n, why);
}

static void
release_arg(struct arg *a)
{
	expr_free(a->scalar);
	for (size_t i = 0; i < a->operand.ndims; i++)
		expr_free(a->operand.dims[i]);
	expr_free(a->operand.init.value);
	free(a->operand.init.data);
}

void
spec_release(struct spec *s)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		release_arg(&s->args[i]);
	for (size_t i = 0; i < s->nparams; i++)
		spec_release_param(&s->params[i]);
	free(s->params);
	free(s->routine_text);
	free(s->checkpoint);
	expr_free(s->flops);
	expr_free(s->bytes);
	spec_release_variant(&s->check.reference);
}
