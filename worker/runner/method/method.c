/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/runner/method/method.h"
#include "worker/runner/sample/restore.h"

/* Each order is for one of them at most. */
static const struct rt_method *const	methods[] = {
	&rt_method_warm, &rt_method_one_x86, &rt_method_one_lru, &rt_method_multi,
	&rt_method_separate, &rt_method_stroll, &rt_method_image,
};

enum { METHODS = sizeof methods / sizeof methods[0] };

const struct rt_method *
rt_method_of(const struct rt_timer *t, const struct runner_run *run)
{
	for (unsigned i = 0; i < METHODS; i++)
		if (methods[i]->applies(t, run))
			return methods[i];
	return NULL;
}

const char *
rt_methods_make(struct rt_timer *t, const struct rt_areas *areas)
{
	const char	*why = NULL;

	for (unsigned i = 0; i < METHODS && why == NULL; i++)
		if (methods[i]->make != NULL)
			why = methods[i]->make(t, areas);
	return why;
}

void
rt_aim_home(struct rt_timer *t, const struct runner_run *run, struct rt_region *r)
{
	(void)run;
	r->walk = NULL;
	rt_sets_home(&t->sets, r->at);
}

void
rt_aim_far(struct rt_timer *t, const struct runner_run *run, struct rt_region *r)
{
	r->walk = rt_walk_next(&t->sets.walk, run->walk, run->calls);
	rt_sets_far(&t->sets, r->at, r->step);
}

int
rt_far_is_sound(const struct rt_timer *t, const struct runner_run *run)
{
	return t->sets.sets != 0 && run->calls <= t->sets.sets;
}

void
rt_enter_far(struct rt_timer *t)
{
	if (!t->sets.has_entered_far)
		rt_sets_enter_far(&t->sets);
}
