/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "worker/starter/trace.h"

#ifndef SYS_SECCOMP
#define SYS_SECCOMP	1		/* si_code of SIGSYS */
#endif
#define OPTIONS		(PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | \
			    PTRACE_O_TRACEVFORK)

int
trace_me(void)
{
	return (int)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static bool
is_refused(pid_t pid, int32_t *call)
{
	siginfo_t	info;

	if (ptrace(PTRACE_GETSIGINFO, pid, NULL, &info) != 0 || info.si_code != SYS_SECCOMP)
		return false;
	*call = info.si_syscall;
	return true;
}

/* SIGTRAP and SIGSTOP are the tracing's own: of the exec, and of new threads and processes. */
static void
go_on(pid_t pid, int signo)
{
	const bool	ours = signo == SIGTRAP || signo == SIGSTOP;

	(void)ptrace(PTRACE_SETOPTIONS, pid, NULL, OPTIONS);
	(void)ptrace(PTRACE_CONT, pid, NULL, ours ? 0 : signo);
}

int32_t
trace_refused(pid_t pid)
{
	int32_t	refused = -1;
	pid_t	one;
	int	status;

	while ((one = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		if (one <= 0)
			continue;
		if (!WIFSTOPPED(status)) {
			if (one == pid)
				break;
		} else if (WSTOPSIG(status) == SIGSYS && is_refused(one, &refused))
			(void)kill(pid, SIGKILL);
		else
			go_on(one, WSTOPSIG(status));
	}
	return refused;
}
