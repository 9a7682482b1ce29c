/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/judge/cores.h"
#include "daemon/judge/summary.h"
#include "proto/base/rank.h"

static bool
has_cores(const struct report *r)
{
	const struct core_report	*core = r->cores.at;

	for (size_t i = 0; i < r->cores.n; i++)
		if (core[i].ns.n != r->samples.ns.n)
			return false;
	return r->cores.n > 0 && r->samples.ns.n > 0;
}

/* x has room for all samples. */
static enum status
judge_core(const struct samples *s, const struct core_report *from, double *x,
    struct result_core *to)
{
	struct stats	stats;
	enum status	st;

	memcpy(x, from->ns.x, from->ns.n * sizeof *x);
	if ((st = summary_stats(s, x, &stats)) != ST_OK)
		return st;
	*to = (struct result_core){ .cpu = from->cpu, .overhead_ns = from->overhead_ns,
	    .max_ns = stats.max, .samples_ns = from->ns };
	summary_fill(&to->times, &stats);
	return ST_OK;
}

static enum status
judge_all(const struct report *r, double *x, double *medians, struct result_time *t)
{
	const struct core_report	*from = r->cores.at;
	struct result_core		*to = t->cores.at;
	enum status			 st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < t->cores.n; i++)
		if ((st = judge_core(&r->samples, &from[i], x, &to[i])) == ST_OK)
			medians[i] = to[i].times.median_ns;
	if (st != ST_OK)
		return st;
	qsort(medians, t->cores.n, sizeof *medians, rank_ascending);
	t->cores_median_ns = rank_middle(medians, t->cores.n);
	return ST_OK;
}

enum status
cores_judge(const struct report *r, struct result_time *t)
{
	double		*x, *medians;
	enum status	 st = ST_NOMEM;

	if (!has_cores(r))
		return ST_OK;
	x = calloc(r->samples.ns.n, sizeof *x);
	medians = calloc(r->cores.n, sizeof *medians);
	if (x != NULL && medians != NULL &&
	    shape_list_make(&t->cores, r->cores.n, sizeof(struct result_core)))
		st = judge_all(r, x, medians, t);
	free(x);
	free(medians);
	return st;
}

void
cores_release(struct result_time *t)
{
	free(t->cores.at);
	t->cores = (struct shape_list){ NULL, 0 };
}
