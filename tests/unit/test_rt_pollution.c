/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/runner/sample/pollution.h"

enum { LINE = 64, INNER = (32 << 10) + (1 << 20) };

static void
test_rt_pollution_has_more_pages_than_a_tlb_and_more_lines_than_inner_caches(void **state)
{
	struct rt_pollution	a;

	(void)state;
	assert_null(rt_pollution_make(&a, INNER, LINE));
	assert_true(a.pages >= RT_POLLUTION_TLBS * rt_tlb_entries() ||
	    a.pages + a.chunk_pages > RT_POLLUTION_MOST_PAGES);
	assert_true(a.pages <= RT_POLLUTION_MOST_PAGES);
	assert_true(a.chunk_pages * RT_POLLUTION_PAGE >= INNER + INNER / 4);
	assert_int_equal(a.pages % a.chunk_pages, 0);
	assert_true(a.pages / a.chunk_pages * a.lines >= RT_POLLUTION_PAGE / LINE);
	rt_pollution_free(&a);
	assert_null(a.at);
}

/* What a page table has of it: nothing before it is read, all of it afterwards, in a child too. */
static uint64_t
pages_there(const struct rt_pollution *a)
{
	static unsigned char	in[RT_POLLUTION_MOST_PAGES];
	uint64_t		n = 0;

	assert_int_equal(mincore(a->at, a->pages * RT_POLLUTION_PAGE, in), 0);
	for (uint64_t i = 0; i < a->pages; i++)
		n += in[i] & 1;
	return n;
}

static void
test_rt_pollution_takes_no_memory_before_it_is_read_and_then_all(void **state)
{
	struct rt_pollution	a;
	int			status;
	pid_t			pid;

	(void)state;
	assert_null(rt_pollution_make(&a, INNER, LINE));
	assert_int_equal(pages_there(&a), 0);
	if ((pid = fork()) == 0) {
		rt_pollute(&a, 0);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_int_equal(pages_there(&a), a.pages);
	rt_pollution_free(&a);
}

static void
test_rt_pollution_copes_with_caches_of_no_known_size_and_of_enormous_ones(void **state)
{
	struct rt_pollution	a;

	(void)state;
	for (uint64_t inner = 0; inner <= (uint64_t)1 << 40; inner = inner * 1024 + 1024) {
		assert_null(rt_pollution_make(&a, inner, LINE));
		assert_true(a.pages > 0 && a.pages <= RT_POLLUTION_MOST_PAGES && a.lines > 0);
		rt_pollution_free(&a);
	}
}

static uint64_t
faults_so_far(void)
{
	struct rusage	u;

	assert_int_equal(getrusage(RUSAGE_SELF, &u), 0);
	return (uint64_t)u.ru_minflt;
}

/* Each small page that is read after its memory was taken away is a fault. */
static void
test_rt_pollution_W28_page_tables_are_driven_out_by_reading_all_of_an_area_and_only_if_asked(
    void **state)
{
	enum { BYTES = 8 << 20, PAGES = BYTES / RT_POLLUTION_PAGE };
	struct rt_pollution	a;
	uint64_t		before;

	(void)state;
	assert_null(rt_pollution_make(&a, INNER, LINE));
	assert_null(rt_pollution_make_tables(&a, 0));
	assert_null(a.tables);
	assert_null(rt_pollution_make_tables(&a, BYTES));
	madvise(a.tables, BYTES, MADV_NOHUGEPAGE);
	rt_pollute(&a, 0);
	assert_int_equal(madvise(a.tables, BYTES, MADV_DONTNEED), 0);
	before = faults_so_far();
	rt_pollute(&a, 0);
	assert_in_range(faults_so_far() - before, 0, PAGES / 2);
	before = faults_so_far();
	rt_pollute(&a, 1);
	assert_true(faults_so_far() - before >= PAGES);
	rt_pollution_free(&a);
}

/* The child's exit status says how many faults its reading had, 255 at most. */
static int
faults_of_a_child(const struct rt_pollution *a)
{
	int	status;
	pid_t	pid;

	if ((pid = fork()) == 0) {
		uint64_t	before = faults_so_far(), now;

		rt_pollute(a, 0);
		now = faults_so_far();
		_exit(now - before < 255 ? (int)(now - before) : 255);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
test_rt_pollution_children_have_the_pages_if_page_tables_are_driven_out(void **state)
{
	struct rt_pollution	a;

	(void)state;
	assert_null(rt_pollution_make(&a, INNER, LINE));
	assert_in_range(faults_of_a_child(&a), 100, 255);
	assert_null(rt_pollution_make_tables(&a, 2 << 20));
	assert_in_range(faults_of_a_child(&a), 0, 20);
	rt_pollution_free(&a);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_rt_pollution_has_more_pages_than_a_tlb_and_more_lines_than_inner_caches),
		cmocka_unit_test(test_rt_pollution_takes_no_memory_before_it_is_read_and_then_all),
		cmocka_unit_test(
		    test_rt_pollution_W28_page_tables_are_driven_out_by_reading_all_of_an_area_and_only_if_asked),
		cmocka_unit_test(
		    test_rt_pollution_children_have_the_pages_if_page_tables_are_driven_out),
		cmocka_unit_test(
		    test_rt_pollution_copes_with_caches_of_no_known_size_and_of_enormous_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
