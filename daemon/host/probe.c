/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/host/probe.h"
#include "proto/base/clock.h"

enum { GAP_NS = 1000 };

/* ---- spinning ---- */

static void
spin(uint64_t ns, struct probe_spin *s)
{
	uint64_t	begin = clock_ns(CLOCK_MONOTONIC_RAW), before = begin, now;

	for (; before - begin < ns; before = now) {
		now = clock_ns(CLOCK_MONOTONIC_RAW);
		if (now - before <= GAP_NS)
			continue;
		s->gaps++;
		s->stolen_ns += now - before;
		if (now - before > s->worst_ns)
			s->worst_ns = now - before;
	}
	s->wall_ns = before - begin;
	s->ran = true;
}

/* The parent's locks and sockets must not stay open here if the parent dies first. */
static void
spin_and_report(int fd, int cpu, int slot_fd, unsigned ms)
{
	struct probe_spin	s = { 0 };
	cpu_set_t		set;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (slot_fd >= 0 && write(slot_fd, "0", 1) < 0)
		slot_fd = -1;		/* if it fails, the affinity is refused below */
	if (dup2(fd, STDIN_FILENO) < 0 || close_range(STDIN_FILENO + 1, ~0u, 0) != 0)
		_exit(1);
	fd = STDIN_FILENO;
	CPU_ZERO(&set);
	CPU_SET((unsigned)cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set) == 0)
		spin((uint64_t)ms * 1000000u, &s);
	_exit(write(fd, &s, sizeof s) == (ssize_t)sizeof s ? 0 : 1);
}

enum status
probe_start(struct probe *p, int cpu, int slot_fd, unsigned ms, struct fault *why)
{
	int	pipe_fds[2];

	*p = (struct probe){ .fd = -1 };
	if (pipe2(pipe_fds, O_CLOEXEC) != 0)
		return fault_set(why, ST_IO, "probe: %s", strerror(errno));
	if ((p->pid = fork()) == 0)
		spin_and_report(pipe_fds[1], cpu, slot_fd, ms);
	(void)close(pipe_fds[1]);
	if (p->pid < 0) {
		p->pid = 0;
		(void)close(pipe_fds[0]);
		return fault_set(why, ST_IO, "probe: %s", strerror(errno));
	}
	p->fd = pipe_fds[0];
	return ST_OK;
}

bool
probe_done(struct probe *p, bool wait, struct probe_spin *s)
{
	struct pollfd	pfd = { .fd = p->fd, .events = POLLIN };

	if (p->pid == 0 || poll(&pfd, 1, wait ? -1 : 0) != 1)
		return false;
	if (read(p->fd, s, sizeof *s) != (ssize_t)sizeof *s)
		memset(s, 0, sizeof *s);
	probe_stop(p);
	return true;
}

void
probe_stop(struct probe *p)
{
	if (p->pid == 0)
		return;
	(void)kill(p->pid, SIGKILL);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	(void)close(p->fd);
	*p = (struct probe){ .fd = -1 };
}

/* ---- counters ---- */

typedef void	line_fn(void *arg, char *line);

static void
each_line(const struct hostfs *fs, const char *path, line_fn *fn, void *arg)
{
	char	*line = NULL;
	size_t	 size = 0;
	FILE	*f;
	int	 fd;

	if (hostfs_open(fs, path, O_RDONLY, &fd) != 0)
		return;
	if ((f = fdopen(fd, "r")) == NULL) {
		(void)close(fd);
		return;
	}
	while (getline(&line, &size, f) > 0)
		fn(arg, line);
	free(line);
	(void)fclose(f);
}

struct column {
	int		 cpu, at;	/* at: the CPU's column; -1: not known yet */
	uint64_t	 sum;
};

static int
column_of(char *header, int cpu)
{
	char	*save, name[24];
	int	 at = 0;

	(void)snprintf(name, sizeof name, "CPU%d", cpu);
	for (char *w = strtok_r(header, " \n", &save); w != NULL;
	    w = strtok_r(NULL, " \n", &save), at++)
		if (strcmp(w, name) == 0)
			return at;
	return -2;				/* not online: no column */
}

static void
add_interrupts(void *arg, char *line)
{
	struct column	*c = arg;
	char		*save, *word;

	if (c->at == -1) {
		c->at = column_of(line, c->cpu);
		return;
	}
	if (c->at < 0 || strtok_r(line, " ", &save) == NULL)
		return;
	for (int at = 0; (word = strtok_r(NULL, " \n", &save)) != NULL &&
	    isdigit((unsigned char)*word); at++)
		if (at == c->at)
			c->sum += strtoull(word, NULL, 10);
}

static void
find_steal(void *arg, char *line)
{
	struct column	*c = arg;
	uint64_t	 steal;
	int		 cpu;

	if (sscanf(line, "cpu%d %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &cpu, &steal) == 2 &&
	    cpu == c->cpu)
		c->sum = steal;
}

void
probe_counters(const struct hostfs *fs, int cpu, struct probe_counters *out)
{
	static const char *const	throttle[] = { "core_throttle_count",
	    "package_throttle_count" };
	struct column			interrupts = { cpu, -1, 0 }, steal = { cpu, 0, 0 };
	char				path[HOSTFS_PATH_BYTES];

	each_line(fs, "/proc/interrupts", add_interrupts, &interrupts);
	each_line(fs, "/proc/stat", find_steal, &steal);
	*out = (struct probe_counters){ interrupts.sum, steal.sum, 0 };
	for (unsigned i = 0; i < sizeof throttle / sizeof throttle[0]; i++) {
		(void)snprintf(path, sizeof path,
		    "/sys/devices/system/cpu/cpu%d/thermal_throttle/%s", cpu, throttle[i]);
		out->throttles += (uint64_t)hostfs_number(fs, path, 0);
	}
}

struct hottest {
	const struct hostfs	*fs;
	int			 mc;
};

static int
take_hotter(void *arg, const char *path)
{
	struct hottest	*h = arg;
	long long	 mc = hostfs_number(h->fs, path, PROBE_NO_TEMPERATURE);

	if (mc > h->mc && mc < 200000)		/* an unconnected sensor reads nonsense */
		h->mc = (int)mc;
	return 0;
}

int
probe_temperature_mc(const struct hostfs *fs)
{
	struct hottest	h = { fs, PROBE_NO_TEMPERATURE };

	(void)hostfs_each(fs, "/sys/class/thermal/thermal_zone*/temp", take_hotter, &h);
	(void)hostfs_each(fs, "/sys/class/hwmon/hwmon*/temp*_input", take_hotter, &h);
	return h.mc;
}

struct wanted_line {
	const char	*name;
	char		*buf;
	size_t		 bytes;
	bool		 found;
};

static void
match_line(void *arg, char *line)
{
	struct wanted_line	*w = arg;
	char			*colon = strchr(line, ':');
	size_t			 n = strlen(w->name);

	if (w->found || colon == NULL || strncmp(line, w->name, n) != 0 ||
	    (line[n] != '\t' && line[n] != ' ' && line[n] != ':'))
		return;
	line[strcspn(line, "\n")] = '\0';
	(void)snprintf(w->buf, w->bytes, "%s", colon + 1 + (colon[1] == ' '));
	w->found = true;
}

bool
probe_cpuinfo(const struct hostfs *fs, const char *name, char *buf, size_t bytes)
{
	struct wanted_line	w = { name, buf, bytes, false };

	buf[0] = '\0';
	each_line(fs, "/proc/cpuinfo", match_line, &w);
	return w.found;
}
