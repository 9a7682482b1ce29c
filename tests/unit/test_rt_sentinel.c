/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/watch.h"
#include "worker/runner/sample/rt.h"
#include "worker/runner/sample/sentinel.h"
#include "worker/runner/sample/witness.h"

/*
 * A reading goes from line to line by what each holds.  One that does not hold 0 sends it astray,
 * into memory that is watched: so a line that was read, and is not the last, is known.
 */
enum { ASTRAY_BYTES = 1 << 16 };

static char *
beyond(const char *at)
{
	char	*hint =
	    (char *)(((uintptr_t)at & ~(uintptr_t)(WATCH_PAGE - 1)) + ((uintptr_t)1 << 30));
	char	*astray = mmap(hint, ASTRAY_BYTES, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(astray != MAP_FAILED && astray > at);
	return astray;
}

/*
 * How many of the lines of a set, which begins at `set`, `entry` of a walk reads; far: where it
 * begins.
 */
static unsigned
lines_read(const struct rt_sentinel *t, char *set, const uint32_t *walk, uint64_t calls)
{
	char		*astray = beyond(set);
	unsigned	 read = 0;

	for (unsigned i = 0; i <= RT_SENTINEL_LINES; i++) {
		uint64_t	*line = (uint64_t *)(void *)(set + i * RT_SENTINEL_STEP);

		*line = (uint64_t)(astray - set);
		watch_begin(astray, ASTRAY_BYTES);
		if (walk == NULL)
			(void)rt_sentinel_read(t);
		else
			(void)rt_sentinel_read_far(t, walk, calls);
		watch_end();
		read += watch.touched != 0;
		*line = 0;
	}
	munmap(astray, ASTRAY_BYTES);
	return read;
}

static void
test_rt_sentinel_every_line_is_read_at_home_and_in_the_set_amid_a_walk(void **state)
{
	const uint32_t		walk[16] = { 15, 3, 0, 7, 2, 1, 14, 13, 12, 4, 5, 6, 8, 9, 10, 11 };
	const uint64_t		set_bytes = (RT_SENTINEL_LINES + 1) * RT_SENTINEL_STEP;
	struct rt_sentinel	t = { 0 };

	(void)state;
	assert_true(rt_sentinel_make(&t, 16));
	assert_true(rt_sentinel_read(&t) > 0);
	assert_true(rt_sentinel_read_far(&t, walk, 1) > 0);
	assert_int_equal(lines_read(&t, t.home, NULL, 0), RT_SENTINEL_LINES - 1);
	assert_int_equal(lines_read(&t, t.far + walk[8] * set_bytes, walk, 16),
	    RT_SENTINEL_LINES - 1);
	assert_int_equal(lines_read(&t, t.far + walk[0] * set_bytes, walk, 1),
	    RT_SENTINEL_LINES - 1);
	assert_int_equal(lines_read(&t, t.far + walk[1] * set_bytes, walk, 1), 0);
	rt_sentinel_free(&t);
	assert_null(t.home);
	assert_null(t.far);
}

static void
test_rt_sentinel_touching_reaches_home_and_the_sets_of_the_calls_alone(void **state)
{
	enum { SETS = 48, TOUCHED = 16 };
	uint32_t		walk[TOUCHED];
	struct rt_sentinel	t = { 0 };
	size_t			bytes = SETS * (RT_SENTINEL_LINES + 1) * RT_SENTINEL_STEP;

	(void)state;
	assert_true(rt_sentinel_make(&t, SETS));
	watch_begin(t.home, 1);
	rt_sentinel_touch(&t);
	watch_end();
	assert_int_equal(watch.touched, 1);
	for (uint32_t i = 0; i < TOUCHED; i++)
		walk[i] = TOUCHED - 1 - i;
	watch_begin(t.far, bytes);
	rt_sentinel_touch_far(&t, walk, TOUCHED);
	watch_end();
	assert_int_equal(watch.touched, (bytes * TOUCHED / SETS + WATCH_PAGE - 1) / WATCH_PAGE);
	rt_sentinel_free(&t);
}

static void
test_rt_sentinel_with_one_line_a_set_a_short_sample_is_not_read(void **state)
{
	const uint32_t		walk[RT_SENTINEL_LINES] = { RT_SENTINEL_SETS, 0, 1, 2, 3, 4, 5, 6 };
	struct rt_sentinel	t = { 0 };

	(void)state;
	assert_true(rt_sentinel_make(&t, RT_SENTINEL_SETS + 1));
	assert_int_equal(rt_sentinel_read_far(&t, walk, RT_SENTINEL_LINES - 1), 0);
	assert_true(rt_sentinel_read_far(&t, walk, RT_SENTINEL_LINES) > 0);
	assert_true(rt_sentinel_make(&t, 2));
	assert_int_equal(t.far_sets, 2);
	assert_true(rt_sentinel_make(&t, 0));
	assert_null(t.far);
	rt_sentinel_free(&t);
}

static void
test_rt_sentinel_of_very_many_sets_one_in_a_few_has_a_line(void **state)
{
	enum { EVERY = 3, CALLS = EVERY * RT_SENTINEL_LINES };
	static uint32_t		walk[CALLS], none[CALLS];
	struct rt_sentinel	t = { 0 };

	(void)state;
	assert_true(rt_sentinel_make(&t, (EVERY - 1) * RT_SENTINEL_MOST));
	for (uint32_t i = 0; i < CALLS; i++) {
		walk[i] = (EVERY - 1) * RT_SENTINEL_MOST - 1 - i;
		none[i] = EVERY * i + 1;
	}
	assert_int_equal(rt_sentinel_read_far(&t, none, CALLS), 0);
	assert_true(rt_sentinel_read_far(&t, walk, CALLS) > 0);
	assert_int_equal(rt_sentinel_read_far(&t, walk, CALLS - EVERY), 0);
	watch_begin(t.far, (EVERY - 1) * (uint64_t)RT_SENTINEL_MOST / EVERY * RT_SENTINEL_STEP);
	rt_sentinel_touch_far(&t, none, CALLS);
	rt_sentinel_touch_far(&t, walk, CALLS);
	watch_end();
	assert_int_equal(watch.touched, 1);	/* page: its lines lie side by side */
	rt_sentinel_free(&t);
}

/* ---- the witness ---- */

static const struct rt_operand	operand[] = {
	{ .rt_name = "x", .rt_class = 'f', .rt_bytes = 8, .rt_count = 100, .rt_stride = 1,
	  .rt_access = 'i', .rt_align = 64, .rt_init = 'n' },
};

static void
witness(const void *x)
{
	rt_saw(0, x);
}

static rt_u64
rotate(rt_code *code, void *const *at, const rt_u64 *step, const rt_u32 *walk, rt_u64 calls)
{
	for (rt_u64 i = 0; i < calls; i++)
		((void (*)(const void *))code)((char *)at[0] + walk[i] * step[0]);
	return calls;
}

/* As a published generator's: the loop's index goes on, the set's does not. */
static rt_u64
stand(rt_code *code, void *const *at, const rt_u64 *step, const rt_u32 *walk, rt_u64 calls)
{
	for (rt_u64 i = 0; i < calls; i++)
		((void (*)(const void *))code)((char *)at[0] + walk[0] * step[0]);
	return calls;
}

static uint64_t
seen_by(const struct rt_driver *d, enum runner_walk walk, uint64_t calls)
{
	struct rt_sets	s;
	uint64_t	seen;

	assert_null(rt_sets_make(&s, d, 64));
	assert_null(rt_sets_make_far(&s, 1000, 1, NULL));
	seen = rt_witness_walk(&s, rt_walk_next(&s.walk, walk, 0), calls);
	rt_sets_release(&s);
	return seen;
}

static void
test_rt_witness_W33_counts_the_sets_that_calls_really_get(void **state)
{
	struct rt_driver	d = { .rt_abi = RT_ABI, .rt_operands = 1, .rt_operand = operand,
	    .rt_rotate = rotate, .rt_witness = (rt_code *)witness };

	(void)state;
	assert_int_equal(seen_by(&d, RUNNER_RANDOM, 1000), 1000);
	assert_int_equal(seen_by(&d, RUNNER_BACKWARD, 5), 5);
	d.rt_rotate = stand;
	assert_int_equal(seen_by(&d, RUNNER_FORWARD, 1000), 1);
	d.rt_witness = NULL;
	assert_int_equal(seen_by(&d, RUNNER_FORWARD, 1000), 0);
}

/* Places as they were measured, too slow by far; and what samples then read. */
static struct runner_sentinel
known_after(uint32_t near, uint32_t far, uint32_t reading, int doubted)
{
	const struct rt_pollution	none = { .line_bytes = 64 };
	const struct runner_sample	sample[3] = { { .sentinel = reading },
					    { .sentinel = reading }, { .sentinel = far } };
	struct rt_sentinel		t = { 0 };
	struct runner_sentinel		known;

	assert_true(rt_sentinel_make(&t, 0));
	t.known = (struct runner_sentinel){ .hot = 10, .near = near, .far = far };
	t.doubted = doubted;
	rt_sentinel_doubt(&t, &none, 64, sample, 3);
	known = t.known;
	rt_sentinel_free(&t);
	return known;
}

static void
test_rt_sentinel_W33_places_are_measured_once_more_if_most_samples_look_warm(void **state)
{
	enum { SLOW = 1 << 30 };	/* a good part of a second: no reading takes so long */

	(void)state;
	assert_true(known_after(SLOW, SLOW, 1000, 0).near < SLOW);
	assert_int_equal(known_after(SLOW, SLOW, 1000, 1).near, SLOW);
	assert_int_equal(known_after(20, SLOW, SLOW, 0).far, SLOW);
	assert_int_equal(known_after(1, SLOW, 0, 0).far, SLOW);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_rt_sentinel_every_line_is_read_at_home_and_in_the_set_amid_a_walk),
		cmocka_unit_test(
		    test_rt_sentinel_touching_reaches_home_and_the_sets_of_the_calls_alone),
		cmocka_unit_test(test_rt_sentinel_with_one_line_a_set_a_short_sample_is_not_read),
		cmocka_unit_test(test_rt_sentinel_of_very_many_sets_one_in_a_few_has_a_line),
		cmocka_unit_test(
		    test_rt_sentinel_W33_places_are_measured_once_more_if_most_samples_look_warm),
		cmocka_unit_test(test_rt_witness_W33_counts_the_sets_that_calls_really_get),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
