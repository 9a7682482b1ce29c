/* SPDX-License-Identifier: Apache-2.0 */
/* random order: <randomize/> makes each order of a kernel's statements a program of its own. */
#include <string.h>

#include "client/micro/pass/pass.h"

static uint64_t
ways(const struct kernel *k)
{
	uint64_t	factorial = 1;

	for (uint64_t n = 2; k->is_random && n <= k->nstatements; n++)
		if (__builtin_mul_overflow(factorial, n, &factorial))
			return UINT64_MAX;
	return factorial;
}

/* Order `way` of n! in the order of a dictionary: its digits say how many are skipped. */
static void
apply(struct program *of, struct kernel *k, uint64_t way)
{
	struct statement	taken;
	uint64_t		place;

	(void)of;
	place = ways(k);
	for (size_t i = 0; k->is_random && i + 1 < k->nstatements; i++) {
		place /= k->nstatements - i;
		taken = k->statements[i + way / place];
		memmove(&k->statements[i + 1], &k->statements[i],
		    way / place * sizeof taken);
		k->statements[i] = taken;
		way %= place;
	}
}

const struct pass	pass_random_order = {
	.name = "random_order",
	.text = "each order of the statements of a kernel with <randomize/>",
	.kind = PASS_KERNEL, .kernel_ways = ways, .kernel_apply = apply,
};
