/* SPDX-License-Identifier: Apache-2.0 */
/* A version of a unit against a lone object: all that its routine refers to counts. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/build/split/split.h"

static char	dir[64];

static int
set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/assay-test-XXXXXX");
	return mkdtemp(dir) != NULL ? 0 : -1;
}

static int
tear_down(void **state)
{
	char	command[128];

	(void)state;
	(void)snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

/* A descriptor of the object. */
static int
compile(const char *compiler, const char *flags, const char *text)
{
	char	command[512], path[96];
	FILE	*f;
	int	 fd;

	(void)snprintf(path, sizeof path, "%s/a.c", dir);
	assert_non_null(f = fopen(path, "w"));
	(void)fputs(text, f);
	assert_int_equal(fclose(f), 0);
	(void)snprintf(command, sizeof command, "%s %s -fPIC -c -o '%s/a.o' '%s'", compiler, flags,
	    dir, path);
	assert_int_equal(system(command), 0);
	(void)snprintf(path, sizeof path, "%s/a.o", dir);
	assert_int_not_equal(fd = open(path, O_RDONLY | O_CLOEXEC), -1);
	return fd;
}

/*
 * A unit in which `in_unit` is version 1, behind another that has constants and tables; true: it is
 * the same as `alone`.  Both are bodies of `double f(int n, const double *x)`.
 */
static bool
is_same(const char *compiler, const char *flags, const char *in_unit, const char *alone)
{
	static const char	head[] = "double sin(double);\ndouble cos(double);\n"
				    "void stop(void) __attribute__((cold, noreturn));\n"
				    "void halt(void) __attribute__((cold, noreturn));\n"
				    "typedef double v2 __attribute__((vector_size(16)));\n";
	char			text[4096], all[256];
	struct stat		sb;
	void			*unit;
	int			lone, fd;
	bool			same;

	(void)snprintf(text, sizeof text, "%sdouble f__assay0(int n, const double *x)\n{\n\tswitch (n) {\n"
	    "\tcase 0: return x[0] * 9.5; case 1: return sin(x[1]); case 2: return x[2] / 3.25;\n"
	    "\tcase 3: return x[7] - 1; case 4: return cos(x[0]);\n"
	    "\tcase 5: { v2 p = { 6.75, 2.5 }; p *= x[3]; return p[0] - p[1]; }\n\t}\n\treturn 0.125;\n}\n"
	    "double f__assay1(int n, const double *x)\n{\n%s\n}\n", head, in_unit);
	(void)snprintf(all, sizeof all, "%s -ffunction-sections%s", flags,
	    strcmp(compiler, "gcc") == 0 ? " -fno-ipa-icf" : "");
	fd = compile(compiler, all, text);
	assert_int_equal(fstat(fd, &sb), 0);
	assert_non_null(unit = malloc((size_t)sb.st_size));
	assert_int_equal(pread(fd, unit, (size_t)sb.st_size, 0), sb.st_size);
	(void)close(fd);
	(void)snprintf(text, sizeof text, "%sdouble f(int n, const double *x)\n{\n%s\n}\n", head,
	    alone);
	lone = compile(compiler, flags, text);
	same = split_is_same_object(unit, (size_t)sb.st_size, 1, lone);
	(void)close(lone);
	free(unit);
	return same;
}

#define SWITCH(third)	"switch (n) { case 0: return x[0]; case 1: return sin(x[1]); " \
	"case 2: return x[2] / 3; case 3: return " third "; case 4: return cos(x[3]); " \
	"case 5: return x[4] + x[5]; } return 1.5;"
#define WORDS(word)	"static const char *const w = \"" word "\"; double s = 0; " \
	"for (int i = 0; i < n; i++) s += w[i & 7]; return s;"
#define VECTOR(last)	"double s[4] = { 1, 2, 3, " last " }; " \
	"for (int i = 0; i < n; i++) s[i & 3] += x[i]; return s[0] + s[1] + s[2] + s[3];"

static const struct {
	const char	*name, *one, *other;
} pairs[] = {
	{ "a constant", "return x[n] * 1.0625;", "return x[n] * 3.125;" },
	{ "a constant that another version's vector begins with", "return x[n] * 6.75;",
	"return x[n] * 6.875;" },
	{ "a constant that another version's vector ends with", "return x[n] * 2.5;",
	"return x[n] * 6.75;" },
	{ "a vector of constants", VECTOR("4"), VECTOR("5") },
	{ "the name of a function", "return sin(x[n]) + 1;", "return cos(x[n]) + 1;" },
	{ "a part of a string", WORDS("abcdefgh"), WORDS("abcdefgi") },
	{ "what a table's entry leads to", SWITCH("x[6] * 2"), SWITCH("x[6] * 4") },
	{ "a cold part", "if (n > 9) { if (x[0] > 1) stop(); halt(); } return x[n];",
	"if (n > 9) { if (x[0] > 1) halt(); stop(); } return x[n];" },
};

static void
check_pairs(const char *compiler, const char *flags)
{
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		if (!is_same(compiler, flags, pairs[i].one, pairs[i].one) ||
		    !is_same(compiler, flags, pairs[i].other, pairs[i].other))
			fail_msg("%s %s, %s: the same source differs", compiler, flags,
			    pairs[i].name);
		if (is_same(compiler, flags, pairs[i].one, pairs[i].other))
			fail_msg("%s %s: %s is not seen", compiler, flags, pairs[i].name);
	}
}

static void
test_split_all_that_a_routine_refers_to_is_compared(void **state)
{
	static const char *const	flags[] = { "-O0", "-O2", "-O3 -ffast-math" };

	(void)state;
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		check_pairs("gcc", flags[i]);
}

static void
test_split_clang_s_objects_are_compared_as_well(void **state)
{
	(void)state;
	if (system("clang --version > /dev/null 2>&1") != 0)
		skip();
	check_pairs("clang", "-O2");
}

static void
test_split_what_is_no_object_is_never_the_same(void **state)
{
	const int	fd = compile("gcc", "-O2", "int f(void) { return 1; }\n");
	char		bytes[64] = "\177ELF";

	(void)state;
	assert_false(split_is_same_object(bytes, sizeof bytes, 0, fd));
	assert_false(split_is_same_object(bytes, 0, 0, fd));
	(void)close(fd);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_split_all_that_a_routine_refers_to_is_compared),
		cmocka_unit_test(test_split_clang_s_objects_are_compared_as_well),
		cmocka_unit_test(test_split_what_is_no_object_is_never_the_same),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
