/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "worker/bench/program_end.h"

static struct fault	why;

static struct program_said
says(const char *output, const char *last)
{
	return (struct program_said){ output, strlen(output), last, strlen(last) };
}

static enum status
end_of(int status, const char *output, const char *last)
{
	const struct program		p = { .output_bytes = 100 };
	const struct program_run	run = { .status = status };
	const struct program_said	said = says(output, last);

	return program_end(&p, &run, &said, false, -1, &why);
}

static enum status
start_of(const char *step, int error)
{
	const struct program		p = { .output_bytes = 100 };
	struct program_run		run = { .error = error, .status = 127 << 8 };
	const struct program_said	said = says("", "");

	(void)snprintf(run.step, sizeof run.step, "%s", step);
	return program_end(&p, &run, &said, false, -1, &why);
}

static enum status
check(const char *want, const char *output)
{
	char				text[64];
	struct program			p = { .output = text };
	const struct program_said	said = says(output, "");

	(void)snprintf(text, sizeof text, "%s", want);
	return program_check(&p, &said, &why);
}

static void
test_program_end_an_exit_with_0_is_ok(void **state)
{
	(void)state;
	assert_int_equal(end_of(0, "x", "words that do not matter"), ST_OK);
}

static void
test_program_end_another_exit_has_the_last_words(void **state)
{
	(void)state;
	assert_int_equal(end_of(3 << 8, "out\n", "first\nno luck\n"), ST_CRASHED);
	assert_non_null(strstr(why.text, "code 3; its last words: \"first\nno luck\""));
	assert_int_equal(end_of(1 << 8, "only this \n", ""), ST_CRASHED);
	assert_non_null(strstr(why.text, "\"only this\""));
	assert_int_equal(end_of(1 << 8, "", ""), ST_CRASHED);
	assert_string_equal(why.text, "it exited with code 1");
}

static void
test_program_end_last_words_are_few_and_printable(void **state)
{
	char	long_text[3000];

	(void)state;
	memset(long_text, '\x1b', sizeof long_text - 1);
	long_text[sizeof long_text - 1] = '\0';
	assert_int_equal(end_of(1 << 8, "", long_text), ST_CRASHED);
	assert_true(strlen(why.text) < 500);
	assert_null(strchr(why.text, '\x1b'));
}

static void
test_program_end_signals_have_their_outcomes(void **state)
{
	(void)state;
	assert_int_equal(end_of(SIGSEGV, "", ""), ST_CRASHED);
	assert_int_equal(end_of(SIGSYS, "", ""), ST_FORBIDDEN);
	assert_int_equal(end_of(SIGXFSZ, "", ""), ST_RUN_LIMIT);
	assert_int_equal(end_of(SIGXCPU, "", ""), ST_RUN_LIMIT);
	assert_int_equal(end_of(SIGKILL, "", ""), ST_RUN_LIMIT);
}

static void
test_program_end_a_refused_call_is_named_where_it_is_known(void **state)
{
	const struct program		p = { .output_bytes = 100 };
	const struct program_run	run = { .status = SIGSYS }, killed = { .status = SIGKILL };
	const struct program_said	said = says("", "on my way\n");

	(void)state;
	assert_true(program_is_refused(&run));
	assert_false(program_is_refused(&killed));
	assert_int_equal(program_end(&p, &run, &said, false, SYS_ptrace, &why), ST_FORBIDDEN);
	assert_string_equal(why.text, "SIGSYS: the jail refuses the system call ptrace, which the "
	    "program made; its last words: \"on my way\"");
	assert_int_equal(program_end(&p, &run, &said, false, 987654, &why), ST_FORBIDDEN);
	assert_non_null(strstr(why.text, "987654"));
	assert_int_equal(program_end(&p, &run, &said, false, -1, &why), ST_FORBIDDEN);
	assert_non_null(strstr(why.text, "refuses a system call that the program made"));
}

static void
test_program_end_a_write_that_was_cut_short_is_the_limit_too(void **state)
{
	char	output[101];

	(void)state;
	memset(output, 'x', 100);
	output[100] = '\0';
	assert_int_equal(end_of(1 << 8, output, ""), ST_RUN_LIMIT);
	assert_non_null(strstr(why.text, "more than 100 bytes"));
}

static void
test_program_end_blames_the_program_for_its_exec_alone(void **state)
{
	(void)state;
	assert_int_equal(start_of("exec", ENOEXEC), ST_LOAD_FAILED);
	assert_int_equal(start_of("exec", ENOENT), ST_LOAD_FAILED);
	assert_non_null(strstr(why.hint, "statically"));
	assert_int_equal(start_of("exec", ENOMEM), ST_RUN_LIMIT);
	assert_int_equal(start_of("limits", EPERM), ST_INTERNAL);
}

static void
test_program_end_output_is_compared_byte_for_byte(void **state)
{
	(void)state;
	assert_int_equal(check("a\nb\n", "a\nb\n"), ST_OK);
	assert_int_equal(check("", ""), ST_OK);
	assert_int_equal(check("a\nb\n", "a\nc\n"), ST_WRONG_ANSWER);
	assert_non_null(strstr(why.text, "at byte 3, in line 2: it has \"c?\" where \"b?\""));
	assert_int_equal(check("a\nb\n", "a\n"), ST_WRONG_ANSWER);
	assert_non_null(strstr(why.text, "it has its end where \"b?\""));
	assert_int_equal(check("a", "a\n"), ST_WRONG_ANSWER);
}

static void
test_program_end_a_digest_stands_for_the_text(void **state)
{
	char				digest[] = "9f86d081884c7d659a2feaa0c55ad015"
					    "a3bf4f1b2b0b822cd15d6c15b0f00a08";
	const struct program		p = { .output_sha256 = digest };
	const struct program_said	right = says("test", ""), wrong = says("tesu", "");

	(void)state;
	assert_int_equal(program_check(&p, &right, &why), ST_OK);
	assert_int_equal(program_check(&p, &wrong, &why), ST_WRONG_ANSWER);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_program_end_an_exit_with_0_is_ok),
		cmocka_unit_test(test_program_end_another_exit_has_the_last_words),
		cmocka_unit_test(test_program_end_last_words_are_few_and_printable),
		cmocka_unit_test(test_program_end_signals_have_their_outcomes),
		cmocka_unit_test(test_program_end_a_refused_call_is_named_where_it_is_known),
		cmocka_unit_test(test_program_end_a_write_that_was_cut_short_is_the_limit_too),
		cmocka_unit_test(test_program_end_blames_the_program_for_its_exec_alone),
		cmocka_unit_test(test_program_end_output_is_compared_byte_for_byte),
		cmocka_unit_test(test_program_end_a_digest_stands_for_the_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
