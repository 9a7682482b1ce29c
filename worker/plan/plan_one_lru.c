/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OneCallFlushLRU (section 3): a call, and before it other memory is read.  The only method that
 * flushes a part.
 */
#include "worker/plan/method.h"
#include "worker/plan/sizes.h"

#define WAKE_FROM_BYTES	((uint64_t)4 << 20)

static bool
applies(const struct plan *p, const struct plan_wants *w)
{
	const struct timing	*t = &w->spec->timing;

	(void)p;
	return t->method == FLUSH_ONE_CALL_LRU || (t->method == FLUSH_AUTO &&
	    (sizes_are_given(w->spec) || !w->can_flush));
}

/* From the spec, else from calibration on this host (W26). */
static uint64_t
pass_bytes(const struct plan_wants *w, enum plan_origin *origin)
{
	*origin = PLAN_ORIGIN_DEFAULT;
	if (sizes_are_given(w->spec))
		*origin = PLAN_ORIGIN_GIVEN;
	else if (w->slot->flush_bytes != 0)
		*origin = PLAN_ORIGIN_CALIBRATED;
	return *origin == PLAN_ORIGIN_CALIBRATED ? w->slot->flush_bytes :
	    sizes_to_flush(w->spec, w->slot, SIZES_LRU_CACHES);
}

/*
 * After a short pass calls to wake the core would flush more than was asked for; and it is over
 * soon.
 */
static enum status
make(struct plan *p, const struct plan_wants *w, struct fault *why)
{
	(void)why;
	plan_one_call(p, w, RUNNER_FLUSH_LRU);
	if (p->run.flush == RUNNER_FLUSH_NONE)
		return ST_OK;
	p->flush_bytes = p->run.flush_bytes = pass_bytes(w, &p->origin);
	p->may_wake = p->may_wake && p->run.flush_bytes >= WAKE_FROM_BYTES;
	return ST_OK;
}

const struct plan_method	plan_one_lru = {
	.name = "OneCallFlushLRU", .applies = applies, .make = make,
	.repeats = true, .code_in_cache = true, .drops_tables = true,
};
