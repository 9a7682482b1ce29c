/* SPDX-License-Identifier: Apache-2.0 */
/* Operands that functions of the spec fill before anything is timed. */
#include "proto/spec/spec_parts.h"

bool
spec_is_filled(const struct spec *s, size_t arg)
{
	return s->args[arg].is_operand && s->args[arg].operand.init.kind == INIT_FUNCTION;
}

size_t
spec_filled_bytes(const struct spec *s, size_t arg)
{
	const struct operand	*o = &s->args[arg].operand;

	return o->elements * spec_element_bytes(o);
}

/* Their bytes become part of the driver. */
static enum status
check_bytes(const struct spec *s, const struct node *n, struct fault *why)
{
	const struct node	args = decode_member(n, "args");
	size_t			left = SPEC_MAX_FILLED;
	enum status		st;

	for (size_t i = 0; i < s->routine.nparams; i++) {
		const struct node	arg = decode_member(&args, s->routine.params[i].name);

		if (!spec_is_filled(s, i))
			continue;
		if (spec_filled_bytes(s, i) > left) {
			st = decode_refuse(&arg, "init", why, "functions fill %d bytes at most, "
			    "all operands together; this one has %zu", SPEC_MAX_FILLED,
			    spec_filled_bytes(s, i));
			fault_hint(why, "make it smaller, or its init random");
			return st;
		}
		left -= spec_filled_bytes(s, i);
	}
	return ST_OK;
}

enum status
spec_check_setup(const struct spec *s, const struct node *n, struct fault *why)
{
	enum status	st;

	if (s->setup == NULL || spec_count_args(s, spec_is_filled, NULL) > 0)
		return check_bytes(s, n, why);
	st = decode_refuse(n, "setup", why, "no operand is filled by a function of it");
	fault_hint(why, "give an operand the init { \"function\": \"fill\" }, or leave setup out");
	return st;
}
