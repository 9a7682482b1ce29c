/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/runner/sample/crew.h"
#include "worker/runner/sample/sets.h"

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

enum { PAGE = 4096, PART_PAGES = 16 };
static int16_t			operand_data[64];
static const struct rt_operand	operand = { .rt_name = "p", .rt_class = 'i', .rt_access = 'i', .rt_init = 'd',
				    .rt_bytes = 2, .rt_count = 64, .rt_stride = 1, .rt_align = 64,
				    .rt_data = operand_data, .rt_data_bytes = sizeof operand_data };
static const struct rt_driver	driver = { .rt_abi = RT_ABI, .rt_operands = 1, .rt_operand = &operand };

/* An area that may not be touched: whoever does is seen, page by page, and goes on. */
static char			*hidden;
static int			 touched_on[MOST * PART_PAGES];	/* the CPU; -1: nobody did */

static void
see_touch(int number, siginfo_t *info, void *context)
{
	const size_t	at = (size_t)((const char *)info->si_addr - hidden) / PAGE;

	(void)context;
	if ((const char *)info->si_addr < hidden || at >= MOST * PART_PAGES) {
		(void)signal(number, SIG_DFL);
		return;
	}
	touched_on[at] = sched_getcpu();
	(void)mprotect(hidden + at * PAGE, PAGE, PROT_READ | PROT_WRITE);
}

static void
hide(struct rt_sets *s)
{
	hidden = s->flush;
	for (size_t i = 0; i < MOST * PART_PAGES; i++)
		touched_on[i] = -1;
	assert_int_equal(mprotect(hidden, s->flush_bytes, PROT_NONE), 0);
}

/* Which part of the area its members have read, each on its own CPU. */
static void
test_rt_crew_W58_a_sweep_is_read_on_every_cpu_each_a_part_of_its_own(void **state)
{
	const struct runner_setup	 setup = { .cpu = -1, .line_bytes = 64, .l1_bytes = 32 << 10,
	    .l2_bytes = 1 << 20 };
	const struct runner_run		 run = { .kind = RUNNER_SAMPLE, .samples = 1, .calls = 1,
					    .flush = RUNNER_FLUSH_LRU, .flush_bytes = PART_PAGES * PAGE };
	const struct sigaction		 watch = { .sa_sigaction = see_touch, .sa_flags = SA_SIGINFO };
	struct sigaction		 before;
	static struct work		 w;
	struct rt_sets			 s;

	(void)state;
	assert_null(rt_sets_make(&s, &driver, &setup));
	s.crew = rt_crew_new();
	rt_crew_run(s.crew, part, &w);
	assert_null(rt_sets_make_flush(&s, (rt_crew_size(s.crew) + 1) * run.flush_bytes));
	rt_sets_enter(&s);
	assert_int_equal(sigaction(SIGSEGV, &watch, &before), 0);
	hide(&s);
	rt_sets_flush(&s, &run);
	assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
	for (uint32_t m = 0; s.crew != NULL && m < rt_crew_size(s.crew); m++)
		for (unsigned i = 0; i < PART_PAGES; i++)
			assert_int_equal(touched_on[m * PART_PAGES + i], w.cpu[m]);
	for (unsigned i = 0; i < PART_PAGES; i++) {
		assert_true(touched_on[i] >= 0);
		assert_int_equal(touched_on[rt_crew_size(s.crew) * PART_PAGES + i], -1);	/* nobody's part */
	}
	rt_crew_free(s.crew);
	s.crew = NULL;
	rt_sets_release(&s);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_crew_W58_W59_does_its_work_once_on_every_cpu_that_there_is),
		cmocka_unit_test(test_rt_crew_one_member_works_on_its_cpu_while_the_others_rest),
		cmocka_unit_test(test_rt_crew_W58_a_sweep_is_read_on_every_cpu_each_a_part_of_its_own),
		cmocka_unit_test(test_rt_crew_who_is_bound_to_the_first_cpu_does_that_part_himself),
		cmocka_unit_test(test_rt_crew_where_there_is_one_cpu_the_caller_does_it_himself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
