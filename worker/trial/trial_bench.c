/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trial's bench: kept from an earlier job or made anew, with the pipeline of orders to it.  Also
 * the objects on its lanes, its flush areas, and the setting of samples.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/clock.h"
#include "worker/bench/proc/affinity.h"
#include "worker/bench/proc/numa.h"
#include "worker/bench/undefined.h"
#include "worker/check/answer.h"
#include "worker/plan/sizes.h"
#include "worker/trial/footprint.h"
#include "worker/trial/trial.h"

enum { IMAGE_PATH_BYTES = 32 };
#define IMAGE_SPARE_BYTES ((uint64_t)16 << 20)	/* memory beside an image's */
/* for a runner to be ready, also on a host that starves it; more for each GiB that it may map */
#define SETUP_NS	20000000000u
#define SETUP_GIB_NS	10000000000u
#define KEPT_BYTES	((uint64_t)256 << 20)	/* of areas that other plans have left, at most */

const struct tick *
trial_tick(struct trial *t)
{
	return supervisor_tick(t->s, t->job->spec.timing.clock);
}

/* The name of the k-th operand; NULL: there are not so many. */
static const char *
operand_name(const struct spec *s, int k)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand && k-- == 0)
			return s->routine.params[i].name;
	return NULL;
}

enum status
trial_fault(struct trial *t)
{
	const struct bench_reply	*reply = &t->s->reply;
	const char			*name = operand_name(&t->job->spec, reply->overrun.operand);

	t->phase = reply->phase == RUNNER_IDLE ? NULL : bench_phase_words(reply->phase);
	if (reply->status == ST_CRASHED && name != NULL)
		return fault_set(&t->why, ST_CRASHED, "%s: %s %s", reply->words,
		    overrun_words(&reply->overrun), name);
	return fault_set(&t->why, reply->status, "%s", reply->words);
}

void
trial_close_bench(struct supervisor *s)
{
	bench_free(s->bench);
	s->bench = NULL;
	free(s->want);
	s->want = NULL;
	s->flush_bytes = 0;
	s->far.sets = s->far_bytes = 0;
	s->is_settled = false;
	s->least_load_ns = s->least_renewal_ns = 0;
	bench_audit_release(&s->audit);
}

uint64_t
trial_output_bytes(const struct trial *t)
{
	const struct spec	*spec = &t->job->spec;

	return spec->checkpoint != NULL ? checkpoint_output_bytes(&t->s->checkpoint, spec) :
	    answer_output_bytes(spec);
}

/* The image that the job names; another one than before needs another bench. */
static enum status
open_image(struct trial *t, struct bench_config *config, char path[IMAGE_PATH_BYTES],
    uint64_t *memory)
{
	struct checkpoint	*c = &t->s->checkpoint;
	bool			 changed;
	enum status		 st;

	if (t->job->spec.checkpoint == NULL)
		return ST_OK;
	st = checkpoint_open(c, t->s->slot.images_dir, &t->job->spec, &changed, &t->why);
	if (changed)
		trial_close_bench(t->s);
	if (st != ST_OK)
		return st;
	snprintf(path, IMAGE_PATH_BYTES, "/proc/self/fd/%d", c->fd);
	config->image_path = path;
	config->links = true;
	*memory += 2 * (c->bytes + checkpoint_output_bytes(c, &t->job->spec)) + IMAGE_SPARE_BYTES;
	return ST_OK;
}

static uint64_t
tables_bytes(const struct trial *t)
{
	return t->plan.run.pollute == RUNNER_POLLUTE_ALL ? sizes_of_tables(&t->s->slot) : 0;
}

/* Would this job get such a bench? */
static bool
serves(const struct trial *t, const struct bench_config *config, uint64_t memory_bytes)
{
	const struct supervisor	*s = t->s;

	return bench_is_usable(s->bench) && strcmp(s->driver.hex, t->artifacts->driver.hex) == 0 &&
	    memory_bytes <= s->memory_bytes && s->threads == t->job->threads &&
	    s->copies == t->job->copies && config->links <= s->links &&
	    s->profile == t->job->profile && tables_bytes(t) <= s->tables_bytes &&
	    bench_audit_serves(&s->audit, t->job);
}

static uint64_t
setup_limit_ns(uint64_t memory_bytes)
{
	return SETUP_NS + SETUP_GIB_NS * (memory_bytes >> 30);
}

static enum status
make_bench(struct trial *t, struct bench_config *config, uint64_t memory_bytes, uint64_t began_ns)
{
	struct supervisor	*s = t->s;
	struct runner_driver	 driver;
	enum status		 st;

	trial_close_bench(s);
	if (t->job->spec.checkpoint == NULL)
		/* it may be large, and no bench has it now */
		checkpoint_release(&s->checkpoint);
	config->challenge_bytes = bench_audit_prepare(&s->audit, t->job);
	config->output_bytes = trial_output_bytes(t);
	config->memory_bytes = memory_bytes + RUNNER_LANES * config->challenge_bytes;
	config->copies = t->job->copies;
	config->setup_limit_ns = setup_limit_ns(config->memory_bytes);
	if ((st = bench_new(&s->bench, config, &t->why)) != ST_OK)
		return st;
	s->driver = t->artifacts->driver;
	s->memory_bytes = memory_bytes;
	s->threads = t->job->threads;
	s->copies = t->job->copies;
	s->profile = t->job->profile;
	s->tables_bytes = config->tables_bytes;
	s->links = config->links;
	t->setup_ns = clock_now_ns() - began_ns;
	driver = bench_driver(s->bench);
	return footprint_check(&t->job->spec, &driver, &t->why);
}

/* Files are contained by a jail's own root, other processes by its own process namespace. */
static enum status
check_profile(struct trial *t)
{
	const struct jail_support	*s = jail_support();

	if (t->job->profile == PROFILE_PLAIN ||
	    (s->seccomp && (t->job->profile == PROFILE_IO ? s->mount : s->pid)))
		return ST_OK;
	return fault_at(&t->why, ST_BAD_SPEC, "jail", "\"%s\" needs seccomp and a %s namespace, "
	    "which this host does not grant", jail_profile_name(t->job->profile),
	    t->job->profile == PROFILE_IO ? "mount" : "process");
}

/* The daemon has sent the job here for its CPUs; a slot may have lost some since. */
static enum status
check_copies(struct trial *t)
{
	const unsigned	there = affinity_copies(&t->s->slot);

	if (trial_copies(t) == 1 || trial_copies(t) <= there)
		return ST_OK;
	return fault_at(&t->why, ST_BAD_SPEC, "copies", "is %u, but this slot has %u CPU%s",
	    t->job->copies, there, there == 1 ? "" : "s");
}

enum status
trial_check_slot(struct trial *t)
{
	enum status	st = check_profile(t);

	return st == ST_OK ? check_copies(t) : st;
}

enum status
trial_open_bench(struct trial *t)
{
	struct supervisor	*s = t->s;
	struct bench_config	 config = { .slot = &s->slot, .driver_path = t->objects.driver,
				     .threads = t->job->threads,
				     .profile = t->job->profile,
				     .links = objects_are_linked(&t->objects),
				     .tables_bytes = tables_bytes(t) };
	const struct tick	*tick = supervisor_tick(s, CLK_AUTO);
	const uint64_t		 began_ns = clock_now_ns();
	char			 image_path[IMAGE_PATH_BYTES];
	int32_t			 node[RUNNER_OPERANDS];
	uint64_t		 memory = 0;
	enum status		 st;

	if ((st = trial_check_slot(t)) != ST_OK ||
	    (st = pages_check(&t->job->spec, "", &t->why)) != ST_OK ||
	    (st = numa_choose(&t->job->spec, "", s->slot.cpu, node, &t->why)) != ST_OK)
		return st;
	st = footprint_memory(&memory, t->job, &t->plan, &s->slot, trial_tick(t), &t->why);
	if (st != ST_OK || (st = open_image(t, &config, image_path, &memory)) != ST_OK)
		return st;
	if (!serves(t, &config, memory) && (st = make_bench(t, &config, memory, began_ns)) != ST_OK)
		return st;
	s->gate.resolution_ticks = tick->resolution_ns * tick->hz / 1e9;
	/* copies share no page: in a cache that they share each has its own operands */
	bench_settle(s->bench, trial_copies(t) > 1 ? UINT64_MAX : t->plan.run.dirty, node,
	    &t->job->spec);
	bench_learn_levels(s->bench, &s->reply);
	pipeline_build_on(&t->pipeline, s->bench, &t->deadline_ns, t->job);
	copies_release(&t->copies);
	return trial_copies(t) > 1 ? copies_begin(&t->copies, copies_of_bench(s->bench),
	    &t->deadline_ns, trial_copies(t), &t->why) : ST_OK;
}

/* ---- what is loaded ---- */

enum status
trial_load(struct trial *t, unsigned lane, const char *path)
{
	uint64_t	began = clock_now_ns();
	enum status	st;

	bench_expect_pace(t->s->bench, gate_best_pace(&t->s->gate));
	if (t->compares)			/* none is told anything by its rival */
		bench_forget_levels(t->s->bench, lane);
	st = bench_load(t->s->bench, lane, path, t->deadline_ns, &t->s->reply);

	t->load_ns = clock_now_ns() - began;
	t->path = path;
	t->is_variant = false;
	if (st == ST_OK && (t->s->least_load_ns == 0 || t->load_ns < t->s->least_load_ns))
		t->s->least_load_ns = t->load_ns;
	if (st == ST_OK && t->job->spec.timing.frequency_khz == 0)
		gate_rest(&t->s->gate, t->s->reply.rest_pace, clock_now_ns());
	return st;
}

unsigned
trial_copies(const struct trial *t)
{
	return t->job->copies > 1 ? t->job->copies : 1;
}

enum status
trial_load_variant(struct trial *t, const char *path)
{
	enum status	st = trial_load(t, TRIAL_LANE, path);

	for (unsigned i = 1; st == ST_OK && i < trial_copies(t); i++) {
		st = trial_load(t, runner_copy_lane(i), path);
		if (st != ST_OK && !t->s->reply.lists_functions)
			bench_name_copy(t->s->bench, i, &t->s->reply);
	}
	t->is_variant = true;
	return st;
}

enum status
trial_blame(struct trial *t, enum pairs_side side, enum status st)
{
	if (st != ST_OK && t->compares)
		t->failed = side == PAIRS_AGAINST ? "against" : "variant";
	return st;
}

unsigned
trial_lane(const struct trial *t, enum pairs_side side)
{
	return t->pipeline.bench[side].lane;
}

static enum status
load_side(struct trial *t, enum pairs_side side)
{
	if (trial_copies(t) > 1)
		return trial_load_variant(t, t->objects.variant);
	return trial_load(t, trial_lane(t, side),
	    side == PAIRS_VARIANT ? t->objects.variant : t->objects.against);
}

static enum status
load_all(struct trial *t)
{
	enum status	st = trial_blame(t, PAIRS_VARIANT, load_side(t, PAIRS_VARIANT));

	t->code_at = t->s->reply.code_at;
	pairs_reset(&t->pipeline.pairs, t->plan.sets);
	if (st == ST_OK && t->compares)
		st = trial_blame(t, PAIRS_AGAINST, load_side(t, PAIRS_AGAINST));
	return st;
}

/* ---- two variants, loaded anew between their pairs ---- */

/* The stack of the next two is elsewhere, at the same place for both. */
static void
drop_both(void *arg)
{
	struct trial	*t = arg;

	trial_drop(t);
	t->plan.run.stack_offset = layout_stack(&t->dice);
}

static enum status
load_on_lane(void *arg, enum pairs_side side, unsigned lane, struct bench_reply *reply)
{
	struct trial	*t = arg;
	const uint64_t	 load_ns = t->load_ns;
	enum status	 st;

	t->pipeline.bench[side].lane = lane;
	st = load_side(t, side);
	t->load_ns = load_ns;
	*reply = t->s->reply;
	return st;
}

struct pairs_loader
trial_loader(struct trial *t)
{
	t->dice = (struct dice){ clock_now_ns(), 0 };
	return (struct pairs_loader){ drop_both, load_on_lane, t };
}

enum status
trial_load_variants(struct trial *t)
{
	enum status	st = load_all(t);

	if (st == ST_LOAD_FAILED && t->s->reply.lists_functions)
		return undefined_function(&t->why, t->job->spec.routine.name, t->s->reply.words);
	return st == ST_OK ? ST_OK : trial_fault(t);
}

void
trial_drop(struct trial *t)
{
	for (unsigned lane = 0; lane < PAIRS_SIDES; lane++) {
		bench_drop(t->s->bench, lane);
		t->pipeline.bench[lane].lane = lane;
	}
	for (unsigned i = 1; i < trial_copies(t); i++)
		bench_drop(t->s->bench, runner_copy_lane(i));
}

static bool
has_areas(const struct trial *t, const struct plan *p)
{
	const struct supervisor		*s = t->s;
	const struct runner_sets	 far = plan_far(p);

	return plan_flush_area(p) <= s->flush_bytes && (far.sets == 0 ||
	    (far.sets == s->far.sets && far.moving == s->far.moving &&
	    memcmp(far.inputs, s->far.inputs, sizeof far.inputs) == 0));
}

/* That areas of other plans have beside this one's: its memory is not for these. */
static uint64_t
left_bytes(const struct supervisor *s, const struct plan *p)
{
	const uint64_t	own = plan_flush_area(p);

	return (s->flush_bytes > own ? s->flush_bytes - own : 0) +
	    (plan_far(p).sets == 0 ? s->far_bytes : 0);
}

static enum status
free_areas(struct trial *t)
{
	struct supervisor	*s = t->s;

	s->flush_bytes = s->far.sets = s->far_bytes = 0;
	return bench_area(s->bench, 0, &s->far, setup_limit_ns(s->memory_bytes), &t->why);
}

static enum status
make_areas(struct trial *t, const struct plan *p)
{
	struct supervisor	*s = t->s;
	const struct runner_sets far = plan_far(p);
	enum status		 st;

	if (left_bytes(s, p) > KEPT_BYTES && (st = free_areas(t)) != ST_OK)
		return st;
	if (far.sets != 0) {
		s->far = far;
		s->far_bytes = plan_area_bytes(p, &t->job->spec, &s->slot) - plan_flush_area(p);
	}
	if (plan_flush_area(p) > s->flush_bytes)
		s->flush_bytes = plan_flush_area(p);
	return bench_area(s->bench, s->flush_bytes, &s->far, setup_limit_ns(s->memory_bytes),
	    &t->why);
}

enum status
trial_make_areas(struct trial *t, const struct plan *p)
{
	struct supervisor	*s = t->s;
	const uint64_t		 began = clock_now_ns();
	enum status		 st;

	if (has_areas(t, p))
		return ST_OK;
	trial_drop(t);
	s->least_load_ns = s->least_renewal_ns = 0;
	st = make_areas(t, p);
	t->deadline_ns += clock_now_ns() - began;
	if (st != ST_OK)
		s->flush_bytes = s->far.sets = s->far_bytes = 0;
	return st;
}

enum status
trial_make_areas_anew(struct trial *t, const struct plan *p)
{
	enum status	st;

	if (has_areas(t, p))
		return ST_OK;
	if ((st = trial_make_areas(t, p)) != ST_OK)
		return st;
	st = t->compares ? load_all(t) : t->is_variant ? trial_load_variant(t, t->path) :
	    trial_load(t, TRIAL_LANE, t->path);
	return st == ST_OK ? ST_OK : trial_fault(t);
}

/* ---- what taking samples needs ---- */

struct take_setting
trial_setting_of_lane(struct trial *t)
{
	const struct link	 lane = t->copies.n > 1 && t->is_variant ?
				    copies_link(&t->copies) : t->pipeline.lane[TRIAL_LANE];

	return (struct take_setting){ .orders = lane, .samples = lane, .clock = &take_clock_real,
	    .tick = trial_tick(t), .gate = &t->s->gate, .host = &t->host,
	    .deadline_ns = t->deadline_ns };
}

struct take_setting
trial_setting(struct trial *t)
{
	struct take_setting	with = trial_setting_of_lane(t);

	if (t->copies.n > 1 && t->is_variant) {
		with.samples = copies_kept_link(&t->copies);
		return with;
	}
	with.orders = t->pipeline.orders;
	with.samples = t->pipeline.samples;
	if (t->compares)
		with.rule = looks_rule(&t->looks);
	return with;
}
