/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay-jail: hold one program, a compiler or a runner, and everything it starts.
 *
 * Theory of operation
 *
 *   assay-worker ──clone(namespaces), exec──► assay-jail ──fork──► program
 *                                             pid 1, init          pid 2.
 *
 * The worker (worker/spawn/spawn.c) clones us straight into the namespaces that this kernel grants
 * it and execs us.  We do not ask for the others: --root says that the mount namespace is ours,
 * getpid() that the process namespace is.  Two ways lead here, and the program cannot distinguish
 * them:
 *
 *   an ordinary user   a user namespace maps uid 0 in here to that user out there; its rights end
 *                      with our mounts.
 *   real root          no user namespace: root mounts, then all of us becomes --uid, which has no
 *                      other use.
 *
 * Rights leave in the order mounts, groups, gid, uid, capabilities, no_new_privs.  Only then comes
 * PDEATHSIG, because a change of credentials clears it.  The process pid 1 stays behind as an init
 * that does three things: reap, report how pid 2 ended on the status pipe, and leave, which ends
 * the process namespace.  It also leaves when its life line (a pipe with its writing end in the
 * worker alone) reaches EOF: PDEATHSIG alone follows a thread and has a race before it is set.
 * Without a process namespace it is a child subreaper and reaps what is left by hand.
 *
 * A compiler works on copies, in memory of the jail's own (jail_work.h).  Once pid 2 has exited
 * well, pid 1 copies the file of --result into a memfd of the worker's.  Without a mount namespace
 * the compiler works in the directory itself.  With --steps, pid 2 starts what a compiler's driver
 * would, once it has given up its rights as before an exec (jail_steps.h).
 *
 * Each step that fails is reported with its errno as JAIL_SETUP_FAILED and nothing runs.  The
 * program never sees the status pipe (close-on-exec) or the life line.  Below the namespaces lie
 * Landlock and a filter of system calls (jail_layers.h), taken before the limits, which making them
 * might pass.  An addition to the jail is a row in one of the two tables of steps: init_steps run
 * once in pid 1, program_steps in pid 2 just before the exec.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <libgen.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/jail/jail.h"
#include "worker/jail/jail_layers.h"
#include "worker/jail/jail_steps.h"
#include "worker/jail/jail_work.h"
#include "worker/jail/reap.h"

/*
 * Real root without a free uid of ours to become (a container's map ends early): the uid that owns
 * nothing.
 */
enum { UID_NOBODY = 65534 };

struct jail {
	bool		 builds;		/* --phase build */
	bool		 own_root;		/* --root */
	bool		 own_pids;
	const char	*dir;
	int		 cpu;			/* -1: any */
	/* 0: no limit, not asked for */
	uint64_t	 memory_bytes, file_bytes, scratch_bytes, cpu_s, rtprio;
	unsigned	 threads;		/* see struct jail_order */
	uid_t		 uid;			/* 0: keep ours */
	bool		 keep_fd, traces, zero;
	/* if the worker found them in this kernel */
	bool		 filter, landlock;
	char		**argv;			/* the program and its arguments */
	const char	*steps;			/* NULL: it is one program */
	unsigned	 folders;		/* that the steps run in; 0: none */
	const char	*copy_of;		/* a program of the steps; NULL: none */
	const char	*result;	/* a file of the program's to hand out; NULL: none */
	char		 program[64];		/* where a program outside /usr is shown; "": it is
						 * not */
	int		 program_fd;		/* its path, opened; -1: it cannot be opened;
						 * or what is executed as copy_of */
};

struct step {
	const char	*what;
	int		(*take)(struct jail *);	/* 0, or -1 with errno */
};

/* The subject of a failing step, beside its name. */
static char	place[96];

static int
at(const char *what)
{
	(void)snprintf(place, sizeof place, "%s", what);
	return -1;
}

static void
report(const struct jail_record *r)
{
	ssize_t	n = write(JAIL_FD_STATUS, r, sizeof *r);

	(void)n;		/* the worker is gone: so are we, soon */
}

static void
take_steps(struct jail *j, const struct step *steps, size_t n)
{
	struct jail_record	r = { .kind = JAIL_SETUP_FAILED };

	for (size_t i = 0; i < n; i++) {
		place[0] = '\0';
		if (steps[i].take(j) == 0)
			continue;
		r.value = errno;
		(void)snprintf(r.words, sizeof r.words, "%.30s%s%.80s", steps[i].what,
		    place[0] ? " " : "", place);
		report(&r);
		_exit(127);
	}
}

/* ---- a root of its own: a small tmpfs that shows a few directories of the host ---- */

enum bind { BIND_READ_ONLY, BIND_DEVICE };

/* Show `from`, a path of the old root, as `to`.  A missing one is not shown. */
static int
show(const char *from, const char *to, enum bind how)
{
	struct mount_attr	attr = { .attr_set = MOUNT_ATTR_NOSUID };
	struct stat		sb;
	int			fd;

	if (stat(from, &sb) == -1)
		return errno == ENOENT ? 0 : at(from);
	if (S_ISDIR(sb.st_mode)) {
		if (mkdir(to, 0755) == -1 && errno != EEXIST)
			return at(to);
	} else {
		if ((fd = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0644)) == -1)
			return at(to);
		close(fd);
	}
	if (how != BIND_DEVICE)
		attr.attr_set |= MOUNT_ATTR_NODEV;
	if (how == BIND_READ_ONLY)
		attr.attr_set |= MOUNT_ATTR_RDONLY;
	if (mount(from, to, NULL, MS_BIND | MS_REC, NULL) == -1 ||
	    mount_setattr(AT_FDCWD, to, AT_RECURSIVE, &attr, sizeof attr) == -1)
		return at(from);
	return 0;
}

/* /bin, /lib and their like: links into /usr today, directories of their own on older systems. */
static int
show_top(const char *name)
{
	char	from[32], to[32], target[64];
	ssize_t	n;

	(void)snprintf(from, sizeof from, "/old/%s", name);
	(void)snprintf(to, sizeof to, "/%s", name);
	if ((n = readlink(from, target, sizeof target - 1)) == -1)
		return show(from, to, BIND_READ_ONLY);
	target[n] = '\0';
	return symlink(target, to) == -1 ? at(to) : 0;
}

/* For -march=native a compiler reads this one file, if no instruction answers. */
static int
show_cpu(void)
{
#if defined(__x86_64__)
	return 0;
#else
	if (mkdir("/proc", 0755) == -1)
		return at("/proc");
	return show("/old/proc/cpuinfo", "/proc/cpuinfo", BIND_READ_ONLY);
#endif
}

static int
show_system(bool zero)
{
	static const char *const	tops[] = { "usr", "bin", "lib", "lib32",
	    "lib64", "libx32" };

	for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++)
		if (show_top(tops[i]) == -1)
			return -1;
	if (mkdir("/etc", 0755) == -1 || mkdir("/dev", 0755) == -1)
		return at("/etc, /dev");
	if (show("/old/etc/alternatives", "/etc/alternatives", BIND_READ_ONLY) == -1 ||
	    show("/old/etc/ld.so.cache", "/etc/ld.so.cache", BIND_READ_ONLY) == -1 ||
	    show("/old/dev/null", "/dev/null", BIND_DEVICE) == -1 ||
	    show("/old/dev/urandom", "/dev/urandom", BIND_DEVICE) == -1)
		return -1;
	if (zero && show("/old/dev/zero", "/dev/zero", BIND_DEVICE) == -1)
		return -1;
	return show_cpu();
}

static const char *
program_path(const struct jail *j)
{
	return j->program[0] != '\0' ? j->program : j->argv[0];
}

/* A program of Assay's own need not be installed below /usr: show that one file. */
static int
show_program(struct jail *j)
{
	static const char *const	shown[] = { "/usr/", "/bin/", "/lib/" };
	char				from[4096 + 8];

	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
		if (strncmp(j->argv[0], shown[i], strlen(shown[i])) == 0)
			return 0;
	(void)snprintf(from, sizeof from, "/old%s", j->argv[0]);
	(void)snprintf(j->program, sizeof j->program, "/%.60s", basename(j->argv[0]));
	if (access(from, F_OK) == -1)
		return at(j->argv[0]);
	return show(from, j->program, BIND_READ_ONLY);
}

/* A compiler writes into its directory under the uid it gets. */
static int
give(struct jail *j, const char *dir)
{
	if (j->uid == 0 || chown(dir, j->uid, j->uid) == 0)
		return 0;
	if (errno == EINVAL) {
		j->uid = UID_NOBODY;
		if (chown(dir, j->uid, j->uid) == 0)
			return 0;
	}
	return at(dir);
}

static int
give_all(struct jail *j, const char *dir)
{
	char	path[4096 + JAIL_FOLDER_BYTES], name[JAIL_FOLDER_BYTES];
	int	st = give(j, dir);

	for (unsigned k = 0; k < j->folders && st == 0; k++) {
		jail_folder(k, name);
		(void)snprintf(path, sizeof path, "%s/%s", dir, name);
		st = give(j, path);
	}
	return st;
}

/* With a root of its own it gets a copy. */
static int
give_directory(struct jail *j)
{
	return j->builds && !j->own_root ? give_all(j, j->dir) : 0;
}

static int
show_work(struct jail *j, const char *from)
{
	if (!j->builds)
		return show(from, JAIL_WORK_DIR, BIND_READ_ONLY);
	return jail_work_make(from, JAIL_WORK_DIR) == -1 ? at(JAIL_WORK_DIR) :
	    give_all(j, JAIL_WORK_DIR);
}

/* Nothing in it is executed; its directory counts as a file. */
static int
make_scratch(struct jail *j)
{
	char	options[96];

	if (j->scratch_bytes == 0)
		return 0;
	(void)snprintf(options, sizeof options, "size=%llu,nr_inodes=%d,mode=755",
	    (unsigned long long)j->scratch_bytes, JAIL_SCRATCH_FILES + 1);
	if (mkdir(JAIL_SCRATCH_DIR, 0755) == -1 || mount("assay-scratch", JAIL_SCRATCH_DIR,
	    "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options) == -1)
		return at(JAIL_SCRATCH_DIR);
	return give(j, JAIL_SCRATCH_DIR);
}

/*
 * The new root is mounted over /tmp and becomes / at once.  The host's tree is at /old while we
 * pick from it, so its /tmp is still to be had.  The tmpfs holds directories and links only and is
 * read-only in the end.
 */
static int
build_root(struct jail *j)
{
	struct mount_attr	attr =
				    { .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
				    MOUNT_ATTR_NODEV };
	char			from[4096 + 8];

	if (!j->own_root)
		return 0;
	umask(022);
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == -1)
		return at("making / private");
	if (mount("assay-jail", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV,
	    "size=1m,nr_inodes=128,mode=755") == -1)
		return at("mounting a tmpfs");
	if (mkdir("/tmp/old", 0755) == -1 || syscall(SYS_pivot_root, "/tmp", "/tmp/old") == -1 ||
	    chdir("/") == -1)
		return at("pivot_root");
	(void)snprintf(from, sizeof from, "/old%s", j->dir);
	if (access(from, F_OK) == -1)
		return at(j->dir);
	if (show_system(j->zero) == -1 || show_program(j) == -1 ||
	    show_work(j, from) == -1 || make_scratch(j) == -1)
		return -1;
	if (umount2("/old", MNT_DETACH) == -1 || rmdir("/old") == -1)
		return at("leaving the old root");
	if (mount_setattr(AT_FDCWD, "/", 0, &attr, sizeof attr) == -1)
		return at("making / read-only");
	return 0;
}

/* ---- rights ---- */

/* Forbid user namespaces below our own, before the host's /proc goes. */
static int
forbid_user_namespaces(struct jail *j)
{
	int	fd;

	if (!j->own_root || j->uid != 0)
		return 0;
	if ((fd = open("/proc/sys/user/max_user_namespaces", O_WRONLY | O_CLOEXEC)) == -1)
		return 0;		/* a /proc that is masked; the filter forbids them too */
	if (write(fd, "0", 1) != 1) {
		close(fd);
		return -1;
	}
	close(fd);
	return 0;
}

/*
 * A hard limit can be raised by root only; for others the request stands if the limit they have
 * allows it.
 */
static int
grant_realtime(struct jail *j)
{
	struct rlimit	limit = { j->rtprio, j->rtprio };

	if (setrlimit(RLIMIT_RTPRIO, &limit) == 0 || errno == EPERM)
		return 0;
	return -1;
}

/*
 * Before the identity goes: the directories above may be closed to another.  The program is forked
 * here and inherits it.
 */
static int
enter_directory(struct jail *j)
{
	const char	*dir = j->own_root ? JAIL_WORK_DIR : j->dir;

	return chdir(dir) == -1 ? at(dir) : 0;
}

/* Likewise; the exec reports a program that is missing. */
static int
open_program(struct jail *j)
{
	j->program_fd = j->copy_of != NULL ? JAIL_FD_COPY :
	    open(program_path(j), O_PATH | O_CLOEXEC);
	return 0;
}

static int
become_uid(struct jail *j)
{
	if (j->uid == 0 || geteuid() == j->uid)
		return 0;
	if (setgroups(0, NULL) == -1)
		return at("groups");
	if (setresgid(j->uid, j->uid, j->uid) == -1) {
		if (errno != EINVAL)
			return at("gid");
		j->uid = UID_NOBODY;
		if (setresgid(j->uid, j->uid, j->uid) == -1)
			return at("gid");
	}
	return setresuid(j->uid, j->uid, j->uid) == -1 ? at("uid") : 0;
}

/*
 * Without a process namespace the program could kill an init of its own uid; a root's init then
 * stays root.
 */
static int
become_uid_in_init(struct jail *j)
{
	return j->own_pids ? become_uid(j) : 0;
}

/*
 * Before the uid goes, as it takes a right to give them up; without that right there are none to
 * lose.
 */
static int
drop_bounding_set(struct jail *j)
{
	(void)j;
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap) >= 0; cap++)
		if (prctl(PR_CAPBSET_DROP, cap) == -1 && errno != EPERM)
			return -1;
	return 0;
}

static int
drop_capabilities(struct jail *j)
{
	struct __user_cap_header_struct	header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct	none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

	(void)j;
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return (int)syscall(SYS_capset, &header, none);
}

static int
drop_capabilities_in_init(struct jail *j)
{
	return j->own_pids ? drop_capabilities(j) : 0;
}

static int
forbid_new_rights(struct jail *j)
{
	(void)j;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/*
 * Not dumpable: a program of the same uid may not attach to its init.  Without a process namespace
 * we must live to reap: there the life line alone shows it.
 */
static int
die_with_worker(struct jail *j)
{
	struct pollfd	life = { .fd = JAIL_FD_LIFE };

	if (prctl(PR_SET_DUMPABLE, 0) == -1)
		return -1;
	if (j->own_pids ? prctl(PR_SET_PDEATHSIG, SIGKILL) == -1 :
	    prctl(PR_SET_CHILD_SUBREAPER, 1) == -1)
		return -1;
	if (poll(&life, 1, 0) == 1)
		_exit(0);		/* it died before we asked */
	return 0;
}

static const struct step init_steps[] = {
	{ "directory",		give_directory },
	{ "realtime",		grant_realtime },
	{ "user namespaces",	forbid_user_namespaces },
	{ "root",		build_root },
	{ "directory",		enter_directory },
	{ "program",		open_program },
	{ "bounding set",	drop_bounding_set },
	{ "identity",		become_uid_in_init },
	{ "capabilities",	drop_capabilities_in_init },
	{ "no_new_privs",	forbid_new_rights },
	{ "life line",		die_with_worker },
};

/* ---- the program ---- */

/*
 * The address sanitizer reserves terabytes of addresses: a runner built with it lives without that
 * one limit.  Steps get it one by one.
 */
static bool
limits_address_space(const struct jail *j)
{
	if (j->steps != NULL)
		return false;
#ifdef __SANITIZE_ADDRESS__
	return j->builds && j->memory_bytes != 0;
#else
	return j->memory_bytes != 0;
#endif
}

/*
 * RLIMIT_CORE is 1 and not 0: a kernel that pipes dumps to a handler runs it, outside of here and
 * as root, even for 0.  RLIMIT_NPROC counts per uid, so it is set only where the uid or the user
 * namespace is the jail's own.
 */
static int
set_limits(struct jail *j)
{
	const rlim_t	processes = jail_process_limit(j->threads);
	const struct {
		bool	wanted;
		int	resource;
		rlim_t	soft, hard;
	} limits[] = {
		{ limits_address_space(j), RLIMIT_AS, j->memory_bytes, j->memory_bytes },
		{ j->file_bytes != 0, RLIMIT_FSIZE, j->file_bytes, j->file_bytes },
		{ j->cpu_s != 0, RLIMIT_CPU, j->cpu_s, j->cpu_s + 1 },
		{ true, RLIMIT_CORE, 1, 1 },
		{ true, RLIMIT_NOFILE, 256, 256 },
		{ j->uid != UID_NOBODY && (j->uid != 0 || j->own_root), RLIMIT_NPROC, processes,
		    processes },
	};

	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		struct rlimit	now, limit = { limits[i].soft, limits[i].hard };

		if (!limits[i].wanted || getrlimit(limits[i].resource, &now) == -1)
			continue;
		if (limit.rlim_max > now.rlim_max)
			limit.rlim_max = now.rlim_max;
		if (limit.rlim_cur > limit.rlim_max)
			limit.rlim_cur = limit.rlim_max;
		if (setrlimit(limits[i].resource, &limit) == -1)
			return -1;
	}
	return 0;
}

static int
pin(struct jail *j)
{
	cpu_set_t	set;

	if (j->cpu < 0)
		return 0;
	CPU_ZERO(&set);
	CPU_SET((size_t)j->cpu, &set);
	return sched_setaffinity(0, sizeof set, &set);
}

/* So that a program that signals its own process group misses its init. */
static int
leave_session(struct jail *j)
{
	(void)j;
	return setsid() == -1 ? -1 : 0;
}

/* The program does not inherit the worker's ignored and blocked signals. */
static int
reset_signals(struct jail *j)
{
	sigset_t	none;

	(void)j;
	for (int s = 1; s < 32; s++)
		if (s != SIGKILL && s != SIGSTOP)
			(void)signal(s, SIG_DFL);
	sigemptyset(&none);
	return sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The program's own goes below those that are closed. */
static int
close_descriptors(struct jail *j)
{
	int	first = j->keep_fd ? JAIL_FD_KEEP + 1 : JAIL_FD_KEEP;

	if (fcntl(JAIL_FD_STATUS, F_SETFD, FD_CLOEXEC) == -1)
		return -1;
	if (j->program_fd != -1) {
		if (j->program_fd != first && dup3(j->program_fd, first, O_CLOEXEC) == -1)
			return -1;
		j->program_fd = first++;
	}
	return (int)syscall(SYS_close_range, first, ~0u, 0);
}

static int
restrict_files(struct jail *j)
{
	if (!j->landlock)
		return 0;
	return jail_landlock(j->own_root ? "/" : NULL, ".",
	    j->own_root && j->scratch_bytes != 0 ? JAIL_SCRATCH_DIR : NULL, j->program_fd,
	    j->builds, j->zero);
}

static int
filter_calls(struct jail *j)
{
	return j->filter ? jail_filter(j->builds, j->traces) : 0;
}

/*
 * Compilers take memory in small pieces and end soon: their malloc takes 8 MiB at a time, in huge
 * pages where the kernel has them, and gives none back.  What times a routine keeps libc's ways.
 */
static int
run_program(struct jail *j)
{
	static char	path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
	static char	lang[] = "LANG=C";
	static char	tmpdir[] = "TMPDIR=.";
	static char	room[] = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:"
			    "glibc.malloc.top_pad=8388608:glibc.malloc.trim_threshold=1073741824:"
			    "glibc.malloc.mmap_max=0";
	char		*env[] = { path, lang, tmpdir, j->builds ? room : NULL, NULL };

	if (j->steps != NULL)
		jail_steps_run(&(struct jail_steps){ j->steps, j->argv, env, j->memory_bytes,
		    j->folders, j->copy_of, j->program_fd });
	(void)execve(program_path(j), j->argv, env);
	if (errno == EACCES && j->program_fd != -1)	/* a directory above it is closed to us */
		(void)syscall(SYS_execveat, j->program_fd, "", j->argv, env, AT_EMPTY_PATH);
	return at(j->argv[0]);
}

static const struct step program_steps[] = {
	{ "session",		leave_session },
	{ "identity",		become_uid },
	{ "capabilities",	drop_capabilities },
	{ "landlock",		restrict_files },
	{ "seccomp",		filter_calls },
	{ "limits",		set_limits },
	{ "cpu",		pin },
	{ "signals",		reset_signals },
	{ "descriptors",	close_descriptors },
	{ "exec",		run_program },
};

/* ---- init ---- */

/* Reap every process that is done; true: the program is; *r has how it ended. */
static bool
reap(pid_t program, struct jail_record *r)
{
	struct rusage	usage;
	pid_t		pid;
	int		status;

	while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
		if (pid != program)
			continue;
		r->kind = JAIL_ENDED;
		r->value = status;
		r->usage = usage;
		return true;
	}
	return false;
}

/* Until the program has ended or the worker is gone. */
static void
watch(pid_t program, int signals, struct jail_record *r)
{
	struct pollfd			fds[] = { { .fd = signals, .events = POLLIN },
					    { .fd = JAIL_FD_LIFE } };
	struct signalfd_siginfo		info;

	while (!reap(program, r)) {
		if (poll(fds, 2, -1) == -1 && errno != EINTR)
			return;
		if (fds[1].revents != 0)
			return;
		if (fds[0].revents != 0 && read(signals, &info, sizeof info) == -1 &&
		    errno != EAGAIN)
			return;
	}
}

static void
hand_out(const struct jail *j)
{
	char	name[JAIL_FOLDER_BYTES];

	if (j->folders == 0)
		jail_work_hand_out(".", j->result, JAIL_FD_KEEP);
	for (unsigned k = 0; k < j->folders; k++) {
		jail_folder(k, name);
		jail_work_hand_out_next(name, j->result, JAIL_FD_KEEP);
	}
}

static void
usage(void)
{
	static const char	text[] =
	    "usage: assay-jail --phase build|time --dir D [--root] [--uid n] [--cpu n] "
	    "[--memory bytes]\n"
	    "                  [--fsize bytes] [--scratch bytes] [--cpu-s n] [--rtprio n] "
	    "[--threads n]\n"
	    "                  [--keep-fd] [--result file] [--steps n,…] [--folders n]\n"
	    "                  [--copy-of path] [--traces] [--zero] [--filter] [--landlock]\n"
	    "                  -- program [argument …]\n"
	    "Started by assay-worker, with descriptors that only it can make.\n";
	ssize_t			n = write(STDERR_FILENO, text, sizeof text - 1);

	(void)n;
	_exit(64);
}

static void
parse(struct jail *j, int argc, char **argv)
{
	static const struct option	options[] = {
		{ "phase", required_argument, NULL, 'p' }, { "dir", required_argument, NULL, 'd' },
		{ "root", no_argument, NULL, 'r' }, { "uid", required_argument, NULL, 'u' },
		{ "cpu", required_argument, NULL, 'c' }, { "memory", required_argument, NULL, 'm' },
		{ "filter", no_argument, NULL, 'F' }, { "landlock", no_argument, NULL, 'L' },
		{ "result", required_argument, NULL, 'o' },
		{ "steps", required_argument, NULL, 'S' },
		{ "folders", required_argument, NULL, 'N' },
		{ "copy-of", required_argument, NULL, 'C' },
		{ "fsize", required_argument, NULL, 'f' },
		{ "scratch", required_argument, NULL, 'w' },
		{ "cpu-s", required_argument, NULL, 's' },
		{ "rtprio", required_argument, NULL, 't' }, { "keep-fd", no_argument, NULL, 'k' },
		{ "traces", no_argument, NULL, 'T' }, { "zero", no_argument, NULL, 'z' },
		{ "threads", required_argument, NULL, 'n' }, { NULL, 0, NULL, 0 },
	};
	int				opt;

	*j = (struct jail){ .cpu = -1, .builds = true, .own_pids = getpid() == 1 };
	while ((opt = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		switch (opt) {
		case 'p': j->builds = strcmp(optarg, "time") != 0; break;
		case 'd': j->dir = optarg; break;
		case 'r': j->own_root = true; break;
		case 'u': j->uid = (uid_t)strtoul(optarg, NULL, 10); break;
		case 'c': j->cpu = atoi(optarg); break;
		case 'm': j->memory_bytes = strtoull(optarg, NULL, 10); break;
		case 'f': j->file_bytes = strtoull(optarg, NULL, 10); break;
		case 'w': j->scratch_bytes = strtoull(optarg, NULL, 10); break;
		case 's': j->cpu_s = strtoull(optarg, NULL, 10); break;
		case 't': j->rtprio = strtoull(optarg, NULL, 10); break;
		case 'n': j->threads = (unsigned)strtoul(optarg, NULL, 10); break;
		case 'k': j->keep_fd = true; break;
		case 'T': j->traces = true; break;
		case 'z': j->zero = true; break;
		case 'o': j->result = optarg; break;
		case 'S': j->steps = optarg; break;
		case 'N': j->folders = (unsigned)strtoul(optarg, NULL, 10); break;
		case 'C': j->copy_of = optarg; break;
		case 'F': j->filter = true; break;
		case 'L': j->landlock = true; break;
		default: usage();
		}
	}
	j->argv = argv + optind;
	if (j->dir == NULL || j->dir[0] != '/' || j->argv[0] == NULL || j->argv[0][0] != '/' ||
	    (j->steps != NULL && !jail_steps_fit(j->steps, j->argv)) ||
	    fcntl(JAIL_FD_STATUS, F_GETFD) == -1 || fcntl(JAIL_FD_LIFE, F_GETFD) == -1)
		usage();
}

#define COUNT(a) (sizeof (a) / sizeof (a)[0])

int
main(int argc, char **argv)
{
	struct jail_record	r = { 0 };
	struct jail		j;
	sigset_t		child;
	pid_t			program;
	int			signals;

	parse(&j, argc, argv);
	take_steps(&j, init_steps, COUNT(init_steps));
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &child, NULL);
	if ((signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK)) == -1)
		return 125;
	if ((program = fork()) == -1)
		return 125;
	if (program == 0)
		take_steps(&j, program_steps, COUNT(program_steps));
	watch(program, signals, &r);
	if (j.result != NULL && r.kind == JAIL_ENDED && r.value == 0)
		hand_out(&j);
	if (!j.own_pids)
		reap_children(NULL, 0);
	if (r.kind == JAIL_ENDED)
		report(&r);
	_exit(0);			/* leaks of this process end with it */
}
