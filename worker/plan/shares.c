/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/plan/shares.h"

static uint64_t
lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
greater(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Of a process, if each of `processes` costs load_ns beside them. */
static uint64_t
each_in(uint64_t budget_ns, uint64_t processes, uint64_t load_ns, uint64_t sample_ns)
{
	const uint64_t	loads = processes * load_ns;

	return loads < budget_ns ? (budget_ns - loads) / (processes * sample_ns) : 0;
}

static void
choose_both(struct plan *p, uint64_t budget_ns, uint64_t load_ns, uint64_t sample_ns)
{
	const uint64_t	most = plan_flushes(p) ? SHARES_COLD_EACH : SHARES_WARM_EACH;
	uint64_t	each, processes = p->processes_given ? p->processes : SHARES_PROCESSES;

	if (!p->processes_given && each_in(budget_ns, processes, load_ns, sample_ns) == 0)
		processes = greater(SHARES_LEAST,
		    lesser(processes, budget_ns / (load_ns + sample_ns)));
	each = greater(each_in(budget_ns, processes, load_ns, sample_ns), load_ns / 2 / sample_ns);
	p->processes = (unsigned)processes;
	each = greater(1, lesser(most, each));
	p->samples = (unsigned)(processes * each);
	if (!p->processes_given && p->interval == 0 && processes > SHARES_LEAST)
		p->least_samples = (unsigned)(SHARES_LEAST * each);
}

static void
choose_processes(struct plan *p, uint64_t budget_ns, uint64_t load_ns, uint64_t sample_ns)
{
	const uint64_t	samples = p->samples * sample_ns;
	uint64_t	fit = samples < budget_ns ? (budget_ns - samples) / load_ns : 0;

	fit = lesser(greater(fit, SHARES_LEAST), SHARES_PROCESSES);
	p->processes = (unsigned)lesser(fit, p->samples);
}

static void
choose_long(struct plan *p, uint64_t budget_ns, uint64_t sample_ns)
{
	p->processes = 1;
	if (!p->samples_given)
		p->samples = (unsigned)lesser(p->samples,
		    greater(SHARES_LONG_EACH, budget_ns / sample_ns));
}

void
shares_settle(struct plan *p, uint64_t load_ns, uint64_t sample_ns)
{
	const uint64_t	budget_ns = plan_flushes(p) ? SHARES_COLD_NS : SHARES_WARM_NS;

	load_ns = greater(load_ns, 1);
	sample_ns = greater(sample_ns, 1);
	if (!p->processes_given && sample_ns > SHARES_LONG_NS) {
		choose_long(p, budget_ns, sample_ns);
	} else if (!p->samples_given && !(p->processes_given && p->processes == 1)) {
		choose_both(p, budget_ns, load_ns, sample_ns);
	} else if (!p->processes_given) {
		choose_processes(p, budget_ns, load_ns, sample_ns);
	}
	if (p->max_samples < p->samples)
		p->max_samples = p->samples;
}
