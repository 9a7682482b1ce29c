/* SPDX-License-Identifier: Apache-2.0 */
#include "client/transform/model/walk.h"

static unsigned
depth_of(const struct node *n)
{
	unsigned	most = 0, depth;

	for (size_t i = 0; i < n->nkids; i++) {
		depth = depth_of(n->kids[i]);
		most = depth > most ? depth : most;
	}
	return most + (n->kind == NODE_LOOP);
}

enum status
model_init(struct model *m, struct arena *a, const struct source *s, const struct affine *f,
    struct node *root, struct fault *why)
{
	struct walk	w = { .to = m, .here = *f, .why = why };
	isl_space	*params = isl_space_params(isl_space_copy(f->params));
	enum status	st;

	*m = (struct model){ .arena = a, .source = s, .affine = *f,
	    .time_dims = 2 * depth_of(root) + 3 };
	m->reads = isl_union_map_empty(isl_space_copy(params));
	m->writes = isl_union_map_copy(m->reads);
	m->schedule = isl_union_map_copy(m->reads);
	m->origin = isl_union_map_copy(m->reads);
	m->instances = isl_union_map_copy(m->reads);
	m->copies = isl_union_map_empty(params);
	w.domain = isl_set_universe(affine_space(f));
	st = walk_node(&w, root);
	isl_set_free(w.domain);
	return st;
}

void
model_release(struct model *m)
{
	isl_union_map_free(m->reads);
	isl_union_map_free(m->writes);
	isl_union_map_free(m->schedule);
	isl_union_map_free(m->origin);
	isl_union_map_free(m->instances);
	isl_union_map_free(m->copies);
	isl_union_map_free(m->flow);
}
