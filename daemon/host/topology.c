/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <hwloc.h>

#include "daemon/host/topology.h"

static bool
is_slot(const struct topology *t, int cpu)
{
	for (unsigned i = 0; i < t->nslots; i++)
		if (t->slot_cpu[i] == cpu)
			return true;
	return false;
}

/* The core (or, where hwloc sees none, the PU) that a CPU belongs to; NULL: no such CPU. */
static hwloc_obj_t
core_of(hwloc_topology_t h, int cpu)
{
	hwloc_obj_t	pu = hwloc_get_pu_obj_by_os_index(h, (unsigned)cpu), core;

	if (pu == NULL)
		return NULL;
	core = hwloc_get_ancestor_obj_by_type(h, HWLOC_OBJ_CORE, pu);
	return core != NULL ? core : pu;
}

/* A slot's sibling threads share its core: nothing of ours may run there either. */
static bool
shares_core_with_slot(hwloc_topology_t h, const struct topology *t, hwloc_obj_t core)
{
	for (unsigned i = 0; i < t->nslots; i++)
		if (core_of(h, t->slot_cpu[i]) == core)
			return true;
	return false;
}

static enum status
choose_slots(hwloc_topology_t h, struct topology *t, const struct config *c, struct fault *why)
{
	hwloc_obj_t	last, core;

	for (unsigned i = 0; i < c->nslots; i++) {
		if (core_of(h, c->slot_cpu[i]) == NULL)
			return fault_at(why, ST_BAD_REQUEST, "timing-cpus", "this host has no CPU %d", c->slot_cpu[i]);
		t->slot_cpu[t->nslots++] = c->slot_cpu[i];
	}
	if (t->nslots != 0)
		return ST_OK;
	/* CPU 0 takes most interrupts: the last core is the quietest guess. */
	last = hwloc_get_obj_by_type(h, HWLOC_OBJ_PU, t->ncpus - 1);
	if (last == NULL)
		return fault_set(why, ST_INTERNAL, "hwloc sees no CPU");
	core = core_of(h, (int)last->os_index);
	t->slot_cpu[t->nslots++] = hwloc_bitmap_first(core->cpuset);
	return ST_OK;
}

static void
list_housekeeping(hwloc_topology_t h, struct topology *t)
{
	hwloc_obj_t	pu = NULL;

	while ((pu = hwloc_get_next_obj_by_type(h, HWLOC_OBJ_PU, pu)) != NULL)
		if (t->nhouse < sizeof t->house_cpu / sizeof t->house_cpu[0] &&
		    !shares_core_with_slot(h, t, core_of(h, (int)pu->os_index)))
			t->house_cpu[t->nhouse++] = (int)pu->os_index;
	if (t->nhouse == 0)		/* a host with one core: building and timing take turns on it */
		t->house_cpu[t->nhouse++] = t->slot_cpu[0];
}

static void
measure_caches(hwloc_topology_t h, struct topology *t)
{
	const struct {
		size_t	*bytes;
		int	*ways;
	} level[] = { { &t->l1_bytes, &t->l1_ways }, { &t->l2_bytes, &t->l2_ways }, { &t->l3_bytes, &t->l3_ways } };
	hwloc_obj_t	o = hwloc_get_pu_obj_by_os_index(h, (unsigned)t->slot_cpu[0]);

	for (; o != NULL; o = o->parent) {
		const struct hwloc_cache_attr_s	*cache = &o->attr->cache;

		if (!hwloc_obj_type_is_dcache(o->type))
			continue;
		if (cache->depth >= 1 && cache->depth <= 3) {
			*level[cache->depth - 1].bytes = cache->size;
			*level[cache->depth - 1].ways = cache->associativity;
		}
		if (t->line_bytes == 0)
			t->line_bytes = cache->linesize;
	}
}

size_t
topology_largest_cache(const struct topology *t)
{
	size_t	largest = t->l1_bytes > t->l2_bytes ? t->l1_bytes : t->l2_bytes;

	return t->l3_bytes > largest ? t->l3_bytes : largest;
}

static void
read_model(hwloc_topology_t h, struct topology *t)
{
	hwloc_obj_t	 package = hwloc_get_obj_by_type(h, HWLOC_OBJ_PACKAGE, 0);
	const char	*model = package != NULL ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;

	(void)snprintf(t->cpu_model, sizeof t->cpu_model, "%s", model != NULL ? model : "");
}

enum status
topology_load(struct topology *t, const struct config *c, struct fault *why)
{
	hwloc_topology_t	h;
	enum status		st;

	memset(t, 0, sizeof *t);
	if (c->sysfs_root[0] != '\0')
		(void)setenv("HWLOC_FSROOT", c->sysfs_root, 1);
	if (hwloc_topology_init(&h) != 0)
		return fault_set(why, ST_NOMEM, "hwloc");
	/* Disallowed CPUs too: after isolation our own timing CPUs are among them. */
	(void)hwloc_topology_set_flags(h, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	if (hwloc_topology_load(h) != 0) {
		hwloc_topology_destroy(h);
		return fault_set(why, ST_INTERNAL, "hwloc cannot read this host's topology");
	}
	t->ncpus = (unsigned)hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_PU);
	if ((st = choose_slots(h, t, c, why)) == ST_OK) {
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

static json_t *
warnings(const struct topology *t)
{
	json_t	*list = json_array();

	if (is_slot(t, t->house_cpu[0]))
		(void)json_array_append_new(list, json_string(
		    "this host has one core: compilers and timings share it, expect noise"));
	if (is_slot(t, 0))
		(void)json_array_append_new(list, json_string(
		    "CPU 0 is a timing CPU: it takes most interrupts; choose another with timing-cpus"));
	if (t->l3_bytes == 0 && t->l2_bytes == 0)
		(void)json_array_append_new(list, json_string(
		    "hwloc reports no cache sizes: give flush.bytes for OneCallFlushLRU and MultiCallFlushLRU"));
	return list;
}

json_t *
topology_report(const struct topology *t)
{
	struct utsname	u;
	json_t		*r = json_object();

	(void)json_object_set_new(r, "cpus", json_integer(t->ncpus));
	(void)json_object_set_new(r, "timing_cpus", cpu_list(t->slot_cpu, t->nslots));
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
	(void)json_object_set_new(r, "warnings", warnings(t));
	return r;
}
