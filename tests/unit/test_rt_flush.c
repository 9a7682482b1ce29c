/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include <cmocka.h>

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
	rt_store(&r, LINE);
	rt_read_area(x, sizeof x, LINE);
	for (size_t i = 0; i < sizeof x; i++)
		assert_int_equal(x[i], (unsigned char)(i * 31));
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
	char		*at = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
