/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "daemon/host/cpukind.h"
#include "daemon/host/site.h"

/* The CPU and its sibling threads; if the kernel does not report them, the CPU alone. */
static void
core_of(const struct hostfs *fs, int cpu, cpu_set_t *out)
{
	char	path[HOSTFS_PATH_BYTES], text[HOSTFS_VALUE_BYTES];

	(void)snprintf(path, sizeof path,
	    "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
	if (hostfs_read(fs, path, text, sizeof text) != 0 || !cpulist_parse(text, out))
		CPU_ZERO(out);
	CPU_SET((unsigned)cpu, out);
}

static int
last_fast_core(const struct site *s)
{
	cpu_set_t	core, slow, fast = s->online;
	int		last = 0;

	cpukind_slow(&s->fs, &slow);
	cpulist_subtract(&fast, &slow);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((unsigned)cpu, &fast))
			last = cpu;
	core_of(&s->fs, last, &core);
	return cpulist_first(&core);
}

static enum status
add_cpu(struct site *s, int cpu, struct fault *why)
{
	cpu_set_t	core;

	if (!CPU_ISSET((unsigned)cpu, &s->online))
		return fault_at(why, ST_BAD_REQUEST, "timing-cpus",
		    "this host has no CPU %d online", cpu);
	if (CPU_ISSET((unsigned)cpu, &s->timing))
		return fault_at(why, ST_BAD_REQUEST, "timing-cpus", "CPU %d is named twice", cpu);
	if (s->ncpus == SITE_MAX_CPUS)
		return fault_at(why, ST_BAD_REQUEST, "timing-cpus", "more than %d CPUs",
		    SITE_MAX_CPUS);
	s->slot_of[s->ncpus] = s->nslots;
	s->cpu[s->ncpus++] = cpu;
	CPU_SET((unsigned)cpu, &s->timing);
	core_of(&s->fs, cpu, &core);
	CPU_OR(&s->cores, &s->cores, &core);
	return ST_OK;
}

static enum status
add_slot(struct site *s, const cpu_set_t *cpus, struct fault *why)
{
	enum status	st = ST_OK;

	if (s->nslots == SITE_MAX_SLOTS || CPU_COUNT(cpus) == 0)
		return fault_at(why, ST_BAD_REQUEST, "timing-cpus",
		    "at most %d slots, each with a CPU", SITE_MAX_SLOTS);
	for (int cpu = 0; st == ST_OK && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((unsigned)cpu, cpus))
			st = add_cpu(s, cpu, why);
	s->slot[s->nslots] = *cpus;
	s->slot_cpu[s->nslots++] = cpulist_first(cpus);
	return st;
}

enum status
site_open(struct site *s, const struct hostfs *fs, const cpu_set_t *slot, unsigned n,
    struct fault *why)
{
	cpu_set_t	last;
	char		text[HOSTFS_VALUE_BYTES];
	enum status	st = ST_OK;

	memset(s, 0, sizeof *s);
	s->fs = *fs;
	if (hostfs_read(fs, "/sys/devices/system/cpu/online", text, sizeof text) != 0 ||
	    !cpulist_parse(text, &s->online) || CPU_COUNT(&s->online) == 0)
		return fault_set(why, ST_IO,
		    "%s/sys/devices/system/cpu/online has no list of CPUs", fs->root);
	for (unsigned i = 0; st == ST_OK && i < n; i++)
		st = add_slot(s, &slot[i], why);
	if (n == 0) {
		CPU_ZERO(&last);
		CPU_SET((unsigned)last_fast_core(s), &last);
		st = add_slot(s, &last, why);
	}
	s->house = s->online;
	cpulist_subtract(&s->house, &s->cores);
	return st;
}

enum status
site_may_take(const struct site *s, struct fault *why)
{
	char	list[128];

	if (CPU_ISSET(0, &s->cores))
		return fault_at(why, ST_BAD_REQUEST, "timing-cpus",
		    "CPU 0 carries the kernel's own work: neither it nor a thread on its core "
		    "can be set apart");
	if (CPU_COUNT(&s->house) == 0)
		return fault_at(why, ST_BAD_REQUEST, "timing-cpus",
		    "with %s (whole cores) set apart, no CPU would be left",
		    cpulist_format(&s->cores, list, sizeof list));
	for (unsigned i = 0; i < s->ncpus; i++) {
		cpu_set_t	core, others = s->timing;

		core_of(&s->fs, s->cpu[i], &core);
		cpulist_subtract(&others, &s->slot[s->slot_of[i]]);
		if (cpulist_overlap(&core, &others))
			return fault_at(why, ST_BAD_REQUEST, "timing-cpus",
			    "CPUs %s share one core but belong to two slots",
			    cpulist_format(&core, list, sizeof list));
	}
	return ST_OK;
}

enum status
site_boot_id(const struct hostfs *fs, char *buf, size_t bytes, struct fault *why)
{
	if (hostfs_read(fs, "/proc/sys/kernel/random/boot_id", buf, bytes) != 0 || buf[0] == '\0')
		return fault_set(why, ST_IO, "%s/proc/sys/kernel/random/boot_id cannot be read",
		    fs->root);
	return ST_OK;
}
