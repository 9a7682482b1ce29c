/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that name nothing outside themselves, and others; made by the compiler that is there. */
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

#include "worker/jail/needs.h"

static char	dir[64], path[96];

static int
set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/assay-test-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return -1;
	(void)snprintf(path, sizeof path, "%s/a.o", dir);
	return 0;
}

static int
tear_down(void **state)
{
	char	command[128];

	(void)state;
	(void)snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

static bool
needs(const char *source)
{
	char	command[1024];

	(void)snprintf(command, sizeof command,
	    "printf '%%s' '%s' | gcc -O2 -fPIC -w -c -x c - -o '%s'", source, path);
	assert_int_equal(system(command), 0);
	return needs_others_file(path);
}

static void
test_needs_nothing_if_all_that_it_names_is_its_own(void **state)
{
	(void)state;
	assert_false(needs("double f(double x) { return x * 2.5; }"));
	assert_false(needs("static double g(double x) { return x; } double (*p)(double) = g;"));
	assert_false(needs("int t[100]; int f(int i) { return t[i]; }"));
	assert_false(needs("__attribute__((constructor)) static void at_start(void) {}"));
}

static void
test_needs_what_another_object_or_a_library_defines(void **state)
{
	(void)state;
	assert_true(needs("double sin(double); double f(double x) { return sin(x); }"));
	assert_true(needs("extern int there; int f(void) { return there; }"));
	assert_true(needs("extern int g(void) __attribute__((weak)); "
	    "int f(void) { return g != 0 ? g() : 0; }"));
	assert_true(needs("_Thread_local int t; int f(void) { return t; }"));
	assert_true(needs("__asm__(\".section .init,\\\"ax\\\"; nop\");"));
}

static void
test_needs_takes_what_it_cannot_read_for_an_object_that_does(void **state)
{
	static char	bytes[1 << 16];
	ssize_t		n;
	int		fd;

	(void)state;
	assert_false(needs("int f(int n) { return n + 1; }"));
	assert_true((fd = open(path, O_RDONLY)) != -1);
	n = read(fd, bytes, sizeof bytes);
	(void)close(fd);
	assert_true(n > 0 && !needs_others(bytes, (size_t)n));
	for (size_t short_of = 1; short_of < (size_t)n; short_of += 7)
		assert_true(needs_others(bytes, (size_t)n - short_of));
	assert_true(needs_others("", 0));
	assert_true(needs_others_file(dir));
	assert_true(needs_others_file("/no/such/file"));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_needs_nothing_if_all_that_it_names_is_its_own),
		cmocka_unit_test(test_needs_what_another_object_or_a_library_defines),
		cmocka_unit_test(test_needs_takes_what_it_cannot_read_for_an_object_that_does),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
