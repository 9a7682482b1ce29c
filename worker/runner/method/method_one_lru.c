/* SPDX-License-Identifier: Apache-2.0 */
/* OneCallFlushLRU (section 3): other memory is read until the caches hold nothing else. */
#include "worker/runner/method/method.h"
#include "worker/runner/method/place.h"

static int
applies(const struct rt_timer *t, const struct runner_run *run)
{
	return t->image == NULL && run->walk == RUNNER_STAY && run->flush == RUNNER_FLUSH_LRU;
}

static int
is_sound(const struct rt_timer *t, const struct runner_run *run)
{
	return run->flush_bytes <= t->flush.bytes / rt_crew_size(t->crew);
}

static const char *
make(struct rt_timer *t, const struct rt_areas *areas)
{
	if (areas->flush_bytes == 0)
		rt_area_free(&t->flush);
	if (areas->flush_bytes <= t->flush.bytes || rt_area_make(&t->flush, areas->flush_bytes))
		return NULL;
	return "no memory for the flush area";
}

struct pass {
	const struct rt_timer	*timer;
	const struct runner_run	*run;
};

/*
 * Each CPU has a part of the area for itself: what one has read would come from the shared cache to
 * the next.
 */
static void
read_part(void *arg, uint32_t part)
{
	const struct pass	*p = arg;
	const uint64_t		 bytes = p->run->flush_bytes;

	rt_read_area(p->timer->flush.at + part * bytes, bytes, p->timer->setup.line_bytes);
}

/*
 * A pass through less than the caches leaves part of the operands in them.  So the cold ones are
 * brought in first: what is left then depends on the size of the area alone (section 3.1).
 */
static void
flush(struct rt_timer *t, const struct runner_run *run)
{
	struct pass	pass = { t, run };

	if (t->sentinel.home != NULL)
		rt_sentinel_touch(&t->sentinel);
	rt_touch_placed(&t->sets, run, RUNNER_COLD);
	rt_crew_run(t->crew, read_part, &pass);
}

const struct rt_method	rt_method_one_lru = {
	.applies = applies, .is_sound = is_sound, .make = make, .aim = rt_aim_home,
	.restore = rt_timer_restore_inout, .flush = flush,
};
