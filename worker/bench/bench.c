/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Theory of operation.  The runner is jailed and runs untrusted code.  It shares only a sealed
 * memfd with us, so it can neither shrink what we have mapped nor make us wait.  Every wait has a
 * deadline, and looks for a cancellation and for the runner's own end.  Every word is read once.
 *
 * The runner sees one directory of ours, the bay.  An object is there for as long as loading takes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/base/path.h"
#include "proto/wire/runner_desk.h"
#include "worker/bench/affinity.h"
#include "worker/bench/bench_parts.h"
#include "worker/bench/syscall.h"
#include "worker/jail/jail.h"
#include "worker/plan/sizes.h"
#include "worker/spawn/cell.h"

#define LEVELS_NS	2000000000u	/* readings of the last cache are good for so long */
#define STOP_NS		1000000u
#define SLICE_NS	50000000u	/* how long a cancellation may go unnoticed */
#define SPIN_SAMPLES	3u		/* with canaries some 10 us each */
#define CLASH_TRIES	5u		/* each runner has other addresses */
#define FIFO_PRIORITY	10
/* a runner and its two children, each up to the limit */
#define BENCH_SCRATCH_BYTES	((uint64_t)64 << 20)	/* for files, where a job has them */
#define CELL_SHARE	3
#define KEPT_BYTES	((off_t)4 << 20)	/* of a lane, whose pages stay */

static uint64_t
left_ns(uint64_t deadline_ns)
{
	uint64_t	now = clock_now_ns();

	return now < deadline_ns ? deadline_ns - now : 0;
}

/* Orders that are over sooner than the next question are not each preceded by one. */
static bool
is_stopped(struct bench *b)
{
	const uint64_t	now = clock_now_ns();

	if (b->slot->stop == NULL || now - b->asked_ns < STOP_NS)
		return false;
	if (b->slot->stop(b->slot->stop_arg))
		return true;
	b->asked_ns = now;
	return false;
}

static bool
has_ended(const uint32_t *ended)
{
	return ended != NULL && __atomic_load_n(ended, __ATOMIC_ACQUIRE) != 0;
}

enum event
bench_wait(struct bench *b, struct runner_desk *desk, uint32_t order, const uint32_t *ended,
    uint64_t deadline_ns, uint64_t spin_ns)
{
	for (;;) {
		uint32_t	heard = desk_bell(desk);
		uint64_t	left;

		if (desk_has_reply(desk, order))
			return EV_REPLIED;
		if (has_ended(ended))
			return EV_ENDED;
		if ((left = left_ns(deadline_ns)) == 0)
			return EV_TIMEOUT;
		if (is_stopped(b))
			return EV_STOPPED;
		if (spin_ns != 0)
			desk_spin(desk, heard, spin_ns);
		if (desk_bell(desk) == heard)
			desk_sleep(desk, heard, left < SLICE_NS ? left : SLICE_NS);
		if (desk_bell(desk) == heard && jail_wait(&b->jailed, 0, &b->end)) {
			b->gone = true;
			return EV_GONE;
		}
	}
}

static enum event
command(struct bench *b, enum runner_command what, uint64_t deadline_ns)
{
	b->shm->command = what;
	desk_give(&b->shm->desk, ++b->order);
	return bench_wait(b, &b->shm->desk, b->order, NULL, deadline_ns, 0);
}

void
bench_read_words(char *to, size_t bytes, const char *from, size_t from_bytes, bool lines)
{
	size_t	n = 0;

	while (n + 1 < bytes && n < from_bytes) {
		char	c = ((const volatile char *)from)[n];

		if (c == '\0')
			break;
		to[n++] = (c >= ' ' && c <= '~') || (c == '\n' && lines) ? c : '?';
	}
	to[n] = '\0';
}

static enum runner_reply
read_reply(const uint32_t *from)
{
	uint32_t	reply = __atomic_load_n(from, __ATOMIC_RELAXED);

	return reply < RUNNER_NREPLIES ? (enum runner_reply)reply : RUNNER_BAD_ORDER;
}

static enum status
fail_gone(const struct bench *b, struct fault *why)
{
	if (b->end.setup_failed)
		return fault_set(why, ST_INTERNAL, "the timing jail: %s", b->end.words);
	if (b->end.signal != 0)
		return fault_set(why, ST_INTERNAL, "the runner was killed by SIG%s",
		    sigabbrev_np(b->end.signal) != NULL ? sigabbrev_np(b->end.signal) : "?");
	return fault_set(why, ST_INTERNAL, "the runner exited with code %d", b->end.code);
}

/* The outcome of an order to the template. */
static enum status
template_status(struct bench *b, enum event event, struct fault *why)
{
	char	words[512];

	switch (event) {
	case EV_STOPPED:
		return fault_set(why, ST_CANCELLED, "cancelled");
	case EV_GONE:
		return fail_gone(b, why);
	case EV_REPLIED:
		break;
	default:
		return fault_set(why, ST_INTERNAL, "the runner does not answer");
	}
	bench_read_words(words, sizeof words, b->shm->words, sizeof b->shm->words, false);
	switch (read_reply(&b->shm->reply)) {
	case RUNNER_OK:
		return ST_OK;
	case RUNNER_NO_MEMORY:
		return fault_set(why, ST_RUN_LIMIT, "%s", words);
	case RUNNER_NO_DRIVER:
		return fault_set(why, ST_INTERNAL, "the driver cannot be loaded: %s", words);
	case RUNNER_NO_IMAGE:
		return fault_set(why, ST_INTERNAL, "the image cannot be restarted: %s", words);
	case RUNNER_CLASH:
		return fault_set(why, ST_INTERNAL,
		    "in %u runners the addresses of the image's memory were taken: %s",
		    CLASH_TRIES, words);
	case RUNNER_NO_FORK:
		return fault_set(why, ST_INTERNAL, "the runner cannot fork: %s", words);
	case RUNNER_SURVIVORS:
		return fault_set(why, ST_INTERNAL, "a process outlived its variant");
	default:
		return fault_set(why, ST_INTERNAL, "the runner refused an order");
	}
}

static size_t
next_page(size_t bytes)
{
	return (bytes + RUNNER_PAGE_BYTES - 1) / RUNNER_PAGE_BYTES * RUNNER_PAGE_BYTES;
}

static enum status
make_memory(struct bench *b, const struct bench_config *config, struct fault *why)
{
	b->output_at = next_page(sizeof(struct runner_lane));
	b->challenge_at = next_page(b->output_at + config->output_bytes);
	b->lane_bytes = next_page(b->challenge_at + config->challenge_bytes);
	b->bytes = RUNNER_HEADER_BYTES + bench_lanes(b) * b->lane_bytes +
	    (b->copies > 1 ? (size_t)b->copies * RUNNER_PAGE_BYTES : 0);
	if ((b->fd = memfd_create("assay-runner", MFD_CLOEXEC | MFD_ALLOW_SEALING)) < 0)
		return fault_set(why, ST_INTERNAL, "memfd: %s", strerror(errno));
	if (ftruncate(b->fd, (off_t)b->bytes) != 0 ||
	    fcntl(b->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
		return fault_set(why, ST_INTERNAL, "memfd: %s", strerror(errno));
	b->shm = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, 0);
	if (b->shm == MAP_FAILED) {
		b->shm = NULL;
		return fault_set(why, ST_NOMEM, "memory shared with the runner");
	}
	b->shm->magic = RUNNER_MAGIC;
	b->shm->version = RUNNER_VERSION;
	b->shm->bytes = b->bytes;
	b->shm->lane_bytes = b->lane_bytes;
	b->shm->output_at = b->output_at;
	b->shm->challenge_at = b->challenge_at;
	b->shm->lanes = bench_lanes(b);
	b->shm->spots = b->copies > 1 ? b->copies : 0;
	b->shm->setup = (struct runner_setup){
		.cpu = config->slot->cpu, .line_bytes = (uint32_t)config->slot->line_bytes,
		.l1_bytes = config->slot->l1_bytes, .l2_bytes = config->slot->l2_bytes,
		.l3_bytes = config->slot->l3_bytes,
		.out_of_l1 = sizes_to_leave(CACHE_L1, config->slot),
		.out_of_l2 = sizes_to_leave(CACHE_L2, config->slot),
		.tables_bytes = config->tables_bytes,
		.filtered = b->filtered,
		.threads = config->threads,
		.challenged = config->challenge_bytes != 0,
		.may_fork = b->may_fork,
	};
	if (config->profile == PROFILE_IO)
		(void)snprintf(b->shm->setup.scratch, sizeof b->shm->setup.scratch, "%s",
		    JAIL_SCRATCH_DIR);
	memset(b->shm->node, -1, sizeof b->shm->node);
	for (size_t cpu = 0; cpu < RUNNER_CPUS; cpu++)
		if (CPU_ISSET(cpu, &config->slot->all))
			b->shm->setup.cpus[cpu / 64] |= (uint64_t)1 << cpu % 64;
	return ST_OK;
}

static enum status
start(struct bench *b, const struct bench_config *config, struct fault *why)
{
	char			 runner[4096];
	const char		*argv[] = { runner, NULL };
	struct jail_order	 order = {
		.phase = JAIL_TIME, .argv = argv, .dir = b->bay.path, .cpu = -1, .keep_fd = b->fd,
		.memory_bytes = config->memory_bytes,
		.cell_bytes = (CELL_SHARE + b->copies - 1) * config->memory_bytes,
		.threads = b->copies - 1, .realtime = true, .output_fd = -1,
	};
	const unsigned		 cpus = affinity_count(config->slot, config->threads);
	enum status		 st;

	if (config->profile == PROFILE_IO) {
		order.scratch_bytes = BENCH_SCRATCH_BYTES;
		order.cell_bytes += BENCH_SCRATCH_BYTES;
	}
	if (config->threads > 1)		/* a team and a crew for each lane */
		order.threads = RUNNER_VARIANTS * (config->threads + cpus);
	if (config->memory_bytes != 0)
		order.memory_bytes += affinity_thread_bytes(config->threads, cpus);
	if ((st = path_program("assay-runner", runner, sizeof runner, why)) != ST_OK)
		return st;
	b->shm->desk.order = b->order = 1;
	b->oom_kills = cell_oom_kills();
	if ((st = jail_spawn(&b->jailed, &order, why)) != ST_OK)
		return st;
	return template_status(b, bench_wait(b, &b->shm->desk, b->order, NULL,
	    clock_now_ns() + config->setup_limit_ns, 0), why);
}

/* *again: another runner may fare better. */
static enum status
bench_try(struct bench **out, const struct bench_config *config, bool *again, struct fault *why)
{
	struct bench	*b;
	enum status	 st;

	*out = NULL;
	*again = false;
	if ((b = calloc(1, sizeof *b)) == NULL)
		return fault_set(why, ST_NOMEM, "bench");
	b->fd = -1;
	for (unsigned lane = 0; lane < RUNNER_MOST_LANES; lane++)
		b->child[lane].stat_fd = b->child[lane].schedstat_fd = -1;
	b->slot = config->slot;
	b->threads = config->threads;
	b->copies = config->copies > 1 ? config->copies : 1;
	b->filtered = !config->unfiltered && jail_support()->seccomp;
	b->may_fork = config->profile == PROFILE_FORK;
	if ((st = bay_make(&b->bay, config->slot->scratch_dir, config->links, why)) != ST_OK)
		goto fail;
	if ((st = bay_put(&b->bay, config->driver_path, "driver.so", why)) != ST_OK)
		goto fail;
	if (config->image_path != NULL &&
	    (st = bay_put(&b->bay, config->image_path, "image", why)) != ST_OK)
		goto fail;
	if ((st = make_memory(b, config, why)) != ST_OK)
		goto fail;
	if ((st = start(b, config, why)) != ST_OK) {
		*again = st == ST_INTERNAL && !b->gone &&
		    read_reply(&b->shm->reply) == RUNNER_CLASH;
		goto fail;
	}
	bay_take(&b->bay, "driver.so");
	bay_take(&b->bay, "image");
	*out = b;
	return ST_OK;
fail:
	bench_free(b);
	return st;
}

enum status
bench_new(struct bench **out, const struct bench_config *config, struct fault *why)
{
	bool		again;
	enum status	st;

	for (unsigned n = 1;
	    (st = bench_try(out, config, &again, why)) != ST_OK && again && n < CLASH_TRIES; n++)
		continue;
	return st;
}

void
bench_free(struct bench *b)
{
	if (b == NULL)
		return;
	if (!b->gone)
		jail_kill(&b->jailed);
	for (unsigned lane = 0; lane < RUNNER_MOST_LANES; lane++)
		bench_child_end(b, lane);
	if (b->shm != NULL)
		munmap(b->shm, b->bytes);
	if (b->fd >= 0)
		close(b->fd);
	bay_remove(&b->bay);
	free(b);
}

bool
bench_is_usable(const struct bench *b)
{
	return b != NULL && !b->gone;
}

struct runner_driver
bench_driver(const struct bench *b)
{
	struct runner_driver	d = b->shm->driver;

	if (d.operands > RUNNER_OPERANDS)
		d.operands = RUNNER_OPERANDS;
	d.routine[sizeof d.routine - 1] = '\0';
	d.clock[sizeof d.clock - 1] = '\0';
	return d;
}

char *
bench_output(const struct bench *b, unsigned lane)
{
	return (char *)bench_lane_of(b, lane) + b->output_at;
}

enum status
bench_area(struct bench *b, uint64_t flush_bytes, const struct runner_sets *far, uint64_t limit_ns,
    struct fault *why)
{
	b->shm->flush_bytes = flush_bytes;
	b->shm->far = *far;
	return template_status(b, command(b, RUNNER_AREA, clock_now_ns() + limit_ns), why);
}

void
bench_shift(struct bench *b, const uint32_t *shift)
{
	memcpy(b->shm->shift, shift, sizeof b->shm->shift);
}

void
bench_settle(struct bench *b, uint64_t own, const int32_t node[RUNNER_OPERANDS],
    const struct spec *spec)
{
	unsigned	k = 0;

	b->shm->own = own;
	memcpy(b->shm->node, node, sizeof b->shm->node);
	for (size_t i = 0; i < spec->routine.nparams; i++)
		if (spec->args[i].is_operand)
			b->shm->offset[k++] = spec->args[i].operand.offset;
}

static enum runner_phase
read_phase(const struct runner_lane *lane)
{
	uint32_t	phase = __atomic_load_n(&lane->phase, __ATOMIC_RELAXED);

	return phase < RUNNER_NPHASES ? (enum runner_phase)phase : RUNNER_IDLE;
}

enum status
bench_say(struct bench_reply *a, enum status st, const char *fmt, const char *with)
{
	a->status = st;
	snprintf(a->words, sizeof a->words, fmt, with, bench_phase_words(a->phase));
	return st;
}

/* Of what died on a lane last. */
static struct overrun
read_overrun(const struct bench *b, const struct runner_lane *lane)
{
	const struct runner_touch	 touch = {
		__atomic_load_n(&lane->touch.at, __ATOMIC_RELAXED),
		__atomic_load_n(&lane->touch.access, __ATOMIC_RELAXED),
	};
	struct runner_bounds		 bounds[RUNNER_BOUNDS];

	memcpy(bounds, b->shm->bounds, sizeof bounds);
	return overrun_find(bounds, RUNNER_BOUNDS, &touch);
}

/* A child that is over: by a signal, or by leaving. */
static enum status
blame_end(const struct bench *b, struct bench_reply *a, const struct runner_lane *lane)
{
	const int	 end = __atomic_load_n(&lane->end, __ATOMIC_RELAXED);
	char		 text[64];
	const char	*name;

	if (!WIFSIGNALED(end)) {
		snprintf(text, sizeof text, "%d", WEXITSTATUS(end));
		return bench_say(a, ST_CRASHED, "exited with code %s before it was done, in %s",
		    text);
	}
	name = sigabbrev_np(WTERMSIG(end));
	snprintf(text, sizeof text, "SIG%s", name != NULL ? name : "?");
	switch (WTERMSIG(end)) {
	case SIGSYS:
		return bench_say(a, ST_FORBIDDEN,
		    "SIGSYS: the jail refuses the system call %s, in %s",
		    syscall_name(__atomic_load_n(&lane->refused, __ATOMIC_RELAXED), text,
		    sizeof text));
	case SIGXCPU:
	case SIGXFSZ:
		return bench_say(a, ST_RUN_LIMIT, "%s: a resource limit was reached, in %s", text);
	case SIGKILL:
		if (cell_oom_kills() != b->oom_kills)
			return bench_say(a, ST_RUN_LIMIT,
			    "%s: the limit on memory was reached, in %s", text);
		return bench_say(a, ST_RUN_LIMIT,
		    "%s: killed by the kernel, probably for lack of memory, in %s", text);
	case SIGSEGV:
		a->overrun = read_overrun(b, lane);
		/* FALLTHROUGH */
	default:
		return bench_say(a, ST_CRASHED, "%s in %s", text);
	}
}

/*
 * The dynamic linker's words for a mapping that was refused: beyond the limit on the address space.
 */
static bool
is_memory_trouble(const char *words)
{
	return strstr(words, "annot allocate memory") != NULL ||
	    strstr(words, "zero-fill pages") != NULL ||
	    strstr(words, "failed to map segment") != NULL;
}

static enum status
blame_object(struct bench_reply *a, const struct runner_lane *lane)
{
	char		 words[768];
	const char	*own;

	bench_read_words(words, sizeof words, lane->words, sizeof lane->words, false);
	/* its name in the bay means nothing */
	own = strncmp(words, "./v", 3) == 0 ? strstr(words, ": ") : NULL;
	own = own != NULL ? own + 2 : words;
	if (is_memory_trouble(own))
		return bench_say(a, ST_RUN_LIMIT, "the object needs more memory than its limit: %s",
		    own);
	return bench_say(a, ST_LOAD_FAILED, "%s", own);
}

/* Only a process that has changed its runner answers so: all orders are sound, and filters work. */
static enum status
lane_status(struct runner_lane *lane, struct bench_reply *a)
{
	switch (read_reply(&lane->reply)) {
	case RUNNER_OK:
		return a->status = ST_OK;
	case RUNNER_NO_OBJECT:
		return blame_object(a, lane);
	case RUNNER_NO_METRIC:
		bench_read_words(a->words, sizeof a->words, lane->words, sizeof lane->words, false);
		return a->status = ST_LOAD_FAILED;
	case RUNNER_NO_MEMORY:
		return bench_say(a, ST_RUN_LIMIT, "%s",
		    "the routine left no memory to flush the caches with");
	case RUNNER_NO_ROUTINE:
		a->lists_functions = true;
		bench_read_words(a->words, sizeof a->words, lane->words, sizeof lane->words, true);
		return a->status = ST_LOAD_FAILED;
	case RUNNER_NO_FILTER:
		return bench_say(a, ST_FORBIDDEN, "%s",
		    "its process did not take the filter of system calls");
	default:
		return bench_say(a, ST_CRASHED,
		    "its process answered what the runner never does%s, in %s", "");
	}
}

void
bench_read_samples(const struct bench *b, unsigned number, uint32_t n, struct bench_reply *a)
{
	const struct runner_lane	*lane = bench_lane_of(b, number);

	a->samples = n < RUNNER_SAMPLES ? n : RUNNER_SAMPLES;
	memcpy(a->sample, lane->sample, a->samples * sizeof a->sample[0]);
	a->sentinel = lane->sentinel;
	a->sets_seen = lane->sets_seen;
	a->proof = lane->proof;
}

enum status
bench_lane_reply(struct bench *b, unsigned number, uint64_t given_ns, uint64_t deadline_ns,
    uint64_t spin_ns, struct bench_reply *a)
{
	struct runner_lane	*lane = bench_lane_of(b, number);

	return bench_lane_outcome(b, number, bench_wait(b, &lane->desk, b->lane_order[number],
	    &lane->ended, deadline_ns, spin_ns), given_ns, a);
}

enum status
bench_lane_outcome(struct bench *b, unsigned number, enum event event, uint64_t given_ns,
    struct bench_reply *a)
{
	struct runner_lane	*lane = bench_lane_of(b, number);
	char			 text[32];

	a->took_ns = clock_now_ns() - given_ns;
	a->phase = read_phase(lane);
	switch (event) {
	case EV_REPLIED:
		return lane_status(lane, a);
	case EV_ENDED:
		return blame_end(b, a, lane);
	case EV_TIMEOUT:
		snprintf(text, sizeof text, "%.3g s", (double)a->took_ns / 1e9);
		return bench_say(a, ST_RUN_TIMEOUT, "the wall limit was reached after %s in %s",
		    text);
	case EV_STOPPED:
		return bench_say(a, ST_CANCELLED, "%s", "cancelled");
	default:
		return bench_say(a, ST_CRASHED, "%s, in %s",
		    "it brought down the process that runs it");
	}
}

void
bench_reply_begin(struct bench_reply *a)
{
	a->status = ST_INTERNAL;
	a->words[0] = '\0';
	a->phase = RUNNER_IDLE;
	a->overrun.operand = -1;
	a->samples = 0;
	a->sentinel = (struct runner_sentinel){ 0 };
	a->sets_seen = 0;
	a->proof.proofs = 0;
	a->realtime = a->pinned = a->lists_functions = a->is_paired = false;
	a->took_ns = a->code_at = 0;
	a->rest_pace = 0;
}

static enum status
reply_fault(struct bench_reply *a, const struct fault *why)
{
	snprintf(a->words, sizeof a->words, "%s", why->text);
	return a->status = why->status;
}

void
bench_expect_pace(struct bench *b, uint32_t best_pace)
{
	b->best_pace = best_pace;
}

/* The end of the pages at an offset, `most` bytes behind it at the latest. */
static off_t
end_of_pages(const struct bench *b, off_t at, off_t most)
{
	const off_t	hole = lseek(b->fd, at, SEEK_HOLE);

	return hole > at && hole - at < most ? hole : at + most;
}

/* To zero, from `at` on; the pages stay. */
static void
clear(const struct bench *b, off_t at, off_t end)
{
	off_t	to;

	for (; at < end && (at = lseek(b->fd, at, SEEK_DATA)) >= 0 && at < end; at = to) {
		to = end_of_pages(b, at, end - at);
		memset((char *)b->shm + at, 0, (size_t)(to - at));
	}
}

/* They read as zero, too, and are given back; most are none. */
static void
give_back(const struct bench *b, off_t at, off_t end)
{
	const off_t	data = at < end ? lseek(b->fd, at, SEEK_DATA) : -1;

	if (data >= 0 && data < end)
		(void)fallocate(b->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, end - at);
}

/*
 * What an earlier child left there, above all the reference, is none of the next one's business.  A
 * few pages of outputs stay, as new ones cost each process a fault; those of challenges, of which a
 * job has few, do not: each of its processes would clear them.
 */
static void
wipe(const struct bench *b, unsigned lane)
{
	const off_t	first = (off_t)(bench_output(b, lane) - (char *)b->shm);
	const off_t	challenge = first + (off_t)(b->challenge_at - b->output_at);
	const off_t	kept = challenge - first < KEPT_BYTES ? challenge : first + KEPT_BYTES;

	clear(b, first, kept);
	give_back(b, kept, first + (off_t)(b->lane_bytes - b->output_at));
}

static void
end_runner(struct bench *b)
{
	if (!b->gone)
		jail_kill(&b->jailed);
	b->gone = true;
}

/* The template answers, too, but only a child that is there can reply on its lane. */
static void
give_load(struct bench *b, unsigned lane)
{
	__atomic_store_n(&bench_lane_of(b, lane)->ended, 0, __ATOMIC_RELEASE);
	b->shm->command = RUNNER_LOAD;
	desk_give(&b->shm->desk, ++b->order);
}

/* The outcome of a load; where there is no reply from the child, the template may know why. */
static enum status
see_load(struct bench *b, unsigned number, uint64_t given_ns, uint64_t deadline_ns,
    struct bench_reply *a)
{
	struct runner_lane	*lane = bench_lane_of(b, number);
	struct runner_desk	*template = &b->shm->desk;
	const enum event	 event = bench_wait(b, &lane->desk, b->lane_order[number],
				    &lane->ended, deadline_ns, 0);
	enum event		 forked = event;
	struct fault		 why = { .status = ST_OK };

	if (event == EV_REPLIED)
		return bench_lane_outcome(b, number, event, given_ns, a);
	if (desk_has_reply(template, b->order))
		forked = EV_REPLIED;
	else if (event != EV_GONE)
		forked = bench_wait(b, template, b->order, NULL, clock_now_ns() + BENCH_DROP_NS, 0);
	if (template_status(b, forked, &why) != ST_OK)
		return reply_fault(a, &why);
	return bench_lane_outcome(b, number, event, given_ns, a);
}

enum status
bench_load(struct bench *b, unsigned lane, const char *path, uint64_t deadline_ns,
    struct bench_reply *a)
{
	uint64_t	given_ns = clock_now_ns();
	char		name[32] = "";
	struct fault	why = { .status = ST_OK };

	bench_reply_begin(a);
	bench_child_end(b, lane);
	if (path != NULL)
		snprintf(name, sizeof name, "v%u.so", ++b->objects);
	if (path != NULL && bay_put(&b->bay, path, name, &why) != ST_OK) {
		end_runner(b);		/* its bay may be gone, and a new runner has a new one */
		return reply_fault(a, &why);
	}
	wipe(b, lane);
	bench_lane_of(b, lane)->desk.order = ++b->lane_order[lane];
	b->shm->lane = lane;
	b->shm->cpu = b->copies > 1 ? bench_copy_ready(b, lane) : -1;
	b->shm->best_pace = b->best_pace;
	b->shm->rest_ns = given_ns - b->ran_ns < RUNNER_REST_NS ?
	    RUNNER_REST_NS - (given_ns - b->ran_ns) : 0;
	memcpy(b->shm->name, name, sizeof name);
	b->loaded[lane] = true;
	b->raised[lane] = b->stopped[lane] = false;
	give_load(b, lane);
	see_load(b, lane, given_ns, deadline_ns, a);
	bench_child_begin(b, lane, a);
	a->code_at = __atomic_load_n(&bench_lane_of(b, lane)->code_at, __ATOMIC_RELAXED);
	if (path != NULL)
		bay_take(&b->bay, name);
	return a->status;
}

enum status
bench_evaluate(struct bench *b, const char *library, struct fault *why)
{
	static const char	name[] = "evaluation.so";

	memset(b->shm->evaluation, 0, sizeof b->shm->evaluation);
	bay_take(&b->bay, name);
	if (library == NULL)
		return ST_OK;
	memcpy(b->shm->evaluation, name, sizeof name);
	return bay_put(&b->bay, library, name, why);
}

void
bench_metric(const struct bench *b, unsigned number, struct bench_metric *out)
{
	const struct runner_lane	*lane = bench_lane_of(b, number);

	bench_read_words(out->name, sizeof out->name, lane->metric_name,
	    sizeof lane->metric_name, false);
	bench_read_words(out->unit, sizeof out->unit, lane->metric_unit,
	    sizeof lane->metric_unit, false);
}

uint64_t
bench_image_calls(const struct bench *b, unsigned lane)
{
	return __atomic_load_n(&bench_lane_of(b, lane)->image_calls, __ATOMIC_RELAXED);
}

/* A thread that has it already keeps it. */
static void
set_realtime(struct bench *b, unsigned lane, bool on)
{
	struct sched_param	param = { .sched_priority = on ? FIFO_PRIORITY : 0 };
	pid_t			pid;

	if (b->raised[lane] == on || (pid = bench_pid(b, lane)) <= 0)
		return;
	if (sched_setscheduler(pid, (on ? SCHED_FIFO : SCHED_OTHER) | SCHED_RESET_ON_FORK,
	    &param) == 0)
		b->raised[lane] = on;
}

/*
 * SCHED_FIFO is given from outside, where we are permitted to; the filter lets no child.  It lasts
 * until an order comes that does not request it, or one for another lane: of two that are raised,
 * one would wait for the other to fall asleep.
 */
void
bench_choose_policy(struct bench *b, unsigned lane, bool realtime)
{
	for (unsigned i = 0; i < bench_lanes(b); i++)
		if (i != lane)
			set_realtime(b, i, false);
	set_realtime(b, lane, realtime && b->child[lane].may_be_raised);
}

/* An order that keeps the core awake takes longer, and a builder may want our CPU meanwhile. */
static uint64_t
spin_of(const struct runner_run *run)
{
	return run->awake || run->samples > SPIN_SAMPLES ? 0 : BENCH_SPIN_NS;
}

enum status
bench_run(struct bench *b, unsigned number, const struct runner_run *run, uint64_t deadline_ns,
    struct bench_reply *a)
{
	struct runner_lane	*lane = bench_lane_of(b, number);
	uint64_t		 given_ns;
	bool			 samples = run->kind == RUNNER_SAMPLE || run->kind == RUNNER_EMPTY;

	bench_reply_begin(a);
	bench_choose_policy(b, number, run->realtime);
	bench_continue(b, number);
	lane->run = *run;
	given_ns = clock_now_ns();
	desk_give(&lane->desk, ++b->lane_order[number]);
	if (bench_lane_reply(b, number, given_ns, deadline_ns, spin_of(run), a) == ST_OK) {
		if (samples)
			bench_read_samples(b, number, run->samples, a);
		memcpy(a->census, lane->census, sizeof a->census);
	}
	b->ran_ns = clock_now_ns();
	a->realtime = b->raised[number];
	a->pinned = bench_child_is_pinned(b, number);
	return a->status;
}

void
bench_drop(struct bench *b, unsigned lane)
{
	if (b->gone || !b->loaded[lane])
		return;
	b->loaded[lane] = false;
	bench_child_end(b, lane);
	b->shm->lane = lane;
	b->shm->command = RUNNER_DROP;
	desk_give(&b->shm->desk, ++b->order);

	/* A cancellation does not shorten this: the child is gone, or else the whole jail. */
	uint64_t	deadline_ns = clock_now_ns() + BENCH_DROP_NS;
	enum event	event;
	while ((event = bench_wait(b, &b->shm->desk, b->order, NULL, deadline_ns, 0)) == EV_STOPPED)
		desk_sleep(&b->shm->desk, desk_bell(&b->shm->desk), 1000000);
	if (event == EV_REPLIED && read_reply(&b->shm->reply) == RUNNER_OK &&
	    bench_pid(b, lane) == 0)		/* its lock is gone with it */
		return;
	end_runner(b);
}

/* ---- what the blank child knows of the caches ---- */

void
bench_forget_levels(struct bench *b, unsigned lane)
{
	bench_lane_of(b, lane)->levels = b->levels_ns != 0 ?
	    bench_lane_of(b, RUNNER_BLANK)->levels : (struct runner_levels){ .out_of_l2 = 0 };
}

void
bench_learn_levels(struct bench *b, struct bench_reply *a)
{
	const struct runner_run	order = { .kind = RUNNER_LEVELS };
	const uint64_t		now_ns = clock_now_ns();

	if (b->levels_ns == 0 || now_ns - b->levels_ns > LEVELS_NS)
		b->levels_ns = b->loaded[RUNNER_BLANK] &&
		    bench_run(b, RUNNER_BLANK, &order, now_ns + BENCH_DROP_NS, a) == ST_OK ?
		    now_ns : 0;
	for (unsigned i = 0; i < bench_lanes(b); i++)
		if (i != RUNNER_BLANK)
			bench_forget_levels(b, i);
}
