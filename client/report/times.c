/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>

#include "client/print/format.h"
#include "client/report/part.h"

static const struct {
	const char	*word, *text;
} estimators[] = {
	{ "min", "the shortest sample" },
	{ "median", "the median" },
	{ "normalised", "the median, each sample corrected for the clock speed of the CPU" },
};

static void
put_value(const struct page *page, const struct result_time *t)
{
	struct entry	e;
	char		a[FORMAT_BYTES];

	if (t->raced)
		entry_put(page, "given up", "slower than %s per call, by %" PRIu64 " samples, with "
		    "95 %% confidence", format_duration_ns(t->bound_ns, a), t->count);
	if (t->quick)
		entry_put(page, "time", "none: tcc does not optimize; it was built for its answer");
	if (isnan(t->value_ns))
		return;
	entry_begin(&e, page, "time");
	entry_add(&e, "%s per call", format_duration_ns(t->value_ns, a));
	for (unsigned i = 0; i < sizeof estimators / sizeof estimators[0]; i++)
		if (part_is(t->estimator, estimators[i].word))
			entry_append(&e, ": %s", estimators[i].text);
	entry_end(&e);
}

/* The estimates that are not the time itself. */
static void
put_others(const struct page *page, const struct result_time *t)
{
	char	a[FORMAT_BYTES];

	if (!isnan(t->raw.min_ns) && !part_is(t->estimator, "min"))
		entry_put(page, "shortest", "%s, of the samples as measured",
		    format_duration_ns(t->raw.min_ns, a));
	if (!isnan(t->raw.median_ns) && !part_is(t->estimator, "median"))
		entry_put(page, "median", "%s, of the samples as measured",
		    format_duration_ns(t->raw.median_ns, a));
}

static void
put_interval(const struct page *page, const struct summary *s)
{
	char	a[FORMAT_BYTES], b[FORMAT_BYTES];

	if (s->has_ci95_ns)
		entry_put(page, "interval",
		    "%s to %s holds the true median with 95 %% confidence",
		    format_duration_ns(s->ci95_ns[0], a), format_duration_ns(s->ci95_ns[1], b));
}

static void
put_iteration(const struct page *page, const struct result_time *t)
{
	const struct result_iteration	*i = &t->per_iteration;
	char				 a[FORMAT_BYTES];

	if (t->has_per_iteration && !isnan(i->value_ns))
		entry_put(page, "iteration", "%s each, %.10g in a call",
		    format_duration_ns(i->value_ns, a), i->iterations);
	if (t->has_per_iteration && !isnan(i->cycles))
		entry_put(page, "cycles", "%.4g an iteration (%s)", i->cycles, i->cycles_by);
}

/* Of copies that ran at once. */
static void
put_cores(const struct page *page, const struct result_time *t)
{
	const struct result_core	*core = t->cores.at;
	struct entry			 e;
	char				 a[FORMAT_BYTES];

	if (t->cores.n == 0)
		return;
	entry_begin(&e, page, "cores");
	for (size_t i = 0; i < t->cores.n; i++)
		entry_append(&e, "%sCPU %" PRIu64 " %s", i == 0 ? "" : ", ", core[i].cpu,
		    format_duration_ns(core[i].times.median_ns, a));
	entry_append(&e, ": the median of each, all at once");
	entry_end(&e);
}

/* Of samples in one process, or in several and between these. */
static void
put_spread(const struct page *page, const struct result_time *t, const struct summary *s)
{
	const struct result_processes	*p = &t->processes;
	char				 a[FORMAT_BYTES], b[FORMAT_BYTES];

	if (isnan(s->cv))
		return;
	if (!t->has_processes)
		entry_put(page, "spread",
		    "%s: standard deviation of the samples, relative to their mean",
		    format_percent(s->cv, a));
	else if (isnan(p->within))
		entry_put(page, "spread", "%s between processes: standard deviation",
		    format_percent(p->between, a));
	else
		entry_put(page, "spread", "within %s in a process, between processes %s: standard "
		    "deviations", format_percent(p->within, a), format_percent(p->between, b));
}

static void
put_states(const struct page *page, const struct result_time *t)
{
	const struct process_state	*s = t->processes.states.at;
	char				 a[FORMAT_BYTES], b[FORMAT_BYTES];

	if (t->has_processes && t->processes.states.n == 2)
		entry_put(page, "states", "two: %s in %" PRIu64 " processes, %s in %" PRIu64
		    "; an application may have either", format_duration_ns(s[0].median_ns, a),
		    s[0].processes, format_duration_ns(s[1].median_ns, b), s[1].processes);
}

static void
put_warm(const struct page *page, const struct sample_evidence *e)
{
	char	a[FORMAT_BYTES];

	if (!isnan(e->warm_ns) && !isnan(e->cold_over_warm))
		entry_put(page, "warm", "%s per call with operands in cache; "
		    "the shortest cold sample took %.2f times as long",
		    format_duration_ns(e->warm_ns, a), e->cold_over_warm);
}

static void
put_speed(const struct page *page, const struct result_rate *rate)
{
	struct entry	e;
	char		a[FORMAT_BYTES];

	entry_begin(&e, page, "speed");
	if (!isnan(rate->mflops_max))
		entry_add(&e, "%s MFLOPS", format_number(rate->mflops_max, a));
	if (!isnan(rate->gbs_max))
		entry_add(&e, "%s GB/s", format_number(rate->gbs_max, a));
	if (e.used > 0)
		entry_append(&e, " in the shortest sample");
	entry_end(&e);
}

void
times_put(const struct page *page, const struct result *r)
{
	const struct result_time	*t = &r->time;
	const bool			 is_corrected = part_is(t->estimator, "normalised") &&
					     t->has_normalised;

	put_value(page, t);
	put_iteration(page, t);
	put_cores(page, t);
	if (part_is(t->estimator, "min"))
		put_others(page, t);
	put_interval(page, is_corrected ? &t->normalised : &t->raw);
	put_spread(page, t, is_corrected ? &t->normalised : &t->raw);
	put_states(page, t);
	if (!part_is(t->estimator, "min"))
		put_others(page, t);
	put_warm(page, &r->found.evidence.sample);
	if (r->has_rate)
		put_speed(page, &r->rate);
}
