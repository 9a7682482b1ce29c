/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/print/format.h"
#include "client/print/member.h"

static void
test_result_cpus_are_named_as_the_kernel_lists_them(void **state)
{
	static const struct {
		const char	*object, *words;
	} rows[] = {
		{ "{\"cpu\": 1}", "CPU 1" }, { "{\"cpu\": 4, \"cpus\": [4]}", "CPU 4" },
		{ "{\"cpu\": 4, \"cpus\": [4, 5, 6, 9]}", "CPUs 4-6,9" },
		{ "{\"cpu\": null, \"cpus\": null}", "" }, { "{\"cpu\": -1}", "" }, { "{}", "" },
		{ "{\"cpu\": 0, \"cpus\": [\"x\", 99999, 1]}", "CPUs 0-1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		json_t	*object = json_loads(rows[i].object, 0, NULL);
		char	 words[FORMAT_CPUS_BYTES];

		assert_string_equal(member_cpus(object, words), rows[i].words);
		json_decref(object);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_result_cpus_are_named_as_the_kernel_lists_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
