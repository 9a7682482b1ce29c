/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/bench/proc/affinity.h"
#include "worker/trial/trial_copies.h"

bool
trial_put_copies_cpus(struct shape_sizes *out, const struct trial *t)
{
	if (!shape_sizes_make(out, t->copies.n))
		return false;
	for (unsigned i = 0; i < t->copies.n; i++)
		out->x[i] = (uint64_t)affinity_of_copy(&t->s->slot, i);
	return true;
}

static double
ns_of(struct trial *t, unsigned copy, size_t nth, uint64_t overhead)
{
	const uint64_t	ticks = copies_ticks(&t->copies, copy, nth);
	const uint64_t	own = ticks > overhead ? ticks - overhead : 0;

	return tick_ns(trial_tick(t), own) / (double)t->plan.run.calls;
}

static bool
put_core(struct core_report *out, struct trial *t, unsigned copy)
{
	const struct take	*k = &t->take;
	const uint64_t		 overhead = copies_overhead(&t->copies, copy,
				    plan_has_fences(&t->plan));
	const uint64_t		 subtracted = plan_subtracts(&t->plan) ? overhead : 0;

	out->cpu = (uint64_t)affinity_of_copy(&t->s->slot, copy);
	out->overhead_ns = tick_ns(trial_tick(t), overhead);
	if (!shape_reals_make(&out->ns, k->samples))
		return false;
	for (size_t i = 0; i < k->samples; i++)
		out->ns.x[i] = ns_of(t, copy, k->sample[i].nth, subtracted);
	return true;
}

bool
trial_put_cores(struct shape_list *out, struct trial *t)
{
	struct core_report	*core;

	if (t->copies.n == 0)
		return true;
	if (!shape_list_make(out, t->copies.n, sizeof *core))
		return false;
	core = out->at;
	for (unsigned i = 0; i < t->copies.n; i++)
		if (!put_core(&core[i], t, i))
			return false;
	return true;
}

bool
trial_put_skew(struct sample_evidence *out, const struct trial *t)
{
	const struct take	*k = &t->take;
	const size_t		 n = k->samples;
	double			*skew, *window;

	if (t->copies.n == 0 || n == 0)
		return true;
	skew = calloc(2 * n, sizeof *skew);
	if (skew == NULL)
		return false;
	window = skew + n;
	for (size_t i = 0; i < n; i++) {
		skew[i] = (double)copies_skew_ns(&t->copies, k->sample[i].nth);
		window[i] = copies_window(&t->copies, k->sample[i].nth);
	}
	qsort(skew, n, sizeof *skew, rank_ascending);
	qsort(window, n, sizeof *window, rank_ascending);
	out->has_copies = true;
	out->copies = (struct copies_report){ rank_middle(skew, n), skew[n - 1],
	    rank_middle(window, n) };
	free(skew);
	return true;
}
