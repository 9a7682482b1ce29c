/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_JAILS_H
#define ASSAY_TESTS_JAILS_H

/*
 * Real jails.  A group of tests runs in as many ways as this machine and its user allow: as whoever
 * runs it, without any namespace, and, started by root, as an ordinary user.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/base/path.h"
#include "worker/spawn/spawn.h"

enum { PATIENCE_MS = 60000 };	/* limits are of CPU time, and others want the CPUs too */

static char	dir[64];
static char	host_net[64];		/* the network namespace before any way */
static int	output;			/* a memfd: what the program printed */

static inline int
set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/assay-test-XXXXXX");
	output = memfd_create("output", MFD_CLOEXEC);
	return mkdtemp(dir) == NULL || chmod(dir, 0755) == -1 || output == -1;
}

static inline int
tear_down(void **state)
{
	char	command[128];

	(void)state;
	close(output);
	(void)snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

static inline struct jail_order
order_of(const char *const *argv)
{
	return (struct jail_order){ .phase = JAIL_BUILD, .argv = argv, .dir = dir, .cpu = -1,
	    .keep_fd = -1, .output_fd = output, .file_bytes = 1 << 20 };
}

static inline void
start(struct jailed *j, const struct jail_order *o)
{
	struct fault	why;

	if (jail_spawn(j, o, &why) != ST_OK)
		fail_msg("%s", why.text);
}

static inline struct jail_end
run(const struct jail_order *o)
{
	struct jailed	j;
	struct jail_end	end;

	start(&j, o);
	assert_true(jail_wait(&j, PATIENCE_MS, &end));
	assert_int_equal(j.pid, 0);
	return end;
}

static inline struct jail_end
run_program(const char *program, const char *option, const char *text)
{
	const char *const	argv[] = { program, option, text, NULL };
	const struct jail_order	o = order_of(argv);

	return run(&o);
}

static inline struct jail_end
run_script(const char *script)
{
	return run_program("/bin/sh", "-c", script);
}

static inline char *
printed(void)
{
	static char	text[4096];
	ssize_t		n = pread(output, text, sizeof text - 1, 0);

	assert_true(n >= 0);
	text[n] = '\0';
	return text;
}

static inline void
wait_until_printed(const char *text)
{
	for (int i = 0; i < PATIENCE_MS / 5; i++) {
		if (strstr(printed(), text) != NULL)
			return;
		(void)usleep(5000);
	}
	fail_msg("\"%s\" was not printed, but: %s", text, printed());
}

/* A number of seconds that no other process sleeps. */
static inline const char *
own_seconds(void)
{
	static char	text[32];
	static unsigned	n;

	(void)snprintf(text, sizeof text, "3%u.%u", (unsigned)getpid(), n++);
	return text;
}

static inline void
assert_no_children(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* ---- the ways ---- */

#define IN_JAIL(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)

/* A program's tests, by cmocka_run_group_tests_name. */
typedef int	group_fn(const char *name);

static inline int
run_group(const char *name, group_fn *group)
{
	char		path[4200];
	struct fault	why;

	if (path_program("assay-jail", path, sizeof path, &why) != ST_OK) {
		printf("%s: assay-jail is out of reach\n", name);
		return 0;
	}
	printf("%s:\n", name);
	(void)fflush(stdout);
	return group(name);
}

enum way { WITH_NAMESPACES, WITH_OWN_NETWORK, WITHOUT_NAMESPACES };

/* In a child, since what works is found out once per process. */
static inline int
in_child(const char *name, group_fn *group, enum way way, uid_t uid)
{
	int	status;
	pid_t	pid = fork();

	if (pid == 0) {
		if (way == WITHOUT_NAMESPACES)
			jail_without_namespaces();
		/*
		 * A change of uid makes a process unreadable to itself, until an exec would make it
		 * a real user's.
		 */
		if (uid != 0 && (setgid(uid) == -1 || setuid(uid) == -1 ||
		    prctl(PR_SET_DUMPABLE, 1) == -1))
			_exit(1);
		if (way == WITH_OWN_NETWORK)
			jail_leave_network();
		_exit(run_group(name, group) == 0 ? 0 : 1);
	}
	return waitpid(pid, &status, 0) == pid && status == 0 ? 0 : 1;
}

/* How many of the ways failed. */
static inline int
run_in_every_way(group_fn *group)
{
	int	failed;

	if (readlink("/proc/self/ns/net", host_net, sizeof host_net - 1) == -1)
		return 1;
	failed = in_child("spawn as it is", group, WITH_NAMESPACES, 0);
	failed += in_child("spawn with a network of our own", group, WITH_OWN_NETWORK, 0);
	failed += in_child("spawn without namespaces", group, WITHOUT_NAMESPACES, 0);
	if (geteuid() == 0) {
		failed += in_child("spawn as an ordinary user", group, WITH_NAMESPACES, 54321);
		failed += in_child("spawn as an ordinary user with a network of our own", group,
		    WITH_OWN_NETWORK, 54321);
		failed += in_child("spawn as an ordinary user without namespaces", group,
		    WITHOUT_NAMESPACES, 54321);
	}
	return failed;
}

#endif
