/* SPDX-License-Identifier: Apache-2.0 */
/*
 * induction selection: each register of an instruction learns which induction moves it, and each
 * linked counter which one it follows.  An inner kernel's registers find those around it, too.
 * From here on it is known what a wider register (--vector) moves further.
 */
#include "client/micro/pass/pass.h"

static unsigned
find(const struct kernel *k, const struct described *reg)
{
	for (size_t i = 0; i < k->ninductions; i++)
		if (described_is_equal(&k->inductions[i].reg, reg))
			return k->inductions[i].id;
	return 0;
}

static bool
select_slots(void *arg, struct pattern *p)
{
	const struct kernel	*k = arg;

	for (size_t i = 0; i < p->nslots; i++) {
		struct described	*regs[] = { &p->slots[i].base, &p->slots[i].index };

		for (size_t j = 0; j < 2; j++)
			if (find(k, regs[j]) != 0)
				regs[j]->induction = find(k, regs[j]);
	}
	return true;
}

static bool
select_in(void *arg, struct kernel *k)
{
	(void)arg;
	for (size_t i = 0; i < k->ninductions; i++)
		if (k->inductions[i].has_link)
			k->inductions[i].linked = find(k, &k->inductions[i].link);
	(void)kernel_each_pattern(k, select_slots, k);
	return true;
}

static enum status
prepare(struct micro *m, struct fault *why)
{
	(void)why;
	(void)kernel_each(m->root, select_in, NULL);
	return ST_OK;
}

const struct pass	pass_induction_selection = {
	.name = "induction_selection", .text = "registers meet the inductions that move them",
	.kind = PASS_ONCE, .prepare = prepare,
};
