/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "daemon/setup/claim.h"
#include "proto/base/log.h"

/* ---- the process that holds a lock ---- */

/* 0: unknown, as in another PID namespace. */
static int
holder_of(const struct stat *sb)
{
	char	 line[256], inode[80];
	FILE	*f = fopen("/proc/locks", "re");
	int	 pid, found = 0;

	if (f == NULL)
		return 0;
	(void)snprintf(inode, sizeof inode, " %02x:%02x:%llu ", major(sb->st_dev),
	    minor(sb->st_dev), (unsigned long long)sb->st_ino);
	while (found == 0 && fgets(line, sizeof line, f) != NULL)
		if (strstr(line, inode) != NULL &&
		    sscanf(line, "%*d: FLOCK ADVISORY WRITE %d", &pid) == 1)
			found = pid;
	(void)fclose(f);
	return found;
}

static void
process_name(int pid, char name[32])
{
	char	 path[64];
	FILE	*f;

	(void)strcpy(name, "?");
	(void)snprintf(path, sizeof path, "/proc/%d/comm", pid);
	if ((f = fopen(path, "re")) == NULL)
		return;
	if (fgets(name, 32, f) != NULL)
		name[strcspn(name, "\n")] = '\0';
	(void)fclose(f);
}

static enum status
refused(int cpu, int fd, struct fault *why)
{
	struct stat	sb;
	char		name[32];
	int		pid = fstat(fd, &sb) == 0 ? holder_of(&sb) : 0;

	if (pid > 0) {
		process_name(pid, name);
		(void)fault_at(why, ST_FULL, "timing-cpus",
		    "another daemon times on CPU %d: process %d (%s)", cpu, pid, name);
	} else {
		(void)fault_at(why, ST_FULL, "timing-cpus", "another daemon times on CPU %d", cpu);
	}
	fault_hint(why, "use that daemon, or choose CPUs of another core: --timing-cpus LIST, or "
	    "--timing-cpus free for any");
	return ST_FULL;
}

/* ---- the locks ---- */

/*
 * Nothing is claimed where there is no such directory, as in a chroot without /sys, or no lock on
 * it.
 */
static enum status
claim_cpu(struct claim *c, int cpu, const char *sysfs_root, struct fault *why)
{
	char		path[PATH_MAX];
	enum status	st = ST_OK;
	int		fd;

	(void)snprintf(path, sizeof path, "%.4000s/sys/devices/system/cpu/cpu%d", sysfs_root, cpu);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
		c->fd[c->n++] = fd;
		return ST_OK;
	}
	if (fd >= 0 && errno == EWOULDBLOCK)
		st = refused(cpu, fd, why);
	else
		log_warn("cpu=%d not claimed, another daemon may time on it: %s: %s", cpu, path,
		    strerror(errno));
	if (fd >= 0)
		(void)close(fd);
	return st;
}

static enum status
claim_cpus(struct claim *c, const cpu_set_t *cpus, const char *sysfs_root, struct fault *why)
{
	enum status	st = ST_OK;

	for (int cpu = 0; st == ST_OK && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((unsigned)cpu, cpus))
			st = claim_cpu(c, cpu, sysfs_root, why);
	if (st != ST_OK)
		claim_release(c);
	return st;
}

enum status
claim_slots(struct claim *c, struct topology *t, struct config *config, struct fault *why)
{
	enum status	st;

	c->n = 0;
	for (;;) {
		st = topology_load(t, &config->slots, config->sysfs_root, why);
		if (st != ST_OK || config->share_cpus)
			return st;
		st = claim_cpus(c, &t->timing_cores, config->sysfs_root, why);
		if (st != ST_FULL || !config->slots.any_free)
			return st;
		log_info("%s", why->text);
		CPU_OR(&config->slots.claimed, &config->slots.claimed, &t->timing_cores);
	}
}

void
claim_release(struct claim *c)
{
	while (c->n > 0)
		(void)close(c->fd[--c->n]);
}
