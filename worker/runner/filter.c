/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filters of a runner's children, as tables of rules (rules.h).
 *
 * While it loads, an object may overwrite any of our data, but must not choose its second filter.
 * So that one is assembled before, into memory at a fixed low address.  The first filter refuses to
 * install any other program.  What is left is not to install it: the supervisor counts filters from
 * outside.
 *
 * Code is never writable once anything of the variant has run.  The first filter keeps mappings of
 * code that is there as they are (guard.h), and nothing becomes executable but files that are
 * mapped so.  The dynamic linker needs no more, except for relocations in code and for a stack
 * that is executable: such objects cannot be loaded.  As filters add up, all that holds later, too.
 *
 * The filter is asked before every call that reaches the kernel; timed code makes none.  SPEC_ALLOW
 * matters: without it, kernels before 5.16 turn a speculation off that doubles the time of some
 * code.
 */
#include <asm/ioctls.h>
#if defined(__x86_64__)
#include <asm/prctl.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proto/wire/runner_shm.h"
#include "worker/runner/filter.h"
#include "worker/runner/guard.h"
#include "worker/runner/openmp.h"
#include "worker/runner/rules.h"

#define FLAGS		(SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW)
#define WRITES		(O_ACCMODE | O_CREAT | O_TRUNC)
#define WX		(PROT_WRITE | PROT_EXEC)
#define NAMESPACES	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | \
			    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* The second filter's program lies here: below all that a linker maps, above vm.mmap_min_addr. */
#define SECOND_AT	0x100000u

/*
 * The filters that a rule is part of.  A later filter only narrows, so calls of the running stage
 * are also permitted while loading.
 */
enum where { LOADING = 1, RUNNING = 2, THREADED = 4, FILES = 8, FORKING = 16 };

static const struct rt_rule	rules[] = {
	/* the dynamic linker: opens to read, maps; nothing is writable and executable at once */
	{ LOADING, SYS_openat, { { 2, WRITES, O_RDONLY } }, 0, 0 },
	/* not what the supervisor shares with the template, here and below */
	{ LOADING, SYS_read, { { 0, ~0u, RUNNER_SHM_FD } }, EACCES, 0 },
	{ LOADING, SYS_read, { { 0, 0, 0 } }, 0, 0 },
	{ LOADING, SYS_pread64, { { 0, ~0u, RUNNER_SHM_FD } }, EACCES, 0 },
	{ LOADING, SYS_pread64, { { 0, 0, 0 } }, 0, 0 },
	{ LOADING, SYS_lseek, { { 0, ~0u, RUNNER_SHM_FD } }, EACCES, 0 },
	{ LOADING, SYS_lseek, { { 0, 0, 0 } }, 0, 0 },
	{ LOADING, SYS_close, { { 0, 0, 0 } }, 0, 0 },
	{ LOADING, SYS_fstat, { { 0, 0, 0 } }, 0, 0 },
	{ LOADING, SYS_newfstatat, { { 0, 0, 0 } }, 0, 0 },
	{ LOADING, SYS_getcwd, { { 0, 0, 0 } }, 0, 0 },
	{ LOADING, SYS_mmap, { { 2, WX, WX } }, EACCES, 0 },
	{ LOADING, SYS_mmap, { { 2, PROT_EXEC, PROT_EXEC }, { 3, MAP_ANONYMOUS, MAP_ANONYMOUS } },
	    EACCES, 0 },
	{ LOADING, SYS_mmap, { { 3, MAP_ANONYMOUS, 0 }, { 4, ~0u, RUNNER_SHM_FD } }, EACCES, 0 },
	/* shared memory can be mapped twice, and one of the two made writable */
	{ LOADING, SYS_mmap, { { 2, PROT_EXEC, PROT_EXEC }, { 4, ~0u, RT_ZERO_FD } }, EACCES, 0 },
	{ LOADING, SYS_mmap, { { 0, 0, 0 } }, 0, 0 },
	{ LOADING, SYS_mprotect, { { 2, PROT_EXEC, PROT_EXEC } }, EACCES, 0 },
	{ LOADING, SYS_mprotect, { { 0, 0, 0 } }, 0, 0 },
	{ LOADING, SYS_prlimit64, { { 2, ~0u, 0 }, { 2 + RT_HIGH, ~0u, 0 } }, 0, 0 },
	/* a library of OpenMP as it starts; a device has no length to set */
	{ LOADING, SYS_ftruncate, { { 0, ~0u, RT_ZERO_FD } }, RT_PRETEND, 0 },
	{ LOADING, SYS_getuid, { { 0, 0, 0 } }, 0, 0 },
	{ LOADING, SYS_sched_setaffinity, { { 0, 0, 0 } }, RT_PRETEND, 0 },
	{ LOADING, SYS_seccomp, { { 0, ~0u, SECCOMP_SET_MODE_FILTER }, { 1, ~0u, FLAGS },
	    { 2, ~0u, SECOND_AT }, { 2 + RT_HIGH, ~0u, 0 } }, 0, 0 },

	/* memory; no code, nothing mapped over other memory */
	{ RUNNING, SYS_brk, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_mmap, { { 2, PROT_EXEC, 0 }, { 3, MAP_FIXED, 0 } }, 0, 0 },
	{ RUNNING, SYS_munmap, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_mremap, { { 3, ~(uint32_t)MREMAP_MAYMOVE, 0 } }, 0, 0 },
	{ RUNNING, SYS_mprotect, { { 2, ~0u, PROT_NONE } }, 0, 0 },
	{ RUNNING, SYS_madvise, { { 0, 0, 0 } }, 0, 0 },

	/* time, waiting, facts about the process itself */
	{ RUNNING, SYS_futex, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_clock_gettime, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_clock_getres, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_gettimeofday, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_nanosleep, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_clock_nanosleep, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_restart_syscall, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_sched_yield, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_sched_getaffinity, { { 0, 0, 0 } }, 0, 0 },
	/* only the supervisor gives it */
	{ RUNNING, SYS_sched_setscheduler, { { 0, 0, 0 } }, EPERM, 0 },
	{ RUNNING, SYS_getcpu, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_getrusage, { { 0, 0, 0 } }, 0, 0 },
	/* qsort asks how much memory there is */
	{ RUNNING, SYS_sysinfo, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_getrandom, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_getpid, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_gettid, { { 0, 0, 0 } }, 0, 0 },

	/* output leads nowhere, but is permitted */
	{ RUNNING, SYS_write, { { 0, ~0u, STDOUT_FILENO } }, 0, 0 },
	{ RUNNING, SYS_write, { { 0, ~0u, STDERR_FILENO } }, 0, 0 },
	{ RUNNING, SYS_writev, { { 0, ~0u, STDERR_FILENO } }, 0, 0 },
	{ RUNNING, SYS_fstat, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_newfstatat, { { 3, ~0u, AT_EMPTY_PATH } }, 0, 0 },
	{ RUNNING, SYS_ioctl, { { 1, ~0u, TCGETS } }, 0, 0 },

	/* abort() and the end */
	{ RUNNING, SYS_rt_sigprocmask, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_rt_sigreturn, { { 0, 0, 0 } }, 0, 0 },
	/* what is done on a signal may be asked */
	{ RUNNING, SYS_rt_sigaction, { { 1, ~0u, 0 }, { 1 + RT_HIGH, ~0u, 0 } }, 0, 0 },
	{ RUNNING, SYS_tgkill, { { 0, ~0u, 0 } }, 0, RT_OWN_PID },
	{ RUNNING, SYS_exit, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_exit_group, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_clone3, { { 0, 0, 0 } }, ENOSYS, 0 },	/* its flags cannot be seen; libc
								 * falls back to clone */

	/* a team of threads */
	{ THREADED, SYS_clone,
	{ { 0, NAMESPACES | CLONE_VM | CLONE_THREAD, CLONE_VM | CLONE_THREAD } }, 0, 0 },
	{ THREADED, SYS_mprotect, { { 2, PROT_EXEC, 0 } }, 0, 0 },
	{ THREADED, SYS_set_robust_list, { { 0, 0, 0 } }, 0, 0 },
	{ THREADED, SYS_rseq, { { 0, 0, 0 } }, 0, 0 },
	{ THREADED, SYS_rt_sigaction, { { 0, ~0u, 32 } }, 0, 0 },	/* libc's own two */
	{ THREADED, SYS_rt_sigaction, { { 0, ~0u, 33 } }, 0, 0 },
	/*
	 * Threads are bound by what they inherit, the slot.  Binding itself succeeds without effect
	 * for a team: the place would lie behind a pointer, out of a filter's sight, and not every
	 * slot has a cpuset around it.
	 */
	{ THREADED, SYS_sched_setaffinity, { { 0, 0, 0 } }, RT_PRETEND, 0 },

	/*
	 * Files: paths lie behind pointers, so it is the jail that leaves one directory alone to
	 * write in.  Nothing there can be mapped as code.
	 */
	{ FILES, SYS_openat, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_read, { { 0, ~0u, RUNNER_SHM_FD } }, EACCES, 0 },
	{ FILES, SYS_read, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_pread64, { { 0, ~0u, RUNNER_SHM_FD } }, EACCES, 0 },
	{ FILES, SYS_pread64, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_write, { { 0, ~0u, RUNNER_SHM_FD } }, EACCES, 0 },
	{ FILES, SYS_write, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_pwrite64, { { 0, ~0u, RUNNER_SHM_FD } }, EACCES, 0 },
	{ FILES, SYS_pwrite64, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_lseek, { { 0, ~0u, RUNNER_SHM_FD } }, EACCES, 0 },
	{ FILES, SYS_lseek, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_close, { { 0, ~0u, RUNNER_SHM_FD } }, EACCES, 0 },
	{ FILES, SYS_close, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_fsync, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_fdatasync, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_ftruncate, { { 0, ~0u, RUNNER_SHM_FD } }, EACCES, 0 },
	{ FILES, SYS_ftruncate, { { 0, 0, 0 } }, 0, 0 },
	{ FILES, SYS_unlinkat, { { 0, 0, 0 } }, 0, 0 },
#if defined(__x86_64__)
	{ FILES, SYS_unlink, { { 0, 0, 0 } }, 0, 0 },
#endif
	{ FILES, SYS_newfstatat, { { 0, 0, 0 } }, 0, 0 },

	/* processes: its own children, in its own namespaces, with memory of their own */
	{ FORKING, SYS_clone, { { 0, NAMESPACES | CLONE_VM | CLONE_THREAD | CLONE_PARENT |
	    CLONE_PTRACE | CLONE_UNTRACED | CLONE_PIDFD, 0 } }, 0, 0 },
	{ FORKING, SYS_wait4, { { 0, 0, 0 } }, 0, 0 },
	{ FORKING, SYS_set_robust_list, { { 0, 0, 0 } }, 0, 0 },
#if defined(__x86_64__)
	/*
	 * where a checkpoint image's thread-local variables are; an instruction of most machines
	 * does it as well
	 */
	{ RUNNING, SYS_arch_prctl, { { 0, ~0u, ARCH_SET_FS } }, 0, 0 },
#endif
#ifdef __SANITIZE_ADDRESS__
	{ RUNNING, SYS_mmap, { { 2, PROT_EXEC, 0 } }, 0, 0 },
	{ RUNNING, SYS_mprotect, { { 2, PROT_EXEC, 0 } }, 0, 0 },
	{ RUNNING, SYS_sigaltstack, { { 0, 0, 0 } }, 0, 0 },
	{ RUNNING, SYS_prctl, { { 0, 0, 0 } }, 0, 0 },
#endif
};

enum { RULES = sizeof rules / sizeof rules[0] };

/* kept NULL: an earlier filter has it. */
static void
assemble(struct rt_bpf *p, int wanted, const struct rt_kept *kept)
{
	rt_rules_begin(p);
	if (kept != NULL)
		rt_guard_put(p, kept);
	rt_rules_end(p, rules, RULES, wanted, SECCOMP_RET_TRAP);
}

static int
install(const struct sock_fprog *filter)
{
	return rt_rules_install(filter, FLAGS);
}

struct second {
	struct sock_fprog	filter;		/* first: the kernel is given its address */
	struct rt_bpf		p;
};

static int
lay_ready_second(int wanted, struct rt_kept *kept)
{
	struct second	*s = mmap((void *)(uintptr_t)SECOND_AT, sizeof *s, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (s == MAP_FAILED)
		return 0;
	assemble(&s->p, wanted, NULL);
	s->filter = (struct sock_fprog){ s->p.n, s->p.code };
	rt_kept_add(kept, s, sizeof *s);
	return (uintptr_t)s == SECOND_AT && mprotect(s, sizeof *s, PROT_READ) == 0;
}

int
rt_filter_load(const struct runner_setup *setup, struct rt_kept *kept)
{
	const int		wanted = RUNNING | (setup->threads > 1 ? THREADED : 0) |
				    (setup->scratch[0] != '\0' ? FILES : 0) |
				    (setup->may_fork ? FORKING : 0);
	static struct rt_bpf	p;

	if (!lay_ready_second(wanted, kept))
		return 0;
	assemble(&p, wanted | LOADING, kept);
	return install(&(struct sock_fprog){ p.n, p.code });
}

int
rt_filter_run(void)
{
	return install((const struct sock_fprog *)(uintptr_t)SECOND_AT);
}

/* ---- a call that was refused ---- */

static int32_t	*note;

/* The handler is off again while it runs: the second SIGSYS ends the process. */
static void
on_refused(int signo, siginfo_t *info, void *context)
{
	(void)context;
	__atomic_store_n(note, info->si_syscall, __ATOMIC_RELAXED);
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signo);
}

void
rt_filter_note(int32_t *noted)
{
	struct sigaction	on = { .sa_sigaction = on_refused,
				    .sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER };

	note = noted;
	*note = -1;
	sigaction(SIGSYS, &on, NULL);
}
