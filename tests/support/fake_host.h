/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_FAKE_HOST_H
#define ASSAY_TESTS_FAKE_HOST_H

/*
 * A host made of plain files, for tests of what assay-hostd does: 4 CPUs in 2 cores of 2 threads,
 * of which CPU 2 is for timing and CPU 3 shares its core.  The kernel's side of the files that are
 * more than files (cgroups) is played by hostfs's hook, which also refuses writes, clamps values
 * and dies when a test says so.
 */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/host/tune.h"

#define FAKE_BASE_FREQUENCY "2400000"
enum { FAKE_CPU = 2 };

struct fake_host {
	char		 dir[64], root[80], run[80];	/* the host's files, and the runtime
							 * directory */
	struct hostfs	 fs;
	const char	*refuse;		/* writes to paths that contain this fail with
						 * refuse_errno; NULL: none */
	int		 refuse_errno;
	const char	*clamp, *clamp_to;	/* the base frequency, written there, ends up as
						 * this */
	bool		 boost_drags;		/* the global boost sets that of each policy */
	const char	*partition_says;	/* instead of what was written; NULL: as written */
	int		 die_at;		/* the process ends at the n-th moment of the hook,
						 * from 1; 0: never */
	int		 moments;
	char		 before[HOSTFS_VALUE_BYTES];
	char		*remembered;		/* owned: all that fake_remember saw; NULL: nothing */
};

#define CPU	"/sys/devices/system/cpu"
#define CGROUP2	"/sys/fs/cgroup"

static const char *const	fake_files[][2] = {
	{ CPU "/online", "0-3" },
	{ CPU "/isolated", "" },
	{ CPU "/nohz_full", "(null)" },
	{ CPU "/cpu0/topology/thread_siblings_list", "0-1" },
	{ CPU "/cpu1/topology/thread_siblings_list", "0-1" },
	{ CPU "/cpu2/topology/thread_siblings_list", "2-3" },
	{ CPU "/cpu3/topology/thread_siblings_list", "2-3" },
	{ CPU "/cpu1/online", "1" },
	{ CPU "/cpu2/online", "1" },
	{ CPU "/cpu3/online", "1" },
	{ CPU "/cpu2/thermal_throttle/core_throttle_count", "3" },
	{ CPU "/cpu2/thermal_throttle/package_throttle_count", "4" },
	{ CPU "/vulnerabilities/spectre_v2", "Mitigation: Retpolines" },
	{ CPU "/intel_pstate/no_turbo", "0" },
	{ CPU "/cpufreq/boost", "1" },
	{ CPU "/cpufreq/policy0/related_cpus", "0 1" },
	{ CPU "/cpufreq/policy0/scaling_governor", "powersave" },
	{ CPU "/cpufreq/policy0/cpuinfo_max_freq", "3000000" },
	{ CPU "/cpufreq/policy0/scaling_min_freq", "800000" },
	{ CPU "/cpufreq/policy0/scaling_max_freq", "3000000" },
	{ CPU "/cpufreq/policy2/related_cpus", "2 3" },
	{ CPU "/cpufreq/policy2/boost", "1" },
	{ CPU "/cpufreq/policy2/scaling_governor", "powersave" },
	{ CPU "/cpufreq/policy2/cpuinfo_max_freq", "3000000" },
	{ CPU "/cpufreq/policy2/base_frequency", FAKE_BASE_FREQUENCY },
	{ CPU "/cpufreq/policy2/scaling_min_freq", "800000" },
	{ CPU "/cpufreq/policy2/scaling_max_freq", "3000000" },
	{ "/proc/irq/default_smp_affinity", "f" },
	{ "/proc/irq/7/smp_affinity", "f" },
	{ "/proc/irq/8/smp_affinity", "00000000,00000004" },
	{ "/proc/irq/9/smp_affinity", "1" },
	{ "/proc/sys/kernel/random/boot_id", "11111111-2222-3333-4444-555555555555" },
	{ "/proc/sys/kernel/watchdog_cpumask", "0-3" },
	{ "/proc/sys/kernel/timer_migration", "1" },
	{ "/proc/sys/kernel/numa_balancing", "1" },
	{ "/proc/sys/kernel/nmi_watchdog", "1" },
	{ "/proc/sys/kernel/soft_watchdog", "1" },
	{ "/proc/sys/kernel/sched_rt_runtime_us", "-1" },
	{ "/proc/sys/kernel/core_pattern", "|/usr/lib/dump %p" },
	{ "/proc/sys/vm/stat_interval", "1" },
	{ "/proc/1/comm", "init" },
	{ "/proc/cpuinfo", "processor\t: 0\nmodel name\t: Fake 9000\nflags\t\t: fpu tsc" },
	{ "/proc/stat", "cpu  0 0 0 0 0 0 0 9 0 0\ncpu2 0 0 0 0 0 0 0 5 0 0" },
	{ "/proc/interrupts",
	"  CPU0 CPU1 CPU2 CPU3\n  7: 1 2 30 4 IO-APIC 7-edge timer\nLOC: 5 6 70 8 Local timer" },
	{ "/sys/class/thermal/thermal_zone0/temp", "45000" },
	{ "/sys/class/thermal/thermal_zone1/temp", "51000" },
	{ "/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc" },
	{ "/sys/devices/virtual/workqueue/cpumask", "f" },
	{ "/sys/devices/virtual/workqueue/writeback/cpumask", "f" },
	{ "/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never" },
	{ CGROUP2 "/cgroup.controllers", "cpuset cpu io memory pids" },
	{ CGROUP2 "/cgroup.subtree_control", "memory" }, { NULL, NULL },
};

static inline void
fake_must(int ok, const char *what)
{
	if (!ok) {
		(void)fprintf(stderr, "fake host: %s: %s\n", what, strerror(errno));
		abort();
	}
}

static inline void
fake_put(const struct fake_host *h, const char *path, const char *value)
{
	char	whole[1024];
	FILE	*f;

	(void)snprintf(whole, sizeof whole, "%s%s", h->root, path);
	for (char *slash = whole + strlen(h->root) + 1;
	    (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		fake_must(mkdir(whole, 0755) == 0 || errno == EEXIST, whole);
		*slash = '/';
	}
	fake_must((f = fopen(whole, "w")) != NULL, whole);
	(void)fprintf(f, "%s\n", value);
	(void)fclose(f);
}

static inline const char *
fake_get(const struct fake_host *h, const char *path)
{
	static char	value[HOSTFS_VALUE_BYTES];

	return hostfs_read(&h->fs, path, value, sizeof value) == 0 ? value : "(none)";
}

static inline void
fake_remove(const struct fake_host *h, const char *path)
{
	char	whole[1024];

	(void)snprintf(whole, sizeof whole, "%s%s", h->root, path);
	fake_must(unlink(whole) == 0, whole);
}

/* ---- the kernel's side ---- */

static const char *const	fake_cgroup_files[][2] = {
	{ "cpuset.cpus", "" }, { "cpuset.mems", "" }, { "cpuset.cpus.partition", "member" },
	{ "cgroup.procs", "" }, { "cgroup.kill", "" }, { "cgroup.subtree_control", "" },
	{ "memory.max", "max" }, { "pids.max", "max" }, { "memory.oom.group", "0" },
};

static inline void
fake_cgroup(const struct fake_host *h, const char *dir, int make)
{
	char	path[512];

	for (unsigned i = 0; i < sizeof fake_cgroup_files / sizeof fake_cgroup_files[0]; i++) {
		(void)snprintf(path, sizeof path, "%s/%s", dir, fake_cgroup_files[i][0]);
		if (make)
			fake_put(h, path, fake_cgroup_files[i][1]);
		else
			fake_remove(h, path);
	}
}

/* "+x" and "-x" on a list of controllers, kept in the kernel's order. */
static inline void
fake_toggle(const struct fake_host *h, const char *path, const char *old, const char *change)
{
	static const char *const	order[] = { "cpuset", "memory", "pids" };
	char				now[128] = "";

	for (unsigned i = 0; i < 3; i++) {
		int	on = strstr(old, order[i]) != NULL;

		if (strcmp(change + 1, order[i]) == 0)
			on = change[0] == '+';
		if (on)
			(void)snprintf(now + strlen(now), sizeof now - strlen(now), "%s%s",
			    now[0] != '\0' ? " " : "", order[i]);
	}
	fake_put(h, path, now);
}

static inline int
fake_boost_is_off(const struct fake_host *h)
{
	return strcmp(fake_get(h, CPU "/cpufreq/boost"), "0") == 0;
}

static inline int
fake_drag(void *arg, const char *path)
{
	const struct fake_host	*h = arg;

	fake_put(h, path, fake_boost_is_off(h) ? "0" : "1");
	return 0;
}

static inline void
fake_after_write(struct fake_host *h, const char *path, const char *value)
{
	if (h->clamp != NULL && strstr(path, h->clamp) != NULL &&
	    strcmp(value, FAKE_BASE_FREQUENCY) == 0)
		fake_put(h, path, h->clamp_to);
	if (h->boost_drags && strcmp(path, CPU "/cpufreq/boost") == 0)
		(void)hostfs_each(&h->fs, CPU "/cpufreq/policy*/boost", fake_drag, h);
	if (strstr(path, "cgroup.subtree_control") != NULL)
		fake_toggle(h, path, h->before, value);
	if (strstr(path, "cpuset.cpus.partition") != NULL && strcmp(value, "member") != 0 &&
	    h->partition_says != NULL)
		fake_put(h, path, h->partition_says);
}

static inline int
fake_hook(void *arg, enum hostfs_moment when, const char *path, const char *value)
{
	struct fake_host	*h = arg;
	char			 probe[600];

	if (when == HOSTFS_BEFORE_WRITE) {
		if (h->refuse != NULL && strstr(path, h->refuse) != NULL)
			return h->refuse_errno;
		if (h->boost_drags && strstr(path, "/policy") != NULL &&
		    strstr(path, "/boost") != NULL && fake_boost_is_off(h))
			return EINVAL;
		(void)hostfs_read(&h->fs, path, h->before, sizeof h->before);
	} else if (when == HOSTFS_AFTER_WRITE) {
		fake_after_write(h, path, value);
	} else if (when == HOSTFS_AFTER_MKDIR) {
		fake_cgroup(h, path, 1);
	}
	if (++h->moments == h->die_at)
		_exit(42);
	if (when == HOSTFS_BEFORE_RMDIR) {
		(void)snprintf(probe, sizeof probe, "%s/cgroup.procs", path);
		if (strcmp(fake_get(h, probe), "(none)") != 0)
			fake_cgroup(h, path, 0);	/* the kernel's files go with the directory */
	}
	return 0;
}

/* ---- life ---- */

static inline void
fake_host_init(struct fake_host *h)
{
	memset(h, 0, sizeof *h);
	(void)strcpy(h->dir, access("/dev/shm", W_OK) == 0 ? "/dev/shm/fake-host.XXXXXX" :
	    "/tmp/fake-host.XXXXXX");
	fake_must(mkdtemp(h->dir) != NULL, h->dir);
	(void)snprintf(h->root, sizeof h->root, "%s/root", h->dir);
	(void)snprintf(h->run, sizeof h->run, "%s/run", h->dir);
	fake_must(mkdir(h->root, 0755) == 0 && mkdir(h->run, 0755) == 0, h->root);
	fake_must(hostfs_init(&h->fs, h->root) == 0, h->root);
	h->fs.hook = fake_hook;
	h->fs.hook_arg = h;
	for (unsigned i = 0; fake_files[i][0] != NULL; i++)
		fake_put(h, fake_files[i][0], fake_files[i][1]);
}

static inline void
fake_host_release(struct fake_host *h)
{
	char	command[128];

	free(h->remembered);
	(void)snprintf(command, sizeof command, "rm -rf %s", h->dir);
	fake_must(system(command) == 0, command);
}

/* Every file below the root with its bytes, in order; the caller frees it. */
static inline char *
fake_snapshot(const struct fake_host *h)
{
	char	 command[256], chunk[4096], *text = NULL;
	size_t	 bytes = 0, n;
	FILE	*out = open_memstream(&text, &bytes), *in;

	(void)snprintf(command, sizeof command,
	    "cd %s && find . -type d | LC_ALL=C sort && find . -type f | LC_ALL=C "
	    "sort | xargs grep -H ''", h->root);
	fake_must((in = popen(command, "r")) != NULL && out != NULL, command);
	while ((n = fread(chunk, 1, sizeof chunk, in)) > 0)
		(void)fwrite(chunk, 1, n, out);
	(void)pclose(in);
	(void)fclose(out);
	return text;
}

static inline void
fake_remember(struct fake_host *h)
{
	free(h->remembered);
	h->remembered = fake_snapshot(h);
}

/*
 * Every file is there as it was remembered; died_at: the moment at which somebody died meanwhile,
 * 0: nobody did.
 */
static inline void
fake_assert_as_before(const struct fake_host *h, int died_at)
{
	char	*now = fake_snapshot(h);

	if (strcmp(h->remembered, now) != 0)
		fail_msg("killed at moment %d, not restored:\n%s\nbut was\n%s", died_at, now,
		    h->remembered);
	free(now);
}

static inline enum status
fake_site(struct site *s, const struct fake_host *h, struct fault *why)
{
	cpu_set_t	slot;

	CPU_ZERO(&slot);
	CPU_SET(FAKE_CPU, &slot);
	return site_open(s, &h->fs, &slot, 1, why);
}

static inline struct tune_order
fake_order(const struct fake_host *h, bool tune)
{
	return (struct tune_order){ .run_dir = h->run, .tune = tune,
		.partition = { .kind = PARTITION_ISOLATED, .owner = geteuid(),
		.group = getegid() } };
}

static inline void
fake_give_back(struct fake_host *h, struct tune *t)
{
	struct fault	why = { 0 };

	if (tune_restore(t, &h->fs, h->run, NULL, NULL, &why) != ST_OK)
		fail_msg("%s", why.text);
}

#endif
