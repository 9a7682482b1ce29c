/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ChallengeResponse: single calls on challenges, flushed by the supervisor and timed by its clock
 * (worker/trust/).  Audits are the samples.
 */
#include "worker/plan/method.h"

static bool
applies(const struct plan *p, const struct plan_wants *w)
{
	(void)p;
	return w->spec->timing.trust == TRUST_ASKED_VERIFIED;
}

static enum status
make(struct plan *p, const struct plan_wants *w, struct fault *why)
{
	(void)w, (void)why;
	p->moving = 0;
	p->flushes = true;
	p->run.calls = p->most_calls = 1;
	return ST_OK;
}

const struct plan_method	plan_challenge = {
	.name = "ChallengeResponse", .applies = applies, .make = make,
	.is_challenge = true, .repeats = true,
};
