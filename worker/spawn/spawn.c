/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/path.h"
#include "worker/jail/jail.h"
#include "worker/jail/reap.h"
#include "worker/spawn/cell.h"
#include "worker/spawn/space.h"
#include "worker/spawn/spawn.h"

enum {
	MAX_ARGS	= 1200,			/* flags, defines and params of one compilation, and
						 * ours */
	MAX_JAILS	= 16,			/* alive at once in one process */
	LET_GO_MS	= 2000,			/* for a jail without a process namespace to reap */
	RTPRIO		= 50,
	/*
	 * A uid for a root's jails that no system assigns: this, above all of those, plus the
	 * worker's pid.
	 */
	UID_BASE	= 0x70000000,
};
#define ALL_SPACES	(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | \
			    CLONE_NEWCGROUP)

static struct {
	bool			 tried, without, left_network;
	int			 flags;		/* CLONE_NEW… that work */
	struct jail_support	 support;
} found;

/* Jails alive without a process namespace; reaping must spare them. */
static pid_t	alive[MAX_JAILS];
static size_t	nalive;

/* ---- the child's side of the clone: shares our memory, so it only makes system calls ---- */

struct child {
	const char	*path;
	char		*const *argv;
	bool		 maps_uid;
	struct space_ids ids;
	int		 fds[JAIL_FD_N];	/* sources of descriptors 0, 1, …; -1: closed */
	int		 cell_fd;		/* to move itself by; -1: it need not or cannot */
};

/* Each descriptor first goes out of the way of the others' places, then to its own. */
static bool
place_descriptors(int fds[JAIL_FD_N])
{
	for (int i = 0; i < JAIL_FD_N; i++)
		if (fds[i] != -1 && (fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, JAIL_FD_N)) == -1)
			return false;
	for (int i = 0; i < JAIL_FD_N; i++) {
		if (fds[i] == -1)
			close(i);
		else if (dup2(fds[i], i) == -1)
			return false;
	}
	return true;
}

static int
child_main(void *arg)
{
	struct child	*c = arg;
	char		*env[] = { NULL };

	if (c->maps_uid && !space_map_ids(&c->ids))
		_exit(126);
	if (c->cell_fd != -1 && write(c->cell_fd, "0", 1) == -1)
		c->cell_fd = -1;	/* our parent sees it */
	if (!place_descriptors(c->fds))
		_exit(126);
	(void)setsid();
	(void)execve(c->path, c->argv, env);
	_exit(127);
}

/*
 * Into the cell at once: to move there later takes a grace period of the kernel's, 5 to 15 ms on a
 * calm machine.  The child has a copy of our memory, because clone3 has no function of libc that
 * would give it a stack.
 */
static pid_t
clone_into_cell(struct child *c, int flags, int *pidfd)
{
	struct clone_args	args = {
		.flags = (uint64_t)flags | CLONE_VFORK | CLONE_PIDFD | CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD, .pidfd = (uint64_t)(uintptr_t)pidfd,
		.cgroup = (uint64_t)cell_dir_fd(),
	};
	pid_t			pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);

	if (pid != 0)
		return pid;
	c->cell_fd = -1;
	_exit(child_main(c));
}

static pid_t
clone_child(struct child *c, int flags, int *pidfd)
{
	sigset_t	old;
	pid_t		pid = -1;

	space_hold_signals(&old);
	if (c->cell_fd != -1 && cell_dir_fd() != -1)
		pid = clone_into_cell(c, flags, pidfd);
	if (pid == -1)
		pid = space_clone(child_main, c, flags | CLONE_PIDFD, pidfd);
	space_let_signals(&old);
	return pid;
}

/* ---- the jail's command line ---- */

struct command {
	char		 numbers[9][24];
	size_t		 nnumbers, n;
	const char	*argv[MAX_ARGS];
};

static void
add_number(struct command *c, const char *option, uint64_t value)
{
	char	*text = c->numbers[c->nnumbers++];

	(void)snprintf(text, sizeof c->numbers[0], "%llu", (unsigned long long)value);
	c->argv[c->n++] = option;
	c->argv[c->n++] = text;
}

static enum status
put_command(struct command *c, const struct jail_order *o, const char *path, int flags,
    struct fault *why)
{
	c->n = c->nnumbers = 0;
	c->argv[c->n++] = path;
	c->argv[c->n++] = "--phase";
	c->argv[c->n++] = o->phase == JAIL_BUILD ? "build" : "time";
	c->argv[c->n++] = "--dir";
	c->argv[c->n++] = o->dir;
	if (flags & CLONE_NEWNS)
		c->argv[c->n++] = "--root";
	if (geteuid() == 0)
		add_number(c, "--uid", UID_BASE + (uint64_t)getpid());
	if (o->cpu >= 0)
		add_number(c, "--cpu", (uint64_t)o->cpu);
	if (o->memory_bytes != 0)
		add_number(c, "--memory", o->memory_bytes);
	if (o->file_bytes != 0)
		add_number(c, "--fsize", o->file_bytes);
	if (o->scratch_bytes != 0)
		add_number(c, "--scratch", o->scratch_bytes);
	if (o->cpu_s != 0)
		add_number(c, "--cpu-s", o->cpu_s);
	if (o->realtime)
		add_number(c, "--rtprio", RTPRIO);
	if (o->threads != 0)
		add_number(c, "--threads", o->threads);
	if (found.support.seccomp)
		c->argv[c->n++] = "--filter";
	if (o->traces)
		c->argv[c->n++] = "--traces";
	if (o->zero)
		c->argv[c->n++] = "--zero";
	if (found.support.landlock)
		c->argv[c->n++] = "--landlock";
	if (o->keep_fd != -1)
		c->argv[c->n++] = "--keep-fd";
	if (o->result != NULL) {
		c->argv[c->n++] = "--result";
		c->argv[c->n++] = o->result;
	}
	if (o->steps != NULL) {
		c->argv[c->n++] = "--steps";
		c->argv[c->n++] = o->steps;
	}
	if (o->folders != 0)
		add_number(c, "--folders", o->folders);
	if (o->copy_of != NULL) {
		c->argv[c->n++] = "--copy-of";
		c->argv[c->n++] = o->copy_of;
	}
	c->argv[c->n++] = "--";
	for (size_t i = 0; o->argv[i] != NULL; i++) {
		if (c->n == MAX_ARGS - 1)
			return fault_set(why, ST_FULL, "more than %d arguments", MAX_ARGS - 32);
		c->argv[c->n++] = o->argv[i];
	}
	c->argv[c->n] = NULL;
	return ST_OK;
}

/* ---- starting ---- */

static void
close_if_open(int *fd)
{
	if (*fd != -1)
		close(*fd);
	*fd = -1;
}

static void
jailed_release(struct jailed *j)
{
	close_if_open(&j->pidfd);
	close_if_open(&j->status_fd);
	close_if_open(&j->life_fd);
	j->pid = 0;
}

static enum status
start(struct jailed *j, const struct jail_order *o, int flags, const struct command *command,
    struct fault *why)
{
	int		 status[2] = { -1, -1 }, life[2] = { -1, -1 };
	int		 null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct child	 c = { .path = command->argv[0], .argv = (char *const *)command->argv,
			     .maps_uid = (flags & CLONE_NEWUSER) != 0, .ids = space_ids_of_root(),
			     .cell_fd = o->stays ? -1 : cell_procs_fd() };
	pid_t		 pid = -1;

	if (null == -1 || pipe2(status, O_CLOEXEC | O_NONBLOCK) == -1 ||
	    pipe2(life, O_CLOEXEC) == -1)
		goto out;
	c.fds[STDIN_FILENO] = null;
	c.fds[STDOUT_FILENO] = c.fds[STDERR_FILENO] = o->output_fd != -1 ? o->output_fd : null;
	c.fds[JAIL_FD_STATUS] = status[1];
	c.fds[JAIL_FD_KEEP] = o->result != NULL ? o->result_fd : o->keep_fd;
	c.fds[JAIL_FD_LIFE] = life[0];
	c.fds[JAIL_FD_COPY] = o->copy_of != NULL ? o->copy_fd : -1;
	if (c.cell_fd != -1)
		(void)cell_limit(o->cell_bytes, jail_process_limit(o->threads) - JAIL_CELL_FEWER);
	if ((pid = clone_child(&c, flags, &j->pidfd)) == -1)
		goto out;
	if (c.cell_fd == -1)
		cell_unlimit();
	j->pid = pid;
	j->status_fd = status[0];
	j->life_fd = life[1];
	status[0] = life[1] = -1;
out:
	if (pid == -1)
		(void)fault_set(why, ST_INTERNAL, "starting a jail: %s", strerror(errno));
	close_if_open(&null);
	for (int i = 0; i < 2; i++) {
		close_if_open(&status[i]);
		close_if_open(&life[i]);
	}
	return pid == -1 ? ST_INTERNAL : ST_OK;
}

static enum status
spawn_with(struct jailed *j, const struct jail_order *o, int flags, struct fault *why)
{
	struct command	command;
	char		path[4096 + 64];
	enum status	st;

	*j = (struct jailed){ .pidfd = -1, .status_fd = -1, .life_fd = -1 };
	if (!(flags & CLONE_NEWPID)) {
		if (nalive == MAX_JAILS)
			return fault_set(why, ST_FULL, "more than %d jails", MAX_JAILS);
		if (prctl(PR_SET_CHILD_SUBREAPER, 1) == -1)
			return fault_set(why, ST_INTERNAL, "subreaper: %s", strerror(errno));
	}
	if ((st = path_program("assay-jail", path, sizeof path, why)) != ST_OK ||
	    (st = put_command(&command, o, path, flags, why)) != ST_OK ||
	    (st = start(j, o, flags, &command, why)) != ST_OK)
		return st;
	if (!(flags & CLONE_NEWPID))
		alive[nalive++] = j->pid;
	return ST_OK;
}

/* ---- ending ---- */

/* Without a process namespace: forget the jail and kill what it may have left to us. */
static void
reap_after(pid_t pid)
{
	for (size_t i = 0; i < nalive; i++) {
		if (alive[i] != pid)
			continue;
		alive[i] = alive[--nalive];
		reap_children(alive, nalive);
		return;
	}
}

/* The jail's words; or its own end, if it was killed before it had any. */
static void
read_end(struct jailed *j, int status, struct jail_end *end)
{
	struct jail_record	r;

	*end = (struct jail_end){ .code = -1 };
	if (read(j->status_fd, &r, sizeof r) != sizeof r) {
		end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		end->setup_failed = end->signal == 0;
		if (end->setup_failed)
			(void)snprintf(end->words, sizeof end->words,
			    "assay-jail ended with code %d", WEXITSTATUS(status));
		return;
	}
	if (r.kind == JAIL_SETUP_FAILED) {
		end->setup_failed = true;
		(void)snprintf(end->words, sizeof end->words, "%.119s: %s", r.words,
		    strerror(r.value));
		return;
	}
	end->usage = r.usage;
	if (WIFSIGNALED(r.value))
		end->signal = WTERMSIG(r.value);
	else
		end->code = WEXITSTATUS(r.value);
}

bool
jail_wait(struct jailed *j, int timeout_ms, struct jail_end *end)
{
	struct pollfd	ended = { .fd = j->pidfd, .events = POLLIN };
	int		status;

	if (j->pid == 0) {
		*end = (struct jail_end){ .signal = SIGKILL };
		return true;
	}
	if (poll(&ended, 1, timeout_ms) != 1)
		return false;
	if (waitpid(j->pid, &status, 0) != j->pid)
		return false;
	read_end(j, status, end);
	reap_after(j->pid);
	jailed_release(j);
	return true;
}

void
jail_kill(struct jailed *j)
{
	struct jail_end	end;

	if (j->pid == 0)
		return;
	if (found.flags & CLONE_NEWPID) {
		(void)syscall(SYS_pidfd_send_signal, j->pidfd, SIGKILL, NULL, 0);
		while (!jail_wait(j, -1, &end))
			continue;
		return;
	}
	close_if_open(&j->life_fd);
	if (jail_wait(j, LET_GO_MS, &end))
		return;
	(void)kill(-j->pid, SIGKILL);
	while (!jail_wait(j, -1, &end))
		continue;
}

/* ---- what works here ---- */

static bool
try_flags(int flags, char *words, size_t bytes)
{
	static const char *const	argv[] = { "/bin/true", NULL };
	const struct jail_order		o = { .phase = JAIL_TIME, .argv = argv, .dir = "/usr",
					    .cpu = -1, .keep_fd = -1, .output_fd = -1 };
	struct jailed			j;
	struct jail_end			end;
	struct fault			why;

	found.flags = flags;
	if (spawn_with(&j, &o, flags, &why) != ST_OK) {
		(void)snprintf(words, bytes, "%.180s", why.text);
		return false;
	}
	while (!jail_wait(&j, -1, &end))
		continue;
	if (end.setup_failed || end.signal != 0)
		(void)snprintf(words, bytes, "%.180s", end.setup_failed ? end.words : "killed");
	return !end.setup_failed && end.signal == 0;
}

static void
note_flags(struct jail_support *s, int flags)
{
	s->user = flags & CLONE_NEWUSER;
	s->mount = flags & CLONE_NEWNS;
	s->pid = flags & CLONE_NEWPID;
	s->net = found.left_network || (flags & CLONE_NEWNET);
	s->ipc = flags & CLONE_NEWIPC;
	s->uts = flags & CLONE_NEWUTS;
	s->cgroup = flags & CLONE_NEWCGROUP;
	s->namespaces = s->mount && s->pid && s->net;
}

/* The entry with an action that was used last. */
static bool
has_seccomp(void)
{
	const uint32_t	action = SECCOMP_RET_KILL_PROCESS;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

const struct jail_support *
jail_support(void)
{
	/* Spaces to do without, from nothing to everything. */
	static const int	less[] = { 0, CLONE_NEWCGROUP, CLONE_NEWNET,
				    CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWCGROUP,
				    CLONE_NEWNS | CLONE_NEWNET, ALL_SPACES };
	const int		user = geteuid() == 0 ? 0 : CLONE_NEWUSER;
	const int		spaces = found.left_network ?
				    ALL_SPACES & ~CLONE_NEWNET : ALL_SPACES;
	char			words[192];

	if (found.tried)
		return &found.support;
	found.tried = true;
	found.support.seccomp = has_seccomp();
	found.support.landlock = syscall(SYS_landlock_create_ruleset, NULL, 0,
	    LANDLOCK_CREATE_RULESET_VERSION) >= 1;
	for (size_t i = 0; i < sizeof less / sizeof less[0] && !found.support.works; i++) {
		int	flags = less[i] == ALL_SPACES ? 0 : user | (spaces & ~less[i]);

		if (found.without && flags != 0)
			continue;
		found.support.works = try_flags(flags, words, sizeof words);
		if (found.support.works)
			note_flags(&found.support, flags);
		else if (found.support.reason[0] == '\0')
			memcpy(found.support.reason, words, sizeof words);
	}
	return &found.support;
}

void
jail_enter_cell(int procs_fd)
{
	(void)fcntl(procs_fd, F_SETFD, FD_CLOEXEC);
	cell_open(procs_fd);
}

static bool
leave_network(void)
{
	const int		user = geteuid() == 0 ? 0 : CLONE_NEWUSER;
	const struct space_ids	ids = space_ids_of_ours();

	return unshare(user | CLONE_NEWNET) == 0 && (user == 0 || space_map_ids(&ids));
}

/* A child tries first: half way, without a map, there is no way back. */
void
jail_leave_network(void)
{
	int	status;
	pid_t	pid = fork();

	if (pid == 0)
		_exit(leave_network() ? 0 : 1);
	if (pid == -1 || waitpid(pid, &status, 0) != pid || status != 0)
		return;
	found.left_network = leave_network();
}

void
jail_without_namespaces(void)
{
	found.without = true;
	(void)snprintf(found.support.reason, sizeof found.support.reason, "not wanted");
}

enum status
jail_spawn(struct jailed *j, const struct jail_order *o, struct fault *why)
{
	*j = (struct jailed){ .pidfd = -1, .status_fd = -1, .life_fd = -1 };
	if (!jail_support()->works)
		return fault_set(why, ST_INTERNAL, "no jail can be built here: %s",
		    found.support.reason);
	return spawn_with(j, o, found.flags, why);
}
