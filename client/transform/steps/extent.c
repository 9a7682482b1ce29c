/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/val.h>

#include "client/transform/steps/extent.h"

/* Takes the value; false: it is no number. */
static bool
take_number(isl_val *v, int64_t *out)
{
	bool	is_number = v != NULL && isl_val_is_int(v) == isl_bool_true;

	if (is_number)
		*out = isl_val_get_num_si(v);
	isl_val_free(v);
	return is_number;
}

static bool
add_set(struct extent *e, isl_set *set)
{
	int64_t	least, most;

	e->n = (size_t)isl_set_dim(set, isl_dim_set);
	for (size_t i = 0; i < e->n && i < SYMBOL_MAX_DIMS; i++) {
		if (!take_number(isl_set_dim_min_val(isl_set_copy(set), (int)i), &least) ||
		    !take_number(isl_set_dim_max_val(isl_set_copy(set), (int)i), &most) ||
		    least < 0 || most > 1 << 28)
			return false;
		if (e->size[i] == 0 || least < e->least[i])
			e->least[i] = least;
		if (e->size[i] < most + 1)
			e->size[i] = most + 1;
	}
	return true;
}

/* Dimensions in front are the loops around a variable's declaration. */
static bool
add_accesses(struct extent *e, const struct model *m, isl_union_map *accesses,
    const struct symbol *s, bool *found)
{
	isl_union_set	*all = isl_union_map_range(isl_union_map_copy(accesses));
	isl_set_list	*list = isl_union_set_get_set_list(all);
	bool		 is_known = true;
	unsigned	 number;

	*found = false;
	for (int i = 0; i < isl_set_list_n_set(list); i++) {
		isl_set		*one = isl_set_list_get_set(list, i);
		const char	*name = isl_set_get_tuple_name(one);

		number = 0;
		for (const char *c = name + 1; *c != '\0'; c++)
			number = 10 * number + (unsigned)(*c - '0');
		if (m->memory[number].symbol == s) {
			is_known = is_known && add_set(e, one);
			*found = true;
		}
		isl_set_free(one);
	}
	isl_set_list_free(list);
	isl_union_set_free(all);
	return is_known;
}

enum status
extent_find(struct work *w, struct region *r, const struct script_step *step,
    const struct symbol *s, struct extent *e, struct fault *why)
{
	struct affine	plain = r->affine;
	struct model	m;
	bool		read, written, known = false;
	int64_t		bytes = s->element_bytes;
	enum status	st;

	*e = (struct extent){ .n = 0 };
	plain.nshapes = 0;
	st = model_init(&m, w->arena, w->source, &plain, r->root, why);
	if (st == ST_OK)
		known = add_accesses(e, &m, m.reads, s, &read) &&
		    add_accesses(e, &m, m.writes, s, &written);
	model_release(&m);
	if (st != ST_OK)
		return st;
	if (!known || e->n != s->ndims) {
		(void)script_refuse(w->script, step, why,
		    "how much of %s the nest reaches is not known", s->name);
		fault_hint(why, "make its sizes constant: the step `constant`");
		return ST_BAD_SPEC;
	}
	e->is_written = written;
	for (size_t i = 0; i < e->n; i++)
		if (__builtin_mul_overflow(bytes, e->size[i], &bytes))
			bytes = INT64_MAX;
	if (bytes > EXTENT_MAX_BYTES)
		return script_refuse(w->script, step, why,
		    "the nest reaches more than %d bytes of %s, too much for a local array",
		    EXTENT_MAX_BYTES, s->name);
	return read || written ? ST_OK : script_refuse(w->script, step, why,
	    "the nest does not use %s", s->name);
}
