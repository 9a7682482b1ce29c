/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include <isl/map.h>
#include <isl/point.h>

#include "client/transform/legality/pair.h"
#include "client/transform/legality/verdict.h"

enum { MAX_TRIED = 2 };		/* pairs: each costs a tenth of a whole flow */

/* ---- equal flow ---- */

static enum status
refuse_flow(const struct model *m, isl_union_map *lost, isl_union_map *gained,
    struct fault *why)
{
	struct pair	was = { .found = false }, is = { .found = false };
	struct place	at;

	pair_find(m, lost, &was);
	if (gained != NULL)
		pair_find(m, gained, &is);
	at = was.found ? was.at : is.at;
	if (was.found)
		return source_refuse(m->source, at, why, "%s needs the value written to %s, and "
		    "would not get it in this order", was.to, was.from);
	return source_refuse(m->source, at, why, "%s would get the value written to %s, which "
	    "it does not see in the order of the source", is.to, is.from);
}

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

/* The flow to these reads, or to all, is equal; else a refusal. */
static enum status
compare_flow(const struct model *before, const struct model *after, const struct liveness *live,
    isl_set *sinks, struct fault *why)
{
	isl_union_map	*x, *y, *lost = NULL, *gained = NULL;
	enum status	 st = ST_OK;
	isl_bool	 same;

	isl_ctx_reset_operations(before->affine.ctx);
	x = flow_of(before, live, sinks);
	y = flow_of(after, live, sinks);
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

/* One read of a pair whose order is turned round; NULL: both are writes. */
static isl_set *
one_read(isl_map *pair)
{
	bool		 first = isl_map_get_tuple_name(pair, isl_dim_in)[0] == 'R';
	isl_point	*p;
	isl_map		*one;

	if (!first && isl_map_get_tuple_name(pair, isl_dim_out)[0] != 'R')
		return NULL;
	p = isl_set_sample_point(isl_map_wrap(isl_map_copy(pair)));
	one = isl_set_unwrap(isl_set_from_point(p));
	return first ? isl_map_domain(one) : isl_map_range(one);
}

/* Where an order is turned round the flow is likely to differ: one read shows it, not all. */
static enum status
try_turned(const struct model *before, const struct model *after, const struct liveness *live,
    isl_union_map *turned, struct fault *why)
{
	isl_map_list	*list = isl_union_map_get_map_list(turned);
	isl_map		*map;
	isl_set		*sink;
	enum status	 st = ST_OK;

	for (int i = 0; i < isl_map_list_n_map(list) && i < MAX_TRIED && st == ST_OK; i++) {
		map = isl_map_list_get_map(list, i);
		sink = one_read(map);
		if (sink != NULL)
			st = compare_flow(before, after, live, sink, why);
		isl_set_free(sink);
		isl_map_free(map);
	}
	isl_map_list_free(list);
	return st;
}

enum status
verdict_instances(const struct model *before, const struct model *after, struct fault *why)
{
	enum status	st = compare_instances(before, after, why);

	return st != ST_OK && isl_ctx_last_error(before->affine.ctx) != isl_error_none ?
	    too_complex(before->affine.ctx, why) : st;
}

enum status
verdict_compare(const struct model *before, const struct model *after,
    const struct liveness *live, isl_union_map *turned, struct fault *why)
{
	enum status	st = try_turned(before, after, live, turned, why);

	return st == ST_OK ? compare_flow(before, after, live, NULL, why) : st;
}

bool
verdict_reads_first(struct model *m, const struct symbol *s)
{
	struct liveness	 none = { NULL, 0 };
	isl_map_list	*list;
	bool		 found = false;
	unsigned	 id;

	if (m->flow == NULL && (m->flow = flow_of(m, &none, NULL)) == NULL)
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
		pair_find(m, both, &p);
	isl_union_map_free(both);
	return p.found ? source_refuse(m->source, p.at, why, "%s and %s reach one element",
	    p.from, p.to) : ST_OK;
}
