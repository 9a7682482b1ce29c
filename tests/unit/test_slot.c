/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/spawn/spawn.h"

static char	dir[32];		/* empty: a build is given copies of what is in it */

/* How many bytes a jail of this phase has written to the way into its cell. */
static off_t
bytes_written(int slot_fd, enum jail_phase phase)
{
	static const char *const	argv[] = { "/bin/true", NULL };
	const struct jail_order		order = { .phase = phase, .argv = argv, .dir = dir,
					    .cpu = -1, .keep_fd = -1, .output_fd = -1 };
	struct jailed			j;
	struct jail_end			end;
	struct fault			why;

	assert_int_equal(ftruncate(slot_fd, 0), 0);
	assert_int_equal(lseek(slot_fd, 0, SEEK_SET), 0);
	if (jail_spawn(&j, &order, &why) != ST_OK)
		fail_msg("%s", why.text);
	while (!jail_wait(&j, -1, &end))
		continue;
	if (end.setup_failed)
		fail_msg("%s", end.words);
	assert_int_equal(end.code, 0);
	return lseek(slot_fd, 0, SEEK_END);
}

static void
test_slot_every_jail_of_its_worker_enters_it(void **state)
{
	int	fd = memfd_create("slot", 0);
	char	byte = ' ';

	(void)state;
	if (!jail_support()->works)
		skip();
	jail_enter_cell(fd);
	assert_int_equal(bytes_written(fd, JAIL_TIME), 1);
	assert_int_equal(pread(fd, &byte, 1, 0), 1);
	assert_int_equal(byte, '0');
	assert_int_equal(bytes_written(fd, JAIL_BUILD), 1);
	jail_enter_cell(-1);
	assert_int_equal(bytes_written(fd, JAIL_TIME), 0);
	(void)close(fd);
}

static void
test_slot_one_that_is_gone_does_not_keep_a_runner_from_starting(void **state)
{
	int	fd = memfd_create("slot", 0), read_only = -1;
	char	path[32];

	(void)state;
	if (!jail_support()->works)
		skip();
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	assert_true((read_only = open(path, O_RDONLY)) >= 0);	/* as a removed cgroup: no write
								 * succeeds */
	jail_enter_cell(read_only);
	assert_int_equal(bytes_written(fd, JAIL_TIME), 0);
	jail_enter_cell(-1);
	(void)close(read_only);
	(void)close(fd);
}

static int
set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/assay-test-XXXXXX");
	return mkdtemp(dir) == NULL || chmod(dir, 0755) == -1;
}

static int
tear_down(void **state)
{
	(void)state;
	return rmdir(dir);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_slot_every_jail_of_its_worker_enters_it),
		cmocka_unit_test(test_slot_one_that_is_gone_does_not_keep_a_runner_from_starting),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
