/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/rank.h"
#include "tests/support/reading.h"
#include "worker/stop/stop.h"

#define MS	UINT64_C(1000000)

static struct plan	plan;
static struct take	take;

/* A plan for an interval, and a take with room for as many samples as it may come to. */
static struct stop
begin(double interval, unsigned samples, unsigned most, uint64_t budget_ns)
{
	plan = (struct plan){ .interval = interval, .samples = samples, .max_samples = most,
	    .budget_ns = budget_ns };
	take = (struct take){ .wanted = samples, .subtracted_ticks = 100,
	    .canary_off = "off: none here" };
	take.sample = calloc(10000, sizeof *take.sample);
	assert_non_null(take.sample);
	return (struct stop){ .plan = &plan };
}

static void
add(uint64_t own_ticks)
{
	take.sample[take.samples++].raw.ticks = own_ticks + take.subtracted_ticks;
	take.taken = take.clean = (unsigned)take.samples;
}

/*
 * Samples of a triangular distribution, 5 % to either side, until it says stop; it looks every
 * millisecond.
 */
static void
sample_until_due(struct stop *s, uint64_t seed)
{
	uint64_t	now = 1000 * MS;

	for (;;) {
		if (stop_is_due(s, &take, now, 0))
			return;
		while (take.clean < take.wanted) {
			double	u = 0;

			for (int i = 0; i < 2; i++) {
				seed = seed * UINT64_C(6364136223846793005) +
				    UINT64_C(1442695040888963407);
				u += (double)(seed >> 40) / (double)(1 << 24) / 2;
			}
			add((uint64_t)(1e6 * (0.95 + 0.1 * u)));
		}
		now += MS;
	}
}

static void
test_stop_without_an_interval_the_count_ends_it(void **state)
{
	struct stop	s = begin(0, 7, 1000, MS);

	(void)state;
	for (int i = 0; i < 6; i++)
		add(1000);
	assert_false(stop_is_due(&s, &take, 1, 0));
	assert_null(take.ended_by);
	add(2000);
	assert_true(stop_is_due(&s, &take, 1, 0));
	assert_string_equal(take.ended_by, "samples");
	take_release(&take);
}

static void
test_stop_samples_that_agree_end_it_as_soon_as_there_are_six(void **state)
{
	struct stop	s = begin(0.01, 3, 1000, 1000 * MS);

	(void)state;
	for (int i = 0; i < 3; i++)
		add(5000);
	assert_false(stop_is_due(&s, &take, 1, 0));	/* no interval of three covers 95 % */
	assert_int_equal(take.wanted, 5);
	add(5000), add(5000);
	assert_false(stop_is_due(&s, &take, 2, 0));
	while (take.clean < take.wanted)
		add(5000);
	assert_true(stop_is_due(&s, &take, 3, 0));
	assert_string_equal(take.ended_by, "interval");
	assert_true(take.width <= 0.01);
	take_release(&take);
}

/* Of the samples that were taken, and are given up. */
static bool
interval_holds_the_median(void)
{
	double	*x = calloc(take.samples, sizeof *x);
	size_t	 n = take.samples, r = rank_median(n, RANK_MISS);
	bool	 holds;

	assert_non_null(x);
	for (size_t i = 0; i < n; i++)
		x[i] = (double)(take.sample[i].raw.ticks - take.subtracted_ticks);
	qsort(x, n, sizeof *x, rank_ascending);
	holds = x[r - 1] <= 1e6 && x[n - r] >= 1e6;
	free(x);
	take_release(&take);
	return holds;
}

/* As many processes of a sample each until it says stop, `scatter` to either side of 10^6 ticks. */
static void
processes_until_due(struct stop *s, double scatter, uint64_t seed)
{
	while (!stop_is_due(s, &take, 1, 0))
		while (take.clean < take.wanted) {
			seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			take.sample[take.samples].process = take.clean;
			add((uint64_t)(1e6 * (1 + scatter *
			    (2 * ((double)(seed >> 40) / (double)(1 << 24)) - 1))));
		}
}

static struct stop
begin_shares(unsigned least, unsigned most)
{
	struct stop	s = begin(0, most, most, MS);

	plan.least_samples = take.wanted = least;
	plan.processes = most;
	return s;
}

static void
test_stop_processes_that_agree_end_it_with_six(void **state)
{
	struct stop	s = begin_shares(6, 11);

	(void)state;
	processes_until_due(&s, 0.004, 1);
	assert_int_equal(take.clean, 6);
	assert_string_equal(take.ended_by, "samples");
	take_release(&take);
	s = begin_shares(6, 11);
	processes_until_due(&s, 0.2, 1);
	assert_int_equal(take.clean, 11);
	assert_string_equal(take.ended_by, "samples");
	take_release(&take);
}

static void
test_stop_the_interval_of_processes_that_agree_holds_the_median_as_often_as_it_says(void **state)
{
	enum { RUNS = 4000 };
	static const double	scatters[] = { 0.005, 0.01, 0.015, 0.02, 0.03 };

	(void)state;
	for (unsigned i = 0; i < sizeof scatters / sizeof *scatters; i++) {
		unsigned	held = 0;

		for (uint64_t run = 0; run < RUNS; run++) {
			struct stop	s = begin_shares(6, 11);

			processes_until_due(&s, scatters[i], run * 7919 + i);
			held += interval_holds_the_median();
		}
		assert_true(held >= 0.93 * RUNS);
	}
}

static void
test_stop_samples_that_scatter_are_taken_until_the_interval_is_as_asked(void **state)
{
	struct stop	s = begin(0.01, 7, 10000, 10000 * MS);

	(void)state;
	sample_until_due(&s, 1);
	assert_string_equal(take.ended_by, "interval");
	assert_true(take.width <= 0.01);
	assert_in_range(take.clean, 40, 700);		/* 5 % to either side: some hundred are
							 * needed */
	take_release(&take);
}

static void
test_stop_the_interval_that_ended_it_holds_the_median_as_often_as_it_says(void **state)
{
	enum { RUNS = 2000 };
	unsigned	held = 0;

	(void)state;
	for (uint64_t run = 0; run < RUNS; run++) {
		struct stop	s = begin(0.01, 7, 10000, 10000 * MS);

		sample_until_due(&s, run * 7919 + 3);
		held += interval_holds_the_median();
	}
	assert_true(held >= 0.93 * RUNS);	/* 95 % but for the looks before the last */
}

static void
test_stop_the_most_samples_end_it_and_are_never_exceeded(void **state)
{
	struct stop	s = begin(0.0001, 7, 50, 10000 * MS);

	(void)state;
	sample_until_due(&s, 2);
	assert_string_equal(take.ended_by, "max_samples");
	assert_int_equal(take.clean, 50);
	assert_true(take.width > 0.0001);
	take_release(&take);
}

static void
test_stop_the_budget_counts_from_the_first_sample_that_is_more_than_asked_for(void **state)
{
	struct stop	s = begin(0.0001, 7, 10000, 5 * MS);

	(void)state;
	sample_until_due(&s, 3);
	assert_string_equal(take.ended_by, "budget");
	assert_int_equal(take.clean, 7 + 4 + 6 + 9 + 14 + 21);	/* half as many again, five times, a
								 * millisecond each */
	take_release(&take);
}

static void
test_stop_what_rejected_samples_took_is_part_of_the_budget(void **state)
{
	struct stop	s = begin(0.0001, 6, 10000, 5 * MS);

	(void)state;
	for (unsigned i = 0; i < 6; i++)
		add(5000 + 100 * i);
	assert_true(stop_is_due(&s, &take, 100 * MS, 5 * MS));
	assert_string_equal(take.ended_by, "budget");
	take_release(&take);
}

static void
test_stop_the_budget_ends_a_round_that_is_not_complete(void **state)
{
	struct stop	s = begin(0.0001, 6, 10000, 5 * MS);

	(void)state;
	for (unsigned i = 0; i < 6; i++)
		add(5000 + 100 * i);
	assert_false(stop_is_due(&s, &take, 100 * MS, 0));
	add(5000);
	assert_false(stop_is_due(&s, &take, 104 * MS, 0));
	assert_true(stop_is_due(&s, &take, 105 * MS, 0));
	assert_string_equal(take.ended_by, "budget");
	take_release(&take);
}

static void
test_stop_where_normalised_times_are_ranked_their_interval_counts(void **state)
{
	struct gate	gate = { .resolution_ticks = 26 };
	struct stop	s = begin(0.001, 6, 100, 5 * MS);

	(void)state;
	s.gate = &gate;
	gate_rest(&gate, 1700, 1);
	plan.normalised = true;
	take.canary_off = NULL;
	for (unsigned i = 0; i < 6; i++) {
		uint64_t	ticks;

		add(50000 + 1000 * i);	/* a core that gets slower, and whose pace says so */
		ticks = take.sample[i].raw.ticks;
		take.sample[i].raw = READING(8000, 8000, 1700 + 34 * i, 1700 + 34 * i);
		take.sample[i].raw.ticks = ticks;
	}
	assert_true(stop_is_due(&s, &take, 1, 0));
	assert_string_equal(take.ended_by, "interval");
	s = (struct stop){ &plan, &gate, 0 };
	plan.normalised = false;
	assert_false(stop_is_due(&s, &take, 1, 0));
	take_release(&take);
}

static void
test_stop_samples_that_do_not_count_do_not_narrow_the_interval(void **state)
{
	struct stop	s = begin(0.5, 6, 100, 5 * MS);

	(void)state;
	for (unsigned i = 0; i < 8; i++)
		add(5000);
	for (unsigned i = 0; i < 3; i++)
		take.sample[i].disturbed = true;
	take.clean = 6;					/* five count: no interval at all */
	assert_false(stop_is_due(&s, &take, 1, 0));
	assert_true(isinf(take.width));
	take_release(&take);
}

static void
test_stop_early_names_the_wall_limit_or_the_budget(void **state)
{
	struct take	k = { .cut_short = true };

	(void)state;
	stop_early(&k);
	assert_string_equal(k.ended_by, "wall limit");
	k.cut_short = false;
	stop_early(&k);
	assert_string_equal(k.ended_by, "budget");
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_stop_without_an_interval_the_count_ends_it),
		cmocka_unit_test(test_stop_samples_that_agree_end_it_as_soon_as_there_are_six),
		cmocka_unit_test(test_stop_processes_that_agree_end_it_with_six),
		cmocka_unit_test(
		    test_stop_the_interval_of_processes_that_agree_holds_the_median_as_often_as_it_says),
		cmocka_unit_test(test_stop_samples_that_scatter_are_taken_until_the_interval_is_as_asked),
		cmocka_unit_test(test_stop_the_interval_that_ended_it_holds_the_median_as_often_as_it_says),
		cmocka_unit_test(test_stop_the_most_samples_end_it_and_are_never_exceeded),
		cmocka_unit_test(test_stop_the_budget_counts_from_the_first_sample_that_is_more_than_asked_for),
		cmocka_unit_test(test_stop_what_rejected_samples_took_is_part_of_the_budget),
		cmocka_unit_test(test_stop_the_budget_ends_a_round_that_is_not_complete),
		cmocka_unit_test(test_stop_where_normalised_times_are_ranked_their_interval_counts),
		cmocka_unit_test(test_stop_samples_that_do_not_count_do_not_narrow_the_interval),
		cmocka_unit_test(test_stop_early_names_the_wall_limit_or_the_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
