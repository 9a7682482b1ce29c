/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/challenge.h"
#include "worker/runner/method/result.h"

/* Place of each operand, or 0: one has none. */
static int
places(const struct rt_timer *t, struct runner_shm *shm, void **at)
{
	for (uint32_t k = 0; k < t->sets.driver->rt_operands; k++) {
		uint64_t	place = t->setup.challenge[k];

		if (place < sizeof *shm || place > shm->bytes ||
		    t->sets.live[k].bytes > shm->bytes - place)
			return 0;
		at[k] = (char *)shm + place;
	}
	return t->setup.challenged != 0;
}

int
rt_challenge_prime(const struct rt_timer *t, struct runner_shm *shm)
{
	void	*at[RT_MAX_OPERANDS];

	if (!places(t, shm, at))
		return 0;
	for (uint32_t k = 0; k < t->sets.driver->rt_operands; k++)
		memcpy(at[k], t->sets.live[k].first, t->sets.live[k].bytes);
	return 1;
}

int
rt_challenge_call(const struct rt_timer *t, rt_code *code, struct runner_shm *shm,
    struct runner_lane *lane)
{
	void	*at[RT_MAX_OPERANDS];

	if (!places(t, shm, at) || shm->output_at > shm->bytes ||
	    shm->bytes - shm->output_at < RT_MAX_RESULT)
		return 0;
	lane->phase = RUNNER_TIMING;
	t->sets.driver->rt_call(code, at);
	rt_result_put(t->sets.driver, (char *)shm + shm->output_at);
	return 1;
}
