/* SPDX-License-Identifier: Apache-2.0 */
/* Structs: the compiler lays them out, and it must agree with the decoder. */
#include "proto/driver/draft.h"

static void
put_record_type(struct draft *t, const struct record *r, size_t k)
{
	draft(t, "struct drv_record%zu {\n", k);
	for (size_t m = 0; m < r->nmembers; m++) {
		draft(t, "\t%s drv_m%zu", ctype_name(r->member[m].type), m);
		if (r->member[m].count > 1)
			draft(t, "[%zu]", r->member[m].count);
		draft(t, ";\n");
	}
	draft(t, "};\n_Static_assert(sizeof(struct drv_record%zu) == %zu, \"size\");\n", k,
	    r->bytes);
}

static void
put_member(struct draft *t, const struct record_member *m, size_t k, size_t place)
{
	double	min, max;

	spec_random_range(m->type, &min, &max);
	draft(t, "\t{ .rt_class = '%c', .rt_bytes = %zu, .rt_count = %zu, .rt_low = %.17g, "
	    ".rt_high = %.17g,\n\t\t.rt_offset = __builtin_offsetof(struct drv_record%zu, "
	    "drv_m%zu) },\n", draft_class(m->type), ctype_bytes(m->type), m->count, min, max, k,
	    place);
}

void
draft_record(struct draft *t, const struct record *r, size_t k)
{
	put_record_type(t, r, k);
	draft(t, "static const struct rt_member drv_member%zu[] = {\n", k);
	for (size_t m = 0; m < r->nmembers; m++)
		put_member(t, &r->member[m], k, m);
	draft(t, "};\n");
}
