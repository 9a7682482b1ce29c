/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <isl/map.h>

#include "client/transform/legality/flow.h"
#include "client/transform/legality/order.h"

enum { NAME_BYTES = 160 };

/* Accesses of a model in iterations of the original nest, by where their memory lives. */
struct accessed {
	const struct model	*model;
	isl_union_map		*outer;		/* owned: to memory that outlives the nest */
	isl_union_map		*inner;		/* owned: of a body, or made by a step */
};

/* Memory that outlives the nest has one name in all models of it. */
static void
add_accesses(struct accessed *to, isl_map *map)
{
	const struct model	*m = to->model;
	const struct memory	*x = &m->memory[strtoul(isl_map_get_tuple_name(map,
				    isl_dim_out) + 1, NULL, 10)];
	bool			 is_inner = x->number != 0 || x->symbol->is_made;
	isl_union_map		**list = is_inner ? &to->inner : &to->outer;
	char			 name[NAME_BYTES];

	(void)snprintf(name, sizeof name, "O%u%.100s", flow_symbol_number(m->source, x->symbol),
	    x->field);
	if (!is_inner)
		map = isl_map_set_tuple_name(map, isl_dim_out, name);
	*list = isl_union_map_union(*list, isl_union_map_from_map(map));
}

static struct accessed
accessed(const struct model *m, isl_union_map *accesses)
{
	struct accessed	 to = { .model = m };
	isl_union_map	*all = flow_original(m, accesses);
	isl_map_list	*list = isl_union_map_get_map_list(all);

	to.outer = isl_union_map_empty(isl_union_map_get_space(accesses));
	to.inner = isl_union_map_copy(to.outer);
	for (int i = 0; i < isl_map_list_n_map(list); i++)
		add_accesses(&to, isl_map_list_get_map(list, i));
	isl_map_list_free(list);
	isl_union_map_free(all);
	return to;
}

static void
accessed_release(struct accessed *a)
{
	isl_union_map_free(a->outer);
	isl_union_map_free(a->inner);
}

/* Access → one to the same element, one of the two a write. */
static isl_union_map *
conflicts(isl_union_map *reads, isl_union_map *writes)
{
	isl_union_map	*back = isl_union_map_reverse(isl_union_map_copy(writes)), *all;

	all = isl_union_map_apply_range(isl_union_map_copy(reads), isl_union_map_copy(back));
	all = isl_union_map_union(all, isl_union_map_reverse(isl_union_map_copy(all)));
	return isl_union_map_union(all, isl_union_map_apply_range(isl_union_map_copy(writes),
	    back));
}

static bool
are_equal(isl_union_map *x, isl_union_map *y)
{
	return isl_union_map_is_equal(x, y) == isl_bool_true;
}

/* Takes both. */
static bool
are_equal_taken(isl_union_map *x, isl_union_map *y)
{
	bool	equal = are_equal(x, y);

	isl_union_map_free(x);
	isl_union_map_free(y);
	return equal;
}

/* The same iterations reach the same memory as before. */
static bool
is_same_memory(const struct accessed *reads, const struct accessed *writes)
{
	return are_equal(reads[0].outer, reads[1].outer) &&
	    are_equal(writes[0].outer, writes[1].outer) &&
	    are_equal_taken(conflicts(reads[0].inner, writes[0].inner),
	    conflicts(reads[1].inner, writes[1].inner));
}

typedef isl_map	*order_fn(isl_map *, isl_map *);

/* The times of the accesses of one tuple. */
static isl_map *
times_of(isl_map_list *schedule, const char *tuple)
{
	isl_map	*map;

	for (int i = 0; i < isl_map_list_n_map(schedule); i++) {
		map = isl_map_list_get_map(schedule, i);
		if (strcmp(isl_map_get_tuple_name(map, isl_dim_in), tuple) == 0)
			return map;
		isl_map_free(map);
	}
	return NULL;
}

/* Of pairs those that come in this order.  Takes the pairs. */
static isl_union_map *
in_order(isl_union_map *pairs, const struct model *m, order_fn *order)
{
	isl_union_map	*time = flow_schedule(m), *kept = isl_union_map_empty(
			    isl_union_map_get_space(pairs));
	isl_map_list	*schedule = isl_union_map_get_map_list(time);
	isl_map_list	*list = isl_union_map_get_map_list(pairs);
	isl_map		*map, *x, *y;

	for (int i = 0; i < isl_map_list_n_map(list); i++) {
		map = isl_map_list_get_map(list, i);
		x = times_of(schedule, isl_map_get_tuple_name(map, isl_dim_in));
		y = times_of(schedule, isl_map_get_tuple_name(map, isl_dim_out));
		kept = isl_union_map_union(kept, isl_union_map_from_map(isl_map_intersect(map,
		    order(x, y))));
	}
	isl_map_list_free(list);
	isl_map_list_free(schedule);
	isl_union_map_free(time);
	isl_union_map_free(pairs);
	return kept;
}

void
order_compare(struct order *o, const struct model *before, const struct model *after)
{
	isl_ctx		*ctx = before->affine.ctx;
	bool		 was_well = isl_ctx_last_error(ctx) == isl_error_none;
	struct accessed	 reads[] = { accessed(before, before->reads),
			    accessed(after, after->reads) };
	struct accessed	 writes[] = { accessed(before, before->writes),
			    accessed(after, after->writes) };
	isl_union_map	*pairs = isl_union_map_union(conflicts(reads[0].outer, writes[0].outer),
			    conflicts(reads[0].inner, writes[0].inner));

	pairs = in_order(pairs, before, isl_map_lex_lt_map);
	o->turned = in_order(pairs, after, isl_map_lex_ge_map);
	o->is_kept = isl_union_map_is_empty(after->copies) == isl_bool_true &&
	    isl_union_map_is_empty(o->turned) == isl_bool_true && is_same_memory(reads, writes);
	for (int i = 0; i < 2; i++) {
		accessed_release(&reads[i]);
		accessed_release(&writes[i]);
	}
	if (isl_ctx_last_error(ctx) == isl_error_none)
		return;
	o->is_kept = false;
	if (was_well) {			/* the flow has the whole limit for itself */
		isl_ctx_reset_error(ctx);
		isl_ctx_reset_operations(ctx);
	}
}

void
order_release(struct order *o)
{
	isl_union_map_free(o->turned);
}
