/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pragma V TEXT: a #pragma in front of the loop.  Compilers believe pragmas, so one passes only if
 * it leaves the order to the compiler's own analysis, or if the claim that it makes is proved.
 */
#include <stdio.h>
#include <string.h>

#include "client/transform/legality/alias.h"
#include "client/transform/legality/verdict.h"
#include "client/transform/steps/steps.h"
#include "proto/base/name.h"

enum claim {
	CLAIM_NONE,		/* a hint */
	CLAIM_INDEPENDENT,	/* iterations may run in any order */
	CLAIM_UNKNOWN,		/* cannot be proved here */
};

static const struct {
	const char	*prefix;
	enum claim	 claim;
} known[] = {
	{ "GCC unroll ", CLAIM_NONE },
	{ "GCC ivdep", CLAIM_INDEPENDENT },
	{ "unroll", CLAIM_NONE },
	{ "nounroll", CLAIM_NONE },
	{ "clang loop ", CLAIM_NONE },
	{ "omp unroll", CLAIM_NONE },
	{ "omp simd", CLAIM_INDEPENDENT },
	{ "omp parallel for", CLAIM_INDEPENDENT },
	{ "omp for", CLAIM_INDEPENDENT },
	{ "ivdep", CLAIM_INDEPENDENT },
};

static enum claim
claim_of(const char *text)
{
	if (strstr(text, "assume_safety") != NULL)
		return CLAIM_INDEPENDENT;
	if (strstr(text, "reduction") != NULL || strstr(text, "collapse") != NULL ||
	    strstr(text, "private") != NULL || strstr(text, "linear") != NULL)
		return CLAIM_UNKNOWN;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (name_starts(text, known[i].prefix))
			return known[i].claim;
	return CLAIM_UNKNOWN;
}

static enum status
refuse_unknown(struct work *w, const struct step_args *args, const char *text,
    struct fault *why)
{
	(void)script_refuse(w->script, args->step, why,
	    "what \"#pragma %s\" claims is not proved here", text);
	fault_hint(why, "known are GCC unroll, GCC ivdep, clang loop, unroll, omp simd, "
	    "omp parallel for without clauses about data; --assume passes any");
	return ST_BAD_SPEC;
}

/* The loop with what is around it, and nothing beside it but declarations; NULL: not in here. */
static struct node *
path_to(struct arena *a, struct node *n, const struct node *target)
{
	struct node	*copy, *kid;
	bool		 found = false;

	if (n == target)
		return n;
	copy = arena_take(a, sizeof *copy);
	*copy = *n;
	copy->kids = NULL;
	copy->nkids = 0;
	for (size_t i = 0; i < n->nkids; i++) {
		if ((kid = path_to(a, n->kids[i], target)) != NULL)
			found = true;
		else if (n->kids[i]->kind == NODE_DECLARATION)
			kid = n->kids[i];
		if (kid != NULL)
			node_add(a, copy, kid);
	}
	return found ? copy : NULL;
}

static unsigned
loops_around(const struct node *n, const struct node *target)
{
	unsigned	depth = 0;

	while (n != target) {
		depth += n->kind == NODE_LOOP;
		n = n->kids[n->nkids - 1];	/* of a path: declarations stand before it */
	}
	return depth;
}

static enum status
prove_independent(struct work *w, const struct loop_at *l, const struct step_args *args,
    struct fault *why)
{
	struct node	*path = path_to(w->arena, l->region->root, l->loop);
	struct model	 m;
	char		 text[sizeof why->text];
	enum status	 st;

	st = model_init(&m, w->arena, w->source, &l->region->affine, path, why);
	if (st == ST_OK && m.has_problem) {
		*why = m.problem;
		st = ST_BAD_SPEC;
	}
	if (st == ST_OK && (st = alias_check(w, &m, why)) == ST_OK)
		st = verdict_independent(&m, loops_around(path, l->loop), why);
	model_release(&m);
	if (st == ST_OK)
		return ST_OK;
	memcpy(text, why->text, sizeof text);
	return script_refuse(w->script, args->step, why,
	    "the iterations of loop %s depend on each other: %.600s", l->loop->var->name, text);
}

enum status
step_pragma(struct work *w, const struct step_args *args, struct fault *why)
{
	const char	*text = args->text + strcspn(args->text, " \t");
	struct loop_at	 l;
	enum claim	 claim;
	char		 line[512];
	enum status	 st;

	text += strspn(text, " \t");
	if (*text == '\0')
		return script_refuse(w->script, args->step, why, "a pragma needs a text");
	if ((st = loops_find(w, args->step, args->names[0], &l, why)) != ST_OK)
		return st;
	claim = claim_of(text);
	if (claim == CLAIM_UNKNOWN)
		st = refuse_unknown(w, args, text, why);
	else if (claim == CLAIM_INDEPENDENT)
		st = prove_independent(w, &l, args, why);
	if (st == ST_BAD_SPEC && w->assumes) {
		w->assumed = arena_format(w->arena, "%s", fault_line(why, line, sizeof line));
		st = ST_OK;
	}
	if (st != ST_OK)
		return st;
	l.loop->pragmas = arena_grow(w->arena, l.loop->pragmas, l.loop->npragmas,
	    sizeof *l.loop->pragmas);
	l.loop->pragmas[l.loop->npragmas++] = text;
	l.region->is_changed = true;
	return ST_OK;
}
