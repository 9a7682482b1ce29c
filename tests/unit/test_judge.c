/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/judge/difference.h"
#include "daemon/judge/judge.h"

static const char	document[] =
    "{\"variant\":{\"language\":\"c\",\"source\":\"double f(int n){return n;}\",\"name\":\"v1\"},"
    "\"spec\":{\"routine\":\"double f(int n)\",\"params\":{\"M\":500},\"args\":{\"n\":\"M\"},"
    "\"flops\":\"2*M\",\"bytes\":\"8*M\",\"timing\":{\"clock\":\"%s\"}},\"meta\":{\"u\":4}}";

/* A result for samples (ns per call), clock and outcome; new reference. */
static const char	*canary_word = "on";

static json_t *
judged(const char *clock, const char *samples, enum status outcome, const char *doc_text)
{
	struct queued_job	 j = { .id = 9, .submitter = 1000, .submitted = 50, .build_began = 51,
		.build_ended = 52, .time_began = 53 };
	char			 text[1024], report[512];
	json_t			*doc, *timed, *result;
	struct case_file	 c = { .job = &j, .outcome = outcome, .finished = 54 };

	(void)snprintf(text, sizeof text, doc_text, clock);
	(void)snprintf(report, sizeof report, "{\"samples\":%s,\"technique\":{\"calls\":3,\"canary\":\"%s\"},"
	    "\"check\":null}", samples, canary_word);
	assert_non_null(doc = json_loads(text, 0, NULL));
	assert_non_null(timed = json_loads(report, 0, NULL));
	c.doc = doc;
	c.timed = timed;
	result = judge_result(&c);
	json_decref(doc);
	json_decref(timed);
	return result;
}

static double
number(const json_t *r, const char *object, const char *member)
{
	return json_number_value(json_object_get(json_object_get(r, object), member));
}

static void
test_P33_P35_minimum_maximum_average_and_all_timings_are_in_the_result(void **state)
{
	json_t	*r = judged("wall", "[{\"ns\":30,\"ticks\":9},{\"ns\":10,\"ticks\":3},{\"ns\":20,\"ticks\":6}]", ST_OK,
	    document);
	json_t	*time = json_object_get(r, "time");

	(void)state;
	assert_float_equal(number(r, "time", "min_ns"), 10, 0);
	assert_float_equal(number(r, "time", "max_ns"), 30, 0);
	assert_float_equal(number(r, "time", "mean_ns"), 20, 1e-12);
	assert_int_equal(json_array_size(json_object_get(time, "samples_ns")), 3);
	assert_float_equal(json_number_value(json_array_get(json_object_get(time, "samples_ns"), 0)), 30, 0);
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
	    "{\"variant\":{\"source\":\"int x;\"},\"spec\":{\"routine\":\"void f(int n)\",\"args\":{\"n\":1},"
	    "\"timing\":{\"clock\":\"%s\"}}}";
	json_t			*r = judged("wall", "[{\"ns\":30}]", ST_OK, plain);

	(void)state;
	assert_int_equal(json_object_size(json_object_get(r, "rate")), 0);
	json_decref(r);
}

static void
test_W15_wall_takes_the_minimum_and_W16_cpu_the_median(void **state)
{
	static const char	samples[] = "[{\"ns\":30},{\"ns\":10},{\"ns\":20}]";
	json_t			*wall = judged("wall", samples, ST_OK, document),
	    *cpu = judged("cpu", samples, ST_OK, document);

	(void)state;
	assert_float_equal(number(wall, "time", "value_ns"), 10, 0);
	assert_string_equal(json_string_value(json_object_get(json_object_get(wall, "time"), "estimator")), "min");
	assert_float_equal(number(cpu, "time", "value_ns"), 20, 0);
	json_decref(wall);
	json_decref(cpu);
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
			assert_float_equal(number(a, "time", "value_ns"), number(b, "time", "value_ns"), 0);
			assert_float_equal(number(a, "rate", "mflops_max"), number(b, "rate", "mflops_max"), 0);
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
test_judge_with_the_canary_on_the_normalised_median_ranks_and_the_raw_times_stay(void **state)
{
	static const char	samples[] = "[{\"ns\":20.6,\"canary\":1.03,\"slowness\":1.03,\"memory\":1.5},{\"ns\":10.2,\"canary\":1.02,\"slowness\":1.02},"
				    "{\"ns\":30,\"canary\":1,\"slowness\":1}]";
	json_t			*wall = judged("cycle", samples, ST_OK, document),
	    *cpu = judged("cpu", samples, ST_OK, document);
	const json_t		*n = json_object_get(json_object_get(wall, "time"), "normalised");

	(void)state;
	assert_string_equal(estimator_of(wall), "normalised");
	assert_float_equal(number(wall, "time", "value_ns"), 20, 1e-12);
	assert_int_equal(json_array_size(json_object_get(json_object_get(wall, "time"), "memory")), 1);
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
	json_t	*r = judged("wall", "[{\"ns\":20,\"canary\":1.03,\"slowness\":1.03},{\"ns\":10}]", ST_OK, document);

	(void)state;
	assert_string_equal(estimator_of(r), "min");
	assert_true(json_is_null(json_object_get(json_object_get(r, "time"), "normalised")));
	json_decref(r);
}

static void
test_judge_readings_of_samples_that_were_not_gated_are_kept_and_divide_nothing(void **state)
{
	static const char	loud[] = "[{\"ns\":20,\"canary\":1.0,\"slowness\":1.0},{\"ns\":30,\"canary\":1.5,\"slowness\":1.5,\"loud\":true}]";
	json_t			*r = judged("wall", loud, ST_TOO_NOISY, document), *time = json_object_get(r, "time");

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
	struct spec	spec = { .timing = { .estimator = EST_NORMALISED } };

	(void)state;
	assert_int_equal(judge_estimator(&spec, true), EST_NORMALISED);
	assert_int_equal(judge_estimator(&spec, false), EST_MEDIAN);
	spec.timing.estimator = EST_MIN;
	assert_int_equal(judge_estimator(&spec, true), EST_MIN);
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
    "{\"variant\":{\"source\":\"int x;\",\"name\":\"v1\"},\"against\":{\"source\":\"int y;\",\"name\":\"v0\"},"
    "\"spec\":{\"routine\":\"void f(int n)\",\"args\":{\"n\":1},\"timing\":{\"clock\":\"%s\"}}}";

static void
test_W65_a_pair_has_students_test_and_both_summaries(void **state)
{
	json_t	*r = judged("wall", "[{\"ns\":10,\"against_ns\":20},{\"ns\":12,\"against_ns\":21},{\"ns\":11,"
		    "\"against_ns\":25}],\"comparison\":{\"verdict\":\"faster\"},\"x\":[]", ST_OK, paired);
	json_t	*c = json_object_get(r, "comparison"), *t = json_object_get(c, "t_test");

	(void)state;
	assert_string_equal(json_string_value(json_object_get(c, "verdict")), "faster");
	assert_string_equal(json_string_value(json_object_get(json_object_get(c, "a"), "name")), "v0");
	assert_float_equal(number(c, "a", "median_ns"), 21, 0);
	assert_float_equal(number(c, "b", "median_ns"), 11, 0);
	assert_string_equal(json_string_value(json_object_get(t, "kind")), "student");
	assert_float_equal(json_number_value(json_object_get(t, "df")), 4, 0);
	assert_float_equal(json_number_value(json_object_get(t, "t")), 6.7361, 5e-5);	/* (22 - 11) / sqrt(4 * 2 / 3) */
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

static void
test_W65_timings_one_after_the_other_have_welchs_test(void **state)
{
	json_t	*a = judged("wall", "[{\"ns\":10},{\"ns\":12},{\"ns\":11}]", ST_OK, document);
	json_t	*b = judged("wall", "[{\"ns\":20},{\"ns\":21},{\"ns\":25},{\"ns\":22}]", ST_OK, document);
	json_t	*one = judged("wall", "[{\"ns\":30}]", ST_OK, document), *d = difference_json(a, b);

	(void)state;
	assert_string_equal(json_string_value(json_object_get(json_object_get(d, "t_test"), "kind")), "welch");
	assert_float_equal(json_number_value(json_object_get(d, "ratio")), 11 / 21.5, 1e-9);
	assert_true(number(d, "t_test", "p") < 0.01);
	json_decref(d);
	assert_true(json_is_null(difference_json(a, one)));
	json_decref(a);
	json_decref(b);
	json_decref(one);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_W65_a_pair_has_students_test_and_both_summaries),
		cmocka_unit_test(test_judge_without_a_pair_there_is_no_comparison),
		cmocka_unit_test(test_W65_timings_one_after_the_other_have_welchs_test),
		cmocka_unit_test(test_P33_P35_minimum_maximum_average_and_all_timings_are_in_the_result),
		cmocka_unit_test(test_P34_max_mflops_comes_from_the_minimum_and_average_from_the_average),
		cmocka_unit_test(test_P34_no_formula_no_rate),
		cmocka_unit_test(test_P43_the_maximum_decides_nothing),
		cmocka_unit_test(test_W15_wall_takes_the_minimum_and_W16_cpu_the_median),
		cmocka_unit_test(test_judge_with_the_canary_on_the_normalised_median_ranks_and_the_raw_times_stay),
		cmocka_unit_test(test_judge_one_sample_without_a_canary_and_nothing_is_normalised),
		cmocka_unit_test(test_judge_readings_of_samples_that_were_not_gated_are_kept_and_divide_nothing),
		cmocka_unit_test(test_judge_asked_for_normalised_without_a_canary_it_says_median),
		cmocka_unit_test(test_judge_drift_is_of_the_order_in_which_samples_were_taken),
		cmocka_unit_test(test_judge_a_failure_has_its_words_and_no_time),
		cmocka_unit_test(test_judge_stage_times_come_from_the_jobs_own_stamps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
