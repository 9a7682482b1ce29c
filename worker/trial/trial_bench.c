/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trial's bench: kept from an earlier job or made anew, what is loaded on its lanes, the areas it flushes with, and
 * the runner that worker/take/take.h knows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/base/clock.h"
#include "worker/bench/undefined.h"
#include "worker/check/answer.h"
#include "worker/trial/footprint.h"
#include "worker/trial/trial.h"

enum { IMAGE_PATH_BYTES = 32 };
#define IMAGE_SPARE_BYTES ((uint64_t)16 << 20)	/* what lies beside an image's memory */
#define SETUP_NS	10000000000u	/* for a runner to be ready, and as much again for each GiB of operands */

const struct tick *
trial_tick(struct trial *t)
{
	return supervisor_tick(t->s, t->job->spec.timing.clock);
}

enum status
trial_fault(struct trial *t)
{
	t->phase = t->s->reply.phase == RUNNER_IDLE ? NULL : bench_phase_words(t->s->reply.phase);
	return fault_set(&t->why, t->s->reply.status, "%s", t->s->reply.words);
}

void
trial_close_bench(struct supervisor *s)
{
	bench_free(s->bench);
	s->bench = NULL;
	free(s->want);
	s->want = NULL;
	s->flush_bytes = s->sets = s->moving = 0;
	s->is_settled = false;
	for (unsigned lane = 0; lane < PAIRS_SIDES; lane++)
		vet_end(&s->vetting[lane]);
	vet_release(&s->vet);
}

uint64_t
trial_output_bytes(const struct trial *t)
{
	const struct spec	*spec = &t->job->spec;

	return spec->checkpoint != NULL ? checkpoint_output_bytes(&t->s->checkpoint, spec) : answer_output_bytes(spec);
}

/* The image that the job names; another one than before needs another bench. */
static enum status
open_image(struct trial *t, struct bench_config *config, char path[IMAGE_PATH_BYTES], uint64_t *memory)
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
	*memory += 2 * (c->bytes + checkpoint_output_bytes(c, &t->job->spec)) + IMAGE_SPARE_BYTES;
	return ST_OK;
}

enum status
trial_open_bench(struct trial *t)
{
	struct supervisor	*s = t->s;
	uint64_t		 memory = 0, operands, began = clock_now_ns();
	struct bench_config	 config = { .slot = &s->slot, .driver_path = t->objects.driver,
				     .threads = t->job->threads };
	struct runner_driver	 driver;
	char			 image_path[IMAGE_PATH_BYTES];
	enum status		 st;

	st = footprint_memory(&memory, &t->job->spec, &t->plan, &s->slot, trial_tick(t), &t->why);
	if (st != ST_OK || (st = open_image(t, &config, image_path, &memory)) != ST_OK)
		return st;
	if (bench_is_usable(s->bench) && strcmp(s->driver.hex, t->artifacts->driver.hex) == 0 &&
	    memory <= s->memory_bytes && s->threads == t->job->threads && vet_serves(&s->vet, t->job))
		return ST_OK;
	trial_close_bench(s);
	if (t->job->spec.checkpoint == NULL)
		checkpoint_release(&s->checkpoint);	/* it may be large, and no bench has it now */
	config.challenge = vet_prepare(&s->vet, t->job);
	config.output_bytes = trial_output_bytes(t);
	config.memory_bytes = memory + (config.challenge != NULL ? config.challenge->bytes : 0);
	config.setup_limit_ns = SETUP_NS + SETUP_NS * (footprint_operands(&t->job->spec, &operands) >> 30);
	if ((st = bench_new(&s->bench, &config, &t->why)) != ST_OK)
		return st;
	s->driver = t->artifacts->driver;
	s->memory_bytes = memory;
	s->threads = t->job->threads;
	t->setup_ns = clock_now_ns() - began;
	driver = bench_driver(s->bench);
	if ((st = footprint_check(&t->job->spec, &driver, &t->why)) != ST_OK)
		return st;
	return vet_prime(&s->vet, s->bench, &t->why);
}

/* ---- what is loaded ---- */

enum status
trial_load(struct trial *t, unsigned lane, const char *path)
{
	uint64_t	began = clock_now_ns();
	enum status	st;

	bench_expect_pace(t->s->bench, gate_best_pace(&t->s->gate));
	st = bench_load(t->s->bench, lane, path, t->deadline_ns, &t->s->reply);

	t->load_ns = clock_now_ns() - began;
	t->path = path;
	if (st == ST_OK)
		gate_rest(&t->s->gate, t->s->reply.rest_pace, clock_now_ns());
	return st;
}

enum status
trial_blame(struct trial *t, enum pairs_side side, enum status st)
{
	if (st != ST_OK && t->compares)
		t->who = side == PAIRS_AGAINST ? "against" : "variant";
	return st;
}

static enum status
load_all(struct trial *t)
{
	enum status	st = trial_blame(t, PAIRS_VARIANT, trial_load(t, PAIRS_VARIANT, t->objects.variant));

	t->code_at = t->s->reply.code_at;
	pairs_reset(&t->pairs, t->plan.sets);
	if (st == ST_OK && t->compares)
		st = trial_blame(t, PAIRS_AGAINST, trial_load(t, PAIRS_AGAINST, t->objects.against));
	return st;
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
	for (unsigned lane = 0; lane < PAIRS_SIDES; lane++)
		bench_drop(t->s->bench, lane);
}

enum status
trial_make_areas(struct trial *t, const struct plan *p, bool loaded)
{
	struct supervisor	*s = t->s;
	uint64_t		 began = clock_now_ns();
	uint64_t		 flush = plan_flush_area(p);
	enum status		 st;

	if (flush <= s->flush_bytes && (p->sets == 0 || (p->sets == s->sets && p->moving == s->moving)))
		return ST_OK;
	if (loaded)
		trial_drop(t);
	if (p->sets != 0) {
		s->sets = p->sets;
		s->moving = p->moving;
	}
	if (flush > s->flush_bytes)
		s->flush_bytes = flush;
	st = bench_area(s->bench, s->flush_bytes, s->sets, s->moving, &t->why);
	t->deadline_ns += clock_now_ns() - began;
	if (st != ST_OK) {
		s->sets = s->moving = s->flush_bytes = 0;
		return st;
	}
	return !loaded ? ST_OK : t->compares ? load_all(t) : trial_load(t, TRIAL_LANE, t->path);
}

/* ---- what taking samples needs ---- */

enum status
trial_order(struct trial *t, unsigned lane, const struct runner_run *run, struct bench_reply *reply)
{
	struct vetting	*v = &t->s->vetting[lane];
	enum status	 st;

	v->deadline_ns = t->deadline_ns;
	if ((st = vet_before(v, run)) != ST_OK) {
		*reply = v->reply;
		return st;
	}
	st = bench_run(t->s->bench, lane, run, t->deadline_ns, reply);
	vet_after(v, run, reply, trial_tick(t));
	return st;
}

static enum status
runner_run(void *arg, const struct runner_run *run, struct bench_reply *reply)
{
	return trial_order(arg, TRIAL_LANE, run, reply);
}

static enum status
runner_area(void *arg, const struct plan *p, struct bench_reply *reply)
{
	struct trial	*t = arg;
	enum status	 st = trial_make_areas(t, p, true);

	if (st != ST_OK && t->why.status == st) {
		reply->status = st;
		snprintf(reply->words, sizeof reply->words, "%s", t->why.text);
	}
	return st;
}

static uint64_t
runner_now(void *arg)
{
	(void)arg;
	return clock_now_ns();
}

static void
runner_pause(void *arg, uint64_t ns)
{
	struct timespec	nap = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	(void)arg;
	nanosleep(&nap, NULL);
}

struct take_runner
trial_runner(struct trial *t)
{
	const struct tick	*tick = supervisor_tick(t->s, CLK_AUTO);

	t->s->gate.resolution_ticks = tick->resolution_ns * tick->hz / 1e9;
	return (struct take_runner){ .run = runner_run, .area = runner_area, .now_ns = runner_now,
	    .pause = runner_pause, .arg = t, .gate = &t->s->gate, .host = &t->host };
}
