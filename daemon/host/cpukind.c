/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/host/cpukind.h"

#define CPU	"/sys/devices/system/cpu/cpu"

struct speeds {
	const struct hostfs	*fs;		/* borrowed */
	long long		 fastest, of[CPU_SETSIZE];	/* 0: unknown */
};

static int
note_speed(void *arg, const char *path)
{
	struct speeds	*s = arg;
	int		 cpu = atoi(path + strlen(CPU));
	long long	 speed = hostfs_number(s->fs, path, 0);

	if (cpu < 0 || cpu >= CPU_SETSIZE || speed <= 0)
		return 0;
	s->of[cpu] = speed;
	if (speed > s->fastest)
		s->fastest = speed;
	return 0;
}

void
cpukind_slow(const struct hostfs *fs, cpu_set_t *slow)
{
	struct speeds	s = { .fs = fs };

	CPU_ZERO(slow);
	(void)hostfs_each(fs, CPU "[0-9]*/cpu_capacity", note_speed, &s);
	if (s.fastest == 0)
		(void)hostfs_each(fs, CPU "[0-9]*/cpufreq/cpuinfo_max_freq", note_speed, &s);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (s.of[cpu] != 0 && s.of[cpu] < s.fastest - s.fastest / 10)
			CPU_SET(cpu, slow);
}
