/* SPDX-License-Identifier: Apache-2.0 */
/*
 * register allocation: names become registers of the machine.  r0 is the count, r1 to r8 are the
 * arrays; r9 and on, and x0 and on, take registers that nothing else in the program names.
 */
#include <stdlib.h>
#include <string.h>

#include "client/micro/pass/pass.h"
#include "client/micro/write/arguments.h"

enum { MAX_VECTOR = 32, MAX_LOGICAL = 64 };

struct allocation {
	const struct program	*of;
	struct fault		*why;
	enum status		 st;
	bool			 is_used[REG_NCLASSES][MAX_VECTOR];	/* by a name, or given */
	bool			 is_given[2][MAX_LOGICAL];	/* to r…, to x… */
	struct reg		 given[2][MAX_LOGICAL];
};

static const char *const	spare[] = { "%r13", "%r14", "%r15", "%rbx", "%r12", "%r11", "%r10",
				    "%r9", "%r8", "%rcx", "%rdx" };

enum { NSPARE = sizeof spare / sizeof spare[0] };

/* ---- names ---- */

/* "r3" → 0 and 3, "x12" → 1 and 12; false: is no logical name. */
static bool
parse_logical(const char *name, unsigned *kind, unsigned *number)
{
	char	*end;
	long	 n;

	*kind = name[0] == 'x';
	if ((name[0] != 'r' && name[0] != 'x') || name[1] < '0' || name[1] > '9')
		return false;
	n = strtol(name + 1, &end, 10);
	*number = (unsigned)n;
	return *end == '\0' && n < MAX_LOGICAL;
}

static void
mark(struct allocation *a, struct reg r)
{
	/* %ymm3 and %zmm3 are the same as %xmm3 */
	if (r.class == REG_YMM || r.class == REG_ZMM)
		r.class = REG_XMM;
	a->is_used[r.class][r.number % MAX_VECTOR] = true;
}

static void
mark_named(struct allocation *a, const struct described *d)
{
	unsigned	kind, number;
	struct reg	r;

	if (d->physical != NULL && register_parse(d->physical, &r))
		mark(a, r);
	else if (d->logical != NULL && parse_logical(d->logical, &kind, &number) && kind == 0 &&
	    argument_register(&a->of->micro->target, number, &r))
		mark(a, r);
}

static bool
mark_pattern(void *arg, struct pattern *p)
{
	struct allocation	*a = arg;

	for (size_t i = 0; i < p->nslots; i++) {
		mark_named(a, &p->slots[i].base);
		mark_named(a, &p->slots[i].index);
	}
	return true;
}

/* ---- registers ---- */

static bool
take_general(struct allocation *a, struct reg *to)
{
	for (size_t i = 0; i < NSPARE; i++)
		if (register_parse(spare[i], to) && !a->is_used[REG_GENERAL][to->number])
			return true;
	return false;
}

static bool
take_vector(struct allocation *a, struct reg *to)
{
	const unsigned	n = register_count(&a->of->micro->target, REG_XMM);

	*to = (struct reg){ .class = REG_XMM };
	for (; to->number < n && to->number < MAX_VECTOR; to->number++)
		if (!a->is_used[REG_XMM][to->number])
			return true;
	return false;
}

/* The same one for each use of a name. */
static bool
take(struct allocation *a, unsigned kind, unsigned number, struct reg *to)
{
	if (a->is_given[kind][number]) {
		*to = a->given[kind][number];
		return true;
	}
	if (kind == 0 && argument_register(&a->of->micro->target, number, to)) {
		/* its own */
	} else if (kind == 0 ? !take_general(a, to) : !take_vector(a, to)) {
		return false;
	}
	mark(a, *to);
	a->is_given[kind][number] = true;
	a->given[kind][number] = *to;
	return true;
}

static bool
allocate(struct allocation *a, const struct pattern *p, struct described *d)
{
	const char	*operation = pattern_operation(p);
	unsigned	 kind, number;

	if (described_name(d)[0] == '\0' || d->is_allocated)
		return true;
	d->is_allocated = true;
	if (d->physical != NULL && !register_parse(d->physical, &d->reg)) {
		a->st = micro_refuse(a->of->micro, d->at, a->why, "%s: there is no register %s",
		    operation, d->physical);
	} else if (d->logical != NULL && !parse_logical(d->logical, &kind, &number)) {
		a->st = micro_refuse(a->of->micro, d->at, a->why, "%s: \"%s\" is no logical "
		    "register", operation, d->logical);
		fault_hint(a->why, "r0 to r63 are general ones, x0 to x63 vectors");
	} else if (d->logical != NULL && !take(a, kind, number, &d->reg)) {
		a->st = micro_refuse(a->of->micro, p->at, a->why, "%s: no register is left for %s",
		    operation, d->logical);
		fault_hint(a->why, "use fewer names, or <phyName> for one that may be shared");
	}
	return a->st == ST_OK;
}

/* The register of a move is as wide as the form that was chosen. */
static void
size_register(const struct pattern *p, struct slot *s)
{
	const struct candidate	*c = &p->candidates[p->candidate];

	if (!p->is_move || s->kind != SLOT_REGISTER || s->base.logical == NULL)
		return;
	s->base.reg.class = c->class;
	if (c->class == REG_GENERAL)
		s->base.reg.bits = 8 * c->bytes;
}

static bool
allocate_pattern(void *arg, struct pattern *p)
{
	struct allocation	*a = arg;

	for (size_t i = 0; i < p->nslots; i++) {
		if (!allocate(a, p, &p->slots[i].base) || !allocate(a, p, &p->slots[i].index))
			return false;
		size_register(p, &p->slots[i]);
	}
	return true;
}

static enum status
run(struct program *of, struct fault *why)
{
	struct allocation	a = { .of = of, .why = why, .st = ST_OK };

	(void)kernel_each_pattern(of->root, mark_pattern, &a);
	(void)kernel_each_pattern(of->root, allocate_pattern, &a);
	return a.st;
}

const struct pass	pass_register_allocation = {
	.name = "register_allocation", .text = "names become registers of the machine",
	.kind = PASS_PROGRAM, .run = run,
};
