/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/rt/crew.h"
#include "worker/rt/sets.h"

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
test_rt_crew_who_is_bound_to_the_first_cpu_does_that_part_himself(void **state)
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
test_rt_crew_where_there_is_one_cpu_the_caller_does_it_himself(void **state)
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

/* Each line has the place of the next, in an order that no prefetcher guesses. */
enum { LINES = 256, WORDS = 16, ROUNDS = 15 };
static unsigned			ring[LINES * WORDS];
static const struct rt_operand	operand = { .rt_name = "p", .rt_class = 'u', .rt_access = 'i', .rt_init = 'd',
				    .rt_bytes = 4, .rt_count = LINES * WORDS, .rt_stride = 1, .rt_align = 64,
				    .rt_data = ring, .rt_data_bytes = sizeof ring };
static const struct rt_driver	driver = { .rt_abi = RT_ABI, .rt_operands = 1, .rt_operand = &operand };

struct chase {
	const volatile unsigned	*p;
	rt_u64			 found, again;	/* ticks of a round as they lay, and of one right after it */
	unsigned		 at;		/* where it came to: the beginning */
};

static rt_u64
once_around(struct chase *c)
{
#if defined(__x86_64__) || defined(__aarch64__)
	rt_u64	start = rt_cycle_start();

	for (int i = 0; i < LINES; i++)
		c->at = c->p[c->at];
	return rt_cycle_stop() - start;
#else
	return 0;
#endif
}

static void
follow(void *arg, uint32_t number)
{
	struct chase	*c = arg;

	(void)number;
	c->at = 0;
	c->found = once_around(c);
	c->again = once_around(c);
}

static rt_u64
least(rt_u64 a, rt_u64 b)
{
	return a == 0 || b < a ? b : a;
}

static void
test_rt_crew_W58_what_a_routine_left_in_the_caches_of_any_cpu_is_flushed(void **state)
{
	const struct runner_setup	 setup = { .cpu = -1, .line_bytes = 64, .l1_bytes = 32 << 10,
					    .l2_bytes = 1 << 20 };
	const struct runner_run		 run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
					    .flush = RUNNER_FLUSH_LRU, .flush_bytes = 8 << 20 };
	struct rt_crew			*c = rt_crew_new();
	struct rt_sets			 s;
	struct chase			 chase;

	(void)state;
	if (!rt_flush_lines_can())
		skip();
	for (unsigned i = 0; i < LINES; i++)
		ring[i * WORDS] = (i + 97) % LINES * WORDS;
	assert_null(rt_sets_make(&s, &driver, &setup));
	s.crew = c;
	assert_null(rt_sets_make_flush(&s, rt_crew_size(c) * run.flush_bytes));
	rt_sets_enter(&s);
	chase.p = (const unsigned *)(const void *)s.live[0].home;
	for (uint32_t m = 0; c != NULL && m < rt_crew_size(c); m++) {
		rt_u64	warm = 0, flushed = 0;

		for (int round = 0; round < ROUNDS; round++) {
			rt_crew_run_on(c, m, follow, &chase);
			rt_sets_flush(&s, &run);
			rt_crew_run_on(c, m, follow, &chase);
			flushed = least(flushed, chase.found);
			warm = least(warm, chase.again);
			assert_int_equal(chase.at, 0);
		}
		print_message("member %u: %.1f times as long\n", m, (double)flushed / (double)warm);
		assert_true(flushed > 2 * warm);
	}
	s.crew = NULL;
	rt_sets_release(&s);
	rt_crew_free(c);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_crew_W58_W59_does_its_work_once_on_every_cpu_that_there_is),
		cmocka_unit_test(test_rt_crew_one_member_works_on_its_cpu_while_the_others_rest),
		cmocka_unit_test(test_rt_crew_W58_what_a_routine_left_in_the_caches_of_any_cpu_is_flushed),
		cmocka_unit_test(test_rt_crew_who_is_bound_to_the_first_cpu_does_that_part_himself),
		cmocka_unit_test(test_rt_crew_where_there_is_one_cpu_the_caller_does_it_himself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
