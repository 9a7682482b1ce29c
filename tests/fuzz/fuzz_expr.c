/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions.  What parses is evaluated twice with the same result, and its C form, read again as
 * an expression as far as the two languages agree, has the same value: parentheses and precedences
 * cannot be lost on the way.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/expr.h"
#include "tests/fuzz/fuzz.h"

/* A name's value follows from its first letter; some are reals, some text, some are unknown. */
static bool
look_up(void *arg, const char *name, struct value *out)
{
	(void)arg;
	if (name[0] == 'Z')
		return false;
	*out = (struct value){ .kind = VALUE_INT, .i = name[0] - 'A' };
	if (name[0] >= 'a')
		*out = (struct value){ .kind = VALUE_REAL, .r = (name[0] - 'h') / 4.0 };
	if (name[0] == 'T')
		*out = (struct value){ .kind = VALUE_TEXT, .text = "text" };
	return true;
}

static void
must_be_equal(const struct value *a, const struct value *b)
{
	must(a->kind == b->kind);
	must(a->kind == VALUE_INT ? a->i == b->i : a->r == b->r);
}

/*
 * C's names of functions and integers are not an expression's: take rt_ and LL away.  Names may
 * hold both.
 */
static bool
as_expression(char *c)
{
	char	*to = c;

	for (const char *s = c; *s != '\0';) {
		if (strncmp(s, "rt_", 3) == 0) {
			s += 3;
		} else if (strncmp(s, "LL", 2) == 0) {
			s += 2;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
	return strlen(c) <= EXPR_MAX_BYTES;
}

static void
check_c(const struct expr *e, enum status want, const struct value *value)
{
	size_t		 bytes = expr_put_c(e, NULL, 0) + 1;
	char		*c = malloc(bytes);
	struct expr	*again;
	struct value	 v;
	struct fault	 why;

	must(c != NULL);
	must(expr_put_c(e, c, bytes) == bytes - 1 && strlen(c) == bytes - 1);
	if (strstr(expr_text(e), "rt_") == NULL && strstr(expr_text(e), "LL") == NULL &&
	    as_expression(c) && expr_parse(&again, c, &why) == ST_OK) {
		must(expr_eval(again, look_up, NULL, &v, &why) == want);
		if (want == ST_OK)
			must_be_equal(value, &v);
		expr_free(again);
	}
	free(c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char		*text = malloc(size + 1);
	struct expr	*e;
	struct fault	 why;
	struct value	 v, again;
	enum status	 st;

	must(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	if (expr_parse(&e, text, &why) == ST_OK) {
		st = expr_eval(e, look_up, NULL, &v, &why);
		must(st == ST_OK || (st == ST_BAD_SPEC && why.text[0] != '\0'));
		must(expr_eval(e, look_up, NULL, &again, &why) == st);
		if (st == ST_OK) {
			must(v.kind == VALUE_INT || (v.kind == VALUE_REAL && isfinite(v.r)));
			must_be_equal(&v, &again);
		}
		check_c(e, st, &v);
		expr_free(e);
	} else {
		must(e == NULL && why.text[0] != '\0');
	}
	free(text);
	return 0;
}
