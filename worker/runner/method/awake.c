/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/method/awake.h"
#include "worker/runner/sample/memalign.h"

int
rt_awake_ready(struct rt_timer *t)
{
	for (uint32_t k = 0; k < t->sets.driver->rt_operands; k++) {
		const struct rt_live	*l = &t->sets.live[k];
		const struct rt_operand	*o = l->operand;
		const struct rt_memory	 in = { .node = -1, .offset = l->offset };

		if (t->shade[k] != NULL)
			continue;
		if ((t->shade[k] = rt_memalign_in(&in, l->bytes, o->rt_align,
		    o->rt_misalign)) == NULL)
			return 0;
		rt_memalign_bring_in(t->shade[k], l->bytes);
		memcpy(t->shade[k], l->first, l->bytes);
	}
	return 1;
}

void
rt_awake(struct rt_timer *t, rt_code *code)
{
	const struct rt_driver	*d = t->sets.driver;
	const uint64_t		 began = rt_wall_ns();
	void			*at[RT_MAX_OPERANDS];

	do {
		for (uint32_t k = 0; k < d->rt_operands; k++) {
			const struct rt_live	*l = &t->sets.live[k];

			at[k] = t->shade[k];
			if (l->operand->rt_access == 'b') {
				rt_be_certain();	/* else this may be the operand itself */
				memcpy(at[k], l->first, l->bytes);
			}
		}
		d->rt_call(code, at);
	} while (rt_wall_ns() - began < RUNNER_AWAKE_NS);
}

void
rt_awake_anew(struct rt_timer *t, rt_code *code)
{
	if (rt_wall_ns() - t->awake_ns > RUNNER_AWAKE_NS)
		rt_awake(t, code);
}

void
rt_awake_left(struct rt_timer *t)
{
	t->awake_ns = rt_wall_ns();
}
