/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/setup/host_names.h"

enum { OF_DIRECTORY = 3999999, OF_NOBODY = 3999998 };

/* A directory on the network, in place of libc's: it answers when the test lets it. */
static sem_t	answers, asked;

int
getpwuid_r(uid_t uid, struct passwd *pw, char *buf, size_t bytes, struct passwd **found)
{
	static char	name[] = "far";

	(void)buf;
	(void)bytes;
	(void)sem_post(&asked);
	while (sem_wait(&answers) != 0)
		;
	*pw = (struct passwd){ .pw_name = name, .pw_uid = uid };
	*found = uid == OF_DIRECTORY ? pw : NULL;
	return 0;
}

static int
set_up(void **state)
{
	(void)sem_init(&answers, 0, 0);
	(void)sem_init(&asked, 0, 0);
	return (*state = host_names_new()) == NULL;
}

static int
tear_down(void **state)
{
	host_names_free(*state);
	return 0;
}

static const char *
name_of(struct host_names *n, uid_t uid)
{
	static char	buf[USER_NAME_BYTES];

	host_names_find(n, uid, buf);
	return buf;
}

static void
test_host_names_of_the_hosts_own_file_are_known_at_once(void **state)
{
	assert_string_equal(name_of(*state, 0), "root");
	assert_int_equal(sem_trywait(&asked), -1);
}

static void
test_host_names_of_a_slow_directory_keep_nobody_waiting(void **state)
{
	assert_string_equal(name_of(*state, OF_DIRECTORY), "");
	(void)sem_wait(&asked);
	for (int i = 0; i < 1000; i++)		/* it still thinks: one question is enough */
		assert_string_equal(name_of(*state, OF_DIRECTORY), "");
	assert_string_equal(name_of(*state, 0), "root");
	assert_int_equal(sem_trywait(&asked), -1);
	(void)sem_post(&answers);
	while (strcmp(name_of(*state, OF_DIRECTORY), "far") != 0)
		(void)sched_yield();
	assert_int_equal(sem_trywait(&asked), -1);	/* and is remembered */
}

static void
test_host_names_are_asked_for_one_after_another(void **state)
{
	assert_string_equal(name_of(*state, OF_NOBODY), "");
	assert_string_equal(name_of(*state, OF_DIRECTORY), "");
	(void)sem_post(&answers);
	(void)sem_post(&answers);
	while (strcmp(name_of(*state, OF_DIRECTORY), "far") != 0)
		(void)sched_yield();
	assert_string_equal(name_of(*state, OF_NOBODY), "");
}

static void
test_host_names_may_be_freed_while_the_directory_thinks(void **state)
{
	struct host_names	*n = host_names_new();

	(void)state;
	assert_non_null(n);
	assert_string_equal(name_of(n, OF_DIRECTORY), "");
	(void)sem_wait(&asked);
	host_names_free(n);
	(void)sem_post(&answers);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_host_names_of_the_hosts_own_file_are_known_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_host_names_of_a_slow_directory_keep_nobody_waiting, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_host_names_are_asked_for_one_after_another, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_host_names_may_be_freed_while_the_directory_thinks, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
