/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/setup/state_lock.h"

/* A process that has the lock until it is told to end, by the end of a pipe. */
struct holder {
	pid_t	pid;
	int	fd;
};

static struct holder
hold(const char *dir, bool answers_only)
{
	struct holder	h;
	int		ready[2], end[2];
	char		c;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(end), 0);
	if ((h.pid = fork()) == 0) {
		(void)close(end[1]);
		if (state_lock(dir, "/run/socket of the holder", answers_only, NULL) != ST_OK ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		_exit(read(end[0], &c, 1) == 0 ? 0 : 1);
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	(void)close(ready[0]);
	(void)close(ready[1]);
	(void)close(end[0]);
	h.fd = end[1];
	return h;
}

static void
end(struct holder *h)
{
	int	status;

	(void)close(h->fd);
	assert_int_equal(waitpid(h->pid, &status, 0), h->pid);
	assert_int_equal(status, 0);
}

static void
read_lock(const char *dir, char text[128])
{
	char	 path[64];
	FILE	*f;
	size_t	 n;

	(void)snprintf(path, sizeof path, "%s/lock", dir);
	assert_non_null(f = fopen(path, "r"));
	n = fread(text, 1, 127, f);
	text[n] = '\0';
	(void)fclose(f);
}

static void
clean(const char *dir)
{
	char	path[64];

	(void)snprintf(path, sizeof path, "%s/lock", dir);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

static void
test_state_lock_names_the_holders_socket_and_refuses_a_second_daemon(void **state)
{
	char		dir[] = "/tmp/assay-lock-XXXXXX", text[128];
	struct holder	h;
	struct fault	why;

	(void)state;
	assert_non_null(mkdtemp(dir));
	h = hold(dir, false);
	assert_int_equal(state_lock(dir, "/run/mine", false, &why), ST_CONFLICT);
	assert_non_null(strstr(why.text, dir));
	read_lock(dir, text);
	assert_string_equal(text, "/run/socket of the holder\n");
	end(&h);
	assert_int_equal(state_lock(dir, "/m", false, &why), ST_OK);
	read_lock(dir, text);
	assert_string_equal(text, "/m\n");
	clean(dir);
}

static void
test_state_lock_waits_for_a_daemon_that_only_answers(void **state)
{
	char		dir[] = "/tmp/assay-lock-XXXXXX", text[128];
	struct holder	h;
	int		status;

	(void)state;
	assert_non_null(mkdtemp(dir));
	h = hold(dir, true);
	if (fork() == 0) {
		(void)close(h.fd);
		_exit(state_lock(dir, "/next", false, NULL) == ST_OK ? 0 : 1);
	}
	end(&h);
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
	read_lock(dir, text);
	assert_string_equal(text, "/next\n");
	clean(dir);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_state_lock_names_the_holders_socket_and_refuses_a_second_daemon),
		cmocka_unit_test(test_state_lock_waits_for_a_daemon_that_only_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
