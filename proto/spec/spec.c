/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

/* The member `spec` of a job: the routine, what it is called with, how it is timed and checked. */

static enum status
find_routine(struct spec *s, const struct node *n, struct fault *why)
{
	enum status	st;

	if (s->has_routine && s->program.present) {
		st = decode_refuse(n, NULL, why, "means nothing beside \"program\", which is "
		    "started and not called");
		fault_hint(why, "leave one of the two out");
		return st;
	}
	if (!s->has_routine && !s->program.present)
		return decode_refuse(n, NULL, why, "is missing");
	if (s->has_routine)
		return ST_OK;
	s->routine_text = strdup("int program()");
	return s->routine_text != NULL ? ST_OK : fault_set(why, ST_NOMEM, "routine");
}

static enum status
check_routine(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;
	enum status	 st;

	if ((st = find_routine(s, n, why)) != ST_OK)
		return st;
	if ((st = prototype_parse(&s->routine, s->routine_text, why)) != ST_OK)
		(void)decode_place(n, why);
	return st;
}

/* --- arguments --- */

static enum status
decode_arg(struct spec *s, size_t place, const struct node *n, struct fault *why)
{
	const struct proto_param	*p = &s->routine.params[place];
	enum status			 st;

	if (!p->is_pointer)
		return spec_decode_scalar(s, place, n, why);
	if (spec_is_shared(n))
		return ST_OK;			/* read before */
	if ((s->args[place].is_null = json_is_null(n->value)))
		return ST_OK;
	s->args[place].is_operand = true;
	if (json_is_object(n->value))
		return spec_decode_operand(s, place, n, why);
	st = decode_refuse(n, NULL, why, "the routine takes a pointer to %s here: an operand (an "
	    "object) or null is wanted", ctype_name(p->type));
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

static enum status
check_arg_names(const struct spec *s, const struct node *n, struct fault *why)
{
	const char	*name;
	json_t		*value;

	json_object_foreach((json_t *)(uintptr_t)n->value, name, value)
		if (!spec_has_argument(s, name))
			return refuse_extra_arg(s, n, name, why);
	return ST_OK;
}

static enum status
refuse_missing_args(const struct spec *s, const struct node *n, struct fault *why)
{
	if (s->routine.nparams == 0)
		return ST_OK;
	return decode_refuse(n, NULL, why, "is missing: the routine takes %zu arguments",
	    s->routine.nparams);
}

static enum status
decode_all_shared(struct spec *s, const struct node *n, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; i < s->routine.nparams && st == ST_OK; i++)
		st = spec_decode_shared(s, n, i, why);
	return st;
}

static enum status
get_args(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;
	enum status	 st;

	if (s->checkpoint != NULL || s->program.present)
		return ST_OK;			/* refused as a whole: spec_check_checkpoint,
						 * spec_check_program */
	if (n->value == NULL)
		return refuse_missing_args(s, n, why);
	if ((st = decode_object(n, why)) != ST_OK || (st = check_arg_names(s, n, why)) != ST_OK ||
	    (st = decode_all_shared(s, n, why)) != ST_OK)
		return st;
	for (size_t i = 0; i < s->routine.nparams && st == ST_OK; i++) {
		const struct proto_param	*p = &s->routine.params[i];
		struct node			 arg = decode_member(n, p->name);

		if (arg.value == NULL)
			return decode_refuse(&arg, NULL, why, "is missing: the routine takes %s%s",
			    p->is_pointer ? "a pointer to " : "", ctype_name(p->type));
		st = decode_arg(s, i, &arg, why);
	}
	return st == ST_OK ? spec_check_shared(s, n, why) : st;
}

size_t
spec_count_args(const struct spec *s, spec_arg_fn *is, size_t *first)
{
	size_t	count = 0;

	for (size_t i = 0; i < s->routine.nparams; i++)
		if (is(s, i) && count++ == 0 && first != NULL)
			*first = i;
	return count;
}

/* --- formulas --- */

static enum status
decode_formula(const struct spec *s, const struct node *n, struct expr **e, double *count,
    struct fault *why)
{
	struct value	v;
	enum status	st;

	if ((st = spec_decode_expr(n, e, why)) != ST_OK ||
	    (st = spec_eval(s, n, *e, &v, why)) != ST_OK)
		return st;
	if ((*count = value_real(&v)) < 0)
		return decode_refuse(n, NULL, why, "is %g; a count is not negative", *count);
	return ST_OK;
}

static enum status
get_flops(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;

	return decode_formula(s, n, &s->flops, &s->flops_count, why);
}

static enum status
get_bytes(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;

	return decode_formula(s, n, &s->bytes, &s->bytes_count, why);
}

/* --- check --- */

#define ROW(member, ...) SHAPE_ROW(struct check, member, __VA_ARGS__)
#define HAS(member) .has = offsetof(struct check, has_##member)
static const struct shape_row	check_rows[] = {
	ROW(reference, SHAPE_OBJECT, .of = &variant_shape),
	ROW(rtol, SHAPE_REAL, .low = 0, .high = 1, HAS(rtol)),
	ROW(atol, SHAPE_REAL, .low = 0, .high = DBL_MAX, HAS(atol)),
	ROW(iterations, SHAPE_OWN, .get = spec_get_checked_iterations, SPEC_EXPRESSION),
};
static const struct shape	check_shape = SHAPE_OF(struct check, check_rows);
#undef HAS
#undef ROW

static double
tolerance_of_type(enum ctype t)
{
	if (!ctype_is_floating(t))
		return 0;
	return t == CTYPE_FLOAT || t == CTYPE_CFLOAT ? 1e-4 : 1e-9;
}

/* Of a struct that of its widest member. */
static double
tolerance_of(const struct operand *o)
{
	double	widest = 0;

	if (o->record == NULL)
		return tolerance_of_type(o->type);
	for (size_t i = 0; i < o->record->nmembers; i++)
		widest = fmax(widest, tolerance_of_type(o->record->member[i].type));
	return widest;
}

static bool
is_output(const struct spec *s, size_t i)
{
	return s->args[i].is_operand && s->args[i].operand.access != ACCESS_IN;
}

static bool
is_checked(const struct spec *s, size_t i)
{
	return is_output(s, i) && s->args[i].operand.checked;
}

static bool
has_output(const struct spec *s)
{
	return s->routine.result != CTYPE_VOID || spec_count_args(s, is_checked, NULL) > 0;
}

/* One given: the other stays 0. */
static void
set_tolerance(struct spec *s)
{
	struct check	*c = &s->check;
	double		 widest = tolerance_of_type(s->routine.result);

	if (c->has_rtol || c->has_atol)
		return;
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (is_checked(s, i))
			widest = fmax(widest, tolerance_of(&s->args[i].operand));
	c->rtol = c->atol = widest;
}

/* "none": what an image's memory holds after the call is not looked at. */
static enum status
get_no_check(struct spec *s, const struct node *n, struct fault *why)
{
	enum status	st = ST_OK;

	s->check.image = false;
	if (s->checkpoint == NULL || strcmp(json_string_value(n->value), "none") != 0) {
		st = decode_refuse(n, NULL, why, "must be an object%s",
		    s->checkpoint != NULL ? " or \"none\"" : "");
		fault_hint(why, s->checkpoint != NULL ? "{ \"rtol\": 1e-9 }" :
		    "{ \"reference\": { … } }");
	}
	return st;
}

static enum status
check_reference(const struct spec *s, const struct node *n, struct fault *why)
{
	struct node	reference = decode_member(n, "reference");
	enum status	st;

	if (!s->check.present && s->checkpoint == NULL)
		return s->check.iterations != NULL ? ST_OK :
		    decode_refuse(n, "reference", why, "is missing");
	if (!has_output(s) && s->checkpoint == NULL) {
		st = decode_refuse(n, NULL, why,
		    "there is nothing to compare: the routine returns and writes nothing");
		fault_hint(why, "set the access of an operand to out or inout, or leave check out");
		return st;
	}
	return s->check.present ?
	    spec_check_macros(s, &s->check.reference, &reference, why) : ST_OK;
}

static enum status
get_check(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;
	enum status	 st = ST_OK;

	if (json_is_string(n->value))
		return get_no_check(s, n, why);
	if (n->value != NULL) {
		s->check.present = decode_member(n, "reference").value != NULL;
		if ((st = shape_get(&check_shape, &s->check, n, SHAPE_WRITTEN, why)) != ST_OK ||
		    (st = check_reference(s, n, why)) != ST_OK ||
		    (st = spec_check_iterations(s, n, why)) != ST_OK)
			return st;
	}
	if (n->value != NULL || s->checkpoint != NULL)
		set_tolerance(s);
	return ST_OK;
}

/* --- the whole --- */

#define ROW(member, ...) SHAPE_ROW(struct spec, member, __VA_ARGS__)
static const struct shape_row	param_row = { .kind = SHAPE_OWN, .forms = FORM_TEXT | FORM_NUMBER,
	.most = SPEC_MAX_TEXT };
static const struct shape_row	arg_row = { .kind = SHAPE_OWN, .least = 1, .most = EXPR_MAX_BYTES,
	.forms = FORM_TEXT | FORM_NUMBER | FORM_NULL, .of = &operand_shape };
static const char *const	words_no_check[] = { "none", NULL };
static const struct shape_row	spec_rows[] = {
	ROW(program, SHAPE_OWN, .get = spec_get_program, .of = &program_shape),
	SPEC_ROW(offsetof(struct spec, routine_text), "routine", SHAPE_STRING, .least = 1,
	    .most = PROTOTYPE_MAX_BYTES, .has = offsetof(struct spec, has_routine),
	    .always = true, .check = check_routine),
	ROW(params, SHAPE_OWN, .get = spec_get_params, .forms = FORM_MAP, .most = SPEC_MAX_PARAMS,
	    .each = &param_row, .preset_text = "{}"),
	ROW(checkpoint, SHAPE_STRING, .most = SPEC_MAX_IMAGE_NAME, .check = spec_check_image_name),
	ROW(context, SHAPE_OWN, .get = spec_get_context, .words = words_context,
	    .of = &context_shape, .least = 1, .most = 1, SHAPE_DEFAULT(CONTEXT_COLD)),
	ROW(code, SHAPE_WORD, .words = words_code, SHAPE_DEFAULT(CODE_WARM)),
	ROW(data, SHAPE_OWN, .get = spec_get_data, .words = words_data, .of = &data_shape,
	    SHAPE_DEFAULT(DATA_AUTO)),
	ROW(data_sensitive, SHAPE_FLAG, SHAPE_DEFAULT(false)),
	ROW(setup, SHAPE_STRING, .least = 1, .most = SPEC_MAX_SOURCE),
	ROW(args, SHAPE_OWN, .get = get_args, .always = true, .forms = FORM_MAP,
	    .most = PROTOTYPE_MAX_PARAMS, .each = &arg_row),
	ROW(flops, SHAPE_OWN, .get = get_flops, SPEC_EXPRESSION),
	ROW(bytes, SHAPE_OWN, .get = get_bytes, SPEC_EXPRESSION),
	ROW(iterations, SHAPE_OWN, .get = spec_get_iterations, SPEC_EXPRESSION),
	ROW(timing, SHAPE_OBJECT, .of = &timing_shape, .check = spec_find_guard,
	    SHAPE_DEFAULT(0)),
	ROW(check, SHAPE_OWN, .get = get_check, .always = true, .words = words_no_check,
	    .of = &check_shape),
};
const struct shape		spec_shape = SHAPE_OF(struct spec, spec_rows);

enum status
spec_decode(struct spec *s, const struct node *n, struct fault *why)
{
	enum status	st;

	if ((st = shape_get(&spec_shape, s, n, SHAPE_WRITTEN, why)) != ST_OK ||
	    (st = spec_check_program(s, n, why)) != ST_OK ||
	    (st = spec_check_checkpoint(s, n, why)) != ST_OK ||
	    (st = spec_check_code(s, n, why)) != ST_OK)
		return st;
	if ((st = spec_check_data(s, n, why)) != ST_OK ||
	    (st = spec_check_setup(s, n, why)) != ST_OK)
		return st;
	return spec_check_timing(s, n, why);
}

static void
release_arg(struct arg *a)
{
	expr_free(a->scalar);
	expr_free(a->imaginary);
	expr_free(a->shared.from);
	for (size_t i = 0; i < a->operand.ndims; i++)
		expr_free(a->operand.dims[i]);
	spec_release_record(a->operand.record);
	expr_free(a->operand.init.value);
	expr_free(a->operand.init.imaginary);
	free(a->operand.init.data);
	free(a->operand.init.function);
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
	free(s->setup);
	expr_free(s->flops);
	expr_free(s->bytes);
	expr_free(s->iterations);
	expr_free(s->check.iterations);
	spec_release_variant(&s->check.reference);
	spec_release_metric(&s->timing.metric);
	spec_release_program(&s->program);
}
