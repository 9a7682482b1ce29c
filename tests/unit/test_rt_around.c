/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/runner/sample/area.h"
#include "worker/runner/sample/around.h"

enum { LINE = 64, INNER = (32 << 10) + (1 << 20) };

static void
test_rt_around_has_more_pages_than_a_tlb_and_reads_more_than_the_inner_caches(void **state)
{
	struct rt_around	a;

	(void)state;
	assert_null(rt_around_make(&a, INNER, LINE));
	assert_true(a.pages >= RT_AROUND_REACHES * rt_tlb_entries() || a.pages + a.chunk_pages > RT_AROUND_MOST_PAGES);
	assert_true(a.pages <= RT_AROUND_MOST_PAGES);
	assert_true(a.chunk_pages * RT_AROUND_PAGE >= INNER + INNER / 4);
	assert_int_equal(a.pages % a.chunk_pages, 0);
	assert_true(a.pages / a.chunk_pages * a.lines >= RT_AROUND_PAGE / LINE);
	rt_around_free(&a);
	assert_null(a.at);
}

/* What a page table has of it: nothing before the first sweep, all of it afterwards, in a child too. */
static uint64_t
pages_there(const struct rt_around *a)
{
	static unsigned char	in[RT_AROUND_MOST_PAGES];
	uint64_t		n = 0;

	assert_int_equal(mincore(a->at, a->pages * RT_AROUND_PAGE, in), 0);
	for (uint64_t i = 0; i < a->pages; i++)
		n += in[i] & 1;
	return n;
}

static void
test_rt_around_takes_no_memory_before_it_is_swept_and_then_touches_every_page(void **state)
{
	struct rt_around	a;
	int			status;
	pid_t			pid;

	(void)state;
	assert_null(rt_around_make(&a, INNER, LINE));
	assert_int_equal(pages_there(&a), 0);
	if ((pid = fork()) == 0) {
		rt_around_sweep(&a);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_int_equal(pages_there(&a), a.pages);
	rt_around_free(&a);
}

static void
test_rt_around_copes_with_caches_of_no_known_size_and_of_enormous_ones(void **state)
{
	struct rt_around	a;

	(void)state;
	for (uint64_t inner = 0; inner <= (uint64_t)1 << 40; inner = inner * 1024 + 1024) {
		assert_null(rt_around_make(&a, inner, LINE));
		assert_true(a.pages > 0 && a.pages <= RT_AROUND_MOST_PAGES && a.lines > 0);
		rt_around_free(&a);
	}
}

/* Whether the mapping that holds `at` has a flag, as /proc/self/smaps tells: hg, nh. */
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
test_rt_around_W33_sets_of_small_operands_lie_in_small_pages_and_those_of_large_ones_may_not(void **state)
{
	const uint64_t	 bytes = (uint64_t)16 << 20;
	char		*small = rt_area_like(bytes, 64, 0, 8000), *large = rt_area_like(bytes, 64, 0, bytes);

	(void)state;
	assert_non_null(small);
	assert_non_null(large);
	if (has_flag(small, "nh") < 0 || (!has_flag(small, "nh") && !has_flag(large, "hg")))
		skip();				/* a kernel without huge pages, or that says nothing */
	assert_true(has_flag(small, " nh"));
	assert_true(has_flag(large, " hg"));
	rt_area_free(small);
	rt_area_free(large);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_around_has_more_pages_than_a_tlb_and_reads_more_than_the_inner_caches),
		cmocka_unit_test(test_rt_around_takes_no_memory_before_it_is_swept_and_then_touches_every_page),
		cmocka_unit_test(test_rt_around_copes_with_caches_of_no_known_size_and_of_enormous_ones),
		cmocka_unit_test(test_rt_around_W33_sets_of_small_operands_lie_in_small_pages_and_those_of_large_ones_may_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
