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

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_W64_more_code_is_more_bytes),
		cmocka_unit_test(test_W64_what_is_no_object_has_no_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
