/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "worker/spawn/cell.h"

enum { PATH_BYTES = 512, CLEAR_TRIES = 2000, CLEAR_PAUSE_NS = 1000000 };

static struct {
	int	procs_fd, dir_fd;
	bool	limits, kills_clones;
} cell = { -1, -1, false, false };

/* One write, as the kernel requires. */
static bool
put(const char *file, const char *value)
{
	const size_t	n = strlen(value);
	int		fd = cell.dir_fd == -1 ? -1 :
			    openat(cell.dir_fd, file, O_WRONLY | O_CLOEXEC);
	bool		done;

	if (fd == -1)
		return false;
	done = write(fd, value, n) == (ssize_t)n;
	(void)close(fd);
	return done;
}

/* The directory that a cgroup.procs lies in; -1: procs_fd is none. */
static int
open_directory(int procs_fd)
{
	static const char	name[] = "/cgroup.procs";
	char			link[32], path[PATH_BYTES];
	ssize_t			n;

	(void)snprintf(link, sizeof link, "/proc/self/fd/%d", procs_fd);
	n = readlink(link, path, sizeof path - 1);
	if (n < (ssize_t)sizeof name)
		return -1;
	path[n] = '\0';
	n -= (ssize_t)sizeof name - 1;
	if (strcmp(path + n, name) != 0)
		return -1;
	path[n] = '\0';
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* A number in a file of lines "name number"; 0: there is none. */
static uint64_t
count_of(const char *file, const char *name)
{
	const size_t	 n = strlen(name);
	char		 text[512];
	int		 fd = cell.dir_fd == -1 ? -1 :
			    openat(cell.dir_fd, file, O_RDONLY | O_CLOEXEC);
	ssize_t		 bytes = fd == -1 ? -1 : read(fd, text, sizeof text - 1);
	uint64_t	 count = 0;

	if (fd != -1)
		(void)close(fd);
	if (bytes <= 0)
		return 0;
	text[bytes] = '\0';
	for (const char *line = text; line != NULL;
	    line = (line = strchr(line, '\n')) != NULL ? line + 1 : NULL)
		if (strncmp(line, name, n) == 0 && line[n] == ' ')
			(void)sscanf(line + n, "%" SCNu64, &count);
	return count;
}

/*
 * Since Linux 6.14, and updates of older ones (Debian's 6.1.129), a child cloned into a cgroup
 * whose cgroup.kill was ever written dies at once: the kernel compares the kills of its parent's.
 */
static bool
kills_clones(void)
{
	struct clone_args	args = {
		.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD,
		.cgroup = (uint64_t)cell.dir_fd,
	};
	int			status;
	pid_t			pid;

	if (cell.dir_fd == -1)
		return false;
	if ((pid = (pid_t)syscall(SYS_clone3, &args, sizeof args)) == 0)
		_exit(0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
	    WTERMSIG(status) == SIGKILL;
}

/* Until it is empty, for two seconds at most.  false: it was empty. */
static bool
kill_all(void)
{
	const struct timespec	pause = { 0, CLEAR_PAUSE_NS };
	int			i;

	for (i = 0; i < CLEAR_TRIES && count_of("cgroup.events", "populated") != 0; i++) {
		if (i == 0)
			(void)put("cgroup.kill", "1");
		(void)nanosleep(&pause, NULL);
	}
	return i > 0;
}

void
cell_open(int procs_fd)
{
	if (cell.dir_fd != -1)
		(void)close(cell.dir_fd);
	cell.procs_fd = procs_fd;
	cell.dir_fd = procs_fd == -1 ? -1 : open_directory(procs_fd);
	cell.limits = false;
	(void)kill_all();
	cell.kills_clones = kills_clones();
}

int
cell_dir_fd(void)
{
	return cell.kills_clones ? -1 : cell.dir_fd;
}

int
cell_procs_fd(void)
{
	return cell.procs_fd;
}

bool
cell_limit(uint64_t bytes, unsigned processes)
{
	char	memory[24] = "max", pids[16];

	if (bytes != 0)
		(void)snprintf(memory, sizeof memory, "%" PRIu64, bytes);
	(void)snprintf(pids, sizeof pids, "%u", processes);
	(void)put("memory.swap.max", "0");		/* absent without swap accounting */
	cell.limits = put("memory.max", memory) && put("pids.max", pids);
	return cell.limits;
}

void
cell_unlimit(void)
{
	cell.limits = false;
}

bool
cell_limits(void)
{
	return cell.limits;
}

void
cell_clear(void)
{
	if (kill_all())
		cell.kills_clones = kills_clones();
}

uint64_t
cell_oom_kills(void)
{
	return count_of("memory.events", "oom_kill");
}

uint64_t
cell_refusals(void)
{
	return count_of("pids.events", "max");
}
