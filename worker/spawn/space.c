/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "worker/spawn/space.h"

enum { STACK_BYTES = 64 << 10 };

static struct space_ids
ids_from(unsigned uid, unsigned gid)
{
	struct space_ids	ids;

	(void)snprintf(ids.uid_map, sizeof ids.uid_map, "%u %u 1", uid, (unsigned)geteuid());
	(void)snprintf(ids.gid_map, sizeof ids.gid_map, "%u %u 1", gid, (unsigned)getegid());
	return ids;
}

struct space_ids
space_ids_of_root(void)
{
	return ids_from(0, 0);
}

struct space_ids
space_ids_of_ours(void)
{
	return ids_from(geteuid(), getegid());
}

static bool
put_file(const char *path, const char *text)
{
	int	fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t	n;

	if (fd == -1)
		return false;
	n = write(fd, text, strlen(text));
	close(fd);
	return n == (ssize_t)strlen(text);
}

bool
space_map_ids(const struct space_ids *ids)
{
	return put_file("/proc/self/setgroups", "deny") &&
	    put_file("/proc/self/uid_map", ids->uid_map) &&
	    put_file("/proc/self/gid_map", ids->gid_map);
}

void
space_hold_signals(sigset_t *old)
{
	sigset_t	all;

	sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, old);
}

void
space_let_signals(const sigset_t *old)
{
	const int	error = errno;

	(void)sigprocmask(SIG_SETMASK, old, NULL);
	errno = error;
}

pid_t
space_clone(int (*child)(void *), void *arg, int flags, int *pidfd)
{
	static char	stack[STACK_BYTES] __attribute__((aligned(64)));

	return clone(child, stack + STACK_BYTES, flags | CLONE_VM | CLONE_VFORK | SIGCHLD, arg,
	    pidfd);
}
