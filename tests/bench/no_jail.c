/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker/spawn/spawn.h without a jail: no namespace, no root, no limit, no filter, nothing but a
 * process.  A worker that is linked with this in place of worker/spawn/spawn.c measures what the
 * jail does to a kernel's time.
 */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/jail/jail.h"
#include "worker/spawn/spawn.h"

static void
become(const struct jail_order *o)
{
	char		path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
	char		lang[] = "LANG=C";
	char		tmpdir[] = "TMPDIR=.";
	char		*env[] = { path, lang, tmpdir, NULL };
	const int	output = o->output_fd != -1 ? o->output_fd : open("/dev/null", O_RDWR);
	cpu_set_t	set;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)setsid();
	(void)dup2(output, STDOUT_FILENO);
	(void)dup2(output, STDERR_FILENO);
	if (o->keep_fd == JAIL_FD_KEEP)
		(void)fcntl(JAIL_FD_KEEP, F_SETFD, 0);
	else if (o->keep_fd != -1)
		(void)dup2(o->keep_fd, JAIL_FD_KEEP);
	if (o->cpu >= 0) {
		CPU_ZERO(&set);
		CPU_SET((size_t)o->cpu, &set);
		(void)sched_setaffinity(0, sizeof set, &set);
	}
	if (chdir(o->dir) == 0)
		(void)execve(o->argv[0], (char *const *)o->argv, env);
	_exit(127);
}

/* What the one build there is at a time has to hand out, and where. */
static struct {
	char	path[4096];
	int	to;
} result;

static void
note_result(const struct jail_order *o)
{
	result.path[0] = '\0';
	result.to = o->result_fd;
	if (o->result != NULL)
		(void)snprintf(result.path, sizeof result.path, "%s/%s", o->dir, o->result);
}

static void
hand_out(void)
{
	int	from = result.path[0] != '\0' ? open(result.path, O_RDONLY | O_CLOEXEC) : -1;

	while (from != -1 && sendfile(result.to, from, NULL, JAIL_RESULT_BYTES) > 0)
		continue;
	if (from != -1)
		(void)close(from);
}

enum status
jail_spawn(struct jailed *j, const struct jail_order *o, struct fault *why)
{
	*j = (struct jailed){ .pid = fork(), .pidfd = -1, .status_fd = -1, .life_fd = -1 };
	if (j->pid == 0)
		become(o);
	note_result(o);
	if (j->pid > 0)
		j->pidfd = (int)syscall(SYS_pidfd_open, j->pid, 0);
	return j->pidfd >= 0 ? ST_OK : fault_set(why, ST_INTERNAL, "a process cannot be started");
}

bool
jail_wait(struct jailed *j, int timeout_ms, struct jail_end *end)
{
	struct pollfd	ended = { .fd = j->pidfd, .events = POLLIN };
	int		status;

	*end = (struct jail_end){ .code = -1 };
	if (j->pid != 0) {
		if (poll(&ended, 1, timeout_ms) != 1 || wait4(j->pid, &status, 0,
		    &end->usage) != j->pid)
			return false;
		end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		end->code = WIFSIGNALED(status) ? -1 : WEXITSTATUS(status);
		(void)close(j->pidfd);
		j->pid = 0;
		if (end->code == 0)
			hand_out();
	}
	return true;
}

void
jail_kill(struct jailed *j)
{
	struct jail_end	end;

	if (j->pid != 0)
		(void)kill(-j->pid, SIGKILL);
	while (!jail_wait(j, -1, &end))
		continue;
}

const struct jail_support *
jail_support(void)
{
	static const struct jail_support	none = { .works = true,
						    .reason = "measured without" };

	return &none;
}

void
jail_enter_cell(int procs_fd)
{
	(void)procs_fd;
}

void
jail_leave_network(void)
{
}
