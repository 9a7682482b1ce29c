/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/runner/method/surroundings.h"

#define TIMES	2u

/* An operand's place for a call; walk: its entry, NULL: at home. */
static char *
place_of(const struct rt_live *l, const uint32_t *walk)
{
	return walk != NULL && l->far != NULL ? rt_live_far(l, *walk) : l->home;
}

static void
look_up_cold(const struct rt_sets *s, const struct runner_run *run, const uint32_t *walk)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		const struct rt_live	*l = &s->live[k];

		for (int n = 0; run->place[k] == RUNNER_COLD && n < rt_live_parts(l); n++) {
			struct rt_range	r = rt_live_part(l, place_of(l, walk), n);

			rt_look_up(&r, s->line_bytes);
		}
	}
}

struct pollute {
	const struct rt_pollution	*with;
	int				 all;
};

/* Each CPU of the crew has caches and a TLB of its own. */
static void
pollute(void *arg, uint32_t part)
{
	const struct pollute	*p = arg;

	(void)part;
	rt_pollute(p->with, p->all);
}

/*
 * Looking up comes before the TLB is emptied.  Both are done twice: a last cache may not keep a
 * line that came from memory and leaves the inner caches without having been asked for again.
 */
void
rt_surround(const struct rt_timer *t, const struct runner_run *run, const uint32_t *walk)
{
	const uint64_t	calls = walk != NULL ? run->calls : 1;
	struct pollute	how = { &t->pollution, run->pollute == RUNNER_POLLUTE_ALL };

	for (unsigned times = run->look_up ? TIMES : 1; times-- > 0;) {
		for (uint64_t i = 0; run->look_up && i < calls; i++)
			look_up_cold(&t->sets, run, walk != NULL ? &walk[i] : NULL);
		if (run->pollute)
			rt_crew_run(t->crew, pollute, &how);
	}
}
