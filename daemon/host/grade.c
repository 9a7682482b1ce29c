/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "daemon/host/grade.h"
#include "daemon/host/partition.h"

/*
 * Limits between the grades.  A sample lasts 20–100 µs: a gap of 50 µs can hide in one, a gap of 2
 * ms is a time slice of the scheduler.
 */
#define STOLEN_USABLE	0.0005
#define STOLEN_NOISY	0.01
#define STOLEN_UNFIT	0.10
enum { WORST_USABLE_NS = 50000, WORST_NOISY_NS = 2000000, HOT_MC = 90000, TICKS_A_SECOND = 100 };

struct grading {
	enum grade	 worst;
	grade_fn	*fn;
	void		*arg;
};

const char *
grade_word(enum grade g)
{
	static const char *const	words[GRADE_N] = { "quiet", "usable", "noisy", "unfit" };

	return words[g];
}

static void	because(struct grading *, enum grade, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));

static void
because(struct grading *g, enum grade how_bad, const char *fmt, ...)
{
	char	reason[512];
	va_list	ap;

	va_start(ap, fmt);
	(void)vsnprintf(reason, sizeof reason, fmt, ap);
	va_end(ap);
	if (how_bad > g->worst)
		g->worst = how_bad;
	g->fn(g->arg, how_bad, reason);
}

static enum grade
grade_of_spin(const struct probe_spin *s)
{
	double	stolen = (double)s->stolen_ns / (double)(s->wall_ns + 1);

	if (stolen > STOLEN_UNFIT)
		return GRADE_UNFIT;
	if (stolen > STOLEN_NOISY || s->worst_ns > WORST_NOISY_NS)
		return GRADE_NOISY;
	return stolen > STOLEN_USABLE || s->worst_ns > WORST_USABLE_NS ? GRADE_USABLE : GRADE_QUIET;
}

static void
grade_spin(struct grading *g, const struct cpu_facts *c)
{
	const struct probe_spin	*s = &c->spin;
	enum grade		 how_bad = grade_of_spin(s);

	if (!s->ran)
		because(g, GRADE_USABLE, "CPU %d has not been probed", c->cpu);
	else if (how_bad != GRADE_QUIET)
		because(g, how_bad, "CPU %d: others took %.2f %% of its time, at worst %.0f us at "
		    "once", c->cpu, 100.0 * (double)s->stolen_ns / (double)(s->wall_ns + 1),
		    (double)s->worst_ns * 1e-3);
}

static void
grade_cpu(struct grading *g, const struct cpu_facts *c, double window_s)
{
	double	steal = (double)c->delta.steal_ticks / (window_s * TICKS_A_SECOND + 1);

	grade_spin(g, c);
	if (c->delta.steal_ticks > 0)
		because(g, steal > STOLEN_NOISY ? GRADE_NOISY : GRADE_USABLE,
		    "CPU %d: the hypervisor withheld %.2f %% of its time", c->cpu, 100 * steal);
	if (c->delta.throttles > 0)
		because(g, GRADE_NOISY, "CPU %d was throttled: too hot, or over its power limit",
		    c->cpu);
	if (c->cpu == 0)
		because(g, GRADE_USABLE,
		    "CPU 0 is a timing CPU: it carries the kernel's own work; choose others with "
		    "timing-cpus");
}

static void
grade_host(struct grading *g, const struct grade_facts *e)
{
	if (partition_is_broken(e->partition))
		because(g, GRADE_UNFIT, "the partition of the timing CPUs has become invalid: %s",
		    e->partition);
	if (e->shared_core)
		because(g, GRADE_NOISY,
		    "no CPU is left beside the timing CPUs: compilers share them");
	else if (!e->set_apart)
		because(g, GRADE_USABLE,
		    "nothing keeps other programs off the timing CPUs: run assay-hostd, or "
		    "boot with isolcpus=");
	if (strcmp(e->clocksource, "tsc") != 0 && strcmp(e->clocksource, "arch_sys_counter") != 0 &&
	    strcmp(e->clocksource, "kvm-clock") != 0 && e->clocksource[0] != '\0')
		because(g, GRADE_NOISY,
		    "the clocksource is %s: reading it takes too long for short samples",
		    e->clocksource);
	if (e->hypervisor)
		because(g, GRADE_USABLE,
		    "this is a virtual machine: from inside, disturbances by its "
		    "host are only partly visible");
	if (e->temperature_mc >= HOT_MC)
		because(g, GRADE_NOISY, "it is hot: %.0f degrees Celsius",
		    e->temperature_mc * 1e-3);
}

static void
grade_loss(void *arg, enum container_loss loss, const char *sentence)
{
	static const enum grade	how_bad[] = {
		[LOSS_OF_CONTROL] = GRADE_QUIET, [LOSS_OF_QUIET] = GRADE_USABLE,
		/* for many milliseconds: far longer than a sample */
		[LOSS_OF_TIME] = GRADE_NOISY
	};

	if (how_bad[loss] > GRADE_QUIET)
		because(arg, how_bad[loss], "%s", sentence);
}

enum grade
grade_of(const struct grade_facts *e, grade_fn *fn, void *arg)
{
	struct grading	g = { GRADE_QUIET, fn, arg };

	grade_host(&g, e);
	/* slots that are set apart lie outside of its limits */
	if (!e->set_apart)
		container_each_loss(&e->container, grade_loss, &g);
	for (unsigned i = 0; i < e->ncpus; i++)
		grade_cpu(&g, &e->cpu[i], e->window_s);
	return g.worst;
}
