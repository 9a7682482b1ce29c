/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "worker/plan/tick.h"
#include "worker/runner/sample/flush.h"
#include "worker/runner/sample/rt.h"

enum { LINE = 64, LINES = 512, PAGE = 4096 };

static void
test_rt_flush_a_contiguous_operand_is_one_piece(void **state)
{
	char		x[800];
	struct rt_range	r = rt_range_of(x, 100, 8, 1);

	(void)state;
	assert_int_equal(r.pieces, 1);
	assert_int_equal(r.piece_bytes, 800);
	assert_int_equal(rt_range_cached_bytes(&r, LINE), 13 * LINE);
}

static void
test_rt_flush_W38_a_strided_operand_is_what_is_touched_of_it(void **state)
{
	char		x[8];
	struct rt_range	wide = rt_range_of(x, 320, 8, 32), near = rt_range_of(x, 320, 8, 2);

	(void)state;
	assert_int_equal(wide.pieces, 10);
	assert_int_equal(wide.step_bytes, 256);
	assert_int_equal(rt_range_cached_bytes(&wide, LINE), 10 * LINE);
	assert_int_equal(near.pieces, 160);
	assert_int_equal(rt_range_cached_bytes(&near, LINE), 320 * 8);
	assert_int_equal(rt_range_of(x, 321, 8, 32).pieces, 11);
}

static void
test_rt_flush_leaves_every_byte_as_it_was(void **state)
{
	static unsigned char	x[3 * LINES * LINE];
	struct rt_range		r = rt_range_of(x + 5, sizeof x - 9, 1, 1);

	(void)state;
	for (size_t i = 0; i < sizeof x; i++)
		x[i] = (unsigned char)(i * 31);
	if (!rt_flush_lines(&r, LINE))
		skip();
	rt_touch(&r, LINE);
	rt_sweep(x, sizeof x, LINE);
	for (size_t i = 0; i < sizeof x; i++)
		assert_int_equal(x[i], (unsigned char)(i * 31));
}

/* A ring of pointers, one a line, in an order that no prefetcher guesses: each load waits for the one before. */
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

/* What one load takes, in the best of 101 rounds: others on the machine make each take longer, and none less. */
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
			rt_sweep(area, area_bytes, LINE);
		ns = ns_around(ring, &tick) / LINES;
		least = i == 0 || ns < least ? ns : least;
	}
	return least;
}

static void
test_rt_flush_W27_P12_a_flushed_line_takes_several_times_as_long_to_load(void **state)
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
test_rt_flush_W24_W25_reading_other_memory_drives_lines_out_too(void **state)
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

/* Pages that have been touched since they were mapped. */
static int
touched(char *at, size_t pages)
{
	unsigned char	there[64];
	int		n = 0;

	assert_int_equal(mincore(at, pages * PAGE, there), 0);
	for (size_t i = 0; i < pages; i++)
		n += there[i] & 1;
	return n;
}

static void
test_rt_flush_W28_looking_up_touches_every_page_that_a_range_has_part_of_and_no_other(void **state)
{
	const size_t	 pages = 40;
	char		*at = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	/* The first goes from the end of page 0 to the beginning of page 3. */
	struct rt_range	 whole = { at + PAGE - 8, 1, 2 * PAGE + 16, 2 * PAGE + 16 },
	    near = rt_range_of(at + 10 * PAGE, 3 * PAGE / 8, 8, 4),
	    apart = rt_range_of(at + 20 * PAGE, 16 * PAGE / 8, 8, PAGE / 2);

	(void)state;
	assert_true(at != MAP_FAILED);
	madvise(at, pages * PAGE, MADV_NOHUGEPAGE);
	if (!rt_look_up(&whole, LINE))
		skip();
	assert_int_equal(touched(at, 4), 4);
	assert_int_equal(touched(at, pages), 4);
	rt_look_up(&near, LINE);
	assert_int_equal(touched(at + 10 * PAGE, 3), 3);
	assert_int_equal(touched(at, pages), 4 + 3);
	rt_look_up(&apart, LINE);				/* one number in every fourth page */
	for (int i = 0; i < 16; i += 4)
		assert_int_equal(touched(at + (20 + i) * PAGE, 1), 1);
	assert_int_equal(touched(at, pages), 4 + 3 + 4);
	munmap(at, pages * PAGE);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_flush_a_contiguous_operand_is_one_piece),
		cmocka_unit_test(test_rt_flush_W38_a_strided_operand_is_what_is_touched_of_it),
		cmocka_unit_test(test_rt_flush_W28_looking_up_touches_every_page_that_a_range_has_part_of_and_no_other),
		cmocka_unit_test(test_rt_flush_leaves_every_byte_as_it_was),
		cmocka_unit_test(test_rt_flush_W27_P12_a_flushed_line_takes_several_times_as_long_to_load),
		cmocka_unit_test(test_rt_flush_W24_W25_reading_other_memory_drives_lines_out_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
