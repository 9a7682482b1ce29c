/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/base/name.h"
#include "tests/support/driver.h"

#define GEMM(ms, context)                                                                                              \
	"{'routine': 'void ATL_USERMM(const int M, const int N, const int K, const double alpha, const double *A, " \
	"const int lda, const double *B, const int ldb, const double beta, double *C, const int ldc)'," \
	"'params': {'MS': " ms ", 'NS': 72, 'KS': 72}," \
	"'args': {'M': 'MS', 'N': 'NS', 'K': 'KS', 'lda': 'MS', 'ldb': 'KS', 'ldc': 'MS', 'alpha': 1, 'beta': 1," \
	"'A': {'type': 'double', 'dims': ['MS', 'KS'], 'init': 'random', 'align': 16, 'cache': '" context "'}," \
	"'B': {'type': 'double', 'dims': ['KS', 'NS'], 'init': 'random', 'align': 16}," \
	"'C': {'type': 'double', 'dims': ['MS', 'NS'], 'init': 'random', 'align': 16}}," \
	"'flops': '2*MS*NS*KS + MS*NS'}"

/* ---- what a stub saw ---- */

static struct {
	int		 m, n, k, lda, ldb, ldc;
	double		 alpha, beta;
	const double	*a, *b;
	double		*c;
	unsigned	 calls;
} gemm_saw;

static void
gemm_stub(const int m, const int n, const int k, const double alpha, const double *a, const int lda,
    const double *b, const int ldb, const double beta, double *c, const int ldc)
{
	gemm_saw.m = m;
	gemm_saw.n = n;
	gemm_saw.k = k;
	gemm_saw.lda = lda;
	gemm_saw.ldb = ldb;
	gemm_saw.ldc = ldc;
	gemm_saw.alpha = alpha;
	gemm_saw.beta = beta;
	gemm_saw.a = a;
	gemm_saw.b = b;
	gemm_saw.c = c;
	gemm_saw.calls++;
}

static void
test_driver_P5_the_call_has_its_arguments_in_the_order_of_the_prototype(void **state)
{
	const struct rt_driver	*d = support_load_driver(GEMM("40", "cold"), NULL);
	double			 x[3];
	void			*at[] = { &x[0], &x[1], &x[2] };

	(void)state;
	memset(&gemm_saw, 0, sizeof gemm_saw);
	d->rt_call((rt_code *)gemm_stub, at);
	assert_int_equal(gemm_saw.calls, 1);
	assert_int_equal(gemm_saw.m, 40);
	assert_int_equal(gemm_saw.n, 72);
	assert_int_equal(gemm_saw.k, 72);
	assert_ptr_equal(gemm_saw.a, &x[0]);
	assert_ptr_equal(gemm_saw.b, &x[1]);
	assert_ptr_equal(gemm_saw.c, &x[2]);
	assert_string_equal(d->rt_routine, "ATL_USERMM");
}

static void
test_driver_P8_P9_scalars_follow_their_macro_or_are_the_constant(void **state)
{
	const struct rt_driver	*d = support_load_driver(GEMM("36", "cold"), NULL);
	double			 x[3];
	void			*at[] = { &x[0], &x[1], &x[2] };

	(void)state;
	memset(&gemm_saw, 0, sizeof gemm_saw);
	d->rt_call((rt_code *)gemm_stub, at);
	assert_int_equal(gemm_saw.lda, 36);
	assert_int_equal(gemm_saw.ldc, 36);
	assert_int_equal(gemm_saw.ldb, 72);
	assert_true(gemm_saw.alpha == 1 && gemm_saw.beta == 1);
}

static void
test_driver_P2_P7_one_text_serves_every_param_value_and_every_context(void **state)
{
	char	*a = support_driver_text(GEMM("40", "cold"));
	char	*b = support_driver_text(GEMM("72", "warm"));

	(void)state;
	assert_string_equal(a, b);
	assert_null(strstr(a, "40"));
	assert_non_null(strstr(a, "#error \"MS is not defined\""));
	free(a);
	free(b);
}

static void
test_driver_X18_a_fence_is_behind_each_call_only_if_calls_are_to_wait(void **state)
{
	(void)state;
	for (int serialised = 0; serialised < 2; serialised++) {
		char	*text = support_driver_text(serialised ? "{'routine': 'int f(int a)', "
			    "'args': {'a': 1}, 'timing': {'serialised': true}}" :
			    "{'routine': 'int f(int a)', 'args': {'a': 1}}");

		assert_int_equal(strstr(text, "drv_result = drv_go(drv_a0);\n\t\trt_fence();\n") !=
		    NULL, serialised);
		assert_int_equal(strstr(text, "rt_fence") != NULL, serialised);
		free(text);
	}
}

/* ---- pointers without memory of their own ---- */

#define PARTS	"{'routine': 'double parts(const double *x, double *y, void *z, double *w)'," \
	"'params': {'N': 4}, 'args': {'x': {'same_as': 'y', 'from': 'N - 1'}," \
	"'y': {'dims': ['N']}, 'z': null, 'w': {'dims': [1]}}}"

static const void	*parts_saw[3][4];
static unsigned		 parts_calls;

static double
parts_stub(const double *x, double *y, void *z, double *w)
{
	const void	*all[] = { x, y, z, w };

	memcpy(parts_saw[parts_calls++ % 3], all, sizeof all);
	return 0;
}

static void
test_driver_a_shared_argument_follows_its_operand_null_is_null(void **state)
{
	const struct rt_driver	*d = support_load_driver(PARTS, NULL);
	const rt_u32		 walk[] = { 0, 2 };
	const rt_u64		 step[] = { 4 * sizeof(double), 0 };
	double			 y[12], w;
	void			*at[] = { y, &w };

	(void)state;
	assert_int_equal(d->rt_operands, 2);
	assert_string_equal(d->rt_operand[0].rt_name, "y");
	assert_int_equal(d->rt_operand[0].rt_access, 'b');
	parts_calls = 0;
	d->rt_call((rt_code *)parts_stub, at);
	d->rt_repeat((rt_code *)parts_stub, at, 1);
	for (int i = 0; i < 2; i++) {
		assert_ptr_equal(parts_saw[i][0], y + 3);
		assert_ptr_equal(parts_saw[i][1], y);
		assert_null(parts_saw[i][2]);
		assert_ptr_equal(parts_saw[i][3], &w);
	}
	d->rt_rotate((rt_code *)parts_stub, at, step, walk, 2);
	assert_ptr_equal(parts_saw[0][0], y + 8 + 3);
	assert_ptr_equal(parts_saw[0][1], y + 8);
	assert_null(parts_saw[0][2]);
	assert_ptr_equal(parts_saw[0][3], &w);
}

/*
 * The driver that Figure 4 of the paper on automated timer generation asks for, as a person reads
 * it.
 */
static void
test_driver_P36_W36_the_text_is_the_golden_one_and_has_no_branches_in_it(void **state)
{
	char	*text = support_driver_text(GEMM("72", "cold")), golden[16384];
	FILE	*f = fopen("tests/data/driver_gemm.c", "r");
	size_t	 n;

	(void)state;
	assert_non_null(f);
	n = fread(golden, 1, sizeof golden - 1, f);
	golden[n] = '\0';
	fclose(f);
	assert_string_equal(text, golden);
	assert_null(strstr(text, "if ("));
	assert_null(strstr(text, "?"));
	free(text);
}

static void
test_driver_P10_P13_P14_the_operand_table_has_size_alignment_and_access(void **state)
{
	const struct rt_driver	*d = support_load_driver(GEMM("40", "cold"), NULL);

	(void)state;
	assert_int_equal(d->rt_abi, RT_ABI);
	assert_int_equal(d->rt_operands, 3);
	assert_int_equal(d->rt_operand[0].rt_count, 40 * 72);
	assert_int_equal(d->rt_operand[1].rt_count, 72 * 72);
	assert_int_equal(d->rt_operand[2].rt_count, 40 * 72);
	for (int k = 0; k < 3; k++) {
		assert_int_equal(d->rt_operand[k].rt_align, 16);
		assert_int_equal(d->rt_operand[k].rt_bytes, sizeof(double));
		assert_int_equal(d->rt_operand[k].rt_init, 'r');
	}
	assert_int_equal(d->rt_operand[0].rt_access, 'i');
	assert_int_equal(d->rt_operand[2].rt_access, 'b');
	assert_string_equal(d->rt_operand[2].rt_name, "C");
}

/* ---- timed regions ---- */

#define DOT	"{'routine': 'double dot(int n, const double *x)', 'params': {'n': 10}," \
		"'args': {'n': 'n', 'x': {'dims': ['n']}}, 'timing': {'clock': '%s'}}"

static unsigned		dot_calls;
static const double	*dot_saw[64];

static double
dot_stub(int n, const double *x)
{
	dot_saw[dot_calls++ % 64] = x;
	return n;
}

static const struct rt_driver *
load_dot(const char *clock, const char *more)
{
	char	spec[512];

	snprintf(spec, sizeof spec, DOT, clock);
	return support_load_driver(spec, more);
}

static void
test_driver_P30_P32_W48_a_sample_makes_as_many_calls_as_asked(void **state)
{
	const struct rt_driver	*d = load_dot("auto", NULL);
	double			 x[10];
	void			*at[] = { x };

	(void)state;
	for (rt_u64 calls = 1; calls <= 4096; calls *= 8) {
		dot_calls = 0;
		assert_true(d->rt_repeat((rt_code *)dot_stub, at, calls) > 0);
		assert_int_equal(dot_calls, calls);
		assert_ptr_equal(dot_saw[0], x);
	}
	assert_true(*(const volatile double *)d->rt_result == 10);
}

static void
test_driver_W33_W34_each_call_of_a_walk_gets_another_working_set(void **state)
{
	const struct rt_driver	*d = load_dot("auto", NULL);
	static double		 area[16 * 10];
	void			*at[] = { area };
	const rt_u64		 step[] = { 10 * sizeof(double) };
	rt_u32			 walk[16];

	(void)state;
	for (rt_u32 i = 0; i < 16; i++)
		walk[i] = 15 - i;
	dot_calls = 0;
	d->rt_rotate((rt_code *)dot_stub, at, step, walk, 16);
	assert_int_equal(dot_calls, 16);
	for (int i = 0; i < 16; i++)
		assert_ptr_equal(dot_saw[i], area + 10 * (15 - i));
}

static void
test_driver_W41_an_operand_with_step_0_stays_where_it_is(void **state)
{
	const struct rt_driver	*d = load_dot("auto", NULL);
	double			 x[10];
	void			*at[] = { x };
	const rt_u64		 step[] = { 0 };
	const rt_u32		 walk[] = { 3, 2, 1, 0 };

	(void)state;
	dot_calls = 0;
	d->rt_rotate((rt_code *)dot_stub, at, step, walk, 4);
	assert_int_equal(dot_calls, 4);
	for (int i = 0; i < 4; i++)
		assert_ptr_equal(dot_saw[i], x);
}

#define COUNTER(name, other)                                                                                           \
	"static unsigned long long now = 1ull << 62;\n" \
	"unsigned long " name "(void) { return now++; }\n" \
	"unsigned long " other "(void) { return 7; }\n"

/* Doubles near 2^62 are 1024 apart: had either reading been one, a step of 1 would be lost. */
static void
test_driver_W20_W23_a_counter_near_2_to_the_62_keeps_steps_of_1(void **state)
{
	const struct rt_driver	*d = load_dot("wall", COUNTER("rt_wall_ns", "rt_cpu_ns"));
	double			 x[10];
	void			*at[] = { x };

	(void)state;
	assert_int_equal(d->rt_repeat((rt_code *)dot_stub, at, 1), 1);
	assert_string_equal(d->rt_clock, "wall");
}

static void
test_driver_P20_P22_P25_P26_P27_the_text_reads_the_clock_asked_for_and_no_other(void **state)
{
	static const char *const	clocks[] = { "wall", "cycle", "cpu" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		char	spec[512], *text, word[32];

		if (i == 1 && !driver_has_cycle_clock())
			continue;
		snprintf(spec, sizeof spec, DOT, clocks[i]);
		text = support_driver_text(spec);
		for (int other = 0; other < 3; other++) {
			snprintf(word, sizeof word, "rt_%s_start()", clocks[other]);
			assert_int_equal(strstr(text, word) != NULL, other == i);
		}
		free(text);
	}
}

static void
test_driver_P27_cpu_time_is_read_from_the_cpu_clock(void **state)
{
	const struct rt_driver	*d = load_dot("cpu", COUNTER("rt_cpu_ns", "rt_wall_ns"));
	double			 x[10];
	void			*at[] = { x };

	(void)state;
	assert_int_equal(d->rt_repeat((rt_code *)dot_stub, at, 5), 1);
	assert_string_equal(d->rt_clock, "cpu");
}

static void
test_driver_the_empty_routine_can_stand_in_for_the_real_one(void **state)
{
	const struct rt_driver	*d = load_dot("auto", NULL);
	double			 x[10];
	void			*at[] = { x };

	(void)state;
	dot_calls = 0;
	assert_true(d->rt_repeat(d->rt_empty, at, 100) > 0);
	d->rt_call(d->rt_empty, at);
	assert_int_equal(dot_calls, 0);
}

/* ---- everything a prototype and an init may be ---- */

static void
test_driver_every_type_compiles_without_a_warning(void **state)
{
	(void)state;
	for (int t = CTYPE_BOOL; t < CTYPE_STRUCT; t++) {
		char	spec[1024];
		bool	is_complex = ctype_class(t) == 'c';

		snprintf(spec, sizeof spec, "{'routine': '%s f(%s a, const %s *x, %s *restrict y)',"
		    "'args': {'a': 1, 'x': {'dims': [4], 'init': 'random'}, 'y': {'dims': [4], "
		    "'init': '%s'}}}", ctype_name(t), is_complex ? "double" : ctype_name(t),
		    ctype_name(t), ctype_name(t), t == CTYPE_BOOL || is_complex ?
		    "random" : "index");
		const struct rt_driver *d = support_load_driver(spec, NULL);
		assert_int_equal(d->rt_result_bytes, ctype_bytes(t));
		assert_int_equal(d->rt_operand[1].rt_bytes, ctype_bytes(t));
	}
}

static void
test_driver_routines_without_arguments_or_result_compile(void **state)
{
	const struct rt_driver	*d =
	    support_load_driver("{'routine': 'void f(void)', 'args': {}, 'context': "
	    "'warm'}", NULL);

	(void)state;
	assert_int_equal(d->rt_operands, 0);
	assert_int_equal(d->rt_result_bytes, 0);
	assert_null(d->rt_result);
	assert_true(d->rt_repeat(d->rt_empty, NULL, 3) > 0);
}

/* Params are macros, and nothing that the driver or rt.h calls by name may be hit by one. */
static void
test_driver_params_may_have_any_name(void **state)
{
	const struct rt_driver	*d =
	    support_load_driver("{'routine': 'double f(int f, const double *x)', "
	    "'params': {'i': 2, 'n': 3, "
	    "'x': 5, 'N': 7, 'calls': 11, 'start': 1, 'ticks': 1, 'lo': 1, 'hi': 1, 'at': 1, "
	    "'a': 1, 'b': 1, " "'code': 1, "
	    "'step': 1, 'walk': 1, 'set': 1, 'result': 1, 'count': 1, 'abi': 1, 'memory': 1, "
	    "'volatile_': 1," "'asm_': 1, 'min_': 1, 'driver': 1, 'operand': 1, 'routine': "
	    "1, 'text': 1}," "'args': {'f': 'i', 'x': {'dims': ['i * n * x * N * calls']}}}", NULL);

	(void)state;
	assert_int_equal(d->rt_operand[0].rt_count, 2 * 3 * 5 * 7 * 11);
}

/* Behind the comment, literal or number at `s`; `s` itself: there is none. */
static const char *
behind_no_word(const char *s)
{
	const char	*end = s;

	if (strncmp(s, "/*", 2) == 0) {
		end = strstr(s, "*/");
		assert_non_null(end);
		return end + 2;
	}
	if (*s == '"' || *s == '\'') {
		for (end++; *end != *s; end++)
			end += *end == '\\';
		return end + 1;
	}
	return *s >= '0' && *s <= '9' ? s + 1 + name_length(s + 1) : s;
}

/* Each word of C text, apart from those of the preprocessor, is no name for a param. */
static unsigned
check_words(const char *text, const char *but)
{
	unsigned	n = 0;

	while (*text != '\0') {
		const char	*next = behind_no_word(text);
		char		 word[NAME_MAX_BYTES + 1];

		if (next == text && *text == '#')
			next += 1 + name_length(text + 1);
		if (next != text || name_length(text) == 0) {
			text = next + (next == text);
			continue;
		}
		next += name_length(text);
		(void)snprintf(word, sizeof word, "%.*s", (int)(next - text), text);
		text = next;
		if (strcmp(word, but) == 0)
			continue;
		if (strncmp(word, "RT_", 3) != 0 && name_check_param(word, NULL) == ST_OK)
			fail_msg("the driver has \"%s\", and a param may have that name", word);
		n++;
	}
	return n;
}

static void
test_driver_has_no_word_that_is_a_params_name(void **state)
{
	static const char *const	specs[] = {
		"{'routine': 'void f(void)', 'args': {}, 'context': 'warm'}",
		("{'routine': 'double f(int m, float _Complex *x, _Bool *y)', 'params': {'PARAM': 2},"
		"'args': {'m': 'PARAM', 'x': {'dims': ['PARAM*2']},"
		"'y': {'dims': ['min(PARAM,ceil(1.5))']}}, 'timing': {'clock': 'wall'}}"),
		("{'routine': 'void f(const double *x)', 'params': {'PARAM': 2}, 'args': {'x':"
		"{'dims': ['PARAM'], 'cache': 'warm'}}, 'timing': {'clock': 'cpu'}}"),
		"{'routine': 'int f(long *x)', 'checkpoint': 'image'}",
	};

	(void)state;
	assert_true(check_words(rt_header, "") > 200);
	for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
		char	*text = support_driver_text(specs[i]);

		assert_true(check_words(text, "PARAM") > 20);
		free(text);
	}
}

static void
test_driver_sizes_are_computed_in_64_bits(void **state)
{
	const struct rt_driver	*d =
	    support_load_driver("{'routine': 'void f(const char *x)', 'params': {'N': 65536},"
	    "'args': {'x': {'dims': ['N * N / 4 + min(N, 5) + ceil(1.5) + floor(log2(N))']}}}",
	    NULL);

	(void)state;
	assert_int_equal(d->rt_operand[0].rt_count, 65536ull * 65536 / 4 + 5 + 2 + 16);
}

static void
test_driver_X1_orders_and_distributions_reach_the_table(void **state)
{
	const struct rt_driver	*d =
	    support_load_driver("{'routine': 'void f(const double *x, const int *y, const char "
	    "*t)', 'args': {'x': {'dims': [9], 'init': {'random': {'order': 'nearly_sorted', "
	    "'swaps': 0.5}}}, 'y': {'dims': [9], 'init': {'random': {'order': 'reversed', "
	    "'distinct': 3, 'density': 0.25}}}, 't': {'dims': [9], 'init': {'text': "
	    "{'seed': 8}}}}}", NULL);

	(void)state;
	assert_int_equal(d->rt_operand[0].rt_order, 'n');
	assert_true(d->rt_operand[0].rt_swaps == 0.5);
	assert_int_equal(d->rt_operand[0].rt_distinct, 0);
	assert_true(d->rt_operand[0].rt_zeros == 0);
	assert_int_equal(d->rt_operand[1].rt_order, 'r');
	assert_int_equal(d->rt_operand[1].rt_distinct, 3);
	assert_true(d->rt_operand[1].rt_zeros == 0.75);
	assert_int_equal(d->rt_operand[2].rt_init, 't');
	assert_int_equal(d->rt_operand[2].rt_seed, 8);
}

static void
test_driver_P29_values_and_data_reach_the_table(void **state)
{
	const struct rt_driver	*d =
	    support_load_driver("{'routine': 'void f(const float *v, const unsigned "
	    "char *d, const int *p)',"
	    "'params': {'A': 2.5}, 'args': {'v': {'dims': [3], 'init': {'value': 'A * 2'}},"
	    "'d': {'dims': [3], 'init': {'data': '/wBc'}},"
	    "'p': {'dims': [9], 'init': {'permutation': {'seed': 77}}}}}", NULL);

	(void)state;
	assert_true(*(const float *)d->rt_operand[0].rt_data == 5);
	assert_int_equal(d->rt_operand[1].rt_data_bytes, 3);
	assert_memory_equal(d->rt_operand[1].rt_data, "\xff\0\\", 3);
	assert_int_equal(d->rt_operand[2].rt_init, 'p');
	assert_int_equal(d->rt_operand[2].rt_seed, 77);
}

static void
test_driver_P29_each_operand_that_functions_fill_has_its_part_of_their_bytes(void **state)
{
	char	*text = support_driver_text("{'routine': 'void f(int *a, double *x, double *b)', "
		    "'setup': 'void g(void *x, unsigned long n) {}', 'args': {"
		    "'a': {'dims': [3], 'init': {'function': 'g'}}, 'x': {'dims': [9]}, "
		    "'b': {'dims': [2, 2], 'init': {'function': 'g'}}}}");

	(void)state;
	assert_non_null(strstr(text, "drv_data0:\\n\\t.incbin \\\"filled\\\", 0, 12\\n"));
	assert_non_null(strstr(text, "drv_data2:\\n\\t.incbin \\\"filled\\\", 12, 32\\n"));
	assert_null(strstr(text, "drv_data1"));
	assert_non_null(strstr(text, ".rt_data = drv_data2, .rt_data_bytes = 32,"));
	free(text);
}

static void
test_driver_W38_W53_stride_misalignment_and_offset_reach_the_table(void **state)
{
	const struct rt_driver	*d =
	    support_load_driver("{'routine': 'void f(double *x, double *y)', "
	    "'args': {'x': {'dims': [320], 'stride': 32,"  "'align': 8, 'misalign': 16, "
	    "'access': 'out'}, 'y': {'dims': [4], 'offset': '2 * 4'}}}", NULL);

	(void)state;
	assert_int_equal(d->rt_operand[0].rt_stride, 32);
	assert_int_equal(d->rt_operand[0].rt_align, 8);
	assert_int_equal(d->rt_operand[0].rt_misalign, 16);
	assert_int_equal(d->rt_operand[0].rt_access, 'o');
	assert_int_equal(d->rt_operand[0].rt_offset, 0);
	assert_int_equal(d->rt_operand[1].rt_offset, 8);
}

/* ---- checkpoint images ---- */

/*
 * An image that calls its routine three times, and a clock each of whose readings is twice the one
 * before.
 */
#define IMAGE_OF(result)								\
	"#include <string.h>\n"								\
	"typedef void code(void); typedef " result " routine(int, const void *);\n"	\
	"void rt_image_run(code *, code *); void rt_image_in(void);\n"			\
	"void rt_image_out(const volatile void *, unsigned);\n"				\
	"unsigned long rt_wall_ns(void);\n"						\
	"unsigned long rt_wall_ns(void) { static unsigned long now = 1; return now *= 2; }\n"	\
	"void rt_image_in(void) {}\n"							\
	"void rt_image_out(const volatile void *at, unsigned bytes) { (void)at; (void)bytes; }\n"	\
	"void rt_image_run(code *c, code *through) { (void)c;\n"				\
	"for (int i = 0; i < 3; i++) (void)((routine *)through)(i, \"list\"); }\n"

#define OF_IMAGE(result)	"{'routine': '" result " walk(int n, const void *list)', 'checkpoint': 'walk.image', " \
				"'timing': {'clock': 'wall'}}"

static int	 walked[8], walks;

static double
walk_stub(int n, const void *list)
{
	assert_string_equal(list, "list");
	walked[walks++] = n;
	return n + 0.5;
}

static void
test_driver_P39_C14_an_image_calls_the_routine_and_the_last_call_is_the_sample(void **state)
{
	const struct rt_driver	*d = support_load_driver(OF_IMAGE("double"), IMAGE_OF("double"));

	(void)state;
	walks = 0;
	assert_int_equal(d->rt_checkpoint, 1);
	assert_int_equal(d->rt_operands, 0);
	assert_int_equal(d->rt_repeat((rt_code *)walk_stub, NULL, 1), 64 - 32);	/* of 2 4, 8 16, 32 64 */
	assert_int_equal(walks, 3);
	assert_true(walked[0] == 0 && walked[1] == 1 && walked[2] == 2);
	assert_true(*(const volatile double *)d->rt_result == 2.5);
}

static void
test_driver_P39_what_calling_costs_is_seen_without_the_image(void **state)
{
	const struct rt_driver	*d = support_load_driver(OF_IMAGE("double"), IMAGE_OF("double"));

	(void)state;
	walks = 0;
	assert_int_equal(d->rt_repeat(d->rt_empty, NULL, 1), 4 - 2);
	assert_int_equal(walks, 0);
}

static void
test_driver_P39_results_of_every_kind_compile(void **state)
{
	(void)state;
	assert_int_equal(support_load_driver(OF_IMAGE("void"), IMAGE_OF("void"))->rt_result_bytes,
	    0);
	assert_int_equal(support_load_driver(OF_IMAGE("_Bool"), IMAGE_OF("_Bool"))->rt_result_bytes,
	    1);
	assert_int_equal(support_load_driver(OF_IMAGE("float _Complex"),
	    IMAGE_OF("float _Complex"))->rt_result_bytes, 8);
	assert_int_equal(support_load_driver(OF_IMAGE("long double"),
	    IMAGE_OF("long double"))->rt_result_bytes, 16);
}

static void
test_driver_the_embedded_header_is_the_one_in_the_tree(void **state)
{
	char	 text[32768];
	FILE	*f = fopen("worker/runner/sample/rt.h", "r");
	size_t	 n;

	(void)state;
	assert_non_null(f);
	n = fread(text, 1, sizeof text - 1, f);
	text[n] = '\0';
	fclose(f);
	assert_string_equal(rt_header, text);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_driver_P5_the_call_has_its_arguments_in_the_order_of_the_prototype),
		cmocka_unit_test(test_driver_P8_P9_scalars_follow_their_macro_or_are_the_constant),
		cmocka_unit_test(test_driver_P2_P7_one_text_serves_every_param_value_and_every_context),
		cmocka_unit_test(
		    test_driver_X18_a_fence_is_behind_each_call_only_if_calls_are_to_wait),
		cmocka_unit_test(test_driver_a_shared_argument_follows_its_operand_null_is_null),
		cmocka_unit_test(test_driver_P36_W36_the_text_is_the_golden_one_and_has_no_branches_in_it),
		cmocka_unit_test(test_driver_P10_P13_P14_the_operand_table_has_size_alignment_and_access),
		cmocka_unit_test(test_driver_P30_P32_W48_a_sample_makes_as_many_calls_as_asked),
		cmocka_unit_test(test_driver_W33_W34_each_call_of_a_walk_gets_another_working_set),
		cmocka_unit_test(test_driver_W41_an_operand_with_step_0_stays_where_it_is),
		cmocka_unit_test(test_driver_W20_W23_a_counter_near_2_to_the_62_keeps_steps_of_1),
		cmocka_unit_test(test_driver_P20_P22_P25_P26_P27_the_text_reads_the_clock_asked_for_and_no_other),
		cmocka_unit_test(test_driver_P27_cpu_time_is_read_from_the_cpu_clock),
		cmocka_unit_test(test_driver_the_empty_routine_can_stand_in_for_the_real_one),
		cmocka_unit_test(test_driver_every_type_compiles_without_a_warning),
		cmocka_unit_test(test_driver_routines_without_arguments_or_result_compile),
		cmocka_unit_test(test_driver_params_may_have_any_name),
		cmocka_unit_test(test_driver_has_no_word_that_is_a_params_name),
		cmocka_unit_test(test_driver_sizes_are_computed_in_64_bits),
		cmocka_unit_test(test_driver_X1_orders_and_distributions_reach_the_table),
		cmocka_unit_test(test_driver_P29_values_and_data_reach_the_table),
		cmocka_unit_test(
		    test_driver_P29_each_operand_that_functions_fill_has_its_part_of_their_bytes),
		cmocka_unit_test(test_driver_W38_W53_stride_misalignment_and_offset_reach_the_table),
		cmocka_unit_test(test_driver_P39_C14_an_image_calls_the_routine_and_the_last_call_is_the_sample),
		cmocka_unit_test(test_driver_P39_what_calling_costs_is_seen_without_the_image),
		cmocka_unit_test(test_driver_P39_results_of_every_kind_compile),
		cmocka_unit_test(test_driver_the_embedded_header_is_the_one_in_the_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
