/* SPDX-License-Identifier: Apache-2.0 */
/* What a person reads of a result.  Lines are joined before they are looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/print/format.h"
#include "client/print/results/results.h"
#include "client/report/report.h"

static char	*printed;

/* As a terminal of so many columns shows it. */
static char *
lines_of(json_t *document, size_t columns)
{
	size_t		 bytes;
	FILE		*to;
	struct result	 result;
	struct fault	 why;

	free(printed);
	assert_non_null(document);
	assert_int_equal(results_read_one(&result, document, &why), ST_OK);
	assert_non_null(to = open_memstream(&printed, &bytes));
	report_print(to, &result, columns);
	assert_int_equal(fclose(to), 0);
	result_release(&result);
	json_decref(document);
	return printed;
}

/* Each run of blanks becomes one. */
static const char *
joined(char *text)
{
	char	*to = text;

	for (const char *s = text; *s != '\0'; s++)
		if ((*s != ' ' && *s != '\n') || (to > text && to[-1] != ' '))
			*to++ = *s == '\n' ? ' ' : *s;
	*to = '\0';
	return text;
}

/* A timed result that lacks all but this. */
static json_t *
timed(const char *member, const char *value)
{
	json_t	*result = json_pack("{s:s, s:s, s:{s:s, s:f, s:f, s:f, s:f}}", "name", "v",
		    "status", "ok", "time", "estimator", "min", "value_ns", 100.0, "min_ns", 100.0,
		    "median_ns", 102.0, "cv", 0.01);

	(void)json_object_set_new(result, member, json_loads(value, JSON_DECODE_ANY, NULL));
	return result;
}

static const char *
report_of(const char *evidence)
{
	return joined(lines_of(timed("evidence", evidence), 0));
}

static int
forget(void **state)
{
	(void)state;
	free(printed);
	printed = NULL;
	return 0;
}

static void
test_report_has_the_cores_of_copies_and_cycles_with_their_source(void **state)
{
	const char	*text = joined(lines_of(timed("time", "{\"estimator\": \"median\", "
			    "\"value_ns\": 80, \"min_ns\": 80, \"median_ns\": 80, \"per_iteration\": "
			    "{\"iterations\": 10, \"value_ns\": 8, \"min_ns\": 8, \"median_ns\": 8, "
			    "\"cycles\": 24.5, \"cycles_by\": \"pace\"}, \"cores\": ["
			    "{\"cpu\": 2, \"median_ns\": 75}, {\"cpu\": 3, \"median_ns\": 85}]}"), 0));

	(void)state;
	assert_non_null(strstr(text, "cycles 24.5 an iteration (pace)"));
	assert_non_null(strstr(text, "cores CPU 2 75.00 ns, CPU 3 85.00 ns: the median of each, "
	    "all at once"));
}

static void
test_report_W43_says_that_the_frequency_moved(void **state)
{
	const char	*text = report_of("{\"frequency_mhz\": [2500.0, 1200.4], "
			    "\"frequency_moved\": true}");

	(void)state;
	assert_non_null(strstr(text, "changed its frequency while samples were taken, "
	    "from 2500 to 1200 MHz: such times cannot be compared. assay host shows"));
	text = report_of("{\"frequency_mhz\": [2500.0, 2501.0], \"frequency_moved\": false}");
	assert_null(strstr(text, "frequency"));
}

static void
test_report_shows_what_a_hypervisor_withheld_and_what_moved(void **state)
{
	const char	*text = report_of("{\"steal_ms\": 30.0, \"migrations\": 1}");

	(void)state;
	assert_non_null(strstr(text, "gave 30.00 ms of the CPU's time to others"));
	assert_non_null(strstr(text, "1 move to another CPU"));
	text = report_of("{\"steal_ms\": 0.0, \"migrations\": 2, \"frequency_mhz\": \"absent\"}");
	assert_non_null(strstr(text, "2 moves to another CPU"));
	assert_null(strstr(text, "virtual machine"));
	assert_null(strstr(report_of("{\"steal_ms\": \"absent\"}"), "virtual machine"));
}

static void
test_report_shows_how_slow_the_cores_clock_was_and_whether_it_was_so_before(void **state)
{
	const char	*text = report_of("{\"clock\": {\"at_rest\": 1.0, \"sampling\": 1.15}}");

	(void)state;
	assert_non_null(strstr(text, "at 87 % of its best speed during the samples"));
	assert_null(strstr(text, "before the routine ran"));
	text = report_of("{\"clock\": {\"at_rest\": 1.25, \"sampling\": 1.25}}");
	assert_non_null(strstr(text, "at 80 % of its best speed before the routine ran"));
	assert_null(strstr(text, "wide vectors"));
	assert_null(strstr(report_of("{\"clock\": {\"at_rest\": 1.0, \"sampling\": 1.01}}"),
	    "best speed"));
	assert_null(strstr(report_of("{}"), "best speed"));
}

static void
test_report_of_a_good_time_explains_it_and_has_no_doubts(void **state)
{
	const char	*text = report_of("{\"rejected\": 3, \"taken\": 34, \"faults\": 0}");

	(void)state;
	assert_ptr_equal(strstr(text, "v: ok"), text);
	assert_non_null(strstr(text, "time 100.0 ns per call: the shortest sample"));
	assert_non_null(strstr(text, "median 102.0 ns"));
	assert_non_null(strstr(text, "doubts none"));
	assert_non_null(strstr(text, "3 of 34 samples rejected"));
	assert_null(strstr(text, "what to do"));
}

/* Of one member of the result: words that belong to the doubt it raises. */
static void
test_report_raises_each_doubt_with_what_to_do(void **state)
{
	static const struct {
		const char	*member, *value, *doubt;
	} rows[] = {
		{ "technique", "{\"within_noise\": true}", "too short for the clock" },
		{ "technique", "{\"bias_bound\": 0.2}", "Up to 20.0 % of a sample" },
		{ "technique", "{\"canary\": \"off: the clock is too coarse for it\"}",
		  "not seen, since the clock is too coarse for it" },
		{ "technique", "{\"ended_by\": \"budget\"}", "Time ran out" },
		{ "evidence", "{\"cut_short\": true}", "Time ran out" },
		{ "evidence", "{\"kept_unfit\": 2}", "2 of the samples were disturbed" },
		{ "evidence", "{\"range\": {\"warning\": \"3 denormal in X\"}}",
		  "Numbers: 3 denormal in X." },
		{ "evidence", "{\"conflicts\": {\"A\": {\"stride_bytes\": 4096, \"lines\": 512, "
		  "\"sets\": 1, \"of_sets\": 64, \"ways\": 8}}}",
		  "512 lines of A are 4096 bytes apart and share 1 of 64 sets of L1" },
		{ "evidence", "{\"sentinel\": {\"least_ns\": 90.0, \"limit_ns\": 50.0, "
		  "\"hot_ns\": 9.0, \"read\": 9, \"not_cold\": 2}}",
		  "Before 2 of 9 samples" },
		{ "trust", "\"claimed\"", "not confirmed from outside" },
		{ "time", "{\"estimator\": \"median\", \"median_ns\": 10, \"cv\": 0.2}",
		  "differ much, by 20.0 %" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char	*text = joined(lines_of(timed(rows[i].member, rows[i].value), 0));

		if (strstr(text, rows[i].doubt) == NULL)
			fail_msg("%s is not in: %s", rows[i].doubt, text);
		assert_null(strstr(text, "doubts none"));
	}
	assert_non_null(strstr(joined(lines_of(timed("technique",
	    "{\"canary\": \"off: not asked for\"}"), 0)), "doubts none"));
}

static void
test_report_of_a_time_without_a_check_says_so_in_its_first_line(void **state)
{
	static const struct {
		const char	*check, *line;
	} rows[] = {
		{ "null", "v: ok, timed, not checked\n" },
		{ "{\"done\": false}", "v: ok, timed, not checked\n" },
		{ "{\"done\": true, \"passed\": true}", "v: ok, timed and checked\n" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		json_t	*result = timed("check", rows[i].check);

		(void)json_object_set_new(result, "status_text", json_string("timed and checked"));
		assert_memory_equal(lines_of(result, 0), rows[i].line, strlen(rows[i].line));
	}
}

static void
test_report_prints_no_share_of_a_layout_that_repeating_alone_makes(void **state)
{
	static const char	layout[] = "{\"mode\": \"sweep\", \"layouts\": 3, \"seed\": 1, "
	    "\"samples\": 7, \"cut_short\": false, \"normalised\": true, \"spread\": 0.03, "
	    "\"repeat\": 0.02, \"by\": {\"code\": 0.03, \"operands\": null, \"stack\": null}, "
	    "\"stays\": {}, \"each\": [{\"varied\": \"none\"}, {\"varied\": \"code\"}, "
	    "{\"varied\": \"stack\"}]}";
	const char		*text = joined(lines_of(timed("layout", layout), 0));

	(void)state;
	if (strstr(text, "(code 3.0 %, stack below repetition)") == NULL)
		fail_msg("%s", text);
}

/* A worker describes the technique before the routine is loaded. */
static void
test_report_of_a_job_that_never_ran_has_no_technique(void **state)
{
	static const char *const	words[] = {
		"operands", "precautions", "samples", "clock ", "TSC", "answer", "quiet", "trust",
	};
	const char			*text = lines_of(json_loads("{\"name\": \"v\", \"status\": "
					    "\"load_failed\", \"time\": null, \"technique\": "
					    "{\"context\": \"cold\", \"method\": "
					    "\"OneCallFlushX86\", \"clock\": \"cycle\", "
					    "\"counter\": \"TSC\", \"samples\": 0, \"calls\": 1, "
					    "\"guards\": [\"MemAlign\"]}, \"check\": null, "
					    "\"evidence\": {\"load_ms\": 0.7}}", 0, NULL), 0);

	(void)state;
	assert_non_null(strstr(text, "what to do"));
	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		assert_null(strstr(text, words[i]));
}

static void
test_report_of_a_suspect_time_advises_and_has_no_smaller_doubts(void **state)
{
	json_t		*result = timed("technique", "{\"within_noise\": true}");
	const char	*text;

	(void)state;
	(void)json_object_set_new(result, "status", json_string("suspect"));
	text = joined(lines_of(result, 0));
	assert_non_null(strstr(text, "what to do Do not use this time"));
	assert_null(strstr(text, "doubts"));
}

static void
test_report_of_a_failure_has_its_message_and_what_to_do(void **state)
{
	char	*text = lines_of(json_pack("{s:s, s:s, s:s, s:s}", "name", "v", "status",
		    "build_failed", "status_text", "the compiler refused it", "detail",
		    "v.c:3: error: \x1b[1mno"), 0);

	(void)state;
	assert_non_null(strstr(text, "v: build_failed, the compiler refused it\n"
	    "  | v.c:3: error: ?[1mno\n"));
	assert_non_null(strstr(text, "\n  what to do  Mend the source"));
	assert_null(strstr(text, "doubts"));
	assert_null(strstr(text, "time "));
}

static void
test_report_has_advice_for_every_outcome_that_is_not_the_users_own(void **state)
{
	(void)state;
	for (unsigned st = 0; st < ST_N; st++) {
		const bool	wanted = st != ST_OK && st != ST_CANCELLED;

		if (!status_is_outcome(st))
			continue;
		assert_int_equal(wanted, strstr(lines_of(json_pack("{s:s}", "status",
		    status_word(st)), 0), "what to do") != NULL);
	}
}

static void
test_report_cuts_a_long_message(void **state)
{
	const char	*text;
	char		 message[2 * 25 + 1] = "";

	(void)state;
	for (unsigned i = 0; i < 25; i++)
		memcpy(message + 2 * i, "m\n", 3);
	text = lines_of(json_pack("{s:s, s:s}", "status", "build_failed", "detail", message), 0);
	assert_non_null(strstr(text, "  | (5 more lines: --json has them all)\n"));
}

/* The widest line of a report; no line begins with a unit. */
static size_t
widest(const char *text)
{
	size_t	most = 0;

	for (const char *end; *text != '\0'; text = end + 1) {
		char	line[512];

		assert_non_null(end = strchr(text, '\n'));
		assert_true((size_t)snprintf(line, sizeof line, "%.*s", (int)(end - text), text) <
		    sizeof line);
		assert_int_not_equal(strncmp(line + strspn(line, " "), "ns ", 3), 0);
		most = format_width(line) > most ? format_width(line) : most;
	}
	return most;
}

static void
test_report_lines_are_as_wide_as_the_terminal_and_at_most_100(void **state)
{
	static const char	technique[] = "{\"context\": \"cold\", \"method\": "
				    "\"OneCallFlushX86\", \"code\": \"in cache\", \"clock\": "
				    "\"cycle\", \"counter\": \"TSC\", \"tick_hz\": 2.5e9, "
				    "\"resolution_ns\": 20.0, \"overhead_ns\": 30.0}";
	size_t			columns;

	(void)state;
	for (columns = 60; columns < 120; columns++)
		assert_true(widest(lines_of(timed("technique", technique), columns)) <=
		    (columns < 100 ? columns : 100));
	assert_true(widest(lines_of(timed("technique", technique), 0)) <= 100);
	assert_true(widest(lines_of(timed("technique", technique), 100)) > 80);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_report_has_the_cores_of_copies_and_cycles_with_their_source),
		cmocka_unit_test(test_report_W43_says_that_the_frequency_moved),
		cmocka_unit_test(test_report_shows_what_a_hypervisor_withheld_and_what_moved),
		cmocka_unit_test(
		    test_report_shows_how_slow_the_cores_clock_was_and_whether_it_was_so_before),
		cmocka_unit_test(test_report_of_a_good_time_explains_it_and_has_no_doubts),
		cmocka_unit_test(test_report_raises_each_doubt_with_what_to_do),
		cmocka_unit_test(test_report_of_a_time_without_a_check_says_so_in_its_first_line),
		cmocka_unit_test(
		    test_report_prints_no_share_of_a_layout_that_repeating_alone_makes),
		cmocka_unit_test(test_report_of_a_job_that_never_ran_has_no_technique),
		cmocka_unit_test(test_report_of_a_suspect_time_advises_and_has_no_smaller_doubts),
		cmocka_unit_test(test_report_of_a_failure_has_its_message_and_what_to_do),
		cmocka_unit_test(
		    test_report_has_advice_for_every_outcome_that_is_not_the_users_own),
		cmocka_unit_test(test_report_cuts_a_long_message),
		cmocka_unit_test(test_report_lines_are_as_wide_as_the_terminal_and_at_most_100),
	};

	return cmocka_run_group_tests(tests, NULL, forget);
}
