/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proto/spec/spec_parts.h"

/* A JSON number as an expression. */
static void
put_number(const json_t *v, char *buf, size_t bytes)
{
	if (json_is_real(v))
		decode_put_real(json_real_value(v), buf, bytes);
	else if (json_integer_value(v) == INT64_MIN)	/* its digits alone do not fit */
		(void)snprintf(buf, bytes, "-%" PRId64 " - 1", INT64_MAX);
	else
		(void)snprintf(buf, bytes, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
}

enum status
spec_decode_expr(const struct node *n, struct expr **out, struct fault *why)
{
	const char	*text = json_string_value(n->value);
	char		 number[48];
	enum status	 st;

	if (text == NULL && !json_is_number(n->value))
		return decode_refuse_type(n, "an expression (a string) or a number", why);
	if (text != NULL && strlen(text) != json_string_length(n->value))
		return decode_refuse(n, NULL, why, "must not contain a NUL character");
	if (text == NULL) {
		put_number(n->value, number, sizeof number);
		text = number;
	}
	if ((st = expr_parse(out, text, why)) != ST_OK)
		(void)decode_place(n, why);
	return st;
}
