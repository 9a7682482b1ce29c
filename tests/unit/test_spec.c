/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/name.h"
#include "proto/spec/spec.h"
#include "tests/support/job_encode.h"
#include "tests/support/quoted.h"

#define LENGTH(array)	(sizeof (array) / sizeof (array)[0])

/* The document that the decoder's users are shown, with ' for ". */
static const char	example[] =
    "{ 'variant': { 'language': 'c', 'source': 'int x;', 'name': 'dot_u4', 'flags': ['-O3'], "
    "'compiler': 'gcc'," "    'defines': { 'UNROLL': 4 } },"
    "  'spec': { 'routine': 'double dotprod(const int N, const double *X, const double *Y)',"
    "    'params': { 'N': 100000 },"
    "    'args': { 'N': 'N',"
    "      'X': { 'type': 'double', 'dims': ['N'], 'init': 'random', 'align': 16, "
    "'cache': 'cold' },"
    "      'Y': { 'type': 'double', 'dims': ['N'], 'init': 'random', 'align': 16, "
    "'cache': 'warm' } }," "    'flops': '2*N', 'bytes': '16*N', 'context': 'cold',"
    "    'timing': { 'clock': 'auto', 'samples': 7, 'flush': { 'method': 'auto' } },"
    "    'check': { 'reference': { 'language': 'c', 'source': 'int y;' }, 'rtol': 1e-12 } },"
    "  'meta': { 'unroll': 4 } }";

static void
decode(struct job *j, const char *text)
{
	json_t		*doc = quoted_json(text);
	struct fault	 why;
	char		 line[1200];

	if (job_decode(j, doc, &why) != ST_OK)
		fail_msg("%s", fault_line(&why, line, sizeof line));
	json_decref(doc);		/* a job outlives its document */
}

static void
refuse(const char *text, const char *member, const char *words)
{
	json_t		*doc = quoted_json(text);
	struct fault	 why;
	struct job	 j;

	assert_int_equal(job_decode(&j, doc, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, member);
	if (strstr(why.text, words) == NULL)
		fail_msg("%s", why.text);
	assert_int_equal(job_decode(&j, doc, NULL), ST_BAD_SPEC);	/* nobody wants the words */
	json_decref(doc);
}

/* A job of one routine: "'routine': …, 'args': …" and so on. */
static void
decode_spec(struct job *j, const char *spec)
{
	char	text[4096];

	(void)snprintf(text, sizeof text, "{ 'variant': { 'source': 'x' }, 'spec': { %s } }", spec);
	decode(j, text);
}

static void
test_spec_the_example_is_read(void **state)
{
	const struct arg	*x, *y;
	struct job		 j;

	(void)state;
	decode(&j, example);
	assert_string_equal(j.variant.name, "dot_u4");
	assert_int_equal(j.variant.source_bytes, strlen("int x;"));
	assert_int_equal(j.variant.nflags, 1);
	assert_string_equal(j.variant.flags[0], "-O3");
	assert_string_equal(j.variant.defines[0].name, "UNROLL");
	assert_string_equal(j.variant.defines[0].text, "4");
	assert_int_equal(j.spec.args[0].value.i, 100000);
	x = &j.spec.args[1];
	y = &j.spec.args[2];
	assert_true(x->is_operand && y->is_operand);
	assert_int_equal(x->operand.elements, 100000);
	assert_int_equal(x->operand.align, 16);
	assert_int_equal(x->operand.access, ACCESS_IN);
	assert_int_equal(x->operand.cache, CACHE_COLD);
	assert_int_equal(y->operand.cache, CACHE_WARM);
	assert_float_equal(j.spec.flops_count, 200000, 0);
	assert_float_equal(j.spec.bytes_count, 1600000, 0);
	assert_int_equal(j.spec.timing.samples, 7);
	assert_true(j.spec.check.present);
	assert_float_equal(j.spec.check.rtol, 1e-12, 0);
	assert_float_equal(j.spec.check.atol, 0, 0);
	assert_int_equal(json_integer_value(json_object_get(j.meta, "unroll")), 4);
	job_release(&j);
}

static void
test_spec_what_is_not_given_has_its_default(void **state)
{
	const struct operand	*x;
	struct job		 j;

	(void)state;
	decode_spec(&j, "'routine': 'void f(double *x)', 'args': { 'x': { 'dims': [8] } }");
	assert_string_equal(j.variant.name, "");
	assert_int_equal(j.variant.language, LANG_C);
	assert_string_equal(j.variant.compiler, "gcc");
	assert_int_equal(j.variant.nflags, 1);
	assert_string_equal(j.variant.flags[0], "-O2");
	x = &j.spec.args[0].operand;
	assert_int_equal(x->type, CTYPE_DOUBLE);
	assert_int_equal(x->access, ACCESS_INOUT);
	assert_int_equal(x->align, 64);
	assert_int_equal(x->misalign, 0);
	assert_int_equal(x->stride, 1);
	assert_int_equal(x->cache, CACHE_COLD);
	assert_int_equal(x->init.kind, INIT_RANDOM);
	assert_int_equal(j.spec.context, CONTEXT_COLD);
	assert_int_equal(j.spec.timing.samples, 0);
	assert_false(j.spec.check.present);
	assert_null(j.spec.flops);
	assert_null(j.meta);
	assert_int_equal(j.priority, 0);
	assert_int_equal(j.not_before, 0);
	assert_int_equal(j.window_from, -1);
	assert_int_equal(j.window_to, -1);
	assert_int_equal(j.build_timeout_ms, 30000);
	assert_int_equal(j.run_timeout_ms, 60000);
	assert_int_equal(j.threads, 1);
	assert_int_equal(j.retries, 2);
	assert_string_equal(j.key, "");
	job_release(&j);
}

static void
test_W47_random_data_has_mixed_signs_where_the_type_has_them(void **state)
{
	static const struct { const char *type; double min, max; } cases[] = {
		{ "double", -1, 1 }, { "float _Complex", -1, 1 }, { "int", -100, 100 },
		{ "int8_t", -100, 100 }, { "size_t", 0, 100 }, { "uint8_t", 0, 100 },
		{ "_Bool", 0, 1 },
	};
	struct job	j;
	char		spec[200];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		(void)snprintf(spec, sizeof spec,
		    "'routine': 'void f(int a, %s *x)', 'args': { 'a': 1, 'x': { 'dims': [8] } }",
		    cases[i].type);
		decode_spec(&j, spec);
		assert_float_equal(j.spec.args[1].operand.init.min, cases[i].min, 0);
		assert_float_equal(j.spec.args[1].operand.init.max, cases[i].max, 0);
		assert_int_equal(j.spec.args[1].operand.init.seed, 2);
		job_release(&j);
	}
}

static void
test_W49_an_output_is_not_zero_by_default(void **state)
{
	struct job	j;

	(void)state;
	decode_spec(&j, "'routine': 'void f(double *x)', 'args': { 'x': { 'dims': [8], "
	    "'access': 'out' } }");
	assert_int_equal(j.spec.args[0].operand.access, ACCESS_OUT);
	assert_int_equal(j.spec.args[0].operand.init.kind, INIT_RANDOM);
	assert_true(j.spec.args[0].operand.init.min < 0);
	job_release(&j);
}

static void
test_P8_P9_scalars_follow_params_or_are_constant(void **state)
{
	struct job	j;

	(void)state;
	decode_spec(&j, "'routine': 'void f(int lda, double alpha, float b, uint64_t n)', 'params': "
	    "{ 'MS': 72 }, " "'args': { 'lda': 'MS', 'alpha': 1, 'b': 'MS / 8', 'n': "
	    "9223372036854775807 }");
	assert_int_equal(j.spec.args[0].value.kind, VALUE_INT);
	assert_int_equal(j.spec.args[0].value.i, 72);
	assert_int_equal(j.spec.args[1].value.kind, VALUE_REAL);
	assert_float_equal(j.spec.args[1].value.r, 1, 0);
	assert_float_equal(j.spec.args[2].value.r, 9, 0);
	assert_true(j.spec.args[3].value.i == INT64_MAX);
	job_release(&j);
}

static void
test_P12_the_context_is_the_default_of_every_operand(void **state)
{
	struct job	j;

	(void)state;
	decode_spec(&j, "'context': 'warm', 'routine': 'void f(double *x, double *y)', "
	    "'args': { 'x': { 'dims': [8] }, 'y': { 'dims': [8], 'cache': 'L2' } }");
	assert_int_equal(j.spec.context, CONTEXT_WARM);
	assert_int_equal(j.spec.args[0].operand.cache, CACHE_WARM);
	assert_int_equal(j.spec.args[1].operand.cache, CACHE_L2);
	job_release(&j);
	decode_spec(&j, "'context': { 'flush_bytes': 524288 }, 'routine': 'void f(double *x)', "
	    "'args': { 'x': { 'dims': [8] } }");
	assert_int_equal(j.spec.context, CONTEXT_FLUSH_BYTES);
	assert_int_equal(j.spec.context_flush_bytes, 524288);
	assert_int_equal(j.spec.args[0].operand.cache, CACHE_COLD);
	job_release(&j);
}

static void
test_spec_each_init_is_read(void **state)
{
	const struct init	*i;
	struct job		 j;

	(void)state;
	decode_spec(&j,
	    "'params': { 'N': 3 }, 'routine': 'void f(int *a, int *b, int *c, double *d, double "
	    "*e, char *f_)', " "'args': { 'a': { 'dims': ['N'], 'init': 'index' },"
	    "  'b': { 'dims': ['N', 2], 'init': { 'permutation': { 'seed': 9 } } },"
	    "  'c': { 'dims': ['N'], 'init': { 'random': { 'seed': 5, 'min': 0 } } },"
	    "  'd': { 'dims': ['N'], 'init': 0.5 }, 'e': { 'dims': ['N'], 'init': { "
	    "'value': 'N + 1' } }," "  'f_': { 'dims': ['N'], 'init': { 'data': 'AAEC' } } }");
	assert_int_equal(j.spec.args[0].operand.init.kind, INIT_INDEX);
	assert_int_equal(j.spec.args[1].operand.elements, 6);
	assert_int_equal(j.spec.args[1].operand.init.kind, INIT_PERMUTATION);
	assert_int_equal(j.spec.args[1].operand.init.seed, 9);
	i = &j.spec.args[2].operand.init;
	assert_int_equal(i->seed, 5);
	assert_float_equal(i->min, 0, 0);
	assert_float_equal(i->max, 100, 0);
	assert_int_equal(j.spec.args[3].operand.init.kind, INIT_VALUE);
	assert_string_equal(expr_text(j.spec.args[3].operand.init.value), "0.5");
	assert_string_equal(expr_text(j.spec.args[4].operand.init.value), "N + 1");
	i = &j.spec.args[5].operand.init;
	assert_int_equal(i->data_bytes, 3);
	assert_memory_equal(i->data, "\0\1\2", 3);
	job_release(&j);
}

static void
test_spec_X1_orders_and_distributions_are_read(void **state)
{
	const struct arg	*a;
	struct job		 j;

	(void)state;
	decode_spec(&j, "'routine': 'void f(int *a, double *b, float *c, char *d, char *e)', "
	    "'args': { 'a': { 'dims': [9] }, 'b': { 'dims': [9], 'init': { 'random': { 'order': "
	    "'nearly_sorted' } } }, 'c': { 'dims': [9], 'init': { 'random': { 'order': "
	    "'nearly_sorted', 'swaps': 0.5, 'distinct': 2, 'density': 0.5 } } }, 'd': { 'dims': "
	    "[9], 'init': 'text' }, 'e': { 'dims': [9], 'init': { 'text': { 'seed': 9 } } } }");
	a = j.spec.args;
	assert_int_equal(a[0].operand.init.order, ORDER_RANDOM);
	assert_int_equal(a[0].operand.init.distinct, 0);
	assert_true(a[0].operand.init.density == 1);
	assert_int_equal(a[1].operand.init.order, ORDER_NEARLY_SORTED);
	assert_true(a[1].operand.init.swaps == 0.01 && a[1].operand.init.density == 1);
	assert_true(a[2].operand.init.swaps == 0.5 && a[2].operand.init.density == 0.5);
	assert_int_equal(a[2].operand.init.distinct, 2);
	assert_int_equal(a[3].operand.init.kind, INIT_TEXT);
	assert_int_equal(a[3].operand.init.seed, 4);
	assert_int_equal(a[4].operand.init.kind, INIT_TEXT);
	assert_int_equal(a[4].operand.init.seed, 9);
	job_release(&j);
}

#define BAD_INIT(type, init) "{ 'variant': { 'source': 'x' }, 'spec': { 'routine': 'void f(" type \
	" *x)', 'args': { 'x': { 'dims': [8], 'init': " init " } } } }"

static void
test_spec_X1_orders_that_an_operand_cannot_have_are_refused(void **state)
{
	static const struct { const char *text, *member, *words; } cases[] = {
		{ BAD_INIT("int", "{ 'random': { 'order': 'sideways' } }"),
		    "spec.args.x.init.random.order", "sideways" },
		{ BAD_INIT("double _Complex", "{ 'random': { 'order': 'sorted' } }"),
		    "spec.args.x.init.random.order", "no order" },
		{ BAD_INIT("int", "{ 'random': { 'order': 'sorted', 'swaps': 0.1 } }"),
		    "spec.args.x.init.random.swaps", "nearly sorted" },
		{ BAD_INIT("int", "{ 'random': { 'order': 'nearly_sorted', 'swaps': 1.5 } }"),
		    "spec.args.x.init.random.swaps", "1" },
		{ BAD_INIT("int", "{ 'random': { 'distinct': 0 } }"),
		    "spec.args.x.init.random.distinct", "1" },
		{ BAD_INIT("int", "{ 'random': { 'min': 1, 'max': 4, 'distinct': 5 } }"),
		    "spec.args.x.init.random.distinct", "only 4 integers" },
		{ BAD_INIT("int", "{ 'random': { 'density': 0 } }"),
		    "spec.args.x.init.random.density", "1" },
		{ BAD_INIT("int", "{ 'random': { 'density': -0.5 } }"),
		    "spec.args.x.init.random.density", "1" },
		{ BAD_INIT("int", "{ 'random': { 'density': 1.5 } }"),
		    "spec.args.x.init.random.density", "1" },
		{ BAD_INIT("int", "'text'"), "spec.args.x.init", "one byte" },
		{ BAD_INIT("_Bool", "{ 'text': {} }"), "spec.args.x.init.text", "one byte" },
		{ BAD_INIT("char", "{ 'text': { 'order': 'sorted' } }"),
		    "spec.args.x.init.text.order", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		refuse(cases[i].text, cases[i].member, cases[i].words);
}

static void
test_spec_X1_what_is_slow_to_put_in_order_is_not_audited(void **state)
{
	struct job	j;

	(void)state;
	decode_spec(&j, "'routine': 'void f(const char *a, const char *b, const char *c, const "
	    "char *d)', 'args': { 'a': { 'dims': [1048577], 'init': 'text' }, 'b': { 'dims': "
	    "[1048576], 'init': 'text' }, 'c': { 'dims': [1048577], 'init': { 'random': { "
	    "'order': 'sorted' } } }, 'd': { 'dims': [1048577] } }");
	assert_true(spec_is_slow_to_draw(&j.spec.args[0].operand));
	assert_false(spec_is_slow_to_draw(&j.spec.args[1].operand));
	assert_true(spec_is_slow_to_draw(&j.spec.args[2].operand));
	assert_false(spec_is_slow_to_draw(&j.spec.args[3].operand));
	job_release(&j);
	refuse("{ 'variant': { 'source': 'x' }, 'spec': { 'routine': 'int f(const char *x)', "
	    "'args': { 'x': { 'dims': [1048577], 'init': 'text' } }, 'check': { 'reference': { "
	    "'source': 'y' } }, 'timing': { 'trust': 'audited' } } }", "spec.timing.trust",
	    "too large to be put in order");
}

static void
test_spec_the_tolerance_follows_the_outputs(void **state)
{
	static const struct { const char *routine, *tolerance; double rtol, atol; } cases[] = {
		{ "double f(const float *x)", "", 1e-9, 1e-9 },
		{ "float f(const double *x)", "", 1e-4, 1e-4 },
		{ "int f(const double *x)", "", 0, 0 }, { "void f(double *x)", "", 1e-9, 1e-9 },
		{ "double f(float *x)", "", 1e-4, 1e-4 }, { "void f(int *x)", "", 0, 0 },
		{ "void f(float *x)", ", 'rtol': 0.5", 0.5, 0 },
		{ "void f(float *x)", ", 'atol': 2", 0, 2 },
		{ "void f(float *x)", ", 'rtol': 0, 'atol': 0", 0, 0 },
		{ "void f(long double *x)", "", 1e-9, 1e-9 },
	};
	struct job	j;
	char		spec[300];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		(void)snprintf(spec, sizeof spec,
		    "'routine': '%s', 'args': { 'x': { 'dims': [8] } }, "
		    "'check': { 'reference': { 'source': 'y' }%s }", cases[i].routine,
		    cases[i].tolerance);
		decode_spec(&j, spec);
		assert_float_equal(j.spec.check.rtol, cases[i].rtol, 0);
		assert_float_equal(j.spec.check.atol, cases[i].atol, 0);
		job_release(&j);
	}
}

static void
test_spec_moments_are_read_with_their_zone(void **state)
{
	static const struct { const char *text; int64_t seconds; } cases[] = {
		{ "'1970-01-01T00:00:00Z'", 0 }, { "'2026-01-02T22:00:00Z'", 1767391200 },
		{ "'2026-01-02T22:00:00+01:00'", 1767387600 },
		{ "'2026-01-02T22:00:00.999-05:30'", 1767411000 },
		{ "'2000-02-29T12:30:45Z'", 951827445 }, { "'2100-03-01T00:00:00Z'", 4107542400 },
		{ "'9999-12-31T23:59:59Z'", 253402300799 }, { "1767391200", 1767391200 },
	};
	struct job	j;
	char		text[200];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		(void)snprintf(text, sizeof text,
		    "{ 'variant': { 'source': 'x' }, 'spec': { 'routine': 'void f()' }, "
		    "'not_before': %s }", cases[i].text);
		decode(&j, text);
		assert_int_equal(j.not_before, cases[i].seconds);
		job_release(&j);
	}
}

static void
test_spec_moments_that_are_none_are_refused(void **state)
{
	static const char *const	cases[] = {
		"''", "'2026'", "'2026-01-02'", "'2026-01-02T22:00:00'", "'2026-01-02 22:00:00Z'",
		    "'2026-01-02T22:00:00z'",
		"'2026-02-29T00:00:00Z'", "'2100-02-29T00:00:00Z'", "'2026-00-01T00:00:00Z'",
		"'2026-01-00T00:00:00Z'", "'2026-01-32T00:00:00Z'", "'2026-01-01T24:00:00Z'",
		"'2026-01-01T00:60:00Z'", "'2026-01-01T00:00:60Z'", "'2026-01-01T00:00:00+24:00'",
		"'2026-01-01T00:00:00+1:00'", "'2026-01-01T00:00:00.Z'", "'2026-01-01T00:00:00ZZ'",
		"'1969-12-31T23:59:59Z'", "'1970-01-01T00:00:00+01:00'", "true", "1.5", "-1",
		"253402300800",
	};
	char				text[200];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		(void)snprintf(text, sizeof text,
		    "{ 'variant': { 'source': 'x' }, 'spec': { 'routine': 'void f()' }, "
		    "'deadline': %s }", cases[i]);
		refuse(text, "deadline", "");
	}
}

static void
test_spec_a_window_is_two_minutes_of_the_day(void **state)
{
	struct job	j;

	(void)state;
	decode(&j, "{ 'variant': { 'source': 'x' }, 'spec': { 'routine': 'void f()' }, 'window': "
	    "'22:05-06:00' }");
	assert_int_equal(j.window_from, 22 * 60 + 5);
	assert_int_equal(j.window_to, 6 * 60);
	job_release(&j);
}

static void
test_P7_a_param_named_like_an_argument_is_no_macro_for_variants(void **state)
{
	struct job	j;

	(void)state;
	decode_spec(&j, "'params': { 'N': 8, 'MS': 4 }, 'routine': 'void f(int N)', 'args': { "
	    "'N': 'N * MS' }");
	assert_true(spec_param_is_argument(&j.spec, &j.spec.params[0]));
	assert_false(spec_param_is_argument(&j.spec, &j.spec.params[1]));
	job_release(&j);
}

static void
test_spec_params_are_not_named_like_attributes(void **state)
{
	static const char *const	attributes[] = { "always_inline", "noinline" };
	static const char *const	names[] = { "ALWAYS_INLINE", "inline_", "mode", "N" };
	struct fault			why;

	(void)state;
	for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
		assert_int_equal(name_check_param(attributes[i], &why), ST_BAD_SPEC);
		assert_non_null(strstr(why.text, "attribute"));
	}
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_int_equal(name_check_param(names[i], &why), ST_OK);
}

static void
test_spec_params_are_written_as_c_reads_them(void **state)
{
	static const struct { struct value value; const char *text; } cases[] = {
		{ { .kind = VALUE_INT, .i = 42 }, "42" }, { { .kind = VALUE_INT, .i = -7 }, "-7" },
		{ { .kind = VALUE_INT, .i = INT64_MIN }, "(-9223372036854775807-1)" },
		{ { .kind = VALUE_REAL, .r = 0.1 }, "0.1" },
		{ { .kind = VALUE_REAL, .r = 3 }, "3.0" },
		{ { .kind = VALUE_REAL, .r = 1e300 }, "1e+300" },
		{ { .kind = VALUE_TEXT, .text = "row" }, "row" },
	};
	char	text[SPEC_PARAM_TEXT];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct param	p = { .name = NULL, .value = cases[i].value };

		assert_int_equal(param_put_text(&p, text, sizeof text), strlen(cases[i].text));
		assert_string_equal(text, cases[i].text);
	}
}

static void
test_spec_objects_are_decoded_from_base64(void **state)
{
	struct job	j;

	(void)state;
	decode(&j, "{ 'variant': { 'language': 'object', 'source': 'f0VMRgAB' }, 'spec': { "
	    "'routine': 'void f()' } }");
	assert_int_equal(j.variant.source_bytes, 6);
	assert_memory_equal(j.variant.source, "\x7f" "ELF\0\1", 7);	/* and it is terminated */
	assert_string_equal(j.variant.compiler, "");
	assert_int_equal(j.variant.nflags, 0);
	job_release(&j);
}

#define JAIL(word, more, spec)	"{ 'variant': { 'source': 'x' }, 'jail': '" word "', " more	\
	"'spec': { 'routine': 'void f(double *x)', " spec " } }"
#define ON_X	"'args': { 'x': { 'dims': [9] } }"

static void
test_spec_X16_rights_beyond_the_usual_are_named_and_leave_a_claim(void **state)
{
	struct job	j;

	(void)state;
	decode(&j, JAIL("io", "", ON_X));
	assert_int_equal(j.profile, PROFILE_IO);
	job_release(&j);
	decode(&j, JAIL("plain", "'threads': 2, ", ON_X));
	assert_int_equal(j.profile, PROFILE_PLAIN);
	job_release(&j);
	refuse(JAIL("net", "", ON_X), "jail", "net");
	refuse(JAIL("fork", "'threads': 2, ", ON_X), "threads", "without threads");
	refuse(JAIL("io", "", "'checkpoint': 'x.image'"), "jail", "image");
	refuse(JAIL("io", "", ON_X ", 'timing': { 'trust': 'audited' }, 'check': { 'reference': "
	    "{ 'source': 'y' } }"), "spec.timing.trust", "no more than memory");
}

#define COLD_CODE(timing)	"{ 'variant': { 'source': 'x' }, 'spec': { 'code': 'cold', "	\
	"'routine': 'void f(double *x)', 'args': { 'x': { 'dims': [9] } }, "	\
	"'timing': { " timing " } } }"

static void
test_spec_X9_cold_code_is_for_single_calls_that_are_claimed(void **state)
{
	struct job	j;

	(void)state;
	decode(&j, COLD_CODE("'calls': 1, 'flush': { 'method': 'OneCallFlushLRU' }"));
	assert_int_equal(j.spec.code, CODE_COLD);
	job_release(&j);
	refuse(COLD_CODE("'calls': 2"), "spec.timing.calls", "after the first call");
	refuse(COLD_CODE("'difference': true"), "spec.timing.difference", "many calls");
	refuse(COLD_CODE("'range_guard': 'separate'"), "spec.timing.range_guard", "several calls");
	refuse(COLD_CODE("'flush': { 'walk': 'random' }"), "spec.timing.flush.walk", "each");
	refuse(COLD_CODE("'flush': { 'method': 'MultiCallFlushLRU' }"), "spec.timing.flush.method",
	    "many calls");
	refuse("{ 'variant': { 'source': 'x' }, 'spec': { 'code': 'cool', 'routine': 'void f()' } }",
	    "spec.code", "cool");
}

static void
test_spec_a_size_that_overflows_is_refused_not_wrapped(void **state)
{
	(void)state;
	refuse("{ 'variant': { 'source': 'x' }, 'spec': { 'routine': 'void f(char *x)', "
	    "'args': { 'x': { 'dims': [4294967296, 4294967296, 2] } } } }", "spec.args.x.dims",
	    "far too large");
	refuse("{ 'variant': { 'source': 'x' }, 'spec': { 'routine': 'void f(double *x)', "
	    "'args': { 'x': { 'dims': [2305843009213693952] } } } }", "spec.args.x.dims",
	    "all operands together");
	refuse("{ 'variant': { 'source': 'x' }, 'spec': { 'routine': 'void f(double *x)', "
	    "'args': { 'x': { 'dims': ['9223372036854775807 + 1'] } } } }",
	    "spec.args.x.dims[0]", "64 bits");
}

static void
test_spec_four_gibibytes_are_just_enough(void **state)
{
	struct job	j;

	(void)state;
	decode_spec(&j, "'routine': 'void f(char *x, char *y)', "
	    "'args': { 'x': { 'dims': [4294967295] }, 'y': { 'dims': [1] } }");
	assert_true(j.spec.args[0].operand.elements == 4294967295);
	job_release(&j);
	refuse("{ 'variant': { 'source': 'x' }, 'spec': { 'routine': 'void f(char *x, char *y)', "
	    "'args': { 'x': { 'dims': [4294967295] }, 'y': { 'dims': [2] } } } }",
	    "spec.args.y.dims", "1 are left");
}

/* --- states of lines --- */

#define OF_TWO(x, y, more)	"{ 'variant': { 'source': 'x' }, 'spec': { 'routine': "	\
	"'void f(const char *x, char *y)', 'args': { 'x': { 'dims': [8] " x " }, "		\
	"'y': { 'dims': [8] " y " } } " more " } }"
#define WARM	", 'context': 'warm'"

static enum line_state
state_of(const char *text, size_t arg)
{
	struct job	j;
	enum line_state	state;

	decode(&j, text);
	state = j.spec.args[arg].operand.state;
	job_release(&j);
	return state;
}

static void
test_spec_what_a_routine_writes_is_dirty_by_default_unless_it_is_cold(void **state)
{
	(void)state;
	assert_int_equal(state_of(OF_TWO("", "", ""), 0), LINE_CLEAN);
	assert_int_equal(state_of(OF_TWO("", "", ""), 1), LINE_CLEAN);
	assert_int_equal(state_of(OF_TWO("", "", WARM), 0), LINE_CLEAN);
	assert_int_equal(state_of(OF_TWO("", "", WARM), 1), LINE_DIRTY);
	assert_int_equal(state_of(OF_TWO("", "", ", 'context': { 'flush_bytes': 64 }"), 1),
	    LINE_DIRTY);
	assert_int_equal(state_of(OF_TWO(", 'cache': 'L2', 'state': 'dirty'", "", ""), 0),
	    LINE_DIRTY);
	assert_int_equal(state_of(OF_TWO("", ", 'state': 'clean'", WARM), 1), LINE_CLEAN);
}

static void
test_spec_a_state_that_cannot_be_is_refused(void **state)
{
	static const char	*const calls[][2] = {
		{ "'calls': 2", "spec.timing.calls" },
		{ "'difference': true", "spec.timing.difference" },
		{ "'range_guard': 'separate'", "spec.timing.range_guard" },
	};
	char			 text[1024];

	(void)state;
	refuse(OF_TWO(", 'state': 'dirty'", "", ""), "spec.args.x.state", "is cold");
	refuse(OF_TWO("", ", 'cache': 'cold', 'state': 'dirty'", WARM), "spec.args.y.state",
	    "is cold");
	refuse(OF_TWO("", ", 'state': 'wet'", WARM), "spec.args.y.state", "");
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		snprintf(text, sizeof text, OF_TWO(", 'state': 'dirty'", "", WARM
		    ", 'timing': { %s }"), calls[i][0]);
		refuse(text, calls[i][1], "\"x\" is made dirty before one call only");
		snprintf(text, sizeof text, OF_TWO("", ", 'state': 'clean'", WARM
		    ", 'timing': { %s }"), calls[i][0]);
		refuse(text, calls[i][1], "\"y\" is made clean before one call only");
	}
	refuse(OF_TWO(", 'cache': 'L1', 'state': 'dirty'", "",
	    ", 'timing': { 'flush': { 'method': 'MultiCallFlushLRU' } }"),
	    "spec.timing.flush.method", "several calls a sample");
}

/* --- pointers without memory of their own --- */

#define COPY(args)	"'routine': 'void copy(const double *x, double *y, void *z)', "	\
	"'params': { 'N': 9 }, 'args': { " args " }"
#define BAD_COPY(args)	"{ 'variant': { 'source': 'x' }, 'spec': { " COPY(args) " } }"

static void
test_spec_a_pointer_may_be_null(void **state)
{
	struct job	j;

	(void)state;
	decode_spec(&j, COPY("'x': null, 'y': { 'dims': ['N'] }, 'z': null"));
	assert_true(j.spec.args[0].is_null && !j.spec.args[0].is_operand);
	assert_true(j.spec.args[1].is_operand && !j.spec.args[1].is_null);
	assert_true(j.spec.args[2].is_null);
	job_release(&j);
	refuse("{ 'variant': { 'source': 'x' }, 'spec': { 'routine': 'void f(int n)', "
	    "'args': { 'n': null } } }", "spec.args.n", "an expression or a number");
	refuse("{ 'variant': { 'source': 'x' }, 'spec': { " COPY("'x': null, "
	    "'y': { 'dims': [1], 'init': 'N / 2' }, 'z': null") " } }",
	    "spec.args.y.init", "is not known here");
	refuse("{ 'variant': { 'source': 'x' }, 'spec': { " COPY("'x': null, "
	    "'y': { 'dims': [1] }, 'z': null") ", 'timing': { 'range_guard': { 'pair': 'x' } } } }",
	    "spec.timing.range_guard.pair", "is no operand");
}

static void
test_spec_an_argument_may_be_the_same_as_another_and_writing_it_writes_that(void **state)
{
	struct job	j;

	(void)state;
	decode_spec(&j, COPY("'x': { 'dims': ['N'] }, 'y': { 'same_as': 'x', 'from': 'N - 1' }, "
	    "'z': { 'same_as': 'x', 'access': 'in' }") ", 'context': 'warm'");
	assert_true(j.spec.args[1].is_shared && !j.spec.args[1].is_operand);
	assert_int_equal(j.spec.args[1].shared.of, 0);
	assert_int_equal(j.spec.args[1].shared.first, 8);
	assert_int_equal(j.spec.args[2].shared.first, 0);
	assert_int_equal(j.spec.args[0].operand.own_access, ACCESS_IN);
	assert_int_equal(j.spec.args[0].operand.access, ACCESS_INOUT);
	assert_int_equal(j.spec.args[0].operand.state, LINE_DIRTY);
	job_release(&j);
	decode_spec(&j, COPY("'x': { 'same_as': 'y' }, 'y': { 'dims': ['N'], 'access': 'out' }, "
	    "'z': { 'same_as': 'y', 'access': 'out' }"));
	assert_int_equal(j.spec.args[1].operand.access, ACCESS_INOUT);
	job_release(&j);
	decode_spec(&j, COPY("'x': null, 'y': { 'dims': ['N'], 'access': 'out' }, "
	    "'z': { 'same_as': 'y', 'access': 'out' }"));
	assert_int_equal(j.spec.args[1].operand.access, ACCESS_OUT);
	job_release(&j);
}

static void
test_spec_an_argument_that_cannot_be_the_same_is_refused(void **state)
{
#define X	"'x': { 'dims': ['N'] }, "
	static const struct {
		const char	*text, *member, *words;
	} cases[] = {
		{ BAD_COPY(X "'z': null, 'y': { 'same_as': 'w' }"), "spec.args.y.same_as",
		    "no argument" },
		{ BAD_COPY(X "'z': null, 'y': { 'same_as': 3 }"), "spec.args.y.same_as",
		    "must be a string" },
		{ BAD_COPY(X "'z': null, 'y': { 'same_as': 'y' }"), "spec.args.y.same_as",
		    "the argument itself" },
		{ BAD_COPY(X "'z': null, 'y': { 'same_as': 'z' }"), "spec.args.y.same_as",
		    "is no operand" },
		{ BAD_COPY(X "'z': { 'same_as': 'y' }, 'y': { 'same_as': 'x' }"),
		    "spec.args.z.same_as", "same as another" },
		{ BAD_COPY(X "'z': null, 'y': { 'same_as': 'x', 'dims': [3] }"),
		    "spec.args.y.dims", "is said by" },
		{ BAD_COPY(X "'z': null, 'y': { 'same_as': 'x', 'state': 'dirty' }"),
		    "spec.args.y.state", "is said by" },
		{ BAD_COPY(X "'z': null, 'y': { 'same_as': 'x', 'from': 'N' }"),
		    "spec.args.y.from", "has 9 elements" },
		{ BAD_COPY(X "'z': null, 'y': { 'same_as': 'x', 'from': -1 }"),
		    "spec.args.y.from", "not negative" },
		{ BAD_COPY(X "'z': null, 'y': { 'same_as': 'x', 'from': 0.5 }"),
		    "spec.args.y.from", "whole" },
		{ BAD_COPY("'x': { 'same_as': 'y', 'access': 'out' }, 'z': null, "
		    "'y': { 'dims': [1] }"), "spec.args.x.access", "says const" },
		{ BAD_COPY("'x': null, 'y': { 'same_as': 'z' }, "
		    "'z': { 'dims': [1], 'type': 'int' }"), "spec.args.y.same_as",
		    "elements of int" },
		{ BAD_COPY("'x': null, 'z': null, 'y': { 'dims': [1], 'from': 1 }"),
		    "spec.args.y.from", "none is named" },
		{ BAD_COPY("'x': null, 'z': null, 'y': { 'init': 1 }"), "spec.args.y.dims",
		    "is missing" },
	};
#undef X

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		refuse(cases[i].text, cases[i].member, cases[i].words);
	refuse("{ 'variant': { 'source': 'x' }, 'spec': { 'routine': 'double f(const double *x, "
	    "const double *y)', 'args': { 'x': { 'dims': [4] }, 'y': { 'same_as': 'x' } }, "
	    "'timing': { 'range_guard': { 'pair': 'x' } } } }", "spec.timing.range_guard.pair",
	    "shared with another");
}

static void
test_spec_a_path_too_long_is_cut_and_nothing_breaks(void **state)
{
	json_t		*doc = quoted_json(example);
	json_t		*args = json_object_get(json_object_get(doc, "spec"), "args");
	char		 name[1000];
	struct fault	 why;
	struct job	 j;

	(void)state;
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	assert_int_equal(json_object_set_new(args, name, json_integer(1)), 0);
	assert_int_equal(job_decode(&j, doc, &why), ST_BAD_SPEC);
	assert_memory_equal(why.member, "spec.args.nnn", 13);
	assert_int_equal(strlen(why.member), sizeof why.member - 1);
	json_decref(doc);
}

/* --- encoding --- */

static void
assert_encodes_stably(const char *text)
{
	json_t		*doc = quoted_json(text), *once, *again;
	struct fault	 why;
	struct job	 j;

	assert_int_equal(job_decode(&j, doc, &why), ST_OK);
	assert_non_null(once = job_encode(&j));
	job_release(&j);
	if (job_decode(&j, once, &why) != ST_OK)
		fail_msg("%s: %s", why.member, why.text);
	assert_non_null(again = job_encode(&j));
	job_release(&j);
	assert_true(json_equal(once, again));
	json_decref(doc);
	json_decref(once);
	json_decref(again);
}

static void
test_spec_encoding_and_decoding_are_inverse(void **state)
{
	(void)state;
	assert_encodes_stably(example);
	assert_encodes_stably("{ 'variant': { 'language': 'shared', 'source': 'f0VMRg==' }, "
	    "'priority': -3, " "'key': 'k', "
	    "'not_before': '2026-01-02T22:00:00Z', 'deadline': 1800000000, 'window': '22:00-06:30', "
	    "'threads': 2, " "'timeout_ms': { 'build': 1, 'run': 2 }, 'retries': 0, 'spec': { "
	    "'routine': 'void f(int64_t n, float a, int *p, char *d, double *v, void *w, int *i)', "
	    "'params': { 'A': -9223372036854775808, 'R': 0.1, 'T': 'a.b' }, 'bytes': 0.1, "
	    "'args': { 'n': -9223372036854775808, 'a': 0.1, 'p': { 'dims': [4], 'init': "
	    "'permutation', " "'misalign': 128 }, "
	    "'d': { 'dims': [1, '1'], 'init': { 'data': 'AA==' }, 'access': 'out' }, 'v': { "
	    "'dims': [2], " "'init': 1e-300 }, "
	    "'w': { 'type': 'size_t', 'dims': [1], 'stride': 3 }, 'i': { 'dims': [1], "
	    "'init': 'index', " "'cache': 'L3' } }, "
	    "'context': { 'flush_bytes': 4096 }, 'timing': { 'clock': 'wall', 'samples': "
	    "3, 'calls': 9, " "'gate': true, 'budget_ms': 0, "
	    "'flush': { 'method': 'MultiCallFlushLRU', 'bytes': 4096, 'walk': 'random' }, "
	    "'estimator': 'median', " "'range_guard': { 'alternate': 'a' } } } }");
	assert_encodes_stably("{ 'variant': { 'source': 'x' }, 'spec': { 'routine': "
	    "'void f(char *t, int *x)', 'args': { 't': { 'dims': [4], 'init': 'text' }, 'x': { "
	    "'dims': [4], 'init': { 'random': { 'order': 'nearly_sorted', 'distinct': 2 } } } } "
	    "} }");
	assert_encodes_stably("{ 'variant': { 'source': 'x' }, 'spec': { 'routine': "
	    "'void f(void)', " "'timing': { 'layout': 'random', 'layouts': 5, "
	    "'layout_seed': 9 } } }");
}

static void
test_spec_the_layout_is_fixed_unless_asked_for(void **state)
{
	struct job	j;

	(void)state;
	decode_spec(&j, "'routine': 'void f(void)'");
	assert_int_equal(j.spec.timing.layout, LAYOUT_FIXED);
	job_release(&j);
	decode_spec(&j, "'routine': 'void f(void)', 'timing': { 'layout': 'sweep' }");
	assert_int_equal(j.spec.timing.layout, LAYOUT_SWEEP);
	assert_int_equal(j.spec.timing.layouts, 8);
	assert_int_equal(j.spec.timing.layout_seed, 1);
	job_release(&j);
}

static void
test_spec_the_encoding_says_every_default_aloud(void **state)
{
	json_t		*doc, *spec;
	struct job	 j;

	(void)state;
	decode_spec(&j, "'routine': 'void f(double *x)', 'args': { 'x': { 'dims': [8] } }");
	assert_non_null(doc = job_encode(&j));
	spec = json_object_get(doc, "spec");
	assert_string_equal(json_string_value(json_object_get(json_object_get(doc, "variant"),
	    "compiler")), "gcc");
	assert_int_equal(json_integer_value(json_object_get(json_object_get(doc, "timeout_ms"),
	    "run")), 60000);
	assert_string_equal(json_string_value(json_object_get(spec, "context")), "cold");
	assert_string_equal(json_string_value(json_object_get(json_object_get(json_object_get(spec,
	    "args"), "x"), "access")),
	    "inout");
	json_decref(doc);
	job_release(&j);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_spec_the_example_is_read),
		cmocka_unit_test(test_spec_what_is_not_given_has_its_default),
		cmocka_unit_test(test_W47_random_data_has_mixed_signs_where_the_type_has_them),
		cmocka_unit_test(test_W49_an_output_is_not_zero_by_default),
		cmocka_unit_test(test_P8_P9_scalars_follow_params_or_are_constant),
		cmocka_unit_test(test_P12_the_context_is_the_default_of_every_operand),
		cmocka_unit_test(test_spec_each_init_is_read),
		cmocka_unit_test(test_spec_X1_orders_and_distributions_are_read),
		cmocka_unit_test(test_spec_X1_orders_that_an_operand_cannot_have_are_refused),
		cmocka_unit_test(test_spec_X1_what_is_slow_to_put_in_order_is_not_audited),
		cmocka_unit_test(test_spec_the_tolerance_follows_the_outputs),
		cmocka_unit_test(test_spec_moments_are_read_with_their_zone),
		cmocka_unit_test(test_spec_moments_that_are_none_are_refused),
		cmocka_unit_test(test_spec_a_window_is_two_minutes_of_the_day),
		cmocka_unit_test(test_P7_a_param_named_like_an_argument_is_no_macro_for_variants),
		cmocka_unit_test(test_spec_params_are_not_named_like_attributes),
		cmocka_unit_test(test_spec_params_are_written_as_c_reads_them),
		cmocka_unit_test(test_spec_objects_are_decoded_from_base64),
		cmocka_unit_test(test_spec_X16_rights_beyond_the_usual_are_named_and_leave_a_claim),
		cmocka_unit_test(test_spec_X9_cold_code_is_for_single_calls_that_are_claimed),
		cmocka_unit_test(test_spec_a_size_that_overflows_is_refused_not_wrapped),
		cmocka_unit_test(test_spec_four_gibibytes_are_just_enough),
		cmocka_unit_test(
		    test_spec_what_a_routine_writes_is_dirty_by_default_unless_it_is_cold),
		cmocka_unit_test(test_spec_a_state_that_cannot_be_is_refused),
		cmocka_unit_test(test_spec_a_pointer_may_be_null),
		cmocka_unit_test(
		    test_spec_an_argument_may_be_the_same_as_another_and_writing_it_writes_that),
		cmocka_unit_test(test_spec_an_argument_that_cannot_be_the_same_is_refused),
		cmocka_unit_test(test_spec_a_path_too_long_is_cut_and_nothing_breaks),
		cmocka_unit_test(test_spec_encoding_and_decoding_are_inverse),
		cmocka_unit_test(test_spec_the_layout_is_fixed_unless_asked_for),
		cmocka_unit_test(test_spec_the_encoding_says_every_default_aloud),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
