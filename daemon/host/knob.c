/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/host/knob.h"

#define CPU_DIR		"/sys/devices/system/cpu"
#define POLICY		CPU_DIR "/cpufreq/policy*"
#define WORKQUEUE	"/sys/devices/virtual/workqueue"
#define LATENCY		"/dev/cpu_dma_latency"

struct knob_def {
	const char	*name, *path;
	unsigned char	 scope, form;
	bool		 passing;		/* comes and goes: not KNOB_LASTING */
	const char	*wanted;		/* NULL: see want */
	const char	*drags;		/* files that the kernel changes along; NULL: none */
	bool		(*want)(const struct site *, struct knob *);	/* false: none is wanted */
	bool		(*applies)(const struct site *, const char *path);	/* NULL: always */
	int		(*read)(const struct site *, struct knob *);	/* NULL: a text file */
	const char	*remedy;
};

/* ---- the CPUs that a file affects ---- */

/* The number in ".../policy3/..." or ".../cpu3/...". */
static int
number_after(const char *path, const char *word)
{
	const char	*at = strstr(path, word);

	return at != NULL ? atoi(at + strlen(word)) : -1;
}

static bool
policy_is_ours(const struct site *s, const char *path)
{
	char		file[HOSTFS_PATH_BYTES], text[HOSTFS_VALUE_BYTES];
	cpu_set_t	cpus;
	int		n = number_after(path, "/policy");

	(void)snprintf(file, sizeof file, CPU_DIR "/cpufreq/policy%d/related_cpus", n);
	if (hostfs_read(&s->fs, file, text, sizeof text) == 0 && cpulist_parse(text, &cpus))
		return cpulist_overlap(&cpus, &s->cores);
	return n >= 0 && n < CPU_SETSIZE && CPU_ISSET((unsigned)n, &s->cores);
}

static bool
is_idle_sibling(const struct site *s, const char *path)
{
	int	n = number_after(path, CPU_DIR "/cpu");

	return n >= 0 && n < CPU_SETSIZE && CPU_ISSET((unsigned)n, &s->cores) &&
	    !CPU_ISSET((unsigned)n, &s->timing);
}

/* ---- wanted values ---- */

/* The present CPUs without the timing cores; if none is left, all others. */
static bool
without_our_cores(const struct site *s, cpu_set_t *set)
{
	cpulist_subtract(set, &s->cores);
	if (CPU_COUNT(set) == 0)
		*set = s->house;
	return CPU_COUNT(set) != 0;
}

static bool
want_mask(const struct site *s, struct knob *k)
{
	cpu_set_t	set;

	if (!cpulist_parse_mask(k->found, &set) || !without_our_cores(s, &set))
		return false;
	(void)cpulist_format_mask(&set, k->wanted, sizeof k->wanted);
	return true;
}

static bool
want_list(const struct site *s, struct knob *k)
{
	cpu_set_t	set;

	if (!cpulist_parse(k->found, &set) || !without_our_cores(s, &set))
		return false;
	(void)cpulist_format(&set, k->wanted, sizeof k->wanted);
	return true;
}

static bool
want_timing_cpus(const struct site *s, struct knob *k)
{
	(void)cpulist_format(&s->timing, k->wanted, sizeof k->wanted);
	return true;
}

/* The frequency that can be sustained: the one without turbo, if the driver reports it. */
static bool
want_steady_frequency(const struct site *s, struct knob *k)
{
	static const char *const	sources[] = { "base_frequency", "cpuinfo_max_freq" };
	char				path[2 * HOSTFS_PATH_BYTES];
	int				dir = (int)(strrchr(k->path, '/') - k->path);

	for (unsigned i = 0; i < sizeof sources / sizeof sources[0]; i++) {
		(void)snprintf(path, sizeof path, "%.*s/%s", dir, k->path, sources[i]);
		if (hostfs_read(&s->fs, path, k->wanted, sizeof k->wanted) == 0 &&
		    atoll(k->wanted) > 0)
			return true;
	}
	return false;
}

/* ---- found values ---- */

static int
read_text(const struct site *s, struct knob *k)
{
	return hostfs_read(&s->fs, k->path, k->found, sizeof k->found);
}

/* The device is read and written as a binary number of microseconds. */
static int
read_latency(const struct site *s, struct knob *k)
{
	int32_t	us = 0;
	int	fd, rc = hostfs_open(&s->fs, k->path, O_RDONLY, &fd);

	if (rc != 0)
		return rc;
	if (read(fd, &us, sizeof us) != (ssize_t)sizeof us)
		rc = errno != 0 ? errno : EIO;
	(void)close(fd);
	(void)snprintf(k->found, sizeof k->found, "%d", us);
	return rc;
}

static int
is_irqbalance(void *arg, const char *path)
{
	const struct site	*s = arg;
	char			 comm[32];

	return hostfs_read(&s->fs, path, comm, sizeof comm) == 0 && strcmp(comm, "irqbalance") == 0;
}

static int
read_irqbalance(const struct site *s, struct knob *k)
{
	int	runs = hostfs_each(&s->fs, k->path, is_irqbalance, (void *)(uintptr_t)s);

	(void)strcpy(k->found, runs ? "running" : "not running");
	return 0;
}

/* ---- the table ---- */

#define NEEDS_TUNE	"; assay-hostd does it with tune = yes"

static const struct knob_def	defs[] = {
	{ "cpu_dma_latency", LATENCY, KNOB_HELD, KNOB_TEXT, .passing = true, .wanted = "0",
	  .read = read_latency,
	  .remedy = "run assay-hostd as root: it keeps CPUs out of deep idle states while jobs are "
	  "timed" },
	{ "default_irq_affinity", "/proc/irq/default_smp_affinity", KNOB_NARROW, KNOB_MASK,
	  .passing = true, .want = want_mask,
	  .remedy = "run assay-hostd as root, or boot with irqaffinity= and the other CPUs" },
	{ "irq_affinity", "/proc/irq/*/smp_affinity", KNOB_NARROW, KNOB_MASK, .passing = true,
	  .want = want_mask,
	  .remedy = "run assay-hostd as root; interrupts that the kernel manages itself move only "
	  "with isolcpus=managed_irq,... at boot" },
	{ "workqueue_cpus", WORKQUEUE "/cpumask", KNOB_NARROW, KNOB_MASK, .want = want_mask,
	  .remedy = "run assay-hostd as root: it keeps unbound kernel work off the timing CPUs" },
	{ "writeback_cpus", WORKQUEUE "/writeback/cpumask", KNOB_NARROW, KNOB_MASK,
	  .want = want_mask,
	  .remedy = "run assay-hostd as root: it keeps the writing back of files off the timing "
	  "CPUs" },
	{ "watchdog_cpus", "/proc/sys/kernel/watchdog_cpumask", KNOB_NARROW, KNOB_LIST,
	  .want = want_list,
	  .remedy = "run assay-hostd as root: it keeps the lockup detectors off the timing CPUs" },

	{ "turbo", CPU_DIR "/intel_pstate/no_turbo", KNOB_GLOBAL, KNOB_TEXT, .wanted = "1",
	  .remedy = "echo 1 > " CPU_DIR "/intel_pstate/no_turbo" NEEDS_TUNE },
	{ "turbo", CPU_DIR "/cpufreq/boost", KNOB_GLOBAL, KNOB_TEXT, .wanted = "0",
	  .drags = POLICY "/boost", .remedy = "echo 0 > " CPU_DIR "/cpufreq/boost" NEEDS_TUNE },
	{ "turbo", POLICY "/boost", KNOB_GLOBAL, KNOB_TEXT, .wanted = "0",
	  .applies = policy_is_ours, .remedy = "echo 0 to the policy's boost" NEEDS_TUNE },
	{ "governor", POLICY "/scaling_governor", KNOB_GLOBAL, KNOB_TEXT, .wanted = "performance",
	  .applies = policy_is_ours, .remedy = "cpupower frequency-set -g performance" NEEDS_TUNE },
	{ "max_frequency", POLICY "/scaling_max_freq", KNOB_GLOBAL, KNOB_TEXT,
	  .want = want_steady_frequency, .applies = policy_is_ours,
	  .remedy = "cpupower frequency-set -u and the frequency" NEEDS_TUNE },
	{ "min_frequency", POLICY "/scaling_min_freq", KNOB_GLOBAL, KNOB_TEXT,
	  .want = want_steady_frequency, .applies = policy_is_ours,
	  .remedy = "cpupower frequency-set -d and the frequency" NEEDS_TUNE },
	{ "timer_migration", "/proc/sys/kernel/timer_migration", KNOB_GLOBAL, KNOB_TEXT,
	  .wanted = "0", .remedy = "sysctl kernel.timer_migration=0" NEEDS_TUNE },
	{ "numa_balancing", "/proc/sys/kernel/numa_balancing", KNOB_GLOBAL, KNOB_TEXT,
	  .wanted = "0", .remedy = "sysctl kernel.numa_balancing=0" NEEDS_TUNE },
	{ "nmi_watchdog", "/proc/sys/kernel/nmi_watchdog", KNOB_GLOBAL, KNOB_TEXT, .wanted = "0",
	  .remedy = "sysctl kernel.nmi_watchdog=0, or boot with nmi_watchdog=0" NEEDS_TUNE },
	{ "soft_watchdog", "/proc/sys/kernel/soft_watchdog", KNOB_GLOBAL, KNOB_TEXT, .wanted = "0",
	  .remedy = "sysctl kernel.soft_watchdog=0, or boot with nosoftlockup" NEEDS_TUNE },
	{ "stat_interval", "/proc/sys/vm/stat_interval", KNOB_GLOBAL, KNOB_TEXT, .wanted = "10",
	  .remedy = "sysctl vm.stat_interval=10" NEEDS_TUNE },
	{ "rt_runtime", "/proc/sys/kernel/sched_rt_runtime_us", KNOB_GLOBAL, KNOB_TEXT,
	  .wanted = "950000",
	  .remedy = "sysctl kernel.sched_rt_runtime_us=950000: a runaway real-time loop must not "
	  "take the CPU for good" NEEDS_TUNE },
	{ "smt_sibling", CPU_DIR "/cpu*/online", KNOB_GLOBAL, KNOB_TEXT, .wanted = "0",
	  .applies = is_idle_sibling, .remedy = "echo off > " CPU_DIR "/smt/control" NEEDS_TUNE },

	{ "irqbalance", "/proc/[0-9]*/comm", KNOB_REPORT, KNOB_TEXT, .passing = true,
	  .wanted = "not running", .read = read_irqbalance,
	  .remedy = "systemctl disable --now irqbalance, or IRQBALANCE_BANNED_CPULIST= and the "
	  "timing CPUs in its configuration" },
	{ "nohz_full", CPU_DIR "/nohz_full", KNOB_REPORT, KNOB_COVERS, .want = want_timing_cpus,
	  .remedy = "boot with nohz_full= and rcu_nocbs= and the timing CPUs: the timer tick stays "
	  "away from them" },
	{ "transparent_hugepages", "/sys/kernel/mm/transparent_hugepage/enabled", KNOB_REPORT,
	  KNOB_BRACKET, .wanted = "madvise",
	  .remedy = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled, or boot with "
	  "transparent_hugepage=madvise" },
};
enum { NDEFS = sizeof defs / sizeof defs[0] };

/* ---- looking ---- */

static const char *const	status_words[KNOB_NSTATUS] = {
	[KNOB_ALREADY] = "already", [KNOB_SET] = "set", [KNOB_NOT_TAKEN] = "not_taken",
	[KNOB_ABSENT] = "absent", [KNOB_DENIED] = "denied", [KNOB_REJECTED] = "rejected",
	[KNOB_FOREIGN] = "foreign",
};

const char *
knob_status_word(enum knob_status st)
{
	return status_words[st];
}

enum knob_status
knob_status_of_errno(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return KNOB_ABSENT;
	case EACCES:
	case EPERM:
	case EROFS:
		return KNOB_DENIED;
	default:			/* EINVAL, EIO, EBUSY, ENODEV, 524 (not supported), … */
		return KNOB_REJECTED;
	}
}

const char *
knob_name(const struct knob *k)
{
	return k->def->name;
}

const char *
knob_remedy(const struct knob *k)
{
	return k->def->remedy;
}

enum knob_scope
knob_scope(const struct knob *k)
{
	return (enum knob_scope)k->def->scope;
}

static bool
same_set(const char *found, const char *wanted, enum knob_form form)
{
	bool		(*parse)(const char *, cpu_set_t *) = form == KNOB_MASK ?
	    cpulist_parse_mask : cpulist_parse;
	cpu_set_t	f, w, both;

	if (!parse(found, &f) || !parse(wanted, &w))
		return false;
	if (form != KNOB_COVERS)
		return CPU_EQUAL(&f, &w);
	CPU_AND(&both, &f, &w);
	return CPU_EQUAL(&both, &w);
}

static bool
is_as_wanted(const struct knob *k)
{
	const char	*open;
	size_t		 n = strlen(k->wanted);

	switch ((enum knob_form)k->def->form) {
	case KNOB_TEXT:
		return strcmp(k->found, k->wanted) == 0;
	case KNOB_BRACKET:
		open = strchr(k->found, '[');
		return open != NULL && strncmp(open + 1, k->wanted, n) == 0 && open[1 + n] == ']';
	default:
		return same_set(k->found, k->wanted, (enum knob_form)k->def->form);
	}
}

static void
look(const struct site *s, struct knob *k)
{
	const struct knob_def	*d = k->def;
	int			 rc = d->read != NULL ? d->read(s, k) : read_text(s, k);

	k->wanted[0] = '\0';
	if (d->wanted != NULL)
		(void)snprintf(k->wanted, sizeof k->wanted, "%s", d->wanted);
	if (rc != 0)
		k->status = knob_status_of_errno(rc);
	else if (d->want != NULL && !d->want(s, k))
		k->status = KNOB_REJECTED;
	else
		k->status = is_as_wanted(k) ? KNOB_ALREADY : KNOB_NOT_TAKEN;
}

struct visit {
	const struct site	*site;
	const struct knob_def	*def;
	knob_fn			*fn;
	void			*arg;
	unsigned		 seen;
	enum status		 st;
};

static int
visit_path(void *arg, const char *path)
{
	struct visit	*v = arg;
	struct knob	 k = { .def = v->def };

	if (v->def->applies != NULL && !v->def->applies(v->site, path))
		return 0;
	(void)snprintf(k.path, sizeof k.path, "%s", path);
	look(v->site, &k);
	v->seen++;
	v->st = v->fn(v->arg, &k);
	return v->st != ST_OK;
}

static void
visit_def(struct visit *v)
{
	if (v->def->read == read_irqbalance)
		(void)visit_path(v, v->def->path);	/* its pattern matches itself only */
	else
		(void)hostfs_each(&v->site->fs, v->def->path, visit_path, v);
}

/* Definitions of one name are alternatives: the knob is absent if none of them exists. */
static void
visit_absent(struct visit *v)
{
	struct knob	k = { .def = v->def, .status = KNOB_ABSENT };

	(void)snprintf(k.path, sizeof k.path, "%s", v->def->path);
	if (v->def->wanted != NULL)
		(void)snprintf(k.wanted, sizeof k.wanted, "%s", v->def->wanted);
	v->st = v->fn(v->arg, &k);
}

enum status
knob_each(const struct site *s, unsigned scopes, knob_fn *fn, void *arg)
{
	struct visit	v = { .site = s, .fn = fn, .arg = arg, .st = ST_OK };
	unsigned	first = 0;

	for (unsigned i = 0; v.st == ST_OK && i < NDEFS; i++) {
		if (!(defs[i].scope & scopes) || (defs[i].passing && scopes & KNOB_LASTING))
			continue;
		if (strcmp(defs[first].name, defs[i].name) != 0) {
			first = i;
			v.seen = 0;
		}
		v.def = &defs[i];
		visit_def(&v);
		if (v.seen == 0 && v.st == ST_OK &&
		    (i + 1 == NDEFS || strcmp(defs[i + 1].name, defs[i].name) != 0)) {
			v.def = &defs[first];
			visit_absent(&v);
		}
	}
	return v.st;
}

/* ---- setting ---- */

/*
 * The value was not taken, or became another one: put the old one back, so that no change is left
 * half done.
 */
static void
put_back(const struct site *s, struct knob *k, const char *old)
{
	char	wrong[HOSTFS_VALUE_BYTES];

	if (strcmp(k->found, old) != 0) {
		(void)strcpy(wrong, k->found);
		(void)hostfs_write(&s->fs, k->path, old);
		(void)hostfs_read_back(&s->fs, k->path, wrong, old, k->found, sizeof k->found);
	}
}

struct dragging {
	const struct site	*site;
	const struct knob	*knob;
	struct journal		*journal;
	struct fault		*why;
	enum status		 st;
};

static int
record_dragged(void *arg, const char *path)
{
	struct dragging	*d = arg;
	const char	*wanted = d->knob->wanted;
	char		 old[HOSTFS_VALUE_BYTES];

	if (hostfs_read(&d->site->fs, path, old, sizeof old) != 0)
		return 0;
	d->st = journal_intend(d->journal, JOURNAL_OWN, d->knob->def->name, path, old, wanted, old,
	    d->why);
	if (d->st == ST_OK)
		d->st = journal_got(d->journal, wanted, d->why);
	return d->st != ST_OK;
}

/*
 * The global boost sets that of each policy, both when it is written and when it is put back.  So
 * the policies' own values are recorded first, and put back after it.
 */
static enum status
record_all_dragged(const struct site *s, const struct knob *k, struct journal *j, struct fault *why)
{
	struct dragging	d = { s, k, j, why, ST_OK };

	if (k->def->drags != NULL)
		(void)hostfs_each(&s->fs, k->def->drags, record_dragged, &d);
	return d.st;
}

enum status
knob_apply(const struct site *s, struct knob *k, struct journal *j, struct fault *why)
{
	char		old[HOSTFS_VALUE_BYTES];
	enum status	st;
	int		rc;

	(void)strcpy(old, k->found);
	if ((st = record_all_dragged(s, k, j, why)) != ST_OK)
		return st;
	st = journal_intend(j, JOURNAL_WRITE, k->def->name, k->path, old, k->wanted, old, why);
	if (st != ST_OK)
		return st;
	if ((rc = hostfs_write(&s->fs, k->path, k->wanted)) == 0)
		(void)hostfs_read_back(&s->fs, k->path, old, k->wanted, k->found, sizeof k->found);
	else
		(void)read_text(s, k);
	if (rc == 0 && is_as_wanted(k)) {
		k->status = KNOB_SET;
	} else {
		k->status = rc == 0 ? KNOB_NOT_TAKEN : knob_status_of_errno(rc);
		put_back(s, k, old);
	}
	return journal_got(j, k->found, why);
}

void
knob_hold_latency(const struct site *s, struct knob *k, int *fd)
{
	const int32_t	us = 0;
	int		rc = hostfs_open(&s->fs, LATENCY, O_WRONLY, fd);

	if (rc == 0 && write(*fd, &us, sizeof us) != (ssize_t)sizeof us) {
		rc = errno;
		(void)close(*fd);
		*fd = -1;
	}
	k->status = rc == 0 ? KNOB_SET : knob_status_of_errno(rc);
	if (rc == 0)
		(void)strcpy(k->found, k->wanted);
}
