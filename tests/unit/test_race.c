/* SPDX-License-Identifier: Apache-2.0 */
/* A race: when a variant is given up, and how often a faster one is. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/rank.h"
#include "tests/support/dice.h"
#include "tests/support/fake_runner.h"
#include "tests/support/reading.h"
#include "worker/stop/race.h"

/* ---- the bound ---- */

static void
test_race_D11_no_bound_is_of_fewer_units_than_the_stated_least(void **state)
{
	(void)state;
	assert_int_equal(race_rank(0), 0);
	assert_int_equal(race_rank(SPEC_RACE_LEAST - 1), 0);
	assert_int_equal(race_rank(SPEC_RACE_LEAST), 1);
	for (size_t n = 1; n <= RACE_MOST; n++) {
		assert_true(race_rank(n) >= race_rank(n - 1));
		assert_true(race_rank(n) <= rank_median(n, 2 * RACE_MISS) + (n == SPEC_RACE_LEAST));
	}
	assert_int_equal(race_rank(RACE_MOST + 1), 0);
}

/* Every order in which 20 units can lie at or below the median, or above it. */
static void
test_race_D11_looks_after_each_unit_miss_together_no_more_often_than_stated(void **state)
{
	enum { UNITS = 20 };
	size_t		rank[UNITS + 1];
	unsigned	misses = 0;

	(void)state;
	for (size_t n = 0; n <= UNITS; n++)
		rank[n] = race_rank(n);
	for (uint32_t walk = 0; walk < 1u << UNITS; walk++) {
		size_t	below = 0, n = 0;

		do
			below += walk >> n & 1;
		while (++n <= UNITS && !(below < rank[n]) && n < UNITS);
		misses += below < rank[n];
	}
	assert_true(misses <= RACE_MISS * (1u << UNITS));
	assert_true(misses >= 0.6 * RACE_MISS * (1u << UNITS));	/* and it is used */
}

/* ---- series of noise ---- */

enum { SERIES = 10000, LONGEST = 33, PLACE_MOST = 4096 };
static double		pool[PLACE_MOST];
static size_t		pooled;

typedef double	noise_fn(uint64_t *seed);	/* of median 1 */

static double
normal(uint64_t *seed)
{
	return 1 + 0.01 * dice_normal(seed);
}

/* Rarely several times as long. */
static double
heavy(uint64_t *seed)
{
	return exp(0.02 * dice_normal(seed) / dice_uniform(seed));
}

/* A process is in the slow state, twice as long, as often as not. */
static double
two_states(uint64_t *seed)
{
	return dice_uniform(seed) < 0.5 ? 1 : 2;
}

static double
recorded(uint64_t *seed)
{
	return pool[(size_t)(dice_uniform(seed) * (double)pooled)];
}

static void
begin_series(struct take *k, struct plan *p)
{
	static struct take_sample	samples[LONGEST];

	*p = (struct plan){ .run.calls = 1 };
	*k = (struct take){ .sample = samples, .canary_off = "off: none here" };
}

/* A sample of `ns`, or one that does not count. */
static void
add(struct take *k, unsigned process, double ns, bool counts)
{
	k->sample[k->samples] = (struct take_sample){ .process = process, .disturbed = !counts,
	    .raw.ticks = (uint64_t)(ns + 0.5) };
	k->samples++;
	k->clean += counts;
	k->processes = process + 1;
}

/* How many of the series are given up, each process having `each` samples of one state. */
static unsigned
given_up(noise_fn *noise, unsigned each, double times, const struct race *race, uint64_t seed)
{
	unsigned	lost = 0;

	for (unsigned i = 0; i < SERIES; i++) {
		struct take	k;
		struct plan	p;
		bool		over = false;

		begin_series(&k, &p);
		for (unsigned process = 0; !over && k.samples + each <= LONGEST; process++) {
			const double	x = noise(&seed);

			for (unsigned j = 0; j < each; j++)
				add(&k, each > 1 ? process : 0, times * 1e6 * x, true);
			over = race_is_lost(race, &k, &p, NULL, &tick);
		}
		lost += over;
	}
	return lost;
}

static void
load_pool(const char *path)
{
	FILE		*from = fopen(path, "r");
	char		 line[4096];
	unsigned	 kind = 0, calls = 0, most = 0;
	uint64_t	 ticks;
	double		 median;

	assert_non_null(from);
	pooled = 0;
	while (fgets(line, sizeof line, from) != NULL) {
		if (sscanf(line, "order %*u %u %u", &kind, &calls) == 2 && kind == RUNNER_SAMPLE &&
		    calls > most) {
			most = calls;			/* those before it were probes */
			pooled = 0;
		}
		if (kind == RUNNER_SAMPLE && calls == most && pooled < PLACE_MOST &&
		    sscanf(line, "sample %" SCNu64, &ticks) == 1)
			pool[pooled++] = (double)ticks;
	}
	fclose(from);
	assert_true(pooled >= 5);
	qsort(pool, pooled, sizeof *pool, rank_ascending);
	median = pool[(pooled - 1) / 2];
	for (size_t i = 0; i < pooled; i++)
		pool[i] /= median;
}

static void
test_race_D11_of_10000_series_as_fast_as_asked_no_more_than_stated_are_given_up(void **state)
{
	static noise_fn *const	noises[] = { normal, heavy, two_states };
	const struct race	race = { true, 1e6 };
	unsigned		most = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof noises / sizeof noises[0]; i++)
		for (unsigned each = 1; each <= 3; each += 2) {
			unsigned	lost = given_up(noises[i], each, 1, &race, 20 + i);

			assert_true(lost <= RACE_MISS * SERIES);
			most = lost > most ? lost : most;
		}
	assert_true(most > 0.02 * SERIES);		/* they are looked at */
}

static void
test_race_D11_of_series_of_recorded_samples_no_more_than_stated_are_given_up(void **state)
{
	static const char *const	files[] = { "warm", "cold_lru" };
	const struct race		race = { true, 1e6 };
	char				path[256];

	(void)state;
	for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++) {
		snprintf(path, sizeof path, "tests/data/recorded/%s", files[i]);
		load_pool(path);
		assert_true(given_up(recorded, 1, 1, &race, 5) <= RACE_MISS * SERIES);
		assert_true(given_up(recorded, 3, 1, &race, 6) <= RACE_MISS * SERIES);
	}
}

static void
test_race_D11_what_is_twice_as_slow_is_given_up_and_what_is_faster_is_not(void **state)
{
	const struct race	race = { true, 1e6 };

	(void)state;
	assert_int_equal(given_up(normal, 3, 2, &race, 1), SERIES);
	assert_true(given_up(heavy, 3, 2, &race, 2) >= 0.99 * SERIES);
	assert_int_equal(given_up(normal, 3, 0.95, &race, 3), 0);
	assert_true(given_up(heavy, 3, 0.95, &race, 4) < 0.02 * SERIES);
}

static void
test_race_D11_the_bound_is_of_a_call_and_above_what_was_asked(void **state)
{
	const struct race	race = { true, 999 };
	struct take		k;
	struct plan		p;

	(void)state;
	begin_series(&k, &p);
	p.run.calls = 10;
	k.subtracted_ticks = 1000;
	for (unsigned i = 0; i < 5; i++)
		add(&k, i, 11000 + 10 * i, true);
	assert_false(race_is_lost(&(struct race){ true, 1000 }, &k, &p, NULL, &tick));
	assert_false(k.raced);
	assert_true(race_is_lost(&race, &k, &p, NULL, &tick));
	assert_true(k.raced && k.bound_ns == 1000);
	assert_string_equal(k.ended_by, "race");
	assert_int_equal(k.wanted, 5);
}

static void
test_race_D11_samples_that_do_not_count_give_nothing_up(void **state)
{
	const struct race	race = { true, 1e6 };
	struct take		k;
	struct plan		p;

	(void)state;
	begin_series(&k, &p);
	for (unsigned i = 0; i < 20; i++)
		add(&k, 0, 9e6, false);
	for (unsigned i = 0; i < 4; i++)
		add(&k, 0, 9e6, true);
	assert_false(race_is_lost(&race, &k, &p, NULL, &tick));
	add(&k, 0, 9e6, true);
	assert_true(race_is_lost(&race, &k, &p, NULL, &tick));
}

static void
test_race_D11_samples_of_one_process_of_several_are_one_unit(void **state)
{
	const struct race	race = { true, 1e6 };
	struct take		k;
	struct plan		p;

	(void)state;
	begin_series(&k, &p);
	p.processes = 11;
	for (unsigned i = 0; i < 20; i++)
		add(&k, 0, 9e6, true);
	assert_false(race_is_lost(&race, &k, &p, NULL, &tick));
	for (unsigned process = 1; process < 3; process++)
		add(&k, process, 9e6, false);
	assert_false(race_is_lost(&race, &k, &p, NULL, &tick));
	for (unsigned process = 3; process < 7; process++) {
		assert_false(race_is_lost(&race, &k, &p, NULL, &tick));
		add(&k, process, 9e6, true);
	}
	assert_true(race_is_lost(&race, &k, &p, NULL, &tick));
}

/* ---- sampling ---- */

static const char	many[] = SPEC("warm", ", 'timing': {'samples': 22, 'processes': 11}");

static void
test_race_D11_later_processes_are_not_started(void **state)
{
	struct fake	f = { .call_ticks = 20000, .renewal_ns = 1000000, .race = { true, 10000 } };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, many, 100 * (uint64_t)SECOND), ST_OK);
	assert_true(k.raced && k.bound_ns == 20000);
	assert_string_equal(k.ended_by, "race");
	assert_int_equal(k.processes, SPEC_RACE_LEAST);
	assert_int_equal(k.samples, 2 * SPEC_RACE_LEAST);
	take_release(&k);

	f = (struct fake){ .call_ticks = 20000, .renewal_ns = 1000000, .race = { true, 20000 } };
	assert_int_equal(take_for(&k, &f, many, 100 * (uint64_t)SECOND), ST_OK);
	assert_false(k.raced);
	assert_string_equal(k.ended_by, "samples");
	assert_int_equal(k.processes, 11);
	take_release(&k);
}

static void
test_race_D11_samples_of_one_process_are_looked_at_as_they_come(void **state)
{
	struct fake	f = { .call_ticks = 60000000, .race = { true, 10000 } };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 31}"),
	    100 * (uint64_t)SECOND), ST_OK);
	assert_true(k.raced);
	assert_in_range(k.samples, SPEC_RACE_LEAST, SPEC_RACE_LEAST + 1);
	take_release(&k);
}

/* All takes half as long again beside the neighbour, so more than the bound. */
static void
test_race_D11_a_neighbour_who_stays_gives_nothing_up(void **state)
{
	struct fake	f = { .call_ticks = 20000, .loud_from = 200000, .loud_to = UINT32_MAX,
			    .renewal_ns = 1000000, .race = { true, 25000 } };
	struct take	k;

	(void)state;
	gate_see(&gate, 0, &READING(8000, 8000, 0, 0));
	assert_int_equal(take_for(&k, &f, many, 100 * (uint64_t)SECOND), ST_OK);
	assert_non_null(k.canary_off);
	assert_false(k.raced);
	assert_int_equal(k.processes, 11);
	take_release(&k);
}

static void
test_race_D11_a_neighbour_who_comes_and_goes_gives_nothing_up(void **state)
{
	struct fake	f = { .call_ticks = 20000, .loud_from = 300000, .loud_to = 4000000,
			    .renewal_ns = 1000000, .race = { true, 25000 } };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, many, 100 * (uint64_t)SECOND), ST_OK);
	assert_null(k.canary_off);
	assert_true(k.loud > 0);
	assert_false(k.raced);
	take_release(&k);
}

static void
test_race_D11_without_a_canary_nothing_is_given_up(void **state)
{
	struct fake	f = { .call_ticks = 20000, .renewal_ns = 1000000, .race = { true, 10000 } };
	struct take	k;

	(void)state;
	gate.resolution_ticks = 100000;
	assert_int_equal(take_for(&k, &f, many, 100 * (uint64_t)SECOND), ST_OK);
	assert_false(k.raced);
	take_release(&k);
}

static void
test_race_D11_a_cold_variant_that_is_given_up_is_not_timed_warm(void **state)
{
	struct fake	f = { .call_ticks = 300000, .renewal_ns = 1000000,
			    .race = { true, 10000 } };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("cold", ", 'timing': {'flush': "
	    "{'method': 'OneCallFlushLRU'}, 'samples': 22, 'processes': 11}"),
	    100 * (uint64_t)SECOND), ST_OK);
	assert_true(k.raced);
	assert_true(k.warm_ns == 0);
	take_release(&k);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_race_D11_no_bound_is_of_fewer_units_than_the_stated_least),
		cmocka_unit_test(
		    test_race_D11_looks_after_each_unit_miss_together_no_more_often_than_stated),
		cmocka_unit_test(
		    test_race_D11_of_10000_series_as_fast_as_asked_no_more_than_stated_are_given_up),
		cmocka_unit_test(
		    test_race_D11_of_series_of_recorded_samples_no_more_than_stated_are_given_up),
		cmocka_unit_test(
		    test_race_D11_what_is_twice_as_slow_is_given_up_and_what_is_faster_is_not),
		cmocka_unit_test(test_race_D11_the_bound_is_of_a_call_and_above_what_was_asked),
		cmocka_unit_test(test_race_D11_samples_that_do_not_count_give_nothing_up),
		cmocka_unit_test(test_race_D11_samples_of_one_process_of_several_are_one_unit),
		WITH_NEW_GATE(test_race_D11_later_processes_are_not_started),
		WITH_NEW_GATE(test_race_D11_samples_of_one_process_are_looked_at_as_they_come),
		WITH_NEW_GATE(test_race_D11_a_neighbour_who_stays_gives_nothing_up),
		WITH_NEW_GATE(test_race_D11_a_neighbour_who_comes_and_goes_gives_nothing_up),
		WITH_NEW_GATE(test_race_D11_without_a_canary_nothing_is_given_up),
		WITH_NEW_GATE(test_race_D11_a_cold_variant_that_is_given_up_is_not_timed_warm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
