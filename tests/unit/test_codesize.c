/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/driver.h"
#include "worker/cache/codesize.h"

static void
test_W64_more_code_is_more_bytes(void **state)
{
	char	small[96], large[96], line[400];

	(void)state;
	(void)snprintf(small, sizeof small, "%s/small.so", support_own_dir());
	(void)snprintf(large, sizeof large, "%s/large.so", support_dir);
	(void)snprintf(line, sizeof line,
	    "printf 'int f(int n) { return n; }' | gcc -shared -fPIC -x c -o %s - && "
	    "printf 'int f(int n) { asm(\".skip 4096\"); return n; }' | gcc -shared -fPIC -x c -o "
	    "%s -", small, large);
	assert_int_equal(system(line), 0);
	assert_true(codesize_of(small) > 0);
	assert_in_range(codesize_of(large) - codesize_of(small), 4000, 4200);
}

static void
test_W64_what_is_no_object_has_no_size(void **state)
{
	(void)state;
	assert_int_equal(codesize_of("/proc/self/status"), 0);
	assert_int_equal(codesize_of("/nowhere"), 0);
}

/* ---- of one routine ---- */

/* Both functions of an object that gcc has made of this assembly. */
static const char *
assembled(const char *text)
{
	static char	path[96];
	char		source[96], line[300];

	(void)snprintf(path, sizeof path, "%s/parts.so", support_own_dir());
	(void)snprintf(source, sizeof source, "%s/parts.s", support_dir);
	support_write(source, text);
	(void)snprintf(line, sizeof line, "gcc -shared -nostdlib -o %s %s", path, source);
	assert_int_equal(system(line), 0);
	return path;
}

#define FUNCTION(name, bytes, sized)							\
	".text\n.globl " name "\n.type " name ", %function\n" name ":\n.skip " #bytes "\n"	\
	sized

static void
test_X11_the_size_of_a_routine_is_its_symbols(void **state)
{
	const char	*path = assembled(
			    FUNCTION("other", 700, ".size other, 700\n")
			    FUNCTION("f", 333, ".size f, 333\n"));

	(void)state;
	assert_int_equal(codesize_of_routine(path, (const char *const[]){ "f" }, 1), 333);
	assert_int_equal(codesize_of_routine(path, (const char *const[]){ "", "x", "other" }, 3),
	    700);
	assert_int_equal(codesize_of(path), 1033);
}

static void
test_X11_a_routine_without_a_size_has_that_of_its_object(void **state)
{
	const char	*path = assembled(FUNCTION("f", 40, ""));

	(void)state;
	assert_int_equal(codesize_of_routine(path, (const char *const[]){ "f" }, 1), 40);
	assert_int_equal(codesize_of_routine(path, (const char *const[]){ "g" }, 1), 40);
	assert_int_equal(codesize_of_routine("/nowhere", (const char *const[]){ "f" }, 1), 0);
}

/* Whichever byte of the headers or symbols is another, reading it ends, with a size or with none. */
static void
test_X11_an_object_that_lies_about_itself_is_read_no_further_than_it_goes(void **state)
{
	static unsigned char	bytes[1 << 16];
	const char *const	name[] = { "f" };
	const char		*path = assembled(FUNCTION("f", 40, ".size f, 40\n"));
	FILE			*file = fopen(path, "r+");
	const size_t		 n = fread(bytes, 1, sizeof bytes, file);

	(void)state;
	assert_true(n > 0 && n < sizeof bytes);
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == 0xff)
			continue;
		assert_int_equal(fseek(file, (long)i, SEEK_SET) | fputc(0xff, file), 0xff);
		assert_int_equal(fflush(file), 0);
		assert_true(codesize_of_routine(path, name, 1) <= n * 64);
		assert_int_equal(fseek(file, (long)i, SEEK_SET) | fputc(bytes[i], file), bytes[i]);
	}
	assert_int_equal(fclose(file), 0);
	assert_int_equal(codesize_of_routine(path, name, 1), 40);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_W64_more_code_is_more_bytes),
		cmocka_unit_test(test_W64_what_is_no_object_has_no_size),
		cmocka_unit_test(test_X11_the_size_of_a_routine_is_its_symbols),
		cmocka_unit_test(test_X11_a_routine_without_a_size_has_that_of_its_object),
		cmocka_unit_test(
		    test_X11_an_object_that_lies_about_itself_is_read_no_further_than_it_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
