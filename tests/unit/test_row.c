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

static void
test_counts_are_listed_without_zeros_and_exceptions_as_far_as_they_fit(void **state)
{
	static const char *const	none[] = { NULL }, *const ok[] = { "ok", NULL };
	json_t				*counts = json_loads("{\"ok\": 9, \"crashed\": 1, "
					    "\"expired\": 0, \"suspect\": 2}", 0, NULL);
	char				 text[64], brief[8];

	(void)state;
	assert_string_equal(member_counts(counts, none, text, sizeof text),
	    "9 ok, 1 crashed, 2 suspect");
	assert_string_equal(member_counts(counts, ok, text, sizeof text), "1 crashed, 2 suspect");
	assert_string_equal(member_counts(counts, ok, brief, sizeof brief), "1 crash");
	assert_string_equal(member_counts(NULL, none, text, sizeof text), "");
	json_decref(counts);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_counts_are_listed_without_zeros_and_exceptions_as_far_as_they_fit),
		cmocka_unit_test(test_result_cpus_are_named_as_the_kernel_lists_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
