/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "daemon/host/cgroup.h"
#include "daemon/host/fitness.h"
#include "daemon/host/partition.h"
#include "daemon/host/watch.h"
#include "proto/base/clock.h"
#include "proto/base/fnv.h"

enum { IRQ_LIST_BYTES = 96, MOVING_BYTES = 2048 };

struct fitness {
	struct site		 site;
	char			 run_dir[HOSTFS_PATH_BYTES];
	/* owned; lines of all that stays as it is until the next boot */
	char			*lasting;
	char			 hash[17];
	struct watch		 watch;		/* of the files behind the hash */
	char			 moving[MOVING_BYTES];	/* see moving_lines; of the last look */
	double			 began;
	struct container	 container;
	struct probe		 probe[SITE_MAX_CPUS];
	struct probe_spin	 spin[SITE_MAX_CPUS];
	struct probe_counters	 first[SITE_MAX_CPUS];
};

/* ---- the host's state ---- */

struct lines {
	const struct site	*site;
	FILE			*f;
	struct watch		*watch;		/* NULL: not watched */
};

static int
put_file_line(void *arg, const char *path)
{
	struct lines	*l = arg;
	char		 text[HOSTFS_VALUE_BYTES];

	if (hostfs_read(&l->site->fs, path, text, sizeof text) == 0)
		(void)fprintf(l->f, "%s\t%s\n", path, text);
	return 0;
}

static char *
lasting_lines(const struct site *s)
{
	static const char *const	names[] = { "model name", "microcode", "CPU part" };
	char				*text = NULL, value[256];
	size_t				 bytes = 0;
	struct lines			 l = { s, open_memstream(&text, &bytes), NULL };
	struct utsname			 u;

	if (l.f == NULL)
		return NULL;
	if (uname(&u) == 0)
		(void)fprintf(l.f, "kernel\t%s %s %s\n", u.release, u.version, u.machine);
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if (probe_cpuinfo(&s->fs, names[i], value, sizeof value))
			(void)fprintf(l.f, "%s\t%s\n", names[i], value);
	(void)fprintf(l.f, "timing\t%s\n", cpulist_format(&s->timing, value, sizeof value));
	(void)hostfs_each(&s->fs, "/sys/devices/system/cpu/vulnerabilities/*", put_file_line, &l);
	(void)hostfs_each(&s->fs, "/sys/devices/system/cpu/isolated", put_file_line, &l);
	return fclose(l.f) == 0 ? text : NULL;
}

static enum status
put_knob_line(void *arg, struct knob *k)
{
	struct lines	*l = arg;

	if (k->status == KNOB_ABSENT)
		return ST_OK;
	(void)fprintf(l->f, "%s\t%s\n", k->path, k->found);
	watch_add(l->watch, &l->site->fs, k->path);
	return ST_OK;
}

/* Wait for all probes, or only for ended ones. */
static void
end_probes(struct fitness *f, bool wait)
{
	for (unsigned i = 0; i < f->site.ncpus; i++)
		(void)probe_done(&f->probe[i], wait, &f->spin[i]);
}

/*
 * What the kernel may change by itself, and the partition of the timing CPUs, which is put in
 * *partition.
 */
static void
moving_lines(const struct hostfs *fs, char out[MOVING_BYTES], char *partition, size_t bytes)
{
	static const char *const	paths[] = { "/sys/devices/system/cpu/online",
	    "/sys/devices/system/clocksource/clocksource0/current_clocksource" };
	char				text[512];
	size_t				n = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++)
		if (hostfs_read(fs, paths[i], text, sizeof text) == 0)
			n += (size_t)snprintf(out + n, MOVING_BYTES - n, "%s\t%s\n", paths[i],
			    text);
	partition_words(fs, partition, bytes);
	(void)snprintf(out + n, MOVING_BYTES - n, "partition\t%s\n", partition);
}

enum status
fitness_look(struct fitness *f, struct fault *why)
{
	char		*text = NULL, partition[256];
	size_t		 bytes = 0;
	struct lines	 l = { &f->site, open_memstream(&text, &bytes), &f->watch };

	end_probes(f, false);
	if (l.f == NULL)
		return fault_set(why, ST_NOMEM, "fitness");
	(void)watch_saw_write(&f->watch);	/* what comes from here on is for the next look */
	(void)fputs(f->lasting, l.f);
	(void)knob_each(&f->site, KNOB_NARROW | KNOB_GLOBAL | KNOB_REPORT | KNOB_LASTING,
	    put_knob_line, &l);
	moving_lines(&f->site.fs, f->moving, partition, sizeof partition);
	(void)fputs(f->moving, l.f);
	if (fclose(l.f) == 0)
		(void)snprintf(f->hash, sizeof f->hash, "%016" PRIx64, fnv1a(text));
	free(text);
	if (partition_is_broken(partition))
		return fault_set(why, ST_UNAVAILABLE,
		    "the partition of the timing CPUs has become invalid: %s", partition);
	return ST_OK;
}

bool
fitness_is_watched(const struct fitness *f)
{
	return watch_works(&f->watch);
}

bool
fitness_has_changed(struct fitness *f)
{
	char	now[MOVING_BYTES], partition[256];

	moving_lines(&f->site.fs, now, partition, sizeof partition);
	return watch_saw_write(&f->watch) || strcmp(now, f->moving) != 0;
}

const char *
fitness_hash(const struct fitness *f)
{
	return f->hash;
}

/* ---- life ---- */

static int
slot_fd_of(const struct fitness *f, const struct fitness_config *c, unsigned cpu)
{
	return c->slot_fd != NULL ? c->slot_fd[f->site.slot_of[cpu]] : -1;
}

enum status
fitness_new(struct fitness **out, const struct fitness_config *c, struct fault *why)
{
	struct fitness	*f = calloc(1, sizeof *f);
	struct hostfs	 fs;
	enum status	 st;

	*out = NULL;
	if (f == NULL)
		return fault_set(why, ST_NOMEM, "fitness");
	f->watch.fd = -1;
	if (hostfs_init(&fs, c->root) != 0 || strlen(c->run_dir) >= sizeof f->run_dir) {
		st = fault_set(why, ST_BAD_REQUEST, "%s: the path is too long", c->root);
		goto fail;
	}
	(void)strcpy(f->run_dir, c->run_dir);
	watch_open(&f->watch);
	if ((st = site_open(&f->site, &fs, c->slot, c->nslots, why)) != ST_OK)
		goto fail;
	if ((f->lasting = lasting_lines(&f->site)) == NULL) {
		st = fault_set(why, ST_NOMEM, "fitness");
		goto fail;
	}
	container_look(&f->container, &fs, c->tries != NULL ? c->tries : &container_real_tries);
	f->began = (double)clock_now_ns() / 1e9;
	for (unsigned i = 0; i < f->site.ncpus; i++) {
		probe_counters(&fs, f->site.cpu[i], &f->first[i]);
		if (c->probe_ms != 0)
			(void)probe_start(&f->probe[i], f->site.cpu[i], slot_fd_of(f, c, i),
			    c->probe_ms, NULL);
	}
	(void)fitness_look(f, NULL);
	*out = f;
	return ST_OK;
fail:
	fitness_free(f);
	return st;
}

void
fitness_free(struct fitness *f)
{
	if (f == NULL)
		return;
	for (unsigned i = 0; i < f->site.ncpus; i++)
		probe_stop(&f->probe[i]);
	watch_close(&f->watch);
	free(f->lasting);
	free(f);
}

void
fitness_wait(struct fitness *f)
{
	end_probes(f, true);
}

/* ---- facts ---- */

static bool
is_set_apart(const struct site *s, const char *partition)
{
	char		text[HOSTFS_VALUE_BYTES];
	cpu_set_t	isolated, both;

	if (strcmp(partition, "isolated") == 0 || strcmp(partition, "root") == 0)
		return true;
	if (hostfs_read(&s->fs, "/sys/devices/system/cpu/isolated", text, sizeof text) != 0 ||
	    !cpulist_parse(text, &isolated))
		return false;
	CPU_AND(&both, &isolated, &s->timing);
	return CPU_EQUAL(&both, &s->timing);
}

static bool
under_hypervisor(const struct hostfs *fs)
{
	char	flags[HOSTFS_VALUE_BYTES];

	return probe_cpuinfo(fs, "flags", flags, sizeof flags) &&
	    strstr(flags, "hypervisor") != NULL;
}

static void
gather(struct fitness *f, struct grade_facts *e)
{
	const struct hostfs	*fs = &f->site.fs;

	memset(e, 0, sizeof *e);
	e->window_s = (double)clock_now_ns() / 1e9 - f->began;
	e->ncpus = f->site.ncpus;
	end_probes(f, false);
	for (unsigned i = 0; i < e->ncpus; i++) {
		struct cpu_facts	*c = &e->cpu[i];

		c->cpu = f->site.cpu[i];
		c->spin = f->spin[i];
		probe_counters(fs, c->cpu, &c->now);
		c->delta.interrupts = c->now.interrupts - f->first[i].interrupts;
		c->delta.steal_ticks = c->now.steal_ticks - f->first[i].steal_ticks;
		c->delta.throttles = c->now.throttles - f->first[i].throttles;
	}
	e->temperature_mc = probe_temperature_mc(fs);
	e->hypervisor = under_hypervisor(fs);
	e->shared_core = CPU_COUNT(&f->site.house) == 0;
	(void)hostfs_read(fs, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
	    e->clocksource, sizeof e->clocksource);
	(void)hostfs_read(fs, "/proc/sys/kernel/core_pattern", e->core_pattern,
	    sizeof e->core_pattern);
	partition_words(fs, e->partition, sizeof e->partition);
	e->container = f->container;
	e->set_apart = is_set_apart(&f->site, e->partition);
}

static json_t *
spin_json(const struct probe_spin *s)
{
	if (!s->ran)
		return json_null();
	return json_pack("{s:I,s:I,s:I,s:I}", "wall_ns", (json_int_t)s->wall_ns, "stolen_ns",
	    (json_int_t)s->stolen_ns, "worst_ns", (json_int_t)s->worst_ns, "gaps",
	    (json_int_t)s->gaps);
}

static json_t *
cpus_json(const struct grade_facts *e)
{
	json_t	*list = json_array();

	for (unsigned i = 0; i < e->ncpus; i++) {
		const struct cpu_facts	*c = &e->cpu[i];

		(void)json_array_append_new(list,
		    json_pack("{s:i,s:o,s:I,s:I,s:I,s:I}", "cpu", c->cpu, "spin",
		    spin_json(&c->spin), "interrupts", (json_int_t)c->delta.interrupts,
		    "steal_ticks", (json_int_t)c->delta.steal_ticks, "throttled",
		    (json_int_t)c->delta.throttles, "throttled_since_boot",
		    (json_int_t)c->now.throttles));
	}
	return list;
}

struct speculation {
	const struct hostfs	*fs;
	json_t			*object;
};

static int
add_vulnerability(void *arg, const char *path)
{
	struct speculation	*s = arg;
	char			 text[512];

	if (hostfs_read(s->fs, path, text, sizeof text) == 0)
		(void)json_object_set_new(s->object, strrchr(path, '/') + 1, json_string(text));
	return 0;
}

/* Any text may be written there. */
static json_t *
text_json(const char *text)
{
	json_t	*s = json_string(text);

	return s != NULL ? s : json_null();
}

static json_t *
facts_json(const struct fitness *f, const struct grade_facts *e)
{
	struct speculation	s = { &f->site.fs, json_object() };

	(void)hostfs_each(s.fs, "/sys/devices/system/cpu/vulnerabilities/*", add_vulnerability, &s);
	return json_pack("{s:f,s:o,s:o,s:b,s:s,s:o,s:b,s:b,s:o}", "window_s", e->window_s,
	    "timing_cpus", cpus_json(e), "temperature_c",
	    e->temperature_mc == PROBE_NO_TEMPERATURE ? json_null() :
	    json_real(e->temperature_mc * 1e-3), "hypervisor", (int)e->hypervisor, "clocksource",
	    e->clocksource, "core_pattern", text_json(e->core_pattern), "core_pattern_piped",
	    e->core_pattern[0] == '|', "set_apart", (int)e->set_apart, "speculation", s.object);
}

/* ---- knobs ---- */

struct knob_list {
	const struct fitness	*f;
	const struct journal	*journal;
	json_t			*knobs, *reasons;	/* owned by the report */
	unsigned		 irqs[KNOB_NSTATUS];
	char			 irq_list[KNOB_NSTATUS][IRQ_LIST_BYTES];
	const char		*irq_remedy;
	enum grade		 worst;
	bool			 tuned;			/* assay-hostd holds this host */
};

static void
add_knob(struct knob_list *l, const char *name, const char *path, const char *wanted,
    const char *found, enum knob_status st, const char *remedy)
{
	bool	fine = st == KNOB_ALREADY || st == KNOB_SET;

	(void)json_array_append_new(l->knobs,
	    json_pack("{s:s,s:s,s:s,s:s,s:s,s:o}", "name", name, "path", path, "wanted", wanted,
	    "found", found, "status", knob_status_word(st), "remedy",
	    fine ? json_null() : json_string(remedy)));
}

/* The journal has every value that assay-hostd set, and so shows what was changed since. */
static enum knob_status
status_by_journal(const struct journal *j, const char *path, const char *found, enum knob_status st)
{
	const struct journal_entry	*e = journal_find(j, path);

	if (e == NULL || !e->done || strcmp(e->got, e->old) == 0)
		return st;
	if (strcmp(found, e->got) == 0)
		return KNOB_SET;
	return st == KNOB_ALREADY ? KNOB_ALREADY : KNOB_FOREIGN;
}

/* Knobs that change the meaning of a time, or its spread. */
static void
note_reason(struct knob_list *l, const struct knob *k)
{
	static const char *const	matter[] = {
		"turbo", "governor", "min_frequency", "smt_sibling", "irqbalance", NULL
	};
	char				reason[1024];

	if (k->status == KNOB_ALREADY || k->status == KNOB_SET || k->status == KNOB_ABSENT)
		return;
	for (unsigned i = 0; matter[i] != NULL; i++) {
		if (strcmp(matter[i], knob_name(k)) != 0)
			continue;
		(void)snprintf(reason, sizeof reason, "%s is %.100s, not %.100s: %s", knob_name(k),
		    k->found, k->wanted, knob_remedy(k));
		(void)json_array_append_new(l->reasons, json_string(reason));
		if (l->worst < GRADE_USABLE)
			l->worst = GRADE_USABLE;
	}
}

/* A host has hundreds: one row for each status. */
static void
count_irq(struct knob_list *l, const struct knob *k)
{
	char	*list = l->irq_list[k->status];
	size_t	 n = strlen(list);
	int	 irq = -1;

	l->irqs[k->status]++;
	l->irq_remedy = knob_remedy(k);
	(void)sscanf(k->path, "/proc/irq/%d/", &irq);
	if (n < IRQ_LIST_BYTES - 16)
		(void)snprintf(list + n, IRQ_LIST_BYTES - n, "%s%d", n > 0 ? ", " : "", irq);
	else if (list[n - 1] != '.')
		(void)strcpy(list + n, ", ...");
}

/* A value held by a descriptor is in no journal, and only root can read it. */
static const char *
remedy_of(const struct knob_list *l, const struct knob *k)
{
	if (l->tuned && knob_scope(k) == KNOB_HELD && k->status == KNOB_DENIED)
		return "none: assay-hostd holds this host and has requested it; only root "
		    "can read it";
	return knob_remedy(k);
}

static enum status
list_knob(void *arg, struct knob *k)
{
	struct knob_list	*l = arg;

	k->status = status_by_journal(l->journal, k->path, k->found, k->status);
	if (k->status != KNOB_ABSENT && strcmp(knob_name(k), "irq_affinity") == 0) {
		count_irq(l, k);
		return ST_OK;
	}
	add_knob(l, knob_name(k), k->path, k->wanted, k->found, k->status, remedy_of(l, k));
	note_reason(l, k);
	return ST_OK;
}

static bool
is_listed(const json_t *knobs, const char *path)
{
	const json_t	*k;
	size_t		 i;

	json_array_foreach(knobs, i, k)
		if (strcmp(json_string_value(json_object_get(k, "path")), path) == 0)
			return true;
	return false;
}

/* Changes that the table no longer finds, such as the siblings of an offline CPU. */
static void
list_rest_of_journal(struct knob_list *l)
{
	for (size_t i = 0; i < l->journal->n; i++) {
		const struct journal_entry	*e = &l->journal->entries[i];
		char				 found[HOSTFS_VALUE_BYTES];
		enum knob_status		 st;

		if (e->act != JOURNAL_WRITE || is_listed(l->knobs, e->path) ||
		    strcmp(e->name, "irq_affinity") == 0)
			continue;
		(void)hostfs_read(&l->f->site.fs, e->path, found, sizeof found);
		st = status_by_journal(l->journal, e->path, found, KNOB_NOT_TAKEN);
		add_knob(l, e->name, e->path, e->new_value, found, st,
		    "assay-hostd set it; it was changed since");
	}
}

static void
list_partition(struct knob_list *l)
{
	char			words[256], text[HOSTFS_VALUE_BYTES];
	enum knob_status	st = KNOB_NOT_TAKEN;

	partition_words(&l->f->site.fs, words, sizeof words);
	if (strcmp(words, "none") == 0) {
		if (hostfs_read(&l->f->site.fs, "/sys/fs/cgroup/cgroup.controllers", text,
		    sizeof text) != 0 || !cgroup_lists(text, "cpuset"))
			st = KNOB_ABSENT;
	} else if (!partition_is_broken(words) && strcmp(words, "member") != 0) {
		st = journal_find(l->journal, PARTITION_DIR "/cpuset.cpus.partition") != NULL ?
		    KNOB_SET : KNOB_FOREIGN;
	}
	add_knob(l, "partition", PARTITION_DIR "/cpuset.cpus.partition", "isolated", words, st,
	    st == KNOB_ABSENT ? "boot with cgroup v2 (systemd.unified_cgroup_hierarchy=1)" :
	    "run assay-hostd as root");
}

static void
list_irqs(struct knob_list *l)
{
	char	found[IRQ_LIST_BYTES + 64];

	for (unsigned st = 0; st < KNOB_NSTATUS; st++) {
		if (l->irqs[st] == 0)
			continue;
		(void)snprintf(found, sizeof found, "%u interrupt%s: %s", l->irqs[st],
		    l->irqs[st] == 1 ? "" : "s", l->irq_list[st]);
		add_knob(l, "irq_affinity", "/proc/irq/*/smp_affinity", "not the timing CPUs",
		    found, (enum knob_status)st, l->irq_remedy);
	}
}

static void
list_knobs(struct knob_list *l)
{
	list_partition(l);
	(void)knob_each(&l->f->site, KNOB_HELD | KNOB_NARROW | KNOB_GLOBAL | KNOB_REPORT,
	    list_knob, l);
	list_irqs(l);
	list_rest_of_journal(l);
}

/* ---- the report ---- */

static void
add_reason(void *arg, enum grade how_bad, const char *reason)
{
	struct knob_list	*l = arg;

	(void)how_bad;
	(void)json_array_append_new(l->reasons, json_string(reason));
}

json_t *
fitness_report(struct fitness *f)
{
	struct journal		 j = { .fd = -1 };
	struct knob_list	 l = { .f = f, .journal = &j, .knobs = json_array(),
				    .reasons = json_array() };
	struct grade_facts		 e;
	enum grade		 g;
	char			 boot[64];

	(void)fitness_look(f, NULL);
	l.tuned = site_boot_id(&f->site.fs, boot, sizeof boot, NULL) == ST_OK &&
	    journal_load(&j, f->run_dir, boot, NULL) == ST_OK;
	gather(f, &e);
	g = grade_of(&e, add_reason, &l);
	list_knobs(&l);
	journal_release(&j);
	return json_pack("{s:s,s:o,s:s,s:b,s:s,s:o,s:o,s:o}", "grade",
	    grade_word(l.worst > g ? l.worst : g), "reasons", l.reasons, "hash", f->hash, "tuned",
	    (int)l.tuned, "partition", e.partition, "knobs", l.knobs, "evidence",
	    facts_json(f, &e), "container", container_json(&f->container));
}
