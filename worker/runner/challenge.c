/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/challenge.h"
#include "worker/runner/sample/sample.h"

/* Where each operand is, or 0: one has no place. */
static int
places(const struct rt_sets *s, struct runner_shm *shm, void **at)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		uint64_t	place = s->setup.challenge[k];

		if (place < sizeof *shm || place > shm->bytes || s->live[k].bytes > shm->bytes - place)
			return 0;
		at[k] = (char *)shm + place;
	}
	return s->setup.challenged != 0;
}

int
rt_challenge_prime(const struct rt_sets *s, struct runner_shm *shm)
{
	void	*at[RT_MAX_OPERANDS];

	if (!places(s, shm, at))
		return 0;
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		memcpy(at[k], s->live[k].first, s->live[k].bytes);
	return 1;
}

int
rt_challenge_call(const struct rt_sets *s, rt_code *code, struct runner_shm *shm, struct runner_lane *lane)
{
	void	*at[RT_MAX_OPERANDS];

	if (!places(s, shm, at) || shm->output_at > shm->bytes || shm->bytes - shm->output_at < RT_MAX_RESULT)
		return 0;
	lane->phase = RUNNER_TIMING;
	s->driver->rt_call(code, at);
	rt_run_result(s->driver, (char *)shm + shm->output_at);
	return 1;
}
