/* SPDX-License-Identifier: Apache-2.0 */
/* The iterations of one call: an expression, or what the routine returns. */
#include <math.h>
#include <string.h>

#include "proto/spec/spec_parts.h"

static enum status
take_returned(struct spec *s, const struct node *n, struct fault *why)
{
	const enum ctype	result = s->routine.result;
	enum status		st;

	if (s->checkpoint != NULL) {
		st = decode_refuse(n, NULL, why, "is \"return\", but what a routine in a "
		    "checkpoint returns goes to its application");
		fault_hint(why, "give an expression");
		return st;
	}
	if (result == CTYPE_BOOL || (ctype_class(result) != 'i' && ctype_class(result) != 'u')) {
		st = decode_refuse(n, NULL, why, "is \"return\", but the routine returns %s, which "
		    "is no number of iterations", ctype_name(result));
		fault_hint(why, "let it return an int or a long, or give an expression");
		return st;
	}
	s->iterations_returned = true;
	return ST_OK;
}

enum status
spec_get_checked_iterations(void *out, const struct node *n, struct fault *why)
{
	struct check	*c = out;

	return spec_decode_expr(n, &c->iterations, why);
}

/* The spec's params are known by now, and what its iterations are. */
enum status
spec_check_iterations(struct spec *s, const struct node *check, struct fault *why)
{
	const struct node	n = decode_member(check, "iterations");
	struct value		v;
	enum status		st;

	if (s->check.iterations == NULL)
		return ST_OK;
	if (!s->iterations_returned) {
		st = decode_refuse(&n, NULL, why, "is compared with what the routine returns");
		fault_hint(why, "set spec.iterations to \"return\"");
		return st;
	}
	if ((st = spec_eval(s, &n, s->check.iterations, &v, why)) != ST_OK)
		return st;
	s->check.iterations_count = value_real(&v);
	if (s->check.iterations_count >= 1 && isfinite(s->check.iterations_count))
		return ST_OK;
	return decode_refuse(&n, NULL, why, "is %g; a call has 1 iteration or more",
	    s->check.iterations_count);
}

enum status
spec_get_iterations(void *out, const struct node *n, struct fault *why)
{
	struct spec	*s = out;
	const char	*text = json_string_value(n->value);
	struct value	 v;
	enum status	 st;

	if (text != NULL && strcmp(text, "return") == 0)
		return take_returned(s, n, why);
	if ((st = spec_decode_expr(n, &s->iterations, why)) != ST_OK ||
	    (st = spec_eval(s, n, s->iterations, &v, why)) != ST_OK)
		return st;
	s->iterations_count = value_real(&v);
	if (s->iterations_count > 0 && isfinite(s->iterations_count))
		return ST_OK;
	return decode_refuse(n, NULL, why, "is %g; a call has more than 0 iterations",
	    s->iterations_count);
}
