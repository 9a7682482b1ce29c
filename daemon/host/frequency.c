/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/host/frequency.h"

#define POLICIES	"/sys/devices/system/cpu/cpufreq/policy*"

/* ---- the policies of a slot ---- */

typedef enum status	 policy_fn(void *arg, const char *policy, const cpu_set_t *its_cpus);
struct policies {
	const struct hostfs	*fs;
	const cpu_set_t		*slot;
	policy_fn		*fn;
	void			*arg;
	unsigned		 seen;
	enum status		 st;
};

static int
visit_policy(void *arg, const char *policy)
{
	struct policies	*p = arg;
	char		 path[HOSTFS_PATH_BYTES + 32], text[HOSTFS_VALUE_BYTES];
	cpu_set_t	 cpus;

	(void)snprintf(path, sizeof path, "%s/related_cpus", policy);
	if (hostfs_read(p->fs, path, text, sizeof text) != 0 || !cpulist_parse(text, &cpus) ||
	    !cpulist_overlap(&cpus, p->slot))
		return 0;
	p->seen++;
	p->st = p->fn(p->arg, policy, &cpus);
	return p->st != ST_OK;
}

static enum status
each_policy(const struct hostfs *fs, const cpu_set_t *slot, policy_fn *fn, void *arg,
    struct fault *why)
{
	struct policies	p = { .fs = fs, .slot = slot, .fn = fn, .arg = arg, .st = ST_OK };
	char		list[128];

	(void)hostfs_each(fs, POLICIES, visit_policy, &p);
	if (p.seen > 0)
		return p.st;
	(void)fault_set(why, ST_BAD_SPEC, "cpufreq is absent: this host cannot set the clock of "
	    "CPU %s", cpulist_format(slot, list, sizeof list));
	fault_hint(why, "leave the frequency out");
	return ST_BAD_SPEC;
}

/* ---- can it be had? ---- */

struct asked {
	const struct hostfs	*fs;
	unsigned		 khz;
	struct fault		*why;
};

static bool
is_listed(const char *list, unsigned khz)
{
	const char	*at = list;
	char		*end;

	for (unsigned long one; (one = strtoul(at, &end, 10), end != at); at = end)
		if (one == khz)
			return true;
	return false;
}

static enum status
check_policy(void *arg, const char *policy, const cpu_set_t *cpus)
{
	const struct asked	*a = arg;
	char			 path[HOSTFS_PATH_BYTES + 64], list[HOSTFS_VALUE_BYTES];
	long long		 least, most;

	(void)cpus;
	(void)snprintf(path, sizeof path, "%s/cpuinfo_min_freq", policy);
	least = hostfs_number(a->fs, path, 0);
	(void)snprintf(path, sizeof path, "%s/cpuinfo_max_freq", policy);
	most = hostfs_number(a->fs, path, 0);
	if (a->khz < least || a->khz > most)
		return fault_set(a->why, ST_BAD_SPEC, "%u kHz: the clock goes from %lld to %lld",
		    a->khz, least, most);
	(void)snprintf(path, sizeof path, "%s/scaling_available_frequencies", policy);
	if (hostfs_read(a->fs, path, list, sizeof list) != 0 || is_listed(list, a->khz))
		return ST_OK;
	return fault_set(a->why, ST_BAD_SPEC, "%u kHz: the clock has the steps %.300s", a->khz,
	    list);
}

enum status
frequency_check(const struct hostfs *fs, const cpu_set_t *slot, unsigned khz, struct fault *why)
{
	struct asked	a = { fs, khz, why };

	return each_policy(fs, slot, check_policy, &a, why);
}

/* ---- setting ---- */

struct setting {
	const struct site	*site;
	const cpu_set_t		*slot;
	unsigned		 khz;
	struct journal		*journal;
	struct fault		*why;
};

static enum status
set_file(const struct setting *s, const char *path)
{
	const struct hostfs	*fs = &s->site->fs;
	char			 old[HOSTFS_VALUE_BYTES], wanted[32], found[HOSTFS_VALUE_BYTES];
	enum status		 st;
	int			 rc = hostfs_read(fs, path, old, sizeof old);

	(void)snprintf(wanted, sizeof wanted, "%u", s->khz);
	if (rc != 0)
		return fault_set(s->why, ST_BAD_SPEC, "%s: %s", path, strerror(rc));
	if (strcmp(old, wanted) == 0)
		return ST_OK;
	if ((st = journal_intend(s->journal, JOURNAL_WRITE, "frequency", path, old, wanted, old,
	    s->why)) != ST_OK)
		return st;
	(void)strcpy(found, old);
	if ((rc = hostfs_write(fs, path, wanted)) == 0)
		(void)hostfs_read_back(fs, path, old, wanted, found, sizeof found);
	if ((st = journal_got(s->journal, found, s->why)) != ST_OK)
		return st;
	if (rc != 0)
		return fault_set(s->why, ST_BAD_SPEC, "%s: %s", path, strerror(rc));
	return strcmp(found, wanted) == 0 ? ST_OK : fault_set(s->why, ST_BAD_SPEC,
	    "%s: the kernel makes %.40s of %s", path, found, wanted);
}

/* Never the least above the most, on the way there or, backwards, on the way back. */
static enum status
set_policy(void *arg, const char *policy, const cpu_set_t *cpus)
{
	const struct setting	*s = arg;
	char			 least[HOSTFS_PATH_BYTES + 32], most[HOSTFS_PATH_BYTES + 32];
	char			 list[128];
	cpu_set_t		 others = s->site->timing;
	bool			 rises;
	enum status		 st;

	cpulist_subtract(&others, s->slot);
	if (cpulist_overlap(cpus, &others))
		return fault_set(s->why, ST_CONFLICT, "CPUs %s have one clock, and are in several "
		    "slots", cpulist_format(cpus, list, sizeof list));
	(void)snprintf(least, sizeof least, "%s/scaling_min_freq", policy);
	(void)snprintf(most, sizeof most, "%s/scaling_max_freq", policy);
	rises = hostfs_number(&s->site->fs, most, 0) < s->khz;
	st = set_file(s, rises ? most : least);
	return st == ST_OK ? set_file(s, rises ? least : most) : st;
}

static enum status
slot_dir(char *buf, size_t bytes, const char *run_dir, unsigned slot, struct fault *why)
{
	return (size_t)snprintf(buf, bytes, "%s/slot%u", run_dir, slot) < bytes ? ST_OK :
	    fault_set(why, ST_BAD_REQUEST, "%s: the path is too long", run_dir);
}

static enum status
begin(struct journal *j, const struct hostfs *fs, const char *dir, struct fault *why)
{
	char		boot[64];
	enum status	st = site_boot_id(fs, boot, sizeof boot, why);

	if (st != ST_OK)
		return st;
	if (mkdir(dir, 0755) != 0 && errno != EEXIST)
		return fault_set(why, ST_IO, "%s: %s", dir, strerror(errno));
	return journal_begin(j, dir, boot, why);
}

enum status
frequency_set(const struct site *site, unsigned slot, unsigned khz, const char *run_dir,
    struct fault *why)
{
	struct journal	j = { .fd = -1 };
	struct setting	s = { site, &site->slot[slot], khz, &j, why };
	char		dir[HOSTFS_PATH_BYTES];
	enum status	st;

	if ((st = slot_dir(dir, sizeof dir, run_dir, slot, why)) != ST_OK ||
	    (st = frequency_check(&site->fs, s.slot, khz, why)) != ST_OK)
		return st;
	if ((st = begin(&j, &site->fs, dir, why)) == ST_OK &&
	    (st = each_policy(&site->fs, s.slot, set_policy, &s, why)) != ST_OK &&
	    undo_since(&site->fs, &j, 0, NULL, NULL) == 0)
		(void)journal_remove(&j, NULL);
	journal_release(&j);
	return st;
}

enum status
frequency_restore(const struct hostfs *fs, unsigned slot, const char *run_dir, undo_fn *fn,
    void *arg, struct fault *why)
{
	char		dir[HOSTFS_PATH_BYTES];
	enum status	st = slot_dir(dir, sizeof dir, run_dir, slot, why);

	return st == ST_OK ? undo_directory(fs, dir, fn, arg, why) : st;
}

enum status
frequency_restore_all(const struct hostfs *fs, const char *run_dir, undo_fn *fn, void *arg,
    struct fault *why)
{
	enum status	st = ST_OK, one;

	for (unsigned slot = 0; slot < SITE_MAX_SLOTS; slot++)
		if ((one = frequency_restore(fs, slot, run_dir, fn, arg, why)) != ST_OK)
			st = one;
	return st;
}
