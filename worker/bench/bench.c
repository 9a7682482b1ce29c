/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Theory of operation.  The runner is jailed and runs untrusted code.  It shares only a sealed
 * memfd with us, so it can neither shrink what we have mapped nor make us wait.  Every wait has a
 * deadline, and looks for a cancellation and for the runner's own end.  Every word is read once.
 * Of our files it sees one directory, the bay.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
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
#include "worker/jail/jail.h"
#include "worker/plan/sizes.h"
#include "worker/spawn/cell.h"

#define STOP_NS		1000000u
#define SLICE_NS	50000000u	/* how long a cancellation may go unnoticed */
#define CLASH_TRIES	5u		/* each runner has other addresses */
#define BENCH_SCRATCH_BYTES	((uint64_t)64 << 20)	/* for files, where a job has them */
#define CELL_SHARE	3		/* a runner and its two children, each up to the limit */
#define SMALL_BYTES	((uint64_t)3 << 29)	/* of which a gigabyte is hardly ever touched */

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
	bench_see_gone(b);
	b->shm->command = what;
	desk_give(&b->shm->desk, ++b->order);
	return bench_wait(b, &b->shm->desk, b->order, NULL, deadline_ns, 0);
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
enum status
bench_template_status(struct bench *b, enum event event, struct fault *why)
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
	switch (bench_read_reply(&b->shm->reply)) {
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
		.threads = b->copies - 1, .zero = true, .realtime = true, .output_fd = -1,
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
	return bench_template_status(b, bench_wait(b, &b->shm->desk, b->order, NULL,
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
	for (unsigned lane = 0; lane < RUNNER_MOST_LANES; lane++) {
		b->child[lane].stat_fd = b->child[lane].schedstat_fd = -1;
		b->place[lane] = lane;
	}
	b->leaving = -1;
	b->slot = config->slot;
	b->threads = config->threads;
	b->copies = config->copies > 1 ? config->copies : 1;
	b->filtered = !config->unfiltered && jail_support()->seccomp;
	b->may_fork = config->profile == PROFILE_FORK;
	b->is_small = config->memory_bytes <= SMALL_BYTES;
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
		    bench_read_reply(&b->shm->reply) == RUNNER_CLASH;
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
	bench_end(b);
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
	return bench_template_status(b, command(b, RUNNER_AREA, clock_now_ns() + limit_ns), why);
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
