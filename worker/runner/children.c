/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/wire/runner_desk.h"
#include "worker/runner/children.h"
#include "worker/runner/lane.h"
#include "worker/runner/scribe.h"

#define REAP_NAP_US	500u
#define REAP_NAPS	200u		/* what a killed process may take to be gone: 100 ms */

static struct runner_shm	*shm;			/* borrowed */
/* 0: none; changes with SIGCHLD blocked */
static pid_t			 child[RUNNER_MOST_LANES];
/* of the last child, until it is dropped */
static pid_t			 group[RUNNER_MOST_LANES];
/* signals with other than their usual effect */
static sigset_t			 handled;

/* A child is over: its lane has it.  Safe in a signal handler. */
static void
post_end(pid_t pid, int status)
{
	for (uint32_t i = 0; i < RUNNER_MOST_LANES; i++)
		if (child[i] == pid) {
			struct runner_lane	*lane = runner_lane_at(shm, shm->lane_bytes, i);

			child[i] = 0;
			__atomic_store_n(&shm->pid[i], 0, __ATOMIC_RELEASE);
			lane->end = status;
			__atomic_store_n(&lane->ended, 1, __ATOMIC_RELEASE);
			desk_ring(&lane->desk);
		}
}

static void
reap(void)
{
	int	status;
	pid_t	pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		post_end(pid, status);
}

static void
on_child(int signo)
{
	int	keep = errno;

	(void)signo;
	reap();
	errno = keep;
}

static void
block_children(bool block)
{
	sigset_t	set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

/* Asked once, as each child has to undo them. */
static void
note_handled(void)
{
	struct sigaction	now;

	sigemptyset(&handled);
	for (int s = 1; s < NSIG; s++)
		if (sigaction(s, NULL, &now) == 0 && now.sa_handler != SIG_DFL)
			sigaddset(&handled, s);
}

void
rt_children_watch(struct runner_shm *shared)
{
	struct sigaction	on = { .sa_handler = on_child, .sa_flags = SA_NOCLDSTOP };

	shm = shared;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigaction(SIGCHLD, &on, NULL);
	note_handled();
}

bool
rt_children_has(uint32_t lane)
{
	return child[lane] != 0;
}

/*
 * Blank child and scribe live as long as the template.  Without a signal at their end they are not
 * among the children that waitpid looks for: what it still finds has survived its variant.
 */
static pid_t
fork_unseen(void)
{
	return (pid_t)syscall(SYS_clone, 0ul, NULL, NULL, NULL, 0ul);
}

/*
 * In the child: nothing of the template's handling of signals is left, and it dies with the
 * template.
 */
static void
leave_template(void)
{
	for (int s = 1; s < NSIG; s++)
		if (sigismember(&handled, s) == 1)
			signal(s, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	setpgid(0, 0);
	memset(child, 0, sizeof child);
	block_children(false);
}

enum runner_reply
rt_children_fork(uint32_t lane, struct rt_timer *t, const char *name)
{
	pid_t	pid;
	int	error;

	block_children(true);
	__atomic_store_n(&runner_lane_at(shm, shm->lane_bytes, lane)->ended, 0, __ATOMIC_RELEASE);
	if ((pid = lane == RUNNER_BLANK ? fork_unseen() : fork()) == 0) {
		leave_template();
		rt_lane_serve(shm, lane, t, name);
	}
	error = errno;
	if (pid > 0) {
		setpgid(pid, pid);
		child[lane] = group[lane] = shm->pid[lane] = pid;
	}
	block_children(false);
	errno = error;
	return pid > 0 ? RUNNER_OK : RUNNER_NO_FORK;
}

bool
rt_children_fork_scribe(const struct rt_timer *t)
{
	pid_t	pid = fork_unseen();

	if (pid == 0) {
		leave_template();
		rt_scribe_serve(shm, t);
	}
	return pid > 0;
}

static bool
no_lane_is_alive(void)
{
	for (uint32_t i = 0; i < RUNNER_MOST_LANES; i++)
		if (i != RUNNER_BLANK && child[i] != 0)
			return false;
	return true;
}

/*
 * Orphans of a child become ours (PR_SET_CHILD_SUBREAPER).  So with no lane alive we have no
 * children at all, unless something left its process group.  Its pid is unknown: the supervisor
 * must take the whole jail down.
 */
static bool
something_survives(void)
{
	for (unsigned i = 0; i < REAP_NAPS; i++) {
		int	status;
		pid_t	pid = waitpid(-1, &status, WNOHANG);

		if (pid < 0)
			return false;
		if (pid > 0)
			post_end(pid, status);
		else
			usleep(REAP_NAP_US);
	}
	return true;
}

enum runner_reply
rt_children_drop(uint32_t lane)
{
	int	status;
	pid_t	pid;

	block_children(true);
	pid = child[lane];
	if (group[lane] > 0)
		kill(-group[lane], SIGKILL);
	group[lane] = 0;
	if (pid != 0) {
		kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		post_end(pid, status);
	}
	reap();
	bool	left = no_lane_is_alive() && something_survives();
	block_children(false);
	return left ? RUNNER_SURVIVORS : RUNNER_OK;
}
