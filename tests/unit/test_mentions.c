/* SPDX-License-Identifier: Apache-2.0 */
/* Which macros can change a variant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/name.h"
#include "worker/build/recipe/mentions.h"

static bool
can_change(const char *source, const char *name)
{
	char		text[256];
	struct variant	v = { .language = LANG_C, .source = text };

	(void)snprintf(text, sizeof text, "%s", source);
	v.source_bytes = strlen(text);
	return mentions_macro(&v, name);
}

static void
test_a_name_is_a_word_and_not_a_part_of_one(void **state)
{
	(void)state;
	assert_true(name_is_in("N", "a[N]", 4));
	assert_true(name_is_in("N", "N", 1));
	assert_false(name_is_in("N", "a[NN]", 5));
	assert_false(name_is_in("N", "a[xN]", 5));
	assert_false(name_is_in("N", "N_", 2));
	assert_true(name_is_in("N", "NN+N", 4));
	assert_false(name_is_in("N", "N", 0));
}

static void
test_a_macro_that_the_source_has_can_change_it(void **state)
{
	(void)state;
	assert_true(can_change("int f(void) { return UNROLL; }", "UNROLL"));
	assert_false(can_change("int f(void) { return 4; }", "UNROLL"));
	assert_false(can_change("int f(void) { return UNROLLED; }", "UNROLL"));
}

static void
test_a_source_that_hides_names_can_be_changed_by_any(void **state)
{
	(void)state;
	assert_true(can_change("#include <math.h>\nint f;", "UNROLL"));
	assert_true(can_change("#define P(a, b) a##b\nint f = P(UN, ROLL);", "UNROLL"));
	assert_true(can_change("%:define P(a, b) a %:%: b\nint f = P(UN, ROLL);", "UNROLL"));
	assert_true(can_change("int f = UN\\\nROLL;", "UNROLL"));
	assert_true(can_change("int f = \?\?=;", "UNROLL"));
}

static void
test_a_macro_of_a_define_or_a_flag_can_change_it(void **state)
{
	char		source[] = "int f(void) { return A; }", name[] = "A", text[] = "2 * UNROLL",
			flag[] = "-falign-loops=UNROLL";
	char		*flags[] = { flag };
	struct define	 define = { name, text };
	struct variant	 v = { .language = LANG_C, .source = source,
			     .source_bytes = sizeof source - 1 };

	(void)state;
	assert_false(mentions_macro(&v, "UNROLL"));
	v.defines = &define;
	v.ndefines = 1;
	assert_true(mentions_macro(&v, "UNROLL"));
	v.ndefines = 0;
	v.flags = flags;
	v.nflags = 1;
	assert_true(mentions_macro(&v, "UNROLL"));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_a_name_is_a_word_and_not_a_part_of_one),
		cmocka_unit_test(test_a_macro_that_the_source_has_can_change_it),
		cmocka_unit_test(test_a_source_that_hides_names_can_be_changed_by_any),
		cmocka_unit_test(test_a_macro_of_a_define_or_a_flag_can_change_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
