/* SPDX-License-Identifier: Apache-2.0 */
#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/runner/rules.h"
#include "worker/starter/confine.h"

#define FLAGS		SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define WRITES		(O_ACCMODE | O_CREAT | O_TRUNC)
#define NAMESPACES	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | \
			    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

enum where { ALWAYS = 1, THREADED = 2, FORKING = 4, FILES = 8, READING = 16 };

#define ALLOW(call)		{ ALWAYS, SYS_##call, { { 0, 0, 0 } }, 0, 0 }
#define FAIL(call, error)	{ ALWAYS, SYS_##call, { { 0, 0, 0 } }, error, 0 }

static const struct rt_rule	rules[] = {
	/* the one exec, first of all: confine() puts the secret's halves in */
	{ ALWAYS, SYS_execveat, { { 5, ~0u, 0 }, { 5 + RT_HIGH, ~0u, 0 } }, 0, 0 },

	/* memory */
	ALLOW(brk), ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect), ALLOW(madvise),
	ALLOW(msync), ALLOW(mincore), ALLOW(mlock), ALLOW(munlock), ALLOW(membarrier),

	/* files: to read those that the jail shows */
	{ READING, SYS_openat, { { 2, WRITES, O_RDONLY } }, 0, 0 },
	{ READING, SYS_openat, { { 0, 0, 0 } }, EACCES, 0 },
	FAIL(openat2, ENOSYS),
	ALLOW(read), ALLOW(readv), ALLOW(pread64), ALLOW(preadv), ALLOW(lseek), ALLOW(close),
	ALLOW(close_range), ALLOW(fstat), ALLOW(newfstatat), ALLOW(statx), ALLOW(faccessat),
	ALLOW(faccessat2), ALLOW(readlinkat), ALLOW(getcwd), ALLOW(getdents64), ALLOW(statfs),
	ALLOW(fstatfs), ALLOW(fadvise64), ALLOW(dup), ALLOW(dup3), ALLOW(chdir),
	/* not F_SETOWN, whose signals reach others */
	{ ALWAYS, SYS_fcntl, { { 1, ~0u, F_DUPFD } }, 0, 0 },
	{ ALWAYS, SYS_fcntl, { { 1, ~0u, F_DUPFD_CLOEXEC } }, 0, 0 },
	{ ALWAYS, SYS_fcntl, { { 1, ~0u, F_GETFD } }, 0, 0 },
	{ ALWAYS, SYS_fcntl, { { 1, ~0u, F_SETFD } }, 0, 0 },
	{ ALWAYS, SYS_fcntl, { { 1, ~0u, F_GETFL } }, 0, 0 },
	{ ALWAYS, SYS_fcntl, { { 1, ~0u, F_SETFL } }, 0, 0 },
	FAIL(fcntl, EINVAL),

	/* what it prints: files in memory of limited size; and pipes of its own */
	ALLOW(write), ALLOW(writev), ALLOW(pwrite64), ALLOW(pwritev), ALLOW(ftruncate),
	ALLOW(fsync), ALLOW(fdatasync), ALLOW(sendfile), ALLOW(pipe2), ALLOW(eventfd2),
	ALLOW(ppoll), ALLOW(pselect6), ALLOW(epoll_create1), ALLOW(epoll_ctl),
	ALLOW(epoll_pwait), ALLOW(umask),
	{ ALWAYS, SYS_ioctl, { { 1, ~0u, TCGETS } }, 0, 0 },
	{ ALWAYS, SYS_ioctl, { { 1, ~0u, FIONREAD } }, 0, 0 },
	FAIL(ioctl, ENOTTY),

	/* time and waiting */
	ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(gettimeofday), ALLOW(nanosleep),
	ALLOW(clock_nanosleep), ALLOW(times), ALLOW(getitimer), ALLOW(setitimer), ALLOW(futex),
	ALLOW(restart_syscall), ALLOW(sched_yield),

	/* facts about the process and the machine */
	ALLOW(getpid), ALLOW(getppid), ALLOW(gettid), ALLOW(getuid), ALLOW(geteuid),
	ALLOW(getgid), ALLOW(getegid), ALLOW(getgroups), ALLOW(getresuid), ALLOW(getresgid),
	ALLOW(getpgid), ALLOW(getsid), ALLOW(uname), ALLOW(sysinfo), ALLOW(getrusage),
	ALLOW(getcpu), ALLOW(sched_getaffinity), ALLOW(sched_getparam),
	ALLOW(sched_getscheduler), ALLOW(getpriority), ALLOW(getrandom), ALLOW(set_tid_address),
	ALLOW(set_robust_list), ALLOW(rseq),
	{ ALWAYS, SYS_prlimit64, { { 0, ~0u, 0 } }, 0, 0 },
	{ ALWAYS, SYS_prctl, { { 0, ~0u, PR_SET_NAME } }, 0, 0 },
	{ ALWAYS, SYS_prctl, { { 0, ~0u, PR_GET_NAME } }, 0, 0 },
	FAIL(prctl, EINVAL),

	/* places and priorities are ours: binding succeeds without effect */
	{ ALWAYS, SYS_sched_setaffinity, { { 0, 0, 0 } }, RT_PRETEND, 0 },
	FAIL(sched_setscheduler, EPERM), FAIL(sched_setparam, EPERM), FAIL(setpriority, EPERM),
	FAIL(socket, EPERM), FAIL(memfd_create, EPERM),

	/* signals, to itself alone */
	ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(rt_sigpending),
	ALLOW(rt_sigtimedwait), ALLOW(rt_sigsuspend), ALLOW(sigaltstack),
	{ ALWAYS, SYS_tgkill, { { 0, ~0u, 0 } }, 0, RT_OWN_PID }, FAIL(tgkill, EPERM),
	{ ALWAYS, SYS_kill, { { 0, ~0u, 0 } }, 0, RT_OWN_PID }, FAIL(kill, EPERM),

	ALLOW(exit), ALLOW(exit_group),
	/* its flags cannot be seen; libc falls back to clone */
	FAIL(clone3, ENOSYS),

	{ THREADED, SYS_clone, { { 0, NAMESPACES | CLONE_VM | CLONE_THREAD,
	    CLONE_VM | CLONE_THREAD } }, 0, 0 },

	/* its own children, in its own namespaces, with memory of their own */
	{ FORKING, SYS_clone, { { 0, NAMESPACES | CLONE_VM | CLONE_THREAD | CLONE_PARENT |
	    CLONE_PTRACE | CLONE_UNTRACED | CLONE_PIDFD, 0 } }, 0, 0 },
	{ FORKING, SYS_wait4, { { 0, 0, 0 } }, 0, 0 },
	{ FORKING, SYS_waitid, { { 0, 0, 0 } }, 0, 0 },

	/* the jail leaves one directory alone to write in */
	{ FILES, SYS_openat, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_unlinkat, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_renameat2, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_fallocate, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_truncate, { { 0, 0, 0 } }, 0, 0 },
#if defined(__x86_64__)
	ALLOW(arch_prctl),
	{ READING, SYS_open, { { 1, WRITES, O_RDONLY } }, 0, 0 },
	{ READING, SYS_open, { { 0, 0, 0 } }, EACCES, 0 },
	{ FILES, SYS_open, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_unlink, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_rename, { { 0, 0, 0 } }, 0, 0 },
	{ FORKING, SYS_fork, { { 0, 0, 0 } }, 0, 0 },
	ALLOW(stat), ALLOW(lstat), ALLOW(access), ALLOW(readlink), ALLOW(dup2), ALLOW(pipe),
	ALLOW(poll), ALLOW(select), ALLOW(epoll_wait), ALLOW(time), ALLOW(alarm), ALLOW(pause),
	ALLOW(getrlimit), ALLOW(getpgrp),
#endif
};

enum { RULES = sizeof rules / sizeof rules[0] };

int
confine(const struct program_setup *setup, uint64_t secret, bool traced)
{
	const int		wanted = ALWAYS | (setup->threads > 1 ? THREADED : 0) |
				    (setup->may_fork ? FORKING : 0) |
				    (setup->scratch[0] != '\0' ? FILES : READING);
	static struct rt_bpf	p;
	struct rt_rule		mine[RULES];

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 0;
	memcpy(mine, rules, sizeof mine);
	mine[0].only[0].value = (uint32_t)secret;
	mine[0].only[1].value = (uint32_t)(secret >> 32);
	rt_rules_begin(&p);
	rt_rules_end(&p, mine, RULES, wanted,
	    traced ? SECCOMP_RET_TRAP : SECCOMP_RET_KILL_PROCESS);
	return rt_rules_install(&(struct sock_fprog){ p.n, p.code }, FLAGS);
}
