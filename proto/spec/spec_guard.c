/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers kept in range over many calls (RangeGuard; Whaley and Castaldo, section 5.2): the form
 * that the spec asks for, and whether the routine has what that form needs.
 */
#include <string.h>

#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

#define MEMBER	"range_guard"
#define RETURN	"return"		/* no argument can have this name */

/* --- what the routine has --- */

static bool
is_floating_scalar(const struct spec *s, size_t i)
{
	return !s->routine.params[i].is_pointer && ctype_is_floating(s->routine.params[i].type);
}

static bool
is_floating_input(const struct spec *s, size_t i)
{
	const struct operand	*o = &s->args[i].operand;

	return s->args[i].is_operand && o->access == ACCESS_IN && ctype_is_floating(o->type) &&
	    !s->routine.params[i].is_rows && !spec_is_joint(s, i);
}

static bool
is_inout(const struct spec *s, size_t i)
{
	return s->args[i].is_operand && s->args[i].operand.access == ACCESS_INOUT;
}

static bool
is_written(const struct spec *s, size_t i)
{
	return s->args[i].is_operand && s->args[i].operand.access != ACCESS_IN;
}

static bool
is_cold(const struct spec *s, size_t i)
{
	return s->args[i].is_operand && s->args[i].operand.cache == CACHE_COLD;
}

static bool
is_placed(const struct spec *s, size_t i)
{
	enum cache_state	c = s->args[i].operand.cache;

	return s->args[i].is_operand && (c == CACHE_L2 || c == CACHE_L3);
}

static bool
is_warm_output(const struct spec *s, size_t i)
{
	return is_written(s, i) && !is_cold(s, i);
}

static bool
has_inout(const struct spec *s)
{
	return spec_count_args(s, is_inout, NULL) > 0;
}

enum range_guard
spec_range_guard(const struct spec *s)
{
	if (s->timing.guard != GUARD_AUTO)
		return s->timing.guard;
	return has_inout(s) ? GUARD_RESTORE : GUARD_NONE;
}

bool
spec_restores(const struct spec *s)
{
	enum range_guard	g = spec_range_guard(s);

	return has_inout(s) && (g == GUARD_RESTORE || g == GUARD_SEPARATE ||
	    (g == GUARD_ALTERNATE && s->timing.guard_arg == SPEC_RETURN));
}

/* An image has no operands; with a context that is not warm its memory is flushed. */
bool
spec_is_cold(const struct spec *s)
{
	if (s->checkpoint != NULL)
		return s->context != CONTEXT_WARM;
	for (size_t i = 0; i < s->routine.nparams; i++) {
		const enum cache_state	cache = s->args[i].operand.cache;

		if (s->args[i].is_operand && cache != CACHE_WARM && cache != CACHE_L1)
			return true;
	}
	return false;
}

bool
spec_is_paired(const struct spec *s, size_t arg)
{
	return s->timing.guard == GUARD_PAIR && s->timing.guard_arg == arg;
}

/* --- whom it concerns --- */

/* What would do instead of a form that cannot. */
static enum status
refuse(const struct spec *s, const struct node *n, struct fault *why, const char *text)
{
	enum status	st = decode_refuse(n, NULL, why, "%s", text);
	size_t		first;

	if (has_inout(s))
		fault_hint(why, "use \"restore\"");
	else if (s->timing.guard == GUARD_ALTERNATE &&
	    spec_count_args(s, is_floating_input, &first) > 0)
		fault_hint(why, "use { \"pair\": \"%s\" }", s->routine.params[first].name);
	else if (s->timing.guard == GUARD_PAIR && ctype_is_floating(s->routine.result))
		fault_hint(why, "use { \"alternate\": \"" RETURN "\" }");
	else
		fault_hint(why, "leave it out: nothing accumulates");
	return st;
}

/* The argument that a form names. */
static enum status
find_named(const struct spec *s, const struct node *n, const char *name, size_t *arg,
    struct fault *why)
{
	const char	*names[PROTOTYPE_MAX_PARAMS + 1] = { NULL };
	enum status	 st;

	for (*arg = 0; *arg < s->routine.nparams; ++*arg) {
		names[*arg] = s->routine.params[*arg].name;
		if (strcmp(names[*arg], name) == 0)
			return ST_OK;
	}
	st = decode_refuse(n, NULL, why, "the routine has no argument \"%s\"", name);
	decode_hint(why, name, names);
	return st;
}

static enum status
check_scalar(const struct spec *s, const struct node *n, size_t arg, struct fault *why)
{
	if (!is_floating_scalar(s, arg))
		return refuse(s, n, why,
		    "is no floating scalar: only of such a one can the sign alternate");
	if (value_real(&s->args[arg].value) == 0)
		return refuse(s, n, why, "the scalar is 0, which has no sign to alternate");
	return ST_OK;
}

/*
 * Left unnamed: the result where nothing but it accumulates, else the routine's one floating
 * scalar.
 */
static enum status
choose_alternate(struct spec *s, const struct node *n, struct fault *why)
{
	size_t		first = 0, scalars = spec_count_args(s, is_floating_scalar, &first);
	enum status	st;

	s->timing.guard_arg = SPEC_RETURN;
	if (ctype_is_floating(s->routine.result) && !has_inout(s))
		return ST_OK;
	if (scalars == 0)
		return refuse(s, n, why,
		    "alternate needs a floating scalar argument whose sign it can alternate");
	s->timing.guard_arg = first;
	if (scalars == 1)
		return check_scalar(s, n, first, why);
	st = decode_refuse(n, NULL, why,
	    "there are %zu floating scalars whose sign could alternate", scalars);
	fault_hint(why, "name one: { \"alternate\": \"%s\" }", s->routine.params[first].name);
	return st;
}

static enum status
find_alternate(struct spec *s, const struct node *n, const char *name, struct fault *why)
{
	enum status	st;

	if (strcmp(name, RETURN) == 0) {
		s->timing.guard_arg = SPEC_RETURN;
		return ctype_is_floating(s->routine.result) ? ST_OK :
		    refuse(s, n, why, "the routine returns no floating number whose sum "
		    "could alternate");
	}
	if ((st = find_named(s, n, name, &s->timing.guard_arg, why)) != ST_OK)
		return st;
	return check_scalar(s, n, s->timing.guard_arg, why);
}

static bool
can_be_negated(const struct operand *o)
{
	if (ctype_is_floating(o->type))
		return true;
	return ctype_class(o->type) == 'i' && o->init.kind != INIT_INDEX &&
	    o->init.kind != INIT_PERMUTATION && o->init.kind != INIT_TEXT;
}

static enum status
find_pair(struct spec *s, const struct node *n, const char *name, struct fault *why)
{
	const struct arg	*a;
	enum status		 st;

	if ((st = find_named(s, n, name, &s->timing.guard_arg, why)) != ST_OK)
		return st;
	a = &s->args[s->timing.guard_arg];
	if (!a->is_operand || a->operand.access != ACCESS_IN)
		return refuse(s, n, why,
		    "is no operand that is only read: no other can be had negated as well");
	if (spec_is_joint(s, s->timing.guard_arg))
		return refuse(s, n, why,
		    "is shared with another argument, which would not turn with it");
	if (!can_be_negated(&a->operand))
		return refuse(s, n, why,
		    "has no negative: pair needs signed or floating elements that are no indices "
		    "or text");
	return ST_OK;
}

static enum status
choose_pair(struct spec *s, const struct node *n, struct fault *why)
{
	if (spec_count_args(s, is_floating_input, &s->timing.guard_arg) > 0)
		return ST_OK;
	return refuse(s, n, why, "pair needs a floating operand that is only read");
}

static enum status
check_room(const struct spec *s, const struct node *n, struct fault *why)
{
	size_t	bytes = 0, all;

	for (size_t i = 0; i < s->routine.nparams; i++)
		if (is_written(s, i))
			bytes += s->args[i].operand.elements *
			    spec_element_bytes(&s->args[i].operand);
	if (__builtin_mul_overflow(bytes, (size_t)s->timing.calls, &all) ||
	    all > SPEC_MAX_OPERAND_BYTES)
		return refuse(s, n, why, "so many calls would need more than 4 GiB of outputs");
	return ST_OK;
}

static enum status
check_separate(const struct spec *s, const struct node *n, struct fault *why)
{
	size_t		first;
	enum status	st;

	if (spec_count_args(s, is_written, &first) == 0)
		return refuse(s, n, why,
		    "no operand is out or inout: there are no outputs to separate");
	if (spec_count_args(s, is_placed, &first) > 0)
		return refuse(s, n, why, "operands cannot be held in L2 or L3 while outputs move");
	if (spec_count_args(s, is_cold, &first) > 0 &&
	    spec_count_args(s, is_warm_output, &first) > 0)
		return refuse(s, n, why,
		    "an output is warm, but beside cold operands separate ones are cold");
	if (s->timing.method != FLUSH_ONE_CALL_LRU && s->timing.method != FLUSH_ONE_CALL_X86)
		return check_room(s, n, why);
	st = decode_refuse(n, NULL, why, "%s times one call a sample: it has one set of outputs",
	    flush_method_name(s->timing.method));
	fault_hint(why, "use MultiCallFlushLRU, or leave range_guard out");
	return st;
}

enum status
spec_find_guard(void *out, const struct node *timing, struct fault *why)
{
	struct spec	*s = out;
	struct node	n = decode_member(timing, MEMBER), of;
	bool		is_named = json_is_object(n.value);
	const char	*name;

	if (is_named)
		of = decode_member(&n, range_guard_name(s->timing.guard));
	name = is_named ? json_string_value(of.value) : NULL;
	switch (s->timing.guard) {
	case GUARD_RESTORE:
		return has_inout(s) ? ST_OK :
		    refuse(s, &n, why, "no operand is inout: there is nothing to restore");
	case GUARD_ALTERNATE:
		return is_named ? find_alternate(s, &of, name, why) : choose_alternate(s, &n, why);
	case GUARD_PAIR:
		return is_named ? find_pair(s, &of, name, why) : choose_pair(s, &n, why);
	case GUARD_SEPARATE:
		return check_separate(s, &n, why);
	default:
		return ST_OK;
	}
}
