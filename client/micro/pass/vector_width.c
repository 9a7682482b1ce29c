/* SPDX-License-Identifier: Apache-2.0 */
#include "client/micro/pass/vector_width.h"
#include "client/micro/pass/widen.h"

enum { MAX_BASES = 64 };

/* A register with addresses, and by how much the accesses through it are wider. */
struct base {
	const struct described	*reg;
	struct scale		 scale;
};

struct widening {
	struct micro	*micro;
	struct base	 bases[MAX_BASES];
	size_t		 n;
	enum status	 st;
	struct fault	*why;
};

static bool
refuse(struct widening *w, struct place at, const char *words)
{
	w->st = micro_refuse(w->micro, at, w->why, "--vector: %s", words);
	return false;
}

static bool
is_same(struct scale a, struct scale b)
{
	return a.by == b.by && a.of == b.of;
}

static bool
multiply(struct widening *w, struct place at, struct scale s, int64_t *bytes)
{
	return widen(s, bytes) || refuse(w, at, "its bytes are no whole number of vectors");
}

/* ---- instructions ---- */

static bool
find_class(const struct pattern *p, const struct candidate *c, const struct described *d,
    struct reg *to)
{
	if (d->physical != NULL)
		return register_class_parse(d->physical, &to->class) ||
		    register_parse(d->physical, to);
	if (d->logical == NULL || d->logical[0] != 'x')
		return false;
	to->class = p->is_move ? c->class : REG_XMM;
	return true;
}

/* Only operation and classes of registers matter here. */
static struct scale
scale_of(const struct widening *w, const struct pattern *p, const struct candidate *c)
{
	struct instruction	in = { .operation = c->operation, .n = (unsigned)p->nslots };

	for (size_t i = 0; i < p->nslots; i++) {
		struct operand	*o = &in.operand[i];

		o->kind = p->slots[i].kind == SLOT_REGISTER &&
		    find_class(p, c, &p->slots[i].base, &o->reg) ? OPERAND_REGISTER :
		    OPERAND_IMMEDIATE;
	}
	return instruction_scale(&w->micro->target, &in);
}

static bool
note(struct widening *w, const struct described *reg, struct scale s)
{
	for (size_t i = 0; i < w->n; i++)
		if (described_is_equal(w->bases[i].reg, reg))
			return is_same(w->bases[i].scale, s) || refuse(w, reg->at,
			    "some accesses through its register are of whole vectors, others not");
	if (w->n == MAX_BASES)
		return refuse(w, reg->at, "there are too many registers with addresses");
	w->bases[w->n++] = (struct base){ reg, s };
	return true;
}

static bool
widen_pattern(void *arg, struct pattern *p)
{
	struct widening	*w = arg;
	struct slot	*memory = pattern_memory(p);
	struct scale	 s;

	if (p->ncandidates == 0 || memory == NULL)
		return true;
	s = scale_of(w, p, &p->candidates[0]);
	for (size_t i = 0; i < p->ncandidates; i++) {
		if (!is_same(s, scale_of(w, p, &p->candidates[i])))
			return refuse(w, p->at, "it widens some of the operations, and others "
			    "not");
		p->candidates[i].bytes = p->candidates[i].bytes * s.by / s.of;
	}
	if (!note(w, &memory->base, s) ||
	    (memory->kind == SLOT_INDIRECT && !note(w, &memory->index, s)))
		return false;
	return multiply(w, memory->at, s, &memory->offset);
}

/* ---- what moves their addresses ---- */

static bool
widen_kernel(void *arg, struct kernel *k)
{
	struct widening	*w = arg;

	for (size_t i = 0; i < k->ninductions; i++)
		for (size_t b = 0; b < w->n; b++) {
			struct induction	*moved = &k->inductions[i];

			if (described_is_equal(&moved->reg, w->bases[b].reg) &&
			    (!multiply(w, moved->at, w->bases[b].scale, &moved->increment) ||
			    !multiply(w, moved->at, w->bases[b].scale, &moved->offset)))
				return false;
		}
	return true;
}

enum status
vector_width(struct micro *m, struct fault *why)
{
	struct widening	w = { .micro = m, .why = why };

	if (m->target.vector_bytes == 0)
		return ST_OK;
	if (kernel_each_pattern(m->root, widen_pattern, &w))
		(void)kernel_each(m->root, widen_kernel, &w);
	return w.st;
}
