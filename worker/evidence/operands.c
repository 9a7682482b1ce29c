/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/evidence/operands.h"

static const char *
cache_word(const struct spec *s, const struct operand *o)
{
	return o->cache == CACHE_COLD && spec_is_partial(s) ? "part" : cache_state_name(o->cache);
}

static bool
is_ordered(const struct operand *o)
{
	return o->init.kind == INIT_RANDOM && o->init.order != ORDER_RANDOM;
}

static size_t
count_shared(const struct spec *s, size_t arg)
{
	size_t	n = 0;

	for (size_t i = 0; i < s->routine.nparams; i++)
		n += s->args[i].is_shared && s->args[i].shared.of == arg;
	return n;
}

static bool
put_shared(const struct spec *s, size_t arg, struct shape_list *out)
{
	struct shared_report	*each;

	if (!shape_list_make(out, count_shared(s, arg), sizeof *each))
		return false;
	each = out->at;
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_shared && s->args[i].shared.of == arg)
			*each++ = (struct shared_report){ s->routine.params[i].name,
			    s->args[i].shared.first };
	return true;
}

static bool
put_operand(const struct spec *s, size_t arg, const struct bench_lodging *l,
    struct operand_report *out)
{
	const struct operand	*o = &s->args[arg].operand;

	*out = (struct operand_report){ .name = s->routine.params[arg].name,
	    .type = ctype_name(o->type), .init = init_name(o->init.kind),
	    .order = is_ordered(o) ? order_name(o->init.order) : NULL,
	    .seed = spec_is_random(o) ? o->init.seed : SHAPE_NO_SIZE,
	    .access = access_name(o->access),
	    .cache = cache_word(s, o), .state = line_state_name(o->state), .align = o->align,
	    .misalign = o->misalign != 0 ? o->misalign : SHAPE_NO_SIZE,
	    .offset = o->offset != 0 ? o->offset : SHAPE_NO_SIZE, .stride = o->stride,
	    .memory = memory_name(o->memory), .pages = pages_found_name(l->pages),
	    .node = l->node };
	if (!shape_sizes_make(&out->dims, o->ndims))
		return false;
	for (size_t d = 0; d < o->ndims; d++)
		out->dims.x[d] = o->size[d];
	return put_shared(s, arg, &out->shared);
}

bool
operands_report(const struct spec *s, const struct bench_lodging *lodging,
    struct shape_list *out)
{
	static const struct bench_lodging	 unknown = { NODE_UNKNOWN, PAGES_FOUND_UNKNOWN };
	struct operand_report			*each;
	size_t					 n = 0;

	for (size_t i = 0; i < s->routine.nparams; i++)
		n += s->args[i].is_operand;
	if (!shape_list_make(out, n, sizeof *each))
		return false;
	each = out->at;
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand && !put_operand(s, i,
		    lodging != NULL ? lodging++ : &unknown, each++))
			return false;
	return true;
}
