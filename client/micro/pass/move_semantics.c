/* SPDX-License-Identifier: Apache-2.0 */
/*
 * move semantics: <move> names bytes and no instruction.  Each of the target's that can move them
 * is one operation to choose among; one that moves less is there several times, as its pieces.
 */
#include <string.h>

#include "client/micro/pass/pass.h"

struct search {
	struct micro	*micro;
	enum status	 st;
	struct fault	*why;
};

/* The operand that is a register. */
static const struct slot *
register_slot(const struct pattern *p)
{
	return &p->slots[pattern_memory(p) == &p->slots[0] ? 1 : 0];
}

/*
 * Logical names are of vectors, x0, or of general registers, r9: as wide as the form has them.  A
 * named class of general registers, %r8 to %r15, has whole ones.
 */
static bool
fits(const struct pattern *p, const struct move_form *f)
{
	const char		*name = register_slot(p)->base.physical;
	enum register_class	 class;
	struct reg		 reg;

	if (name == NULL && described_name(&register_slot(p)->base)[0] == 'x')
		return f->class >= REG_XMM && f->class <= REG_ZMM;
	if (name == NULL)
		return f->class == REG_GENERAL;
	if (register_class_parse(name, &class))
		return class == f->class && (class != REG_GENERAL || f->bytes == 8);
	return register_parse(name, &reg) && reg.class == f->class &&
	    (reg.class != REG_GENERAL || reg.bits == 8 * f->bytes);
}

static bool
refuse_move(struct search *s, const struct pattern *p)
{
	s->st = micro_refuse(s->micro, p->at, s->why, "move: no instruction moves %u bytes with %s",
	    p->wish.bytes, described_name(&register_slot(p)->base));
	fault_hint(s->why, "r9 is a general register of any size, x0 a vector; or leave out "
	    "<alignment> and <kind>");
	return false;
}

static bool
find_forms(void *arg, struct pattern *p)
{
	struct search		*s = arg;
	struct move_form	 forms[MOVE_MAX_FORMS];
	struct fault		 bad;
	unsigned		 n;

	if (!p->is_move || p->ncandidates > 0)
		return true;
	if (moves_find(&s->micro->target, &p->wish, "move", forms, &n, &bad) != ST_OK) {
		s->st = micro_refuse(s->micro, p->at, s->why, "move: %s", bad.text);
		fault_hint(s->why, "%s", bad.hint);
		return false;
	}
	for (unsigned i = 0; i < n; i++)
		if (fits(p, &forms[i]))
			pattern_add_candidate(s->micro->arena, p, (struct candidate){
			    .operation = forms[i].operation, .pieces = forms[i].copies,
			    .bytes = forms[i].bytes, .class = forms[i].class });
	return p->ncandidates > 0 || refuse_move(s, p);
}

static enum status
prepare(struct micro *m, struct fault *why)
{
	struct search	s = { m, ST_OK, why };

	(void)kernel_each_pattern(m->root, find_forms, &s);
	return s.st;
}

const struct pass	pass_move_semantics = {
	.name = "move_semantics", .text = "bytes to move become the operations that can move them",
	.kind = PASS_ONCE, .prepare = prepare,
};
