/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/judge/processes.h"
#include "daemon/judge/summary.h"
#include "proto/spec/spec.h"

void
summary_fill(struct summary *out, const struct stats *s)
{
	*out = (struct summary){ .min_ns = s->min, .median_ns = s->median, .mean_ns = s->mean,
	    .p90_ns = s->p90, .cv = s->cv, .has_ci95_ns = s->has_ci95,
	    .ci95_ns = { s->ci95[0], s->ci95[1] } };
}

enum status
summary_stats(const struct samples *s, double *x, struct stats *out)
{
	double		*grouped = calloc(s->ns.n, sizeof *grouped);
	enum status	 st = grouped != NULL ? ST_OK : ST_NOMEM;

	if (grouped != NULL)
		memcpy(grouped, x, s->ns.n * sizeof *x);
	stats_of(x, s->ns.n, out);
	if (st == ST_OK && s->process.n == s->ns.n)
		st = processes_rank(grouped, s->process.x, s->ns.n, out);
	free(grouped);
	return st;
}

const struct summary *
summary_ranked(const struct result_time *t)
{
	return t->has_normalised && t->estimator != NULL &&
	    strcmp(t->estimator, estimator_name(EST_NORMALISED)) == 0 ? &t->normalised : &t->raw;
}
