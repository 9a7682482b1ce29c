/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "proto/base/clock.h"
#include "worker/runner/sample/rt.h"
#include "worker/trust/bench_audit.h"

const char *
bench_audit_unwanted(const struct job *job)
{
	if (job->spec.timing.trust == TRUST_ASKED_CLAIMED)
		return "no more was asked for";
	if (job->spec.checkpoint != NULL)
		return "the data of an image cannot be drawn anew";
	if (job->profile == PROFILE_IO)
		return "audits do not see what a call leaves in its files";
	if (job->profile == PROFILE_FORK)
		return "audits do not see what other processes of a call do";
	if (job->copies > 1)
		return "a copy's challenge would be timed without the others beside it";
	if (job->against.source != NULL && job->threads > 1)
		return "a thread of one could forge what the other is measured by";
	if (job->spec.timing.layout == LAYOUT_RANDOM)
		return "processes of many layouts are not audited";
	return job->spec.check.present ? NULL : "there is no reference to answer fresh inputs";
}

uint64_t
bench_audit_prepare(struct bench_audit *a, const struct job *job)
{
	bench_audit_release(a);
	if (bench_audit_unwanted(job) != NULL)
		return 0;
	a->cannot = challenge_make(&a->challenge, &job->spec);
	a->can = a->cannot == NULL;
	if (a->challenge.stale != NULL)
		snprintf(a->stale, sizeof a->stale, "\"%.64s\" has the same contents in every "
		    "call, so work on it could be left out", a->challenge.stale);
	a->challenge.stale = NULL;
	return a->can ? challenge_area_bytes(&a->challenge) : 0;
}

bool
bench_audit_serves(const struct bench_audit *a, const struct job *job)
{
	return bench_audit_unwanted(job) != NULL || a->can || a->cannot != NULL;
}

void
bench_audit_forget(struct bench_audit *a)
{
	audit_stock_release(&a->stock);
}

void
bench_audit_release(struct bench_audit *a)
{
	bench_audit_forget(a);
	memset(a, 0, sizeof *a);
}

/* ---- what audits need of a bench's lane ---- */

static struct runner_challenge
place_of(const struct bench_lane *l, const struct challenge *c, uint32_t calls)
{
	uint64_t	home[RUNNER_OPERANDS];

	bench_homes(l->bench, home);
	return challenge_lay(c, home, calls);
}

static struct bench_challenge
order_of(const struct bench_lane *l, const struct audit_setting *with, uint32_t calls,
    uint64_t (*seed)[2])
{
	return (struct bench_challenge){ with->challenge, place_of(l, with->challenge, calls), seed,
	    with->flush, with->pollutes, with->call_ns * calls <= AUDIT_FIFO_NS };
}

static enum status
run_challenge(void *arg, const struct audit_setting *with, uint32_t calls, uint64_t (*seed)[2],
    struct challenge_time *t, struct bench_reply *reply)
{
	const struct bench_lane		*l = arg;
	const struct bench_challenge	 order = order_of(l, with, calls, seed);

	return bench_challenge(l->bench, l->lane, &order, *l->deadline_ns, t, reply);
}

static enum status
run_blank(void *arg, const struct audit_setting *with, uint64_t (*seed)[2],
    struct challenge_time *t, struct bench_reply *reply)
{
	const struct bench_lane		*l = arg;
	const struct bench_challenge	 order = order_of(l, with, 1, seed);

	return bench_blank(l->bench, &order, *l->deadline_ns, t, reply);
}

static void
read_outputs(void *arg, const struct challenge *c, uint32_t nth, char *to)
{
	const struct bench_lane		*l = arg;
	const struct runner_challenge	 place = place_of(l, c, 1);

	memcpy(to, bench_results(l->bench, l->lane) + nth * RT_MAX_RESULT, RT_MAX_RESULT);
	challenge_read(c, &place, bench_sets(l->bench, l->lane) + nth * place.set_bytes, to);
}

static uint64_t
left_ns(void *arg)
{
	const struct bench_lane	*l = arg;
	const uint64_t		 now_ns = clock_now_ns();

	return *l->deadline_ns > now_ns ? *l->deadline_ns - now_ns : 0;
}

struct audit_lane
bench_audit_lane(struct bench_lane *l)
{
	return (struct audit_lane){ run_challenge, run_blank, read_outputs,
	    left_ns, l };
}
