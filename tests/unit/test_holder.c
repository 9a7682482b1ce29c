/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/setup/holder.h"

enum { CHURNED = 20, LOOKUPS = 5000, PAUSE_US = 20 };

static int
scratch_file(void)
{
	char	path[] = "/tmp/assay-holder-XXXXXX";
	int	fd = mkstemp(path);

	assert_true(fd >= 0);
	(void)unlink(path);
	return fd;
}

/* The kernel lists locks by the CPU on which they were taken. */
static void
stay_on(int cpu)
{
	cpu_set_t	set;

	CPU_ZERO(&set);
	CPU_SET((unsigned)cpu, &set);
	(void)sched_setaffinity(0, sizeof set, &set);
}

/* Takes and drops locks at the head of the list, for ever. */
static _Noreturn void
churn(void)
{
	int	fd[CHURNED];

	stay_on(0);
	for (unsigned i = 0; i < CHURNED; i++) {
		fd[i] = scratch_file();
		(void)flock(fd[i], LOCK_EX);
	}
	for (unsigned i = 0;; i = (i + 7) % CHURNED) {
		(void)flock(fd[i], LOCK_UN);
		(void)usleep(PAUSE_US);
		(void)flock(fd[i], LOCK_EX);
	}
}

static void
test_the_holder_is_found_while_other_locks_come_and_go(void **state)
{
	char	holder[HOLDER_BYTES], expected[HOLDER_BYTES];
	int	fd = scratch_file();
	pid_t	other = fork();

	(void)state;
	if (other == 0)
		churn();
	stay_on((int)sysconf(_SC_NPROCESSORS_ONLN) - 1);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	(void)snprintf(expected, sizeof expected, "process %d (test_holder)", (int)getpid());
	for (unsigned i = 0; i < LOOKUPS; i++) {
		bool	found = holder_of(fd, holder);

		if (!found)
			(void)kill(other, SIGKILL);
		assert_true(found);
		assert_string_equal(holder, expected);
	}
	(void)kill(other, SIGKILL);
	(void)waitpid(other, NULL, 0);
	(void)close(fd);
}

static void
test_a_file_without_a_lock_has_no_holder(void **state)
{
	char	holder[HOLDER_BYTES];
	int	fd = scratch_file();

	(void)state;
	assert_false(holder_of(fd, holder));
	assert_string_equal(holder, "");
	(void)close(fd);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_the_holder_is_found_while_other_locks_come_and_go),
		cmocka_unit_test(test_a_file_without_a_lock_has_no_holder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
