/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checkpoint: an image's memory is as at first in every sample, and its own code runs before the
 * last call.  The caches are as that code leaves them; if cold, all of the image's memory but code
 * is flushed before it runs.
 */
#include "worker/plan/method.h"

static bool
applies(const struct plan *p, const struct plan_wants *w)
{
	(void)p;
	return w->spec->checkpoint != NULL;
}

static enum status
make(struct plan *p, const struct plan_wants *w, struct fault *why)
{
	const bool	cold = w->spec->context == CONTEXT_COLD;

	if (cold && !w->can_flush)
		return fault_at(why, ST_BAD_SPEC, "spec.context",
		    "this machine cannot flush an image by instruction");
	p->guard = GUARD_NONE;
	p->run.calls = p->most_calls = 1;
	p->calls_given = true;
	p->run.restore = RUNNER_RESTORE;
	p->run.flush = cold ? RUNNER_FLUSH_LINES : RUNNER_FLUSH_NONE;
	p->may_wake = false;
	p->run.cold_code = w->spec->code == CODE_COLD;
	p->is_whole = cold;
	p->flushes = cold || p->run.cold_code;
	plan_set_samples(p, &w->spec->timing, PLAN_SAMPLES_COLD);
	return ST_OK;
}

const struct plan_method	plan_image = {
	.name = "Checkpoint", .applies = applies, .make = make, .code_in_cache = true,
};
