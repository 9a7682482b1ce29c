/* SPDX-License-Identifier: Apache-2.0 */
/* How a program in a jail ends, and that nothing of it stays. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>

#include "tests/support/jails.h"

/* ---- how it ends ---- */

static void
test_spawn_exit_codes_arrive_exactly(void **state)
{
	static const int	codes[] = { 0, 1, 7, 126, 127, 139, 255 };
	char			script[32];

	(void)state;
	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
		struct jail_end	end;

		(void)snprintf(script, sizeof script, "exit %d", codes[i]);
		end = run_script(script);
		assert_false(end.setup_failed);
		assert_int_equal(end.signal, 0);
		assert_int_equal(end.code, codes[i]);
	}
	assert_no_children();
}

static void
test_spawn_a_signal_is_told_from_a_code(void **state)
{
	static const int	signals[] = { SIGSEGV, SIGKILL, SIGABRT, SIGTERM, SIGFPE };
	char			script[32];

	(void)state;
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		struct jail_end	end;

		(void)snprintf(script, sizeof script, "kill -%d $$", signals[i]);
		end = run_script(script);
		assert_false(end.setup_failed);
		assert_int_equal(end.signal, signals[i]);
	}
}

static void
test_spawn_a_program_that_is_not_there_is_a_failure_of_set_up(void **state)
{
	struct jail_end	end = run_program("/usr/bin/no-such-program", NULL, NULL);

	(void)state;
	assert_true(end.setup_failed);
	assert_non_null(strstr(end.words, "/usr/bin/no-such-program"));
	assert_non_null(strstr(end.words, strerror(ENOENT)));
	end = run_program("/nowhere/no-such-program", NULL, NULL);
	assert_true(end.setup_failed);
	end = run_program("/usr", NULL, NULL);
	assert_true(end.setup_failed);
	assert_non_null(strstr(end.words, strerror(EACCES)));
}

static void
test_spawn_a_directory_that_is_not_there_is_a_failure_of_set_up(void **state)
{
	const char *const	argv[] = { "/bin/true", NULL };
	struct jail_order	o = order_of(argv);
	struct jail_end		end;

	(void)state;
	o.dir = "/tmp/no-such-directory";
	end = run(&o);
	assert_true(end.setup_failed);
	assert_non_null(strstr(end.words, "no-such-directory"));
}

static void
test_spawn_waiting_has_a_limit(void **state)
{
	const char *const	argv[] = { "/bin/sleep", own_seconds(), NULL };
	const struct jail_order	o = order_of(argv);
	struct jailed		j;
	struct jail_end		end;

	(void)state;
	start(&j, &o);
	assert_false(jail_wait(&j, 0, &end));
	assert_false(jail_wait(&j, 20, &end));
	assert_true(j.pid > 0);
	jail_kill(&j);
	assert_int_equal(j.pid, 0);
	jail_kill(&j);			/* harmless */
	assert_true(jail_wait(&j, 0, &end));
	assert_no_children();
}

static void
test_spawn_the_end_tells_what_the_program_used(void **state)
{
	struct jail_end	end = run_program("/usr/bin/python3", "-c",
			    "x = bytearray(64 << 20)\nfor i in range(10**6): pass");

	(void)state;
	assert_int_equal(end.code, 0);
	assert_true(end.usage.ru_maxrss > 60 << 10);
	assert_true(end.usage.ru_utime.tv_sec * 1000000 + end.usage.ru_utime.tv_usec > 1000);
}

/* ---- nothing stays ---- */

/*
 * Is this argument among the n bytes of a command line? assay-jail's, which ends with the
 * program's, does not count.
 */
static bool
has_argument(const char *text, ssize_t n, const char *argument)
{
	const char	*name = strrchr(text, '/');

	if (name != NULL && strcmp(name, "/assay-jail") == 0)
		return false;
	for (ssize_t i = 0; i < n; i += (ssize_t)strlen(text + i) + 1)
		if (strcmp(text + i, argument) == 0)
			return true;
	return false;
}

/* Processes on the host, zombies aside, with this as an argument. */
static unsigned
processes_with(const char *argument)
{
	DIR		*proc = opendir("/proc");
	struct dirent	*e;
	unsigned	 found = 0;

	assert_non_null(proc);
	while ((e = readdir(proc)) != NULL) {
		char	path[300], text[1024];
		int	fd;
		ssize_t	n;

		(void)snprintf(path, sizeof path, "/proc/%s/cmdline", e->d_name);
		if (e->d_name[0] < '0' || e->d_name[0] > '9' || (fd = open(path, O_RDONLY)) == -1)
			continue;
		n = read(fd, text, sizeof text - 1);
		close(fd);
		text[n > 0 ? n : 0] = '\0';
		found += has_argument(text, n, argument);
	}
	closedir(proc);
	return found;
}

/*
 * Leaves three sleepers behind, some of them daemons in sessions of their own, then goes on as
 * told.
 */
static void
daemons_script(char *buf, size_t bytes, const char *seconds, const char *then)
{
	(void)snprintf(buf, bytes,
	    "(setsid sleep %s & setsid sh -c 'setsid sleep %s & sleep %s; :' &) ; %s", seconds,
	    seconds, seconds, then);
}

static void
wait_for_processes(const char *argument, unsigned want)
{
	for (int i = 0; i < PATIENCE_MS / 5; i++) {
		if (processes_with(argument) == want)
			return;
		(void)usleep(5000);
	}
	fail_msg("%u processes, not %u", processes_with(argument), want);
}

static void
test_spawn_killing_takes_the_whole_tree(void **state)
{
	const char		*seconds = own_seconds();
	char			 script[512];
	const char *const	 argv[] = { "/bin/sh", "-c", script, NULL };
	const struct jail_order	 o = order_of(argv);
	struct jailed		 j;

	(void)state;
	daemons_script(script, sizeof script, seconds, "wait; sleep 1000");
	start(&j, &o);
	wait_for_processes(seconds, 3);
	jail_kill(&j);
	assert_int_equal(processes_with(seconds), 0);
	assert_no_children();
}

static void
test_spawn_a_program_that_ends_leaves_nobody(void **state)
{
	const char	*seconds = own_seconds();
	char		 script[512];
	struct jail_end	 end;

	(void)state;
	daemons_script(script, sizeof script, seconds, "exit 5");
	end = run_script(script);
	assert_int_equal(end.code, 5);
	assert_int_equal(processes_with(seconds), 0);
	assert_no_children();
}

static void
test_spawn_two_jails_end_one_by_one(void **state)
{
	char			one[32], two[32];
	const char *const	first[] = { "/bin/sleep", one, NULL },
	    *const second[] = { "/bin/sleep", two, NULL };
	struct jail_order	o = order_of(first);
	struct jailed		a, b;

	(void)state;
	strcpy(one, own_seconds());
	strcpy(two, own_seconds());
	start(&a, &o);
	o.argv = second;
	start(&b, &o);
	wait_for_processes(one, 1);
	wait_for_processes(two, 1);
	jail_kill(&a);
	assert_int_equal(processes_with(one), 0);
	assert_int_equal(processes_with(two), 1);
	jail_kill(&b);
	assert_int_equal(processes_with(two), 0);
	assert_no_children();
}

static void
test_spawn_a_jail_does_not_outlive_its_worker(void **state)
{
	const char	*seconds = own_seconds();
	char		 script[512];
	pid_t		 worker;

	(void)state;
	daemons_script(script, sizeof script, seconds, "sleep 1000");
	worker = fork();
	if (worker == 0) {
		const char *const	argv[] = { "/bin/sh", "-c", script, NULL };
		const struct jail_order	o = order_of(argv);
		struct jailed		j;
		struct fault		why;

		if (jail_spawn(&j, &o, &why) != ST_OK)
			_exit(1);
		for (;;)
			(void)pause();
	}
	wait_for_processes(seconds, 3);
	assert_int_equal(kill(worker, SIGKILL), 0);
	assert_int_equal(waitpid(worker, NULL, 0), worker);
	wait_for_processes(seconds, 0);
}

static unsigned
open_descriptors(void)
{
	unsigned	n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) != -1;
	return n;
}

static void
test_spawn_many_jails_leave_nothing_open(void **state)
{
	const unsigned	before = open_descriptors();
	struct jailed	j;

	(void)state;
	for (unsigned i = 0; i < 40; i++) {
		const char *const	argv[] = { "/bin/sleep", "1000", NULL };
		const struct jail_order	o = order_of(argv);

		assert_int_equal(run_script("true").code, 0);
		start(&j, &o);
		jail_kill(&j);
	}
	assert_int_equal(open_descriptors(), before);
	assert_no_children();
}

static void
test_spawn_says_what_is_missing(void **state)
{
	const struct jail_support	*s = jail_support();

	(void)state;
	assert_true(s->works);
	assert_int_equal(s->namespaces, s->mount && s->pid && s->net);
	if (!s->namespaces)
		assert_true(s->reason[0] != '\0');
}

static int
group(const char *name)
{
	const struct CMUnitTest	tests[] = {
		IN_JAIL(test_spawn_says_what_is_missing),
		IN_JAIL(test_spawn_exit_codes_arrive_exactly),
		IN_JAIL(test_spawn_a_signal_is_told_from_a_code),
		IN_JAIL(test_spawn_a_program_that_is_not_there_is_a_failure_of_set_up),
		IN_JAIL(test_spawn_a_directory_that_is_not_there_is_a_failure_of_set_up),
		IN_JAIL(test_spawn_waiting_has_a_limit),
		IN_JAIL(test_spawn_the_end_tells_what_the_program_used),
		IN_JAIL(test_spawn_killing_takes_the_whole_tree),
		IN_JAIL(test_spawn_a_program_that_ends_leaves_nobody),
		IN_JAIL(test_spawn_two_jails_end_one_by_one),
		IN_JAIL(test_spawn_a_jail_does_not_outlive_its_worker),
		IN_JAIL(test_spawn_many_jails_leave_nothing_open),
	};

	return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}

int
main(void)
{
	return run_in_every_way(group);
}
