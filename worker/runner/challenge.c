/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/challenge.h"
#include "worker/runner/method/result.h"

int
rt_challenge_fits(const struct rt_timer *t, const struct runner_shm *shm,
    const struct runner_challenge *c)
{
	const uint64_t	area = shm->lane_bytes - shm->challenge_at;

	if (!t->setup.challenged || area < RUNNER_SETS_AT || c->calls == 0 ||
	    c->calls > RUNNER_BATCH || c->set_bytes > (area - RUNNER_SETS_AT) / c->calls)
		return 0;
	for (uint32_t k = 0; k < t->sets.driver->rt_operands; k++) {
		const struct rt_operand	*o = t->sets.live[k].operand;

		if (c->at[k] > c->set_bytes ||
		    o->rt_count * o->rt_bytes > c->set_bytes - c->at[k])
			return 0;
	}
	return 1;
}

char *
rt_challenge_sets(const struct runner_shm *shm, struct runner_lane *lane)
{
	return (char *)lane + shm->challenge_at + RUNNER_SETS_AT;
}

int
rt_challenge_call(const struct rt_timer *t, rt_code *code, const struct runner_shm *shm,
    struct runner_lane *lane)
{
	const struct rt_driver		*d = t->sets.driver;
	const struct runner_challenge	 c = lane->challenge;
	char				*results = (char *)lane + shm->challenge_at;
	void				*at[RT_SETS_AT];

	if (!rt_challenge_fits(t, shm, &c))
		return 0;
	for (uint32_t k = 0; k < d->rt_operands; k++)
		at[k] = rt_challenge_sets(shm, lane) + c.at[k];
	for (uint32_t i = 0; i < c.calls; i++) {
		d->rt_call(code, at);
		if (d->rt_result_bytes != 0)
			rt_result_put(d, results + i * RT_MAX_RESULT);
		for (uint32_t k = 0; k < d->rt_operands; k++)
			at[k] = (char *)at[k] + c.set_bytes;
	}
	return 1;
}
