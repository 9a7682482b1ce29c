/* SPDX-License-Identifier: Apache-2.0 */
/* A launch's options: sizes and offsets of arrays, and the sweep that they make. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/cmd/launch/core_sweep.h"
#include "client/cmd/launch/draw.h"
#include "client/cmd/launch/launch.h"
#include "client/cmd/launch/rows.h"
#include "client/cmd/launch/size_sweep.h"
#include "client/cmd/micro/twin.h"

/* ---- texts ---- */

static void
test_L20_a_survey_has_a_range_for_each_array(void **state)
{
	struct survey	s;
	struct fault	why;

	(void)state;
	assert_int_equal(survey_parse(&s, "{(0,256,16); (8,9,1) ;(4,4,1);}", &why), ST_OK);
	assert_int_equal(s.n, 3);
	assert_int_equal(survey_values(&s.of[0]), 16);
	assert_int_equal(survey_values(&s.of[1]), 1);
	assert_int_equal(survey_values(&s.of[2]), 1);
	assert_int_equal(survey_combinations(&s), 16);
}

static void
test_L42_the_combinations_of_more_arrays_than_fit_are_none(void **state)
{
	const char	*text = "{(0,99999,1);(0,99999,1);(0,99999,1);(0,99999,1)}";
	struct survey	 s;
	struct fault	 why;

	(void)state;
	assert_int_equal(survey_parse(&s, text, &why), ST_OK);
	assert_int_equal(survey_combinations(&s), 0);
}

static void
test_what_cannot_be_read_of_a_survey_is_named_with_its_column(void **state)
{
	static const struct { const char *text, *words; } bad[] = {
		{ "", "column 1: expected an opening brace" },
		{ "{}", "column 2: expected the offsets of an array" },
		{ "{(0,256)}", "column 8: expected a comma and the step" },
		{ "{(0,256,0)}", "column 9: expected a step of at least 1" },
		{ "{(16,8,1)}", "column 6: expected the end of the offsets, not below the first" },
		{ "{(0,256,16)", "column 12: expected a closing brace" },
		{ "{(0,8,1)} x", "column 11: expected the end of the text" },
		{ "{(0,99999999999999999999,1)}", "column 5: expected a number of at most" },
		{ "{(0,2147483648,1)}", "column 5: expected a number of at most 2147483647" },
		{ "{(0,2000000,1)}", "at most 100000 offsets" },
		{ "{(0,1,1);(0,1,1);(0,1,1);(0,1,1);(0,1,1);(0,1,1);(0,1,1);(0,1,1);(0,1,1)}",
		  "no more than 8 arrays" },
	};
	struct survey	s;
	struct fault	why;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(survey_parse(&s, bad[i].text, &why), ST_BAD_REQUEST);
		assert_non_null(strstr(why.text, bad[i].words));
	}
}

static void
test_L19_sizes_of_each_array_are_a_list_in_braces(void **state)
{
	struct survey_sizes	s;
	struct fault		why;

	(void)state;
	assert_int_equal(survey_sizes_parse(&s, "{100, 2000,500}", &why), ST_OK);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.of[1], 2000);
	assert_int_equal(survey_sizes_parse(&s, "{100,0}", &why), ST_BAD_REQUEST);
	assert_int_equal(survey_sizes_parse(&s, "100", &why), ST_BAD_REQUEST);
	assert_int_equal(survey_sizes_parse(&s, "{1,2,3,4,5,6,7,8,9}", &why), ST_BAD_REQUEST);
}

/* ---- the draw ---- */

static void
test_a_draw_has_different_numbers_in_order_and_a_seed_repeats_it(void **state)
{
	json_t		*a, *b, *c;
	struct fault	 why;

	(void)state;
	assert_int_equal(draw_numbers(1000000, 2500, 7, &a, &why), ST_OK);
	assert_int_equal(draw_numbers(1000000, 2500, 7, &b, &why), ST_OK);
	assert_int_equal(draw_numbers(1000000, 2500, 8, &c, &why), ST_OK);
	assert_int_equal(json_array_size(a), 2500);
	for (size_t i = 1; i < 2500; i++)
		assert_true(json_integer_value(json_array_get(a, i - 1)) <
		    json_integer_value(json_array_get(a, i)));
	assert_true(json_integer_value(json_array_get(a, 2499)) < 1000000);
	assert_true(json_equal(a, b));
	assert_false(json_equal(a, c));
	json_decref(a);
	json_decref(b);
	json_decref(c);
}

static void
test_a_draw_of_more_than_there_are_is_all(void **state)
{
	json_t		*all;
	struct fault	 why;

	(void)state;
	assert_int_equal(draw_numbers(5, 100, 0, &all, &why), ST_OK);
	assert_int_equal(json_array_size(all), 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(json_integer_value(json_array_get(all, i)), i);
	json_decref(all);
}

/* Over many seeds each number comes as often as any other: 3 of 6, 2000 times. */
static void
test_each_number_is_drawn_as_often(void **state)
{
	unsigned	 seen[6] = { 0 };
	json_t		*some;
	struct fault	 why;

	(void)state;
	for (unsigned seed = 0; seed < 2000; seed++) {
		assert_int_equal(draw_numbers(6, 3, seed, &some, &why), ST_OK);
		for (size_t i = 0; i < 3; i++)
			seen[json_integer_value(json_array_get(some, i))]++;
		json_decref(some);
	}
	for (unsigned i = 0; i < 6; i++)
		assert_in_range(seen[i], 900, 1100);
}

/* ---- the sweep ---- */

static json_t *
sweep_of(struct launch *l)
{
	json_t		*variants = json_pack("[{s:s, s:s, s:s}]", "name", "k", "language", "c",
			    "source", "int entryPoint(int n) { return n; }"), *sweep;
	struct fault	 why;

	assert_int_equal(launch_check(l, &why), ST_OK);
	assert_int_equal(launch_sweep_of(l, variants, &sweep, &why), ST_OK);
	json_decref(variants);
	return sweep;
}

static const char *
text_at(const json_t *o, const char *a, const char *b, const char *c)
{
	o = json_object_get(json_object_get(o, a), b);
	return json_string_value(c != NULL ? json_object_get(o, c) : o);
}

static void
test_L18_L28_L29_the_prototype_has_as_many_arrays_as_asked(void **state)
{
	struct launch	 l = LAUNCH_DEFAULTS;
	json_t		*sweep;

	(void)state;
	l.arrays = 2;
	l.element = "double";
	sweep = sweep_of(&l);
	assert_string_equal(text_at(sweep, "spec", "routine", NULL),
	    "int entryPoint(int n, double *a0, double *a1)");
	json_decref(sweep);
	l = (struct launch)LAUNCH_DEFAULTS;
	l.arrays = 0;
	sweep = sweep_of(&l);
	assert_string_equal(text_at(sweep, "spec", "routine", NULL), "int entryPoint(int n)");
	json_decref(sweep);
}

static void
test_an_element_may_be_a_number_of_bytes(void **state)
{
	struct launch	 l = LAUNCH_DEFAULTS;
	json_t		*sweep;

	(void)state;
	l.element = "42";
	sweep = sweep_of(&l);
	assert_string_equal(text_at(sweep, "spec", "routine", NULL),
	    "int entryPoint(int n, void *a0)");
	assert_string_equal(json_string_value(json_object_get(json_object_get(json_object_get(
	    json_object_get(sweep, "spec"), "args"), "a0"), "type")), "char");
	json_decref(sweep);
}

static void
test_L19_sizes_are_a_dimension_and_n_is_what_was_asked(void **state)
{
	struct launch	 l = LAUNCH_DEFAULTS;
	json_t		*sweep, *sizes;

	(void)state;
	l.first_size = 1000;
	l.last_size = 2000;
	l.size_step = 500;
	l.max_stride = 4;
	sweep = sweep_of(&l);
	sizes = json_object_get(json_object_get(sweep, "space"), "N");
	assert_int_equal(json_array_size(sizes), 3);
	assert_int_equal(json_integer_value(json_array_get(sizes, 2)), 2000);
	assert_string_equal(text_at(sweep, "spec", "args", "n"), "N / 4");
	json_decref(sweep);
}

static void
test_L21_the_three_repetitions_are_samples_calls_and_processes(void **state)
{
	struct launch	 l = LAUNCH_DEFAULTS;
	json_t		*sweep, *timing;

	(void)state;
	l.samples = 10;
	l.calls = 20;
	l.processes = 2;
	sweep = sweep_of(&l);
	timing = json_object_get(json_object_get(sweep, "spec"), "timing");
	assert_int_equal(json_integer_value(json_object_get(timing, "samples")), 10);
	assert_int_equal(json_integer_value(json_object_get(timing, "calls")), 20);
	assert_int_equal(json_integer_value(json_object_get(timing, "processes")), 2);
	json_decref(sweep);
}

static void
test_what_cannot_go_together_is_refused_with_the_option(void **state)
{
	struct launch	l = LAUNCH_DEFAULTS;
	struct fault	why;

	(void)state;
	l.arrays = 1;
	l.sizes_text = "{10,20}";
	assert_int_equal(launch_check(&l, &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "--nbsizes");
	l = (struct launch)LAUNCH_DEFAULTS;
	l.first_size = 10;
	l.last_size = 5;
	assert_int_equal(launch_check(&l, &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "--endvector");
	l = (struct launch)LAUNCH_DEFAULTS;
	l.survey_text = "{(0,4096,4);(0,4096,4)}";
	assert_int_equal(launch_check(&l, &why), ST_BAD_REQUEST);
	assert_non_null(strstr(why.hint, "--limit"));
	l = (struct launch)LAUNCH_DEFAULTS;
	l.info_text = "loop";
	assert_int_equal(launch_check(&l, &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "--info");
}

static void
test_an_option_of_MicroLauncher_that_is_none_here_has_its_reason(void **state)
{
	char		 launch[] = "launch", pin[] = "--cpupin", two[] = "2",
			 lib[] = "--alloclib=x.so",
			 mine[] = "--nbvector";
	char		*pinned[] = { launch, pin, two, NULL };
	char		*allocated[] = { launch, lib, NULL };
	char		*fine[] = { launch, mine, two, NULL };
	struct fault	 why;

	(void)state;
	assert_int_equal(launch_refuse_foreign(3, pinned, &why), ST_BAD_REQUEST);
	assert_non_null(strstr(why.text, "the daemon owns its timing CPUs"));
	assert_int_equal(launch_refuse_foreign(2, allocated, &why), ST_BAD_REQUEST);
	assert_true(why.hint[0] != '\0');
	assert_int_equal(launch_refuse_foreign(3, fine, &why), ST_OK);
}

/* ---- rows ---- */

/* Two kernels of one size: one scales to three copies and no further, the other does to four. */
static void
test_L41_memory_is_saturated_by_the_copies_behind_which_no_more_is_done(void **state)
{
	static const double	 value[2][4] = { { 10, 10, 10, 13 }, { 5, 5, 5, 5 } };
	char			 name[2][8] = { "stream", "adds" };
	struct launch_row	 at[20];
	struct launch_rows	 rows = { .at = at };
	struct core_sweep	 c;
	struct fault		 why;

	(void)state;
	for (int copies = 1; copies <= 4; copies++)
		for (int k = 0; k < 2; k++)
			for (int core = 0; core < copies; core++)
				at[rows.n++] = (struct launch_row){ .job = 2 * copies + k,
				    .kernel = name[k], .cpu = core, .copies = copies, .n = 1000,
				    .value = value[k][copies - 1] + (core == 0) - (core == 1) };
	assert_int_equal(rows.n, 20);
	at[0].value = 10;				/* one copy: no other to differ from */
	at[1].value = 5;
	assert_int_equal(core_sweep_of(&c, &rows, &why), ST_OK);
	assert_int_equal(c.n, 2);
	assert_int_equal(c.at[0].npoints, 4);
	assert_int_equal(c.at[0].at[3].copies, 4);
	assert_true(c.at[0].at[3].value == 13 && c.at[0].at[3].least == 12 &&
	    c.at[0].at[3].most == 14);
	assert_true(fabs(c.at[0].at[2].times - 3) < 1e-9 &&
	    fabs(c.at[1].at[3].times - 4) < 1e-9);
	assert_int_equal(c.at[0].knee, 3);		/* four do 4 / 13 of what they could */
	assert_int_equal(c.at[1].knee, 0);
	core_sweep_release(&c);
}

static struct launch_row
row_of(int64_t job, double value, const char *unit, double in_ns)
{
	struct launch_row	row = { .job = job, .cpu = -1, .value = value, .min = value,
				    .max = value, .in_ns = in_ns };

	(void)snprintf(row.unit, sizeof row.unit, "%s", unit);
	return row;
}

/* 1000 elements in steps of 10: 100 passes of 36 instructions. */
static enum status
add_program(struct launch_rows *rows, double cycles, bool is_straight)
{
	struct result	r;
	struct fault	why;
	enum status	st;

	result_clear(&r);
	r.status = "ok";
	r.params = json_pack("{s:i}", "N", 1000);
	r.meta = json_pack("{s:i, s:i, s:b}", "step", 10, "instructions", 36, "straight",
	    is_straight);
	r.has_time = r.time.has_per_iteration = true;
	r.time.value_ns = cycles / 2;
	r.time.per_iteration = (struct result_iteration){ .iterations = 100, .median_ns = 0.5,
	    .cycles = 1, .cycles_by = "pace" };
	st = launch_rows_add(rows, &r, &why);
	json_decref(r.params);
	json_decref(r.meta);
	return st;
}

static void
test_M41_a_program_faster_than_a_core_retires_its_instructions_is_suspect(void **state)
{
	struct launch		l = LAUNCH_DEFAULTS;
	struct launch_rows	rows;

	(void)state;
	launch_rows_init(&rows, &l);
	assert_int_equal(add_program(&rows, 300, true), ST_OK);		/* 12 a cycle */
	assert_int_equal(add_program(&rows, 299, true), ST_OK);
	assert_int_equal(add_program(&rows, 299, false), ST_OK);
	assert_string_equal(rows.at[0].status, "ok");
	assert_string_equal(rows.at[1].status, "suspect");
	assert_string_equal(rows.at[1].note, "299 cycles for 3600 instructions: more than 12 a "
	    "cycle, which no core retires");
	assert_string_equal(rows.at[2].status, "ok");
	launch_rows_release(&rows);
}

/* Figure 3 of the paper has its knee near 500. */
static void
test_L45_the_knee_is_behind_the_last_size_as_fast_as_the_best(void **state)
{
	static const double	 curve[] = { 4.6, 4.1, 4.0, 4.2, 4.3, 6.0, 9.8, 10.1 };
	struct launch_row	 row[8];
	const struct launch_row	*at[8];
	struct size_knee	 k;

	(void)state;
	for (int i = 0; i < 8; i++) {
		row[i] = (struct launch_row){ .n = 100 * (i + 1), .value = curve[i] };
		at[i] = &row[i];
	}
	k = size_knee_of(at, 8);
	assert_true(k.found && k.last == 500 && k.next == 600 && k.times == 1.5);
	k = size_knee_of(at, 5);
	assert_true(!k.found && k.last == 500);
	k = size_knee_of(at, 1);
	assert_true(!k.found && k.last == 100);
}

/* The paper's figures: the twin predicts 8.2 %, the routine gains 9 %. */
static void
test_L47_the_gain_of_the_twin_is_held_against_that_of_the_routine(void **state)
{
	static const struct { int unroll; bool is_real; double value, iterations; } timed[] = {
		{ 8, false, 8 * 9.18, 125 }, { 8, true, 9.1, 1000 }, { 1, true, 10, 1000 },
		{ 1, false, 10, 1000 }, { 1, false, 11, 1000 }, { 4, false, 9.5, 1000 },
		{ 8, true, 9.3, 1000 },
	};
	char			status[] = "ok";
	struct launch_row	at[7];
	struct launch_rows	rows = { .at = at, .n = 7 };
	struct twins		t;

	(void)state;
	for (size_t i = 0; i < rows.n; i++)
		at[i] = (struct launch_row){ .status = status, .n = 1000, .unit = "ns",
		    .unroll = timed[i].unroll, .is_real = timed[i].is_real,
		    .value = timed[i].value, .iterations = timed[i].iterations };
	twins_of(&t, &rows);
	assert_int_equal(t.n, 3);
	assert_true(t.at[0].unroll == 1 && t.at[0].twin == 10000 && t.at[0].predicted == 0);
	assert_true(t.at[1].unroll == 4 && isnan(t.at[1].real) && isnan(t.at[1].found));
	assert_true(fabs(t.at[2].predicted - 0.082) < 1e-9 && fabs(t.at[2].found - 0.09) < 1e-9);
}

static void
test_L26_rows_are_in_cycles_only_if_all_of_them_can_be(void **state)
{
	struct launch_row	at[3] = { row_of(2, 8, "cycles (pace)", 0.25),
				    row_of(1, 4, "cycles (pace)", 0.25), row_of(3, NAN, "", 0) };
	struct launch_rows	rows = { .at = at, .n = 3 };

	(void)state;
	launch_rows_settle(&rows);
	assert_int_equal(at[0].job, 1);
	assert_string_equal(at[0].unit, "cycles (pace)");
	assert_true(at[0].value == 4 && at[1].value == 8);
	at[2] = row_of(3, 5, "ns", 1);
	launch_rows_settle(&rows);
	for (unsigned i = 0; i < 3; i++)
		assert_string_equal(at[i].unit, "ns");
	assert_true(at[0].value == 1 && at[1].value == 2 && at[2].value == 5);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_L20_a_survey_has_a_range_for_each_array),
		cmocka_unit_test(test_L42_the_combinations_of_more_arrays_than_fit_are_none),
		cmocka_unit_test(test_what_cannot_be_read_of_a_survey_is_named_with_its_column),
		cmocka_unit_test(test_L19_sizes_of_each_array_are_a_list_in_braces),
		cmocka_unit_test(test_a_draw_has_different_numbers_in_order_and_a_seed_repeats_it),
		cmocka_unit_test(test_a_draw_of_more_than_there_are_is_all),
		cmocka_unit_test(test_each_number_is_drawn_as_often),
		cmocka_unit_test(test_L18_L28_L29_the_prototype_has_as_many_arrays_as_asked),
		cmocka_unit_test(test_an_element_may_be_a_number_of_bytes),
		cmocka_unit_test(test_L19_sizes_are_a_dimension_and_n_is_what_was_asked),
		cmocka_unit_test(test_L21_the_three_repetitions_are_samples_calls_and_processes),
		cmocka_unit_test(
		    test_L41_memory_is_saturated_by_the_copies_behind_which_no_more_is_done),
		cmocka_unit_test(
		    test_M41_a_program_faster_than_a_core_retires_its_instructions_is_suspect),
		cmocka_unit_test(
		    test_L47_the_gain_of_the_twin_is_held_against_that_of_the_routine),
		cmocka_unit_test(test_L45_the_knee_is_behind_the_last_size_as_fast_as_the_best),
		cmocka_unit_test(test_L26_rows_are_in_cycles_only_if_all_of_them_can_be),
		cmocka_unit_test(test_what_cannot_go_together_is_refused_with_the_option),
		cmocka_unit_test(test_an_option_of_MicroLauncher_that_is_none_here_has_its_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
