/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/method/result.h"

#define OUTPUT_ALIGN	64u

void
rt_result_put(const struct rt_driver *d, char *to)
{
	const volatile char	*from = d->rt_result;

	for (uint32_t i = 0; i < d->rt_result_bytes && i < RT_MAX_RESULT; i++)
		to[i] = from[i];
}

/* ---- numbers ---- */

static void
count_at(const struct rt_live *l, const char *at, struct runner_census *c)
{
	const struct rt_operand	*o = l->operand;

	rt_census(o->rt_class, o->rt_bytes, at, o->rt_count, o->rt_stride, c);
}

static void
count_operand(const struct rt_live *l, const uint32_t *walk, uint64_t calls,
    struct runner_census *c)
{
	const int	moves = walk != NULL && l->far != NULL;

	*c = l->census;
	if (!rt_live_is_written(l))
		return;
	*c = (struct runner_census){ .finite = 0 };
	if (!moves)
		count_at(l, l->home, c);
	for (uint64_t i = 0; moves && i < calls; i++)
		count_at(l, rt_live_far(l, walk[i]), c);
}

void
rt_result_count(const struct rt_sets *s, const uint32_t *walk, uint64_t calls,
    struct runner_census *census)
{
	const struct rt_driver	*d = s->driver;
	struct runner_census	*of_result = &census[RUNNER_OPERANDS];
	char			 result[RT_MAX_RESULT];

	for (uint32_t k = 0; k < d->rt_operands; k++)
		count_operand(&s->live[k], walk, calls, &census[k]);
	*of_result = (struct runner_census){ .finite = 0 };
	rt_result_put(d, result);
	if (d->rt_result_bytes != 0)
		rt_census((char)d->rt_result_class, d->rt_result_bytes, result, 1, 1, of_result);
}

/* ---- a check ---- */

/* Place of the next output; NULL: it does not fit. */
static char *
output_place(char *out, uint64_t bytes, uint64_t *used, uint64_t wanted)
{
	uint64_t	at = *used;

	if (at > bytes || wanted > bytes - at)
		return NULL;
	*used = (at + wanted + OUTPUT_ALIGN - 1) / OUTPUT_ALIGN * OUTPUT_ALIGN;
	return out + at;
}

static int
put_outputs(const struct rt_sets *s, char *out, uint64_t bytes)
{
	uint64_t	 used = 0;
	char		*to;

	if ((to = output_place(out, bytes, &used, OUTPUT_ALIGN)) == NULL)
		return 0;
	rt_result_put(s->driver, to);
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		const struct rt_live	*l = &s->live[k];

		if (!rt_live_is_written(l))
			continue;
		if ((to = output_place(out, bytes, &used, l->bytes)) == NULL)
			return 0;
		memcpy(to, l->home, l->bytes);
	}
	return 1;
}

int
rt_result_check(struct rt_timer *t, rt_code *code, char *out, uint64_t bytes)
{
	const struct rt_driver	*d = t->sets.driver;
	void			*at[RT_SETS_AT];

	rt_timer_restore(t);
	rt_sets_home(&t->sets, at);
	rt_image_count_time(1);
	d->rt_call(code, at);
	rt_image_count_time(0);

	if (t->image != NULL)
		return rt_image_put(t->image, d->rt_result_bytes, out, bytes);
	return put_outputs(&t->sets, out, bytes);
}
