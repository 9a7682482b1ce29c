/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>

#include "client/print/format.h"
#include "client/report/part.h"

/* ---- samples ---- */

static void
add_cpus(struct entry *e, const struct sample_technique *s)
{
	char		words[FORMAT_CPUS_BYTES];
	cpu_set_t	cpus;

	CPU_ZERO(&cpus);
	if (s->cpu >= 0 && s->cpu < CPU_SETSIZE)
		CPU_SET((size_t)s->cpu, &cpus);
	for (size_t i = 0; i < s->cpus.n; i++)
		if (s->cpus.x[i] < CPU_SETSIZE)
			CPU_SET((size_t)s->cpus.x[i], &cpus);
	if (CPU_COUNT(&cpus) > 0)
		entry_add(e, "on %s", format_cpus(&cpus, words));
}

static void
add_end(struct entry *e, const struct sample_technique *s)
{
	char	a[FORMAT_BYTES], b[FORMAT_BYTES];

	if (s->has_interval && !isnan(s->interval.reached))
		entry_add(e, "ended by %s with the median known to %s of %s",
		    s->ended_by != NULL ? s->ended_by : "?",
		    format_percent(s->interval.reached, a), format_percent(s->interval.asked, b));
}

static void
put_samples(const struct page *page, const struct result *r)
{
	const struct technique	*t = &r->found.technique;
	struct entry		e;

	entry_begin(&e, page, "samples");
	if (part_has_size(t->samples) && part_has_size(t->calls))
		entry_add(&e, "%" PRIu64 " of %" PRIu64 " call%s each", t->samples, t->calls,
		    part_plural(t->calls));
	if (r->time.has_processes)
		entry_add(&e, "in %" PRIu64 " processes", r->time.processes.count);
	add_end(&e, &t->sample);
	add_cpus(&e, &t->sample);
	if (part_is(t->sample.scheduling, "fifo"))
		entry_add(&e, "at real-time priority");
	entry_end(&e);
}

/* ---- the clock ---- */

static void
put_clock(const struct page *page, const struct technique *t)
{
	static const struct part_wording	words[] = {
		{ "cycle", "the processor's counter" }, { "wall", "the system's clock" },
		{ "cpu", "the thread's CPU time" }, { NULL, NULL },
	};
	struct entry	e;
	char		a[FORMAT_BYTES];

	entry_begin(&e, page, "clock");
	part_add_wording(&e, words, t->clock);
	if (t->counter != NULL)
		entry_append(&e, " (%s)", t->counter);
	if (!isnan(t->tick_hz))
		entry_append(&e, " at %s", format_hz(t->tick_hz, a));
	if (!isnan(t->resolution_ns))
		entry_clause(&e, "%s is the shortest time that it shows",
		    format_duration_ns(t->resolution_ns, a));
	if (!isnan(t->sample.overhead_ns))
		entry_clause(&e, "%s for reading it and for the call were %ssubtracted",
		    format_duration_ns(t->sample.overhead_ns, a),
		    t->sample.overhead_subtracted ? "" : "not ");
	if (t->sample.difference)
		entry_clause(&e, "each sample is the extra time of twice the calls");
	entry_end(&e);
}

static void
put_counters(const struct page *page, const struct shape_list *counters)
{
	const struct counter_report	*c = counters->at;
	struct entry			 e;
	char				 a[FORMAT_BYTES];

	entry_begin(&e, page, "events");
	for (size_t i = 0; i < counters->n; i++) {
		if (!isnan(c[i].per_call))
			entry_clause(&e, "%s %s per call", c[i].name,
			    format_number(c[i].per_call, a));
		else
			entry_clause(&e, "%s not counted: %s", c[i].name,
			    c[i].absent != NULL ? c[i].absent : "?");
	}
	entry_end(&e);
}

void
samples_put(const struct page *page, const struct result *r)
{
	put_samples(page, r);
	put_clock(page, &r->found.technique);
	put_counters(page, &r->found.counters);
}
