/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unroll: the statements of a kernel as often as was chosen, inner kernels first.  Memory that an
 * induction of the kernel moves over is `offset` further in each copy.
 */
#include "client/micro/pass/copies.h"
#include "client/micro/pass/pass.h"

struct shift {
	const struct kernel	*kernel;
	unsigned		 copy, of;
};

/* Bytes between one copy of a register's memory and the next. */
static int64_t
step_of(const struct kernel *k, const struct described *d)
{
	const struct induction	*i = kernel_induction(k, d->induction);

	return i != NULL ? (int64_t)((uint64_t)i->offset * (uint64_t)i->stride) : 0;
}

/* Registers that range are another one in each copy: memory moves on once they begin again. */
static uint64_t
rounds(const struct described *d, unsigned copy)
{
	return d->numbers.is_given ? copy / range_count(&d->numbers) : copy;
}

static bool
shift(void *arg, struct pattern *p)
{
	const struct shift	*s = arg;
	struct slot		*memory = pattern_memory(p);

	p->copy += s->copy * p->copies;
	p->copies *= s->of;
	if (memory == NULL)
		return true;
	memory->offset = (int64_t)((uint64_t)memory->offset +
	    rounds(&memory->base, s->copy) * (uint64_t)step_of(s->kernel, &memory->base));
	if (memory->kind == SLOT_INDIRECT)
		memory->offset = (int64_t)((uint64_t)memory->offset +
		    rounds(&memory->index, s->copy) *
		    (uint64_t)step_of(s->kernel, &memory->index) * (uint64_t)memory->multiplier);
	return true;
}

static void
add_copy(struct program *of, struct kernel *k, const struct statement *from, unsigned copy)
{
	struct shift		s = { k, copy, (unsigned)k->unroll };
	struct statement	one = statement_part(of, from, copy, k->unroll);

	if (one.kind == STATEMENT_PATTERN)
		(void)shift(&s, one.pattern);
	if (one.kind == STATEMENT_KERNEL) {
		one.kernel->clone = one.kernel->clone * (unsigned)k->unroll + copy;
		(void)kernel_each_pattern(one.kernel, shift, &s);
	}
	kernel_add(of->arena, k, one);
}

static enum status
unroll(struct program *of, struct kernel *k, struct fault *why)
{
	const struct statement	*from = k->statements;
	const size_t		 n = k->nstatements;
	enum status		 st = ST_OK;

	for (size_t i = 0; i < n && st == ST_OK; i++)
		if (from[i].kind == STATEMENT_KERNEL)
			st = unroll(of, from[i].kernel, why);
	if (st != ST_OK || (st = micro_check_size(of->micro, k->at, kernel_size(of->root),
	    (k->unroll - 1) * (kernel_size(k) + n), why)) != ST_OK)
		return st;
	k->statements = NULL;
	k->nstatements = 0;
	if (kernel_is_loop(k))
		kernel_add_comment(of->arena, k, "Unrolling iterations");
	for (unsigned copy = 0; copy < k->unroll; copy++)
		for (size_t i = 0; i < n; i++)
			add_copy(of, k, &from[i], copy);
	return ST_OK;
}

static enum status
run(struct program *of, struct fault *why)
{
	return unroll(of, of->root, why);
}

const struct pass	pass_unroll = {
	.name = "unroll", .text = "copies of a kernel's statements, from min to max",
	.kind = PASS_UNROLL, .run = run,
};
