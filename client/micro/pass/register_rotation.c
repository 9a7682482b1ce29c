/* SPDX-License-Identifier: Apache-2.0 */
/* register rotation: where numbers range, each copy takes the next register, and begins again. */
#include <inttypes.h>

#include "client/micro/pass/pass.h"

static void
number(struct arena *a, struct described *d, unsigned copy)
{
	int64_t	n;

	if (!d->numbers.is_given)
		return;
	n = range_value(&d->numbers, copy % range_count(&d->numbers));
	if (d->logical != NULL)
		d->logical = arena_format(a, "%s%" PRId64, d->logical, n);
	else if (d->physical != NULL)
		d->physical = arena_format(a, "%s%" PRId64, d->physical, n);
	d->numbers.is_given = false;
}

static bool
rotate(void *arg, struct pattern *p)
{
	const struct program	*of = arg;

	for (size_t i = 0; i < p->nslots; i++) {
		number(of->arena, &p->slots[i].base, p->copy);
		number(of->arena, &p->slots[i].index, p->copy);
	}
	return true;
}

static enum status
run(struct program *of, struct fault *why)
{
	(void)why;
	(void)kernel_each_pattern(of->root, rotate, of);
	return ST_OK;
}

const struct pass	pass_register_rotation = {
	.name = "register_rotation", .text = "each copy takes the next register of a range",
	.kind = PASS_PROGRAM, .run = run,
};
