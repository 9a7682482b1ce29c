/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing is flushed: as many calls as the clock needs, on one set, or on outputs that are
 * separate.
 */
#include "worker/plan/method.h"
#include "worker/plan/sizes.h"

#define RESTORE_NS	1000.0		/* an inout operand is restored before each longer call */
#define SEPARATE_SETS	65536u		/* of outputs, unless more calls are asked for */

/*
 * Separate outputs: as many as a sample has calls, and the same in every sample, so that they are
 * in the cache.  That holds half of them at least.
 */
static void
use_separate(struct plan *p, const struct plan_wants *w)
{
	const struct timing	*t = &w->spec->timing;
	uint64_t		 cached, spaced, fit, times = t->difference ? 2 : 1;

	p->moving = w->written;
	sizes_of_call(w->spec, w->slot, p->moving, &cached, &spaced);
	fit = sizes_largest_cache(w->slot) / 2 / spaced;
	fit = fit < 2 ? 2 : fit > SEPARATE_SETS ? SEPARATE_SETS : fit;
	p->most_calls = t->calls != 0 ? t->calls : fit / times;
	p->sets = p->most_calls * times;
	p->run.walk = RUNNER_AGAIN;
}

static enum status
make(struct plan *p, const struct plan_wants *w, struct fault *why)
{
	(void)why;
	p->moving = 0;
	p->most_calls = p->one_call ? 1 : SPEC_MAX_CALLS;
	p->run.calls = w->spec->timing.calls != 0 ? w->spec->timing.calls : 1;
	if (p->guard == GUARD_SEPARATE)
		use_separate(p, w);
	return ST_OK;
}

/*
 * A routine that changes its input gets the same input in every call if that can be had: one call a
 * sample, where a call is long enough for the clock.
 */
static bool
one_call_will_do(const struct plan *p, double call_ns)
{
	return p->run.walk == RUNNER_STAY && p->run.restore == RUNNER_RESTORE && !p->difference &&
	    call_ns >= RESTORE_NS;
}

const struct plan_method	plan_warm = {
	.name = "none", .applies = plan_is_warm, .make = make, .one_call_will_do = one_call_will_do,
	.repeats = true, .code_in_cache = true,
};
