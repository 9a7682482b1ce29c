/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Theory of operation.  The starter runs no submitted code, and no program has the memory that we
 * share with it.  So its words are ours, with one exception: what it hands out of a program's
 * output is the program's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/base/path.h"
#include "proto/wire/runner_desk.h"
#include "worker/bench/bench_parts.h"
#include "worker/bench/proc/affinity.h"
#include "worker/bench/program_bench.h"
#include "worker/jail/jail.h"
#include "worker/spawn/cell.h"

#define SCRATCH_BYTES	((uint64_t)64 << 20)	/* for files, where a job has them */
#define TRACE_NS	5000000000u	/* for the name of a refused call */
#define OWN_BYTES	((uint64_t)256 << 20)	/* address space of the starter itself */

struct program_bench {
	struct bench		 base;		/* its jail, bay and descriptor */
	struct program_shm	*shm;		/* owned mapping */
	const struct program	*program;	/* borrowed */
	struct program_setup	 setup;		/* ours: never read back */
	struct program_run	 run[RUNNER_MOST_COPIES];	/* of the last run, read once */
};

/* ---- memory ---- */

static uint64_t
next_page(uint64_t bytes)
{
	return (bytes + RUNNER_PAGE_BYTES - 1) / RUNNER_PAGE_BYTES * RUNNER_PAGE_BYTES;
}

static uint64_t
words_bytes(const struct program_config *c)
{
	uint64_t	bytes = strlen(c->name) + 1;

	for (size_t i = 0; i < c->program->nargs; i++)
		bytes += strlen(c->program->args[i]) + 1;
	return bytes;
}

static void
choose_cpus(struct program_setup *s, const struct program_config *c)
{
	for (unsigned i = 0; i < c->copies; i++)
		s->cpu[i] = affinity_of_copy(c->slot, i);
	for (size_t cpu = 0; cpu < RUNNER_CPUS; cpu++)
		if (CPU_ISSET(cpu, &c->slot->all))
			s->cpus[cpu / 64] |= (uint64_t)1 << cpu % 64;
}

/* Returns the bytes of the whole. */
static uint64_t
lay_out(struct program_setup *s, const struct program_config *c)
{
	const struct program	*p = c->program;
	const uint64_t		 input = p->input != NULL ? strlen(p->input) : UINT64_MAX;

	*s = (struct program_setup){ .copies = c->copies, .threads = c->threads,
	    .may_fork = c->profile == PROFILE_FORK, .filtered = 1,
	    .memory_bytes = p->memory_bytes + affinity_thread_bytes(c->threads,
	    affinity_count(c->slot, c->threads)),
	    .output_bytes = p->output_bytes, .words = (uint32_t)p->nargs + 1,
	    .words_at = next_page(sizeof(struct program_shm)), .input_bytes = input };
	if (c->profile == PROFILE_IO)
		(void)snprintf(s->scratch, sizeof s->scratch, "%s", JAIL_SCRATCH_DIR);
	choose_cpus(s, c);
	s->input_at = next_page(s->words_at + words_bytes(c));
	s->last_at = next_page(s->input_at + (p->input != NULL ? input : 0));
	s->output_at = next_page(s->last_at + (uint64_t)c->copies * PROGRAM_LAST_BYTES);
	s->output_step = next_page(p->output_bytes);
	return s->output_at + c->copies * s->output_step;
}

static void
fill_in(struct program_bench *b, const struct program_config *c)
{
	char	*at = (char *)b->shm + b->setup.words_at;

	at = stpcpy(at, c->name) + 1;
	for (size_t i = 0; i < c->program->nargs; i++)
		at = stpcpy(at, c->program->args[i]) + 1;
	if (c->program->input != NULL)
		memcpy((char *)b->shm + b->setup.input_at, c->program->input,
		    b->setup.input_bytes);
	b->shm->magic = PROGRAM_MAGIC;
	b->shm->version = PROGRAM_VERSION;
	b->shm->bytes = b->base.bytes;
	b->shm->setup = b->setup;
}

static enum status
make_memory(struct program_bench *b, const struct program_config *c, struct fault *why)
{
	b->base.bytes = lay_out(&b->setup, c);
	if ((b->base.fd = memfd_create("assay-starter", MFD_CLOEXEC | MFD_ALLOW_SEALING)) < 0 ||
	    ftruncate(b->base.fd, (off_t)b->base.bytes) != 0 ||
	    fcntl(b->base.fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
		return fault_set(why, ST_INTERNAL, "memfd: %s", strerror(errno));
	b->shm = mmap(NULL, b->base.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, b->base.fd, 0);
	if (b->shm == MAP_FAILED) {
		b->shm = NULL;
		return fault_set(why, ST_NOMEM, "memory shared with the starter");
	}
	fill_in(b, c);
	return ST_OK;
}

/* ---- the starter ---- */

static enum event
await(struct program_bench *b, uint64_t deadline_ns)
{
	return bench_wait(&b->base, &b->shm->desk, b->base.order, NULL, deadline_ns,
	    BENCH_SPIN_NS);
}

/* What it says to the set-up, or to an order that it could not carry out. */
static enum status
blame_starter(const struct program_bench *b, enum event event, struct fault *why)
{
	char	words[sizeof b->shm->words];

	if (event == EV_STOPPED)
		return fault_set(why, ST_CANCELLED, "cancelled");
	if (event == EV_GONE)
		return fault_set(why, ST_INTERNAL, "the timing jail: %s",
		    b->base.end.setup_failed ? b->base.end.words : "the starter is gone");
	if (event != EV_REPLIED)
		return fault_set(why, ST_INTERNAL, "the starter does not answer");
	bench_read_words(words, sizeof words, b->shm->words, sizeof b->shm->words, false);
	return fault_set(why, ST_INTERNAL, "the starter cannot work: %s", words);
}

static enum status
start(struct program_bench *b, const struct program_config *c, struct fault *why)
{
	char			 starter[4096];
	const char		*argv[] = { starter, NULL };
	const uint64_t		 each = b->setup.memory_bytes;
	struct jail_order	 order = {
		.phase = JAIL_TIME, .argv = argv, .dir = b->base.bay.path, .cpu = -1,
		.keep_fd = b->base.fd, .memory_bytes = each + b->base.bytes + OWN_BYTES,
		.cell_bytes = c->copies * (each + 2 * b->setup.output_step) + OWN_BYTES,
		.threads = c->copies * c->threads, .traces = true, .output_fd = -1,
	};
	enum event		 event;
	enum status		 st;

	if (c->profile == PROFILE_IO) {
		order.scratch_bytes = SCRATCH_BYTES;
		order.cell_bytes += SCRATCH_BYTES;
	}
	if ((st = path_program("assay-starter", starter, sizeof starter, why)) != ST_OK)
		return st;
	b->shm->desk.order = b->base.order = 1;
	b->base.oom_kills = cell_oom_kills();
	if ((st = jail_spawn(&b->base.jailed, &order, why)) != ST_OK)
		return st;
	event = await(b, clock_now_ns() + c->setup_limit_ns);
	return event == EV_REPLIED && b->shm->reply == PROGRAM_DONE ? ST_OK :
	    blame_starter(b, event, why);
}

enum status
program_bench_new(struct program_bench **out, const struct program_config *c, struct fault *why)
{
	struct program_bench	*b = calloc(1, sizeof *b);
	enum status		 st;

	*out = NULL;
	if (b == NULL)
		return fault_set(why, ST_NOMEM, "bench");
	b->base.fd = -1;
	b->base.slot = c->slot;
	b->program = c->program;
	if ((st = bay_make(&b->base.bay, c->slot->scratch_dir, true, why)) != ST_OK ||
	    (st = bay_put(&b->base.bay, c->path, "program", why)) != ST_OK ||
	    (st = make_memory(b, c, why)) != ST_OK || (st = start(b, c, why)) != ST_OK) {
		program_bench_free(b);
		return st;
	}
	bay_take(&b->base.bay, "program");
	*out = b;
	return ST_OK;
}

void
program_bench_free(struct program_bench *b)
{
	if (b == NULL)
		return;
	if (!b->base.gone)
		jail_kill(&b->base.jailed);
	if (b->shm != NULL)
		munmap(b->shm, b->base.bytes);
	if (b->base.fd >= 0)
		close(b->base.fd);
	bay_remove(&b->base.bay);
	free(b);
}

bool
program_bench_is_pinned(const struct program_bench *b)
{
	return b->setup.cpu[0] >= 0;
}

uint32_t
program_bench_rest_pace(const struct program_bench *b)
{
	return b->shm->rest_pace;
}

/* ---- a run ---- */

static enum status
reply_fault(struct bench_reply *a, const struct fault *why)
{
	(void)fault_line(why, a->words, sizeof a->words);
	return a->status = why->status;
}

static enum status
give(struct program_bench *b, enum program_command command, uint64_t deadline_ns,
    struct bench_reply *a)
{
	const uint64_t	began_ns = clock_now_ns();
	struct fault	why;
	enum event	event;

	b->shm->command = command;
	desk_give(&b->shm->desk, ++b->base.order);
	event = await(b, deadline_ns);
	a->took_ns = clock_now_ns() - began_ns;
	if (event == EV_REPLIED && b->shm->reply == PROGRAM_DONE)
		return ST_OK;
	if (event == EV_TIMEOUT) {
		snprintf(a->words, sizeof a->words, "the wall limit was reached after %.3g s: the "
		    "program had not ended", (double)a->took_ns / 1e9);
		return a->status = ST_RUN_TIMEOUT;
	}
	(void)blame_starter(b, event, &why);
	return reply_fault(a, &why);
}

static struct program_said
said_by(const struct program_bench *b, unsigned copy)
{
	const struct program_setup	*s = &b->setup;
	const struct program_run	*run = &b->run[copy];
	const char			*shm = (const char *)b->shm;

	return (struct program_said){
		shm + s->output_at + copy * s->output_step,
		run->output_bytes < s->output_bytes ? run->output_bytes : s->output_bytes,
		shm + s->last_at + (uint64_t)copy * PROGRAM_LAST_BYTES,
		run->last_bytes < PROGRAM_LAST_BYTES ? run->last_bytes : PROGRAM_LAST_BYTES };
}

/*
 * The number of the call, from one more run that is traced; -1: nothing was refused this time, or
 * it did not end.  Its job is over either way.
 */
static int
refused_call(struct program_bench *b, uint64_t deadline_ns)
{
	const uint64_t		 soon_ns = clock_now_ns() + TRACE_NS;
	struct bench_reply	*a = malloc(sizeof *a);
	int			 refused = -1;

	if (a != NULL && give(b, PROGRAM_TRACE, soon_ns < deadline_ns ? soon_ns : deadline_ns, a) ==
	    ST_OK)
		refused = b->shm->refused;
	free(a);
	return refused;
}

static enum status
judge(struct program_bench *b, bool floor, unsigned copy, uint64_t deadline_ns, struct fault *why)
{
	const struct program_said	said = said_by(b, copy);
	const bool			oom = cell_oom_kills() != b->base.oom_kills;
	const int			refused = program_is_refused(&b->run[copy]) ?
					    refused_call(b, deadline_ns) : -1;
	enum status			st = program_end(b->program, &b->run[copy], &said, oom,
					    refused, why);

	return st != ST_OK || floor ? st : program_check(b->program, &said, why);
}

/* A program that had not started, because another could not, is not to blame. */
static bool
has_begun(const struct program_run *run)
{
	return run->error != 0 || run->began_ns != 0;
}

enum status
program_bench_run(struct program_bench *b, bool floor, uint64_t deadline_ns,
    struct bench_reply *a)
{
	struct fault	why;
	enum status	st;

	bench_reply_begin(a);
	if ((st = give(b, floor ? PROGRAM_FLOOR : PROGRAM_RUN, deadline_ns, a)) != ST_OK)
		return st;
	memcpy(b->run, b->shm->run, sizeof b->run);
	for (unsigned i = 0; i < b->setup.copies; i++) {
		if (!has_begun(&b->run[i]) || judge(b, floor, i, deadline_ns, &why) == ST_OK)
			continue;
		(void)reply_fault(a, &why);
		if (b->setup.copies > 1)
			bench_name_copy(&b->base, i, a);
		return a->status;
	}
	if (b->shm->left > 0) {
		snprintf(a->words, sizeof a->words, "processes that the program had started were "
		    "alive when it exited: %u; its time is not all of theirs", b->shm->left);
		return a->status = ST_SUSPECT;
	}
	return a->status = ST_OK;
}

const struct program_run *
program_bench_of(const struct program_bench *b, unsigned copy)
{
	return &b->run[copy];
}
