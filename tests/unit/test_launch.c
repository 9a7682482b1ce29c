/* SPDX-License-Identifier: Apache-2.0 */
/* A launch's options: sizes and offsets of arrays, and the sweep that they make. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/cmd/launch/attempts.h"
#include "client/cmd/launch/core_sweep.h"
#include "client/cmd/launch/draw.h"
#include "client/cmd/launch/launch.h"
#include "client/cmd/launch/rows.h"
#include "client/cmd/launch/size_sweep.h"
#include "client/cmd/micro/groups.h"
#include "client/cmd/micro/levels.h"
#include "client/cmd/micro/programs.h"
#include "client/cmd/micro/steady.h"
#include "client/cmd/micro/study_page.h"
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

/* 1000 elements in steps of 10, which the program returns as 100, or as something else. */
static enum status
add_returned(struct launch_rows *rows, double returned, const char *status)
{
	struct result	r;
	struct fault	why;
	enum status	st;

	result_clear(&r);
	r.status = status;
	r.detail = strcmp(status, "ok") == 0 ? NULL : "the daemon's words";
	r.params = json_pack("{s:i}", "N", 1000);
	r.meta = json_pack("{s:i, s:i, s:i, s:b, s:s, s:[ss], s:[ii]}", "step", 10, "counts", 1,
	    "unroll", 2, "straight", 1, "sequence", "LS", "operations", "movss", "addss",
	    "immediates", 3, -4);
	r.has_time = r.time.has_per_iteration = true;
	r.time.value_ns = r.time.max_ns = r.time.raw.min_ns = 500;
	r.time.count = 9;
	r.time.per_iteration = (struct result_iteration){ .iterations = returned,
	    .median_ns = 5 };
	st = launch_rows_add(rows, &r, &why);
	json_decref(r.params);
	json_decref(r.meta);
	return st;
}

static void
test_L30_M41_a_wrong_return_is_wrong_answer_with_both_numbers_and_no_value(void **state)
{
	struct launch		l = LAUNCH_DEFAULTS;
	struct launch_rows	rows;

	(void)state;
	l.has_programs = true;
	launch_rows_init(&rows, &l);
	assert_int_equal(add_returned(&rows, 100, "ok"), ST_OK);
	assert_int_equal(add_returned(&rows, 99, "ok"), ST_OK);
	assert_int_equal(add_returned(&rows, 100, "wrong_answer"), ST_OK);
	assert_string_equal(rows.at[0].status, "ok");
	assert_true(rows.at[0].value == 5 && rows.at[0].samples == 9);
	assert_string_equal(rows.at[1].status, "wrong_answer");
	assert_string_equal(rows.at[1].note, "the program returned 99 iterations, and its "
	    "description makes 100");
	assert_string_equal(rows.at[2].note, "the daemon's words");
	for (size_t i = 1; i < rows.n; i++)
		assert_true(isnan(rows.at[i].value) && isnan(rows.at[i].min) &&
		    isnan(rows.at[i].max) && rows.at[i].samples == 0);
	launch_rows_release(&rows);
}

/* Of what a stream has; to be freed. */
static char *
printed(const struct launch_rows *rows, void print(const struct launch_rows *, FILE *))
{
	char	*text = NULL;
	size_t	 n;
	FILE	*to = open_memstream(&text, &n);

	assert_non_null(to);
	print(rows, to);
	assert_int_equal(fclose(to), 0);
	return text;
}

static void
test_L25_a_program_has_a_column_for_each_of_its_choices(void **state)
{
	struct launch		l = LAUNCH_DEFAULTS;
	struct launch_rows	rows;
	json_t			*document, *row;
	char			*text;

	(void)state;
	l.has_programs = true;
	l.listed[0] = 1000;
	l.level[0] = "L2";
	l.nlisted = 1;
	launch_rows_init(&rows, &l);
	assert_int_equal(add_returned(&rows, 100, "ok"), ST_OK);
	text = printed(&rows, launch_rows_csv);
	assert_non_null(strstr(text, "elements,level,unroll,sequence,operations,strides,"
	    "immediates,copies,"));
	assert_non_null(strstr(text, ",1000,L2,2,LS,movss addss,,3 -4,1,"));
	free(text);
	document = launch_rows_json(&rows);
	row = json_array_get(json_object_get(document, "rows"), 0);
	assert_string_equal(json_string_value(json_object_get(row, "level")), "L2");
	assert_string_equal(json_string_value(json_object_get(json_object_get(row, "meta"),
	    "sequence")), "LS");
	assert_true(json_number_value(json_object_get(row, "value")) == 5);
	json_decref(document);
	launch_rows_release(&rows);
}

static void
test_what_a_pass_adds_to_the_return_is_read_in_the_source(void **state)
{
	(void)state;
	assert_int_equal(programs_count_of("mov $0, %eax\n.L:\nadd $1, %eax\njge .L\n\tret\n"), 1);
	assert_int_equal(programs_count_of("mov $0, %eax\nadd $4, %eax\n"), 4);
	assert_int_equal(programs_count_of("mov $0, %eax\nadd $1, %eax\nadd $1, %eax\n"), 0);
	assert_int_equal(programs_count_of("mov $0, %eax\nadd $1, %eax\nmov %al, (%rsi)\n"), 0);
	assert_int_equal(programs_count_of("mov $0, %eax\nsub $1, %eax\n"), 0);
	assert_int_equal(programs_count_of("add $8, %rsi\n"), 0);
	assert_int_equal(programs_count_of(""), 0);
}

/* ---- levels ---- */

static json_t *
host_of(int64_t l3, int64_t knee, const char *outcome, int64_t first)
{
	return json_pack("{s:{s:i, s:i, s:I}, s:{s:n, s:{s:o, s:s, s:[{s:I}]}}}", "caches",
	    "l1_bytes", 48 << 10, "l2_bytes", 1 << 20, "l3_bytes", (json_int_t)l3, "calibration",
	    "flush_bytes", "last", "knee_bytes",
	    knee > 0 ? json_integer(knee) : json_null(), "outcome", outcome, "points", "bytes",
	    (json_int_t)first);
}

static struct levels
levels_at(json_t *host, const char *text)
{
	struct levels	l;
	struct fault	why;

	assert_non_null(host);
	assert_int_equal(levels_of(&l, text, host, &why), ST_OK);
	json_decref(host);
	return l;
}

enum { MIB = 1 << 20 };

static void
test_L39_arrays_of_memory_follow_the_calibration_and_have_a_limit(void **state)
{
	struct levels	l = levels_at(host_of(24 * MIB, 0, "", 1), NULL);

	(void)state;
	assert_int_equal(l.n, LEVELS);
	assert_true(l.bytes[0] == 24 << 10 && l.bytes[1] == 96 << 10);
	assert_true(l.halvings[0] == 2 && l.halvings[1] + l.halvings[2] + l.halvings[3] == 0);
	assert_string_equal(l.base_name[0], "L1 base");
	assert_true(l.bytes[2] == 2 * MIB && l.bytes[3] == 48 * MIB && l.doubted == 0);
	l = levels_at(host_of(508 * MIB, 0, "", 1), NULL);
	assert_true(l.bytes[3] == 128 * MIB && l.doubted == 508 * MIB);
	l = levels_at(host_of(508 * MIB, 32 * MIB, "found", 1), NULL);
	assert_true(l.bytes[2] == 2 * MIB && l.bytes[3] == 64 * MIB && l.doubted == 0);
	l = levels_at(host_of(508 * MIB, 0, "flat", 40 * MIB), "memory");
	assert_true(l.n == 1 && l.bytes[0] == 80 * MIB && l.doubted == 0);
	l = levels_at(host_of(508 * MIB, 1 * MIB, "found", 1), "L3,memory");
	assert_true(l.bytes[0] == 1 * MIB && l.bytes[1] == 2 * MIB);
}

static void
test_L39_a_level_twice_or_unknown_is_refused(void **state)
{
	struct fault	why;

	(void)state;
	assert_int_equal(levels_check("L1,L2,L1", &why), ST_BAD_REQUEST);
	assert_string_equal(why.text, "L1 is given twice");
	assert_true(why.hint[0] != '\0');
	assert_int_equal(levels_check("L1,", &why), ST_BAD_REQUEST);
	assert_int_equal(levels_check("memory,L1", &why), ST_OK);
}

/* The second level fails: its column and its reason are printed. */
static void
test_L48_a_level_without_a_time_has_a_column_and_its_reason(void **state)
{
	static const struct { double n, value; const char *status; } rows_of[] = {
		{ 100, 2, "ok" }, { 100, 3, "ok" }, { 900, NAN, "run_timeout" },
		{ 900, NAN, "cancelled" },
	};
	struct levels		levels = { .name = { "L1", "memory" }, .n = 2,
				    .elements = { 100, 900 } };
	struct launch_row	at[4];
	struct launch_rows	rows = { .at = at, .n = 4 };
	struct groups		g;
	struct fault		why;
	char			*text = NULL, status[4][16], note[] = "it took 60 s";
	size_t			 n;
	FILE			*to;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		(void)snprintf(status[i], sizeof status[i], "%s", rows_of[i].status);
		at[i] = (struct launch_row){ .status = status[i], .note = note, .unit = "ns",
		    .n = rows_of[i].n, .value = rows_of[i].value, .steady = rows_of[i].value,
		    .unroll = 1 + (int)i % 2, .accesses = 1 };
	}
	groups_of(&g, &rows, &levels);
	to = open_memstream(&text, &n);
	assert_int_equal(groups_print(&g, &levels, to, &why), ST_OK);
	assert_int_equal(fclose(to), 0);
	assert_non_null(strstr(text, "unroll     L1  memory  L1 each  memory each\n"));
	assert_non_null(strstr(text, "     1  2.000       -    2.000            -\n"));
	assert_non_null(strstr(text, "memory: no time: 1 of 2 programs ended as run_timeout, and "
	    "the other 1 were left out: it took 60 s\n"));
	assert_null(strstr(text, "L1: no time"));
	free(text);
}

/* ---- steady states ---- */

enum { SIZES = 3 };
struct calls {
	double	 value[SIZES], iterations[SIZES];	/* the largest size first */
};

/* Recorded on an EPYC 9004: cycles of an iteration with arrays of 4096, 2048 and 1024 floats. */
static const struct calls	one_load = { { 1.0234, 1.0430, 1.0297 }, { 1024, 512, 256 } };
static const struct calls	two_loads = { { 1.0444, 1.0301, 1.0484 }, { 512, 256, 128 } };
static const struct calls	eight = { { 3.0052, 3.0060, 3.0188 }, { 128, 64, 32 } };

/* Rows of one program, each with the next one as its base. */
static void
chain(struct launch_row at[SIZES], const struct calls *c)
{
	static char	status[] = "ok";

	for (unsigned i = 0; i < SIZES; i++)
		at[i] = (struct launch_row){ .status = status, .note = status, .kernel = status,
		    .unit = "cycles", .level = i == 0 ? "L1" : "L1 base", .cpu = -1,
		    .is_base = i > 0, .n = 4096 >> i, .khz = NAN, .in_ns = 0.27,
		    .value = c->value[i], .iterations = c->iterations[i], .unroll = 1,
		    .accesses = 1, .steady = NAN, .base = i + 1 < SIZES ? &at[i + 1] : NULL };
}

static double
steady_at(const struct calls *c)
{
	struct launch_row	at[SIZES];

	chain(at, c);
	return steady_of(at);
}

static void
test_L48_the_steady_time_is_free_of_what_a_call_costs_once(void **state)
{
	const struct calls	dear = { { 1.24, 1.32, 1.48 }, { 500, 250, 125 } };

	(void)state;
	assert_true(fabs(steady_at(&dear) - 1.16) < 1e-9);	/* and 40 once */
	assert_true(fabs(steady_at(&one_load) - 1.0038) < 1e-4);
	assert_true(fabs(steady_at(&two_loads) - 1.0118) < 1e-4);
	assert_true(fabs(steady_at(&eight) - 2.9932) < 1e-4);
}

/* A neighbour on the core while one size was timed: the values of a quiet core are 3.0. */
static void
test_L48_sizes_that_disagree_leave_the_value_of_the_whole_call(void **state)
{
	const struct calls	half = { { 3.022, 4.031, 3.102 }, { 128, 64, 32 } },
				quarter = { { 3.056, 3.045, 4.178 }, { 128, 64, 32 } },
				cheaper = { { 2.98, 2.95, 2.80 }, { 128, 64, 32 } };

	(void)state;
	assert_true(steady_at(&half) == 3.022);
	assert_true(steady_at(&quarter) == 3.056);
	assert_true(steady_at(&cheaper) == 2.98);
}

static void
test_L48_a_difference_that_says_nothing_is_no_steady_time(void **state)
{
	const struct calls	as_long = { { 1, 2, 4 }, { 400, 200, 100 } },
				lost = { { 1, NAN, 1 }, { 400, 200, 100 } },
				as_many = { { 2, 1.5, 1 }, { 100, 100, 100 } };
	struct launch_row	at[SIZES];

	(void)state;
	assert_true(isnan(steady_at(&as_long)));
	assert_true(isnan(steady_at(&lost)));
	assert_true(isnan(steady_at(&as_many)));
	chain(at, &eight);
	at[0].base = NULL;
	assert_true(isnan(steady_of(at)));
}

/* The same ns by two readings of a clock, and the same cycles of two clocks. */
static void
test_L48_the_clock_is_read_twice_and_counts_once(void **state)
{
	const struct calls	even = { { 2, 2, 2 }, { 400, 200, 100 } };
	struct launch_row	at[SIZES];

	(void)state;
	chain(at, &even);
	at[1].value *= 1.01;
	at[1].in_ns /= 1.01;
	assert_true(fabs(steady_of(at) - 2) < 1e-9);
	chain(at, &even);
	at[1].in_ns *= 2;
	assert_true(fabs(steady_of(at) - 2) < 1e-9);
}

static void
test_L48_a_row_has_the_smaller_sizes_of_its_own_experiment(void **state)
{
	struct launch		l = LAUNCH_DEFAULTS;
	struct launch_row	at[2 * SIZES];
	struct launch_rows	rows = { .launch = &l, .at = at, .n = 2 * SIZES };
	char			other[] = "other";
	struct fault		why;

	(void)state;
	l.nlisted = SIZES;
	for (unsigned i = 0; i < SIZES; i++) {
		l.listed[i] = 4096 >> i;
		l.base[i] = i + 1 < SIZES ? 2048 >> i : 0;
	}
	chain(at, &one_load);
	chain(at + SIZES, &eight);
	for (unsigned i = 0; i < 2 * SIZES; i++) {
		at[i].base = NULL;
		at[i].kernel = i < SIZES ? at[i].kernel : other;
	}
	assert_int_equal(steady_fill(&rows, &why), ST_OK);
	assert_true(fabs(at[0].steady - 1.0038) < 1e-4);
	assert_true(fabs(at[SIZES].steady - 2.9932) < 1e-4);
	assert_ptr_equal(at[SIZES].base, &at[SIZES + 1]);
	assert_true(isnan(at[1].steady) && isnan(at[2].steady));
	l.nlisted = 0;					/* sizes without a level */
	for (unsigned i = 0; i < 2 * SIZES; i++)
		at[i].level = at[i].is_base ? "" : "memory";
	assert_int_equal(steady_fill(&rows, &why), ST_OK);
	assert_true(at[0].steady == at[0].value && isnan(at[1].steady));
}

/* Three programs: the fastest, a disturbed one with a smaller difference, one without any. */
static void
test_L48_the_fastest_call_has_the_least_time_and_losses_their_reasons(void **state)
{
	static char		ok[] = "ok", crashed[] = "crashed";
	struct levels		levels = { .name = { "L1" }, .n = 1, .elements = { 4096 } };
	struct launch_row	at[4] = { { .value = 1.02, .steady = 1.00 },
				    { .value = 1.50, .steady = 0.40 },
				    { .value = 0.90, .steady = NAN },
				    { .value = NAN, .steady = NAN } };
	struct launch_rows	rows = { .at = at, .n = 4 };
	struct groups		g;
	struct fault		why;
	char			*text = NULL;
	size_t			 n;
	FILE			*to = open_memstream(&text, &n);

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		at[i].status = isnan(at[i].value) ? crashed : ok;
		at[i].n = 4096;
		at[i].unroll = at[i].accesses = 1;
	}
	groups_of(&g, &rows, &levels);
	assert_true(g.n == 1 && g.at[0].least[0] == 1.00 && g.failed == 1);
	assert_int_equal(groups_print(&g, &levels, to, &why), ST_OK);
	assert_int_equal(fclose(to), 0);
	assert_non_null(strstr(text, "L1: 1 of 4 programs have no steady time: a call on a smaller "
	    "array took as long\n"));
	free(text);
}

/* Ids 1 to 12: six jobs of each of two sizes.  true: those of the second size are given up. */
static bool
is_given_up_of(struct attempts *a, const char *status, bool has_time, bool sizes_last)
{
	struct launch	 l = { .nlisted = 2, .listed = { 100, 900 }, .sizes_last = sizes_last };
	struct result	 r = { .status = status, .has_time = has_time };
	json_t		*all = json_array(), *ids;
	bool		 is;

	for (int i = 1; i <= 12; i++)
		(void)json_array_append_new(all, json_integer(i));
	r.params = json_pack("{s:i}", "N", 900);
	is = attempts_take(a, &l, &r, all, &ids);
	if (is) {
		assert_int_equal(json_array_size(ids), 6);
		assert_int_equal(json_integer_value(json_array_get(ids, 0)), sizes_last ? 2 : 7);
		assert_int_equal(json_integer_value(json_array_get(ids, 5)), 12);
	}
	json_decref(ids);
	json_decref(all);
	json_decref(r.params);
	return is;
}

static bool
is_given_up(struct attempts *a, const char *status, bool has_time)
{
	return is_given_up_of(a, status, has_time, false);
}

static void
test_L48_a_level_is_given_up_when_its_first_programs_reach_a_limit(void **state)
{
	struct attempts	a = { .of_size[0].n = 0 };

	(void)state;
	assert_false(is_given_up(&a, "run_timeout", false));
	assert_false(is_given_up(&a, "run_timeout", false));
	assert_true(is_given_up(&a, "run_timeout", false));
	assert_false(is_given_up(&a, "cancelled", false));
	assert_false(is_given_up(&a, "cancelled", false));
	a = (struct attempts){ .of_size[0].n = 0 };
	for (int i = 0; i < 6; i++)		/* of the programs, not of the size */
		assert_false(is_given_up(&a, "build_failed", false));
	a = (struct attempts){ .of_size[0].n = 0 };
	assert_false(is_given_up(&a, "ok", true));
	for (int i = 0; i < 6; i++)
		assert_false(is_given_up(&a, "run_timeout", false));
	a = (struct attempts){ .of_size[0].n = 0 };
	for (int i = 0; i < 6; i++)
		assert_false(is_given_up(&a, i % 2 == 0 ? "run_timeout" : "run_limit", false));
	a = (struct attempts){ .of_size[0].n = 0 };
	assert_false(is_given_up_of(&a, "run_limit", false, true));
	assert_false(is_given_up_of(&a, "run_limit", false, true));
	assert_true(is_given_up_of(&a, "run_limit", false, true));
}

/* ---- the page ---- */

static void
test_L40_the_page_has_the_time_over_the_clock_by_level(void **state)
{
	static const struct { double n, khz, value, in_ns; } rows_of[] = {
		{ 100, 2400000, 4, 0.5 }, { 100, 1200000, 4, 1 }, { 100, 1200000, 9, 1 },
		{ 900, 1200000, 40, 1 }, { 900, 2400000, NAN, 1 },
	};
	struct launch		l = LAUNCH_DEFAULTS;
	struct launch_row	at[5];
	struct launch_rows	rows = { .launch = &l, .at = at, .n = 5 };
	struct levels		levels = { .n = 0 };
	struct fault		why;
	char			path[] = "/tmp/test_launch_XXXXXX", status[] = "ok", page[65536];
	const int		fd = mkstemp(path);
	ssize_t			n;
	unsigned		dots = 0;

	(void)state;
	assert_true(fd >= 0);
	l.nfrequencies = 2;
	l.frequency[0] = 2400000;
	l.frequency[1] = 1200000;
	for (size_t i = 0; i < 5; i++)
		at[i] = (struct launch_row){ .status = status, .kernel = status, .unit = "cycles",
		    .cpu = -1, .n = rows_of[i].n, .khz = rows_of[i].khz,
		    .value = rows_of[i].value, .steady = rows_of[i].value,
		    .in_ns = rows_of[i].in_ns, .level = rows_of[i].n < 900 ? "L1" : "" };
	assert_int_equal(study_page(path, "clocks", &rows, &l, &levels, &why), ST_OK);
	n = read(fd, page, sizeof page - 1);
	(void)close(fd);
	(void)unlink(path);
	assert_true(n > 0);
	page[n] = '\0';
	assert_non_null(strstr(page, "Least ns, by the core"));
	assert_true(strstr(page, "1200000") < strstr(page, "2400000"));
	assert_non_null(strstr(page, "L1"));
	assert_non_null(strstr(page, "900 elements"));
	for (const char *p = page; (p = strstr(p, "<circle")) != NULL; p++)
		dots++;
	assert_int_equal(dots, 3);		/* two clocks of one size, one of the other */
}

/* ---- options that go together ---- */

static void
test_each_refusal_has_a_remedy(void **state)
{
	struct launch	l = LAUNCH_DEFAULTS;
	struct fault	why;

	(void)state;
	l.first_size = 10;
	l.last_size = 5;
	assert_int_equal(launch_check(&l, &why), ST_BAD_REQUEST);
	assert_string_equal(why.text, "5 is below --startvector, which is 10");
	assert_true(why.hint[0] != '\0');
	l = (struct launch)LAUNCH_DEFAULTS;
	l.unit = "foo";
	assert_int_equal(launch_check(&l, &why), ST_BAD_REQUEST);
	assert_string_equal(why.hint, "give auto, ns or cycles");
	l = (struct launch)LAUNCH_DEFAULTS;
	l.output = "x.csv";
	assert_int_equal(launch_check(&l, &why), ST_BAD_REQUEST);
	assert_string_equal(why.hint, "add --csv");
	l = (struct launch)LAUNCH_DEFAULTS;
	l.limit = 3;
	assert_int_equal(launch_check(&l, &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "--limit");
	l = (struct launch)LAUNCH_DEFAULTS;
	l.copies_text = "65";
	assert_int_equal(launch_check(&l, &why), ST_BAD_REQUEST);
	assert_non_null(strstr(why.hint, "1 to 64"));
	l = (struct launch)LAUNCH_DEFAULTS;
	l.counters_text = "cycles,,instructions";
	assert_int_equal(launch_check(&l, &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "--counters");
	l = (struct launch)LAUNCH_DEFAULTS;
	l.checked = "N / 2";
	l.iterations = "N";
	assert_int_equal(launch_check(&l, &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "--check-iterations");
}

static void
test_the_limit_of_a_run_grows_with_its_arrays(void **state)
{
	struct launch	 l = LAUNCH_DEFAULTS;
	json_t		*sweep;

	(void)state;
	l.first_size = 1 << 28;				/* a GiB of floats */
	sweep = sweep_of(&l);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(sweep, "timeout_ms"),
	    "run")), 60000 + 500 * 1024);
	json_decref(sweep);
	l = (struct launch)LAUNCH_DEFAULTS;
	sweep = sweep_of(&l);
	assert_null(json_object_get(sweep, "timeout_ms"));
	json_decref(sweep);
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
		cmocka_unit_test(
		    test_L30_M41_a_wrong_return_is_wrong_answer_with_both_numbers_and_no_value),
		cmocka_unit_test(test_L25_a_program_has_a_column_for_each_of_its_choices),
		cmocka_unit_test(test_what_a_pass_adds_to_the_return_is_read_in_the_source),
		cmocka_unit_test(test_L39_arrays_of_memory_follow_the_calibration_and_have_a_limit),
		cmocka_unit_test(test_L39_a_level_twice_or_unknown_is_refused),
		cmocka_unit_test(test_L48_a_level_without_a_time_has_a_column_and_its_reason),
		cmocka_unit_test(test_L48_the_steady_time_is_free_of_what_a_call_costs_once),
		cmocka_unit_test(test_L48_a_difference_that_says_nothing_is_no_steady_time),
		cmocka_unit_test(test_L48_sizes_that_disagree_leave_the_value_of_the_whole_call),
		cmocka_unit_test(test_L48_the_clock_is_read_twice_and_counts_once),
		cmocka_unit_test(test_L48_a_row_has_the_smaller_sizes_of_its_own_experiment),
		cmocka_unit_test(test_L48_the_fastest_call_has_the_least_time_and_losses_their_reasons),
		cmocka_unit_test(test_L40_the_page_has_the_time_over_the_clock_by_level),
		cmocka_unit_test(test_each_refusal_has_a_remedy),
		cmocka_unit_test(
		    test_L48_a_level_is_given_up_when_its_first_programs_reach_a_limit),
		cmocka_unit_test(test_the_limit_of_a_run_grows_with_its_arrays),
		cmocka_unit_test(test_an_option_of_MicroLauncher_that_is_none_here_has_its_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
