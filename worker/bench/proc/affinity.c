/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/base/cpulist.h"
#include "proto/wire/runner_shm.h"
#include "worker/bench/proc/affinity.h"

/* of a thread, with its guard and surroundings */
#define STACK_BYTES	((uint64_t)9 << 20)
#define ARENA_BYTES	((uint64_t)128 << 20)	/* while malloc looks for an aligned half of it */

void
affinity_cpus(const struct slot *slot, unsigned threads, cpu_set_t *out)
{
	CPU_ZERO(out);
	if (slot->cpu < 0)
		return;
	if (threads > 1)
		*out = slot->all;
	CPU_SET((size_t)slot->cpu, out);
}

unsigned
affinity_count(const struct slot *slot, unsigned threads)
{
	cpu_set_t	may;

	affinity_cpus(slot, threads, &may);
	if (threads > 1 && slot->cpu < 0 && sched_getaffinity(0, sizeof may, &may) != 0)
		return 1;
	return CPU_COUNT(&may) > 1 ? (unsigned)CPU_COUNT(&may) : 1;
}

bool
affinity_first(const struct slot *slot, pid_t pid)
{
	cpu_set_t	first;

	CPU_ZERO(&first);
	CPU_SET((size_t)slot->cpu, &first);
	return pid > 0 && sched_setaffinity(pid, sizeof first, &first) == 0;
}

unsigned
affinity_copies(const struct slot *slot)
{
	cpu_set_t	cpus;

	affinity_cpus(slot, 2, &cpus);
	return (unsigned)CPU_COUNT(&cpus);
}

int
affinity_of_copy(const struct slot *slot, unsigned n)
{
	cpu_set_t	cpus;

	affinity_cpus(slot, 2, &cpus);
	if (n == 0 || slot->cpu < 0)
		return n == 0 ? slot->cpu : -1;
	CPU_CLR((size_t)slot->cpu, &cpus);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, &cpus) && --n == 0)
			return cpu;
	return -1;
}

bool
affinity_is_on(int cpu, pid_t pid)
{
	cpu_set_t	its;

	return pid > 0 && cpu >= 0 && sched_getaffinity(pid, sizeof its, &its) == 0 &&
	    CPU_COUNT(&its) == 1 && CPU_ISSET((size_t)cpu, &its);
}

/* A thread that has ended meanwhile is no longer anywhere. */
static bool
is_within(pid_t thread, const cpu_set_t *cpus)
{
	cpu_set_t	its;

	if (sched_getaffinity(thread, sizeof its, &its) != 0)
		return true;
	cpulist_subtract(&its, cpus);
	return CPU_COUNT(&its) == 0;
}

static bool
threads_are_within(pid_t pid, const cpu_set_t *cpus)
{
	char	 path[64];
	bool	 all = true;
	DIR	*dir;

	(void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	if ((dir = opendir(path)) == NULL)
		return false;
	for (struct dirent *e; all && (e = readdir(dir)) != NULL;)
		all = e->d_name[0] == '.' || is_within((pid_t)atoi(e->d_name), cpus);
	(void)closedir(dir);
	return all;
}

bool
affinity_holds(const struct slot *slot, unsigned threads, pid_t pid)
{
	cpu_set_t	cpus;

	if (!affinity_is_on(slot->cpu, pid))
		return false;
	affinity_cpus(slot, threads, &cpus);
	return threads < 2 || threads_are_within(pid, &cpus);
}

bool
affinity_leaves_us_one(const struct slot *slot)
{
	cpu_set_t	ours, slots;

	if (slot->cpu < 0 || sched_getaffinity(0, sizeof ours, &ours) != 0)
		return false;
	affinity_cpus(slot, 2, &slots);
	cpulist_subtract(&ours, &slots);
	return CPU_COUNT(&ours) > 0;
}

uint64_t
affinity_thread_bytes(unsigned threads, unsigned cpus)
{
	uint64_t	stacks = (uint64_t)threads + cpus;
	uint64_t	arenas = (uint64_t)RUNNER_ARENAS_PER_CPU * cpus;

	if (threads < 2)
		return 0;
	return stacks * STACK_BYTES + (arenas < stacks ? arenas : stacks) * ARENA_BYTES;
}
