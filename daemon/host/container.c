/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/host/container.h"
#include "daemon/host/own_cgroup.h"
#include "proto/base/cpulist.h"

enum { LINE_BYTES = 1024, MEMLOCK_BYTES = 256 << 20 };

/* ---- tries ---- */

static bool
in_a_child(bool (*works)(void))
{
	pid_t	pid = fork();
	int	status = -1;

	if (pid == 0)
		_exit(works() ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	    WEXITSTATUS(status) == 0;
}

static bool
makes_user_namespace(void)
{
	return unshare(CLONE_NEWUSER) == 0;
}

static bool
becomes_realtime(void)
{
	struct sched_param	p = { .sched_priority = 1 };

	return sched_setscheduler(0, SCHED_FIFO, &p) == 0;
}

static bool
try_user_namespace(void)
{
	return in_a_child(makes_user_namespace);
}

static bool
try_realtime(void)
{
	return in_a_child(becomes_realtime);
}

static bool
try_lock_memory(void)
{
	struct rlimit	r;

	return geteuid() == 0 || (getrlimit(RLIMIT_MEMLOCK, &r) == 0 &&
	    (r.rlim_cur == RLIM_INFINITY || r.rlim_cur >= MEMLOCK_BYTES));
}

const struct container_tries	container_real_tries = {
	try_user_namespace, try_realtime, try_lock_memory
};

/* ---- which container ---- */

static bool
exists(const struct hostfs *fs, const char *path)
{
	char	text[HOSTFS_VALUE_BYTES];

	return hostfs_read(fs, path, text, sizeof text) == 0;
}

/* In the path of a cgroup; absent in a cgroup namespace. */
static bool
names_container(void *arg, char *line)
{
	static const char *const	known[][2] = {
		{ "kubepods", "kubernetes" }, { "docker", "docker" }, { "libpod", "podman" },
		{ "lxc", "lxc" }, { "containerd", "containerd" }
	};
	const char			**kind = arg;

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strstr(line, known[i][0]) != NULL) {
			*kind = known[i][1];
			return true;
		}
	return false;
}

static void
look_for_kind(struct container *c, const struct hostfs *fs)
{
	const char	*kind = "";
	char		 text[HOSTFS_VALUE_BYTES];

	if (exists(fs, "/var/run/secrets/kubernetes.io/serviceaccount/namespace"))
		kind = "kubernetes";
	else if (exists(fs, "/run/.containerenv"))
		kind = "podman";
	else if (exists(fs, "/.dockerenv"))
		kind = "docker";
	else if (hostfs_read(fs, "/run/systemd/container", text, sizeof text) == 0)
		kind = text;
	else
		(void)hostfs_find_line(fs, "/proc/1/cgroup", names_container, &kind);
	(void)snprintf(c->kind, sizeof c->kind, "%.31s", kind);
	for (char *at = c->kind; *at != '\0'; at++)
		if (!isalnum((unsigned char)*at))
			*at = '-';
}

/* ---- limits of its cgroups ---- */

struct cgroup_look {
	struct container	*c;
	const struct hostfs	*fs;
};

static bool
read_in(const struct cgroup_look *l, const char *directory, const char *name, char *buf,
    size_t bytes)
{
	char	path[HOSTFS_PATH_BYTES];

	(void)snprintf(path, sizeof path, "%.450s/%.50s", directory, name);
	return hostfs_read(l->fs, path, buf, bytes) == 0;
}

static void
note_quota(const struct cgroup_look *l, const char *directory, double quota, double period)
{
	struct container	*c = l->c;
	char			 text[HOSTFS_VALUE_BYTES];
	const char		*at;

	if (quota <= 0 || period <= 0)
		return;
	if (c->quota_cpus <= 0 || quota / period < c->quota_cpus) {
		c->quota_cpus = quota / period;
		(void)snprintf(c->quota_of, sizeof c->quota_of, "%.255s", directory);
	}
	if (read_in(l, directory, "cpu.stat", text, sizeof text) &&
	    (at = strstr(text, "nr_throttled ")) != NULL)
		c->quota_stops += atoll(at + strlen("nr_throttled "));
}

static bool
look_for_quota_v2(void *arg, const char *directory)
{
	char	text[HOSTFS_VALUE_BYTES];
	double	quota, period;

	if (read_in(arg, directory, "cpu.max", text, sizeof text) &&
	    sscanf(text, "%lf %lf", &quota, &period) == 2)
		note_quota(arg, directory, quota, period);
	return false;
}

static bool
look_for_quota_v1(void *arg, const char *directory)
{
	char	quota[HOSTFS_VALUE_BYTES], period[HOSTFS_VALUE_BYTES];

	if (read_in(arg, directory, "cpu.cfs_quota_us", quota, sizeof quota) &&
	    read_in(arg, directory, "cpu.cfs_period_us", period, sizeof period))
		note_quota(arg, directory, atof(quota), atof(period));
	return false;
}

/* The kernel has already taken from it what its parents lack. */
static bool
look_for_cpus(void *arg, const char *directory)
{
	static const char *const	names[] = {
		"cpuset.cpus.effective", "cpuset.effective_cpus"
	};
	const struct cgroup_look	*l = arg;
	char				 text[HOSTFS_VALUE_BYTES];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (read_in(l, directory, names[i], text, sizeof text)) {
			(void)snprintf(l->c->cpus, sizeof l->c->cpus, "%.255s", text);
			return true;
		}
	return false;
}

static bool
has_every_cpu(const struct container *c, const struct hostfs *fs)
{
	char		text[HOSTFS_VALUE_BYTES];
	cpu_set_t	own, online;

	return c->cpus[0] != '\0' && cpulist_parse(c->cpus, &own) &&
	    hostfs_read(fs, "/sys/devices/system/cpu/online", text, sizeof text) == 0 &&
	    cpulist_parse(text, &online) && CPU_EQUAL(&own, &online);
}

static void
look_at_cgroups(struct container *c, const struct hostfs *fs)
{
	struct cgroup_look	l = { c, fs };

	own_cgroup_each(fs, "", look_for_quota_v2, &l);
	own_cgroup_each(fs, "cpu", look_for_quota_v1, &l);
	own_cgroup_each(fs, "", look_for_cpus, &l);
	if (c->cpus[0] == '\0')
		own_cgroup_each(fs, "cpuset", look_for_cpus, &l);
	c->all_cpus = has_every_cpu(c, fs);
}

/* ---- its mounts ---- */

struct mount_seen {
	const char	*place;
	bool		 writable;
};

/* ID PARENT MAJ:MIN ROOT PLACE OPTIONS …; a later one lies above an earlier one. */
static bool
note_mount(void *arg, char *line)
{
	struct mount_seen	*m = arg;
	char			 place[LINE_BYTES], options[LINE_BYTES];

	if (sscanf(line, "%*s %*s %*s %*s %1023s %1023s", place, options) == 2 &&
	    strcmp(place, m->place) == 0)
		m->writable = strncmp(options, "rw", 2) == 0;
	return false;
}

static bool
is_writable(const struct hostfs *fs, const char *place)
{
	struct mount_seen	m = { place, false };

	(void)hostfs_find_line(fs, "/proc/self/mountinfo", note_mount, &m);
	return m.writable;
}

static bool
is_filtered(void *arg, char *line)
{
	(void)arg;
	return strcmp(line, "Seccomp:\t2") == 0;
}

void
container_look(struct container *c, const struct hostfs *fs, const struct container_tries *tries)
{
	memset(c, 0, sizeof *c);
	look_for_kind(c, fs);
	look_at_cgroups(c, fs);
	c->filtered = hostfs_find_line(fs, "/proc/self/status", is_filtered, NULL);
	c->sys_writable = is_writable(fs, "/sys");
	c->cgroup_writable = is_writable(fs, "/sys/fs/cgroup");
	c->user_namespaces = tries->user_namespace();
	c->realtime = tries->realtime();
	c->locks_memory = tries->lock_memory();
}

/* ---- what is lost ---- */

struct telling {
	container_fn	*fn;
	void		*arg;
};

static void	tell(const struct telling *, enum container_loss, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));

static void
tell(const struct telling *t, enum container_loss loss, const char *fmt, ...)
{
	char	sentence[512];
	va_list	ap;

	va_start(ap, fmt);
	(void)vsnprintf(sentence, sizeof sentence, fmt, ap);
	va_end(ap);
	t->fn(t->arg, loss, sentence);
}

static void
tell_of_jails(const struct telling *t, const struct container *c)
{
	if (!c->user_namespaces)
		tell(t, LOSS_OF_CONTROL, "this container can make no user namespaces%s: submitted "
		    "code has fewer walls around it; start it with --security-opt "
		    "seccomp=unconfined, or with a profile that allows clone and unshare",
		    c->filtered ? ", probably because of its seccomp filter" : "");
	if (!c->cgroup_writable)
		tell(t, LOSS_OF_CONTROL, "/sys/fs/cgroup is read-only in this container: processes "
		    "of a build have limits one by one, not together; start it with "
		    "--cgroupns=private --security-opt writable-cgroups=true");
	if (!c->sys_writable)
		tell(t, LOSS_OF_CONTROL, "/sys is read-only in this container: frequency, turbo "
		    "and interrupts cannot be set from inside; run assay-hostd on the host itself");
}

static void
tell_of_timing(const struct telling *t, const struct container *c)
{
	if (!c->realtime)
		tell(t, LOSS_OF_QUIET, "this container has no real-time priority: other programs "
		    "interrupt samples; start it with --cap-add SYS_NICE or --ulimit rtprio=50");
	if (!c->locks_memory)
		tell(t, LOSS_OF_QUIET, "this container may lock little memory: pages of operands "
		    "may move; start it with --ulimit memlock=-1");
	if (c->all_cpus)
		tell(t, LOSS_OF_QUIET, "all CPUs are open to this container and to every other: "
		    "give it CPUs that no other has, with --cpuset-cpus");
	else if (c->cpus[0] != '\0')
		tell(t, LOSS_OF_QUIET, "CPUs %s are this container's, but from inside nothing "
		    "shows whether other containers or the host use them, too", c->cpus);
}

static void
tell_of_quota(const struct telling *t, const struct container *c)
{
	char	stops[64] = "";

	if (c->quota_cpus <= 0)
		return;
	if (c->quota_stops > 0)
		(void)snprintf(stops, sizeof stops, " (%lld times so far)", c->quota_stops);
	tell(t, LOSS_OF_TIME, "a quota allows %.2f CPUs: when they are used up, everything here "
	    "stops for the rest of a period%s; take it away from %s (--cpus, CPUQuota=, "
	    "limits.cpu)", c->quota_cpus, stops, c->quota_of);
}

void
container_each_loss(const struct container *c, container_fn *fn, void *arg)
{
	struct telling	t = { fn, arg };

	tell_of_quota(&t, c);
	if (c->kind[0] == '\0')
		return;
	tell_of_timing(&t, c);
	tell_of_jails(&t, c);
}

static void
add_sentence(void *arg, enum container_loss loss, const char *sentence)
{
	(void)loss;
	(void)json_array_append_new(arg, json_string(sentence));
}

json_t *
container_json(const struct container *c)
{
	json_t	*lost = json_array();

	container_each_loss(c, add_sentence, lost);
	if (c->kind[0] == '\0' && json_array_size(lost) == 0) {
		json_decref(lost);
		return json_null();
	}
	return json_pack("{s:o,s:o}", "kind",
	    c->kind[0] != '\0' ? json_string(c->kind) : json_null(), "lost", lost);
}
