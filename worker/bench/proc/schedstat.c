/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "worker/bench/proc/schedstat.h"

int
schedstat_open(pid_t pid)
{
	char	path[64] = "/proc/thread-self/schedstat";

	if (pid != 0)
		(void)snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Time on a CPU, time waiting for one, turns. */
uint64_t
schedstat_read_ns(int fd)
{
	char	text[96], *after;
	ssize_t	n = pread(fd, text, sizeof text - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	(void)strtoull(text, &after, 10);
	return strtoull(after, NULL, 10);
}

uint64_t
schedstat_waited_ns(pid_t pid)
{
	const int	fd = schedstat_open(pid);
	const uint64_t	ns = schedstat_read_ns(fd);

	if (fd >= 0)
		(void)close(fd);
	return ns;
}
