/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <hwloc.h>

#include "daemon/host/cpukind.h"
#include "daemon/setup/topology.h"
#include "proto/base/cpulist.h"

static bool
is_slot(const struct topology *t, int cpu)
{
	for (unsigned i = 0; i < t->nslots; i++)
		if (CPU_ISSET((unsigned)cpu, &t->slot[i]))
			return true;
	return false;
}

/* The core of a CPU, or its PU if hwloc sees no cores; NULL: no such CPU. */
static hwloc_obj_t
core_of(hwloc_topology_t h, int cpu)
{
	hwloc_obj_t	pu = hwloc_get_pu_obj_by_os_index(h, (unsigned)cpu), core;

	if (pu == NULL)
		return NULL;
	core = hwloc_get_ancestor_obj_by_type(h, HWLOC_OBJ_CORE, pu);
	return core != NULL ? core : pu;
}

/* Sibling threads share the slot's core, so neither compilers nor the daemon may run there. */
static bool
shares_core_with_slot(hwloc_topology_t h, const struct topology *t, hwloc_obj_t core)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (is_slot(t, cpu) && core_of(h, cpu) == core)
			return true;
	return false;
}

/* All its CPUs exist and are in no other slot. */
static enum status
add_slot(hwloc_topology_t h, struct topology *t, const cpu_set_t *cpus, const char *from,
    struct fault *why)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET((unsigned)cpu, cpus))
			continue;
		if (core_of(h, cpu) == NULL)
			return fault_at(why, ST_BAD_REQUEST, from, "this host has no CPU %d", cpu);
		if (is_slot(t, cpu))
			return fault_at(why, ST_BAD_REQUEST, from, "CPU %d is in two slots", cpu);
	}
	t->slot[t->nslots] = *cpus;
	t->slot_cpu[t->nslots++] = cpulist_first(cpus);
	return ST_OK;
}

/* Objects of this type that have CPUs of the slot. */
static unsigned
count_within(hwloc_topology_t h, hwloc_obj_type_t type, const cpu_set_t *cpus)
{
	hwloc_obj_t	o = NULL;
	unsigned	n = 0;

	while ((o = hwloc_get_next_obj_by_type(h, type, o)) != NULL)
		for (int cpu = hwloc_bitmap_first(o->cpuset); cpu >= 0;
		    cpu = hwloc_bitmap_next(o->cpuset, cpu))
			if (cpu < CPU_SETSIZE && CPU_ISSET((unsigned)cpu, cpus)) {
				n++;
				break;
			}
	return n;
}

static void
see_slots(hwloc_topology_t h, struct topology *t)
{
	for (unsigned i = 0; i < t->nslots; i++) {
		t->slot_cores[i] = count_within(h, HWLOC_OBJ_CORE, &t->slot[i]);
		t->slot_packages[i] = count_within(h, HWLOC_OBJ_PACKAGE, &t->slot[i]);
	}
}

static enum status
no_core(const cpu_set_t *claimed, struct fault *why)
{
	if (CPU_COUNT(claimed) == 0)
		return fault_set(why, ST_INTERNAL, "hwloc sees no CPU");
	(void)fault_at(why, ST_FULL, "timing-cpus", "other daemons time on all cores of this host");
	fault_hint(why, "use one of those daemons, or wait for the end of one");
	return ST_FULL;
}

/* The last core with none of these CPUs; NULL: none. */
static hwloc_obj_t
last_core_without(hwloc_topology_t h, const struct topology *t, const cpu_set_t *without)
{
	for (unsigned i = t->ncpus; i-- > 0;) {
		hwloc_obj_t	pu = hwloc_get_obj_by_type(h, HWLOC_OBJ_PU, i);

		if (pu->os_index < CPU_SETSIZE && !CPU_ISSET(pu->os_index, without))
			return core_of(h, (int)pu->os_index);
	}
	return NULL;
}

/*
 * A fast core that no other daemon times on, else a slow one; NULL: none.  CPU 0 takes most
 * interrupts, so the last core is the best guess.
 */
static hwloc_obj_t
default_core(hwloc_topology_t h, const struct topology *t, const cpu_set_t *claimed)
{
	cpu_set_t	claimed_or_slow;
	hwloc_obj_t	core;

	CPU_OR(&claimed_or_slow, claimed, &t->slow);
	core = last_core_without(h, t, &claimed_or_slow);
	return core != NULL ? core : last_core_without(h, t, claimed);
}

static enum status
choose_slots(hwloc_topology_t h, struct topology *t, const struct slot_list *want,
    struct fault *why)
{
	hwloc_obj_t	core;
	cpu_set_t	only;
	enum status	st = ST_OK;

	for (unsigned i = 0; st == ST_OK && i < want->n; i++)
		st = add_slot(h, t, &want->cpus[i], want->from, why);
	if (st != ST_OK || t->nslots != 0)
		return st;
	if ((core = default_core(h, t, &want->claimed)) == NULL)
		return no_core(&want->claimed, why);
	CPU_ZERO(&only);
	CPU_SET((unsigned)hwloc_bitmap_first(core->cpuset), &only);
	return add_slot(h, t, &only, "timing-cpus", why);
}

static void
see_timing_cores(hwloc_topology_t h, struct topology *t)
{
	hwloc_obj_t	pu = NULL;

	CPU_ZERO(&t->timing_cores);
	while ((pu = hwloc_get_next_obj_by_type(h, HWLOC_OBJ_PU, pu)) != NULL)
		if (pu->os_index < CPU_SETSIZE &&
		    shares_core_with_slot(h, t, core_of(h, (int)pu->os_index)))
			CPU_SET(pu->os_index, &t->timing_cores);
}

/* At most CPU_SETSIZE, and as many fit into house_cpu. */
static void
list_housekeeping(hwloc_topology_t h, struct topology *t)
{
	hwloc_obj_t	pu = NULL;

	while ((pu = hwloc_get_next_obj_by_type(h, HWLOC_OBJ_PU, pu)) != NULL)
		if (pu->os_index < CPU_SETSIZE && !CPU_ISSET(pu->os_index, &t->timing_cores))
			t->house_cpu[t->nhouse++] = (int)pu->os_index;
	if (t->nhouse == 0)		/* no other core: building and timing share this one */
		t->house_cpu[t->nhouse++] = t->slot_cpu[0];
}

void
topology_keep_off(struct topology *t, const cpu_set_t *claimed)
{
	unsigned	n = 0;

	for (unsigned i = 0; i < t->nhouse; i++)
		n += !CPU_ISSET((unsigned)t->house_cpu[i], claimed);
	t->disturbs = n == 0;
	if (t->disturbs)
		return;
	n = 0;
	for (unsigned i = 0; i < t->nhouse; i++)
		if (!CPU_ISSET((unsigned)t->house_cpu[i], claimed))
			t->house_cpu[n++] = t->house_cpu[i];
	t->nhouse = n;
}

static void
see_cache(struct topology_caches *c, const struct hwloc_cache_attr_s *cache)
{
	const struct {
		size_t	*bytes;
		int	*ways;
	} level[] = { { &c->l1_bytes, &c->l1_ways }, { &c->l2_bytes, &c->l2_ways },
	    { &c->l3_bytes, &c->l3_ways } };

	if (c->line_bytes == 0)
		c->line_bytes = cache->linesize;
	if (cache->depth < 1 || cache->depth > 3 || cache->size <= *level[cache->depth - 1].bytes)
		return;
	*level[cache->depth - 1].bytes = cache->size;
	*level[cache->depth - 1].ways = cache->associativity;
}

/* Its caches; returns the last one, its package where there is none, or NULL. */
static hwloc_obj_t
see_caches_of(hwloc_topology_t h, int cpu, struct topology_caches *c)
{
	hwloc_obj_t	pu = hwloc_get_pu_obj_by_os_index(h, (unsigned)cpu), last = NULL;

	for (hwloc_obj_t o = pu; o != NULL; o = o->parent)
		if (hwloc_obj_type_is_dcache(o->type)) {
			see_cache(c, &o->attr->cache);
			last = o;
		}
	return last != NULL ? last : hwloc_get_ancestor_obj_by_type(h, HWLOC_OBJ_PACKAGE, pu);
}

/* CPUs below the object; without one the CPU alone. */
static void
add_sharing(cpu_set_t *shares, int cpu, hwloc_obj_t last)
{
	CPU_SET((unsigned)cpu, shares);
	for (int other = last != NULL ? hwloc_bitmap_first(last->cpuset) : -1; other >= 0;
	    other = hwloc_bitmap_next(last->cpuset, other))
		if (other < CPU_SETSIZE)
			CPU_SET((unsigned)other, shares);
}

static void
measure_caches(hwloc_topology_t h, struct topology *t)
{
	struct topology_caches	first = { 0 };

	(void)see_caches_of(h, t->slot_cpu[0], &first);
	t->l1_bytes = first.l1_bytes, t->l1_ways = first.l1_ways;
	t->l2_bytes = first.l2_bytes, t->l2_ways = first.l2_ways;
	t->l3_bytes = first.l3_bytes, t->l3_ways = first.l3_ways;
	t->line_bytes = first.line_bytes;
	for (unsigned i = 0; i < t->nslots; i++) {
		CPU_ZERO(&t->slot_shares[i]);
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET((unsigned)cpu, &t->slot[i]))
				add_sharing(&t->slot_shares[i], cpu,
				    see_caches_of(h, cpu, &t->slot_caches[i]));
	}
}

static size_t
larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

size_t
topology_largest_cache(const struct topology *t)
{
	size_t	largest = larger(t->l3_bytes, larger(t->l1_bytes, t->l2_bytes));

	for (unsigned i = 0; i < t->nslots; i++)
		largest = larger(largest, larger(t->slot_caches[i].l3_bytes,
		    larger(t->slot_caches[i].l1_bytes, t->slot_caches[i].l2_bytes)));
	return largest;
}

void
topology_machine(const struct topology *t, char out[TOPOLOGY_MACHINE_BYTES])
{
	struct utsname	u;

	if (uname(&u) != 0)
		u.nodename[0] = '\0';
	(void)snprintf(out, TOPOLOGY_MACHINE_BYTES, "%.80s, %s, %zu %zu %zu", u.nodename,
	    t->cpu_model, t->l1_bytes, t->l2_bytes, t->l3_bytes);
}

/* FNV-1a: a name for what is equal, not a secret. */
static uint64_t
hash_text(const char *text)
{
	uint64_t	h = UINT64_C(0xcbf29ce484222325);

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return h;
}

void
topology_class(const struct topology *t, char out[TOPOLOGY_CLASS_BYTES])
{
	struct utsname	u;
	char		text[512];

	if (uname(&u) != 0)
		u.machine[0] = '\0';
	(void)snprintf(text, sizeof text, "%.65s, %s, %u CPUs, %zu %zu %zu of %zu, %d %d %d ways",
	    u.machine, t->cpu_model, t->ncpus, t->l1_bytes, t->l2_bytes, t->l3_bytes,
	    t->line_bytes, t->l1_ways, t->l2_ways, t->l3_ways);
	(void)snprintf(out, TOPOLOGY_CLASS_BYTES, "%012" PRIx64, hash_text(text) >> 16);
}

static void
read_model(hwloc_topology_t h, struct topology *t)
{
	hwloc_obj_t	 package = hwloc_get_obj_by_type(h, HWLOC_OBJ_PACKAGE, 0);
	const char	*model = package != NULL ? hwloc_obj_get_info_by_name(package,
			    "CPUModel") : NULL;

	(void)snprintf(t->cpu_model, sizeof t->cpu_model, "%s", model != NULL ? model : "");
}

/* A host that hwloc was given in words has no files. */
static void
see_slow_cpus(hwloc_topology_t h, struct topology *t, const char *sysfs_root)
{
	struct hostfs	fs;

	if ((sysfs_root[0] != '\0' || hwloc_topology_is_thissystem(h)) &&
	    hostfs_init(&fs, sysfs_root) == 0)
		cpukind_slow(&fs, &t->slow);
}

enum status
topology_load(struct topology *t, const struct slot_list *want, const char *sysfs_root,
    struct fault *why)
{
	hwloc_topology_t	h;
	enum status		st;

	memset(t, 0, sizeof *t);
	if (sysfs_root[0] != '\0') {
		(void)unsetenv("HWLOC_XMLFILE");	/* it would come first */
		(void)setenv("HWLOC_FSROOT", sysfs_root, 1);
	}
	if (hwloc_topology_init(&h) != 0)
		return fault_set(why, ST_NOMEM, "hwloc");
	/* Also disallowed CPUs: after isolation the timing CPUs are among them. */
	(void)hwloc_topology_set_flags(h, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	if (hwloc_topology_load(h) != 0) {
		hwloc_topology_destroy(h);
		return fault_set(why, ST_INTERNAL, "hwloc cannot read this host's topology");
	}
	t->ncpus = (unsigned)hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_PU);
	see_slow_cpus(h, t, sysfs_root);
	if ((st = choose_slots(h, t, want, why)) == ST_OK) {
		see_slots(h, t);
		see_timing_cores(h, t);
		list_housekeeping(h, t);
		measure_caches(h, t);
		read_model(h, t);
	}
	hwloc_topology_destroy(h);
	return st;
}

static json_t *
cpu_list(const int *cpu, unsigned n)
{
	json_t	*list = json_array();

	for (unsigned i = 0; i < n; i++)
		(void)json_array_append_new(list, json_integer(cpu[i]));
	return list;
}

json_t *
topology_cpus(const cpu_set_t *cpus)
{
	json_t	*list = json_array();

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((unsigned)cpu, cpus))
			(void)json_array_append_new(list, json_integer(cpu));
	return list;
}

static json_t *
timing_cpus(const struct topology *t)
{
	cpu_set_t	all;

	CPU_ZERO(&all);
	for (unsigned i = 0; i < t->nslots; i++)
		CPU_OR(&all, &all, &t->slot[i]);
	return topology_cpus(&all);
}

static void
warn_of_slots(const struct topology *t, json_t *warnings)
{
	for (unsigned i = 0; i < t->nslots; i++) {
		char	list[256], text[400];

		(void)cpulist_format(&t->slot[i], list, sizeof list);
		(void)snprintf(text, sizeof text,
		    "slot %s has slow cores of a hybrid host; name fast ones", list);
		if (cpulist_overlap(&t->slot[i], &t->slow))
			(void)json_array_append_new(warnings, json_string(text));
		(void)snprintf(text, sizeof text,
		    "slot %s has several threads of one core: they slow each other; name "
		    "one of each", list);
		if (t->slot_cores[i] != 0 && t->slot_cores[i] < (unsigned)CPU_COUNT(&t->slot[i]))
			(void)json_array_append_new(warnings, json_string(text));
		(void)snprintf(text, sizeof text,
		    "slot %s lies in several packages: memory of one is far from the "
		    "other", list);
		if (t->slot_packages[i] > 1)
			(void)json_array_append_new(warnings, json_string(text));
	}
}

static json_t *
warnings(const struct topology *t)
{
	json_t	*list = json_array();

	if (is_slot(t, t->house_cpu[0]))
		(void)json_array_append_new(list, json_string(
		    "no core is left beside the timing slots: compilers and timings share one, "
		    "expect noise"));
	if (t->disturbs)
		(void)json_array_append_new(list, json_string(
		    "other daemons time on all other cores: compilers of this one disturb them"));
	if (is_slot(t, 0))
		(void)json_array_append_new(list, json_string(
		    "CPU 0 is a timing CPU: it takes most interrupts; choose another with "
		    "timing-cpus"));
	warn_of_slots(t, list);
	if (t->l3_bytes == 0 && t->l2_bytes == 0)
		(void)json_array_append_new(list, json_string(
		    "hwloc reports no cache sizes: give flush.bytes for OneCallFlushLRU and "
		    "MultiCallFlushLRU"));
	return list;
}

json_t *
topology_report(const struct topology *t)
{
	struct utsname	u;
	char		host_class[TOPOLOGY_CLASS_BYTES];
	json_t		*r = json_object();

	(void)json_object_set_new(r, "cpus", json_integer(t->ncpus));
	(void)json_object_set_new(r, "timing_cpus", timing_cpus(t));
	(void)json_object_set_new(r, "housekeeping_cpus", cpu_list(t->house_cpu, t->nhouse));
	(void)json_object_set_new(r, "caches", json_pack("{s:I,s:I,s:I,s:I,s:i,s:i,s:i}",
	    "l1_bytes", (json_int_t)t->l1_bytes, "l2_bytes", (json_int_t)t->l2_bytes,
	    "l3_bytes", (json_int_t)t->l3_bytes, "line_bytes", (json_int_t)t->line_bytes,
	    "l1_ways", t->l1_ways, "l2_ways", t->l2_ways, "l3_ways", t->l3_ways));
	(void)json_object_set_new(r, "cpu_model", json_string(t->cpu_model));
	if (uname(&u) == 0) {
		(void)json_object_set_new(r, "kernel", json_string(u.release));
		(void)json_object_set_new(r, "machine", json_string(u.machine));
		(void)json_object_set_new(r, "host", json_string(u.nodename));
	}
	topology_class(t, host_class);
	(void)json_object_set_new(r, "host_class", json_string(host_class));
	(void)json_object_set_new(r, "warnings", warnings(t));
	return r;
}
