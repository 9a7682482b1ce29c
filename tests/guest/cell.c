/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In the guest, for assay-worker: a jail in the slot that assay-hostd has made.
 *
 *	cell PROCS [as-user]	PROCS: the slot's cgroup.procs.  Prints "left over: killed", how the jail came in, and how
 *				a program ended in it that has more memory than all of it may, in small pieces
 *	cell hog		that program: exits with how many of its children were killed
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/spawn/cell.h"
#include "worker/spawn/spawn.h"

enum { USER = 65534, HOGS = 8, PIECE_BYTES = 12 << 20, PROCESS_BYTES = 16 << 20 };

static int
hog_one(void)
{
	char	*at = mmap(NULL, PIECE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return 1;
	memset(at, 1, PIECE_BYTES);
	return pause();
}

static int
hog(void)
{
	int	killed = 0, status;
	pid_t	pid[HOGS];

	for (int i = 0; i < HOGS; i++)
		if ((pid[i] = fork()) == 0)
			_exit(hog_one());
	if (wait(&status) > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		killed++;
	for (int i = 0; i < HOGS; i++)
		(void)kill(pid[i], SIGTERM);
	return killed;
}

/* Somebody an earlier worker left in the slot must be gone once a new one has it. */
static bool
leftover_is_killed(int procs_fd)
{
	int	status;
	pid_t	pid = fork();

	if (pid == 0) {
		(void)write(procs_fd, "0", 1);
		(void)kill(getpid(), SIGSTOP);
		_exit(0);
	}
	(void)waitpid(pid, &status, WUNTRACED);
	jail_enter_cell(procs_fd);
	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static void
tell_cgroup(pid_t pid)
{
	char	path[32], text[256] = "";
	FILE	*f;

	(void)snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
	if ((f = fopen(path, "r")) == NULL || fgets(text, sizeof text, f) == NULL)
		(void)snprintf(text, sizeof text, "?\n");
	(void)printf("cgroup: %s", text);
	if (f != NULL)
		(void)fclose(f);
}

static int
run_hog(void)
{
	static const char *const	argv[] = { "/bin/cell", "hog", NULL };
	const struct jail_order		o = { .phase = JAIL_TIME, .argv = argv, .dir = "/bin", .cpu = -1, .keep_fd = -1,
					    .output_fd = -1, .memory_bytes = PROCESS_BYTES,
					    .cell_bytes = 3 * PROCESS_BYTES };
	struct jailed			j;
	struct jail_end			end;
	struct fault			why;

	if (jail_spawn(&j, &o, &why) != ST_OK) {
		(void)printf("jail: %s\n", why.text);
		return 1;
	}
	tell_cgroup(j.pid);
	(void)printf("namespaces: %s, limits: %s\n", jail_support()->namespaces ? "yes" : jail_support()->reason,
	    cell_limits() ? "cgroup" : "rlimit");
	while (!jail_wait(&j, -1, &end))
		continue;
	(void)printf("ended: %d %d %s, killed for memory: %s\n", end.code, end.signal, end.setup_failed ? end.words : "",
	    cell_oom_kills() > 0 ? "yes" : "no");
	return 0;
}

int
main(int argc, char **argv)
{
	int	procs_fd;

	if (argc == 2 && strcmp(argv[1], "hog") == 0)
		return hog();
	if (argc < 2 || (procs_fd = open(argv[1], O_WRONLY)) == -1)
		return 64;
	/* dumpable again: who has changed its uid does not own its /proc/self, where a user namespace is set up */
	if (argc == 3 && (setgid(USER) != 0 || setuid(USER) != 0 || prctl(PR_SET_DUMPABLE, 1) != 0))
		return 1;
	(void)printf("left over: %s\n", leftover_is_killed(procs_fd) ? "killed" : "still there");
	return run_hog();
}
