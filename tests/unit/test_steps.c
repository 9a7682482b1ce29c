/* SPDX-License-Identifier: Apache-2.0 */
/* What -### prints, taken apart; no compiler runs here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "worker/build/recipe/steps.h"

#define CC1	" /lib/cc1 -D \"ASSAY_MACROS=\" a.c -o ./ccRandom.s\n"
#define AS	" as --64 -o ./ccOther1.o ./ccRandom.s\n"
#define LD	" /usr/bin/ld -plugin /p.so \"-plugin-opt=-fresolution=./ccThird2.res\" -o out.so " \
		"/lib/crti.o -L/lib ./ccOther1.o -lm -z now --as-needed /lib/crtfastmath.o\n"

static struct steps *
parsed(const char *printed)
{
	struct steps	*s;
	struct fault	 why;

	if (steps_parse(&s, printed, "out.so", &why) != ST_OK)
		fail_msg("%s", why.text);
	return s;
}

static void
must_say(const char *printed, const char *words)
{
	struct steps	*s;
	struct fault	 why;

	assert_int_equal(steps_parse(&s, printed, "out.so", &why), ST_BAD_SPEC);
	assert_null(s);
	if (strstr(why.text, words) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", words, why.text);
}

/* The words of step i, with blanks between them. */
static const char *
text_of(const struct steps *s, size_t i)
{
	static char	text[512];
	size_t		n = 0;

	for (size_t w = 0; w < s->step[i].nwords; w++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", w > 0 ? " " : "",
		    s->words[s->step[i].first + w]);
	return text;
}

static void
test_steps_are_the_commands_with_files_of_lasting_names(void **state)
{
	struct steps	*s = parsed("gcc version 12\nTarget: x\n" CC1 "COMPILER_PATH=/none/\n" AS LD);

	(void)state;
	assert_int_equal(s->n, 4);
	assert_string_equal(text_of(s, 0), "/lib/cc1 -D ASSAY_MACROS= a.c -o .1.s");
	assert_string_equal(text_of(s, 1), "/usr/bin/as --64 -o .2.o .1.s");
	assert_string_equal(text_of(s, 3), "/usr/bin/ld -plugin /p.so "
	    "-plugin-opt=-fresolution=.3.res -o out.so /lib/crti.o -L/lib .2.o -lm -z now "
	    "--as-needed /lib/crtfastmath.o");
	steps_free(s);
}

static void
test_steps_link_alone_without_libraries_but_with_what_changes_arithmetic(void **state)
{
	struct steps	*s = parsed(CC1 AS LD);

	(void)state;
	assert_true(s->step[2].alone && !s->step[3].alone);
	assert_string_equal(text_of(s, 2), "/usr/bin/ld -o out.so .2.o -z now /lib/crtfastmath.o");
	steps_free(s);
}

static void
test_steps_take_the_macros_where_the_driver_puts_them(void **state)
{
	static const char *const	macros[] = { "-DN=1", "-DTEXT=a b\"c" };
	struct steps			*s = parsed(CC1 AS LD);
	struct step_line		 line;

	(void)state;
	assert_true(steps_put(s, macros, 2, &line));
	assert_string_equal(line.words[1], "-D");
	assert_string_equal(line.words[2], "N=1");
	assert_string_equal(line.words[4], "TEXT=a b\"c");
	assert_string_equal(line.words[5], "a.c");
	assert_string_equal(line.counts, "8,5,a7,14");
	assert_int_equal(line.nwords, 34);
	assert_null(line.words[34]);
	assert_true(steps_put(s, NULL, 0, &line));
	assert_string_equal(line.words[1], "a.c");
	steps_free(s);
	s = parsed(" as -o ./ccOther1.o a.s\n" LD);
	assert_false(steps_put(s, macros, 2, &line));
	steps_free(s);
}

static void
test_steps_have_quoted_words_as_they_were(void **state)
{
	struct steps	*s = parsed(" \"/lib/cc 1\" -D \"X=./\\\"\\\\\\$ y\" \"\" -o ./ccRandom.s\n" AS LD);

	(void)state;
	assert_string_equal(s->words[0], "/lib/cc 1");
	assert_string_equal(s->words[2], "X=./\"\\$ y");
	assert_string_equal(s->words[3], "");
	steps_free(s);
}

static void
test_steps_that_are_not_understood_say_why(void **state)
{
	(void)state;
	must_say("", "fewer than two steps");
	must_say(LD, "fewer than two steps");
	must_say(CC1 AS, "not the last step alone makes: out.so");
	must_say(CC1 LD AS, "not the last step alone makes: out.so");
	must_say(" /lib/cc1 a.c -o - |\n as -o ./ccOther1.o\n" LD, "at the same time");
	must_say(CC1 LD, "no step makes the file: ./ccOther1.o");
	must_say(CC1 AS " /usr/bin/gold -o out.so ./ccOther1.o\n", "not known: gold");
	must_say(CC1 " no-such-program -o ./ccOther1.o ./ccRandom.s\n" LD, "not in PATH");
	must_say(" /lib/cc1 \"a.c\n" AS LD, "no end");
	must_say("Target: x\nCOMPILER_PATH=/none/:/usr/bin/\n" CC1 AS
	    " /lib/collect2 -o out.so ./ccOther1.o\n", "a linker of its own");
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_steps_are_the_commands_with_files_of_lasting_names),
		cmocka_unit_test(
		    test_steps_link_alone_without_libraries_but_with_what_changes_arithmetic),
		cmocka_unit_test(test_steps_take_the_macros_where_the_driver_puts_them),
		cmocka_unit_test(test_steps_have_quoted_words_as_they_were),
		cmocka_unit_test(test_steps_that_are_not_understood_say_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
