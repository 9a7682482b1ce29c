/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <isl/flow.h>
#include <isl/map.h>
#include <isl/val.h>

#include "client/transform/legality/flow.h"

enum { NAME_BYTES = 160 };

struct outside {
	const struct model	*model;
	isl_union_map		*reads, *writes, *schedule;	/* owned */
};

/* ---- what happens before and after ---- */

static bool
is_dead(const struct liveness *live, const struct symbol *s)
{
	for (size_t i = 0; i < live->n; i++)
		if (live->dead[i] == s)
			return true;
	return false;
}

unsigned
flow_symbol_number(const struct source *s, const struct symbol *of)
{
	unsigned	i = 0;

	while (i < s->nsymbols && s->symbols[i] != of)
		i++;
	return i;
}

/* The elements of memory `i` that the accesses reach. */
static isl_set *
elements(isl_union_map *accesses, unsigned i)
{
	isl_union_set	*all = isl_union_map_range(isl_union_map_copy(accesses));
	isl_set_list	*list = isl_union_set_get_set_list(all);
	isl_set		*found = NULL, *one;
	char		 name[NAME_BYTES];

	(void)snprintf(name, sizeof name, "M%u", i);
	for (int k = 0; k < isl_set_list_n_set(list); k++) {
		one = isl_set_list_get_set(list, k);
		if (found == NULL && strcmp(isl_set_get_tuple_name(one), name) == 0)
			found = one;
		else
			isl_set_free(one);
	}
	isl_set_list_free(list);
	isl_union_set_free(all);
	return found;
}

/* One access to each element: before the nest a write, after it a read.  Takes the elements. */
static void
add_outside(struct outside *to, isl_set *of, char kind, unsigned i)
{
	const struct memory	*m = &to->model->memory[i];
	char			 name[NAME_BYTES];
	isl_map			*map, *time;

	(void)snprintf(name, sizeof name, "%c%u%.100s", kind,
	    flow_symbol_number(to->model->source, m->symbol), m->field);
	map = isl_map_set_tuple_name(isl_set_identity(isl_set_copy(of)), isl_dim_in, name);
	if (kind == 'I')
		to->writes = isl_union_map_union(to->writes, isl_union_map_from_map(map));
	else
		to->reads = isl_union_map_union(to->reads, isl_union_map_from_map(map));
	time = isl_map_add_dims(isl_map_from_domain(isl_set_set_tuple_name(of, name)),
	    isl_dim_out, to->model->time_dims);
	for (unsigned k = 0; k < to->model->time_dims; k++)
		time = isl_map_fix_si(time, isl_dim_out, k, k == 0 && kind == 'F' ? 2 : 0);
	time = isl_map_set_tuple_name(time, isl_dim_out, "T");
	to->schedule = isl_union_map_union(to->schedule, isl_union_map_from_map(time));
}

static void
add_memory(struct outside *to, unsigned i, const struct liveness *live)
{
	const struct memory	*m = &to->model->memory[i];
	isl_set			*of;

	if (m->number != 0 || m->symbol->is_made)
		return;
	if (m->symbol->kind != SYMBOL_LOCAL &&
	    (of = elements(to->model->reads, i)) != NULL)
		add_outside(to, of, 'I', i);
	if (!is_dead(live, m->symbol) &&
	    (of = elements(to->model->writes, i)) != NULL)
		add_outside(to, of, 'F', i);
}

/* ---- flow ---- */

/* A value goes through the statements that only copy it. */
static isl_union_map *
pass_copies(isl_union_map *flow, isl_union_map *copies)
{
	isl_union_map	*through;

	if (isl_union_map_is_empty(copies) == isl_bool_true)
		return flow;
	for (int i = 0; i < 2; i++) {
		through = isl_union_map_apply_range(isl_union_map_copy(flow),
		    isl_union_map_copy(copies));
		through = isl_union_map_apply_range(through, isl_union_map_copy(flow));
		flow = isl_union_map_union(flow, through);
	}
	flow = isl_union_map_subtract_range(flow,
	    isl_union_map_domain(isl_union_map_copy(copies)));
	return isl_union_map_subtract_domain(flow,
	    isl_union_map_range(isl_union_map_copy(copies)));
}

isl_union_map *
flow_original(const struct model *m, isl_union_map *of)
{
	return isl_union_map_coalesce(isl_union_map_apply_domain(isl_union_map_copy(of),
	    isl_union_map_copy(m->origin)));
}

/* Parts of time that are one number for all accesses take time to compare, and decide nothing. */
static isl_union_map *
drop_fixed(isl_union_map *schedule)
{
	isl_set		*times = isl_set_from_union_set(isl_union_map_range(
			    isl_union_map_copy(schedule)));
	isl_map		*keep = isl_map_universe(isl_space_map_from_domain_and_range(
			    isl_set_get_space(times), isl_space_set_from_params(
			    isl_space_params(isl_set_get_space(times)))));
	int		 n = (int)isl_set_dim(times, isl_dim_set), kept = 0;
	isl_val		*v;

	for (int i = 0; i < n; i++) {
		v = isl_set_plain_get_val_if_fixed(times, isl_dim_set, (unsigned)i);
		if (isl_val_is_nan(v) == isl_bool_true) {
			keep = isl_map_add_dims(keep, isl_dim_out, 1);
			keep = isl_map_equate(keep, isl_dim_in, i, isl_dim_out, kept++);
		}
		isl_val_free(v);
	}
	isl_set_free(times);
	return isl_union_map_apply_range(schedule, isl_union_map_from_map(keep));
}

isl_union_map *
flow_schedule(const struct model *m)
{
	return drop_fixed(flow_original(m, m->schedule));
}

/* From each write to the reads that see its value, in iterations of the original nest. */
isl_union_map *
flow_of(const struct model *m, const struct liveness *live, isl_set *sinks)
{
	struct outside		 all = { .model = m };
	isl_union_access_info	*info;
	isl_union_flow		*flow;
	isl_union_map		*found;

	all.reads = flow_original(m, m->reads);
	all.writes = flow_original(m, m->writes);
	all.schedule = flow_original(m, m->schedule);
	for (unsigned i = 0; i < m->nmemory; i++)
		add_memory(&all, i, live);
	all.schedule = drop_fixed(all.schedule);
	if (sinks != NULL)
		all.reads = isl_union_map_intersect_domain(all.reads,
		    isl_union_set_from_set(isl_set_copy(sinks)));
	info = isl_union_access_info_from_sink(all.reads);
	info = isl_union_access_info_set_must_source(info, all.writes);
	info = isl_union_access_info_set_schedule_map(info, all.schedule);
	flow = isl_union_access_info_compute_flow(info);
	found = isl_union_flow_get_must_dependence(flow);
	isl_union_flow_free(flow);
	return pass_copies(found, m->copies);
}
