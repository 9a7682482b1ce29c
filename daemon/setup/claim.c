/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "daemon/host/hostfs.h"
#include "daemon/setup/claim.h"
#include "daemon/setup/holder.h"
#include "daemon/setup/turn.h"
#include "proto/base/log.h"

/* ---- the locks ---- */

/* The directory of a CPU, to be locked; an errno. */
static int
open_cpu(const char *sysfs_root, int cpu, int *fd)
{
	struct hostfs	fs;
	char		path[64];
	int		rc;

	*fd = -1;
	if ((rc = hostfs_init(&fs, sysfs_root)) != 0)
		return rc;
	(void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d", cpu);
	return hostfs_open(&fs, path, O_RDONLY | O_DIRECTORY, fd);
}

static enum status
refuse(int cpu, int fd, struct fault *why)
{
	char	holder[HOLDER_BYTES];

	if (holder_of(fd, holder))
		(void)fault_at(why, ST_FULL, "timing-cpus", "another daemon times on CPU %d: %s",
		    cpu, holder);
	else
		(void)fault_at(why, ST_FULL, "timing-cpus", "another daemon times on CPU %d", cpu);
	fault_hint(why, "use that daemon, or choose CPUs of another core: --timing-cpus LIST, or "
	    "--timing-cpus free for any");
	return ST_FULL;
}

static void
keep(struct claim *c, int cpu, int fd)
{
	c->fd[c->n++] = fd;
	CPU_SET((unsigned)cpu, &c->cpus);
}

/*
 * Nothing is claimed where there is no such directory, as in a chroot without /sys, or no lock on
 * it.
 */
static enum status
claim_cpu(struct claim *c, int cpu, const char *sysfs_root, struct fault *why)
{
	enum status	st = ST_OK;
	int		fd, rc = open_cpu(sysfs_root, cpu, &fd);

	if (rc == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
		keep(c, cpu, fd);
		return ST_OK;
	}
	if (rc == 0)
		rc = errno;
	if (fd >= 0 && rc == EWOULDBLOCK) {
		c->refused = cpu;
		st = refuse(cpu, fd, why);
	} else {
		log_warn("cpu=%d not claimed, another daemon may time on it: its directory in "
		    "/sys: %s", cpu, strerror(rc));
	}
	if (fd >= 0)
		(void)close(fd);
	return st;
}

/* All of them, or none. */
static enum status
claim_cpus(struct claim *c, const cpu_set_t *cpus, const char *sysfs_root, struct fault *why)
{
	enum status	st = ST_OK;

	for (int cpu = 0; st == ST_OK && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((unsigned)cpu, cpus) && !CPU_ISSET((unsigned)cpu, &c->cpus))
			st = claim_cpu(c, cpu, sysfs_root, why);
	if (st != ST_OK)
		claim_release(c);
	return st;
}

void
claim_release(struct claim *c)
{
	while (c->n > 0)
		(void)close(c->fd[--c->n]);
	CPU_ZERO(&c->cpus);
}

/* ---- waiting for a core ---- */

/* CPUs for which a daemon waits, and their files. */
struct wanted {
	unsigned	n;
	int		cpu[CPU_SETSIZE], fd[CPU_SETSIZE];	/* fd: owned */
};

static void
open_wanted(struct wanted *w, const cpu_set_t *busy, const char *sysfs_root)
{
	w->n = 0;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((unsigned)cpu, busy) && open_cpu(sysfs_root, cpu, &w->fd[w->n]) == 0)
			w->cpu[w->n++] = cpu;
}

/* If the starter is gone, SIGPIPE ends this daemon, as it should. */
static void
report(const struct config *config, const char *word, const char *text)
{
	if (config->ready_fd >= 0 && dprintf(config->ready_fd, "%s%s\n", word, text) < 0)
		log_warn("ready-fd %d: %s", config->ready_fd, strerror(errno));
}

/* One of these CPUs, claimed; the last one is named. */
static enum status
await_turn(struct claim *c, cpu_set_t *busy, struct config *config, struct fault *why)
{
	struct wanted	w;
	unsigned	got;
	enum status	st;

	open_wanted(&w, busy, config->sysfs_root);
	if (w.n == 0)
		return ST_FULL;
	(void)refuse(w.cpu[w.n - 1], w.fd[w.n - 1], why);
	log_info("waiting for a timing CPU: %s", why->text);
	report(config, "waiting ", why->text);
	if ((st = turn_await(w.fd, w.n, config->exit_with_fd, &got, why)) == ST_OK) {
		report(config, "claimed", "");
		keep(c, w.cpu[got], w.fd[got]);
		w.fd[got] = -1;
		CPU_CLR((unsigned)w.cpu[got], busy);
		CPU_CLR((unsigned)w.cpu[got], &config->slots.claimed);
	}
	while (w.n-- > 0)
		if (w.fd[w.n] >= 0)
			(void)close(w.fd[w.n]);
	return st;
}

/* ---- the slots ---- */

/* The last core that is free, or becomes free. */
static enum status
claim_free(struct claim *c, struct topology *t, struct config *config, struct fault *why)
{
	struct slot_list	*slots = &config->slots;
	cpu_set_t		 busy;
	enum status		 st;

	CPU_ZERO(&busy);
	for (;;) {
		if ((st = topology_load(t, slots, config->sysfs_root, why)) == ST_OK) {
			st = claim_cpus(c, &t->timing_cores, config->sysfs_root, why);
			if (st != ST_FULL)
				return st;
			log_info("%s", why->text);
			CPU_OR(&slots->claimed, &slots->claimed, &t->timing_cores);
			CPU_SET((unsigned)c->refused, &busy);
		} else if (st != ST_FULL || !slots->waits ||
		    (st = await_turn(c, &busy, config, why)) != ST_OK) {
			return st;
		}
	}
}

/* Compilers and the daemon, off CPUs on which another daemon times. */
static void
keep_off_others(const struct claim *c, struct topology *t, const char *sysfs_root)
{
	char		holder[HOLDER_BYTES];
	cpu_set_t	others;
	int		fd;

	CPU_ZERO(&others);
	for (unsigned i = 0; i < t->nhouse; i++) {
		if (CPU_ISSET((unsigned)t->house_cpu[i], &c->cpus) ||
		    open_cpu(sysfs_root, t->house_cpu[i], &fd) != 0)
			continue;
		if (holder_of(fd, holder))
			CPU_SET((unsigned)t->house_cpu[i], &others);
		(void)close(fd);
	}
	topology_keep_off(t, &others);
}

enum status
claim_slots(struct claim *c, struct topology *t, struct config *config, struct fault *why)
{
	const bool	claims = !config->share_cpus && !config->answers_only;
	enum status	st;

	*c = (struct claim){ .n = 0 };
	if (claims && config->slots.any_free) {
		st = claim_free(c, t, config, why);
	} else {
		st = topology_load(t, &config->slots, config->sysfs_root, why);
		if (st == ST_OK && claims)
			st = claim_cpus(c, &t->timing_cores, config->sysfs_root, why);
	}
	if (st == ST_OK && claims)
		keep_off_others(c, t, config->sysfs_root);
	return st;
}
