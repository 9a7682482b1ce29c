/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/judge/judge.h"
#include "daemon/judge/overlap.h"

static const char	document[] =
    "{\"variant\":{\"language\":\"c\",\"source\":\"double f(int n){return n;}\",\"name\":\"v1\"},"
    "\"spec\":{\"routine\":\"double f(int n)\",\"params\":{\"M\":500},\"args\":{\"n\":\"M\"},"
    "\"flops\":\"2*M\",\"bytes\":\"8*M\",\"timing\":{\"clock\":\"%s\"}},\"meta\":{\"u\":4}}";

static const char	*canary_word = "on";
static bool		 is_checked;		/* an answer was compared */

/* One number of each sample; of one that is missing anywhere, none. */
static void
put_list(struct shape_reals *out, const json_t *samples, const char *name)
{
	const json_t	*sample;
	size_t		 i;

	assert_true(shape_reals_make(out, json_array_size(samples)));
	json_array_foreach(samples, i, sample) {
		out->x[i] = json_number_value(json_object_get(sample, name));
		if (json_object_get(sample, name) == NULL)
			out->n = 0;
	}
}

/* What a worker reports for samples: [{ns, ticks, canary, slowness, memory, against_ns, loud}]. */
static void
put_samples(struct samples *s, const json_t *samples)
{
	const json_t	*sample;
	size_t		 i;

	put_list(&s->ns, samples, "ns");
	put_list(&s->against_ns, samples, "against_ns");
	put_list(&s->beside.canary, samples, "canary");
	put_list(&s->slowness, samples, "slowness");
	put_list(&s->beside.memory, samples, "memory");
	assert_true(shape_sizes_make(&s->beside.ticks, json_array_size(samples)));
	assert_true(shape_sizes_make(&s->loud, json_array_size(samples)));
	s->loud.n = 0;
	json_array_foreach(samples, i, sample) {
		s->beside.ticks.x[i] = (uint64_t)json_integer_value(json_object_get(sample, "ticks"));
		if (json_is_true(json_object_get(sample, "loud")))
			s->loud.x[s->loud.n++] = i;
	}
}

static struct brief *
brief_of(const json_t *doc)
{
	struct brief_shared	*shared;
	struct brief		*b;
	struct job		 job;
	struct fault		 why;

	assert_int_equal(job_decode(&job, doc, &why), ST_OK);
	assert_non_null(shared = brief_share(&job, doc, 1, "{}"));
	assert_non_null(b = brief_new(&job, doc, shared, "{}", NULL));
	brief_unshare(shared);
	job_release(&job);
	return b;
}

/* A result for samples, clock and outcome, paired or not; new reference. */
static json_t *
judged_of(const char *clock, const char *samples, enum status outcome, const char *doc_text,
    const char *verdict)
{
	struct queued_job	 j = { .id = 9, .submitter = 1000, .submitted = 50,
		.since = 50, .build_began = 51, .build_ended = 52, .time_began = 53 };
	char			 text[1024];
	json_t			*doc, *list, *result;
	struct report		 r;
	struct judgement	 judgement;
	struct case_file	 c = { .job = &j, .outcome = outcome, .finished = 54, .ended = 54,
				    .timed = &r, .cursor = 3 };

	(void)snprintf(text, sizeof text, doc_text, clock);
	assert_non_null(doc = json_loads(text, 0, NULL));
	assert_non_null(list = json_loads(samples, 0, NULL));
	j.brief = brief_of(doc);
	report_clear(&r);
	put_samples(&r.samples, list);
	r.has_tally = true;
	r.tally.gated = strcmp(canary_word, "on") == 0;
	r.found.has_check = r.found.check.done = r.found.check.passed = is_checked;
	r.has_comparison = verdict != NULL;
	r.comparison = (struct comparison){ .verdict = verdict, .ended_by = "interval",
	    .code_bytes = { SHAPE_NO_SIZE, 7 }, .trust = { "claimed", "audited" } };
	assert_int_equal(judge_result(&c, &judgement), ST_OK);
	assert_non_null(result = json_loads(judgement.text, 0, NULL));
	free(judgement.text);
	report_release(&r);
	brief_free(j.brief);
	json_decref(doc);
	json_decref(list);
	return result;
}

static json_t *
judged(const char *clock, const char *samples, enum status outcome, const char *doc_text)
{
	return judged_of(clock, samples, outcome, doc_text, NULL);
}

static double
number(const json_t *r, const char *object, const char *member)
{
	return json_number_value(json_object_get(json_object_get(r, object), member));
}

static void
test_P33_P35_minimum_maximum_average_and_all_timings_are_in_the_result(void **state)
{
	json_t	*r = judged("wall",
	    "[{\"ns\":30,\"ticks\":9},{\"ns\":10,\"ticks\":3},{\"ns\":20,\"ticks\":6}]",
	    ST_OK, document);
	json_t	*time = json_object_get(r, "time");

	(void)state;
	assert_float_equal(number(r, "time", "min_ns"), 10, 0);
	assert_float_equal(number(r, "time", "max_ns"), 30, 0);
	assert_float_equal(number(r, "time", "mean_ns"), 20, 1e-12);
	assert_int_equal(json_array_size(json_object_get(time, "samples_ns")), 3);
	assert_float_equal(json_number_value(json_array_get(json_object_get(time, "samples_ns"),
	    0)), 30, 0);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(time, "ticks"), 1)), 3);
	json_decref(r);
}

static void
test_P34_max_mflops_comes_from_the_minimum_and_average_from_the_average(void **state)
{
	json_t	*r = judged("wall", "[{\"ns\":30},{\"ns\":10},{\"ns\":20}]", ST_OK, document);

	(void)state;
	assert_float_equal(number(r, "rate", "mflops_max"), 1000.0 / 10 * 1e3, 1e-6);
	assert_float_equal(number(r, "rate", "mflops_avg"), 1000.0 / 20 * 1e3, 1e-6);
	assert_float_equal(number(r, "rate", "gbs_max"), 4000.0 / 10, 1e-9);
	json_decref(r);
}

static void
test_P34_no_formula_no_rate(void **state)
{
	static const char	plain[] =
	    "{\"variant\":{\"source\":\"int x;\"},\"spec\":{\"routine\":\"void f(int "
	    "n)\",\"args\":{\"n\":1}," "\"timing\":{\"clock\":\"%s\"}}}";
	json_t			*r = judged("wall", "[{\"ns\":30}]", ST_OK, plain);

	(void)state;
	assert_int_equal(json_object_size(json_object_get(r, "rate")), 0);
	json_decref(r);
}

static void
test_W15_wall_takes_the_minimum_where_it_is_asked_for_and_W16_cpu_the_median(void **state)
{
	static const char	samples[] = "[{\"ns\":30},{\"ns\":10},{\"ns\":20}]";
	json_t			*wall = judged("wall\",\"estimator\":\"min", samples, ST_OK, document),
	    *cpu = judged("cpu", samples, ST_OK, document);

	(void)state;
	assert_float_equal(number(wall, "time", "value_ns"), 10, 0);
	assert_string_equal(json_string_value(json_object_get(json_object_get(wall, "time"),
	    "estimator")), "min");
	assert_float_equal(number(cpu, "time", "value_ns"), 20, 0);
	json_decref(wall);
	json_decref(cpu);
}

/* Times of one sweep can be ranked: the median is the rule, in quiet or beside load. */
static void
test_judge_without_a_wish_all_clocks_have_the_median_quiet_or_not(void **state)
{
	static const char *const	clocks[] = { "auto", "wall", "cycle", "cpu" };
	static const char *const	samples[] = {
		"[{\"ns\":30},{\"ns\":10},{\"ns\":20}]",
		"[{\"ns\":30,\"canary\":1,\"slowness\":1},{\"ns\":10,\"canary\":1,\"slowness\":1},"
		"{\"ns\":20,\"canary\":1,\"slowness\":1}]",
	};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (size_t n = 0; n < 2; n++) {
			json_t	*r = judged(clocks[i], samples[n], ST_OK, document);

			assert_float_equal(number(r, "time", "value_ns"), 20, 0);
			json_decref(r);
		}
}

/* No estimator is the maximum, and none follows it. */
static void
test_P43_the_maximum_decides_nothing(void **state)
{
	static const char *const	clocks[] = { "wall", "cpu" };
	static const char		tame[] = "[{\"ns\":30},{\"ns\":10},{\"ns\":20}]";
	static const char		wild[] = "[{\"ns\":30000},{\"ns\":10},{\"ns\":20}]";
	static const char		tame_on[] = "[{\"ns\":30,\"canary\":1,\"slowness\":1},{\"ns\":10,\"canary\":1,\"slowness\":1},"
					"{\"ns\":20,\"canary\":1,\"slowness\":1}]";
	static const char		wild_on[] = "[{\"ns\":30000,\"canary\":1,\"slowness\":1},{\"ns\":10,\"canary\":1,\"slowness\":1},"
					"{\"ns\":20,\"canary\":1,\"slowness\":1}]";
	const char *const		pairs[][2] = { { tame, wild }, { tame_on, wild_on } };

	(void)state;
	for (int clock = 0; clock < 2; clock++)
		for (int canary = 0; canary < 2; canary++) {
			json_t	*a = judged(clocks[clock], pairs[canary][0], ST_OK, document);
			json_t	*b = judged(clocks[clock], pairs[canary][1], ST_OK, document);

			assert_float_equal(number(b, "time", "max_ns"), 30000, 0);
			assert_float_equal(number(a, "time", "value_ns"),
			    number(b, "time", "value_ns"), 0);
			assert_float_equal(number(a, "rate", "mflops_max"),
			    number(b, "rate", "mflops_max"), 0);
			json_decref(a);
			json_decref(b);
		}
}

static const char *
estimator_of(const json_t *r)
{
	return json_string_value(json_object_get(json_object_get(r, "time"), "estimator"));
}

static void
test_judge_asked_for_the_normalised_median_ranks_and_the_raw_times_stay(void **state)
{
	static const char	samples[] = "[{\"ns\":20.6,\"canary\":1.03,\"slowness\":1.03,\"memory\":1.5},"
				    "{\"ns\":10.2,\"canary\":1.02,\"slowness\":1.02,\"memory\":1},"
				    "{\"ns\":30,\"canary\":1,\"slowness\":1,\"memory\":1}]";
	json_t			*wall = judged("cycle\",\"estimator\":\"normalised", samples, ST_OK,
				    document),
	    *cpu = judged("cpu", samples, ST_OK, document);
	const json_t		*n = json_object_get(json_object_get(wall, "time"), "normalised");

	(void)state;
	assert_string_equal(estimator_of(wall), "normalised");
	assert_float_equal(number(wall, "time", "value_ns"), 20, 1e-12);
	assert_int_equal(json_array_size(json_object_get(json_object_get(wall, "time"), "memory")),
	    3);
	assert_float_equal(number(wall, "time", "median_ns"), 20.6, 0);
	assert_float_equal(number(wall, "time", "min_ns"), 10.2, 0);
	assert_float_equal(json_number_value(json_object_get(n, "min_ns")), 10, 1e-12);
	assert_float_equal(json_number_value(json_object_get(n, "mean_ns")), 20, 1e-12);
	assert_string_equal(estimator_of(cpu), "median");
	assert_float_equal(number(cpu, "time", "value_ns"), 20.6, 0);
	json_decref(wall);
	json_decref(cpu);
}

static void
test_judge_one_sample_without_a_canary_and_nothing_is_normalised(void **state)
{
	json_t	*r = judged("wall", "[{\"ns\":20,\"canary\":1.03,\"slowness\":1.03},{\"ns\":10}]",
		    ST_OK, document);

	(void)state;
	assert_string_equal(estimator_of(r), "median");
	assert_true(json_is_null(json_object_get(json_object_get(r, "time"), "normalised")));
	json_decref(r);
}

static void
test_judge_readings_of_samples_that_were_not_gated_are_kept_and_divide_nothing(void **state)
{
	static const char	loud[] = "[{\"ns\":20,\"canary\":1.0,\"slowness\":1.0},{\"ns\":30,\"canary\":1.5,\"slowness\":1.5,\"loud\":true}]";
	json_t			*r = judged("wall", loud, ST_TOO_NOISY, document);
	json_t			*time = json_object_get(r, "time");

	(void)state;
	assert_true(json_is_null(json_object_get(time, "normalised")));
	assert_int_equal(json_array_size(json_object_get(time, "canary")), 2);
	assert_int_equal(json_array_size(json_object_get(time, "loud")), 1);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(time, "loud"), 0)), 1);
	json_decref(r);
	canary_word = "off: not asked for";
	r = judged("wall", "[{\"ns\":20,\"canary\":1.0,\"slowness\":1.0},{\"ns\":30,\"canary\":1.01,\"slowness\":1.01}]", ST_OK, document);
	canary_word = "on";
	assert_true(json_is_null(json_object_get(json_object_get(r, "time"), "normalised")));
	assert_int_equal(json_array_size(json_object_get(json_object_get(r, "time"), "canary")), 2);
	json_decref(r);
}

static void
test_judge_asked_for_normalised_without_a_canary_it_says_median(void **state)
{
	struct timing	timing = { .estimator = EST_NORMALISED };

	(void)state;
	assert_int_equal(timing_estimator(&timing, true), EST_NORMALISED);
	assert_int_equal(timing_estimator(&timing, false), EST_MEDIAN);
	timing.estimator = EST_MIN;
	assert_int_equal(timing_estimator(&timing, true), EST_MIN);
}

static void
test_judge_drift_is_of_the_order_in_which_samples_were_taken(void **state)
{
	json_t	*r = judged("wall", "[{\"ns\":110},{\"ns\":100},{\"ns\":90}]", ST_OK, document);

	(void)state;
	assert_float_equal(number(r, "time", "drift"), -0.2, 1e-12);
	assert_float_equal(number(r, "time", "outliers"), 0, 0);
	json_decref(r);
}

static const char *
words_when(bool checked, enum status outcome)
{
	static char	 words[64];
	json_t		*r;

	is_checked = checked;
	r = judged("wall", "[{\"ns\":30,\"ticks\":9}]", outcome, document);
	is_checked = false;
	(void)snprintf(words, sizeof words, "%s", json_string_value(json_object_get(r,
	    "status_text")));
	json_decref(r);
	return words;
}

static void
test_judge_an_ok_time_is_called_checked_only_if_an_answer_was_compared(void **state)
{
	(void)state;
	assert_string_equal(words_when(false, ST_OK), "timed, not checked");
	assert_string_equal(words_when(true, ST_OK), "timed and checked");
	assert_string_equal(words_when(false, ST_CRASHED), status_text(ST_CRASHED));
}

static void
test_judge_a_failure_has_its_words_and_no_time(void **state)
{
	json_t	*r = judged("wall", "[]", ST_CRASHED, document);

	(void)state;
	assert_true(json_is_null(json_object_get(r, "time")));
	assert_true(json_is_null(json_object_get(r, "rate")));
	assert_string_equal(json_string_value(json_object_get(r, "status")), "crashed");
	assert_string_equal(json_string_value(json_object_get(r, "invalidity")), "runtime");
	assert_string_equal(json_string_value(json_object_get(r, "name")), "v1");
	assert_string_equal(json_string_value(json_object_get(r, "routine")), "f");
	assert_int_equal(json_integer_value(json_object_get(json_object_get(r, "meta"), "u")), 4);
	json_decref(r);
}

static void
test_judge_stage_times_come_from_the_jobs_own_stamps(void **state)
{
	json_t	*r = judged("wall", "[{\"ns\":1}]", ST_OK, document);

	(void)state;
	assert_float_equal(number(r, "stages_ms", "queued"), 1000, 1e-6);
	assert_float_equal(number(r, "stages_ms", "build"), 1000, 1e-6);
	assert_float_equal(number(r, "stages_ms", "waited"), 1000, 1e-6);
	assert_float_equal(number(r, "stages_ms", "run"), 1000, 1e-6);
	json_decref(r);
}

static const char	paired[] =
    "{\"variant\":{\"source\":\"int x;\",\"name\":\"v1\"},\"against\":{\"source\":\"int "
    "y;\",\"name\":\"v0\"},"
    "\"spec\":{\"routine\":\"void f(int n)\",\"args\":{\"n\":1},\"timing\":{\"clock\":\"%s\"}}}";

static void
test_W65_a_pair_has_both_summaries(void **state)
{
	json_t	*r = judged_of("wall",
		    "[{\"ns\":10,\"against_ns\":20},{\"ns\":12,\"against_ns\":21},{\"ns\":11,"
		    "\"against_ns\":25}]", ST_OK, paired, "faster");
	json_t	*c = json_object_get(r, "comparison");

	(void)state;
	assert_string_equal(json_string_value(json_object_get(c, "verdict")), "faster");
	assert_string_equal(json_string_value(json_object_get(json_object_get(c, "a"), "name")),
	    "v0");
	assert_float_equal(number(c, "a", "median_ns"), 21, 0);
	assert_float_equal(number(c, "b", "median_ns"), 11, 0);
	assert_true(json_is_null(json_array_get(json_object_get(c, "code_bytes"), 0)));
	assert_int_equal(json_integer_value(json_array_get(json_object_get(c, "code_bytes"), 1)),
	    7);
	assert_float_equal(number(r, "time", "median_ns"), 11, 0);
	json_decref(r);
}

static void
test_judge_without_a_pair_there_is_no_comparison(void **state)
{
	json_t	*r = judged("wall", "[{\"ns\":30}]", ST_OK, document);

	(void)state;
	assert_true(json_is_null(json_object_get(r, "comparison")));
	json_decref(r);
}

static const char	low[] =
    "[{\"ns\":10},{\"ns\":11},{\"ns\":12},{\"ns\":13},{\"ns\":14},{\"ns\":15},{\"ns\":16}]";
static const char	middle[] =
    "[{\"ns\":13},{\"ns\":14},{\"ns\":15},{\"ns\":16},{\"ns\":17},{\"ns\":18},{\"ns\":19}]";
static const char	high[] =
    "[{\"ns\":20},{\"ns\":21},{\"ns\":22},{\"ns\":23},{\"ns\":24},{\"ns\":25},{\"ns\":26}]";

static void
assert_overlap(const char *first, const char *second, json_type overlap)
{
	json_t	*a = judged("wall", first, ST_OK, document);
	json_t	*b = judged("wall", second, ST_OK, document);
	json_t	*d = overlap_json(a, b);

	assert_int_equal(json_typeof(json_object_get(d, "overlap")), overlap);
	json_decref(d);
	json_decref(a);
	json_decref(b);
}

static void
test_judge_of_two_timings_one_after_the_other_it_is_known_whether_their_intervals_overlap(void **state)
{
	json_t	*a = judged("wall", low, ST_OK, document);
	json_t	*b = judged("wall", high, ST_OK, document);
	json_t	*none = judged("wall", "[]", ST_CRASHED, document), *d = overlap_json(a, b);

	(void)state;
	assert_float_equal(json_number_value(json_object_get(d, "ratio")), 13 / 23.0, 1e-9);
	json_decref(d);
	assert_true(json_is_null(overlap_json(a, none)));
	json_decref(a);
	json_decref(b);
	json_decref(none);
	assert_overlap(low, high, JSON_FALSE);
	assert_overlap(low, middle, JSON_TRUE);
	assert_overlap(middle, low, JSON_TRUE);
	assert_overlap(low, "[{\"ns\":30}]", JSON_NULL);	/* one sample has no interval */
}

/* The wall clock was set back by a day while the job was timed. */
static void
test_judge_stages_are_of_the_monotonic_clock(void **state)
{
	const struct queued_job	 j = { .id = 9, .submitted = 1e6, .since = 50, .build_began = 51,
				    .build_ended = 52.5, .time_began = 53 };
	const struct case_file	 c = { .job = &j, .outcome = ST_INTERNAL, .ended = 57,
				    .finished = 1e6 - 86400, .cursor = 3 };
	struct judgement	 judgement;
	json_t			*r;

	(void)state;
	assert_int_equal(judge_result(&c, &judgement), ST_OK);
	assert_non_null(r = json_loads(judgement.text, 0, NULL));
	assert_float_equal(number(r, "stages_ms", "queued"), 1000, 1e-6);
	assert_float_equal(number(r, "stages_ms", "build"), 1500, 1e-6);
	assert_float_equal(number(r, "stages_ms", "waited"), 500, 1e-6);
	assert_float_equal(number(r, "stages_ms", "run"), 4000, 1e-6);
	free(judgement.text);
	json_decref(r);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_judge_stages_are_of_the_monotonic_clock),
		cmocka_unit_test(test_W65_a_pair_has_both_summaries),
		cmocka_unit_test(test_judge_without_a_pair_there_is_no_comparison),
		cmocka_unit_test(test_judge_of_two_timings_one_after_the_other_it_is_known_whether_their_intervals_overlap),
		cmocka_unit_test(test_P33_P35_minimum_maximum_average_and_all_timings_are_in_the_result),
		cmocka_unit_test(test_P34_max_mflops_comes_from_the_minimum_and_average_from_the_average),
		cmocka_unit_test(test_P34_no_formula_no_rate),
		cmocka_unit_test(test_P43_the_maximum_decides_nothing),
		cmocka_unit_test(test_W15_wall_takes_the_minimum_where_it_is_asked_for_and_W16_cpu_the_median),
		cmocka_unit_test(
		    test_judge_without_a_wish_all_clocks_have_the_median_quiet_or_not),
		cmocka_unit_test(test_judge_asked_for_the_normalised_median_ranks_and_the_raw_times_stay),
		cmocka_unit_test(test_judge_one_sample_without_a_canary_and_nothing_is_normalised),
		cmocka_unit_test(test_judge_readings_of_samples_that_were_not_gated_are_kept_and_divide_nothing),
		cmocka_unit_test(test_judge_asked_for_normalised_without_a_canary_it_says_median),
		cmocka_unit_test(test_judge_drift_is_of_the_order_in_which_samples_were_taken),
		cmocka_unit_test(
		    test_judge_an_ok_time_is_called_checked_only_if_an_answer_was_compared),
		cmocka_unit_test(test_judge_a_failure_has_its_words_and_no_time),
		cmocka_unit_test(test_judge_stage_times_come_from_the_jobs_own_stamps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
