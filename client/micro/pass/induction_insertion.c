/* SPDX-License-Identifier: Apache-2.0 */
/*
 * induction insertion: the instructions that move a kernel's inductions, behind its statements.
 *
 *	step            increment × stride × copies, the copies unless <not_affected_unroll/>
 *	linked counter  factor × (increment of the pointer / element size) × stride × copies,
 *	                so that it counts the elements that the pointer passes
 *
 * The element is that of the smallest operation whose memory the pointer addresses.  --microperf
 * leaves out the middle: the public tool's counter counts copies.
 */
#include <inttypes.h>

#include "client/micro/pass/pass.h"
#include "client/micro/write/element.h"

struct widths {
	unsigned	 id;		/* of the pointer's induction */
	unsigned	 bytes;		/* smallest element so far; 0: none */
	const char	*operation;
};

static bool
look(void *arg, struct pattern *p)
{
	struct widths		*w = arg;
	const struct slot	*m = pattern_memory(p);
	const unsigned		 bytes = element_bytes(p);

	if (m == NULL || (m->base.induction != w->id && m->index.induction != w->id))
		return true;
	if (w->bytes == 0 || bytes < w->bytes) {
		w->bytes = bytes;
		w->operation = pattern_operation(p);
	}
	return true;
}

enum { USUAL_ELEMENT = 4 };

/* What a linked counter's factor is multiplied by. */
static enum status
elements(const struct program *of, const struct kernel *k, const struct induction *pointer,
    int64_t *out, struct fault *why)
{
	struct widths	w = { .id = pointer->id };

	(void)kernel_each_pattern(k, look, &w);
	if (w.bytes == 0)
		w.bytes = USUAL_ELEMENT;
	if (pointer->increment % w.bytes != 0)
		return micro_refuse(of->micro, pointer->at, why, "induction: %s moves by %" PRId64
		    " bytes, which are no whole elements of %u bytes, as %s has them",
		    described_name(&pointer->reg), pointer->increment, w.bytes,
		    w.operation != NULL ? w.operation : "an array");
	*out = pointer->increment / w.bytes;
	return ST_OK;
}

static enum status
step_of(const struct program *of, const struct kernel *k, const struct induction *i,
    int64_t *step, struct fault *why)
{
	const struct induction	*pointer = kernel_induction(k, i->linked);
	int64_t			 factor = 1;
	enum status		 st;

	if (pointer != NULL && !of->micro->by_copies &&
	    (st = elements(of, k, pointer, &factor, why)) != ST_OK)
		return st;
	factor *= pointer != NULL ? pointer->stride : i->stride;
	if (!i->is_fixed)
		factor *= (int64_t)k->unroll;
	if (__builtin_mul_overflow(i->increment, factor, step) || *step < -INT32_MAX ||
	    *step > INT32_MAX)
		return micro_refuse(of->micro, i->at, why, "induction: with its stride and %" PRIu64
		    " copies %s moves by more than 2^31", k->unroll, described_name(&i->reg));
	return ST_OK;
}

static enum status
insert_one(struct program *of, struct kernel *k, const struct induction *i, struct fault *why)
{
	struct pattern	*p = pattern_new(of->arena, i->at);
	int64_t		 step;
	enum status	 st;

	if (i->is_silent)
		return ST_OK;
	if ((st = step_of(of, k, i, &step, why)) != ST_OK)
		return st;
	pattern_add_candidate(of->arena, p, (struct candidate){
	    .operation = step < 0 ? "sub" : "add", .pieces = 1 });
	p->slots[0] = (struct slot){ .kind = SLOT_IMMEDIATE, .at = i->at,
	    .value = step < 0 ? -step : step };
	p->slots[1] = (struct slot){ .kind = SLOT_REGISTER, .at = i->at, .base = i->reg };
	p->nslots = 2;
	p->comment = i->comment;
	p->is_induction = true;
	kernel_add_pattern(of->arena, k, p);
	return ST_OK;
}

static enum status
insert_all(struct program *of, struct kernel *k, struct fault *why)
{
	const size_t	n = k->nstatements;
	enum status	st = ST_OK;

	for (size_t i = 0; i < n && st == ST_OK; i++)
		if (k->statements[i].kind == STATEMENT_KERNEL)
			st = insert_all(of, k->statements[i].kernel, why);
	if (k->ninductions > 0)
		kernel_add_comment(of->arena, k, "Induction variables");
	for (int last = 0; last <= 1; last++)
		for (size_t i = 0; i < k->ninductions && st == ST_OK; i++)
			if (k->inductions[i].is_last == last)
				st = insert_one(of, k, &k->inductions[i], why);
	return st;
}

static enum status
run(struct program *of, struct fault *why)
{
	return insert_all(of, of->root, why);
}

const struct pass	pass_induction_insertion = {
	.name = "induction_insertion", .text = "the instructions that move the inductions",
	.kind = PASS_PROGRAM, .run = run,
};
