/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/base/clock.h"
#include "worker/bench/proc/halt.h"

/* Processes that count in memory which we share: once they are stopped, no count changes. */
enum { THREADS = 4 };
#define LIMIT_NS	(120 * UINT64_C(1000000000))

struct counts {
	volatile uint64_t	 by[THREADS];
};

static struct counts	*counts;

typedef void	 life_fn(void);

static bool
halt(pid_t pid)
{
	return halt_begin(pid) && halt_wait(pid);
}

static pid_t
start(life_fn *life)
{
	pid_t	pid;

	*counts = (struct counts){ { 0 } };
	assert_int_not_equal(pid = fork(), -1);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		life();
		_exit(0);
	}
	return pid;
}

static void
end(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* Until each of the first n has counted on from here. */
static void
wait_for_counts(int n)
{
	const struct counts	then = *counts;
	const uint64_t		give_up_ns = clock_now_ns() + LIMIT_NS;

	for (int i = 0; i < n; i++)
		while (counts->by[i] == then.by[i]) {
			if (clock_now_ns() > give_up_ns)
				fail_msg("thread %d does not run", i);
			(void)usleep(100);
		}
}

/* For a few times as long as any of them would need to count on. */
static void
assert_counts_stand(void)
{
	const struct counts	then = *counts;

	for (int i = 0; i < 50; i++) {
		(void)usleep(100);
		assert_memory_equal(&then, counts, sizeof then);
	}
}

static char
state_of(pid_t pid)
{
	char	 path[64], text[256] = "";
	FILE	*f;

	(void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	assert_non_null(f = fopen(path, "re"));
	assert_true(fread(text, 1, sizeof text - 1, f) > 0);
	(void)fclose(f);
	return strrchr(text, ')')[2];
}

static void *
count(void *nth)
{
	for (;;)
		counts->by[(intptr_t)nth]++;
	return NULL;
}

static void
one_counts(void)
{
	(void)count(NULL);
}

static void
threads_count(void)
{
	pthread_t	t;

	for (intptr_t i = 1; i < THREADS; i++)
		if (pthread_create(&t, NULL, count, (void *)i) != 0)
			_exit(1);
	(void)count(NULL);
}

static void
signals_are_blocked(void)
{
	sigset_t	all;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	for (int s = 1; s < NSIG; s++)
		(void)signal(s, SIG_IGN);
	(void)count(NULL);
}

/* Its name is that of a process in another state. */
static void
has_an_odd_name(void)
{
	(void)prctl(PR_SET_NAME, "a) T (b");
	(void)count(NULL);
}

static void
is_over(void)
{
}

/* It is stopped at once, and goes on when it is continued; three times. */
static void
assert_can_be_halted(life_fn *life, int threads)
{
	pid_t	pid = start(life);

	for (int i = 0; i < 3; i++) {
		wait_for_counts(threads);
		assert_true(halt(pid));
		assert_int_equal(state_of(pid), 'T');
		assert_counts_stand();
		assert_int_equal(kill(pid, SIGCONT), 0);
	}
	end(pid);
}

static void
test_halt_a_process_does_nothing_until_it_is_continued(void **state)
{
	(void)state;
	assert_can_be_halted(one_counts, 1);
}

static void
test_halt_all_threads_are_stopped(void **state)
{
	(void)state;
	assert_can_be_halted(threads_count, THREADS);
}

static void
test_halt_a_process_that_blocks_all_signals_is_stopped_too(void **state)
{
	(void)state;
	assert_can_be_halted(signals_are_blocked, 1);
}

static void
test_halt_a_name_is_not_taken_for_a_state(void **state)
{
	(void)state;
	assert_can_be_halted(has_an_odd_name, 1);
}

static void
test_halt_a_process_that_is_stopped_already_stays_so(void **state)
{
	pid_t	pid = start(one_counts);

	(void)state;
	wait_for_counts(1);
	assert_true(halt(pid));
	assert_true(halt(pid));
	assert_counts_stand();
	end(pid);
}

static void
test_halt_a_process_that_is_over_runs_no_more(void **state)
{
	pid_t		pid = start(is_over);
	siginfo_t	info;

	(void)state;
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_true(halt(pid));		/* a zombie */
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_false(halt(pid));
}

static void
test_halt_no_process_is_stopped_without_its_number(void **state)
{
	(void)state;
	assert_false(halt(0));
	assert_false(halt(-1));
}

static int
open_counts(void **state)
{
	(void)state;
	counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
	    0);
	return counts == MAP_FAILED;
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_halt_a_process_does_nothing_until_it_is_continued),
		cmocka_unit_test(test_halt_all_threads_are_stopped),
		cmocka_unit_test(test_halt_a_process_that_blocks_all_signals_is_stopped_too),
		cmocka_unit_test(test_halt_a_name_is_not_taken_for_a_state),
		cmocka_unit_test(test_halt_a_process_that_is_stopped_already_stays_so),
		cmocka_unit_test(test_halt_a_process_that_is_over_runs_no_more),
		cmocka_unit_test(test_halt_no_process_is_stopped_without_its_number),
	};

	return cmocka_run_group_tests(tests, open_counts, NULL);
}
