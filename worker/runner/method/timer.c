/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/method/levels.h"
#include "worker/runner/method/timer.h"
#include "worker/runner/sample/memalign.h"
#include "worker/runner/sample/restore.h"

#define PAGE_BYTES	4096u

void
rt_area_free(struct rt_area *a)
{
	rt_memalign_free(a->at);
	a->at = NULL;
	a->bytes = 0;
}

/*
 * Pages that were never written are all the same page of zeros, and reading that flushes nothing.
 */
int
rt_area_make(struct rt_area *a, uint64_t bytes)
{
	rt_area_free(a);
	if ((a->at = rt_memalign(bytes, PAGE_BYTES, 0)) == NULL)
		return 0;
	rt_memalign_bring_in(a->at, bytes);
	memset(a->at, 1, bytes);
	a->bytes = bytes;
	return 1;
}

const char *
rt_timer_make(struct rt_timer *t, const struct rt_driver *d, const struct runner_setup *setup)
{
	const char	*why;

	memset(t, 0, sizeof *t);
	t->setup = *setup;
	if ((why = rt_sets_make(&t->sets, d, setup->line_bytes)) != NULL)
		return why;
	if (!rt_levels_make(t))
		return "no memory to drive operands out of a cache with";
	if ((why = rt_pollution_make(&t->pollution, setup->l1_bytes + setup->l2_bytes,
	    setup->line_bytes)) != NULL)
		return why;
	return rt_pollution_make_tables(&t->pollution, setup->tables_bytes);
}

void
rt_timer_release(struct rt_timer *t)
{
	rt_sets_release(&t->sets);
	for (uint32_t k = 0; k < RT_MAX_OPERANDS; k++)
		rt_memalign_free(t->shade[k]);
	rt_pollution_free(&t->pollution);
	rt_sentinel_free(&t->sentinel);
	rt_memalign_free(t->flush.at);
	rt_memalign_free(t->scratch.at);
	rt_memalign_free(t->levels.lines);
	memset(t, 0, sizeof *t);
}

void
rt_timer_enter(struct rt_timer *t)
{
	if (t->image != NULL) {
		rt_image_enter(t->image);
		rt_image_restore(t->image);
	}
	rt_sets_enter(&t->sets);
}

void
rt_timer_restore(struct rt_timer *t)
{
	if (t->image != NULL)
		rt_image_restore(t->image);
	rt_sets_restore(&t->sets);
}

void
rt_timer_restore_inout(struct rt_timer *t)
{
	if (t->image != NULL)
		rt_image_restore(t->image);
	rt_sets_restore_inout(&t->sets);
}
