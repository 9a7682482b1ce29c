/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "proto/text/prototype.h"

#define LENGTH(array)	(sizeof (array) / sizeof (array)[0])

static void
test_P5_the_prototype_of_the_paper_is_read(void **state)
{
	static const struct { const char *name; enum ctype type;
	    bool pointer, constant; } want[] = {
		{ "M", CTYPE_INT, false, true }, { "N", CTYPE_INT, false, true },
		{ "K", CTYPE_INT, false, true }, { "alpha", CTYPE_DOUBLE, false, true },
		{ "A", CTYPE_DOUBLE, true, true }, { "lda", CTYPE_INT, false, true },
		{ "B", CTYPE_DOUBLE, true, true }, { "ldb", CTYPE_INT, false, true },
		{ "beta", CTYPE_DOUBLE, false, true }, { "C", CTYPE_DOUBLE, true, false },
		{ "ldc", CTYPE_INT, false, true },
	};
	struct prototype	 p;
	struct fault		 why;

	(void)state;
	assert_int_equal(prototype_parse(&p,
	    "void ATL_USERMM(const int M, const int N, const int K, const double alpha, "
	    "const double *A, const int lda, const double *B, const int ldb, const double "
	    "beta, double *C, " "const int ldc)", &why), ST_OK);
	assert_string_equal(p.name, "ATL_USERMM");
	assert_int_equal(p.result, CTYPE_VOID);
	assert_int_equal(p.nparams, LENGTH(want));
	for (size_t i = 0; i < LENGTH(want); i++) {
		assert_string_equal(p.params[i].name, want[i].name);
		assert_int_equal(p.params[i].type, want[i].type);
		assert_int_equal(p.params[i].is_pointer, want[i].pointer);
		assert_int_equal(p.params[i].is_const, want[i].constant);
		assert_false(p.params[i].is_restrict);
	}
}

static void
test_prototype_stars_brackets_and_qualifiers(void **state)
{
	static const struct { const char *text; bool pointer, constant, restricted; } cases[] = {
		{ "double *x", true, false, false }, { "const double *x", true, true, false },
		{ "double const *x", true, true, false }, { "double *const x", true, false, false },
		{ "double *restrict x", true, false, true },
		{ "const double *const restrict x", true, true, true },
		{ "volatile double *__restrict__ x", true, false, true },
		{ "double *__restrict x", true, false, true }, { "double x[]", true, false, false },
		{ "const double x[8]", true, true, false }, { "double x[N]", true, false, false },
		{ "double x[static 8]", true, false, false },
		{ "double x[restrict]", true, false, true },
		{ "double x[const restrict static N]", true, false, true },
		{ "double x", false, false, false }, { "const double x", false, true, false },
		{ "double*x", true, false, false }, { "  double\t*\n x  ", true, false, false },
	};
	struct prototype	 p;
	struct fault		 why;
	char			 text[200];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		(void)snprintf(text, sizeof text, "int f(%s);", cases[i].text);
		if (prototype_parse(&p, text, &why) != ST_OK)
			fail_msg("%s: %s", text, why.text);
		assert_int_equal(p.nparams, 1);
		assert_string_equal(p.params[0].name, "x");
		assert_int_equal(p.params[0].type, CTYPE_DOUBLE);
		assert_int_equal(p.params[0].is_pointer, cases[i].pointer);
		assert_int_equal(p.params[0].is_const, cases[i].constant);
		assert_int_equal(p.params[0].is_restrict, cases[i].restricted);
	}
}

static void
test_prototype_routines_without_arguments(void **state)
{
	static const char *const	cases[] = { "void f(void)", "void f()", "void f( void ) ;",
	    "const double f ( )" };
	struct prototype		p;
	struct fault			why;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_int_equal(prototype_parse(&p, cases[i], &why), ST_OK);
		assert_int_equal(p.nparams, 0);
	}
	assert_int_equal(p.result, CTYPE_DOUBLE);
}

static void
test_prototype_a_void_pointer_is_an_argument(void **state)
{
	struct prototype	p;
	struct fault		why;

	(void)state;
	assert_int_equal(prototype_parse(&p, "void f(const void *x)", &why), ST_OK);
	assert_int_equal(p.params[0].type, CTYPE_VOID);
	assert_true(p.params[0].is_pointer);
}

static void
test_prototype_every_spelling_of_every_type(void **state)
{
	static const struct { const char *text; enum ctype type; } cases[] = {
		{ "_Bool", CTYPE_BOOL }, { "bool", CTYPE_BOOL }, { "char", CTYPE_CHAR },
		{ "signed char", CTYPE_SCHAR }, { "char unsigned", CTYPE_UCHAR },
		{ "short", CTYPE_SHORT }, { "short int", CTYPE_SHORT },
		{ "int signed short", CTYPE_SHORT }, { "unsigned short", CTYPE_USHORT },
		{ "int", CTYPE_INT }, { "signed", CTYPE_INT }, { "unsigned", CTYPE_UINT },
		{ "unsigned int", CTYPE_UINT }, { "long", CTYPE_LONG },
		{ "long signed int", CTYPE_LONG }, { "unsigned long", CTYPE_ULONG },
		{ "int long unsigned", CTYPE_ULONG },
		{ "long long", CTYPE_LLONG }, { "long int long", CTYPE_LLONG },
		{ "long unsigned long", CTYPE_ULLONG }, { "float", CTYPE_FLOAT },
		{ "double", CTYPE_DOUBLE }, { "long double", CTYPE_LDOUBLE },
		{ "double long", CTYPE_LDOUBLE }, { "float _Complex", CTYPE_CFLOAT },
		{ "complex float", CTYPE_CFLOAT }, { "double complex", CTYPE_CDOUBLE },
		{ "int8_t", CTYPE_SCHAR }, { "uint8_t", CTYPE_UCHAR }, { "int16_t", CTYPE_SHORT },
		{ "uint16_t", CTYPE_USHORT }, { "int32_t", CTYPE_INT }, { "uint32_t", CTYPE_UINT },
		{ "int64_t", CTYPE_LONG }, { "uint64_t", CTYPE_ULONG }, { "size_t", CTYPE_ULONG },
		{ "ssize_t", CTYPE_LONG },
		{ "ptrdiff_t", CTYPE_LONG }, { "intptr_t", CTYPE_LONG },
		{ "uintptr_t", CTYPE_ULONG }, { "void", CTYPE_VOID },
	};
	struct fault	why;
	enum ctype	t;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		if (ctype_parse(&t, cases[i].text, &why) != ST_OK)
			fail_msg("%s: %s", cases[i].text, why.text);
		if (t != cases[i].type)
			fail_msg("%s is read as %s", cases[i].text, ctype_name(t));
	}
}

static void
test_prototype_P10_arrays_of_several_dimensions_and_rows_of_pointers(void **state)
{
	static const struct { const char *text; bool rows, array; } cases[] = {
		{ "double (*x)[N]", false, true }, { "const double (*restrict x)[4][N]", false, true },
		{ "double x[][N]", false, true }, { "double x[M][N]", false, true },
		{ "double x[2]", false, false }, { "double **x", true, false },
		{ "const double *const *x", true, false }, { "double *x[]", true, false },
		{ "double *restrict *restrict x", true, false }, { "double *x", false, false },
	};
	struct prototype	 p;
	struct fault		 why;
	char			 text[200];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		(void)snprintf(text, sizeof text, "int f(%s, int n)", cases[i].text);
		if (prototype_parse(&p, text, &why) != ST_OK)
			fail_msg("%s: %s", text, why.text);
		assert_int_equal(p.nparams, 2);
		assert_string_equal(p.params[0].name, "x");
		assert_true(p.params[0].is_pointer);
		assert_int_equal(p.params[0].type, CTYPE_DOUBLE);
		assert_int_equal(p.params[0].is_rows, cases[i].rows);
		assert_int_equal(p.params[0].is_array, cases[i].array);
	}
}

static void
test_prototype_pointers_to_structs_have_their_names(void **state)
{
	struct prototype	p;
	struct fault		why;

	(void)state;
	if (prototype_parse(&p, "void f(const struct point *p, struct point q[])", &why) != ST_OK)
		fail_msg("%s", why.text);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(p.params[i].type, CTYPE_STRUCT);
		assert_true(p.params[i].is_pointer);
		assert_string_equal(p.params[i].tag, "point");
	}
	assert_true(p.params[0].is_const);
}

static void
test_prototype_names_of_types_are_read_back(void **state)
{
	struct fault	why;
	enum ctype	t;

	(void)state;
	for (unsigned i = 0; i < CTYPE_STRUCT; i++) {
		assert_int_equal(ctype_parse(&t, ctype_name(i), &why), ST_OK);
		assert_int_equal(t, i);
	}
}

static void
test_prototype_sizes_are_those_of_this_machine(void **state)
{
	(void)state;
	assert_int_equal(ctype_bytes(CTYPE_LONG), sizeof(long));
	assert_int_equal(ctype_bytes(CTYPE_LDOUBLE), sizeof(long double));
	assert_int_equal(ctype_bytes(CTYPE_CDOUBLE), sizeof(double _Complex));
	assert_int_equal(ctype_bytes(CTYPE_BOOL), sizeof(_Bool));
	assert_int_equal(ctype_bytes(CTYPE_VOID), 0);
	assert_int_equal(ctype_class(CTYPE_CHAR), 'i');
	assert_int_equal(ctype_class(CTYPE_UINT), 'u');
	assert_int_equal(ctype_class(CTYPE_CFLOAT), 'c');
}

static void
test_prototype_types_that_are_none_are_refused(void **state)
{
	static const char *const	cases[] = { "", "double *", "const double", "short double",
	    "long long long", "int int",
		"unsigned signed", "float float", "long long double", "_Complex",
		    "long double _Complex", "unsigned size_t",
		"size_t int", "struct x", "double x", "__int128" };
	struct fault			why;
	enum ctype			t;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++)
		if (ctype_parse(&t, cases[i], &why) != ST_BAD_SPEC)
			fail_msg("\"%s\" is read as %s", cases[i], ctype_name(t));
	assert_int_equal(ctype_parse(&t, "flaot", &why), ST_BAD_SPEC);
	assert_string_equal(why.hint, "did you mean \"float\"?");
}

static const struct refusal {
	const char	*text, *words;
} refusals[] = {
	{ "", "expected a type" }, { "void", "expected the routine's name" },
	{ "void f", "expected \"(\"" }, { "void f(", "expected a type" },
	{ "void f(int x", "expected \",\" or \")\"" }, { "void f(int x,)", "expected a type" },
	{ "void f(int)", "expected the parameter's name" },
	{ "void f(int *)", "expected the parameter's name" },
	{ "void f(int x) {", "expected the end" }, { "void f(int x);;", "expected the end" },
	{ "f(int x)", "not a type" }, { "void f(x)", "not a type" },
	{ "double *f(void)", "cannot return a pointer" }, { "void f(int ***x)", "two levels" },
	{ "void f(int **x[4])", "two levels" }, { "void f(int *x[2][2])", "two levels" },
	{ "void f(void **x)", "cannot be void" }, { "void f(struct *x)", "the struct's name" },
	{ "struct s f(int x)", "cannot return a struct" }, { "void f(int (*x))", "\"[\"" },
	{ "void f(int (x)[2])", "\"*\"" }, { "void f(int (*x[2])", "\")\"" },
	{ "void f(void x[2][2])", "cannot be void" }, { "void f(int struct *x)", "name" },
	{ "void f(int x[2*4])", "\"]\"" }, { "void f(int x[-1])", "\"]\"" },
	{ "void f(int (*g)(void))", "functions" }, { "void f(int x, ...)", "\"...\"" },
	{ "void f(...)", "\"...\"" }, { "void f(void x)", "cannot be void" },
	{ "void f(int x, float x)", "two parameters" },
	{ "void for(int x)", "keyword" }, { "void f(int if)", "keyword" },
	{ "void rt_f(int x)", "driver's" }, { "void f(int drv_x)", "driver's" },
	{ "void main(int x)", "main" }, { "void f(struct s x)", "by pointer only" },
	{ "void f(unsigned float x)", "make no type" }, { "void f(long long long x)", "too often" },
	{ "void f(int x;)", "expected \",\" or \")\"" }, { "void f(int x = 3)", "expected \",\"" },
	{ "void f(int 3)", "name" }, { "static void f(int x)", "not a type" },
	{ "void f(void, int x)", "name" }, { "void f(int &x)", "name" },
	{ "void a::f(int x)", "namespace" }, { "void f<int>(int x)", "template" },
};

static void
test_prototype_what_cannot_be_called_is_refused_with_its_place(void **state)
{
	struct prototype	p;
	struct fault		why;

	(void)state;
	for (size_t i = 0; i < LENGTH(refusals); i++) {
		assert_int_equal(prototype_parse(&p, refusals[i].text, &why), ST_BAD_SPEC);
		if (strstr(why.text, refusals[i].words) == NULL ||
		    strstr(why.text, "column ") == NULL)
			fail_msg("%s: %s", refusals[i].text, why.text);
	}
}

static void
test_prototype_unknown_types_get_a_proposal(void **state)
{
	struct prototype	p;
	struct fault		why;

	(void)state;
	assert_int_equal(prototype_parse(&p, "void f(int n, const doubel *x)", &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "column 21: \"doubel\" is not a type"));
	assert_string_equal(why.hint, "did you mean \"double\"?");
}

static void
test_prototype_has_no_more_parameters_than_the_limit(void **state)
{
	struct prototype	 p;
	struct fault		 why;
	char			 text[4096], *at = stpcpy(text, "void f(int a0");

	(void)state;
	for (int i = 1; i < PROTOTYPE_MAX_PARAMS; i++)
		at += sprintf(at, ", int a%d", i);
	(void)strcpy(at, ")");
	assert_int_equal(prototype_parse(&p, text, &why), ST_OK);
	assert_int_equal(p.nparams, PROTOTYPE_MAX_PARAMS);
	(void)strcpy(at, ", int one_more)");
	assert_int_equal(prototype_parse(&p, text, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "more than 64 parameters"));
}

static void
test_prototype_names_and_texts_have_a_limit(void **state)
{
	struct prototype	 p;
	struct fault		 why;
	char			 name[PROTOTYPE_NAME_MAX + 1], text[PROTOTYPE_MAX_BYTES + 100];

	(void)state;
	memset(name, 'n', sizeof name - 1);
	name[PROTOTYPE_NAME_MAX - 1] = '\0';
	(void)snprintf(text, sizeof text, "void %s(int x)", name);
	assert_int_equal(prototype_parse(&p, text, &why), ST_OK);
	name[PROTOTYPE_NAME_MAX - 1] = 'n';
	name[PROTOTYPE_NAME_MAX] = '\0';
	(void)snprintf(text, sizeof text, "void %s(int x)", name);
	assert_int_equal(prototype_parse(&p, text, &why), ST_BAD_SPEC);
	(void)snprintf(text, sizeof text, "void f(int x)%*s", PROTOTYPE_MAX_BYTES, "");
	assert_int_equal(prototype_parse(&p, text, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "at most 4096 bytes"));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_P5_the_prototype_of_the_paper_is_read),
		cmocka_unit_test(test_prototype_stars_brackets_and_qualifiers),
		cmocka_unit_test(test_prototype_routines_without_arguments),
		cmocka_unit_test(test_prototype_a_void_pointer_is_an_argument),
		cmocka_unit_test(test_prototype_every_spelling_of_every_type),
		cmocka_unit_test(test_prototype_P10_arrays_of_several_dimensions_and_rows_of_pointers),
		cmocka_unit_test(test_prototype_pointers_to_structs_have_their_names),
		cmocka_unit_test(test_prototype_names_of_types_are_read_back),
		cmocka_unit_test(test_prototype_sizes_are_those_of_this_machine),
		cmocka_unit_test(test_prototype_types_that_are_none_are_refused),
		cmocka_unit_test(test_prototype_what_cannot_be_called_is_refused_with_its_place),
		cmocka_unit_test(test_prototype_unknown_types_get_a_proposal),
		cmocka_unit_test(test_prototype_has_no_more_parameters_than_the_limit),
		cmocka_unit_test(test_prototype_names_and_texts_have_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
