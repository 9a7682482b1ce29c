/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/setup/turn.h"

enum { FILES = 3 };

/* Files that are locked, and each of them opened once more. */
struct files {
	int	held[FILES], fd[FILES];
};

static void
lock_all(struct files *f)
{
	for (unsigned i = 0; i < FILES; i++) {
		char	path[] = "/tmp/assay-turn-XXXXXX";

		assert_true((f->held[i] = mkstemp(path)) >= 0);
		assert_true((f->fd[i] = open(path, O_RDONLY | O_CLOEXEC)) >= 0);
		assert_int_equal(unlink(path), 0);
		assert_int_equal(flock(f->held[i], LOCK_EX), 0);
	}
}

static void
close_all(struct files *f)
{
	for (unsigned i = 0; i < FILES; i++) {
		(void)close(f->held[i]);
		(void)close(f->fd[i]);
	}
}

static void
test_turn_the_file_that_becomes_free_is_locked_and_the_others_are_not(void **state)
{
	struct files	f;
	struct fault	why;
	unsigned	got = FILES;

	(void)state;
	lock_all(&f);
	assert_int_equal(flock(f.held[1], LOCK_UN), 0);
	assert_int_equal(turn_await(f.fd, FILES, -1, &got, &why), ST_OK);
	assert_int_equal(got, 1);
	assert_int_equal(flock(f.held[1], LOCK_EX | LOCK_NB), -1);
	/* these locks never leave their first owner */
	assert_int_equal(flock(f.fd[0], LOCK_EX | LOCK_NB), -1);
	assert_int_equal(flock(f.fd[2], LOCK_EX | LOCK_NB), -1);
	close_all(&f);
}

static void
test_turn_the_wait_ends_at_the_end_of_the_pipe(void **state)
{
	struct files	f;
	struct fault	why;
	unsigned	got;
	int		life[2];

	(void)state;
	lock_all(&f);
	assert_int_equal(pipe2(life, O_CLOEXEC), 0);
	assert_int_equal(write(life[1], "x", 1), 1);		/* news is no end */
	(void)close(life[1]);
	assert_int_equal(turn_await(f.fd, FILES, life[0], &got, &why), ST_CANCELLED);
	for (unsigned i = 0; i < FILES; i++) {
		assert_int_equal(flock(f.held[i], LOCK_UN), 0);
		/* no thread is left that would take it */
		assert_int_equal(flock(f.held[i], LOCK_EX | LOCK_NB), 0);
	}
	(void)close(life[0]);
	close_all(&f);
}

static void
test_turn_a_file_that_cannot_be_locked_is_an_error(void **state)
{
	const int	fd = open("/", O_PATH | O_CLOEXEC);
	struct fault	why;
	unsigned	got;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(turn_await(&fd, 1, -1, &got, &why), ST_IO);
	(void)close(fd);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_turn_the_file_that_becomes_free_is_locked_and_the_others_are_not),
		cmocka_unit_test(test_turn_the_wait_ends_at_the_end_of_the_pipe),
		cmocka_unit_test(test_turn_a_file_that_cannot_be_locked_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
