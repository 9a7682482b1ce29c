/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the runner touches before a region: operands, flush area, working sets.  No time is
 * measured: pages fault when they are read, written or flushed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/watch.h"
#include "worker/runner/method/method.h"
#include "worker/runner/method/place.h"
#include "worker/runner/method/proof.h"
#include "worker/runner/method/sample.h"
#include "worker/runner/sample/restore.h"

enum { PAGE = WATCH_PAGE, PAGES = 16, STRIDE = 2 * PAGE, SETS = 6, LINE = 64 };

/*
 * An operand of 16 pages that is read, one that is written, and one that has a byte in every second
 * page.
 */
static const struct rt_operand	operands[] = {
	{ .rt_name = "read", .rt_class = 'u', .rt_bytes = 1, .rt_count = PAGES * PAGE,
	    .rt_stride = 1, .rt_access = 'i', .rt_align = PAGE, .rt_init = 'n' },
	{ .rt_name = "written", .rt_class = 'u', .rt_bytes = 1, .rt_count = PAGES * PAGE,
	    .rt_stride = 1, .rt_access = 'b', .rt_align = PAGE, .rt_init = 'n' },
	{ .rt_name = "strided", .rt_class = 'u', .rt_bytes = 1, .rt_count = PAGES * PAGE,
	    .rt_stride = STRIDE, .rt_access = 'i', .rt_align = PAGE, .rt_init = 'n' },
};
enum { READ, WRITTEN, STRIDED, OPERANDS };

static const struct rt_driver		driver = { .rt_abi = RT_ABI, .rt_operands = OPERANDS,
					    .rt_operand = operands };
static const struct runner_setup	setup = { .cpu = -1, .line_bytes = LINE,
					    .l1_bytes = 32 << 10, .l2_bytes = 256 << 10,
					    .out_of_l1 = 96 << 10, .out_of_l2 = 1 << 20 };
static const struct runner_run		flush_lines = { .kind = RUNNER_SAMPLE, .samples = 1,
					    .calls = 1, .flush = RUNNER_FLUSH_LINES };
static const struct runner_run		flush_lru = { .kind = RUNNER_SAMPLE, .samples = 1,
					    .calls = 1, .flush = RUNNER_FLUSH_LRU,
					    .flush_bytes = 32 * PAGE };
static struct rt_timer			timer;

static int
make(void **state)
{
	(void)state;
	return rt_timer_make(&timer, &driver, &setup) != NULL;
}

static int
release(void **state)
{
	(void)state;
	rt_timer_release(&timer);
	return 0;
}

static void
watch_operand(unsigned k)
{
	watch_begin(timer.sets.live[k].home, timer.sets.live[k].bytes);
}

static void
flush(const struct runner_run *run)
{
	rt_method_of(&timer, run)->flush(&timer, run);
}

/* Pages of an operand that a flush touches. */
static unsigned
flushed_of(unsigned k, const struct runner_run *run)
{
	watch_operand(k);
	flush(run);
	watch_end();
	return watch.touched;
}

static void
test_rt_touched_W27_P12_all_of_a_cold_operand_is_flushed_nothing_of_a_warm_one(void **state)
{
	struct runner_run	run = flush_lines;

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	rt_timer_enter(&timer);
	assert_int_equal(flushed_of(READ, &run), PAGES);
	assert_int_equal(flushed_of(WRITTEN, &run), PAGES);
	run.place[READ] = RUNNER_WARM;
	assert_int_equal(flushed_of(READ, &run), 0);
	assert_int_equal(flushed_of(WRITTEN, &run), PAGES);
}

static void
test_rt_touched_W38_of_a_strided_operand_the_elements_alone_are_flushed(void **state)
{
	(void)state;
	if (!rt_flush_lines_can())
		skip();
	rt_timer_enter(&timer);
	assert_int_equal(flushed_of(STRIDED, &flush_lines), PAGES / 2);
	for (unsigned page = 0; page < PAGES; page++)
		assert_int_equal(watch.place[page] != 0, page % (STRIDE / PAGE) == 0);
}

static void
test_rt_touched_the_sentinel_is_flushed_with_the_operands(void **state)
{
	(void)state;
	if (!rt_flush_lines_can())
		skip();
	rt_timer_enter(&timer);
	assert_true(rt_run_ready(&timer, &flush_lines));
	watch_begin(timer.sentinel.home, 1);
	flush(&flush_lines);
	watch_end();
	assert_int_equal(watch.touched, 1);
}

static void
test_rt_touched_W24_P19_a_flush_reads_each_page_of_as_much_as_was_asked_for(void **state)
{
	struct runner_run	run = flush_lru;

	(void)state;
	rt_timer_enter(&timer);
	assert_true(rt_area_make(&timer.flush, 2 * run.flush_bytes));
	watch_begin(timer.flush.at, timer.flush.bytes);
	flush(&run);
	assert_int_equal(watch.touched, run.flush_bytes / PAGE);
	for (unsigned page = 0; page < run.flush_bytes / PAGE; page++)
		assert_true(watch.place[page] != 0);
	watch_again();
	run.flush_bytes /= 2;
	flush(&run);
	watch_end();
	assert_int_equal(watch.touched, run.flush_bytes / PAGE);
}

/* What a flush shorter than the caches leaves in them then depends on its length alone. */
static void
test_rt_touched_W29_W40_cold_operands_are_read_before_a_flush_not_warm_ones(void **state)
{
	struct runner_run	run = flush_lru;

	(void)state;
	rt_timer_enter(&timer);
	assert_true(rt_area_make(&timer.flush, run.flush_bytes));
	run.place[WRITTEN] = RUNNER_WARM;
	assert_int_equal(flushed_of(READ, &run), PAGES);
	assert_int_equal(flushed_of(WRITTEN, &run), 0);
}

static void
test_rt_touched_W50_each_page_of_an_operand_is_touched_before_a_timing(void **state)
{
	(void)state;
	for (unsigned k = 0; k < OPERANDS; k++) {
		watch_operand(k);
		rt_timer_enter(&timer);
		watch_end();
		assert_int_equal(watch.touched, PAGES);
	}
}

/* The walk begins with the last set, which has then been out of the caches for longest. */
static void
test_rt_touched_W34_working_sets_are_filled_from_the_last_to_the_first(void **state)
{
	const struct rt_live	*l = &timer.sets.live[WRITTEN];

	(void)state;
	assert_null(rt_sets_make_far(&timer.sets, SETS, 1 << WRITTEN, NULL));
	assert_int_equal(l->step_bytes, PAGES * PAGE);
	watch_begin(l->far, SETS * l->step_bytes);
	rt_sets_enter_far(&timer.sets);
	watch_end();
	assert_int_equal(watch.touched, SETS * PAGES);
	for (unsigned n = 0; n < SETS; n++)
		for (unsigned page = 0; page < PAGES; page++)
			assert_in_range(watch.place[n * PAGES + page], (SETS - 1 - n) * PAGES + 1,
			    (SETS - n) * PAGES);
}

/*
 * Pages of the memory that drives an operand out of the inner caches, after it was brought in.
 */
static unsigned
read_to_place(enum runner_place place)
{
	struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
				    .place = { place } };

	for (unsigned k = READ + 1; k < OPERANDS; k++)
		run.place[k] = RUNNER_WARM;
	assert_true(rt_run_ready(&timer, &run));
	watch_operand(READ);
	rt_place(&timer, &run);
	watch_end();
	assert_int_equal(watch.touched, PAGES);
	watch_begin(timer.scratch.at, timer.scratch.bytes);
	rt_place(&timer, &run);
	watch_end();
	return watch.touched;
}

static void
test_rt_touched_an_operand_for_an_outer_cache_is_read_and_the_inner_are_filled(void **state)
{
	(void)state;
	rt_timer_enter(&timer);
	assert_int_equal(read_to_place(RUNNER_WARM), 0);
	assert_int_equal(read_to_place(RUNNER_IN_L1), 0);
	assert_int_equal(read_to_place(RUNNER_IN_L2) * PAGE, setup.out_of_l1);
	assert_int_equal(read_to_place(RUNNER_IN_L3) * PAGE, setup.out_of_l2);
}

/* Proofs of a run with these operands cold. */
static struct runner_sample
prove(unsigned proofs, unsigned cold, const uint32_t *walk)
{
	struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 2 };
	struct runner_sample	s = { 0 };

	timer.sentinel.known = (struct runner_sentinel){ .hot = 80, .near = 300, .far = 900 };
	for (unsigned k = 0; k < OPERANDS; k++)
		run.place[k] = cold >> k & 1 ? RUNNER_COLD : RUNNER_WARM;
	for (unsigned i = 0; i < proofs; i++)
		rt_proof_look(&timer, &run, walk, &s);
	return s;
}

static void
test_rt_touched_a_proof_reads_lines_of_cold_operands_alone(void **state)
{
	(void)state;
	rt_timer_enter(&timer);
	watch_operand(WRITTEN);
	assert_int_equal(prove(9, 1 << READ | 1 << STRIDED, NULL).proved, 9 * RT_PROOF_LINES);
	watch_end();
	assert_int_equal(watch.touched, 0);
	watch_operand(WRITTEN);
	assert_int_equal(prove(1, 1 << WRITTEN, NULL).proved, RT_PROOF_LINES);
	watch_end();
	assert_in_range(watch.touched, RT_PROOF_LINES / 2, RT_PROOF_LINES);	/* pages */
	assert_int_equal(prove(9, 0, NULL).proved, 0);
}

/* Of few lines one in four is read: of the eight of this operand two.  Chance reaches them all. */
static void
test_rt_touched_proofs_reach_all_that_a_call_touches(void **state)
{
	(void)state;
	rt_timer_enter(&timer);
	watch_operand(STRIDED);
	assert_int_equal(prove(1000, 1 << STRIDED, NULL).proved, 2000);
	watch_end();
	for (unsigned page = 0; page < PAGES; page++)
		assert_int_equal(watch.place[page] != 0, page % (STRIDE / PAGE) == 0);
}

static void
test_rt_touched_a_proof_in_a_walk_reads_the_sets_of_its_calls(void **state)
{
	static const uint32_t	walk[] = { 1, 4 };
	const struct rt_live	*l = &timer.sets.live[WRITTEN];
	unsigned		 touched[SETS] = { 0 };

	(void)state;
	assert_null(rt_sets_make_far(&timer.sets, SETS, 1 << WRITTEN, NULL));
	watch_begin(l->far, SETS * l->step_bytes);
	assert_int_equal(prove(1000, 1 << WRITTEN, walk).proved, 1000 * RT_PROOF_LINES);
	watch_end();
	for (unsigned page = 0; page < SETS * PAGES; page++)
		touched[page / PAGES] += watch.place[page] != 0;
	for (unsigned n = 0; n < SETS; n++)
		assert_int_equal(touched[n], n == walk[0] || n == walk[1] ? PAGES : 0);
}

static void
test_rt_touched_what_a_proof_found_is_what_the_sentinel_takes_from_there(void **state)
{
	const struct runner_sentinel	apart = { .hot = 80, .near = 240, .far = 800 };
	const struct runner_sentinel	close = { .hot = 80, .near = 750, .far = 800 };
	const struct runner_sentinel	coarse = { .hot = 800, .near = 800, .far = 800 };

	(void)state;
	assert_int_equal(rt_proof_found(&apart, 8, 240), 8);
	assert_int_equal(rt_proof_found(&apart, 8, 1), 8);
	assert_int_equal(rt_proof_found(&apart, 8, 520), 4);
	assert_int_equal(rt_proof_found(&apart, 8, 770), 0);
	assert_int_equal(rt_proof_found(&apart, 8, UINT32_MAX), 0);
	assert_int_equal(rt_proof_found(&apart, 2, 60), 2);
	assert_int_equal(rt_proof_found(&apart, 2, 200), 0);
	assert_int_equal(rt_proof_found(&close, 8, 80), 8);	/* by the inner cache */
	assert_int_equal(rt_proof_found(&close, 8, 750), 1);
	assert_int_equal(rt_proof_found(&coarse, 8, 1), 0);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, make, release)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(
		    test_rt_touched_W27_P12_all_of_a_cold_operand_is_flushed_nothing_of_a_warm_one),
		TEST(test_rt_touched_W38_of_a_strided_operand_the_elements_alone_are_flushed),
		TEST(test_rt_touched_the_sentinel_is_flushed_with_the_operands),
		TEST(test_rt_touched_W24_P19_a_flush_reads_each_page_of_as_much_as_was_asked_for),
		TEST(test_rt_touched_W29_W40_cold_operands_are_read_before_a_flush_not_warm_ones),
		TEST(test_rt_touched_W50_each_page_of_an_operand_is_touched_before_a_timing),
		TEST(test_rt_touched_W34_working_sets_are_filled_from_the_last_to_the_first),
		TEST(test_rt_touched_a_proof_reads_lines_of_cold_operands_alone),
		TEST(test_rt_touched_proofs_reach_all_that_a_call_touches),
		TEST(test_rt_touched_a_proof_in_a_walk_reads_the_sets_of_its_calls),
		TEST(test_rt_touched_what_a_proof_found_is_what_the_sentinel_takes_from_there),
		TEST(
		    test_rt_touched_an_operand_for_an_outer_cache_is_read_and_the_inner_are_filled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
