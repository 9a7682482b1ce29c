/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/spec/spec.h"
#include "worker/take/energy.h"

enum { LINE_BYTES = 256, EVENT_BYTES = SPEC_COUNTER_BYTES + 8 };

/* ---- files of one line ---- */

static bool
read_line(const char *sys, const char *name, char line[LINE_BYTES])
{
	char	 path[512];
	FILE	*f;
	bool	 done;

	(void)snprintf(path, sizeof path, "%s/%s", sys, name);
	if ((f = fopen(path, "r")) == NULL)
		return false;
	done = fgets(line, LINE_BYTES, f) != NULL;
	fclose(f);
	if (done)
		line[strcspn(line, "\n")] = '\0';
	return done;
}

/* Of the PMU, or of an event of it: `ending` is "", ".scale" or ".unit". */
static bool
read_of_event(const char *sys, const char *event, const char *ending, char line[LINE_BYTES])
{
	char	name[LINE_BYTES];

	(void)snprintf(name, sizeof name, "bus/event_source/devices/power/events/%s%s", event,
	    ending);
	return read_line(sys, name, line);
}

static long
package_of(const char *sys, int cpu)
{
	char	name[LINE_BYTES], line[LINE_BYTES];

	(void)snprintf(name, sizeof name, "devices/system/cpu/cpu%d/topology/physical_package_id",
	    cpu);
	return read_line(sys, name, line) ? strtol(line, NULL, 10) : -1;
}

/* ---- the event ---- */

/* Of the PMU's CPUs, one a package ("0,18"), that of the routine's package. */
static int
reading_cpu(const char *sys, int cpu)
{
	const long	 package = package_of(sys, cpu);
	char		 line[LINE_BYTES], *at = line, *end;

	if (!read_line(sys, "bus/event_source/devices/power/cpumask", line))
		return -1;
	for (;; at = end + 1) {
		const long	each = strtol(at, &end, 10);

		if (end == at)
			return -1;
		if (package < 0 || package_of(sys, (int)each) == package)
			return (int)each;
		if (*end != ',' && *end != '-')
			return -1;
	}
}

static bool
read_config(const char *sys, const char *event, struct perf_event_attr *attr)
{
	char	type[LINE_BYTES], config[LINE_BYTES];

	if (!read_line(sys, "bus/event_source/devices/power/type", type) ||
	    !read_of_event(sys, event, "", config) || strncmp(config, "event=", 6) != 0)
		return false;
	memset(attr, 0, sizeof *attr);
	attr->size = sizeof *attr;
	attr->type = (uint32_t)strtoul(type, NULL, 10);
	attr->config = strtoull(config + 6, NULL, 0);
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return true;
}

static bool
read_scale(const char *sys, const char *event, struct energy *e)
{
	char	scale[LINE_BYTES], unit[LINE_BYTES];

	if (!read_of_event(sys, event, ".scale", scale) ||
	    !read_of_event(sys, event, ".unit", unit))
		return false;
	e->scale = strtod(scale, NULL);
	(void)snprintf(e->unit, sizeof e->unit, "%.15s",
	    strcmp(unit, "Joules") == 0 ? "J" : unit);
	return isfinite(e->scale) && e->scale > 0 && e->unit[0] != '\0';
}

enum status
energy_find(struct energy *e, struct perf_event_attr *attr, const char *sys, const char *name,
    int cpu, struct fault *why)
{
	const size_t	before = strlen(SPEC_ENERGY);
	char		event[EVENT_BYTES], line[LINE_BYTES];

	(void)snprintf(event, sizeof event, "%.*s", (int)strcspn(name + before, "/"),
	    name + before);
	if (!read_line(sys, "bus/event_source/devices/power/type", line))
		return fault_set(why, ST_NOT_FOUND, "this machine has no energy counters that its "
		    "kernel knows (a virtual machine mostly has none)");
	if (!read_config(sys, event, attr))
		return fault_set(why, ST_NOT_FOUND, "this machine does not count %s", event);
	if (!read_scale(sys, event, e))
		return fault_set(why, ST_NOT_FOUND, "the kernel does not say what a step of %s is",
		    event);
	if ((e->cpu = reading_cpu(sys, cpu)) < 0)
		return fault_set(why, ST_NOT_FOUND, "the kernel names no CPU to read %s on", event);
	return ST_OK;
}

int
energy_cpu_of(pid_t pid)
{
	cpu_set_t	may;

	if (sched_getaffinity(pid, sizeof may, &may) == 0)
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET((size_t)cpu, &may))
				return cpu;
	return 0;
}
