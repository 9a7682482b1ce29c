/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/memalign.h"

/* How a child ends that writes one byte to `at`. */
static int
signal_of_writing(volatile char *at)
{
	int	status = 0;
	pid_t	pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL);
		*at = 1;
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void
test_rt_memalign_P10_every_byte_is_writable_and_the_page_behind_is_not(void **state)
{
	static const uint64_t	sizes[] = { 8, 4096, 40 * 72 * 8, (uint64_t)9 << 20 };

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		char	*at = rt_memalign(sizes[i], 8, 0);

		assert_non_null(at);
		memset(at, 7, sizes[i]);
		assert_int_equal(signal_of_writing(at + sizes[i] - 1), 0);
		assert_int_equal(signal_of_writing(at + sizes[i]), SIGSEGV);
		assert_int_equal(signal_of_writing(at + sizes[i] + 4095), SIGSEGV);
		rt_memalign_free(at);
	}
}

static void
test_rt_memalign_P10_alignment_wins_over_the_guard_by_fewer_bytes_than_it(void **state)
{
	char	*at = rt_memalign(100, 64, 0);
	uint64_t slack = 4096 - ((uintptr_t)at + 100) % 4096;

	(void)state;
	assert_int_equal((uintptr_t)at % 64, 0);
	assert_true(slack < 64);
	assert_int_equal(signal_of_writing(at + 100 + slack), SIGSEGV);
	rt_memalign_free(at);
}

static void
test_rt_memalign_W53_W54_W57_align_misalign_and_offset_hold_over_100000_allocations(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t	align = (uint64_t)1 << rt_number(1, i) % 10;
		uint64_t	up = rt_number(2, i) % 6, misalign = up == 0 ? 0 : align << up;
		uint64_t	bytes = 1 + rt_number(3, i) % 5000;
		struct rt_memory in = { .node = -1, .offset = rt_number(4, i) % align };
		char		*at = rt_memalign_in(&in, bytes, align, misalign);

		assert_non_null(at);
		assert_int_equal((uintptr_t)at % align, in.offset);
		if (misalign != 0)
			assert_int_equal((uintptr_t)at % misalign, align + in.offset);
		at[0] = at[bytes - 1] = 1;
		rt_memalign_free(at);
	}
}

/* Resident memory would show a leak of 2000 areas of 1 MiB that were written to. */
static void
test_rt_memalign_W55_an_area_is_freed_by_its_pointer_alone(void **state)
{
	struct rusage	before, after;

	(void)state;
	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < 2000; i++) {
		char	*at = rt_memalign(1 << 20, 64, i % 2 ? 4096 : 0);

		assert_non_null(at);
		memset(at, 1, 1 << 20);
		rt_memalign_free(at);
	}
	getrusage(RUSAGE_SELF, &after);
	assert_true(after.ru_maxrss - before.ru_maxrss < 64 << 10);
	rt_memalign_free(NULL);
}

/* Address space that an operand takes, guard page included. */
static uint64_t
span_of(uint64_t bytes, uint64_t align, uint64_t misalign)
{
	void		*at = rt_memalign(bytes, align, misalign);
	uint64_t	 span_bytes;

	assert_non_null(rt_memalign_whole(at, &span_bytes));
	rt_memalign_free(at);
	return span_bytes;
}

static void
test_rt_memalign_W56_aligning_costs_a_header_the_alignment_and_whole_pages(void **state)
{
	(void)state;
	for (uint64_t align = 1; align <= 4096; align *= 2)
		for (uint64_t bytes = 1; bytes < 20000; bytes += 777) {
			assert_true(span_of(bytes, align, 0) <=
			    bytes + 2 * sizeof(void *) + align + 2 * 4096);
			assert_true(span_of(bytes, align, 2 * align) <=
			    bytes + 2 * sizeof(void *) + 2 * align + 2 * 4096);
		}
}

static void
test_rt_memalign_a_large_area_may_lie_in_huge_pages(void **state)
{
	uint64_t	 bytes = (uint64_t)8 << 20;
	char		*at = rt_memalign(bytes, 64, 0);

	(void)state;
	assert_non_null(at);
	assert_int_equal(((uintptr_t)at + bytes) % ((uint64_t)2 << 20), 0);
	rt_memalign_free(at);
}

static void
test_rt_memalign_refuses_what_no_machine_has(void **state)
{
	(void)state;
	assert_null(rt_memalign(8, 3, 0));
	assert_null(rt_memalign(8, 8, 24));
	assert_null(rt_memalign(8, 0, 0));
	assert_null(rt_memalign(UINT64_MAX, 8, 0));
	assert_null(rt_memalign((uint64_t)1 << 60, 8, 0));
}

/* Whether the mapping that holds `at` has a flag, as /proc/self/smaps has it: hg, nh. */
static int
has_flag(const void *at, const char *flag)
{
	FILE		*f = fopen("/proc/self/smaps", "r");
	char		 line[512];
	uintptr_t	 from, to;
	int		 inside = 0, found = 0;

	if (f == NULL)
		return -1;
	while (fgets(line, sizeof line, f) != NULL) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			inside = from <= (uintptr_t)at && (uintptr_t)at < to;
		if (inside && strncmp(line, "VmFlags:", 8) == 0)
			found = strstr(line, flag) != NULL;
	}
	fclose(f);
	return found;
}

static void
test_rt_memalign_W33_sets_of_small_operands_lie_in_small_pages(void **state)
{
	const uint64_t		 bytes = (uint64_t)16 << 20;
	const struct rt_memory	 of_small = { .piece_bytes = 8000, .node = -1 };
	char			*small = rt_memalign_in(&of_small, bytes, 64, 0);
	char			*large = rt_memalign(bytes, 64, 0);

	(void)state;
	assert_non_null(small);
	assert_non_null(large);
	if (has_flag(small, "nh") < 0 || (!has_flag(small, "nh") && !has_flag(large, "hg")))
		skip();		/* a kernel without huge pages, or that says nothing */
	assert_true(has_flag(small, " nh"));
	assert_true(has_flag(large, " hg"));
	rt_memalign_free(small);
	rt_memalign_free(large);
}

/* So that an application's operand and this one have the same pages. */
static void
test_rt_memalign_X5_a_large_operand_has_the_pages_that_the_kernel_gives_malloc(void **state)
{
	const struct rt_memory	 as_malloc = { .node = -1 };
	char			*at = rt_memalign_in(&as_malloc, (uint64_t)16 << 20, 64, 0);

	(void)state;
	assert_non_null(at);
	assert_false(has_flag(at, " nh") > 0 || has_flag(at, " hg") > 0);
	rt_memalign_free(at);
}

static void
test_rt_memalign_X5_pages_are_as_asked_whatever_the_size(void **state)
{
	const struct rt_memory	 huge = { .pages = 'h', .node = -1 };
	const struct rt_memory	 small = { .pages = 's', .node = -1 };
	const uint64_t		 bytes = (uint64_t)16 << 20;
	char			*few = rt_memalign_in(&huge, 100, 64, 0);
	char			*many = rt_memalign_in(&small, bytes, 64, 0);

	(void)state;
	assert_non_null(few);
	assert_non_null(many);
	assert_int_equal(((uintptr_t)few + 100) % ((uintptr_t)2 << 20), (uintptr_t)-28 %
	    ((uintptr_t)2 << 20));			/* at the end of a huge page */
	if (has_flag(many, "nh") >= 0 && (has_flag(many, " nh") || has_flag(few, " hg"))) {
		assert_true(has_flag(few, " hg"));
		assert_true(has_flag(many, " nh"));
	}
	rt_memalign_free(few);
	rt_memalign_free(many);
}

static char	area[(9 << 20) + 5000] __attribute__((aligned(4096)));

static void
test_rt_memalign_X5_static_memory_has_a_guard_page_too_and_can_be_used_again(void **state)
{
	const struct rt_memory	 in = { .node = -1, .area = area, .area_bytes = sizeof area };

	(void)state;
	for (uint64_t bytes = 1; bytes < 6 << 20; bytes = 3 * bytes + 8) {
		char	*at = rt_memalign_in(&in, bytes, 64, 0);

		assert_non_null(at);
		assert_true(at >= area && at + bytes <= area + sizeof area);
		memset(at, 1, bytes);
		assert_int_equal(signal_of_writing(at + (bytes + 63) / 64 * 64), SIGSEGV);
		rt_memalign_free(at);
	}
	memset(area, 2, sizeof area);
	assert_null(rt_memalign_in(&in, sizeof area, 64, 0));
}

static void
test_rt_memalign_X10_pages_are_taken_from_the_node_that_is_asked_for(void **state)
{
	const struct rt_memory	 here = { .node = 0 }, nowhere = { .node = 1000 };
	char			*at = rt_memalign_in(&here, 8000, 64, 0);

	(void)state;
	if (at == NULL)
		skip();		/* a kernel without nodes, or a filter that refuses mbind */
	memset(at, 1, 8000);
	assert_null(rt_memalign_in(&nowhere, 8000, 64, 0));
	rt_memalign_free(at);
}

/* How many of the pages that an operand of whole pages lies in are in memory. */
static size_t
pages_in_memory(const char *at, size_t pages)
{
	unsigned char	in[64];
	size_t		n = 0;

	assert_true(pages <= sizeof in);
	assert_int_equal(mincore((void *)(uintptr_t)at, pages * 4096, in), 0);
	for (size_t i = 0; i < pages; i++)
		n += in[i] & 1u;
	return n;
}

static void
test_rt_memalign_pages_are_brought_in_and_no_byte_changes(void **state)
{
	enum { PAGES = 48 };
	char	*at = rt_memalign(PAGES * 4096, 4096, 0), *copy = malloc(PAGES * 4096);

	(void)state;
	assert_non_null(at);
	assert_non_null(copy);
	assert_int_equal(pages_in_memory(at, PAGES), 0);
	rt_memalign_bring_in(at + 5, 4096);		/* of two pages, of no more */
	assert_int_equal(pages_in_memory(at, PAGES), 2);
	memset(at, 9, 4096);
	memcpy(copy, at, PAGES * 4096);
	rt_memalign_bring_in(at, PAGES * 4096);
	assert_int_equal(pages_in_memory(at, PAGES), PAGES);
	assert_memory_equal(at, copy, PAGES * 4096);
	assert_int_equal(signal_of_writing(at + PAGES * 4096), SIGSEGV);
	free(copy);
	rt_memalign_free(at);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_rt_memalign_P10_every_byte_is_writable_and_the_page_behind_is_not),
		cmocka_unit_test(
		    test_rt_memalign_P10_alignment_wins_over_the_guard_by_fewer_bytes_than_it),
		cmocka_unit_test(
		    test_rt_memalign_W53_W54_W57_align_misalign_and_offset_hold_over_100000_allocations),
		cmocka_unit_test(test_rt_memalign_W55_an_area_is_freed_by_its_pointer_alone),
		cmocka_unit_test(
		    test_rt_memalign_W56_aligning_costs_a_header_the_alignment_and_whole_pages),
		cmocka_unit_test(test_rt_memalign_a_large_area_may_lie_in_huge_pages),
		cmocka_unit_test(test_rt_memalign_refuses_what_no_machine_has),
		cmocka_unit_test(test_rt_memalign_pages_are_brought_in_and_no_byte_changes),
		cmocka_unit_test(test_rt_memalign_W33_sets_of_small_operands_lie_in_small_pages),
		cmocka_unit_test(test_rt_memalign_X5_a_large_operand_has_the_pages_that_the_kernel_gives_malloc),
		cmocka_unit_test(test_rt_memalign_X5_pages_are_as_asked_whatever_the_size),
		cmocka_unit_test(
		    test_rt_memalign_X5_static_memory_has_a_guard_page_too_and_can_be_used_again),
		cmocka_unit_test(
		    test_rt_memalign_X10_pages_are_taken_from_the_node_that_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
