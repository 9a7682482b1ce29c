/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A template sees the builder's directory as it is at each time, so it reads sources where
 * recipe_put has left them.  An object comes back in a file in memory.  Its bytes are copied once
 * the child has ended, and lie beside the sources for the linker's jail.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/base/path.h"
#include "worker/build/recipe/clang_inproc.h"
#include "worker/build/recipe/inproc.h"

enum { POLL_MS = 20, TRIES = 2 };

struct inproc {
	struct jailed	 jailed;
	int		 fd;		/* our end of its socket; -1: there is no template */
	int		 cpu;		/* where it runs */
	dev_t		 device;	/* the directory that it sees */
	ino_t		 inode;
};

/* One program of the recipe's steps. */
struct part {
	const char	*const *words;		/* borrowed */
	size_t		 n;
	const char	*counts;		/* borrowed: where its number begins */
};

/* A build, from its first source to the link. */
struct run {
	struct inproc		*inproc;	/* borrowed, as all of it */
	const struct scratch	*scratch;
	const struct compile	*order;
	struct compiled		*c;
	double			 began_ms;
};

/* DECIDED: the outcome has its status.  STOPPED: and needs a line of ours. */
enum verdict { FINE, REFUSED, STOPPED, DECIDED, UNDECIDED };

enum status
inproc_new(struct inproc **out, struct fault *why)
{
	if ((*out = calloc(1, sizeof **out)) == NULL)
		return fault_set(why, ST_NOMEM, "a template of clang");
	(*out)->fd = -1;
	return ST_OK;
}

static void
end_template(struct inproc *p)
{
	if (p->fd == -1)
		return;
	(void)close(p->fd);
	p->fd = -1;
	jail_kill(&p->jailed);
}

void
inproc_free(struct inproc *p)
{
	if (p != NULL)
		end_template(p);
	free(p);
}

bool
inproc_is_for(const struct recipe *r)
{
	return r->compiler != NULL && strcmp(r->compiler->name, INPROC_COMPILER) == 0;
}

/* ---- the template ---- */

/* Outside of the builder's cgroup, whose processes end with each build. */
static enum status
start_template(struct inproc *p, const struct compile *where, struct fault *why)
{
	char			 program[4096];
	const char *const	 argv[] = { program, INPROC_TEMPLATE, NULL };
	struct jail_order	 order = { .phase = JAIL_TIME, .argv = argv, .dir = where->dir,
				    .cpu = where->cpu, .stays = true, .output_fd = -1 };
	int			 pair[2];
	enum status		 st;

	if ((st = path_program(INPROC_PROGRAM, program, sizeof program, why)) != ST_OK)
		return st;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == -1)
		return fault_set(why, ST_INTERNAL, "a socket: %s", strerror(errno));
	order.keep_fd = pair[1];
	st = jail_spawn(&p->jailed, &order, why);
	(void)close(pair[1]);
	if (st != ST_OK) {
		(void)close(pair[0]);
		return st;
	}
	p->fd = pair[0];
	p->cpu = where->cpu;
	return ST_OK;
}

/* A directory that was made again is not the one that it sees. */
static enum status
have_template(struct inproc *p, const struct compile *where, struct fault *why)
{
	struct stat	sb;
	enum status	st = ST_OK;

	if (stat(where->dir, &sb) == -1)
		return fault_set(why, ST_INTERNAL, "%s: %s", where->dir, strerror(errno));
	if (p->fd != -1 && (p->cpu != where->cpu || p->device != sb.st_dev ||
	    p->inode != sb.st_ino))
		end_template(p);
	if (p->fd == -1)
		st = start_template(p, where, why);
	p->device = sb.st_dev;
	p->inode = sb.st_ino;
	return st;
}

static bool
send_order(int to, const struct compile *where, const int fds[INPROC_FDS])
{
	struct inproc_order	order = { .memory_bytes = compile_memory_bytes(),
				    .file_bytes = COMPILE_FILE_BYTES,
				    .cpu_s = where->wall_ms / 1000 + 2 };
	union {
		struct cmsghdr	first;
		char		bytes[CMSG_SPACE(INPROC_FDS * sizeof(int))];
	}			control = { .bytes = { 0 } };
	struct iovec		data = { &order, sizeof order };
	struct msghdr		message = { .msg_iov = &data, .msg_iovlen = 1,
				    .msg_control = &control, .msg_controllen = sizeof control };

	control.first = (struct cmsghdr){ .cmsg_len = CMSG_LEN(INPROC_FDS * sizeof(int)),
	    .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
	memcpy(CMSG_DATA(&control.first), fds, INPROC_FDS * sizeof(int));
	return sendmsg(to, &message, MSG_NOSIGNAL) == (ssize_t)sizeof order;
}

/* STOPPED: time is over, or it prints without end, or the job is cancelled; *st has which. */
static enum verdict
wait_for(const struct run *run, int output_fd, struct inproc_end *end, enum status *st)
{
	const struct compile	*order = run->order;
	struct pollfd		 said = { .fd = run->inproc->fd, .events = POLLIN };

	for (;;) {
		const double	left_ms = run->began_ms + order->wall_ms -
				    (double)clock_now_ns() / 1e6;

		if (poll(&said, 1, left_ms <= 0 ? 0 : left_ms < POLL_MS ? (int)left_ms + 1 :
		    POLL_MS) == 1)
			return recv(said.fd, end, sizeof *end, MSG_WAITALL) ==
			    (ssize_t)sizeof *end ? FINE : UNDECIDED;
		*st = left_ms <= 0 ? ST_BUILD_TIMEOUT : compile_is_flood(output_fd) ?
		    ST_BUILD_LIMIT : order->stop != NULL && order->stop(order->stop_arg) ?
		    ST_CANCELLED : ST_OK;
		if (*st != ST_OK)
			return STOPPED;
	}
}

/* ---- one source ---- */

static bool
put_words(int fd, const struct part *part)
{
	for (size_t i = 1; i < part->n; i++) {
		const size_t	n = strlen(part->words[i]) + 1;

		if (write(fd, part->words[i], n) != (ssize_t)n)
			return false;
	}
	return true;
}

static const char *
output_of(const struct part *part)
{
	for (size_t i = 1; i + 1 < part->n; i++)
		if (strcmp(part->words[i], "-o") == 0)
			return part->words[i + 1];
	return NULL;
}

static enum verdict
verdict_of(const struct inproc_end *end, struct compiled *c)
{
	if (WIFSIGNALED(end->status) && WTERMSIG(end->status) == SIGXCPU) {
		c->status = ST_BUILD_TIMEOUT;
		return DECIDED;
	}
	if (!WIFEXITED(end->status) || WEXITSTATUS(end->status) > 1)
		return UNDECIDED;
	return WEXITSTATUS(end->status) == 0 ? FINE : REFUSED;
}

/* The template is gone: another one tries again, in case that something else ended it. */
static enum verdict
ask(const struct run *run, const int fds[INPROC_FDS])
{
	struct inproc_end	end;
	enum verdict		v = UNDECIDED;

	for (int i = 0; i < TRIES && v == UNDECIDED; i++) {
		if (have_template(run->inproc, run->order, NULL) != ST_OK)
			return UNDECIDED;
		if (send_order(run->inproc->fd, run->order, fds))
			v = wait_for(run, fds[INPROC_OUTPUT], &end, &run->c->status);
		if (v != FINE)
			end_template(run->inproc);
	}
	return v == FINE ? verdict_of(&end, run->c) : v;
}

static enum verdict
keep_object(const struct run *run, int fd, const char *name)
{
	struct stat	 sb;
	void		*bytes;
	enum verdict	 v = UNDECIDED;

	if (fstat(fd, &sb) == -1 || sb.st_size <= 0)
		return UNDECIDED;
	bytes = mmap(NULL, (size_t)sb.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return UNDECIDED;
	if (scratch_put(run->scratch, name, bytes, (size_t)sb.st_size, NULL) == ST_OK)
		v = FINE;
	(void)munmap(bytes, (size_t)sb.st_size);
	return v;
}

static void
add_words(struct compiled *c, char *words)
{
	char	*both;

	if (c->words == NULL || words == NULL) {
		c->words = c->words == NULL ? words : c->words;
		return;
	}
	if (asprintf(&both, "%s%s", c->words, words) != -1) {
		free(c->words);
		c->words = both;
	}
	free(words);
}

static enum verdict
compile_source(const struct run *run, const struct part *part)
{
	int		fds[INPROC_FDS] = { -1, -1, -1 };
	enum verdict	v = FINE;

	for (int i = 0; i < INPROC_FDS; i++)
		if ((fds[i] = memfd_create("assay-clang", MFD_CLOEXEC)) == -1)
			v = UNDECIDED;
	if (v == FINE && !put_words(fds[INPROC_WORDS], part))
		v = UNDECIDED;
	if (v == FINE)
		v = ask(run, fds);
	if (v == FINE)
		v = keep_object(run, fds[INPROC_OBJECT], output_of(part));
	if (v != UNDECIDED)
		add_words(run->c, compile_words(fds[INPROC_OUTPUT], run->order->dir));
	for (int i = 0; i < INPROC_FDS; i++)
		if (fds[i] != -1)
			(void)close(fds[i]);
	return v;
}

/* ---- a build ---- */

/* As in jail_order's steps; false: it was the last. */
static bool
next_part(struct part *part)
{
	const char	*at = part->counts;

	part->words += part->n;
	if (*at == '\0')
		return false;
	part->n = strtoul(at + (*at == 'a'), NULL, 10);
	return true;
}

static void
pass(struct part *part)
{
	part->counts += strcspn(part->counts, ",");
	part->counts += *part->counts == ',';
}

static bool
compiles(const struct part *part)
{
	return part->n > 1 && strncmp(part->words[1], "-cc1", 4) == 0;
}

/* Sources first, then the linker; of sources only those that clang's library compiles. */
static bool
is_understood(const struct step_line *line)
{
	struct part	part = { line->words, 0, line->counts };
	bool		links = false;

	for (; next_part(&part); pass(&part)) {
		if (compiles(&part) && (links || strcmp(part.words[1], "-cc1") != 0 ||
		    output_of(&part) == NULL))
			return false;
		links |= !compiles(&part);
	}
	return links;
}

static enum verdict
link_objects(const struct run *run, const struct part *part)
{
	struct compile	order = *run->order;
	struct compiled	linked;

	order.argv = part->words;
	order.steps = part->counts;
	compile_run(&order, &linked);
	run->c->status = linked.status;
	add_words(run->c, linked.words);
	return DECIDED;
}

/* As drivers do: after an error, the other sources are compiled for what is wrong with them. */
static enum verdict
build(const struct run *run, const struct step_line *line)
{
	struct part	part = { line->words, 0, line->counts };
	enum verdict	v = FINE, worst = FINE;

	for (; next_part(&part) && compiles(&part); pass(&part)) {
		if ((v = compile_source(run, &part)) != FINE && v != REFUSED)
			return v;
		worst = v == REFUSED ? v : worst;
	}
	return worst == FINE ? link_objects(run, &part) : worst;
}

static void
explain(const struct run *run, enum verdict v)
{
	char	line[64] = "stopped: it prints without end";

	if (v == REFUSED)
		run->c->status = ST_BUILD_FAILED;
	if (v != STOPPED)
		return;
	if (run->c->status == ST_BUILD_TIMEOUT)
		(void)snprintf(line, sizeof line, "stopped after %u ms", run->order->wall_ms);
	if (run->c->status == ST_BUILD_TIMEOUT || run->c->status == ST_BUILD_LIMIT)
		compile_say_first(run->c, line);
}

bool
inproc_run(struct inproc *p, const struct recipe *r, const struct scratch *scratch,
    const struct compile *order, struct compiled *c)
{
	const struct run	 run = { p, scratch, order, c, (double)clock_now_ns() / 1e6 };
	struct step_line	*line = malloc(sizeof *line);
	enum verdict		 v = UNDECIDED;

	*c = (struct compiled){ .status = ST_OK };
	if (line != NULL && r->steps != NULL &&
	    steps_put(r->steps, r->words + r->first_macro, r->nmacros, line) && is_understood(line))
		v = build(&run, line);
	free(line);
	if (v == UNDECIDED) {
		free(c->words);
		return false;
	}
	explain(&run, v);
	c->ms = (double)clock_now_ns() / 1e6 - run.began_ms;
	return true;
}
