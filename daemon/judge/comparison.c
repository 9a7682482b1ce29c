/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/judge/comparison.h"
#include "daemon/judge/summary.h"

static enum status
put_times(const struct samples *samples, const struct shape_reals *ns, struct summary *out)
{
	double		*x = calloc(ns->n + 1, sizeof *x);
	struct stats	 s;
	enum status	 st = x != NULL ? ST_OK : ST_NOMEM;

	if (st == ST_OK && ns->n != 0) {
		memcpy(x, ns->x, ns->n * sizeof *x);
		if ((st = summary_stats(samples, x, &s)) == ST_OK)
			summary_fill(out, &s);
	}
	free(x);
	return st;
}

static void
put_origin(struct comparison_side *out, const char *name, const struct hash *binary,
    const struct compiler_identity *c)
{
	out->name = name;
	out->binary = binary != NULL ? binary->hex : NULL;
	if ((out->has_compiler = c != NULL))
		out->compiler = *c;
}

void
comparison_name(const struct case_file *c, struct result_comparison *out)
{
	const struct brief		*b = c->job->brief;
	const struct build_record	*made = c->job->build;
	const struct built		*report = made != NULL && made->has_report ?
					    &made->report : NULL;

	put_origin(&out->a, b->against != NULL ? b->against : "",
	    made != NULL ? &made->artifacts.against : NULL,
	    report != NULL && report->has_against_compiler ? &report->against_compiler : NULL);
	put_origin(&out->b, b->name, made != NULL ? &made->artifacts.variant : NULL,
	    report != NULL ? &report->compiler : NULL);
}

enum status
comparison_judge(const struct case_file *c, struct result_comparison *out)
{
	const struct samples	*samples = &c->timed->samples;
	enum status		 st;

	out->found = c->timed->comparison;
	comparison_name(c, out);
	if ((st = put_times(samples, &samples->against_ns, &out->a.times)) != ST_OK)
		return st;
	return put_times(samples, &samples->ns, &out->b.times);
}
