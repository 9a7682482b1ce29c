/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "client/search/operands.h"
#include "proto/spec/spec.h"

enum { LEAST_BYTES = 4096 };		/* a smaller one moves with its neighbours */

static uint64_t
bytes_of(const struct operand *o)
{
	return o->elements * spec_element_bytes(o);
}

static uint64_t
all_bytes(const struct spec *s)
{
	uint64_t	sum = 0;

	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand)
			sum += bytes_of(&s->args[i].operand);
	return sum;
}

/* One that only repeats another's memory has no size of its own, and no state. */
static bool
is_searched(const struct arg *a, const json_t *document)
{
	return a->is_operand && bytes_of(&a->operand) >= LEAST_BYTES &&
	    json_object_get(document, "dims") != NULL &&
	    json_object_get(document, "cache") == NULL &&
	    json_object_get(document, "state") == NULL;
}

/* Where everything fits into the first cache, "L1" is the same as warm. */
static unsigned
levels_of(const struct operand *o, const struct operands_caches *c, uint64_t all)
{
	const uint64_t	bytes = bytes_of(o);
	unsigned	may = 1u << LEVEL_WARM | 1u << LEVEL_MEMORY;

	if (bytes <= c->l1_bytes && all > c->l1_bytes)
		may |= 1u << LEVEL_L1;
	if (bytes <= c->l2_bytes)
		may |= 1u << LEVEL_L2;
	if (bytes <= c->l3_bytes)
		may |= 1u << LEVEL_L3;
	if (o->access == ACCESS_IN)
		may |= 1u << LEVEL_WARM_DIRTY;
	if (o->access == ACCESS_IN && bytes <= c->l3_bytes)
		may |= 1u << LEVEL_L3_DIRTY;
	return may;
}

static void
collect(const struct spec *s, json_t *args, const struct operands_caches *caches,
    struct states_operand *out, size_t most, size_t *n)
{
	for (size_t i = 0; i < s->routine.nparams && *n < most; i++) {
		const char	*name = s->routine.params[i].name;

		if (!is_searched(&s->args[i], json_object_get(args, name)))
			continue;
		out[(*n)++] = (struct states_operand){
		    .name = json_object_iter_key(json_object_iter_at(args, name)),
		    .bytes = bytes_of(&s->args[i].operand),
		    .may = levels_of(&s->args[i].operand, caches, all_bytes(s)) };
	}
}

enum status
operands_searched(const json_t *job, const struct operands_caches *caches,
    struct states_operand *out, size_t most, size_t *n, struct fault *why)
{
	struct job	*decoded = calloc(1, sizeof *decoded);
	enum status	 st;

	*n = 0;
	if (decoded == NULL)
		return fault_set(why, ST_NOMEM, "operands");
	if ((st = job_decode(decoded, job, why)) == ST_OK) {
		if (decoded->spec.checkpoint == NULL)
			collect(&decoded->spec,
			    json_object_get(json_object_get(job, "spec"), "args"), caches, out,
			    most, n);
		job_release(decoded);
	}
	free(decoded);
	return st;
}

static json_t *
members_at(enum state_level level)
{
	static const char *const	words[LEVEL_N] = {
		[LEVEL_L1] = "L1", [LEVEL_L2] = "L2", [LEVEL_L3] = "L3",
		[LEVEL_L3_DIRTY] = "L3", [LEVEL_MEMORY] = "cold",
	};
	json_t				*o = json_object();

	if (words[level] != NULL)
		(void)json_object_set_new(o, "cache", json_string(words[level]));
	if (level == LEVEL_WARM_DIRTY || level == LEVEL_L3_DIRTY)
		(void)json_object_set_new(o, "state", json_string("dirty"));
	return o;
}

json_t *
operands_members(const struct states *s, const struct states_point *p)
{
	json_t	*members = json_object();

	for (size_t k = 0; k < s->noperands; k++)
		if (p->level[k] != LEVEL_WARM)
			(void)json_object_set_new(members, s->operand[k].name,
			    members_at((enum state_level)p->level[k]));
	return members;
}
