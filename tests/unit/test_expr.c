/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/text/expr.h"

static bool
look_up(void *arg, const char *name, struct value *out)
{
	static const struct { const char *name; struct value value; } params[] = {
		{ "N", { .kind = VALUE_INT, .i = 1000 } },
		{ "B", { .kind = VALUE_INT, .i = 16 } },
		{ "Z", { .kind = VALUE_INT, .i = 0 } },
		{ "MOST", { .kind = VALUE_INT, .i = INT64_MAX } },
		{ "ALPHA", { .kind = VALUE_REAL, .r = 0.25 } },
		{ "ENDLESS", { .kind = VALUE_REAL, .r = HUGE_VAL } },
		{ "ORDER", { .kind = VALUE_TEXT, .text = "row" } },
	};

	(void)arg;
	for (size_t i = 0; i < sizeof params / sizeof params[0]; i++) {
		if (strcmp(params[i].name, name) == 0) {
			*out = params[i].value;
			return true;
		}
	}
	return false;
}

static enum status
evaluate(const char *text, struct value *v, struct fault *why)
{
	struct expr	*e;
	enum status	 st;

	if ((st = expr_parse(&e, text, why)) != ST_OK)
		return st;
	assert_string_equal(expr_text(e), text);
	st = expr_eval(e, look_up, NULL, v, why);
	expr_free(e);
	return st;
}

static const struct integer_case {
	const char	*text;
	int64_t		 value;
} integer_cases[] = {
	{ "1", 1 }, { " 42 ", 42 }, { "2*N", 2000 }, { "2+3*4", 14 }, { "(2+3)*4", 20 },
	{ "7-2-1", 4 }, { "-7/2", -3 }, { "7/2", 3 }, { "-7%3", -1 }, { "2*-3", -6 }, { "--3", 3 },
	{ "-(-N)", 1000 }, { "100/10/5", 2 }, { "010", 10 }, { "N % B", 8 }, { "min(N, B)", 16 },
	{ "max(N, B) + 1", 1001 }, { "ceil(N / 3.0)", 334 }, { "floor(-0.5)", -1 },
	{ "ceil(7)", 7 }, { "1 < 2", 1 }, { "2 <= 1", 0 }, { "3 > 2.5", 1 }, { "N >= 1000", 1 },
	{ "1 == 1.0", 1 }, { "1 != 1", 0 }, { "!N", 0 }, { "!0", 1 }, { "!!5", 1 }, { "1 && 2", 1 },
	{ "1 && 0", 0 }, { "0 || 3", 1 }, { "0 || 0", 0 }, { "1 || 0 && 0", 1 },
	{ "1 + 1 == 2 && 3 < 4", 1 }, { "Z != 0 && N / Z > 2", 0 }, { "Z == 0 || N / Z > 2", 1 },
	{ "(Z && 1 / Z) + 5", 5 }, { "0 && (1 || 1 / Z)", 0 }, { "MOST - 1 + 1", INT64_MAX },
	{ "-MOST - 1", INT64_MIN }, { "(-MOST - 1) % -1", 0 },
	{ "min(3, 1) == min(1, 3)", 1 }, { "1-1", 0 }, { "9223372036854775807", INT64_MAX },
	{ "max(min(1,2),min(3,4))", 3 }, { "\t1\n+\r1 ", 2 },
};

static const struct real_case {
	const char	*text;
	double		 value;
} real_cases[] = {
	{ "1.5", 1.5 }, { ".5", 0.5 }, { "2.", 2 }, { "1e3", 1000 }, { "1E-2", 0.01 },
	{ "1.5e+2", 150 }, { "N / 3.0", 1000 / 3.0 }, { "ALPHA * N", 250 }, { "-ALPHA", -0.25 },
	{ "pow(2, 10)", 1024 }, { "pow(2, 0.5)", 1.4142135623730951 },
	{ "log2(B)", 4 }, { "min(1, 0.5)", 0.5 }, { "max(1, 0.5)", 1 }, { "1 + 1.0", 2 },
	{ "1 - .5", 0.5 }, { "9223372036854775808.0", 9223372036854775808.0 },
	{ "99999999999999999999e-10", 9999999999.9999999999 },
};

static const struct refusal {
	const char	*text, *words;
} parse_refusals[] = {
	{ "", "expected a value, but the expression ends" }, { "2*", "expected a value" },
	{ "2 3", "expected an operator" },
	{ "(1", "closing parenthesis" }, { "1)", "expected an operator or the end" },
	{ "()", "expected a value" }, { "min(1)", "a comma" },
	{ "min(1,2,3)", "closing parenthesis" }, { "ceil(1,2)", "closing parenthesis" },
	{ "sqrt(2)", "no function \"sqrt\"" }, { "a b", "expected an operator" },
	{ "1 = 1", "expected an operator" }, { "1 & 1", "expected an operator" },
	{ "+1", "expected a value" }, { "1 < 2 < 3", "do not chain" }, { "3x", "not a number" },
	{ "1.2.3", "not a number" }, { "0x10", "not a number" }, { "1e", "not a number" },
	{ "9223372036854775808", "does not fit 64 bits" },
	{ "1e999", "too large" }, { "\"a\"", "expected a value" }, { "N;", "expected an operator" },
	{ "ä", "expected a value" },
}, eval_refusals[] = {
	{ "M", "no \"M\"" }, { "ORDER", "\"ORDER\" is text" }, { "ORDER == ORDER", "text" },
	{ "1/0", "division by zero" },
	{ "1%0", "division by zero" }, { "1.0/0", "division by zero" },
	{ "1.5 % 2", "integers only" }, { "MOST + 1", "64 bits" },
	{ "-MOST - 2", "64 bits" }, { "MOST * 2", "64 bits" }, { "-(-MOST - 1)", "64 bits" },
	{ "(-MOST - 1) / -1", "64 bits" },
	{ "log2(0)", "not finite" }, { "log2(-1)", "not finite" }, { "pow(-1, 0.5)", "not finite" },
	{ "1e308 * 10", "not finite" },
	{ "ceil(1e300)", "64 bits" }, { "floor(-1e19)", "64 bits" }, { "ENDLESS", "not finite" },
	{ "1 && 1/Z", "division by zero" },
};

#define LENGTH(array)	(sizeof (array) / sizeof (array)[0])

static void
test_expr_integers_stay_integers(void **state)
{
	struct fault	why;
	struct value	v;

	(void)state;
	for (size_t i = 0; i < LENGTH(integer_cases); i++) {
		if (evaluate(integer_cases[i].text, &v, &why) != ST_OK)
			fail_msg("%s: %s", integer_cases[i].text, why.text);
		if (v.kind != VALUE_INT || v.i != integer_cases[i].value)
			fail_msg("%s gives %" PRId64 " (kind %d)",
			    integer_cases[i].text, v.i, v.kind);
	}
}

static void
test_expr_a_real_makes_all_real(void **state)
{
	struct fault	why;
	struct value	v;

	(void)state;
	for (size_t i = 0; i < LENGTH(real_cases); i++) {
		if (evaluate(real_cases[i].text, &v, &why) != ST_OK)
			fail_msg("%s: %s", real_cases[i].text, why.text);
		if (v.kind != VALUE_REAL || v.r != real_cases[i].value)
			fail_msg("%s gives %.17g (kind %d)", real_cases[i].text, v.r, v.kind);
	}
}

static void
test_expr_bad_syntax_is_refused_with_its_place(void **state)
{
	struct expr	*e;
	struct fault	 why;

	(void)state;
	for (size_t i = 0; i < LENGTH(parse_refusals); i++) {
		assert_int_equal(expr_parse(&e, parse_refusals[i].text, &why), ST_BAD_SPEC);
		assert_null(e);
		if (strstr(why.text, parse_refusals[i].words) == NULL ||
		    strstr(why.text, "column ") == NULL)
			fail_msg("%s: %s", parse_refusals[i].text, why.text);
	}
	assert_int_equal(expr_parse(&e, "1 + * 2", &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "column 5"));
}

static void
test_expr_what_has_no_value_is_an_error(void **state)
{
	struct fault	why;
	struct value	v;

	(void)state;
	for (size_t i = 0; i < LENGTH(eval_refusals); i++) {
		assert_int_equal(evaluate(eval_refusals[i].text, &v, &why), ST_BAD_SPEC);
		if (strstr(why.text, eval_refusals[i].words) == NULL)
			fail_msg("%s: %s", eval_refusals[i].text, why.text);
	}
}

static void
test_expr_unknown_functions_get_a_proposal(void **state)
{
	struct expr	*e;
	struct fault	 why;

	(void)state;
	assert_int_equal(expr_parse(&e, "cieling(1)", &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.hint, "functions: "));
	assert_int_equal(expr_parse(&e, "flor(1)", &why), ST_BAD_SPEC);
	assert_string_equal(why.hint, "did you mean \"floor\"?");
}

static void
test_expr_names_are_listed_once(void **state)
{
	struct expr	*e;
	struct fault	 why;

	(void)state;
	assert_int_equal(expr_parse(&e, "A + B*A - min(C, B) + _d1", &why), ST_OK);
	assert_string_equal(expr_name(e, 0), "A");
	assert_string_equal(expr_name(e, 1), "B");
	assert_string_equal(expr_name(e, 2), "C");
	assert_string_equal(expr_name(e, 3), "_d1");
	assert_null(expr_name(e, 4));
	expr_free(e);
}

/* n times what comes before, the middle, n times what comes after. */
static char *
nest(size_t n, const char *before, const char *middle, const char *after)
{
	size_t	 bytes = n * (strlen(before) + strlen(after)) + strlen(middle) + 1;
	char	*text = malloc(bytes), *at = text;

	assert_non_null(text);
	for (size_t i = 0; i < n; i++)
		at = stpcpy(at, before);
	at = stpcpy(at, middle);
	for (size_t i = 0; i < n; i++)
		at = stpcpy(at, after);
	return text;
}

static void
test_expr_nesting_ends_at_the_limit(void **state)
{
	static const struct { const char *before, *middle, *after; } shapes[] = {
		{ "(", "1", ")" }, { "-", "1", "" }, { "!", "1", "" }, { "min(1,", "1", ")" },
		{ "0||1&&1==0<1+1*(", "1", ")" },
	};
	struct fault	why;
	struct value	v;

	(void)state;
	for (size_t i = 0; i < LENGTH(shapes); i++) {
		char	*most = nest(EXPR_MAX_DEPTH - 1, shapes[i].before, shapes[i].middle,
			    shapes[i].after);
		char	*more = nest(EXPR_MAX_DEPTH, shapes[i].before, shapes[i].middle,
			    shapes[i].after);

		assert_int_equal(evaluate(most, &v, &why), ST_OK);
		assert_int_equal(evaluate(more, &v, &why), ST_BAD_SPEC);
		assert_non_null(strstr(why.text, "nested deeper than 64"));
		free(most);
		free(more);
	}
}

static void
test_expr_may_be_long_if_it_is_flat(void **state)
{
	char		*most = nest((EXPR_MAX_BYTES - 2) / 2, "1+", "1", ""),
	    *more = nest(EXPR_MAX_BYTES / 2, "1+", "1", "");
	struct fault	 why;
	struct value	 v;

	(void)state;
	assert_int_equal(evaluate(most, &v, &why), ST_OK);
	assert_int_equal(v.i, EXPR_MAX_BYTES / 2);
	assert_int_equal(evaluate(more, &v, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "at most 4096 bytes"));
	free(most);
	free(more);
}

static void
put_c(const char *text, char *buf, size_t bytes)
{
	struct expr	*e;
	struct fault	 why;

	assert_int_equal(expr_parse(&e, text, &why), ST_OK);
	assert_int_equal(expr_put_c(e, NULL, 0), expr_put_c(e, buf, bytes));
	assert_int_equal(strlen(buf), expr_put_c(e, buf, bytes));
	expr_free(e);
}

static void
test_expr_is_written_as_c_with_all_parentheses(void **state)
{
	char	c[200];

	(void)state;
	put_c("2*N+1", c, sizeof c);
	assert_string_equal(c, "((2LL * N) + 1LL)");
	put_c("-(a+b)*c", c, sizeof c);
	assert_string_equal(c, "((-(a + b)) * c)");
	put_c("a-b-c", c, sizeof c);
	assert_string_equal(c, "((a - b) - c)");
	put_c("max(a, pow(2, b+1)) % 3 == 0 || !c", c, sizeof c);
	assert_string_equal(c, "(((rt_max(a, rt_pow(2LL, (b + 1LL))) % 3LL) == 0LL) || (!c))");
	put_c("1e3 + 0.1", c, sizeof c);
	assert_string_equal(c, "(1000.0 + 0.10000000000000001)");
	put_c("ceil(log2(floor(x)))", c, sizeof c);
	assert_string_equal(c, "rt_ceil(rt_log2(rt_floor(x)))");
}

static void
test_expr_as_c_is_cut_and_terminated(void **state)
{
	struct expr	*e;
	struct fault	 why;
	char		 c[8] = "xxxxxxx";

	(void)state;
	assert_int_equal(expr_parse(&e, "N * N", &why), ST_OK);
	assert_int_equal(expr_put_c(e, c, 5), strlen("(N * N)"));
	assert_string_equal(c, "(N *");
	assert_int_equal(c[5], 'x');
	expr_free(e);
}

/* The C compiler is asked what the expressions that C can say are worth. */
static void
test_expr_as_c_has_the_same_value(void **state)
{
	char	 path[] = "/tmp/test_expr.XXXXXX.c", program[sizeof path + 4],
		    command[200], c[4096];
	int	 fd = mkstemps(path, 2);
	FILE	*f = fdopen(fd, "w");

	(void)state;
	assert_non_null(f);
	fprintf(f, "#include <math.h>\n#include <stdint.h>\n#define rt_min(a, b) ((a) < (b) "
	    "? (a) : (b))\n" "#define rt_max(a, b) ((a) > (b) ? (a) : (b))\n#define rt_pow "
	    "pow\n#define rt_log2 log2\n"
	    "#define rt_ceil(x) ((long long)ceil(x))\n#define rt_floor(x) ((long long)floor(x))\n"
	    "static long long N = 1000, B = 16, Z = 0, MOST = INT64_MAX; static double "
	    "ALPHA = 0.25;\n" "int main(void) {\n(void)N, (void)B, (void)Z, (void)MOST, "
	    "(void)ALPHA;\n");
	for (size_t i = 0; i < LENGTH(integer_cases); i++) {
		if (strstr(integer_cases[i].text, "% -1") != NULL)
			continue;	/* undefined in C */
		put_c(integer_cases[i].text, c, sizeof c);
		fprintf(f, "if (%s != (long long)%" PRIu64 "ULL) return %zu;\n", c,
		    (uint64_t)integer_cases[i].value, i + 1);
	}
	for (size_t i = 0; i < LENGTH(real_cases); i++) {
		put_c(real_cases[i].text, c, sizeof c);
		fprintf(f, "if (%s != %.17g) return %zu;\n", c, real_cases[i].value, 100 + i);
	}
	fprintf(f, "return 0;\n}\n");
	assert_int_equal(fclose(f), 0);
	(void)snprintf(program, sizeof program, "%s.exe", path);
	(void)snprintf(command, sizeof command, "cc -w -o %s %s -lm && %s", program, path, program);
	assert_int_equal(system(command), 0);
	(void)unlink(program);
	(void)unlink(path);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_expr_integers_stay_integers),
		cmocka_unit_test(test_expr_a_real_makes_all_real),
		cmocka_unit_test(test_expr_bad_syntax_is_refused_with_its_place),
		cmocka_unit_test(test_expr_what_has_no_value_is_an_error),
		cmocka_unit_test(test_expr_unknown_functions_get_a_proposal),
		cmocka_unit_test(test_expr_names_are_listed_once),
		cmocka_unit_test(test_expr_nesting_ends_at_the_limit),
		cmocka_unit_test(test_expr_may_be_long_if_it_is_flat),
		cmocka_unit_test(test_expr_is_written_as_c_with_all_parentheses),
		cmocka_unit_test(test_expr_as_c_is_cut_and_terminated),
		cmocka_unit_test(test_expr_as_c_has_the_same_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
