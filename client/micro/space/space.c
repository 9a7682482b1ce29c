/* SPDX-License-Identifier: Apache-2.0 */
#include "client/micro/pass/vector_width.h"
#include "client/micro/space/plan.h"
#include "client/micro/space/space.h"
#include "client/micro/space/ways.h"

enum status
space_prepare(struct micro *m, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; i < m->passes->n && st == ST_OK; i++) {
		const struct pass	*p = &m->passes->at[i];

		if (p->kind == PASS_ONCE && pass_is_on(p, m))
			st = p->prepare(m, why);
	}
	return st == ST_OK ? vector_width(m, why) : st;
}

enum status
space_count(const struct micro *m, uint64_t *out, struct fault *why)
{
	enum status	st;

	*out = ways_unrolled(m, m->root, 1, 1);
	if (*out < UINT64_MAX)
		return ST_OK;
	st = fault_at(why, ST_FULL, m->path, "it makes 2^64 programs or more");
	fault_hint(why, "choose before unrolling, or narrow its ranges");
	return st;
}

/* ---- one program ---- */

struct turn {
	struct program		*program;
	const struct pass	*pass;
};

static bool
choose_once(void *arg, struct pattern *p)
{
	const struct turn	*t = arg;
	const uint64_t		 ways = t->pass->ways(p);

	t->pass->apply(t->program, p, p->choice.once % ways);
	p->choice.once /= ways;
	return true;
}

static bool
choose_each(void *arg, struct pattern *p)
{
	const struct turn	*t = arg;
	const uint64_t		 ways = t->pass->ways(p);

	t->pass->apply(t->program, p, p->choice.each % ways);
	p->choice.each /= ways;
	return true;
}

static bool
choose_kernel(void *arg, struct kernel *k)
{
	const struct turn	*t = arg;
	const uint64_t		 ways = t->pass->kernel_ways(k);

	t->pass->kernel_apply(t->program, k, k->choice % ways);
	k->choice /= ways;
	return true;
}

static enum status
run(struct program *of, const struct pass *pass, struct fault *why)
{
	struct turn	t = { of, pass };

	switch (pass->kind) {
	case PASS_BEFORE:
		(void)kernel_each_pattern(of->root, choose_once, &t);
		break;
	case PASS_AFTER:
		(void)kernel_each_pattern(of->root, choose_each, &t);
		break;
	case PASS_KERNEL:
		(void)kernel_each(of->root, choose_kernel, &t);
		break;
	case PASS_ONCE:
		return ST_OK;
	case PASS_REPEAT:
	case PASS_UNROLL:
	case PASS_PROGRAM:
		break;
	}
	if (pass->change != NULL) {
		(void)fault_set(why, ST_BAD_SPEC, "the pass refused it without a word");
		return pass->change(of, why) ? ST_OK : fault_within(why, pass->name);
	}
	return pass->run != NULL ? pass->run(of, why) : ST_OK;
}

enum status
space_program(const struct micro *m, struct arena *a, uint64_t index, struct program *out,
    struct fault *why)
{
	enum status	st;

	*out = (struct program){ .micro = m, .arena = a, .root = kernel_clone(a, m->root),
	    .index = index };
	st = program_plan(out, why);
	for (size_t i = 0; i < m->passes->n && st == ST_OK && !out->is_dropped; i++)
		if (pass_is_on(&m->passes->at[i], m))
			st = run(out, &m->passes->at[i], why);
	return st;
}
