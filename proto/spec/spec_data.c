/* SPDX-License-Identifier: Apache-2.0 */
/* Whether calls meet one input or several by turns: of the spec, and of an operand. */
#include <string.h>

#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

#define TURNING_ELEMENTS	((uint64_t)1 << 20)	/* of all inputs: no core learns these */
#define TURNING_LEAST		64u

#define FORMS	"\"auto\", \"one\" or { \"rotate\": n }"

/* ---- the member ---- */

static enum status
check_rotate(void *out, const struct node *n, struct fault *why)
{
	(void)n;
	(void)why;
	((struct data *)out)->kind = DATA_ROTATE;
	return ST_OK;
}

static const struct shape_row	data_rows[] = {
	SPEC_ROW(offsetof(struct data, rotate), "rotate", SHAPE_COUNT, .least = 2,
	    .most = SPEC_MAX_INPUTS, .required = true, .check = check_rotate),
};
const struct shape		data_shape = SHAPE_OF(struct data, data_rows);

static enum status
get_form(struct data *d, const struct node *n, struct fault *why)
{
	enum status	st;

	if (json_is_object(n->value))
		return shape_get(&data_shape, d, n, SHAPE_WRITTEN, why);
	if (json_is_string(n->value))
		return decode_enum(n, words_data, &d->kind, why);
	st = decode_refuse(n, NULL, why, "must be a string or an object");
	fault_hint(why, FORMS);
	return st;
}

enum status
spec_get_data(void *out, const struct node *n, struct fault *why)
{
	return get_form(&((struct spec *)out)->data, n, why);
}

/* ---- of an operand ---- */

/* It has one place, whose pages all children share. */
static bool
is_fixed(const struct operand *o)
{
	return o->memory == MEMORY_STATIC && o->access == ACCESS_IN;
}

uint64_t
spec_inputs(const struct operand *o)
{
	const size_t	bytes = o->elements * spec_element_bytes(o);

	if (o->access == ACCESS_OUT || is_fixed(o))
		return 1;
	if (o->init.kind == INIT_DATA)
		return bytes != 0 && o->init.data_bytes > bytes ? o->init.data_bytes / bytes : 1;
	return spec_is_random(o) ? SPEC_MAX_INPUTS : 1;
}

unsigned
spec_inputs_by_turns(const struct operand *o)
{
	const uint64_t	most = spec_inputs(o);
	uint64_t	n = TURNING_ELEMENTS / o->elements;

	n = n < TURNING_LEAST ? TURNING_LEAST : n;
	return (unsigned)(n < most ? n : most);
}

bool
spec_is_random(const struct operand *o)
{
	return o->init.kind == INIT_RANDOM || o->init.kind == INIT_PERMUTATION ||
	    o->init.kind == INIT_TEXT;
}

bool
spec_is_slow_to_draw(const struct operand *o)
{
	const bool	is_ordered = o->init.kind == INIT_RANDOM && o->init.order != ORDER_RANDOM;

	return (is_ordered || o->init.kind == INIT_TEXT) &&
	    o->elements * spec_element_bytes(o) > SPEC_MAX_AUDITED_ORDER;
}

static enum status
check_inputs(const struct operand *o, const struct node *n, struct fault *why)
{
	const uint64_t	inputs = spec_inputs(o);
	enum status	st;

	if (o->data.kind != DATA_ROTATE || o->data.rotate <= inputs)
		return ST_OK;
	if (o->access == ACCESS_OUT)
		return decode_refuse(n, NULL, why, "the operand is only written: it is no input");
	if (is_fixed(o)) {
		st = decode_refuse(n, NULL, why,
		    "a static operand that is only read keeps its one input");
		fault_hint(why, "make its memory \"heap\"");
		return st;
	}
	if (o->init.kind == INIT_DATA && inputs > 1)
		return decode_refuse(n, "rotate", why, "is %u, but the data are %llu inputs",
		    o->data.rotate, (unsigned long long)inputs);
	st = decode_refuse(n, NULL, why, "the operand has one input, which its init describes");
	fault_hint(why, o->init.kind == INIT_DATA ? "give data for several, one behind the other" :
	    "make its init random");
	return st;
}

/* An operand without other inputs keeps its one if the spec rotates. */
static void
set_default(struct operand *o, const struct data *of_spec)
{
	const uint64_t	inputs = spec_inputs(o);

	o->data = *of_spec;
	if (o->data.kind == DATA_AUTO && o->init.kind == INIT_DATA && inputs > 1)
		o->data = (struct data){ DATA_ROTATE, SPEC_MAX_INPUTS };
	if (o->data.kind != DATA_ROTATE)
		return;
	if (inputs < 2)
		o->data = (struct data){ DATA_ONE, 0 };
	else if (o->data.rotate > inputs)
		o->data.rotate = (unsigned)inputs;
}

enum status
spec_get_place_data(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	enum status	 st;

	if (n->value == NULL) {
		set_default(&p->o, &p->spec->data);
		return ST_OK;
	}
	if ((st = get_form(&p->o.data, n, why)) != ST_OK)
		return st;
	return check_inputs(&p->o, n, why);
}

/* ---- what it cannot be had with ---- */

static bool
is_rotating(const struct spec *s, size_t arg)
{
	return s->args[arg].is_operand && s->args[arg].operand.data.kind == DATA_ROTATE;
}

static enum status
refuse(const struct node *n, struct fault *why, const char *text, const char *hint)
{
	enum status	st = decode_refuse(n, "data", why, "%s", text);

	fault_hint(why, "%s", hint);
	return st;
}

enum status
spec_check_data(const struct spec *s, const struct node *n, struct fault *why)
{
	struct node	args = decode_member(n, "args"), arg;
	size_t		first;

	if (s->checkpoint != NULL)
		return s->data.kind == DATA_AUTO ? ST_OK : refuse(n, why,
		    "an image has the one input that it was recorded with", "leave it out");
	if (spec_count_args(s, is_rotating, &first) == 0)
		return s->data.kind != DATA_ROTATE ? ST_OK : refuse(n, why,
		    "no operand that is read has other inputs", "make the init of one random");
	arg = decode_member(&args, s->routine.params[first].name);
	if (s->timing.guard == GUARD_SEPARATE)
		return refuse(&arg, why,
		    "inputs cannot take turns while range_guard separates outputs",
		    "use range_guard \"restore\" or \"none\"");
	if ((s->timing.guard == GUARD_ALTERNATE || s->timing.guard == GUARD_PAIR) &&
	    s->timing.calls > 1 && s->context == CONTEXT_WARM)
		return refuse(&arg, why,
		    "inputs cannot take turns within a sample whose signs do",
		    "leave timing.calls out, or use another range_guard");
	return ST_OK;
}
