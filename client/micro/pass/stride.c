/* SPDX-License-Identifier: Apache-2.0 */
/* stride: one program for each combination of the strides of a kernel's inductions. */
#include <string.h>

#include "client/micro/pass/pass.h"

static uint64_t
ways(const struct kernel *k)
{
	uint64_t	product = 1;

	for (size_t i = 0; i < k->ninductions; i++)
		if (__builtin_mul_overflow(product, range_count(&k->inductions[i].strides),
		    &product))
			return UINT64_MAX;
	return product;
}

/* The induction of that name; it was looked for when the description was read. */
static const struct induction *
named(const struct kernel *k, const char *name)
{
	for (size_t i = 0; i < k->ninductions; i++)
		if (strcmp(described_name(&k->inductions[i].reg), name) == 0)
			return &k->inductions[i];
	return NULL;
}

/* The last one changes with each program. */
static void
apply(struct program *of, struct kernel *k, uint64_t way)
{
	const struct induction	*leader;

	(void)of;
	for (size_t i = k->ninductions; i-- > 0;) {
		const struct range	*r = &k->inductions[i].strides;

		k->inductions[i].stride = range_value(r, way % range_count(r));
		way /= range_count(r);
	}
	for (size_t i = 0; i < k->ninductions; i++)
		if (k->inductions[i].strides.linked != NULL &&
		    (leader = named(k, k->inductions[i].strides.linked)) != NULL)
			k->inductions[i].stride = leader->stride;
}

const struct pass	pass_stride = {
	.name = "stride", .text = "each combination of the strides of the inductions",
	.kind = PASS_KERNEL, .kernel_ways = ways, .kernel_apply = apply,
};
