/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/status.h"

static void
test_status_every_word_is_read_back(void **state)
{
	enum status	st;

	(void)state;
	for (unsigned i = 0; i < ST_N; i++) {
		assert_true(status_from_word(&st, status_word(i)));
		assert_int_equal(st, i);
	}
	assert_false(status_from_word(&st, "fine"));
	assert_false(status_from_word(&st, ""));
}

static void
test_status_no_two_share_an_exit_code(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ST_N; i++)
		for (unsigned j = 0; j < i; j++)
			assert_int_not_equal(status_exit_code(i), status_exit_code(j));
}

static void
test_status_codes_and_words_seen_outside_stay_as_they_are(void **state)
{
	(void)state;
	assert_int_equal(status_exit_code(ST_OK), 0);
	assert_int_equal(status_exit_code(ST_BAD_SPEC), 65);
	assert_int_equal(status_exit_code(ST_WRONG_ANSWER), 84);
	assert_int_equal(status_exit_code(ST_INTERNAL), 76);
	assert_string_equal(status_word(ST_TOO_NOISY), "too_noisy");
	assert_string_equal(status_word(ST_NOT_FINITE), "not_finite");
}

static void
test_status_t4_words_are_those_of_the_format(void **state)
{
	static const char *const	words[] = { "correct", "constraints", "compile",
	    "runtime", "timeout", "correctness" };

	(void)state;
	for (unsigned i = 0; status_is_outcome(i); i++) {
		bool	known = false;

		for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
			known |= strcmp(words[w], status_t4(i)) == 0;
		assert_true(known);
	}
}

static void
test_status_outcomes_end_with_internal(void **state)
{
	(void)state;
	assert_true(status_is_outcome(ST_OK));
	assert_true(status_is_outcome(ST_EXPIRED));
	assert_true(status_is_outcome(ST_INTERNAL));
	assert_false(status_is_outcome(ST_BAD_REQUEST));
	assert_false(status_is_outcome(ST_NOMEM));
}

static void
test_status_a_number_that_is_none_reads_as_internal(void **state)
{
	(void)state;
	assert_string_equal(status_word((enum status)999), "internal");
	assert_string_equal(status_text((enum status)999), status_text(ST_INTERNAL));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_status_every_word_is_read_back),
		cmocka_unit_test(test_status_no_two_share_an_exit_code),
		cmocka_unit_test(test_status_codes_and_words_seen_outside_stay_as_they_are),
		cmocka_unit_test(test_status_t4_words_are_those_of_the_format),
		cmocka_unit_test(test_status_outcomes_end_with_internal),
		cmocka_unit_test(test_status_a_number_that_is_none_reads_as_internal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
