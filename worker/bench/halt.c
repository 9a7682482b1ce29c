/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "worker/bench/halt.h"

#define LIMIT_NS	1000000000u
#define NAP_US		5u

/* The state in /proc/PID/task/TID/stat, behind the name in parentheses; X: it is gone. */
static char
state_of(int dir, const char *tid)
{
	char		 path[64], text[256];
	const char	*end;
	ssize_t		 n;
	int		 fd;

	(void)snprintf(path, sizeof path, "%.16s/stat", tid);
	if ((fd = openat(dir, path, O_RDONLY | O_CLOEXEC)) == -1)
		return 'X';
	n = read(fd, text, sizeof text - 1);
	(void)close(fd);
	text[n > 0 ? n : 0] = '\0';
	end = strrchr(text, ')');
	return end != NULL && end[1] == ' ' && end[2] != '\0' ? end[2] : 'X';
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
		halted = e->d_name[0] == '.' ||
		    strchr("TtZX", state_of(dirfd(dir), e->d_name)) != NULL;
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
	const uint64_t	until_ns = clock_now_ns() + LIMIT_NS;

	while (!is_halted(pid)) {
		if (clock_now_ns() > until_ns)
			return false;
		(void)usleep(NAP_US);
	}
	return true;
}
