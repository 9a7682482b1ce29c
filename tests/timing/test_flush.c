/* SPDX-License-Identifier: Apache-2.0 */
/* How long a line takes to load that was flushed, beside one in the cache. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "worker/plan/tick.h"
#include "worker/runner/method/proof.h"
#include "worker/runner/sample/flush.h"
#include "worker/runner/sample/rt.h"
#include "worker/runner/sample/sentinel.h"

enum { LINE = 64, LINES = 512 };

/*
 * A ring of pointers, one a line, in an order that no prefetcher guesses: each load waits for the
 * one before.
 */
static void **
make_ring(void)
{
	static void	*line[LINES * LINE / sizeof(void *)];
	size_t		 per = LINE / sizeof(void *), at = 0;

	for (size_t i = 0; i < LINES; i++) {
		size_t	next = (at + 199) % LINES;

		line[at * per] = &line[next * per];
		at = next;
	}
	return line;
}

static double
ns_around(void **ring, const struct tick *tick)
{
	void		*at = ring;
	rt_u64		 start;

	rt_settle();
#if defined(__x86_64__) || defined(__aarch64__)
	start = rt_cycle_start();
	for (int i = 0; i < LINES; i++)
		at = *(void *volatile *)at;
	assert_ptr_equal(at, ring);
	return tick_ns(tick, rt_cycle_stop() - start);
#else
	start = 0;
	(void)tick;
	return (double)start;
#endif
}

enum way { WAY_NONE, WAY_LINES, WAY_LRU };

/*
 * What one load takes, in the best of 101 rounds: others on the machine make each take longer, and
 * none less.
 */
static double
load_ns(enum way way, const char *area, uint64_t area_bytes)
{
	struct tick	 tick = tick_measure(CLK_CYCLE);
	void		**ring = make_ring();
	struct rt_range	 r = rt_range_of(ring, LINES * LINE, 1, 1);
	double		 ns, least = 0;

	for (int i = 0; i < 101; i++) {
		rt_touch(&r, LINE);
		if (way == WAY_LINES)
			rt_flush_lines(&r, LINE);
		if (way == WAY_LRU)
			rt_read_area(area, area_bytes, LINE);
		ns = ns_around(ring, &tick) / LINES;
		least = i == 0 || ns < least ? ns : least;
	}
	return least;
}

static void
test_flush_W27_P12_a_flushed_line_takes_several_times_as_long_to_load(void **state)
{
	double	warm, cold;

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	warm = load_ns(WAY_NONE, NULL, 0);
	cold = load_ns(WAY_LINES, NULL, 0);
	print_message("one load: warm %.1f ns, flushed %.1f ns\n", warm, cold);
	assert_true(cold > 3 * warm);
}

static void
test_flush_W24_W25_reading_other_memory_drives_lines_out_too(void **state)
{
	uint64_t	 bytes = (uint64_t)256 << 20;
	char		*area = malloc(bytes);
	double		 warm, cold;

	(void)state;
	assert_non_null(area);
	memset(area, 1, bytes);
	warm = load_ns(WAY_NONE, NULL, 0);
	cold = load_ns(WAY_LRU, area, bytes);
	free(area);
	print_message("one load: warm %.1f ns, after a sweep %.1f ns\n", warm, cold);
	assert_true(cold > 3 * warm);
}

/* The time of the lines that are read before a cold sample shows which it was. */
static void
test_flush_W33_sentinel_lines_take_longer_once_they_are_flushed(void **state)
{
	struct rt_sentinel	t = { 0 };
	uint32_t		hot = UINT32_MAX, cold = UINT32_MAX;

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	assert_true(rt_sentinel_make(&t, 0));
	for (int i = 0; i < 101; i++) {
		struct rt_range	r = { t.home, RT_SENTINEL_LINES + 1, 1, RT_SENTINEL_STEP };
		uint32_t	ticks;

		rt_sentinel_touch(&t);
		ticks = rt_sentinel_read(&t);
		hot = ticks < hot ? ticks : hot;
		rt_flush_lines(&r, LINE);
		ticks = rt_sentinel_read(&t);
		cold = ticks < cold ? ticks : cold;
	}
	rt_sentinel_free(&t);
	print_message("%d sentinel lines: hot %u ticks, flushed %u ticks\n", RT_SENTINEL_LINES, hot,
	    cold);
	assert_true(cold > 3 * hot);
}

/* Percent of an operand's lines that proofs find in a cache. */
static double
found_percent(const struct rt_timer *t, bool flushed)
{
	const struct runner_run	run = { .kind = RUNNER_SAMPLE, .calls = 1 };
	struct rt_range		r = rt_live_part(&t->sets.live[0], t->sets.live[0].home, 0);
	struct runner_sample	s = { 0 };

	for (int i = 0; i < 101; i++) {
		rt_touch(&r, LINE);
		if (flushed)
			rt_flush_lines(&r, LINE);
		rt_proof_look(t, &run, NULL, &s);
	}
	return 100.0 * s.found / s.proved;
}

/* So calls between flush and sample that read the operands are found out. */
static void
test_flush_proofs_find_lines_that_were_read_and_none_that_were_flushed(void **state)
{
	static const struct rt_operand	x = { .rt_name = "x", .rt_class = 'u', .rt_bytes = 1,
	    .rt_count = LINES * LINE, .rt_stride = 1, .rt_access = 'i', .rt_align = LINE,
	    .rt_init = 'n' };
	static const struct rt_driver	driver = { .rt_abi = RT_ABI, .rt_operands = 1,
	    .rt_operand = &x };
	const struct runner_setup	setup = { .cpu = -1, .line_bytes = LINE,
	    .l1_bytes = 32 << 10, .l2_bytes = 1 << 20 };
	struct rt_timer			t;
	double				read, flushed;

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	assert_null(rt_timer_make(&t, &driver, &setup));
	rt_timer_enter(&t);
	assert_true(rt_sentinel_make(&t.sentinel, 0));
	rt_sentinel_know(&t.sentinel, &t.pollution, LINE);
	read = found_percent(&t, false);
	flushed = found_percent(&t, true);
	rt_timer_release(&t);
	print_message("found in a cache: %.0f %% of lines that were read, %.0f %% of flushed ones\n",
	    read, flushed);
	assert_true(read > 80);
	assert_true(flushed < 10);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_flush_W27_P12_a_flushed_line_takes_several_times_as_long_to_load),
		cmocka_unit_test(test_flush_W24_W25_reading_other_memory_drives_lines_out_too),
		cmocka_unit_test(test_flush_W33_sentinel_lines_take_longer_once_they_are_flushed),
		cmocka_unit_test(
		    test_flush_proofs_find_lines_that_were_read_and_none_that_were_flushed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
