/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "worker/build/recipe/compile.h"
#include "worker/jail/jail.h"
#include "worker/spawn/cell.h"
#include "worker/spawn/large.h"

enum { STOP_POLL_MS = 20, FLOOD_BYTES = 4 << 20 };

/* Limit of address space of one process, and of memory of the whole build. */
#define COMPILE_MEMORY_BYTES	((uint64_t)2 << 30)

/* ---- the compiler's output ---- */

/* Remove every `what` from text, in place. */
static void
remove_all(char *text, const char *what)
{
	const size_t	 n = strlen(what);
	char		*to = text, *from = text, *hit;

	while ((hit = strstr(from, what)) != NULL) {
		memmove(to, from, (size_t)(hit - from));
		to += hit - from;
		from = hit + n;
	}
	memmove(to, from, strlen(from) + 1);
}

static void
remove_host_paths(char *text, const char *dir)
{
	char	prefix[4096];

	if ((size_t)snprintf(prefix, sizeof prefix, "%s/", dir) < sizeof prefix)
		remove_all(text, prefix);
	remove_all(text, JAIL_WORK_DIR "/");
}

/* Cut at the end of a line. */
char *
compile_words(int fd, const char *dir)
{
	struct stat	 sb;
	size_t		 n = 0;
	ssize_t		 got;
	char		*text, *end;

	if (fstat(fd, &sb) == -1 || sb.st_size == 0 ||
	    (text = malloc(COMPILE_WORDS_BYTES + 64)) == NULL)
		return NULL;
	while (n < COMPILE_WORDS_BYTES &&
	    (got = pread(fd, text + n, COMPILE_WORDS_BYTES - n, (off_t)n)) > 0)
		n += (size_t)got;
	text[n] = '\0';
	for (char *s = text; (size_t)(s - text) < n; s++)
		if (*s == '\0')
			*s = '?';
	if (sb.st_size > COMPILE_WORDS_BYTES) {
		if ((end = strrchr(text, '\n')) != NULL)
			end[1] = '\0';
		(void)snprintf(text + strlen(text), 64, "(cut: it printed %lld bytes)\n",
		    (long long)sb.st_size);
	}
	remove_host_paths(text, dir);
	return text;
}

void
compile_say_first(struct compiled *c, const char *line)
{
	char	*text;

	if (asprintf(&text, "%s\n%s", line, c->words != NULL ? c->words : "") == -1)
		return;
	free(c->words);
	c->words = text;
}

/*
 * Does the output report that a tool ran out of something, or crashed?  Such messages are lines of
 * their own.  Lines that quote source are indented, and #error marks a message of the source.
 */
static bool
says_limit(const char *text)
{
	static const char *const	signs[] = {
		"out of memory", "memory exhausted", "Cannot allocate memory", "std::bad_alloc",
		"File size limit exceeded", "File too large", "signal terminated program",
		"No space left on device", "Resource temporarily unavailable",
		"Segmentation fault", "internal compiler error",
		"frontend command failed due to signal", "Stack dump:",
	};

	for (const char *line = text; line != NULL;
	    line = (line = strchr(line, '\n')) != NULL ? line + 1 : NULL) {
		const size_t	 n = strcspn(line, "\n");
		const char	*quoted = strstr(line, "#error");

		if (*line == ' ' || (quoted != NULL && quoted < line + n))
			continue;
		for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
			const char	*hit = strstr(line, signs[i]);

			if (hit != NULL && hit < line + n)
				return true;
		}
	}
	return false;
}

/* ---- outcomes ---- */

static enum status
status_of_end(const struct compile *order, const struct jail_end *end, struct compiled *c)
{
	char	line[256];

	if (end->setup_failed) {
		(void)snprintf(line, sizeof line, "the build jail: %s", end->words);
		compile_say_first(c, line);
		return ST_INTERNAL;
	}
	if (end->signal == 0 && end->code == 0)
		return ST_OK;
	if (end->signal == SIGXCPU ||
	    (c->words != NULL && strstr(c->words, "CPU time limit exceeded") != NULL))
		return ST_BUILD_TIMEOUT;
	if (end->signal != 0) {
		(void)snprintf(line, sizeof line,
		    "%s was killed by signal %d (%s)",
		    order->program != NULL ? order->program : "the compiler", end->signal,
		    strsignal(end->signal));
		compile_say_first(c, line);
		return ST_BUILD_LIMIT;
	}
	return c->words != NULL && says_limit(c->words) ? ST_BUILD_LIMIT : ST_BUILD_FAILED;
}

/*
 * Memory of all processes of a build together, files in memory included.  At most half of the
 * host's, so that a build meets its own limit before the host's out-of-memory killer picks a
 * process.
 */
uint64_t
compile_memory_bytes(void)
{
	const long	pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
	const uint64_t	half = pages > 0 && page_bytes > 0 ?
			    (uint64_t)pages * (uint64_t)page_bytes / 2 : COMPILE_MEMORY_BYTES;

	return half < COMPILE_MEMORY_BYTES ? half : COMPILE_MEMORY_BYTES;
}

/* Counts of the build's cgroup.  A compiler may succeed after a refused fork. */
struct cell_account {
	uint64_t	oom_kills, refusals;
};

static struct cell_account
read_cell(void)
{
	return (struct cell_account){ cell_oom_kills(), cell_refusals() };
}

static enum status
blame_limit(const struct cell_account *before, enum status st, struct compiled *c)
{
	const struct cell_account	after = read_cell();
	char				line[128];

	if (after.oom_kills != before->oom_kills)
		(void)snprintf(line, sizeof line, "stopped: a build may have %llu MiB of memory",
		    (unsigned long long)(compile_memory_bytes() >> 20));
	else if (st != ST_OK && after.refusals != before->refusals)
		(void)snprintf(line, sizeof line, "a build may have %u processes",
		    jail_process_limit(0) - JAIL_CELL_FEWER);
	else
		return st;
	compile_say_first(c, line);
	return ST_BUILD_LIMIT;
}

/*
 * A file that includes itself doubles its messages with every level: do not wait for all of them.
 */
bool
compile_is_flood(int output_fd)
{
	struct stat	sb;

	return fstat(output_fd, &sb) == 0 && sb.st_size > FLOOD_BYTES;
}

/* Wait for the end (ST_OK), the wall limit, a flood of output or a stop. */
static enum status
wait_for(struct jailed *j, const struct compile *order, int output_fd, double began_ms,
    struct jail_end *end)
{
	enum status	st;

	for (;;) {
		double	left_ms = began_ms + order->wall_ms - (double)clock_now_ns() / 1e6;

		if (jail_wait(j, left_ms <= 0 ? 0 : left_ms < STOP_POLL_MS ? (int)left_ms + 1 :
		    STOP_POLL_MS, end))
			return ST_OK;
		st = left_ms <= 0 ? ST_BUILD_TIMEOUT :
		    compile_is_flood(output_fd) ? ST_BUILD_LIMIT :
		    order->stop != NULL && order->stop(order->stop_arg) ? ST_CANCELLED : ST_OK;
		if (st != ST_OK)
			break;
	}
	jail_kill(j);
	return st;
}

/* The first program of the steps that has one. */
static void
have_copy(struct jail_order *jail)
{
	const char *const	*word = jail->argv;
	const char		*counts = jail->steps;
	char			*end;

	for (; counts != NULL && *counts != '\0' && jail->copy_of == NULL;
	    counts = end + (*end == ',')) {
		if ((jail->copy_fd = large_copy(*word)) != -1)
			jail->copy_of = *word;
		word += strtoul(counts + (*counts == 'a'), &end, 10);
	}
}

static enum status
run(const struct compile *order, int output_fd, struct compiled *c)
{
	struct jail_order	jail = { .phase = order->phase, .argv = order->argv,
				    .steps = order->steps, .dir = order->dir,
				    .result = order->result, .result_fd = order->result_fd,
				    .folders = order->folders,
				    .cpu = order->cpu, .keep_fd = -1,
				    .memory_bytes = COMPILE_MEMORY_BYTES,
				    .cell_bytes = compile_memory_bytes(),
				    .file_bytes = COMPILE_FILE_BYTES,
				    .cpu_s = order->wall_ms / 1000 + 2, .output_fd = output_fd };
	const double		began = (double)clock_now_ns() / 1e6;
	const struct cell_account before = read_cell();
	struct jailed		j;
	struct jail_end		end;
	struct fault		why;
	char			line[64] = "stopped: it prints without end";
	enum status		st;

	have_copy(&jail);
	if (jail_spawn(&j, &jail, &why) != ST_OK) {
		compile_say_first(c, why.text);
		return ST_INTERNAL;
	}
	st = wait_for(&j, order, output_fd, began, &end);
	cell_clear();
	c->ms = (double)clock_now_ns() / 1e6 - began;
	c->words = compile_words(output_fd, order->dir);
	if (st == ST_OK)
		return blame_limit(&before, status_of_end(order, &end, c), c);
	if (st == ST_BUILD_TIMEOUT)
		(void)snprintf(line, sizeof line, "stopped after %u ms", order->wall_ms);
	if (st != ST_CANCELLED)
		compile_say_first(c, line);
	return st;
}

void
compile_run(const struct compile *order, struct compiled *c)
{
	int	fd = memfd_create("assay-words", MFD_CLOEXEC);

	*c = (struct compiled){ .status = ST_INTERNAL };
	if (fd == -1) {
		compile_say_first(c, strerror(errno));
		return;
	}
	c->status = run(order, fd, c);
	close(fd);
}
