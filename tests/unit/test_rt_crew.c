/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/rt/crew.h"

enum { MOST = 1024 };

struct work {
	int		 cpu[MOST];		/* on which each part was done */
	int		 times[MOST];
	cpu_set_t	 may[MOST];
};

static void
part(void *arg, uint32_t number)
{
	struct work	*w = arg;

	w->cpu[number] = sched_getcpu();
	w->times[number]++;
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

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_crew_W58_W59_does_its_work_once_on_every_cpu_that_there_is),
		cmocka_unit_test(test_rt_crew_one_member_works_on_its_cpu_while_the_others_rest),
		cmocka_unit_test(test_rt_crew_where_there_is_one_cpu_the_caller_does_it_himself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
