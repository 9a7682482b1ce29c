/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is in front of a program's loop.  A description says how its counter goes down and which
 * jump looks at it; a loop that takes n elements in steps must not go beyond the last one.  So the
 * counter is lowered first by what the test would let it go too far:
 *
 *	jge, jns	by the step:		n, n - step, … while it is not negative
 *	jg, jne, jnz	by the step less 1	the same number of times, while it is positive
 *
 * jne stops at 0 alone: n is made a multiple of its step.
 */
#include <inttypes.h>
#include <string.h>

#include "client/micro/machine/instruction.h"
#include "client/micro/write/lines.h"

#define END_LABEL ".Lend"

/* ---- the counter ---- */

/* The induction that the jump looks at: the last instruction of its kernel. */
static const struct pattern *
tested(const struct kernel *k)
{
	const struct statement	*last = k->nstatements > 0 ? &k->statements[k->nstatements - 1] :
				    NULL;

	return last != NULL && last->kind == STATEMENT_PATTERN && last->pattern->is_induction ?
	    last->pattern : NULL;
}

static bool
counts_down(const struct program *of, const struct kernel *k)
{
	const struct pattern	*p = kernel_is_loop(k) ? tested(k) : NULL;
	struct reg		 count;

	return p != NULL && argument_register(&of->micro->target, 0, &count) &&
	    p->slots[1].base.reg.class == count.class &&
	    p->slots[1].base.reg.number == count.number && strcmp(pattern_operation(p), "sub") == 0;
}

const struct kernel *
lines_counted(const struct program *of)
{
	for (size_t i = 0; i < of->root->nstatements; i++) {
		const struct statement	*s = &of->root->statements[i];

		if (s->kind == STATEMENT_KERNEL && counts_down(of, s->kernel))
			return s->kernel;
	}
	return NULL;
}

/* ---- lines ---- */

static void
put_immediate(struct lines *l, const char *operation, int64_t value, struct reg r)
{
	const struct instruction	in = { .operation = operation, .n = 2, .operand = {
	    { .kind = OPERAND_IMMEDIATE, .immediate = value },
	    { .kind = OPERAND_REGISTER, .reg = r } } };

	if (l->st == ST_OK)
		l->st = instruction_write(&l->of->micro->target, &in, l->to, l->why);
}

static void
put_jump(struct lines *l, const char *operation)
{
	const struct instruction	in = { .operation = operation, .n = 1, .operand = {
	    { .kind = OPERAND_LABEL, .label = arena_format(l->of->arena, END_LABEL "%s",
	    l->behind_label) } } };

	if (l->st == ST_OK)
		l->st = instruction_write(&l->of->micro->target, &in, l->to, l->why);
}

void
lines_end_label(struct lines *l)
{
	(void)fprintf(l->to, END_LABEL "%s:\n", l->behind_label);
}

/* jne: what is beyond a multiple of the step is left out. */
static enum status
check_test(struct lines *l, const struct kernel *k, int64_t step)
{
	if (strcmp(k->test, "jne") != 0 && strcmp(k->test, "jnz") != 0)
		return ST_OK;
	if ((step & (step - 1)) == 0)
		return ST_OK;
	l->st = micro_refuse(l->of->micro, k->branch_at, l->why, "test: %s ends a loop whose count "
	    "goes down by %" PRId64 " only if n is a multiple of it", k->test, step);
	fault_hint(l->why, "jge and jg end it for each n");
	return l->st;
}

static void
prepare_count(struct lines *l, const struct kernel *k)
{
	const struct pattern	*p = tested(k);
	const int64_t		 step = p->slots[0].value;
	const struct reg	 count = p->slots[1].base.reg;

	if (check_test(l, k, step) != ST_OK)
		return;
	if (strcmp(k->test, "jge") == 0 || strcmp(k->test, "jns") == 0) {
		put_immediate(l, "sub", step, count);
		put_jump(l, "jl");
	} else if (strcmp(k->test, "jg") == 0) {
		put_immediate(l, "sub", step - 1, count);
		put_jump(l, "jle");
	} else if (k->test[1] == 'n') {
		put_immediate(l, "and", -step, count);
		put_immediate(l, "cmp", 0, count);
		put_jump(l, "jle");
	}
}

/* Each register that is read before it is written holds 0. */
static void
zero(struct lines *l, struct reg r)
{
	switch (r.class) {
	case REG_XMM:
		lines_instruction(l, "xorps", 2, r, r);
		break;
	case REG_YMM:
		lines_instruction(l, "vxorps", 3, r, r);
		break;
	case REG_ZMM:
		lines_instruction(l, "vpxorq", 3, r, r);
		break;
	default:
		put_immediate(l, "mov", 0, (struct reg){ REG_GENERAL, r.number, 32 });
		break;
	}
}

void
lines_prepare(struct lines *l, const struct arguments *a)
{
	const struct kernel	*counted = lines_counted(l->of);
	struct reg		 result;

	if (register_parse("%eax", &result))
		zero(l, result);
	for (unsigned i = 0; i < a->nzeroed; i++)
		if (a->zeroed[i].class != REG_GENERAL || a->zeroed[i].number != result.number)
			zero(l, a->zeroed[i]);
	if (counted != NULL) {
		lines_mark(l, counted->branch_at);	/* of the jump over the loop, too */
		prepare_count(l, counted);
	}
}
