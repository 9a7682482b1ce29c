/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/micro/model/kernel.h"

struct kernel *
kernel_new(struct arena *a, struct place at)
{
	struct kernel	*k = arena_take(a, sizeof *k);

	k->at = at;
	k->unrolling = range_of_one(1);
	k->repetition = range_of_one(1);
	k->unroll = 1;
	return k;
}

static struct statement
clone_statement(struct arena *a, const struct statement *of)
{
	struct statement	s = *of;

	if (s.kind == STATEMENT_PATTERN)
		s.pattern = pattern_clone(a, of->pattern);
	if (s.kind == STATEMENT_KERNEL)
		s.kernel = kernel_clone(a, of->kernel);
	return s;
}

struct kernel *
kernel_clone(struct arena *a, const struct kernel *of)
{
	struct kernel	*k = arena_take(a, sizeof *k);

	*k = *of;
	k->statements = NULL;
	k->nstatements = 0;
	for (size_t i = 0; i < of->nstatements; i++)
		kernel_add(a, k, clone_statement(a, &of->statements[i]));
	k->inductions = arena_take(a, of->ninductions * sizeof *k->inductions);
	if (of->ninductions > 0)
		memcpy(k->inductions, of->inductions, of->ninductions * sizeof *k->inductions);
	return k;
}

void
kernel_add(struct arena *a, struct kernel *k, struct statement s)
{
	k->statements = arena_grow(a, k->statements, k->nstatements, sizeof *k->statements);
	k->statements[k->nstatements++] = s;
}

void
kernel_add_pattern(struct arena *a, struct kernel *k, struct pattern *p)
{
	kernel_add(a, k, (struct statement){ .kind = STATEMENT_PATTERN, .pattern = p });
}

void
kernel_add_kernel(struct arena *a, struct kernel *k, struct kernel *inner)
{
	kernel_add(a, k, (struct statement){ .kind = STATEMENT_KERNEL, .kernel = inner });
}

void
kernel_add_comment(struct arena *a, struct kernel *k, const char *words)
{
	kernel_add(a, k, (struct statement){ .kind = STATEMENT_COMMENT, .text = words });
}

struct induction *
kernel_add_induction(struct arena *a, struct kernel *k, struct place at)
{
	struct induction	*i;

	k->inductions = arena_grow(a, k->inductions, k->ninductions, sizeof *k->inductions);
	i = &k->inductions[k->ninductions++];
	*i = (struct induction){ .at = at, .stride = 1, .strides = range_of_one(1) };
	return i;
}

struct induction *
kernel_induction(const struct kernel *k, unsigned id)
{
	for (size_t i = 0; i < k->ninductions && id != 0; i++)
		if (k->inductions[i].id == id)
			return &k->inductions[i];
	return NULL;
}

bool
kernel_is_loop(const struct kernel *k)
{
	return k->label != NULL;
}

bool
kernel_each_pattern(const struct kernel *k, pattern_visit_fn *visit, void *arg)
{
	for (size_t i = 0; i < k->nstatements; i++) {
		const struct statement	*s = &k->statements[i];

		if ((s->kind == STATEMENT_PATTERN && !visit(arg, s->pattern)) ||
		    (s->kind == STATEMENT_KERNEL && !kernel_each_pattern(s->kernel, visit, arg)))
			return false;
	}
	return true;
}

bool
kernel_each(struct kernel *k, kernel_visit_fn *visit, void *arg)
{
	if (!visit(arg, k))
		return false;
	for (size_t i = 0; i < k->nstatements; i++)
		if (k->statements[i].kind == STATEMENT_KERNEL &&
		    !kernel_each(k->statements[i].kernel, visit, arg))
			return false;
	return true;
}

static bool
count(void *arg, struct pattern *p)
{
	(void)p;
	(*(uint64_t *)arg)++;
	return true;
}

uint64_t
kernel_size(const struct kernel *k)
{
	uint64_t	n = 0;

	(void)kernel_each_pattern(k, count, &n);
	return n;
}
