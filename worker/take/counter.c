/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <perfmon/pfmlib_perf_event.h>

#include "worker/take/counter.h"

#define ASLEEP_NS	300000u	/* a child that waits for orders spins 50 µs, then sleeps */
/* of counted regions: beside it, what waking and sleeping differ by is 1 in 1000 */
#define ENOUGH_NS	5e6
#define ENOUGH_ENERGY_NS 40e6		/* its counters move once a millisecond */
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

struct reading {
	uint64_t	value, enabled_ns, running_ns;
};

static int
know_events(void)
{
	static int	known = -1;		/* what pfm_initialize said */

	if (known < 0)
		known = pfm_initialize();
	return known;
}

/* Happens in the kernel, so user mode alone would count 0 of it. */
static bool
is_of_the_kernel(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE &&
	    (a->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
	    a->config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

static int
encode_for(const char *name, int levels, struct perf_event_attr *attr, char *event)
{
	char			*full = NULL;
	pfm_perf_encode_arg_t	 arg = { .attr = attr, .fstr = &full, .size = sizeof arg };
	int			 error;

	memset(attr, 0, sizeof *attr);
	if ((error = pfm_get_os_event_encoding(name, levels, PFM_OS_PERF_EVENT,
	    &arg)) == PFM_SUCCESS)
		snprintf(event, COUNTER_EVENT, "%s", full != NULL ? full : name);
	free(full);
	return error;
}

/* In user mode, unless the name has a mode of its own. */
static int
encode(const char *name, struct perf_event_attr *attr, char *event)
{
	int	error = know_events();

	if (error == PFM_SUCCESS)
		error = encode_for(name, PFM_PLM3, attr, event);
	if (error == PFM_SUCCESS && is_of_the_kernel(attr))
		error = encode_for(name, PFM_PLM0 | PFM_PLM3, attr, event);
	if (error != PFM_SUCCESS)
		return error;
	attr->size = sizeof *attr;
	attr->exclude_hv = 1;
	attr->inherit = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return PFM_SUCCESS;
}

enum status
counter_check(const struct timing *t, struct fault *why)
{
	struct perf_event_attr	attr;
	char			event[COUNTER_EVENT], place[64];

	for (unsigned i = 0; i < t->ncounters; i++) {
		int	error = spec_is_energy(t->counters[i]) ? PFM_SUCCESS :
			    encode(t->counters[i], &attr, event);

		if (error == PFM_SUCCESS || know_events() != PFM_SUCCESS)
			continue;
		snprintf(place, sizeof place, "spec.timing.counters[%u]", i);
		return fault_at(why, ST_BAD_SPEC, place, "\"%s\": %s", t->counters[i],
		    pfm_strerror(error));
	}
	return ST_OK;
}

static int
paranoia(void)
{
	FILE	*f = fopen(PARANOID, "r");
	int	 level = 2;

	if (f == NULL)
		return level;
	if (fscanf(f, "%d", &level) != 1)
		level = 2;
	fclose(f);
	return level;
}

static void
explain(struct counter *c, int error, const struct perf_event_attr *a)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		snprintf(c->absent, sizeof c->absent, "%s",
		    a->type == PERF_TYPE_SOFTWARE ? "this kernel does not count it" :
		    "this machine has no such hardware counter (a virtual machine "
		    "mostly has none)");
		return;
	case EACCES:
	case EPERM:
		snprintf(c->absent, sizeof c->absent,
		    "not permitted: kernel.perf_event_paranoid is %d%s", paranoia(),
		    is_of_the_kernel(a) ? ", and it happens in the kernel" : "");
		return;
	case ENOSYS:
		snprintf(c->absent, sizeof c->absent, "this kernel has no perf_event_open");
		return;
	default:
		snprintf(c->absent, sizeof c->absent, "perf_event_open: %s", strerror(error));
	}
}

static void
open_event(struct counter *c, struct perf_event_attr *attr, pid_t pid, int cpu)
{
	if ((c->fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1,
	    PERF_FLAG_FD_CLOEXEC)) < 0)
		explain(c, errno, attr);
}

/* Of the package that the process runs on, with all that runs there. */
static void
open_energy(struct counter *c, pid_t pid)
{
	struct perf_event_attr	attr;
	struct energy		e;
	struct fault		why;

	if (energy_find(&e, &attr, "/sys", c->name, energy_cpu_of(pid), &why) != ST_OK) {
		snprintf(c->absent, sizeof c->absent, "%.*s", COUNTER_WORDS - 1, why.text);
		return;
	}
	snprintf(c->event, sizeof c->event, "%s", c->name);
	snprintf(c->unit, sizeof c->unit, "%s", e.unit);
	c->step = e.scale;
	open_event(c, &attr, -1, e.cpu);
}

static void
open_one(struct counter *c, const char *name, pid_t pid)
{
	struct perf_event_attr	attr;
	int			error;

	*c = (struct counter){ .fd = -1, .counted = 1, .step = 1 };
	snprintf(c->name, sizeof c->name, "%s", name);
	if (spec_is_energy(name)) {
		open_energy(c, pid);
		return;
	}
	if ((error = encode(name, &attr, c->event)) != PFM_SUCCESS) {
		snprintf(c->absent, sizeof c->absent, "libpfm: %s", pfm_strerror(error));
		return;
	}
	if (pid <= 0) {
		snprintf(c->absent, sizeof c->absent, "the routine's process is not known");
		return;
	}
	open_event(c, &attr, pid, -1);
}

void
counter_open(struct counters *c, const struct timing *t, pid_t pid)
{
	memset(c, 0, sizeof *c);
	for (unsigned i = 0; i < t->ncounters; i++)
		open_one(&c->one[c->n++], t->counters[i], pid);
}

void
counter_close(struct counters *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		if (c->one[i].fd >= 0)
			close(c->one[i].fd);
		c->one[i].fd = -1;
	}
}

static void
read_all(struct counters *c, struct reading *r)
{
	for (unsigned i = 0; i < c->n; i++) {
		r[i] = (struct reading){ 0, 0, 0 };
		if (c->one[i].fd < 0)
			continue;
		if (read(c->one[i].fd, &r[i], sizeof r[i]) != (ssize_t)sizeof r[i]) {
			snprintf(c->one[i].absent, sizeof c->one[i].absent,
			    "it could not be read: %s", strerror(errno));
			close(c->one[i].fd);
			c->one[i].fd = -1;
		}
	}
}

/* Events between two readings, as if the counter had run all the time; *share of it that it did. */
static double
between(const struct reading *from, const struct reading *to, double *share)
{
	double	enabled = (double)(to->enabled_ns - from->enabled_ns);
	double	running = (double)(to->running_ns - from->running_ns);

	*share = enabled > 0 ? running / enabled : 1;
	return *share > 0 ? (double)(to->value - from->value) / *share : 0;
}

/* One order's worth, from sleep to sleep. */
static enum status
count_order(struct counters *c, const struct runner_run *order, const struct take_setting *with,
    struct bench_reply *reply, double *counts)
{
	struct reading	from[SPEC_MAX_COUNTERS], to[SPEC_MAX_COUNTERS];
	enum status	st;

	take_pause(with->clock, ASLEEP_NS);
	read_all(c, from);
	if ((st = link_run(&with->orders, order, reply)) != ST_OK)
		return st;
	take_pause(with->clock, ASLEEP_NS);
	read_all(c, to);
	for (unsigned i = 0; i < c->n; i++) {
		double	share;

		counts[i] = between(&from[i], &to[i], &share);
		if (share < c->one[i].counted)
			c->one[i].counted = share;
	}
	return ST_OK;
}

/* That are counted. */
static double
enough_ns(const struct counters *c)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->one[i].unit[0] != '\0' && c->one[i].fd >= 0)
			return ENOUGH_ENERGY_NS;
	return ENOUGH_NS;
}

/* Samples of an order; cost_ns: one with its flush. 0: there is no time for two orders. */
static uint32_t
samples_of(double enough, double sample_ns, uint64_t cost_ns, uint64_t left_ns)
{
	double		 n = enough / (sample_ns > 1 ? sample_ns : 1) + 1;
	uint64_t	 fit = TAKE_BATCH_NS / (cost_ns + 1) + 1;

	n = n < (double)fit ? n : (double)fit;
	n = n < RUNNER_SAMPLES ? n : RUNNER_SAMPLES;
	return 3 * n * (double)cost_ns < (double)left_ns ? (uint32_t)n : 0;
}

static void
all_absent(struct counters *c, const char *why)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->one[i].absent[0] == '\0')
			snprintf(c->one[i].absent, sizeof c->one[i].absent, "%s", why);
}

static bool
any_is_open(const struct counters *c)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->one[i].fd >= 0)
			return true;
	return false;
}

static void
conclude(struct counters *c, const double *full, const double *empty)
{
	for (unsigned i = 0; i < c->n; i++) {
		struct counter	*k = &c->one[i];

		if (k->absent[0] == '\0' && k->counted <= 0)
			snprintf(k->absent, sizeof k->absent,
			    "other events had the counters all the time");
		k->per_call = full[i] > empty[i] ?
		    k->step * (full[i] - empty[i]) / (double)c->calls : 0;
	}
}

enum status
counter_run(struct counters *c, const struct plan *plan, const struct take_setting *with,
    double sample_ns, struct bench_reply *reply)
{
	struct runner_run	order = plan->run;
	double			full[SPEC_MAX_COUNTERS], empty[SPEC_MAX_COUNTERS];
	uint64_t		now_ns;
	enum status		st;

	if (!any_is_open(c))
		return ST_OK;
	order.kind = RUNNER_SAMPLE;
	order.samples = 1;
	order.warm_calls = 0;
	order.realtime = 0;
	if ((st = link_run(&with->orders, &order, reply)) != ST_OK)
		return st;
	now_ns = take_now(with->clock);
	order.samples = samples_of(enough_ns(c), sample_ns, reply->took_ns,
	    with->deadline_ns > now_ns ? with->deadline_ns - now_ns : 0);
	if (order.samples == 0) {
		all_absent(c, "the wall limit left no time to count");
		return ST_OK;
	}
	if ((st = count_order(c, &order, with, reply, full)) != ST_OK)
		return st;
	c->calls = order.samples * plan->run.calls;
	order.kind = RUNNER_EMPTY;
	order.calls = 1;
	if ((st = count_order(c, &order, with, reply, empty)) == ST_OK)
		conclude(c, full, empty);
	return st;
}

bool
counter_report(const struct counters *c, struct shape_list *out)
{
	struct counter_report	*each;

	if (!shape_list_make(out, c->n, sizeof *each))
		return false;
	each = out->at;
	for (unsigned i = 0; i < c->n; i++) {
		const struct counter	*k = &c->one[i];

		each[i] = k->absent[0] != '\0' ?
		    (struct counter_report){ k->name, NAN, NULL, NULL, SHAPE_NO_SIZE, NAN,
		    k->absent } :
		    (struct counter_report){ k->name, k->per_call,
		    k->unit[0] != '\0' ? k->unit : NULL, k->event, c->calls, k->counted, NULL };
	}
	return true;
}

/* Room for one more is made a block at a time; false: no memory. */
static bool
add_name(struct shape_texts *list, const char *name)
{
	enum { BLOCK = 256 };
	const char	**x = list->x;

	if (list->n % BLOCK == 0) {
		if ((x = realloc(list->x, (list->n + BLOCK) * sizeof *x)) == NULL)
			return false;
		list->x = x;
	}
	x[list->n++] = name;
	return true;
}

static bool
add_names(struct shape_texts *list, const pfm_pmu_info_t *pmu)
{
	pfm_event_info_t	e;

	for (int i = pmu->first_event; i != -1; i = pfm_get_event_next(i)) {
		memset(&e, 0, sizeof e);
		e.size = sizeof e;
		if (pfm_get_event_info(i, PFM_OS_PERF_EVENT, &e) == PFM_SUCCESS &&
		    !add_name(list, e.name))
			return false;
	}
	return true;
}

bool
counter_names(struct shape_texts *out)
{
	pfm_pmu_info_t	 pmu;
	int		 i;

	*out = (struct shape_texts){ NULL, 0 };
	if (know_events() != PFM_SUCCESS)
		return true;
	pfm_for_all_pmus(i) {
		memset(&pmu, 0, sizeof pmu);
		pmu.size = sizeof pmu;
		if (pfm_get_pmu_info((pfm_pmu_t)i, &pmu) == PFM_SUCCESS && pmu.is_present &&
		    !add_names(out, &pmu))
			return false;
	}
	return true;
}
