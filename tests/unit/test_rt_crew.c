/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/watch.h"
#include "worker/runner/method/method.h"
#include "worker/runner/method/sample.h"
#include "worker/runner/sample/crew.h"

enum { MOST = 1024 };

struct work {
	int		 cpu[MOST];		/* on which each part was done */
	int		 times[MOST];
	cpu_set_t	 may[MOST];
	pid_t		 thread[MOST];
};

static void
part(void *arg, uint32_t number)
{
	struct work	*w = arg;

	w->cpu[number] = sched_getcpu();
	w->times[number]++;
	w->thread[number] = gettid();
	(void)sched_getaffinity(0, sizeof w->may[number], &w->may[number]);
}

static void
test_rt_crew_W58_W59_does_its_work_once_on_every_cpu_that_there_is(void **state)
{
	static struct work	 w;
	struct rt_crew		*c = rt_crew_new();
	cpu_set_t		 may, used;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof may, &may), 0);
	assert_int_equal(rt_crew_size(c), CPU_COUNT(&may));
	for (int i = 0; i < 50; i++)
		rt_crew_run(c, part, &w);
	CPU_ZERO(&used);
	for (uint32_t i = 0; i < rt_crew_size(c); i++) {
		assert_int_equal(w.times[i], 50);
		CPU_SET((size_t)w.cpu[i], &used);
	}
	assert_int_equal(CPU_COUNT(&used), c != NULL ? CPU_COUNT(&may) : 1);
	rt_crew_free(c);
}

static void
test_rt_crew_one_member_works_on_its_cpu_while_the_others_rest(void **state)
{
	static struct work	 w;
	struct rt_crew		*c = rt_crew_new();

	(void)state;
	for (uint32_t i = 1; i < rt_crew_size(c); i++) {
		rt_crew_run_on(c, i, part, &w);
		assert_int_equal(w.times[i], 1);
		assert_int_equal(w.times[0], 0);
		assert_int_equal(CPU_COUNT(&w.may[i]), 1);
	}
	rt_crew_free(c);
}

static void
test_rt_crew_a_caller_bound_to_the_first_cpu_does_that_part_itself(void **state)
{
	static struct work	 w;
	struct rt_crew		*c = rt_crew_new();
	cpu_set_t		 may;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof may, &may), 0);
	rt_crew_run(c, part, &w);
	assert_true(c == NULL || w.thread[0] != gettid());
	assert_int_equal(sched_setaffinity(0, sizeof w.may[0], &w.may[0]), 0);
	rt_crew_run(c, part, &w);
	assert_int_equal(w.thread[0], gettid());
	assert_int_equal(sched_setaffinity(0, sizeof may, &may), 0);
	for (uint32_t i = 0; i < rt_crew_size(c); i++)
		assert_int_equal(w.times[i], 2);
	rt_crew_free(c);
}

static void
test_rt_crew_where_there_is_one_cpu_the_caller_does_the_work_itself(void **state)
{
	static struct work	w;
	cpu_set_t		may, one;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof may, &may), 0);
	CPU_ZERO(&one);
	for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
		if (CPU_ISSET(cpu, &may))
			CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	assert_null(rt_crew_new());
	assert_int_equal(rt_crew_size(NULL), 1);
	rt_crew_run(NULL, part, &w);
	assert_int_equal(w.times[0], 1);
	assert_int_equal(w.times[1], 0);
	rt_crew_free(NULL);
	assert_int_equal(sched_setaffinity(0, sizeof may, &may), 0);
}

/* ---- flushing the caches of all of them ---- */

enum { PAGE = WATCH_PAGE, PART_PAGES = 16, SAMPLES = 5 };
static const struct runner_setup	setup = { .cpu = -1, .line_bytes = 64, .l1_bytes = 32 << 10,
					    .l2_bytes = 1 << 20 };
static const struct runner_run		lru = { .kind = RUNNER_SAMPLE, .samples = SAMPLES,
					    .calls = 1, .flush = RUNNER_FLUSH_LRU,
					    .flush_bytes = PART_PAGES * PAGE };
static struct rt_timer			timer;
static struct work			work;

/*
 * Each member has read its part of the area on its own CPU; what is behind the parts has not been
 * touched.
 */
static void
assert_flushed_by_all(void)
{
	const uint32_t	members = rt_crew_size(timer.crew);

	assert_int_equal(watch.touched, members * PART_PAGES);
	for (uint32_t m = 0; m < members; m++)
		for (unsigned i = 0; i < PART_PAGES; i++)
			if (timer.crew != NULL)
				assert_int_equal(watch.cpu[m * PART_PAGES + i], work.cpu[m]);
	for (unsigned i = 0; i < PART_PAGES; i++)
		assert_int_equal(watch.place[members * PART_PAGES + i], 0);
}

static void
make_timer_with_crew(const struct rt_driver *driver)
{
	assert_null(rt_timer_make(&timer, driver, &setup));
	timer.crew = rt_crew_new();
	memset(&work, 0, sizeof work);
	rt_crew_run(timer.crew, part, &work);
	assert_true(rt_area_make(&timer.flush, (rt_crew_size(timer.crew) + 1) * lru.flush_bytes));
	rt_timer_enter(&timer);
	watch_begin(timer.flush.at, timer.flush.bytes);
}

static void
release_timer_with_crew(void)
{
	watch_end();
	rt_crew_free(timer.crew);
	timer.crew = NULL;
	rt_timer_release(&timer);
}

static void
test_rt_crew_W58_a_flush_area_is_read_on_every_cpu_each_a_part_of_its_own(void **state)
{
	const struct rt_driver	driver = { .rt_abi = RT_ABI };

	(void)state;
	make_timer_with_crew(&driver);
	rt_method_of(&timer, &lru)->flush(&timer, &lru);
	assert_flushed_by_all();
	release_timer_with_crew();
}

/* In the place of a timed region: what was flushed since the last one. */
static unsigned	regions;

static rt_u64
region(rt_code *code, void *const *at, rt_u64 calls)
{
	(void)code, (void)at;
	regions++;
	assert_flushed_by_all();
	watch_again();
	return calls;
}

static void
nothing(void)
{
}

static void
test_rt_crew_W58_every_cpu_flushes_before_each_sample_with_threads(void **state)
{
	const struct rt_driver		driver = { .rt_abi = RT_ABI, .rt_repeat = region,
						   .rt_empty = nothing };
	static struct runner_lane	lane;

	(void)state;
	make_timer_with_crew(&driver);
	rt_run_samples(&timer, nothing, &lru, &lane);
	assert_int_equal(regions, SAMPLES);
	assert_int_equal(watch.touched, 0);
	release_timer_with_crew();
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_crew_W58_W59_does_its_work_once_on_every_cpu_that_there_is),
		cmocka_unit_test(test_rt_crew_one_member_works_on_its_cpu_while_the_others_rest),
		cmocka_unit_test(
		    test_rt_crew_W58_a_flush_area_is_read_on_every_cpu_each_a_part_of_its_own),
		cmocka_unit_test(
		    test_rt_crew_W58_every_cpu_flushes_before_each_sample_with_threads),
		cmocka_unit_test(
		    test_rt_crew_a_caller_bound_to_the_first_cpu_does_that_part_itself),
		cmocka_unit_test(
		    test_rt_crew_where_there_is_one_cpu_the_caller_does_the_work_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
