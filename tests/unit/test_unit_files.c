/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time limit: 3600 s; takes about 20 s
 * Units of sources that include files beside them: each version has them anew, and is a lone build's.
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

#define GUARDED(name, text)	"/* once */\n#ifndef " name "\n# define " name "\n\n" text "#endif\t// " name "\n"
#define INCLUDE(file)		"#include \"" file "\"\n"
#define F(expression)		"double\nf(int n, const double *x)\n{\n\treturn " expression ";\n}\n"

/* A source, and up to three files: name, text. */
struct with_files {
	const char	*source, *file[6];
};

static json_t *
document_with(const struct with_files *w, int u)
{
	json_t	*doc = document("c", w->source, json_pack("[s]", "-O2"), u, "2");
	json_t	*files = json_object();

	for (unsigned i = 0; i < 6 && w->file[i] != NULL; i += 2)
		(void)json_object_set_new(files, w->file[i], json_string(w->file[i + 1]));
	(void)json_object_set_new(json_object_get(doc, "variant"), "files", files);
	return doc;
}

static json_t *
documents_with(const struct with_files *w)
{
	json_t	*docs = json_array();

	for (int k = 1; k <= VARIANTS; k++)
		(void)json_array_append_new(docs, document_with(w, k));
	return docs;
}

/* ---- in units ---- */

static const struct with_files	fit[] = {
	{ INCLUDE("k.h") F("step(x[n - 1])"), { "k.h",
	GUARDED("K_H", "static inline double step(double a) { return a * U; }\n") } },
	{ "#include <math.h>\n" INCLUDE("k.h") INCLUDE("k.h") F("sqrt(SQUARE(x[n - 1])) + MORE"), { "k.h",
	GUARDED("_K_H_", "#include <math.h>\n#include <stddef.h>\n" INCLUDE("inc/more.h")
	"#define SQUARE(a) ((a) * (a) * U)\n"), "inc/more.h", GUARDED("MORE_H", INCLUDE("most.h")
	"#define MORE (U + MOST)\n"), "inc/most.h", "#define MOST x[0]\n" } },
	/* of two of one name the nearer one; and one that lies beside the source alone */
	{ INCLUDE("inc/a.h") F("x[n - 1] * A * B"), { "inc/a.h", INCLUDE("b.h") "#define A U\n", "b.h",
	"#error the other\n", "inc/b.h", "#define B x[0]\n" } },
	{ INCLUDE("inc/a.h") F("x[n - 1] * A"), { "inc/a.h", INCLUDE("b.h"), "b.h", "#define A U\n" } },
	{ INCLUDE("k.h") INCLUDE("l.h") INCLUDE("k.h") F("g(x[n - 1]) + L"), { "k.h",
	"\t# pragma  once \n" INCLUDE("l.h") "static double g(double a) { return a * U + L; }", "l.h",
	"// first\n#pragma once\n#include <math.h>\nenum { L = U };\n" } },
	/* the text of a routine that is one for all */
	{ "#define STEP (U + 1)\n" INCLUDE("body.inc"), { "body.inc", F("x[n - 1] * STEP") } },
	{ "typedef double real;\n" INCLUDE("tables.h") F("kept[n & 3]++ + x[0] * last"), { "tables.h",
	"static real kept[4 * U];\nenum { last = U };\n", "unused.h", "#line 7\n" } },
	{ INCLUDE("pragmas.h") "double\nf(int n, const double *x)\n{\n\tdouble s = x[0];\n\n\tTIMES(U)\n"
	"\tfor (int i = 0; i < n; i++)\n\t\ts += x[i];\n\treturn s;\n}\n", { "pragmas.h",
	"#define TEXT(x) #x\n#define TIMES(n) _Pragma(TEXT(GCC unroll n))\n" } },
};

static void
test_unit_files_are_there_for_each_version_and_its_code_is_a_lone_build_s(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof fit / sizeof fit[0]; i++) {
		json_t		*docs = documents_with(&fit[i]), *company = json_copy(docs);
		unsigned	 k;

		(void)json_array_remove(company, 0);
		for (k = 0; k < VARIANTS; k++) {
			const json_t	*doc = json_array_get(docs, k);

			if (build(&together, doc, k == 0 ? company : NULL) != ST_OK ||
			    strcmp(built(&together), "unit") != 0)
				fail_msg("not in a unit: %s %s\n%s", built(&together),
				    together.detail, fit[i].source);
			assert_int_equal(build(&alone, doc, NULL), ST_OK);
			must_have_same_code(fit[i].source, "-O2");
		}
		json_decref(company);
		json_decref(docs);
	}
}

/* ---- alone ---- */

static const struct with_files	unfit[] = {
	{ INCLUDE("k.h") F("x[n - 1] * K"), { "k.h", "#define L \\\n#pragma once\n#define K U\n" } },
	{ INCLUDE("k.h") F("x[n - 1] * K"), { "k.h", "#pragma once more\n#define K U\n" } },
	{ "#define file_once_0 3\n" INCLUDE("k.h") F("x[n - 1] * K"), { "k.h", "#pragma once\n#define K U\n" } },
	{ "#if U > 1\n" INCLUDE("k.h") "#else\n#define K 3\n#endif\n" F("x[n - 1] * K"), { "k.h", "#define K U\n" } },
	{ INCLUDE("k.h") F("x[n - 1] + g(n)"), { "k.h", "double g(int);\n", "g.c",
	"double g(int n) { return n; }\n" } },
	{ "#include <k.h>\n" F("x[n - 1] * K"), { "k.h", "#define K U\n" } },
	{ "#include <math.h>\n" F("x[n - 1] * K"), { "math.h", "#define K U\n" } },
	{ "#include <math.h>\n" F("x[n - 1] * K"), { "features.h", "#include_next <features.h>\n#define K U\n" } },
	{ "#define NAME \"k.h\"\n#include NAME\n" F("x[n - 1] * K"), { "k.h", "#define K U\n" } },
	{ "#define K_H\n" INCLUDE("k.h") "#ifndef K\n#define K 5\n#endif\n" F("x[n - 1] * K"), { "k.h",
	GUARDED("K_H", "#define K U\n") } },
	{ INCLUDE("k.h") INCLUDE("l.h") "#ifndef L\n#define L 5\n#endif\n" F("x[n - 1] * K * L"), { "k.h",
	GUARDED("K_H", "#define K U\n"), "l.h", GUARDED("K_H", "#define L 4\n") } },
	{ INCLUDE("k.h") "#ifndef K\n#define K 7\n#endif\n" F("x[n - 1] * K"), { "k.h",
	GUARDED("U", "#define K 1\n") } },
	{ INCLUDE("k.h") F("x[n - 1] * K"), { "k.h", "#ifndef K\n#define K 9\n" INCLUDE("k.h") "#endif\n" } },
	{ INCLUDE("k.h") F("x[n - 1] * K"), { "k.h", "#define K __LINE__\n" } },
	{ INCLUDE("k.h") F("x[n - 1] * g()"), { "k.h", "__attribute__((weak)) double g(void) { return 2; }\n" } },
	{ INCLUDE("routine.inc") F("x[n - 1] * K"), { "routine.inc", "#define K U\n" } },
	{ INCLUDE("stdio.h") F("x[n - 1] * (stdin != 0)"), { "k.h", "" } },
};

static void
test_unit_files_that_could_be_another_s_are_built_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof unfit / sizeof unfit[0]; i++) {
		json_t		*docs = documents_with(&unfit[i]);
		enum status	 st[VARIANTS];

		if (build_all(docs, st) != 0)
			fail_msg("in a unit: %s", unfit[i].source);
		must_be_as_alone(docs, unfit[i].source);
	}
}

static void
test_unit_variants_with_other_files_are_not_in_one_unit(void **state)
{
	const struct with_files	a = { INCLUDE("k.h") F("x[n - 1] * K * U"), { "k.h", "#define K 3\n" } },
				b = { a.source, { "k.h", "#define K 5\n" } },
				c = { a.source, { "k.h", "#define K 3\n", "l.h", "" } };
	json_t			*docs = json_array();

	(void)state;
	(void)json_array_append_new(docs, document_with(&a, 1));
	(void)json_array_append_new(docs, document_with(&b, 2));
	(void)json_array_append_new(docs, document_with(&a, 3));
	(void)json_array_append_new(docs, document_with(&c, 4));
	must_be_as_alone(docs, a.source);
	assert_int_equal(unit_of(&together), 0);
}

/* An error in a file is its version's. */
static void
test_unit_a_version_s_error_in_a_file_is_its_own(void **state)
{
	const struct with_files	w = { INCLUDE("k.h") F("x[n - 1] * K"), { "k.h",
				    "#if U == 2\n#error two\n#endif\n#define K U\n" } };
	json_t			*docs = documents_with(&w);

	(void)state;
	(void)json_array_append_new(docs, document_with(&w, 4));
	must_be_as_alone(docs, w.source);
	assert_string_equal(built(&together), "unit");
	assert_int_equal(unit_of(&together), 3);
}

int
main(void)
{
#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest	tests[] = {
		TEST(test_unit_files_are_there_for_each_version_and_its_code_is_a_lone_build_s),
		TEST(test_unit_files_that_could_be_another_s_are_built_alone),
		TEST(test_unit_variants_with_other_files_are_not_in_one_unit),
		TEST(test_unit_a_version_s_error_in_a_file_is_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
