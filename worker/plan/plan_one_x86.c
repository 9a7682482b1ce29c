/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OneCallFlushX86 (section 3): a call, and before it each line of each cold operand by instruction.
 */
#include "worker/plan/method.h"

/* The last in the table, for specs without a wish. */
static bool
applies(const struct plan *p, const struct plan_wants *w)
{
	(void)p;
	return w->spec->timing.method == FLUSH_ONE_CALL_X86 || w->spec->timing.method == FLUSH_AUTO;
}

/*
 * If the spec names no method, the length of a call will decide whether it stays.  Operands that
 * are put into L2 or L3 cannot walk.
 */
static enum status
make(struct plan *p, const struct plan_wants *w, struct fault *why)
{
	const struct timing	*t = &w->spec->timing;

	if (!w->can_flush)
		return plan_refuse(why, "this machine cannot flush a line by instruction");
	plan_one_call(p, w, RUNNER_FLUSH_LINES);
	p->is_open = t->method == FLUSH_AUTO && t->calls == 0 && t->tlb != TLB_WARM &&
	    w->spec->code == CODE_WARM && !w->spec->data_sensitive && !p->one_call &&
	    !w->places && (p->moving & p->fixed) == 0;
	return ST_OK;
}

const struct plan_method	plan_one_x86 = {
	.name = "OneCallFlushX86", .applies = applies, .make = make,
	.repeats = true, .code_in_cache = true, .reads_tables = true,
};
