/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <isl/flow.h>
#include <isl/map.h>
#include <isl/point.h>
#include <isl/val.h>

#include "client/transform/verdict.h"

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

static unsigned
symbol_number(const struct source *s, const struct symbol *of)
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
	    symbol_number(to->model->source, m->symbol), m->field);
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

/* Over iterations of the original nest, in as few pieces as may be. */
static isl_union_map *
original(const struct model *m, isl_union_map *of)
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

/* From each write to the reads that see its value, in iterations of the original nest. */
static isl_union_map *
flow_of(const struct model *m, const struct liveness *live)
{
	struct outside		 all = { .model = m };
	isl_union_access_info	*info;
	isl_union_flow		*flow;
	isl_union_map		*found;

	all.reads = original(m, m->reads);
	all.writes = original(m, m->writes);
	all.schedule = original(m, m->schedule);
	for (unsigned i = 0; i < m->nmemory; i++)
		add_memory(&all, i, live);
	all.schedule = drop_fixed(all.schedule);
	info = isl_union_access_info_from_sink(all.reads);
	info = isl_union_access_info_set_must_source(info, all.writes);
	info = isl_union_access_info_set_schedule_map(info, all.schedule);
	flow = isl_union_access_info_compute_flow(info);
	found = isl_union_flow_get_must_dependence(flow);
	isl_union_flow_free(flow);
	return pass_copies(found, m->copies);
}

/* ---- words ---- */

static const struct use *
find_use(const struct model *m, unsigned id, unsigned n)
{
	for (size_t i = 0; i < m->nuses; i++)
		if (m->uses[i].id == id && m->uses[i].n == n)
			return &m->uses[i];
	return NULL;
}

static void
put_values(char *to, size_t bytes, isl_point *p, int from, int n)
{
	isl_val	*v;
	size_t	 used = 0;
	char	*text;

	to[0] = '\0';
	for (int i = 0; i < n && used + 24 < bytes; i++) {
		v = isl_point_get_coordinate_val(p, isl_dim_set, from + i);
		text = isl_val_to_str(v);
		used += (size_t)snprintf(to + used, bytes - used, "%s%.20s", i > 0 ? ", " : "",
		    text != NULL ? text : "?");
		free(text);
		isl_val_free(v);
	}
}

/* "line 7 in iteration (r, q) = (0, 1)" */
static struct place
put_end(const struct model *m, const char *name, const char *values, char *to, size_t bytes)
{
	struct place		 at = { 0, 0, 0 };
	const struct use	*use;
	const struct symbol	*s;
	unsigned		 id = 0, n = 0;

	if (name[0] == 'I' || name[0] == 'F') {
		s = sscanf(name + 1, "%u", &id) == 1 && id < m->source->nsymbols ?
		    m->source->symbols[id] : NULL;
		(void)snprintf(to, bytes, name[0] == 'I' ? "%s[%s] as it is before the nest" :
		    "%s[%s] after the nest", s != NULL ? s->name : "?", values);
		return at;
	}
	if (sscanf(name + 1, "%u_%u", &id, &n) != 2 || (use = find_use(m, id, n)) == NULL) {
		(void)snprintf(to, bytes, "(%s)", values);
		return at;
	}
	(void)snprintf(to, bytes, "%s in line %u%s%s%s%s%s", use->symbol->name, use->at.line,
	    values[0] != '\0' ? " in iteration (" : "", values[0] != '\0' ? use->loops : "",
	    values[0] != '\0' ? ") = (" : "", values, values[0] != '\0' ? ")" : "");
	return use->at;
}

struct pair {
	char		 from[256], to[256];	/* write, read */
	struct place	 at;			/* of the read, or of the write if it has none */
	bool		 is_final;
	bool		 found;
};

static void
describe_pair(const struct model *m, isl_map *map, struct pair *out)
{
	isl_point	*p;
	struct place	 from, to;
	char		 source[128], sink[128];
	int		 nin = (int)isl_map_dim(map, isl_dim_in);

	p = isl_set_sample_point(isl_map_wrap(isl_map_copy(map)));
	put_values(source, sizeof source, p, 0, nin);
	put_values(sink, sizeof sink, p, nin, (int)isl_map_dim(map, isl_dim_out));
	from = put_end(m, isl_map_get_tuple_name(map, isl_dim_in), source, out->from,
	    sizeof out->from);
	to = put_end(m, isl_map_get_tuple_name(map, isl_dim_out), sink, out->to, sizeof out->to);
	out->is_final = isl_map_get_tuple_name(map, isl_dim_out)[0] == 'F';
	out->at = to.line > 0 ? to : from;
	out->found = true;
	isl_point_free(p);
}

/* One pair of a relation: of reads within the nest if there is one. */
static void
find_pair(const struct model *m, isl_union_map *relation, struct pair *out)
{
	isl_map_list	*list = isl_union_map_get_map_list(relation);
	isl_map		*map;

	for (int i = 0; i < isl_map_list_n_map(list); i++) {
		map = isl_map_list_get_map(list, i);
		if (!out->found || out->is_final)
			describe_pair(m, map, out);
		isl_map_free(map);
	}
	isl_map_list_free(list);
}

static enum status
refuse_flow(const struct model *m, isl_union_map *lost, isl_union_map *gained,
    struct fault *why)
{
	struct pair	was = { .found = false }, is = { .found = false };
	struct place	at;

	find_pair(m, lost, &was);
	if (gained != NULL)
		find_pair(m, gained, &is);
	at = was.found ? was.at : is.at;
	if (was.found)
		return source_refuse(m->source, at, why, "%s needs the value written to %s, and "
		    "would not get it in this order", was.to, was.from);
	return source_refuse(m->source, at, why, "%s would get the value written to %s, which "
	    "it does not see in the order of the source", is.to, is.from);
}

/* ---- verdict ---- */

static enum status
compare_instances(const struct model *before, const struct model *after, struct fault *why)
{
	isl_union_set	*x = isl_union_map_range(isl_union_map_copy(before->instances));
	isl_union_set	*y = isl_union_map_range(isl_union_map_copy(after->instances));
	bool		 same = isl_union_set_is_equal(x, y) == isl_bool_true &&
			    isl_union_map_is_injective(after->instances) == isl_bool_true;

	isl_union_set_free(x);
	isl_union_set_free(y);
	return same ? ST_OK : fault_set(why, ST_BAD_SPEC,
	    "after this step iterations would be missing or run twice");
}

static enum status
too_complex(isl_ctx *ctx, struct fault *why)
{
	enum isl_error	error = isl_ctx_last_error(ctx);

	isl_ctx_reset_error(ctx);
	isl_ctx_reset_operations(ctx);
	if (error == isl_error_quota)
		(void)fault_set(why, ST_BAD_SPEC, "too complex: the dataflow of this nest was not "
		    "found within the limit");
	else
		(void)fault_set(why, ST_BAD_SPEC, "the dataflow of this nest was not found: %s",
		    isl_ctx_last_error_msg(ctx) != NULL ? isl_ctx_last_error_msg(ctx) : "isl");
	fault_hint(why, "constants make it simpler: the step `constant`");
	return ST_BAD_SPEC;
}

enum status
verdict_compare(const struct model *before, const struct model *after,
    const struct liveness *live, struct fault *why)
{
	isl_union_map	*x, *y, *lost = NULL, *gained = NULL;
	enum status	 st;
	isl_bool	 same;

	if ((st = compare_instances(before, after, why)) != ST_OK)
		return isl_ctx_last_error(before->affine.ctx) != isl_error_none ?
		    too_complex(before->affine.ctx, why) : st;
	x = flow_of(before, live);
	y = flow_of(after, live);
	same = isl_union_map_is_equal(x, y);
	if (same == isl_bool_error || x == NULL || y == NULL) {
		st = too_complex(before->affine.ctx, why);
	} else if (same == isl_bool_false) {
		lost = isl_union_map_subtract(isl_union_map_copy(x), isl_union_map_copy(y));
		if (isl_union_map_is_empty(lost) == isl_bool_true)
			gained = isl_union_map_subtract(isl_union_map_copy(y),
			    isl_union_map_copy(x));
		st = refuse_flow(before, lost, gained, why);
	}
	isl_union_map_free(lost);
	isl_union_map_free(gained);
	isl_union_map_free(x);
	isl_union_map_free(y);
	return st;
}

bool
verdict_reads_first(struct model *m, const struct symbol *s)
{
	struct liveness	 none = { NULL, 0 };
	isl_map_list	*list;
	bool		 found = false;
	unsigned	 id;

	if (m->flow == NULL && (m->flow = flow_of(m, &none)) == NULL)
		return true;
	list = isl_union_map_get_map_list(m->flow);
	for (int i = 0; i < isl_map_list_n_map(list); i++) {
		isl_map		*map = isl_map_list_get_map(list, i);
		const char	*from = isl_map_get_tuple_name(map, isl_dim_in);

		if (from[0] == 'I' && isl_map_get_tuple_name(map, isl_dim_out)[0] == 'R' &&
		    sscanf(from + 1, "%u", &id) == 1 && id < m->source->nsymbols &&
		    m->source->symbols[id] == s)
			found = true;
		isl_map_free(map);
	}
	isl_map_list_free(list);
	return found;
}

/* ---- independence ---- */

/* Times that agree in all loops further out and differ in the loop. */
static isl_map *
same_but(const struct model *m, isl_space *params, unsigned depth)
{
	isl_space	*space = isl_space_add_dims(isl_space_set_from_params(params), isl_dim_set,
			    m->time_dims);
	isl_map		*map;

	space = isl_space_set_tuple_name(space, isl_dim_set, "T");
	map = isl_map_universe(isl_space_map_from_set(space));
	for (unsigned i = 0; i < 2 * depth + 2; i++)
		map = isl_map_equate(map, isl_dim_in, (int)i, isl_dim_out, (int)i);
	return isl_map_order_lt(map, isl_dim_in, (int)(2 * depth + 2), isl_dim_out,
	    (int)(2 * depth + 2));
}

enum status
verdict_independent(const struct model *m, unsigned depth, struct fault *why)
{
	isl_union_map	*all = isl_union_map_union(isl_union_map_copy(m->reads),
			    isl_union_map_copy(m->writes));
	isl_union_map	*order, *both;
	struct pair	 p = { .found = false };

	/* write → element → access, and the other way round */
	both = isl_union_map_apply_range(isl_union_map_copy(m->writes),
	    isl_union_map_reverse(all));
	both = isl_union_map_union(both, isl_union_map_reverse(isl_union_map_copy(both)));
	order = isl_union_map_from_map(same_but(m,
	    isl_union_map_get_space(m->schedule), depth));
	order = isl_union_map_apply_range(isl_union_map_copy(m->schedule), order);
	order = isl_union_map_apply_range(order,
	    isl_union_map_reverse(isl_union_map_copy(m->schedule)));
	both = isl_union_map_intersect(both, order);
	both = isl_union_map_apply_domain(both, isl_union_map_copy(m->origin));
	both = isl_union_map_apply_range(both, isl_union_map_copy(m->origin));
	if (both == NULL)
		return too_complex(m->affine.ctx, why);
	if (isl_union_map_is_empty(both) != isl_bool_true)
		find_pair(m, both, &p);
	isl_union_map_free(both);
	return p.found ? source_refuse(m->source, p.at, why, "%s and %s reach one element",
	    p.from, p.to) : ST_OK;
}
