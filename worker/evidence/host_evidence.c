/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "worker/evidence/host_evidence.h"

enum { PATH_BYTES = 512, LINE_BYTES = 512 };

static FILE *
open_below(const struct host_evidence *h, const char *path)
{
	char	full[PATH_BYTES];
	int	n = snprintf(full, sizeof full, "%s%s", h->root, path);

	return n > 0 && (size_t)n < sizeof full ? fopen(full, "re") : NULL;
}

/* Does a line of /proc/stat count?  The first is of all CPUs. */
static bool
is_watched(const struct host_evidence *h, const char *line)
{
	unsigned	cpu;

	if (h->cpu < 0)
		return line[3] == ' ';
	return sscanf(line, "cpu%u ", &cpu) == 1 && cpu < CPU_SETSIZE && CPU_ISSET(cpu, &h->cpus);
}

/* The eighth number of the CPUs' lines, proc(5); -1: there is none. */
static double
read_steal_ms(const struct host_evidence *h)
{
	char			 line[LINE_BYTES];
	unsigned long long	 ticks;
	double			 ms = -1;
	FILE			*f = open_below(h, "/proc/stat");

	if (f == NULL)
		return -1;
	while (fgets(line, sizeof line, f) != NULL && strncmp(line, "cpu", 3) == 0)
		if (is_watched(h, line) &&
		    sscanf(line, "%*s %*u %*u %*u %*u %*u %*u %*u %llu", &ticks) == 1)
			ms = (ms < 0 ? 0 : ms) + (double)ticks * 1e3 / (double)sysconf(_SC_CLK_TCK);
	(void)fclose(f);
	return ms;
}

/* 0: not to be seen. */
static double
read_mhz(const struct host_evidence *h)
{
	char		 path[PATH_BYTES];
	unsigned long	 khz = 0;
	FILE		*f;

	if (h->cpu < 0)
		return 0;
	(void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq",
	    h->cpu);
	if ((f = open_below(h, path)) == NULL)
		return 0;
	if (fscanf(f, "%lu", &khz) != 1)
		khz = 0;
	(void)fclose(f);
	return (double)khz / 1e3;
}

static void
see_frequency(struct host_evidence *h, double mhz)
{
	if (mhz <= 0)
		return;
	if (!h->has_frequency)
		h->first_mhz = h->least_mhz = h->most_mhz = mhz;
	h->has_frequency = true;
	h->last_mhz = mhz;
	h->least_mhz = mhz < h->least_mhz ? mhz : h->least_mhz;
	h->most_mhz = mhz > h->most_mhz ? mhz : h->most_mhz;
}

void
host_evidence_init(struct host_evidence *h, const char *root, int cpu)
{
	*h = (struct host_evidence){ .root = root, .cpu = cpu, .steal_began = -1, .steal_ms = -1 };
	if (cpu >= 0)
		CPU_SET((size_t)cpu, &h->cpus);
}

void
host_evidence_watch(struct host_evidence *h, const cpu_set_t *cpus)
{
	CPU_OR(&h->cpus, &h->cpus, cpus);
}

void
host_evidence_begin(struct host_evidence *h)
{
	if (h == NULL)
		return;
	see_frequency(h, read_mhz(h));
	h->steal_began = read_steal_ms(h);
}

void
host_evidence_end(struct host_evidence *h)
{
	double	now_ms;

	if (h == NULL)
		return;
	see_frequency(h, read_mhz(h));
	now_ms = read_steal_ms(h);
	if (h->steal_began < 0 || now_ms < h->steal_began)	/* the counter of a guest may be set
								 * back */
		return;
	h->steal_ms = (h->steal_ms > 0 ? h->steal_ms : 0) + now_ms - h->steal_began;
}

bool
host_evidence_moved(const struct host_evidence *h)
{
	return h->has_frequency && h->most_mhz > HOST_FREQUENCY_MOVED * h->least_mhz;
}

void
host_evidence_report(const struct host_evidence *h, struct sample_evidence *out)
{
	if (h->steal_ms >= 0)
		out->steal_ms = h->steal_ms;
	out->has_frequency = out->has_frequency_moved = h->has_frequency;
	out->frequency_mhz[0] = h->first_mhz;
	out->frequency_mhz[1] = h->last_mhz;
	out->frequency_moved = host_evidence_moved(h);
}
