/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "worker/bench/proc/halt.h"

#define LIMIT_NS	1000000000u
#define SPIN_NS		30000u		/* most stop within it; a nap takes twice as long */
#define NAP_US		5u

static bool
may_wait(uint64_t began_ns)
{
	const uint64_t	waited_ns = clock_now_ns() - began_ns;

	if (waited_ns > SPIN_NS)
		(void)usleep(NAP_US);
	return waited_ns <= LIMIT_NS;
}

/* Does /proc/PID/task/TID/stat say so, behind the name in parentheses?  Gone is halted, too. */
static bool
is_halted_in(int fd)
{
	char		 text[256];
	const char	*end;
	ssize_t		 n = pread(fd, text, sizeof text - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	end = strrchr(text, ')');
	return end == NULL || end[1] != ' ' || end[2] == '\0' || strchr("TtZX", end[2]) != NULL;
}

static bool
is_thread_halted(int dir, const char *tid)
{
	char	path[64];
	bool	halted;
	int	fd;

	(void)snprintf(path, sizeof path, "%.16s/stat", tid);
	if ((fd = openat(dir, path, O_RDONLY | O_CLOEXEC)) == -1)
		return true;
	halted = is_halted_in(fd);
	(void)close(fd);
	return halted;
}

static bool
is_halted(pid_t pid)
{
	char		 path[32];
	struct dirent	*e;
	DIR		*dir;
	bool		 halted = true;

	(void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	if ((dir = opendir(path)) == NULL)
		return true;
	while (halted && (e = readdir(dir)) != NULL)
		halted = e->d_name[0] == '.' || is_thread_halted(dirfd(dir), e->d_name);
	(void)closedir(dir);
	return halted;
}

bool
halt_begin(pid_t pid)
{
	return pid > 0 && kill(pid, SIGSTOP) == 0;
}

bool
halt_wait(pid_t pid)
{
	const uint64_t	began_ns = clock_now_ns();

	while (!is_halted(pid))
		if (!may_wait(began_ns))
			return false;
	return true;
}

int
halt_open(pid_t pid)
{
	char	path[64];

	(void)snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)pid, (int)pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool
halt_wait_one(int fd)
{
	const uint64_t	began_ns = clock_now_ns();

	while (!is_halted_in(fd))
		if (!may_wait(began_ns))
			return false;
	return true;
}
