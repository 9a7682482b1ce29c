/* SPDX-License-Identifier: Apache-2.0 */
/* How many programs a description makes, which they are, and what each pass does alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "client/micro/space/pick.h"
#include "tests/support/micro.h"

#define ADD "<instruction><operation>addps</operation><register><phyName>%xmm1</phyName>" \
	"</register><register><phyName>%xmm2</phyName></register>"

/* ---- helpers ---- */

static uint64_t
count(struct kit *k, const char *kernel)
{
	if (kit_read(k, kernel) != ST_OK)
		fail_msg("%s: %s", k->why.member, k->why.text);
	return k->micro.count;
}

/* Text of the instructions alone: from the first line behind the frame's. */
static const char *
body(struct kit *k, uint64_t index)
{
	const struct program	 p = kit_program(k, index);
	const char		*from = p.text != NULL ? strstr(p.text, "mov $0, %eax\n") : NULL;

	if (from == NULL)
		fail_msg("%s: %s", k->why.member, k->why.text);
	return from + strlen("mov $0, %eax\n");
}

static void
assert_in(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

/* Each number makes a program, no two the same name and text; the count is all of them. */
static void
assert_all_differ(struct kit *k, uint64_t expected)
{
	const char	*names[600];

	assert_int_equal(k->micro.count, expected);
	assert_true(expected < 600);
	for (uint64_t i = 0; i < expected; i++) {
		names[i] = strstr(kit_program(k, i).text, "\n");
		for (uint64_t j = 0; j < i; j++)
			if (strcmp(names[i], names[j]) == 0)
				fail_msg("%d and %d are the same:%s", (int)i, (int)j, names[i]);
	}
}

/* Only one pass and the last two, which make text of what it leaves. */
static void
keep(struct kit *k, const char *name)
{
	for (size_t i = k->passes.n; i-- > 0;)
		if (strcmp(k->passes.at[i].name, name) != 0 &&
		    strcmp(k->passes.at[i].name, "register_rotation") != 0 &&
		    strcmp(k->passes.at[i].name, "register_allocation") != 0 &&
		    strcmp(k->passes.at[i].name, "code_generation") != 0)
			(void)passes_remove(&k->passes, k->passes.at[i].name, NULL);
}

/* ---- counts ---- */

static void
M3_M14_M31_loads_and_stores_are_the_sum_of_the_powers_of_2(void **state)
{
	struct kit	*k = *state;

	count(k, LOAD "<swap_after_unroll/></instruction>" UNROLL(1, 8) POINTER COUNTER BRANCH);
	assert_all_differ(k, 510);
}

static void
M12_M32_a_swap_after_unrolling_is_each_copys_own(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(count(k, LOAD "<swap_after_unroll/></instruction>" UNROLL(2, 2)), 4);
	assert_in(body(k, 1), "movaps 0(%rsi), %xmm0\nmovaps %xmm1, 0(%rsi)\n");
	assert_in(body(k, 2), "movaps %xmm0, 0(%rsi)\nmovaps 0(%rsi), %xmm1\n");
}

static void
M13_M30_a_swap_before_unrolling_is_the_same_for_all_copies(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(count(k, LOAD "<swap_before_unroll/></instruction>" UNROLL(2, 2)), 2);
	assert_in(body(k, 0), "movaps 0(%rsi), %xmm0\nmovaps 0(%rsi), %xmm1\n");
	assert_in(body(k, 1), "movaps %xmm0, 0(%rsi)\nmovaps %xmm1, 0(%rsi)\n");
}

static void
M1_counts_follow_the_law(void **state)
{
	static const struct {
		const char	*kernel;
		uint64_t	 expected;
	} rows[] = {
		{ LOAD "</instruction>", 1 },
		{ LOAD "</instruction>" UNROLL(1, 8), 8 },
		{ LOAD "<operation>movups</operation></instruction>" UNROLL(1, 3), 6 },
		{ LOAD "<operation>movups</operation><choose_operation_after_unroll/>"
		  "</instruction>" UNROLL(1, 3), 2 + 4 + 8 },
		{ LOAD "<operation>movups</operation><swap_after_unroll/></instruction>"
		  UNROLL(1, 2), 2 * 2 + 2 * 4 },
		{ LOAD "<repetition><min>1</min><max>3</max></repetition></instruction>"
		  UNROLL(1, 2), 6 },
		{ LOAD "<swap_after_unroll/><repetition><min>1</min><max>2</max></repetition>"
		  "</instruction>" UNROLL(1, 2), (2 + 4) + (4 + 16) },
		{ "<kernel>" LOAD "<swap_after_unroll/></instruction><repetition><min>1</min>"
		  "<max>3</max></repetition></kernel>", 2 + 4 + 8 },
		{ "<kernel>" LOAD "<swap_after_unroll/></instruction>" UNROLL(1, 2)
		  "<repetition><min>2</min><max>2</max></repetition></kernel>", 36 },
		{ "<randomize/>" LOAD "</instruction>" ADD "</instruction>", 2 },
		{ "<kernel><name>a</name>" LOAD "<swap_after_unroll/></instruction>" UNROLL(1, 3)
		  "</kernel><kernel>" ADD "</instruction><unrolling><linked>a</linked></unrolling>"
		  "</kernel>", 14 },
	};
	struct kit	*k = *state;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (count(k, rows[i].kernel) != rows[i].expected)
			fail_msg("row %zu: %llu", i, (unsigned long long)k->micro.count);
		assert_all_differ(k, rows[i].expected);
	}
}

static void
M29_numbers_that_are_picked_differ_and_are_the_same_for_a_seed(void **state)
{
	struct kit	*k = *state;
	const uint64_t	 count = UINT64_C(1) << 63;
	uint64_t	*a = pick_numbers(k->arena, count, 1000, 7);
	uint64_t	*b = pick_numbers(k->arena, count, 1000, 7);
	uint64_t	*all = pick_numbers(k->arena, 100, 100, 3);

	assert_memory_equal(a, b, 1000 * sizeof *a);
	b = pick_numbers(k->arena, count, 1000, 8);
	assert_memory_not_equal(a, b, 1000 * sizeof *a);
	for (size_t i = 1; i < 1000; i++)
		assert_true(a[i - 1] < a[i] && a[i] < count);
	for (uint64_t i = 0; i < 100; i++)
		assert_int_equal(all[i], i);
}

static void
each_number_is_picked_as_often_as_any_other(void **state)
{
	struct kit	*k = *state;
	unsigned	 times[10] = { 0 };

	for (uint64_t seed = 0; seed < 3000; seed++) {
		const uint64_t	*n = pick_numbers(k->arena, 10, 3, seed);

		for (size_t i = 0; i < 3; i++)
			times[n[i]]++;
	}
	for (size_t i = 0; i < 10; i++)
		assert_in_range(times[i], 780, 1020);	/* 900, and 5 standard deviations */
}

static void
a_count_of_2_to_the_64_is_refused(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(kit_read(k, LOAD "<swap_after_unroll/></instruction>" UNROLL(64, 64)),
	    ST_FULL);
	assert_int_equal(count(k, LOAD "<swap_after_unroll/></instruction>" UNROLL(62, 62)),
	    UINT64_C(1) << 62);
	assert_in(body(k, (UINT64_C(1) << 62) - 1), "movaps %xmm0, 0(%rsi)\n");
}

/* ---- each pass alone ---- */

/* A choice for each pass that makes one, and none of the others' numbers is the same by chance. */
#define CHOICES \
	LOAD "<operation>movups</operation><operation>movapd</operation>" \
	    "<choose_operation_after_unroll/><swap_after_unroll/></instruction>" \
	ADD "<operation>mulps</operation><operation>subps</operation><operation>divps</operation>" \
	    "<swap_before_unroll/><repetition><min>1</min><max>5</max></repetition></instruction>" \
	"<instruction><operation>add</operation><immediate><min>1</min><max>6</max></immediate>" \
	    "<register><name>r9</name></register></instruction>" \
	"<instruction><operation>sub</operation><immediate><min>1</min><max>7</max></immediate>" \
	    "<register><name>r10</name></register><immediate_after_unroll/></instruction>" \
	"<randomize/><repetition><min>1</min><max>9</max></repetition>" UNROLL(1, 8) \
	"<induction><register><name>r1</name></register><increment>16</increment>" \
	    "<offset>16</offset><stride><min>1</min><max>10</max></stride></induction>"

static bool
chooses(const struct pass *p)
{
	return p->kind == PASS_BEFORE || p->kind == PASS_AFTER || p->kind == PASS_KERNEL ||
	    p->kind == PASS_REPEAT || p->kind == PASS_UNROLL;
}

/* How many programs there are with this pass alone; 0: it is none of those that choose. */
static uint64_t
expected_of(const char *pass)
{
	static const struct {
		const char	*pass;
		uint64_t	 expected;
	} rows[] = {
		{ "swap_after", 2 }, { "swap_before", 2 }, { "operation_after", 3 },
		{ "operation_before", 4 }, { "instruction_repetition", 5 },
		{ "immediate_before", 6 }, { "immediate_after", 7 }, { "unroll", 8 },
		{ "kernel_repetition", 9 }, { "stride", 10 }, { "random_order", 24 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strcmp(rows[i].pass, pass) == 0)
			return rows[i].expected;
	return 0;
}

static void
M38_each_pass_that_chooses_works_alone(void **state)
{
	static struct passes	 all;
	struct kit		*k = *state;
	uint64_t		 expected;

	passes_init(&all);
	for (size_t i = 0; i < all.n; i++) {
		expected = expected_of(all.at[i].name);
		assert_int_equal(chooses(&all.at[i]), expected > 0);
		if (expected == 0)
			continue;
		passes_init(&k->passes);
		keep(k, all.at[i].name);
		if (count(k, CHOICES) != expected)
			fail_msg("%s: %d programs", all.at[i].name, (int)k->micro.count);
		for (uint64_t n = 0; n < expected; n++)
			assert_non_null(kit_program(k, n).text);
		if (strcmp(all.at[i].name, "stride") != 0)
			assert_all_differ(k, expected);
	}
}

/* Without induction_insertion a stride is seen in the offsets of copies alone. */
static void
M38_a_stride_alone_is_in_the_instructions_that_move_the_inductions(void **state)
{
	struct kit	*k = *state;

	for (size_t i = k->passes.n; i-- > 0;)
		if (chooses(&k->passes.at[i]) && strcmp(k->passes.at[i].name, "stride") != 0)
			(void)passes_remove(&k->passes, k->passes.at[i].name, NULL);
	count(k, CHOICES);
	assert_all_differ(k, 10);
	assert_in(body(k, 9), "add $160, %rsi\n");
}

static bool
never(const struct micro *m)
{
	(void)m;
	return false;
}

static void
M37_a_gate_turns_a_pass_off_and_its_choices_are_gone(void **state)
{
	struct kit	*k = *state;
	const char	*kernel = LOAD "<swap_after_unroll/></instruction>" UNROLL(1, 8);

	assert_int_equal(count(k, kernel), 510);
	assert_int_equal(passes_set_gate(&k->passes, "swap_after", never, &k->why), ST_OK);
	assert_int_equal(count(k, kernel), 8);
	assert_int_equal(passes_set_gate(&k->passes, "unroll", never, &k->why), ST_OK);
	assert_int_equal(count(k, kernel), 1);
}

static void
M24_there_are_nineteen_passes_in_the_papers_order(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(k->passes.n, 19);
	for (size_t i = 0; i < k->passes.n; i++)
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(k->passes.at[i].name, k->passes.at[j].name);
	assert_true(passes_find(&k->passes, "swap_before") < passes_find(&k->passes, "unroll"));
	assert_true(passes_find(&k->passes, "unroll") < passes_find(&k->passes, "swap_after"));
}

static void
a_pass_that_is_not_there_is_named_with_a_near_one(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(passes_remove(&k->passes, "swap_aftre", &k->why), ST_NOT_FOUND);
	assert_in(k->why.hint, "swap_after");
	assert_int_equal(passes_insert_after(&k->passes, "unroll", &pass_stride, &k->why),
	    ST_CONFLICT);
}

/* ---- texts ---- */

static void
M9_M17_M20_M39_figure_8_comes_out_byte_for_byte(void **state)
{
	struct kit	*k = *state;

	count(k, LOAD "<swap_after_unroll/></instruction>" UNROLL(3, 3) POINTER COUNTER BRANCH);
	assert_in(kit_program(k, 5).text,
	    ".L6:\n"
	    "#Unrolling iterations\n"
	    "movaps %xmm0, 0(%rsi)\n"
	    "movaps 16(%rsi), %xmm1\n"
	    "movaps %xmm2, 32(%rsi)\n"
	    "#Induction variables\n"
	    "add $48, %rsi\n"
	    "sub $12, %rdi\n"
	    "jge .L6\n");
}

static void
M18_a_linked_counter_counts_elements_or_copies(void **state)
{
	struct kit	*k = *state;
	const char	*kernel = LOAD "</instruction>" UNROLL(3, 3) POINTER COUNTER BRANCH;

	count(k, kernel);
	assert_in(body(k, 0), "sub $12, %rdi\njge .L6\n");
	k->micro.by_copies = true;
	count(k, kernel);
	assert_in(body(k, 0), "sub $3, %rdi\njge .L6\n");
}

static void
M15_M16_M19_M21_M34_an_induction_that_unrolling_does_not_affect_keeps_its_step(void **state)
{
	struct kit	*k = *state;

	count(k, LOAD "</instruction>" UNROLL(4, 4) POINTER ITERATIONS COUNTER BRANCH);
	assert_in(body(k, 0), "add $64, %rsi\nadd $1, %eax\nsub $16, %rdi\njge .L6\n");
}

static void
M10_registers_begin_again_behind_the_last_one(void **state)
{
	struct kit	*k = *state;

	count(k, LOAD "</instruction>" UNROLL(10, 10) POINTER);
	assert_in(body(k, 0), "movaps 128(%rsi), %xmm8\nmovaps 144(%rsi), %xmm0\n");
}

static void
M27_a_stride_multiplies_step_and_offsets(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(count(k, LOAD "</instruction>" UNROLL(2, 2) "<induction><register>"
	    "<name>r1</name></register><increment>16</increment><offset>16</offset><stride>"
	    "<min>1</min><max>4</max></stride></induction>" COUNTER BRANCH), 4);
	assert_in(body(k, 3), "movaps 64(%rsi), %xmm1\n");
	assert_in(body(k, 3), "add $128, %rsi\nsub $32, %rdi\n");
}

static void
M28_each_value_of_an_immediate_is_a_program(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(count(k, "<instruction><operation>add</operation><immediate><min>5</min>"
	    "<max>10</max><progress>2</progress></immediate><register><phyName>%rax</phyName>"
	    "</register></instruction>"), 3);
	assert_in(body(k, 0), "add $5, %rax\n");
	assert_in(body(k, 2), "add $9, %rax\n");
}

static void
a_linked_immediate_follows_the_named_instruction(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(count(k, "<instruction><name>a</name><operation>add</operation><immediate>"
	    "<min>5</min><max>6</max></immediate><register><phyName>%rax</phyName></register>"
	    "</instruction><instruction><operation>sub</operation><immediate><linked>a</linked>"
	    "</immediate><register><phyName>%rax</phyName></register></instruction>"), 2);
	assert_in(body(k, 1), "add $6, %rax\nsub $6, %rax\n");
}

static void
M25_an_instruction_is_repeated_in_a_row(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(count(k, ADD "<repetition><min>1</min><max>16</max></repetition>"
	    "</instruction>"), 16);
	assert_in(body(k, 2), "addps %xmm1, %xmm2\naddps %xmm1, %xmm2\naddps %xmm1, %xmm2\n");
}

static void
M26_each_order_of_four_instructions_is_a_program(void **state)
{
	struct kit	*k = *state;

	count(k, "<randomize/>" ADD "</instruction>" LOAD "</instruction>"
	    "<insert_code><instruction>nop</instruction></insert_code>"
	    "<insert_code><instruction>pause</instruction></insert_code>");
	assert_all_differ(k, 24);
}

static void
M23_a_move_of_16_bytes_takes_each_instruction_that_can(void **state)
{
	struct kit	*k = *state;
	uint64_t	 n = count(k, "<move><bytes>16</bytes><memory><register><name>r1</name>"
			    "</register></memory><register><phyName>%xmm</phyName><min>0</min>"
			    "<max>7</max></register></move>" POINTER);
	bool		 has_four = false, has_two = false, has_aligned = false;

	for (uint64_t i = 0; i < n; i++) {
		const char	*text = body(k, i);

		has_aligned |= strstr(text, "movaps 0(%rsi), %xmm0\n") != NULL;
		has_two |= strstr(text, "movsd 0(%rsi), %xmm0\nmovsd 8(%rsi), %xmm1\n") != NULL;
		has_four |= strstr(text, "movss 12(%rsi), %xmm3\n") != NULL;
	}
	assert_true(n >= 6 && has_four && has_two && has_aligned);
}

static void
M33_the_instruction_is_named_that_finds_no_register(void **state)
{
	struct kit	*k = *state;
	char		*kernel = arena_format(k->arena, "%s", "");

	for (int i = 9; i < 30; i++)
		kernel = arena_format(k->arena, "%s<instruction><operation>inc</operation>"
		    "<register><name>r%d</name></register></instruction>\n", kernel, i);
	count(k, kernel);
	assert_null(kit_program(k, 0).text);
	assert_in(k->why.text, "inc: no register is left for r");
	assert_in(k->why.member, "d.xml:");
}

static void
M33_names_do_not_share_a_register_that_is_named(void **state)
{
	struct kit	*k = *state;

	count(k, "<instruction><operation>add</operation><register><name>r9</name></register>"
	    "<register><phyName>%r13</phyName></register></instruction>");
	assert_in(body(k, 0), "add %r14, %r13\n");
}

static void
M22_arrays_beyond_the_sixth_argument_are_loaded_from_the_stack(void **state)
{
	struct kit	*k = *state;

	count(k, "<instruction><operation>movss</operation><memory><register><name>r</name>"
	    "<min>1</min><max>8</max></register></memory><register><phyName>%xmm0</phyName>"
	    "</register></instruction>" UNROLL(8, 8));
	assert_in(kit_program(k, 0).text, "push %r12\nmov 16(%rsp), %r10\nmov 24(%rsp), %r11\n"
	    "mov 32(%rsp), %r12\n");
	assert_in(body(k, 0), "movss 0(%r12), %xmm0\n");
}

static void
a_counter_begins_below_n_so_that_no_step_goes_beyond_it(void **state)
{
	struct kit	*k = *state;

	count(k, LOAD "</instruction>" UNROLL(3, 3) POINTER COUNTER BRANCH);
	assert_in(body(k, 0), "sub $12, %rdi\njl .Lend\n.L6:\n");
}

static void
M2_c_has_the_same_instructions(void **state)
{
	struct kit	*k = *state;
	struct program	 p;

	k->micro.as_c = true;
	count(k, LOAD "</instruction>" UNROLL(2, 2) POINTER ITERATIONS COUNTER BRANCH);
	p = kit_program(k, 0);
	assert_string_equal(p.language, "c");
	assert_in(p.text, "\"movaps 16(%%rsi), %%xmm1\\n\"");
	assert_in(p.text, "\"jge .L6_%=\\n\"");
	assert_in(p.text, "f(int n, void *a1)");
}

#define T(name) cmocka_unit_test_setup_teardown(name, kit_set_up, kit_tear_down)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		T(M3_M14_M31_loads_and_stores_are_the_sum_of_the_powers_of_2),
		T(M12_M32_a_swap_after_unrolling_is_each_copys_own),
		T(M13_M30_a_swap_before_unrolling_is_the_same_for_all_copies),
		T(M1_counts_follow_the_law),
		T(M29_numbers_that_are_picked_differ_and_are_the_same_for_a_seed),
		T(each_number_is_picked_as_often_as_any_other),
		T(a_count_of_2_to_the_64_is_refused),
		T(M38_each_pass_that_chooses_works_alone),
		T(M38_a_stride_alone_is_in_the_instructions_that_move_the_inductions),
		T(M37_a_gate_turns_a_pass_off_and_its_choices_are_gone),
		T(M24_there_are_nineteen_passes_in_the_papers_order),
		T(a_pass_that_is_not_there_is_named_with_a_near_one),
		T(M9_M17_M20_M39_figure_8_comes_out_byte_for_byte),
		T(M18_a_linked_counter_counts_elements_or_copies),
		T(M15_M16_M19_M21_M34_an_induction_that_unrolling_does_not_affect_keeps_its_step),
		T(M10_registers_begin_again_behind_the_last_one),
		T(M27_a_stride_multiplies_step_and_offsets),
		T(M28_each_value_of_an_immediate_is_a_program),
		T(a_linked_immediate_follows_the_named_instruction),
		T(M25_an_instruction_is_repeated_in_a_row),
		T(M26_each_order_of_four_instructions_is_a_program),
		T(M23_a_move_of_16_bytes_takes_each_instruction_that_can),
		T(M33_the_instruction_is_named_that_finds_no_register),
		T(M33_names_do_not_share_a_register_that_is_named),
		T(M22_arrays_beyond_the_sixth_argument_are_loaded_from_the_stack),
		T(a_counter_begins_below_n_so_that_no_step_goes_beyond_it),
		T(M2_c_has_the_same_instructions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
