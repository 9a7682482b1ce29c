/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who runs: a child of this process, in a process group of its own, with the caller's rights.  It
 * holds the pipe's writing end; its standard output is the caller's standard error, and it dies
 * with the caller.  This process reads the other end, and ends the group whatever has happened.
 */
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/micro/plugin/frames.h"
#include "client/micro/plugin/load.h"
#include "client/micro/plugin/process.h"
#include "proto/base/clock.h"

enum { NAMES_BYTES = 160, READ_BYTES = 64 << 10 };
#define MEMORY_BYTES	(UINT64_C(2) << 30)	/* of the child's data */

/* ---- the child ---- */

static enum status
put_count(void *arg, uint64_t programs, struct fault *why)
{
	return frame_put(arg, &(struct frame){ .kind = FRAME_COUNT, .value = programs }) ? ST_OK :
	    fault_set(why, ST_IO, "the pipe is closed");
}

static enum status
put_program(void *arg, const struct made *p, struct fault *why)
{
	char		*meta = p->meta != NULL ? json_dumps(p->meta, JSON_COMPACT) : NULL;
	struct frame	 f = { .kind = FRAME_PROGRAM, .value = p->index,
			    .part = { p->name, p->language, p->text, meta } };
	bool		 is_put = frame_put(arg, &f);

	free(meta);
	return is_put ? ST_OK : fault_set(why, ST_IO, "the pipe is closed");
}

/* The address sanitizer reserves terabytes, and lives without a limit. */
static void
limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
	const struct rlimit	memory = { MEMORY_BYTES, MEMORY_BYTES };

	(void)setrlimit(RLIMIT_DATA, &memory);
#endif
}

static void
limit_itself(pid_t parent)
{
	const struct rlimit	none = { 0, 0 };

	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	(void)setrlimit(RLIMIT_CORE, &none);
	limit_memory();
	(void)dup2(STDERR_FILENO, STDOUT_FILENO);
}

static void
be_child(const struct plugins *all, struct micro *m, maker_fn *make, void *arg, int fd)
{
	struct fault		 why = { .status = ST_OK };
	FILE			*to = fdopen(fd, "w");
	const struct listener	 pipe_end = { put_count, put_program, to };
	enum status		 st = to != NULL ? ST_OK : ST_NOMEM;

	for (size_t i = 0; i < all->n && st == ST_OK; i++)
		st = plugin_load(all->files[i], m, &why);
	if (st == ST_OK)
		st = make(arg, m, &pipe_end, &why);
	(void)fflush(stdout);
	if (to != NULL && st == ST_OK)
		(void)frame_put(to, &(struct frame){ .kind = FRAME_END });
	else if (to != NULL)
		(void)frame_put(to, &(struct frame){ .kind = FRAME_FAULT, .value = (uint64_t)st,
		    .part = { why.member, why.text, why.hint } });
	_exit(0);
}

/* ---- its reader ---- */

struct watch {
	const struct listener	*to;
	pid_t			 pid;
	int			 fd;
	uint64_t		 left_ns;	/* to wait for it */
	bool			 is_counted;	/* comes once, before the programs */
	char			 names[NAMES_BYTES];
};

static enum status
take_program(const struct watch *w, const struct frame *f, struct fault *why)
{
	struct made	p = { .index = f->value, .name = f->part[0], .language = f->part[1],
			    .text = f->part[2] };
	enum status	st;

	if (f->part[3][0] != '\0' && (p.meta = json_loads(f->part[3], 0, NULL)) == NULL)
		return fault_set(why, ST_BAD_SPEC, "the meta of its program %s is no JSON", p.name);
	st = w->to->made(w->to->arg, &p, why);
	json_decref(p.meta);
	return st;
}

static enum status
take_fault(const struct frame *f, struct fault *why)
{
	if (f->value == ST_OK || f->value >= ST_N)
		return fault_set(why, ST_BAD_SPEC, "it sent a fault that there is not");
	(void)fault_at(why, (enum status)f->value, f->part[0], "%s", f->part[1]);
	fault_hint(why, "%s", f->part[2]);
	return (enum status)f->value;
}

static enum status
take(void *arg, const struct frame *f, struct fault *why)
{
	struct watch	*w = arg;

	if (f->kind < FRAME_FAULT && w->is_counted != (f->kind == FRAME_PROGRAM))
		return fault_set(why, ST_BAD_SPEC, "it sent its programs and their number in "
		    "another order");
	switch (f->kind) {
	case FRAME_COUNT:
		w->is_counted = true;
		return w->to->counted(w->to->arg, f->value, why);
	case FRAME_PROGRAM:
		return take_program(w, f, why);
	case FRAME_FAULT:
		return take_fault(f, why);
	case FRAME_END:
	case FRAME_NKINDS:
		break;
	}
	return ST_OK;
}

/* false: nothing happened on the descriptor in the time that was left. */
static bool
wait_for(struct watch *w, int fd)
{
	struct pollfd	p = { .fd = fd, .events = POLLIN };
	const uint64_t	before = clock_ns(CLOCK_MONOTONIC);
	uint64_t	waited;
	int		n;

	do
		n = poll(&p, 1, (int)(w->left_ns / 1000000) + 1);
	while (n < 0 && errno == EINTR);
	waited = clock_ns(CLOCK_MONOTONIC) - before;
	w->left_ns = waited < w->left_ns ? w->left_ns - waited : 0;
	return n > 0;
}

static enum status
took_too_long(const struct watch *w, const struct plugins *all, struct fault *why)
{
	(void)fault_at(why, ST_BAD_SPEC, w->names, "the plugin took more than %u s",
	    all->seconds);
	fault_hint(why, "mend it, or use --plugin-seconds");
	return ST_BAD_SPEC;
}

/* It closed its pipe before the last program: how did it end? */
static enum status
ended_early(struct watch *w, const struct plugins *all, struct fault *why)
{
	int		process = (int)syscall(SYS_pidfd_open, w->pid, 0);
	bool		is_over = process >= 0 && wait_for(w, process);
	siginfo_t	ended;

	if (process >= 0)
		(void)close(process);
	if (!is_over || waitid(P_PID, (id_t)w->pid, &ended, WEXITED | WNOWAIT) != 0)
		return took_too_long(w, all, why);
	if (ended.si_code != CLD_EXITED)
		return fault_at(why, ST_BAD_SPEC, w->names, "the plugin crashed: signal %d, %s",
		    ended.si_status, strsignal(ended.si_status));
	return fault_at(why, ST_BAD_SPEC, w->names, "the plugin ended its process with %d before "
	    "the last program", ended.si_status);
}

static enum status
follow(struct watch *w, const struct plugins *all, struct frames *frames, struct fault *why)
{
	char		bytes[READ_BYTES];
	enum status	st = ST_OK;
	ssize_t		n;

	while (st == ST_OK && !frames->has_ended) {
		if (!wait_for(w, w->fd))
			return took_too_long(w, all, why);
		if ((n = read(w->fd, bytes, sizeof bytes)) <= 0)
			return ended_early(w, all, why);
		st = frames_read(frames, bytes, (size_t)n, why);
	}
	if (st != ST_OK && !frames->has_ended && why->member[0] == '\0')
		(void)fault_within(why, w->names);
	return st;
}

static void
name_all(const struct plugins *all, char names[NAMES_BYTES])
{
	size_t	used = 0;

	for (size_t i = 0; i < all->n && used < NAMES_BYTES; i++)
		used += (size_t)snprintf(names + used, NAMES_BYTES - used, "%s%s",
		    i > 0 ? ", " : "", all->files[i]);
}

/* Whatever it still does, and those that it has started in its group; it may have left that. */
static void
finish(const struct watch *w)
{
	(void)kill(-w->pid, SIGKILL);
	(void)kill(w->pid, SIGKILL);
	(void)waitpid(w->pid, NULL, 0);
	(void)close(w->fd);
}

enum status
plugins_run(const struct plugins *all, struct micro *m, maker_fn *make, void *arg,
    const struct listener *to, struct fault *why)
{
	struct watch	w = { .to = to, .left_ns = all->seconds * UINT64_C(1000000000) };
	struct frames	frames;
	const pid_t	parent = getpid();
	enum status	st;
	pid_t		pid;
	int		ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return fault_set(why, ST_IO, "no pipe for a plugin: %s", strerror(errno));
	(void)fflush(NULL);
	if ((pid = fork()) == 0) {
		limit_itself(parent);
		be_child(all, m, make, arg, ends[1]);
	}
	(void)close(ends[1]);
	w.pid = pid;
	w.fd = ends[0];
	if (pid < 0) {
		(void)close(w.fd);
		return fault_set(why, ST_IO, "no process for a plugin: %s", strerror(errno));
	}
	(void)setpgid(pid, pid);
	name_all(all, w.names);
	frames_init(&frames, take, &w);
	st = follow(&w, all, &frames, why);
	finish(&w);
	frames_release(&frames);
	return st;
}
