/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time limit: 3600 s; takes about 60 s
 * Units of sources that define more than the routine: each version has its own functions, tables and
 * types, and their code and places are those of a lone build.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/two_builders.h"

#define F(expression)	"double\nf(int n, const double *x)\n{\n\treturn " expression ";\n}\n"
#define LOOP(step)	"double\nf(int n, const double *x)\n{\n\tdouble s = 0;\n\n" \
	"\tfor (int i = 0; i + U <= n; i += U)\n\t\t" step "\n\treturn s * V;\n}\n"
#define NOINLINE	"__attribute__((noinline)) "

/* ---- the same code ---- */

static const struct {
	const char	*source;
	bool		 is_gccs;	/* clang makes one table of two versions' */
} corpus[] = {
	{ "static inline double g(double a, double b) { return a * b + U; }\n"
	LOOP("s = g(s, x[i]);"), false },
	{ "static " NOINLINE "double g(double a) { return a * U + V; }\n" LOOP("s += g(x[i]);"),
	false },
	{ "static double part(int n, const double *x)\n{\n\tdouble s = 0;\n\n"
	"\tfor (int i = 0; i < n; i++)\n\t\ts += x[i] / U;\n\treturn s;\n}\n"
	LOOP("s += part(n - i < 64 * U ? n - i : 64 * U, x + i);"), false },
	{ "double g(double a) { return a * U; }\n" LOOP("s += g(x[i]);"), false },
	{ "#include <math.h>\nstatic " NOINLINE "double g(double a) { return sin(a * U); }\n"
	"static double h(double a) { return exp(a) + g(a); }\n" LOOP("s += h(x[i]) * g(s);"), false },
	{ "static const double w[8] = { 1, 2, 3, 4, 5, 6, 7, U };\n" LOOP("s += x[i] * w[i & 7];"),
	true },
	{ "static double w[16] __attribute__((aligned(64)));\n"
	LOOP("w[i & 15] += x[i], s += w[i * U & 15];"), false },
	{ "static double w[4] = { 1, V, 3, U };\n" LOOP("w[i & 3] += x[i], s += w[i * U & 3];"), false },
	{ "double last;\n" LOOP("last = s += x[i] * U;"), false },
	{ "double\nf(int n, const double *x)\n{\n\tstatic const int order[8] = { 3, 1, 2, 0, 7, 5, 6, U };\n"
	"\tstatic double kept[8];\n\tdouble s = 0;\n\n\tfor (int i = 0; i < n; i++)\n"
	"\t\tkept[order[i & 7]] += x[i], s += kept[i * U & 7];\n\treturn s;\n}\n", true },
	{ "typedef double vec __attribute__((vector_size(8 << U), aligned(8)));\n"
	"#define WIDE (1 << U)\ndouble\nf(int n, const double *x)\n{\n\tvec v = { 0 };\n\n"
	"\tfor (int i = 0; i + WIDE <= n; i += WIDE)\n\t\tv += *(const vec *)(x + i);\n"
	"\treturn v[0] + v[1];\n}\n", false },
	{ "struct pair { double a[U], b; };\ntypedef struct { struct pair p; int n; } both;\n"
	"enum { STEP = U, TWICE = 2 * STEP };\nunion bits { double d; unsigned long u; };\n"
	LOOP("{ both z = { { { x[i] }, i }, TWICE }; union bits b = { z.p.a[0] }; s += z.p.b * z.n + (b.u & 1); }"),
	false },
	{ "#if U > 1\ntypedef float real;\n#else\ntypedef double real;\n#endif\n"
	"static real g(real a) { return a / 3; }\n" LOOP("s += g(x[i]);"), false },
	{ "static double g(double a) { return a + U; }\nstatic double h(double a) { return a * V; }\n"
	"typedef double one(double);\nstatic one *const both[2] = { g, h };\n" LOOP("s += both[i & 1](x[i]);"), false },
	{ "static " NOINLINE "double g(int k, double a)\n{\n\tswitch (k & 7) {\n\tcase 0: return a * U;\n"
	"\tcase 1: return a + 3;\n\tcase 2: return a / 3;\n\tcase 3: return a * a;\n"
	"\tcase 4: return V - a;\n\tcase 5: return a * 7;\n\t}\n\treturn 1;\n}\n" LOOP("s += g(i, x[i]);"),
	false },
	{ "static " NOINLINE "double g(const double *x, int n, int step)\n{\n\tdouble s = 0;\n\n"
	"\tfor (int i = 0; i < n; i += step)\n\t\ts += x[i];\n\treturn s;\n}\n"
	LOOP("s += g(x, n, U) * g(x, i, 4);"), false },		/* ".constprop" and ".isra" */
	{ "#include <stdlib.h>\nstatic double g(const double *x, int n)\n{\n\tif (n < 0)\n\t\tabort();\n"
	"\treturn x[n % U];\n}\n" LOOP("s += g(x, i);"), false },	/* ".cold" */
	{ "#define INLINE static inline __attribute__((always_inline))\n"
	"INLINE double g(double a) { return a * U; }\n" NOINLINE "__attribute__((aligned(256))) "
	LOOP("s += g(x[i]);"), false },
};

/* A sanitizer looks at us; code is the other builds' matter. */
#if defined(__SANITIZE_ADDRESS__)
static const bool	is_looked_at = true;
#else
static const bool	is_looked_at = false;
#endif

static const char *const	flag_sets[] = { "-O2", "-O3", "-O3 -ffast-math -mavx2 -mfma",
				    "-O3 -fno-semantic-interposition" };
static const char *const	values[VARIANTS] = { "2", "0.5", "1e9" };

static void
compare(const char *compiler, const char *source, const char *flags)
{
	json_t		*docs = json_array(), *doc;
	enum status	 st[VARIANTS];
	size_t		 i;

	for (int k = 0; k < VARIANTS; k++) {
		doc = document("c", source, split_words(flags), k + 1, values[k]);
		(void)json_object_set_new(json_object_get(doc, "variant"), "compiler",
		    json_string(compiler));
		(void)json_array_append_new(docs, doc);
	}
	if (build_all(docs, st) != VARIANTS)
		fail_msg("no unit: %s %s\n%s", compiler, flags, source);
	json_array_foreach(docs, i, doc) {
		assert_int_equal(build(&together, doc, NULL), ST_OK);
		assert_int_equal(build(&alone, doc, NULL), ST_OK);
		assert_string_equal(built(&alone), "alone");
		must_have_same_code(source, flags);
	}
	json_decref(docs);
}

static void
test_unit_what_a_source_defines_has_the_code_and_place_of_a_lone_build(void **state)
{
	const size_t	nflags = sizeof flag_sets / sizeof flag_sets[0];

	(void)state;
	for (size_t i = 0; i < sizeof corpus / sizeof corpus[0]; i++) {
		compare("gcc", corpus[i].source, flag_sets[i % nflags]);
		if (is_looked_at)
			continue;
		compare("gcc", corpus[i].source, flag_sets[(i + 1) % nflags]);
		if (!corpus[i].is_gccs)
			compare("clang", corpus[i].source, flag_sets[i % nflags]);
	}
}

/* ---- what is in units ---- */

static void
test_unit_a_source_may_define_what_kernels_have(void **state)
{
	static const char *const	sources[] = {
		"static const _Alignas(64) double t[] = { 1, 2, 3, U };\n" F("x[n & 1] * t[n & 3]"),
		"static double g(double), h(double);\nstatic double g(double a) { return a * U; }\n"
		"static double h(double a) { return g(a) + 1; }\n" F("g(x[0]) + h(x[1])"),
		"static int a = 1, b[2] = { 1, 2 }, *c;\n" F("x[n - 1] * U + a + b[1] + (c != 0)"),
		"#define STEP(i) { s += x[i]; }\n#define WIDE 8\nstatic double t[WIDE * U];\n"
		"double f(int n, const double *x) { double s = t[n & 7]; STEP(0) return s; }\n",
		"#if U == 1\nenum { STEP = 2 };\n#endif\n" PLAIN,
		"enum { A, B = U, };\nenum kind { C, D, } kind = D;\n" F("x[n - 1] * B + kind"),
		"#if U == 1\nstruct pair { double a, b; };\n#endif\n" PLAIN,
		"#if U == 1\nstatic inline double g(double a) { return a; }\n#endif\n" PLAIN,
		"#define ALIGNED __attribute__((aligned(256)))\nALIGNED " PLAIN,
		"#define N 2\nstatic double\ng(const double x[static N], void (*p)(int))\n"
		"{\n\treturn p == 0 ? x[U & 1] : 0;\n}\n" F("g(x, 0)"),
		"struct point { struct { double a, b; }; union { int i; float f; }; };\n"
		"static struct point p[U] = { { { 1, 2 }, { 3 } } };\n" F("x[n - 1] + p[0].a"),
		"#define SQUARE(real) ((real) * (real))\ntypedef double real;\n" F("SQUARE((real)x[0]) * U"),
		"extern double sin(double);\nstatic double g(double a) { return sin(a) * U; }\n" F("g(x[0])"),
		"#if U == 1\nstatic double g(double a) { return a; }\n#elif U == 2\n"
		"static double g(double a) { return a * 2; }\n#else\n"
		"static double g(double a) { return a * 3; }\n#endif\n" F("g(x[0])"),
		"#define MAC(a, b) g(a, b)\nstatic double g(double a, double b) { return a * b * U; }\n"
		F("MAC(x[0], x[1])"),
		"#define SUM(i) sum##i += x[i] * U;\n#define TWICE(i) SUM(i) SUM(i)\n"
		"double f(int n, const double *x) { double sum0 = 0, sum1 = n; TWICE(0) SUM(1) "
		"return sum0 + sum1; }\n",
	};

	(void)state;
	must_be_in_units(sources, sizeof sources / sizeof sources[0]);
}

static void
test_unit_refuses_what_could_have_one_name_in_two_versions(void **state)
{
	static const char *const	sources[] = {
		"struct s { enum { A, B } e; };\n" PLAIN,
		"struct s { struct t { int a; } t; };\n" PLAIN,
		"static int z = sizeof(struct q { int a; });\n" PLAIN,
		"static double (*g)(double) = 0;\n" PLAIN,
		"#define NAME g\nstatic double NAME(double a) { return a; }\n" PLAIN,
		"#define NAME real\ntypedef double NAME;\n" PLAIN,
		"#define TWO a, b\nstatic double TWO;\n" PLAIN,
		"#define MORE double; typedef int\ntypedef MORE real;\n" PLAIN,
		"#define TAG struct q { int a; }\nstatic TAG b;\n" PLAIN,
		"#define TAG struct q\nTAG { int a; };\n" PLAIN,
		"static double g__assay1(double a) { return a; }\n" PLAIN,
		"typedef double aligned;\n" PLAIN,
		"static int ivdep;\n#pragma GCC ivdep\n" PLAIN,
		"static int g;\n#ifdef g\n#endif\n" PLAIN,
		"static int abs(int a) { return a; }\n" PLAIN,
		"extern double far[2];\ndouble far[2] = { 1, 2 };\nextern double far[2] = { 1, 3 };\n" PLAIN,
		"static double g(double) __attribute__((noinline));\n"
		"static double g(double a) { return a; }\n" PLAIN,
		"#if U == 1\nstatic double g(struct s *p) { return p != 0; }\n#endif\n" PLAIN,
		"double f(int n, const double *x);\n#if U == 1\nstruct s;\n#endif\n" PLAIN,
		"static double f;\n",
		"static double h(double, int);\n"
		"static double g(double a, int k) { return k > 0 ? h(a * U, k - 1) : a; }\n"
		"static double h(double a, int k) { return k > 0 ? g(a, k - 1) + h(a, k - 2) : a; }\n"
		F("g(x[0], n)"),
		"static double g(double a, int k) { return k > 0 ? g(a * U, k - 1) : a; }\n" F("g(x[0], n)"),
		"static double g(double a) { return a * U; }\n" F("n > 9 ? f(n - 1, x) : g(x[0])"),
		"#define NEXT(a) g(a)\nstatic double g(double a) { return a > 9 ? NEXT(a - U) : a; }\n"
		F("g(x[0])"),
		"#define NEXT(i, a) g##i(a)\nstatic double g1(double a) { return a > 9 ? NEXT(1, a - U) : a; }\n"
		F("g1(x[0])"),
		"#define TYPE(a) str##a\n#define OF struct q { int b; }\n"
		"static int t[sizeof(TYPE(uct) q *)];\n" PLAIN,
		"#define STAMP(a) __TI##a\n" F("x[n - 1] * U * sizeof STAMP(ME__)"),
		"#define WHERE(a) sum##a\n#define N(a) #a\n" F("x[n - 1] * U * sizeof N(1)"),
		"#define ANY(a, b) a##b\n" F("x[n - 1] * U * ANY(1, 2)"),
		"#define THREE(a) sum##a##1\n" PLAIN,
		"#define MARK(a) f_##a\n" F("x[n - 1] * MARK(assay1)"),
		"#define SEAM(a) as##a\n" PLAIN,
		"int counter;\nint counter;\nvoid g(void) { counter++; }\n"
		"double h(void)\n{\n\tvoid g(void) __attribute__((const));\n\treturn 0;\n}\n" PLAIN,
	};

	(void)state;
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
		json_t		*docs = json_array();
		enum status	 st[2];

		for (int k = 0; k < 2; k++)
			(void)json_array_append_new(docs, document("c", sources[i],
			    json_pack("[s]", "-O2"), k + 1, "2"));
		if (build_all(docs, st) != 0)
			fail_msg("in a unit: %s", sources[i]);
		json_decref(docs);
	}
}

/* A lone build may make one of them; so does no unit. */
static void
test_unit_two_functions_or_tables_that_are_equal_are_built_alone(void **state)
{
	static const char *const	sources[] = {
		"static " NOINLINE "double g(double a) { return a / 3; }\n"
		"static " NOINLINE "double h(double b) { return b / 3; }\n" F("g(x[0]) + h(x[1]) * U"),
		"static const int a[4] = { 1, 2, 3, 4 }, b[4] = { 1, 2, 3, 4 };\n"
		F("x[0] * a[n & 3] * U + b[n * 3 & 3]"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		assert_int_equal(units_of(sources[i], json_pack("[s]", "-O2")), 0);
}

static void
test_unit_warnings_that_are_errors_are_as_alone(void **state)
{
	static const char *const	compilers[] = { "gcc", "clang" };

	(void)state;
	for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++) {
		json_t		*docs = json_array(), *doc;
		enum status	 st[VARIANTS];

		for (int k = 0; k < VARIANTS; k++) {
			doc = document("c", "double f(int n, const double *x);\n" PLAIN,
			    split_words("-O0 -Wall -Wextra -Wmissing-prototypes -Werror"), k + 1, "2");
			(void)json_object_set_new(json_object_get(doc, "variant"), "compiler",
			    json_string(compilers[i]));
			(void)json_array_append_new(docs, doc);
		}
		assert_int_equal(build_all(docs, st), VARIANTS);
		json_decref(docs);
	}
}

static void
test_unit_bounds_of_whole_units_are_a_lone_build_s(void **state)
{
	static const char	source[] = "static double g(double a) { return a * U; }\n" F("g(x[0])");

	(void)state;
	assert_int_equal(units_of(source, json_pack("[s]", "-O2")), 3);
	assert_int_equal(units_of(source, json_pack("[s, s]", "-O2", "--param=inline-unit-growth=5")),
	    0);
}

/* ---- one version and the next ---- */

#define R(number)	"#if U == 3\n#define R " number "\n#else\n#define R 0\n#endif\n"
#define RETURN		F("x[n - 1] + (R)")

static void
test_unit_a_version_has_no_definition_of_another(void **state)
{
	static const struct odd	odd[] = {
		{ "#if U == 1\nstatic double g(double a) { return a; }\n#endif\n" R("g(0)") RETURN, NULL,
		NULL },
		{ "#if U == 1\ntypedef double real;\n#endif\n" R("(real)7") RETURN, NULL, NULL },
		{ "#if U == 1\nenum { N = 7 };\n#endif\n" R("N") RETURN, NULL, NULL },
		{ "#if U == 1\nstruct q { int a; };\n#endif\n" R("sizeof(struct q)") RETURN, NULL, NULL },
		{ "#if U == 1\nstatic int a[7];\n#endif\n" R("sizeof a") RETURN, "clang", NULL },
		{ "#if U == 1\nstruct s { enum { LEAK = 7 } e; };\n#endif\n" R("LEAK") RETURN, NULL, NULL },
		{ "#if U == 1\nstatic int z[] = { sizeof(struct q { int a; }) };\n#endif\n"
		R("sizeof(struct q)") RETURN, NULL, NULL },
		{ "#if U == 1\nstatic double t __attribute__((aligned(sizeof(enum { LEAK = 8 }))));\n"
		"#endif\n" R("LEAK") RETURN, NULL, NULL },
		{ "#if U == 1\n#define TYPE struct q { int a; }\n#else\n#define TYPE int\n#endif\n"
		"typedef TYPE mine;\n" R("sizeof(struct q)") RETURN, NULL, NULL },
		{ "#if U == 3\ntypedef float real;\n#else\ntypedef double real;\n#endif\n"
		"#define R (real)0.1\n" RETURN, NULL, NULL },
		{ "struct q { char a[U]; };\n#define R sizeof(struct q)\n" RETURN, NULL, NULL },
		{ "enum { A, B = U, C };\n#define R C\n" RETURN, "clang", NULL },
		{ "static int calls;\n#define R ++calls\n" RETURN, NULL, NULL },
		{ "int calls;\n#define R ++calls\n" RETURN, "clang", NULL },
		{ "static double g(double a);\n#if U != 3\nstatic double g(double a) { return a; }\n#endif\n"
		"#define R g(1)\n" RETURN, NULL, "-O2 -fno-strict-aliasing" },
		{ "#if U == 3\nextern double g(double);\n#else\nstatic double g(double a) { return a; }\n"
		"#endif\n#define R g(1)\n" RETURN, NULL, NULL },
		{ "#if U == 3\n#define WHERE extern\n#else\n#define WHERE static\n#endif\n"
		"WHERE double g;\n#define R g\n" RETURN, NULL, NULL },
		{ "inline double g(double a) { return a * U; }\n#define R g(1)\n" RETURN, NULL, NULL },
		{ "static double g(double a) { return n; }\n#define R g(1)\n" RETURN, NULL, NULL },
		{ "static double g(double a, double b) { return a; }\n" R("g(1)") RETURN, NULL, NULL },
		{ "static double g(double a) { return a; }\n#if U == 3\nstatic double g(double a) { return 2; }\n"
		"#endif\n#define R g(1)\n" RETURN, NULL, NULL },
		{ "struct tm { int a; };\n#include <time.h>\n#define R sizeof(struct tm)\n" RETURN, NULL,
		NULL },
		{ "#include <stdlib.h>\nstruct q { int quot; };\nstatic int quot = 2;\n"
		"#define R div(9, U).quot + quot\n" RETURN, NULL, NULL },
		{ "static double n_(double n) { return n * U; }\nstatic int x_;\n#define R n_(2) + x_\n" RETURN,
		NULL, NULL },
	};

	(void)state;
	must_all_be_as_alone(odd, sizeof odd / sizeof odd[0]);
}

int
main(void)
{
#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest	tests[] = {
		TEST(test_unit_a_source_may_define_what_kernels_have),
		TEST(test_unit_refuses_what_could_have_one_name_in_two_versions),
		TEST(test_unit_two_functions_or_tables_that_are_equal_are_built_alone),
		TEST(test_unit_warnings_that_are_errors_are_as_alone),
		TEST(test_unit_bounds_of_whole_units_are_a_lone_build_s),
		TEST(test_unit_a_version_has_no_definition_of_another),
		TEST(test_unit_what_a_source_defines_has_the_code_and_place_of_a_lone_build),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
