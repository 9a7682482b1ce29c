/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "proto/base/clock.h"
#include "proto/wire/runner_desk.h"
#include "worker/runner/challenge.h"
#include "worker/runner/pin.h"
#include "worker/runner/sample/canary.h"
#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/vectors.h"
#include "worker/runner/scribe.h"
#include "worker/runner/sign.h"

#define LOOK_NS	5000000u	/* until a look whether the child is still there */

/*
 * Random contents are drawn anew, others are the first ones.  Outputs are poisoned, so what was
 * left out shows.
 */
static void
draw(const struct rt_live *l, char *at, const uint64_t seed[2], uint32_t k)
{
	struct rt_operand	o = *l->operand;
	const uint64_t		bytes = o.rt_count * o.rt_bytes;

	if (o.rt_access == 'o') {
		memset(at, (int)(0x80 | (rt_number(seed[0], k) & 0x7f)), bytes);
		return;
	}
	if (!rt_is_random(&o)) {
		memcpy(at, l->first, bytes);
		return;
	}
	o.rt_seed = rt_number(seed[0], k);
	rt_fill_secret(&o, rt_number(seed[1], k) | 1, at);
}

static void
write_set(const struct runner_shm *shm, const struct rt_timer *t, uint32_t set, char *at)
{
	const struct runner_scribe	*s = &shm->scribe;

	for (uint32_t k = 0; k < t->sets.driver->rt_operands; k++)
		draw(&t->sets.live[k], at + s->challenge.at[k], s->seed[set], k);
}

/* Flush the operands in `which`, or bring the others into the caches. */
static void
place(const struct runner_shm *shm, const struct rt_timer *t, char *set, uint64_t which, int flush)
{
	for (uint32_t k = 0; k < t->sets.driver->rt_operands; k++) {
		const struct rt_live	*l = &t->sets.live[k];
		struct rt_range		 r = rt_live_part(l, set + shm->scribe.challenge.at[k], 0);

		if (!(which >> k & 1))
			continue;
		if (flush)
			rt_flush_lines(&r, t->setup.line_bytes);
		else
			rt_touch(&r, t->setup.line_bytes);
	}
}

/*
 * The pages that a load has wiped come back at once, not with a fault for each.  A kernel that
 * cannot refuses, and they come with faults.
 */
static void
bring_in(const struct runner_shm *shm, char *area)
{
	static pid_t			 had[RUNNER_LANES];	/* who was challenged last */
	const struct runner_scribe	*s = &shm->scribe;

	if (had[s->lane] == shm->pid[s->lane])
		return;
	had[s->lane] = shm->pid[s->lane];
	(void)madvise(area, s->challenge.calls * s->challenge.set_bytes, MADV_POPULATE_WRITE);
}

static enum runner_reply
write_challenge(struct runner_shm *shm, const struct rt_timer *t)
{
	const struct runner_scribe	*s = &shm->scribe;
	const struct runner_challenge	*c = &s->challenge;
	char				*area;

	if (s->lane >= RUNNER_LANES || !rt_challenge_fits(t, shm, c))
		return RUNNER_BAD_ORDER;
	area = rt_challenge_sets(shm, runner_lane_at(shm, shm->lane_bytes, s->lane));
	bring_in(shm, area);
	for (uint32_t i = 0; i < c->calls; i++)
		write_set(shm, t, i, area + i * c->set_bytes);
	for (uint32_t i = 0; i < c->calls; i++)
		place(shm, t, area + i * c->set_bytes, s->flush, 1);
	if (s->pollute == RUNNER_POLLUTE_NONE)
		return RUNNER_OK;
	rt_pollute(&t->pollution, s->pollute == RUNNER_POLLUTE_ALL);
	for (uint32_t i = 0; i < c->calls; i++)
		place(shm, t, area + i * c->set_bytes, ~s->flush, 0);
	return RUNNER_OK;
}

/*
 * Until the child has replied and we have the CPU again: it wakes us, but is more urgent until it
 * sleeps.  Otherwise the kernel takes the CPU from it.  Either way it does nothing after our look
 * at the clock, which comes after that at the reply: what it does between the two counts.
 */
static void
await(struct runner_shm *shm, const struct runner_desk *desk, pid_t pid)
{
	struct runner_scribe	*s = &shm->scribe;

	for (;;) {
		uint32_t	heard = desk_bell(desk);

		if (desk_has_reply(desk, s->order) ||
		    __atomic_load_n(&shm->pid[s->lane], __ATOMIC_ACQUIRE) != pid)
			break;
		desk_sleep(desk, heard, LOOK_NS);
	}
	s->ended_ns = clock_now_ns();
}

/* The order is there before the child can look. */
static enum runner_reply
go(struct runner_shm *shm)
{
	struct runner_scribe	*s = &shm->scribe;
	const pid_t		 pid = s->lane < RUNNER_LANES ? shm->pid[s->lane] : 0;
	struct runner_lane	*lane;

	if (pid <= 0)
		return RUNNER_BAD_ORDER;
	lane = runner_lane_at(shm, shm->lane_bytes, s->lane);
	rt_vectors_wake(RUNNER_AWAKE_NS / 2);
	s->pace = rt_pace();
	s->began_ns = clock_now_ns();
	__atomic_store_n(&lane->desk.order, s->order, __ATOMIC_RELEASE);
	__atomic_fetch_add(&lane->desk.bell, 1, __ATOMIC_ACQ_REL);
	if (kill(pid, SIGCONT) != 0)
		return RUNNER_BAD_ORDER;
	await(shm, &lane->desk, pid);
	kill(pid, SIGSTOP);
	return RUNNER_OK;
}

_Noreturn void
rt_scribe_serve(struct runner_shm *shm, const struct rt_timer *t)
{
	struct runner_desk	*desk = &shm->scribe.desk;
	uint32_t		 order = 0;

	rt_pin(&t->setup, 0);
	rt_sign(RUNNER_SCRIBE, 1);
	rt_pollution_enter(&t->pollution);
	for (;;) {
		order = desk_next_order(desk, order);
		shm->scribe.reply = shm->scribe.command == SCRIBE_GO ? go(shm) :
		    write_challenge(shm, t);
		desk_reply(desk, order);
	}
}
