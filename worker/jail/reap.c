/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/jail/reap.h"

/*
 * The parent of a process, 0: it is gone.  The name in /proc/PID/stat may hold anything, so read
 * from its last ')'.
 */
static pid_t
parent_of(const char *pid)
{
	char	 path[64], text[512];
	int	 fd, parent = 0;
	ssize_t	 n;
	char	*end;

	(void)snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) == -1)
		return 0;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	if ((end = strrchr(text, ')')) == NULL || sscanf(end, ") %*c %d", &parent) != 1)
		return 0;
	return parent;
}

static bool
is_spared(pid_t pid, const pid_t *spared, size_t nspared)
{
	for (size_t i = 0; i < nspared; i++)
		if (spared[i] == pid)
			return true;
	return false;
}

/* Kill and reap each child there is now; returns how many there were. */
static unsigned
reap_once(DIR *proc, const pid_t *spared, size_t nspared)
{
	const pid_t	 self = getpid();
	unsigned	 found = 0;
	struct dirent	*e;

	rewinddir(proc);
	while ((e = readdir(proc)) != NULL) {
		pid_t	pid;

		if (!isdigit((unsigned char)e->d_name[0]) || parent_of(e->d_name) != self)
			continue;
		pid = (pid_t)atol(e->d_name);
		if (is_spared(pid, spared, nspared))
			continue;
		if (kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid)
			found++;
	}
	return found;
}

void
reap_children(const pid_t *spared, size_t nspared)
{
	DIR	*proc = opendir("/proc");

	if (proc == NULL)
		return;
	while (reap_once(proc, spared, nspared) > 0)
		continue;		/* the children of those are ours now */
	closedir(proc);
}
