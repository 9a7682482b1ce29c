/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time limit: 3600 s; takes about 80 s
 * Whose variants units have: what is built alone, and what comes of variants that fail.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/two_builders.h"
#include "worker/build/unit/unit.h"

/* ---- what is built alone ---- */

/* With a variable that has these attributes. */
#define LOCAL(attributes)	"double f(int n, const double *x) { double b " attributes \
	" = x[n - 1]; return b * U; }\n"

/* With this before its loop. */
#define LOOPS(pragma)	"double f(int n, const double *x)\n{\n\tdouble sum = U;\n\n\t" pragma "\n" \
	"\tfor (int i = 0; i < n; i++)\n\t\tsum += x[i];\n\treturn sum;\n}\n"

#define DO_PRAGMA	"#define DO_PRAGMA(x) _Pragma(#x)\n"

static void
test_unit_refuses_a_source_that_reaches_beyond_itself(void **state)
{
	static const char *const	sources[] = {
		"double f(int n, const double *x) __attribute__((unused));\n" PLAIN,
		"#define unused cold\n" LOCAL("__attribute__((unused))"),
		LOCAL("__attribute__((aligned(8), annotate))"),
		LOCAL("__attribute__((aligned(__LINE__ > 3 ? 16 : 8)))"),
		LOCAL("__attribute__((aligned(8))) __attribute__((annotate))"),
		"#pragma GCC optimize(\"O1\")\n" PLAIN,
		"#pragma GCC push_options\n" PLAIN,
		"_Pragma(\"GCC optimize(1)\")\n" PLAIN,
		LOOPS("_Pragma(L\"GCC unroll 4\")"),
		"#define GO _Pragma\nGO(\"GCC optimize(1)\")\n" PLAIN,
		DO_PRAGMA "DO_PRAGMA(GCC optimize(1))\n" PLAIN,
		DO_PRAGMA "#define CALL(m, x) m(x)\nCALL(DO_PRAGMA, GCC optimize(1))\n" PLAIN,
		DO_PRAGMA "#define DO(x) DO_##x(GCC optimize(1))\nDO(PRAGMA)\n" PLAIN,
		DO_PRAGMA "#define LOOP(GCC, unroll) DO_PRAGMA(GCC unroll 1)\nLOOP(STDC, NONE)\n" PLAIN,
		DO_PRAGMA "#define unroll optimize\n#define LOOP(n) DO_PRAGMA(n)\n"
		"LOOP(GCC unroll 1)\n" PLAIN,
		DO_PRAGMA "#define MORE 4 _Pragma(\"GCC optimize(1)\")\n" PLAIN,
		DO_PRAGMA LOOPS("DO_PRAGMA(omp simd _Pragma(\"GCC ivdep\"))"),
		DO_PRAGMA "#undef DO_PRAGMA\n#define DO_PRAGMA(x) _Pragma(\"GCC optimize(1)\")\n"
		"DO_PRAGMA(GCC ivdep)\n" PLAIN,
		DO_PRAGMA "#if U > 1\n#define DO_PRAGMA(x) x\n#endif\n" PLAIN,
		DO_PRAGMA "#define TEXT(x) #x\ndouble f(int n, const double *x)\n"
		"{\n\treturn x[n - 1] + TEXT(f)[0];\n}\n",
		"#line 7 \"other.c\"\n" PLAIN,
		"# 7 \"other.c\"\n" PLAIN,
		"#undef __OPTIMIZE__\n" PLAIN,
		"#define EDOM_ 1\n#include <errno.h>\n#undef EDOM\n" PLAIN,
		"double f(int n, const double *x) __asm__(\"f\");\n" PLAIN,
		"double f(int n, const double *x) { return x[n - 1] * __COUNTER__; }\n",
		"double f(int n, const double *x) { return x[n - 1] * __LINE__; }\n",
		"double f(int n, const double *x) { return x[n - 1] * sizeof __FILE__; }\n",
		"double f(int n, const double *x) { return x[n - 1] * sizeof __func__; }\n",
		"#define NAME(a) #a\n#define NAMED(a) NAME(a)\n"
		"double f(int n, const double *x) { return x[n - 1] + NAMED(f)[0]; }\n",
		"#ifdef f\n#error f\n#endif\n" PLAIN,
		"#include <math.h>\n#ifndef M_PI\n#define M_PI 3\n#endif\n" PLAIN,
		"#if U > 1\n#include <math.h>\n#endif\n" PLAIN,
		"[[gnu::cold]] " PLAIN,
		"%:define A 1\n" PLAIN,
		"/* \\ \n*/" PLAIN,
		PLAIN "/* */ \\\n",
		"#pragma omp declare simd\n" PLAIN,
		"#pragma STDC FP_CONTRACT OFF\n" PLAIN,
		"#if U == 1\ndouble atof(const char *);\n#endif\n" PLAIN,
		"__attribute__((cold)) " PLAIN,
		"__attribute__((section(\"own\"))) " PLAIN,
		"extern double far[U];\n" PLAIN,
		"#define LOUD typedef double real;\nLOUD " PLAIN,
		"#include <math.h>\n#define cbrt sqrt\n" PLAIN,
		"#include <string.h>\n#define size_t int\n" PLAIN,
		"#include <math.h>\n#define double double\n" PLAIN,
	};

	(void)state;
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		if (units_of(sources[i], json_pack("[s, s]", "-O2", "-std=gnu2x")) != 0)
			fail_msg("in a unit: %s", sources[i]);
}

static void
test_unit_refuses_flags_that_name_lines_or_whole_programs(void **state)
{
	static const char *const	flags[] = { "-g", "-flto", "-D_W=3" };

	(void)state;
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if (units_of(PLAIN, json_pack("[s, s]", "-O2", flags[i])) != 0)
			fail_msg("in a unit: %s", flags[i]);
}

/* What the routine's own definition depends on is its version's alone. */
static void
test_unit_a_source_may_choose_among_forms_of_its_routine(void **state)
{
	static const char *const	sources[] = {
		"#if U > 1\n" PLAIN "#else\n" PLAIN "#endif\n",
		"#define RESTRICT restrict\ndouble\nf(int n, const double *RESTRICT x)\n"
		"{\n\treturn x[n - 1] * U;\n}\n",
		LOCAL("__attribute__ (( aligned (2 * sizeof(double)),__unused__ , may_alias))"),
		"#if U > 2\n" PLAIN "#elif U > 1\n" PLAIN "#else\n" PLAIN "#endif\n",
		LOCAL("") "/* __attribute__((cold)) */\n",
		"#define STEP U\n#undef U\n#define U 9\n#undef STEP\n#define STEP 3\n"
		"double f(int n, const double *x)\n{\n\treturn x[n - 1] * U + STEP;\n}\n#undef STEP\n",
		"double f(int n, const double *x)\n{\n\t_Alignas(64) double b[4] = { x[n - 1] };\n"
		"\treturn b[0] * U;\n}\n",
		"/* \\\n*/\n#define STEP(i) \\\n\tsum += x[i] \\\n\t    * U;\n"
		"// goes on \\\n double f(\ndouble f(int n, const double *x)\n{\n\tdouble sum = n;\n"
		"\n\tST\\\nEP(0)\n\treturn sum;\n}\n",
		"double f(int n, const double *x)\n{\n\tdouble sum = 0;\n\n"
		"#pragma omp simd reduction(+ : sum)\n#pragma unroll(4)\n"
		"\tfor (int i = 0; i < n; i++)\n\t\tsum += x[i];\n#pragma ivdep\n"
		"\tfor (int i = 0; i < n; i++)\n\t\tsum += x[i];\n\treturn sum * U;\n}\n",
		LOOPS("_Pragma(\"GCC unroll 4\")"),
		DO_PRAGMA LOOPS("DO_PRAGMA(GCC ivdep)"),
		"#if U > 9\n#define DO_PRAGMA(...)\n#else\n#define DO_PRAGMA(...) _Pragma(#__VA_ARGS__)\n"
		"#endif\n#define LOOP(n) DO_PRAGMA ( GCC unroll n ) for\n" LOOPS("LOOP(1 + U) (;0;) { }"),
		"#define PRAGMA(text) _Pragma(TEXT(text))\n#define TEXT(text) TEXT_(text)\n"
		"#define TEXT_(text) # text\n#define DO(text) PRAGMA(text)\n"
		LOOPS("DO(omp simd reduction(+ : sum)) _Pragma (TEXT(GCC unroll U))"),
		"typedef double real;\ndouble f(int, const real *);\n"
		"#include <math.h>\n" PLAIN,
		"/* ; { */ // }\n#define STEP(i) { sum += x[i]; }\n#include <immintrin.h>\ndouble\n"
		"f(int n, const double *x)\n{\n\tdouble sum = '{' + ';';\n\n#if U > 0\n\tSTEP(0)\n#endif\n"
		"\treturn sum * n + U;\n}\n",
	};

	(void)state;
	must_be_in_units(sources, sizeof sources / sizeof sources[0]);
}

/* Of three variants whose V is this, so many are in a unit. */
static unsigned
units_with(const char *v)
{
	json_t		*docs = json_array();
	enum status	 st[3];
	unsigned	 n;

	for (int k = 0; k < 3; k++)
		(void)json_array_append_new(docs, document("c", LOOPS("V"),
		    json_pack("[s]", "-O2"), k + 1, v));
	n = build_all(docs, st);
	json_decref(docs);
	return n;
}

static void
test_unit_a_macro_may_stand_for_a_pragma_of_a_loop(void **state)
{
	(void)state;
	assert_int_equal(units_with("_Pragma(\"GCC unroll 4\")"), 3);
	assert_int_equal(units_with("_Pragma(\"STDC FP_CONTRACT OFF\")"), 0);
	assert_int_equal(units_with("_Pragma(GCC unroll 4) _Pragma(\"GCC unroll 2\")"), 0);
}

/* ---- variants that fail ---- */

/* Each variant's outcome is that of a lone build, in the same words. */
static void
must_fail_as_alone(const char *source, const char *const v[], size_t n, unsigned build_ms)
{
	json_t		*docs = json_array(), *doc, *company;
	size_t		 i;

	for (size_t k = 0; k < n; k++) {
		doc = document("c", source, json_pack("[s]", "-O2"), (int)k + 1, v[k]);
		(void)json_object_set_new(doc, "timeout_ms", json_pack("{s:i}", "build",
		    (int)build_ms));
		(void)json_array_append_new(docs, doc);
	}
	json_array_foreach(docs, i, doc) {
		enum status	st;

		company = json_copy(docs);
		for (size_t k = 0; k <= i; k++)
			(void)json_array_remove(company, 0);
		st = build(&together, doc, json_array_size(company) > 0 ? company : NULL);
		assert_int_equal(build(&alone, doc, NULL), st);
		assert_int_equal(together.detail != NULL, alone.detail != NULL);
		if (together.detail != NULL)
			assert_string_equal(together.detail, alone.detail);
		json_decref(company);
	}
	json_decref(docs);
}

static void
test_unit_that_fails_is_built_one_by_one_with_each_its_own_words(void **state)
{
	static const char *const	v[] = { "1", "bad", "3", "4" };

	(void)state;
	must_fail_as_alone(PLAIN, v, 4, 60000);
}

/* Those of a unit that their compiler refuses leave it to the others. */
static void
must_stay_together(const char *compiler, const char *const v[], size_t n, unsigned good)
{
	json_t		*docs = json_array(), *doc;
	enum status	 st[SPLIT_MOST];
	size_t		 i;

	assert_true(n <= SPLIT_MOST);
	for (size_t k = 0; k < n; k++) {
		doc = document("c", PLAIN, json_pack("[s]", "-O1"), (int)k + 1, v[k]);
		(void)json_object_set_new(json_object_get(doc, "variant"), "compiler",
		    json_string(compiler));
		(void)json_array_append_new(docs, doc);
	}
	assert_int_equal(build_all(docs, st), good);
	json_array_foreach(docs, i, doc) {
		assert_int_equal(build(&alone, doc, NULL), st[i]);
		assert_int_equal(st[i] == ST_OK, isdigit((unsigned char)v[i][0]) != 0);
	}
	json_decref(docs);
}

static void
test_unit_variants_that_fail_leave_it_to_the_others(void **state)
{
	static const char *const	middle[] = { "1", "bad", "3", "4" };
	static const char *const	ends[] = { "bad", "12", "13", "worse" };
	static const char *const	most[] = { "one", "two", "23", "24", "five" };
	static const char *const	all_but_one[] = { "31", "two", "three" };
	static const char *const	compilers[] = { "gcc", "clang" };

	(void)state;
	for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++) {
		must_stay_together(compilers[i], middle, 4, 3);
		must_stay_together(compilers[i], ends, 4, 2);
		must_stay_together(compilers[i], most, 5, 2);
		must_stay_together(compilers[i], all_but_one, 3, 0);
	}
}

/* A sweep has failing points again and again. */
static void
test_unit_after_failures_others_are_built_together_still(void **state)
{
	char		 v[4][24];
	const char	*all[] = { v[0], v[1], v[2], v[3] };

	(void)state;
	for (int i = 0; i < 2 * UNIT_FAILURES; i++) {
		for (int k = 0; k < 4; k++)
			(void)snprintf(v[k], sizeof v[k], k == i % 4 ? "bad%d" : "%d",
			    100 + 4 * i + k);
		must_stay_together("gcc", all, 4, 3);
	}
}

static void
test_unit_a_variant_that_breaks_out_of_its_place_harms_no_other(void **state)
{
	static const char *const	braces[] = { "1; } {", "1; {", "1; }", "1; }}}", "2" };
	static const char *const	others[] = { "1; } double g(void) { return 1", "2",
					    "1; } double f__assay0(void) { return 9", "3" };

	(void)state;
	must_fail_as_alone(PLAIN, braces, 5, 60000);
	must_fail_as_alone(PLAIN, others, 4, 60000);
}

static void
test_unit_what_one_variant_declares_no_other_has(void **state)
{
	static const char *const	v[] = { "1", "2", "3", "4" };
	static const char *const	sources[] = {
		"#if U == 1\ntypedef double real;\n#endif\n"
		"double f(int n, const double *x) { real y = U; return x[n - 1] + y; }\n",
		"double f(int n, const double *x)\n{\n#if U == 1\n\tdouble atof(const char *);\n"
		"#endif\n\treturn x[n - 1] + atof(\"1.5\");\n}\n",
		PLAIN "const",
		PLAIN "__extension__",
	};

	(void)state;
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		must_fail_as_alone(sources[i], v, 4, 30000);
}

/* complex.h puts its own in the place of the first version's macro, and of no other's. */
static void
test_unit_a_macro_that_a_header_knows_is_built_alone(void **state)
{
	static const char *const	source = "#define I 3\n#include <complex.h>\n"
	    "double f(int n, const double *x) { return x[n - 1] + creal(I * I) * U; }\n";

	(void)state;
	assert_int_equal(units_of(source, json_pack("[s]", "-O2")), 0);
}

static void
test_unit_a_variant_without_end_takes_no_other_with_it(void **state)
{
	static const char *const	v[] = { "1", "A30", "3" };
	static char			source[4096];
	int				n = snprintf(source, sizeof source, "#define A0 1 +\n");

	(void)state;
	for (int i = 0; i < 30; i++)
		n += snprintf(source + n, sizeof source - (size_t)n, "#define A%d A%d A%d\n",
		    i + 1, i, i);
	(void)snprintf(source + n, sizeof source - (size_t)n,
	    "double f(int n, const double *x)\n{\n\treturn x[n - 1] * U + V 1;\n}\n");
	must_fail_as_alone(source, v, 3, 2000);
}

static void
test_unit_a_source_or_a_macro_too_large_is_built_alone(void **state)
{
	const size_t	 n = 1 << 20;
	char		*source = malloc(n + 256);

	(void)state;
	assert_non_null(source);
	(void)strcpy(source, PLAIN);
	for (size_t at = strlen(source); at < n; at += 16)
		(void)strcpy(source + at, "#define A 111111");
	source[n - n % 16] = '\0';
	for (char *at = strstr(source, "#define"); at != NULL; at = strstr(at + 15, "#define"))
		at[-1] = '\n';
	assert_int_equal(units_of(source, json_pack("[s, s]", "-O2", "-w")), 0);
	free(source);
}

/* ---- as alone ---- */

#define SUM	"{\n\tdouble d = U * 0.0;\n\n\tfor (int i = 0; i < n; i++)\n\t\td += x[i];\n" \
		"\treturn d + (R);\n}\n"
#define ROUTINE	"double\nf(int n, const double *x)\n" SUM
#define THIRD(is)	"#if U == 3 && " is "\n#define R 7\n#else\n#define R 0\n#endif\n"

static void
test_unit_a_compiler_s_own_macros_are_there_for_each_version(void **state)
{
	static const struct odd	odd[] = {
		{ "#ifndef __has_builtin\n#define __has_builtin(x) 0\n#endif\n"
		THIRD("!__has_builtin(__builtin_expect)") ROUTINE, NULL, NULL },
		{ "#ifndef __has_builtin\n#define __has_builtin(x) 0\n#endif\n"
		THIRD("!__has_builtin(__builtin_expect)") ROUTINE, "clang", NULL },
		{ "#ifndef __GNUC_MINOR__\n#define __GNUC_MINOR__ 99\n#endif\n"
		"#define R (U == 3) * (__GNUC_MINOR__ == 99)\n" ROUTINE, NULL, NULL },
		{ "#ifndef __OPTIMIZE__\n#define __OPTIMIZE__ 0\n#endif\n"
		THIRD("!__OPTIMIZE__") ROUTINE, NULL, NULL },
		{ "#ifndef __OPTIMIZE__\n#define __OPTIMIZE__ 0\n#endif\n#if __OPTIMIZE__\n"
		"#define R d * 1.0625\n#else\n#define R d * 3.125\n#endif\n" ROUTINE, NULL, NULL },
		{ "/* on other hosts:\n#define __OPTIMIZE__ 1\n*/\n#ifdef __OPTIMIZE__\n"
		"#define R 0\n#else\n#define R 7\n#endif\n" ROUTINE, NULL, NULL },
		{ "#define __OPTIMIZE__ 1\n#undef __OPTIMIZE__\n" THIRD("defined __OPTIMIZE__") ROUTINE,
		NULL, NULL },
		{ "#if U == 1\n#undef V\n#endif\n#ifdef V\n#define R V\n#else\n#define R 7\n#endif\n"
		ROUTINE, NULL, NULL },
		{ "/* now */ #define __OPTIMIZE__ 1\n" THIRD("__OPTIMIZE__") ROUTINE, NULL, NULL },
		{ "#define __CHAR_BIT__ /* of\n*/ 9\n#define R (U == 3) * __CHAR_BIT__\n" ROUTINE,
		NULL, NULL },
	};

	(void)state;
	must_all_be_as_alone(odd, sizeof odd / sizeof odd[0]);
}

static void
test_unit_words_that_only_a_compiler_sees_are_built_alone(void **state)
{
	static const struct odd	odd[] = {
		{ "#define R (U == 3) * (__COUN\\ \nTER__)\n" ROUTINE, NULL, NULL },
		{ "#define R (U == 3) * (__FI\\\t\nLE__[0])\n" ROUTINE, NULL, NULL },
		{ "#define R (U == 3) * (sizeof(__fu\\\f\nnc__))\n" ROUTINE, NULL, NULL },
		{ THIRD("defined f\\\v\n") ROUTINE, NULL, NULL },
		{ THIRD("defined a$b") "#define a$b 1\n" ROUTINE, NULL, NULL },
		{ THIRD("defined a\xc3\xa9") "#define a\xc3\xa9 1\n" ROUTINE, NULL, NULL },
		{ THIRD("defined a\\u00e9") "#define a\\u00e9 1\n" ROUTINE, NULL, NULL },
		{ "#define R (U == 3) * __builtin_FILE()[0]\n" ROUTINE, NULL, NULL },
		{ "#define R (U == 3) * __builtin_LINE()\n" ROUTINE, NULL, NULL },
		{ "#define R (U == 3) * sizeof __builtin_FUNCTION()\n" ROUTINE, "clang", NULL },
		{ "#define R (U == 3) * __builtin_FILE_NAME()[0]\n" ROUTINE, "clang-19", NULL },
		{ "#define A [\n#define R 0\n" ROUTINE, NULL, NULL },
		{ "#define R 1'0\n" ROUTINE, NULL, "-O2 -std=c2x" },
		{ "#define R sizeof(R\"(\n#undef U\n)\")\n" ROUTINE, NULL, NULL },
		{ "#define R 4 //*\n2 /* */\n" ROUTINE, NULL, "-O2 -std=c90" },
	};

	(void)state;
	must_all_be_as_alone(odd, sizeof odd / sizeof odd[0]);
}

static void
test_unit_a_version_has_no_names_of_its_neighbours(void **state)
{
	static const struct odd	odd[] = {
		{ "double f__assay0(int, const double *);\n#define R (U == 3 ? 0 * f__assay0(n, x) : 0)\n"
		ROUTINE, NULL, NULL },
		{ "double f__assay0(int, const double *);\n#define R (U == 3 ? 0 * f__assay0(n, x) : 0)\n"
		ROUTINE, "clang", NULL },
		{ "#define R 0\nint assay_between_1(int);\n" ROUTINE, NULL, NULL },
		{ "extern int w[sizeof(struct {\n#if U == 1\n enum { LEAK = 0 } e; int g;\n#else\n"
		" int e; int g;\n#endif\n})];\n#if U == 3\n#define R LEAK\n#else\n#define R 0\n"
		"#endif\n" ROUTINE, NULL, NULL },
		{ "#if U == 1\nextern int v[sizeof(&f)], w[sizeof(enum { LEAK = 0 })];\n#endif\n"
		"#if U == 3\n#define R LEAK\n#else\n#define R 0\n#endif\n" ROUTINE, NULL, NULL },
		{ "#if U == 1\nstatic inline double\ng(double (*p)[sizeof(&f)])\n{\n\treturn 0;\n}\n"
		"#endif\n#if U == 3\n#define R g(0)\n#else\n#define R 0\n#endif\n" ROUTINE, NULL,
		NULL },
		{ "#define DROP(x)\n#define R 0\ndouble\nf(int n, const double *x)\n{\nDROP({)\n"
		"#if U == 3\n\treturn LEAK + x[n - 1];\n#endif\n\treturn x[n - 1];\n}\n#if U == 1\n"
		"enum { LEAK = 0 };\n#endif\nDROP(})\n", NULL, NULL },
		{ "double\nf(int n, const double *x)\n{\n#ifdef NULL\n\treturn 7 * U;\n#endif\n"
		"\treturn x[n - 1] * U;\n}\n#include <stddef.h>\n", NULL, NULL },
		{ "#define _FORTIFY_SOURCE (U == 3 ? 2 : 0)\n#include <string.h>\n"
		THIRD("__USE_FORTIFY_LEVEL > 0") ROUTINE, NULL, NULL },
		{ "#if U == 1\ndouble drand48(void);\n#endif\n#if U == 2\n#define R 0\n#else\n"
		"#define R (drand48() > 1)\n#endif\n" ROUTINE, NULL, "-O2 -w" },
	};

	(void)state;
	must_all_be_as_alone(odd, sizeof odd / sizeof odd[0]);
}

/* Forms of C that few kernels have. */
static void
test_unit_sources_of_unusual_form_are_built_as_alone(void **state)
{
	static const struct odd	odd[] = {
		{ "#define R 0\ndouble\nf(n, x)\nint n;\nconst double *x;\n" SUM, NULL, NULL },
		{ "#if U == 3\n#error \"three\" is no step\n#endif\n#define R 0\n" ROUTINE, NULL,
		NULL },
		{ "#define R 0\n" ROUTINE "#if U == 3\nvoid g(void) {\n#else\nvoid g(void);\n#endif\n",
		NULL, NULL },
		{ "#define R r\ndouble\nf(int n, const double *x)\n{\n\tint r = 0;\n\n"
		"\tswitch (n & 7) {\n\tcase 0: r = U; break;\n\tcase 1: r = 3 + n; break;\n"
		"\tcase 2: r = x[1]; break;\n\tcase 3: r = 3 * n; break;\n"
		"\tcase 4: r = n * n; break;\n\tcase 5: r = n / 3; break;\n\t}\n" SUM "}\n", NULL,
		NULL },
		{ "inline double g(double a) { return a * 0; }\n#define R g(n)\n" ROUTINE, NULL, NULL },
		{ "int counter;\n#define R counter++\n" ROUTINE, NULL, NULL },
		{ "#include <assert.h>\n#define R (assert(n == 3), U)\n" ROUTINE, "clang", NULL },
		{ "#define R ({ static int c; c++; })\n" ROUTINE, NULL, NULL },
		{ "#define R ({ double g(int i) { return x[i] * U; } g(0); })\n" ROUTINE, NULL, NULL },
		{ "#define R ({ static void *const t[] = { &&p, &&q }; goto *t[n & 1]; p: q: U; })\n"
		ROUTINE, NULL, NULL },
	};

	(void)state;
	must_all_be_as_alone(odd, sizeof odd / sizeof odd[0]);
}

/* Small loops, with headers, pragmas and tables in the code, are in units: the tests above are of
 * sources that mostly are not. */
static void
test_unit_the_idioms_of_kernels_stay_in_units(void **state)
{
	static const char *const	sources[] = {
		"#ifndef __has_builtin\n#define __has_builtin(x) 0\n#endif\n" PLAIN,
		"/* #define U 9 */\n// it's \"odd\n" PLAIN,
		"#define _GNU_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#include <math.h>\n" PLAIN,
		"#if U > 99\n#error \"too many\"\n#endif\n" PLAIN,
		"#define SQUARE(a) ((a) * (a))\n#define RUN(a) do { s += (a); } while (0)\n"
		"double f(int n, const double *x) { double s = U; RUN(SQUARE(x[n - 1])); return s; }\n",
	};

	(void)state;
	must_be_in_units(sources, sizeof sources / sizeof sources[0]);
}

int
main(void)
{
#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest	tests[] = {
		TEST(test_unit_refuses_a_source_that_reaches_beyond_itself),
		TEST(test_unit_refuses_flags_that_name_lines_or_whole_programs),
		TEST(test_unit_that_fails_is_built_one_by_one_with_each_its_own_words),
		TEST(test_unit_variants_that_fail_leave_it_to_the_others),
		TEST(test_unit_after_failures_others_are_built_together_still),
		TEST(test_unit_a_variant_that_breaks_out_of_its_place_harms_no_other),
		TEST(test_unit_a_source_may_choose_among_forms_of_its_routine),
		TEST(test_unit_a_macro_may_stand_for_a_pragma_of_a_loop),
		TEST(test_unit_what_one_variant_declares_no_other_has),
		TEST(test_unit_a_macro_that_a_header_knows_is_built_alone),
		TEST(test_unit_a_variant_without_end_takes_no_other_with_it),
		TEST(test_unit_a_source_or_a_macro_too_large_is_built_alone),
		TEST(test_unit_a_compiler_s_own_macros_are_there_for_each_version),
		TEST(test_unit_words_that_only_a_compiler_sees_are_built_alone),
		TEST(test_unit_a_version_has_no_names_of_its_neighbours),
		TEST(test_unit_sources_of_unusual_form_are_built_as_alone),
		TEST(test_unit_the_idioms_of_kernels_stay_in_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
