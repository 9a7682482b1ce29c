/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_SYSCALLS_H
#define ASSAY_TESTS_SUPPORT_SYSCALLS_H

/*
 * Counts the system calls of a function, in a process of its own that is traced.  Its children are
 * not.  A count says what is done, however fast or busy the machine is.
 */
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SYSCALLS_MOST = 512, SYSCALLS_PARTS = 4 };

struct syscalls {
	unsigned	n[SYSCALLS_PARTS][SYSCALLS_MOST];	/* part 0: before the first mark */
};

/* Called by the function: what follows is counted apart. */
static inline void
syscalls_mark(void)
{
	(void)syscall(SYS_getppid);
}

static inline void
syscalls_see(struct syscalls *s, pid_t pid, unsigned *part)
{
	struct __ptrace_syscall_info	info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return;
	if (info.entry.nr == SYS_getppid)
		*part += *part < SYSCALLS_PARTS - 1;
	else if (info.entry.nr < SYSCALLS_MOST)
		s->n[*part][info.entry.nr]++;
}

/* The exit code of fn; -1: it may not be traced here. */
static inline int
syscalls_count(struct syscalls *s, int (*fn)(void))
{
	unsigned	part = 0;
	int		status, signal;
	pid_t		pid;

	memset(s, 0, sizeof *s);
	if ((pid = fork()) == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
			_exit(255);
		(void)raise(SIGSTOP);
		_exit(fn());
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return -1;
	(void)ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)(intptr_t)(PTRACE_O_TRACESYSGOOD |
	    PTRACE_O_EXITKILL));
	for (signal = 0; ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(intptr_t)signal) == 0;) {
		if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			break;
		signal = WSTOPSIG(status);
		if (signal == (SIGTRAP | 0x80)) {
			syscalls_see(s, pid, &part);
			signal = 0;
		}
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
