/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The outer filter: a list of what is refused.  A compiler's needs change with its versions, so a
 * list of permitted calls would break it sooner or later.  The calls that it must never make do not
 * change.  A refused call fails with EPERM, as in a container: compilers try one thing or another
 * and live without.  The attempt to get out of a jail is no such thing.
 */
#include <errno.h>
#include <sched.h>
#include <sys/socket.h>

#include <seccomp.h>

#include "worker/jail/jail_layers.h"

#define SPACES	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | \
		    CLONE_NEWPID | CLONE_NEWNET)

static const int refused[] = {
	/*
	 * other machines, other sockets of this one: AF_VSOCK reaches a host from an empty network
	 * namespace
	 */
	SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept),
	    SCMP_SYS(accept4),
	/* io_uring acts out of the filter's sight */
	SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
	/* keyrings are no namespace's */
	SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key),
	/* other processes */
	SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_getfd),
	SCMP_SYS(kcmp),
	/* namespaces and mounts */
	SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount), SCMP_SYS(umount2),
	    SCMP_SYS(pivot_root), SCMP_SYS(chroot),
	SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick),
	SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(mount_setattr),
	SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at),
	/* the kernel's large and young surfaces */
	SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(fanotify_init),
	    SCMP_SYS(modify_ldt),
	SCMP_SYS(vmsplice), SCMP_SYS(personality), SCMP_SYS(lookup_dcookie), SCMP_SYS(uselib),
	/* the machine */
	SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module),
	    SCMP_SYS(finit_module),
	SCMP_SYS(delete_module), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff),
	SCMP_SYS(syslog), SCMP_SYS(acct), SCMP_SYS(quotactl), SCMP_SYS(sethostname),
	SCMP_SYS(setdomainname), SCMP_SYS(ioperm), SCMP_SYS(iopl),
	SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime),
	SCMP_SYS(adjtimex), SCMP_SYS(set_mempolicy), SCMP_SYS(migrate_pages), SCMP_SYS(move_pages),
};

/*
 * A runner's template chooses the nodes of operands (mbind); its children have other filters.
 * A compiler's drivers talk through pipes and files; queues and shared memory would outlast them.
 */
static const int refused_to_compilers[] = {
	SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(semget), SCMP_SYS(msgget), SCMP_SYS(mq_open),
	    SCMP_SYS(seccomp),
	SCMP_SYS(memfd_secret), SCMP_SYS(mbind),
};

/* A starter traces programs, whose own filter refuses it. */
static const int refused_to_most[] = { SCMP_SYS(ptrace) };

static int
refuse(scmp_filter_ctx filter, const int *calls, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const int	error = seccomp_rule_add(filter,
				    SCMP_ACT_ERRNO(EPERM), calls[i], 0);

		if (error != 0 && error != -EDOM)	/* EDOM: this architecture has none */
			return error;
	}
	return 0;
}

/* A new namespace by clone; clone3 hides its flags, and libc copes without it. */
static int
refuse_spaces(scmp_filter_ctx filter)
{
	for (unsigned bit = 0; bit < 32; bit++) {
		const scmp_datum_t	flag = SPACES & (1u << bit);
		int			error;

		if (flag == 0)
			continue;
		error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
		    SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
		if (error != 0)
			return error;
	}
	return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

#define COUNT(a) (sizeof (a) / sizeof (a)[0])

int
jail_filter(bool builds, bool traces)
{
	scmp_filter_ctx	filter = seccomp_init(SCMP_ACT_ALLOW);
	int		error = filter == NULL ? -ENOMEM : 0;

	if (error == 0)
		error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (error == 0)
		/* SPEC_ALLOW: no code gets slower */
		error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
	if (error == 0)
		/* a tree: log n comparisons a call */
		error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (error == 0)
		error = refuse(filter, refused, COUNT(refused));
	if (error == 0 && !traces)
		error = refuse(filter, refused_to_most, COUNT(refused_to_most));
	if (error == 0 && builds)
		error = refuse(filter, refused_to_compilers, COUNT(refused_to_compilers));
	if (error == 0)
		error = refuse_spaces(filter);
	if (error == 0)
		error = seccomp_load(filter);
	seccomp_release(filter);
	errno = -error;
	return error == 0 ? 0 : -1;
}
