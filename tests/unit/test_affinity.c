/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/bench/proc/affinity.h"

static void *
sleep_on(void *ready)
{
	(void)!write(*(int *)ready, "", 1);
	pause();
	return NULL;
}

/* A process with a second thread that may run wherever this test may. */
static pid_t
start_process(void)
{
	int		pipe_fds[2];
	char		byte;
	pid_t		pid;
	pthread_t	thread;

	assert_int_equal(pipe(pipe_fds), 0);
	if ((pid = fork()) == 0) {
		if (pthread_create(&thread, NULL, sleep_on, &pipe_fds[1]) == 0)
			pause();
		_exit(1);
	}
	assert_int_equal(read(pipe_fds[0], &byte, 1), 1);
	(void)close(pipe_fds[0]);
	(void)close(pipe_fds[1]);
	return pid;
}

static void
end_process(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* All that this test may run on; the first of them is the timing CPU. */
static struct slot
whole_slot(void)
{
	struct slot	s = { .cpu = 0 };

	assert_int_equal(sched_getaffinity(0, sizeof s.all, &s.all), 0);
	while (!CPU_ISSET((size_t)s.cpu, &s.all))
		s.cpu++;
	return s;
}

static void
test_affinity_threads_have_the_slot_and_others_its_first_cpu(void **state)
{
	struct slot	s = { .cpu = 4 };
	cpu_set_t	cpus;

	(void)state;
	CPU_SET(4, &s.all);
	CPU_SET(7, &s.all);
	affinity_cpus(&s, 1, &cpus);
	assert_true(CPU_COUNT(&cpus) == 1 && CPU_ISSET(4, &cpus));
	affinity_cpus(&s, 2, &cpus);
	assert_true(CPU_COUNT(&cpus) == 2 && CPU_ISSET(7, &cpus));
	CPU_ZERO(&s.all);
	affinity_cpus(&s, 2, &cpus);
	assert_true(CPU_COUNT(&cpus) == 1 && CPU_ISSET(4, &cpus));
	s.cpu = -1;
	affinity_cpus(&s, 2, &cpus);
	assert_int_equal(CPU_COUNT(&cpus), 0);
}

static void
test_affinity_is_who_is_on_the_first_cpu_with_threads_on_the_slots(void **state)
{
	struct slot	s = whole_slot();
	pid_t		pid = start_process();

	(void)state;
	if (CPU_COUNT(&s.all) > 1)
		assert_false(affinity_holds(&s, 2, pid));
	assert_true(affinity_first(&s, pid));
	assert_true(affinity_holds(&s, 2, pid));
	end_process(pid);
	assert_false(affinity_holds(&s, 2, 0));
}

static void
test_affinity_is_not_who_has_a_thread_elsewhere(void **state)
{
	struct slot	s = whole_slot();
	pid_t		pid;

	(void)state;
	if (CPU_COUNT(&s.all) < 2)
		skip();
	CPU_ZERO(&s.all);
	CPU_SET((size_t)s.cpu, &s.all);
	pid = start_process();
	assert_true(affinity_first(&s, pid));
	assert_true(affinity_holds(&s, 1, pid));
	assert_false(affinity_holds(&s, 2, pid));
	end_process(pid);
}

static void
test_affinity_a_slot_of_all_cpus_leaves_us_none(void **state)
{
	struct slot	s = whole_slot(), none = { .cpu = -1 };
	bool		alone = CPU_COUNT(&s.all) == 1;

	(void)state;
	assert_false(affinity_leaves_us_one(&s));
	assert_false(affinity_leaves_us_one(&none));
	CPU_ZERO(&s.all);
	assert_int_equal(affinity_leaves_us_one(&s), !alone);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_affinity_threads_have_the_slot_and_others_its_first_cpu),
		cmocka_unit_test(test_affinity_is_who_is_on_the_first_cpu_with_threads_on_the_slots),
		cmocka_unit_test(test_affinity_is_not_who_has_a_thread_elsewhere),
		cmocka_unit_test(test_affinity_a_slot_of_all_cpus_leaves_us_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
