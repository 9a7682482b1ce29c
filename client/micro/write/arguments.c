/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/micro/machine/operations.h"
#include "client/micro/write/arguments.h"

/* Of arguments on the stack of x86-64, the first of which is the seventh. */
static const char *const	loaded[] = { "%r10", "%r11", "%r12" };

enum { NLOADED = sizeof loaded / sizeof loaded[0], NGENERAL = 16 };

bool
argument_register(const struct target *t, unsigned index, struct reg *to)
{
	const unsigned	passed = register_arguments(t);

	if (index > ARGUMENTS_MAX_ARRAYS)
		return false;
	if (register_logical(t, index, to))
		return true;
	return t->machine == MACHINE_X86_64 && index - passed < NLOADED &&
	    register_parse(loaded[index - passed], to);
}

bool
argument_is_loaded(const struct target *t, unsigned index)
{
	return index >= register_arguments(t);
}

/* ---- what a program does with its registers ---- */

struct search {
	const struct program	*of;
	struct arguments	*to;
	bool			 is_written[REG_NCLASSES][32];
};

static bool
is_same(struct reg a, struct reg b)
{
	return a.class == b.class && a.number == b.number;
}

static unsigned
argument_index(const struct target *t, struct reg r)
{
	struct reg	held;

	for (unsigned i = 0; i <= ARGUMENTS_MAX_ARRAYS; i++)
		if (argument_register(t, i, &held) && is_same(held, r))
			return i;
	return ARGUMENTS_MAX_ARRAYS + 1;
}

/* An address or a variable of the loop that begins as an argument is that argument. */
static void
use_argument(struct search *s, struct reg r)
{
	const unsigned	i = argument_index(&s->of->micro->target, r);

	if (i > ARGUMENTS_MAX_ARRAYS || s->is_written[r.class][r.number % 32])
		return;
	s->is_written[r.class][r.number % 32] = true;
	if (i > s->to->narrays)
		s->to->narrays = i;
}

static void
save(struct search *s, struct reg r)
{
	static const char *const	kept[] = { "%rbx", "%rbp", "%r12", "%r13", "%r14", "%r15" };
	struct reg			k;

	for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
		if (r.class == REG_GENERAL && register_parse(kept[i], &k) && is_same(k, r))
			s->to->is_saved[r.number] = true;
}

static bool
is_vector(struct reg r)
{
	return r.class == REG_XMM || r.class == REG_YMM || r.class == REG_ZMM;
}

static void
read_register(struct search *s, struct reg r)
{
	struct arguments	*to = s->to;
	const unsigned		 class = is_vector(r) ? REG_XMM : r.class;
	struct reg		 stack;

	save(s, r);
	if (s->is_written[class][r.number % 32] || (!is_vector(r) && class != REG_GENERAL) ||
	    (register_parse("%rsp", &stack) && is_same(stack, r)))
		return;
	s->is_written[class][r.number % 32] = true;
	if (to->nzeroed < ARGUMENTS_MAX_ZEROED)
		to->zeroed[to->nzeroed++] = r;
}

static void
write_register(struct search *s, struct reg r)
{
	save(s, r);
	s->is_written[is_vector(r) ? REG_XMM : r.class][r.number % 32] = true;
}

/* The destination of a move of a whole register is not read. */
static bool
overwrites(const struct pattern *p)
{
	const struct operation		*o = operation_find(pattern_operation(p));
	const struct general_operation	*g = general_find(pattern_operation(p));

	return p->nslots > 2 || (o != NULL && o->shape != SHAPE_BINARY) ||
	    (g != NULL && g->kind == GENERAL_MOVE) || strncmp(pattern_operation(p), "lea", 3) == 0;
}

/* Addresses first: what an instruction computes is not in its address. */
static bool
use_addresses(void *arg, struct pattern *p)
{
	struct search		*s = arg;
	const struct slot	*m = pattern_memory(p);

	if (m != NULL)
		use_argument(s, m->base.reg);
	if (p->is_induction)
		use_argument(s, p->slots[1].base.reg);
	return true;
}

static bool
use(void *arg, struct pattern *p)
{
	struct search		*s = arg;
	const struct slot	*m = pattern_memory(p);

	if (m != NULL)
		read_register(s, m->base.reg);
	if (m != NULL && m->kind == SLOT_INDIRECT)
		read_register(s, m->index.reg);
	for (size_t i = 0; i < p->nslots; i++)
		if (p->slots[i].kind == SLOT_REGISTER && (i + 1 < p->nslots || !overwrites(p)))
			read_register(s, p->slots[i].base.reg);
	if (p->nslots > 0 && p->slots[p->nslots - 1].kind == SLOT_REGISTER)
		write_register(s, p->slots[p->nslots - 1].base.reg);
	return true;
}

static bool
look_for_result(void *arg, struct pattern *p)
{
	struct search	*s = arg;
	struct reg	 result;

	if (p->is_induction && register_parse("%eax", &result) &&
	    is_same(p->slots[1].base.reg, result))
		s->to->has_result = true;
	return true;
}

void
arguments_find(const struct program *of, struct arguments *to)
{
	struct search	s = { .of = of, .to = to };
	struct reg	count;

	*to = (struct arguments){ .narrays = 0 };
	if (argument_register(&of->micro->target, 0, &count))
		s.is_written[count.class][count.number] = true;
	(void)kernel_each_pattern(of->root, use_addresses, &s);
	(void)kernel_each_pattern(of->root, use, &s);
	(void)kernel_each_pattern(of->root, look_for_result, &s);
	for (unsigned i = 1; i <= to->narrays; i++) {
		struct reg	r;

		if (argument_register(&of->micro->target, i, &r))
			save(&s, r);
	}
}
