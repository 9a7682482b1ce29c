/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <sys/syscall.h>

#include "worker/bench/proc/syscall.h"

#define ROW(name)	{ SYS_##name, #name }

/* Calls that a routine may come upon and is refused. */
static const struct {
	int		 number;
	const char	*name;
} rows[] = {
	ROW(read), ROW(write), ROW(close), ROW(stat), ROW(fstat), ROW(lstat), ROW(lseek), ROW(mmap),
	ROW(mprotect), ROW(munmap), ROW(rt_sigaction), ROW(ioctl), ROW(pread64),
	ROW(pwrite64), ROW(readv), ROW(writev), ROW(mremap), ROW(msync), ROW(mincore), ROW(shmget),
	ROW(shmat), ROW(shmctl), ROW(dup), ROW(setitimer), ROW(timer_create), ROW(socket),
	ROW(connect), ROW(accept), ROW(sendto), ROW(recvfrom), ROW(sendmsg), ROW(recvmsg),
	ROW(bind), ROW(listen), ROW(socketpair), ROW(clone), ROW(execve), ROW(execveat), ROW(wait4),
	ROW(waitid), ROW(kill), ROW(tkill), ROW(tgkill), ROW(rt_sigqueueinfo), ROW(semget),
	ROW(msgget), ROW(fcntl), ROW(flock), ROW(truncate), ROW(ftruncate), ROW(getdents64),
	ROW(getcwd), ROW(chdir), ROW(fchdir), ROW(umask), ROW(ptrace), ROW(setuid),
	ROW(setgid), ROW(setpgid), ROW(setsid), ROW(setgroups), ROW(setresuid), ROW(setresgid),
	ROW(capset), ROW(personality), ROW(setpriority), ROW(sched_setparam), ROW(sched_setattr),
	ROW(sched_setaffinity), ROW(mlock), ROW(mlock2), ROW(mlockall), ROW(prctl), ROW(setrlimit),
	ROW(prlimit64), ROW(chroot), ROW(pivot_root), ROW(sync), ROW(mount), ROW(umount2),
	ROW(swapon), ROW(reboot), ROW(sethostname), ROW(init_module), ROW(finit_module),
	ROW(syslog), ROW(unshare), ROW(setns), ROW(io_setup), ROW(io_uring_setup),
	ROW(io_uring_enter), ROW(epoll_create1), ROW(eventfd2), ROW(signalfd4), ROW(timerfd_create),
	ROW(inotify_init1), ROW(fanotify_init), ROW(openat), ROW(openat2), ROW(mkdirat),
	ROW(unlinkat), ROW(renameat), ROW(renameat2), ROW(linkat), ROW(symlinkat),
	ROW(pipe2), ROW(dup3), ROW(perf_event_open), ROW(process_vm_readv), ROW(process_vm_writev),
	ROW(kcmp), ROW(seccomp), ROW(memfd_create), ROW(memfd_secret), ROW(kexec_load), ROW(bpf),
	ROW(userfaultfd), ROW(membarrier), ROW(pkey_alloc), ROW(pkey_mprotect), ROW(add_key),
	ROW(request_key), ROW(keyctl), ROW(mq_open), ROW(pidfd_open), ROW(pidfd_getfd),
	ROW(pidfd_send_signal), ROW(fsopen), ROW(fsmount), ROW(move_mount), ROW(open_tree),
	ROW(mount_setattr), ROW(landlock_create_ruleset), ROW(name_to_handle_at),
	ROW(open_by_handle_at), ROW(statx), ROW(clock_settime), ROW(settimeofday),
	ROW(adjtimex), ROW(acct), ROW(quotactl), ROW(close_range), ROW(sendmmsg), ROW(splice),
	ROW(vmsplice), ROW(tee), ROW(shutdown), ROW(setsockopt), ROW(getsockopt), ROW(mbind),
	ROW(set_mempolicy), ROW(migrate_pages), ROW(move_pages), ROW(uname), ROW(getuid),
	ROW(geteuid), ROW(getgid), ROW(getppid), ROW(sched_getparam), ROW(sigaltstack), ROW(times),
	ROW(faccessat), ROW(faccessat2),
#if defined(__x86_64__)
	ROW(open), ROW(poll), ROW(access), ROW(pipe), ROW(select), ROW(dup2),
	ROW(pause), ROW(alarm), ROW(fork), ROW(vfork), ROW(rename), ROW(mkdir), ROW(rmdir),
	ROW(creat), ROW(link), ROW(unlink), ROW(symlink), ROW(readlink), ROW(chmod), ROW(chown),
	ROW(arch_prctl), ROW(ioperm), ROW(iopl), ROW(modify_ldt), ROW(uselib),
#endif
};

const char *
syscall_name(int number, char *buf, size_t bytes)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].number == number)
			return rows[i].name;
	if (number < 0)
		return "of a foreign kind";		/* x32, int 0x80: killed before it could be
							 * noted */
	(void)snprintf(buf, bytes, "%d", number);
	return buf;
}
