/* SPDX-License-Identifier: Apache-2.0 */
/* A sample is a run of a whole program, from its exec to its end. */
#include "worker/plan/method.h"

static bool
applies(const struct plan *p, const struct plan_wants *w)
{
	(void)p;
	return w->spec->program.present;
}

static enum status
make(struct plan *p, const struct plan_wants *w, struct fault *why)
{
	(void)why;
	p->run.calls = p->most_calls = 1;
	p->may_wake = false;
	p->keeps_overhead = !w->spec->program.subtract_floor;
	plan_set_samples(p, &w->spec->timing, PLAN_SAMPLES_PROGRAM);
	return ST_OK;
}

const struct plan_method	plan_program = {
	.name = "Program", .applies = applies, .make = make,
};
