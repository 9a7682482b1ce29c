/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "worker/bench/schedstat.h"

/* Time on a CPU, time waiting for one, turns. */
uint64_t
schedstat_waited_ns(pid_t pid)
{
	char	path[64] = "/proc/thread-self/schedstat", text[96], *after;
	ssize_t	n;
	int	fd;

	if (pid != 0)
		(void)snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) == -1)
		return 0;
	n = read(fd, text, sizeof text - 1);
	(void)close(fd);
	text[n > 0 ? n : 0] = '\0';
	(void)strtoull(text, &after, 10);
	return strtoull(after, NULL, 10);
}
