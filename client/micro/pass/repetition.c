/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repetition, the paper's statement scheduling: a kernel or an instruction is there as often as was
 * chosen.  Copies of a kernel choose each for itself; those of an instruction only what is chosen
 * after unrolling.
 */
#include "client/micro/pass/copies.h"
#include "client/micro/pass/pass.h"

typedef enum status	 repeat_fn(struct program *, struct kernel *to, const struct statement *,
			    struct fault *);

/* Each statement of a kernel becomes what `repeat` puts in its place. */
static enum status
rebuild(struct program *of, struct kernel *k, repeat_fn *repeat, struct fault *why)
{
	const struct statement	*from = k->statements;
	const size_t		 n = k->nstatements;
	enum status		 st = ST_OK;

	k->statements = NULL;
	k->nstatements = 0;
	for (size_t i = 0; i < n && st == ST_OK; i++)
		st = repeat(of, k, &from[i], why);
	for (size_t i = 0; i < k->nstatements && st == ST_OK; i++)
		if (k->statements[i].kind == STATEMENT_KERNEL)
			st = rebuild(of, k->statements[i].kernel, repeat, why);
	return st;
}

static enum status
repeat_kernel(struct program *of, struct kernel *to, const struct statement *s, struct fault *why)
{
	enum status	st;

	if (s->kind != STATEMENT_KERNEL) {
		kernel_add(of->arena, to, *s);
		return ST_OK;
	}
	st = micro_check_size(of->micro, s->kernel->at, kernel_size(of->root),
	    s->kernel->nchosen * kernel_size(s->kernel), why);
	for (size_t i = 0; i < s->kernel->nchosen && st == ST_OK; i++)
		kernel_add_kernel(of->arena, to, s->kernel->chosen[i]);
	return st;
}

static enum status
repeat_pattern(struct program *of, struct kernel *to, const struct statement *s, struct fault *why)
{
	const uint64_t	n = s->kind == STATEMENT_PATTERN ? s->pattern->repeats : 1;
	enum status	st = ST_OK;

	if (s->kind == STATEMENT_PATTERN)
		st = micro_check_size(of->micro, s->pattern->at, kernel_size(of->root), n, why);
	for (uint64_t i = 0; i < n && st == ST_OK; i++)
		kernel_add(of->arena, to, n > 1 ? statement_part(of, s, i, n) : *s);
	return st;
}

static enum status
run_kernels(struct program *of, struct fault *why)
{
	return rebuild(of, of->root, repeat_kernel, why);
}

static enum status
run_patterns(struct program *of, struct fault *why)
{
	return rebuild(of, of->root, repeat_pattern, why);
}

const struct pass	pass_kernel_repetition = {
	.name = "kernel_repetition", .text = "a kernel in a row, from min to max times",
	.kind = PASS_REPEAT, .is_kernels = true, .run = run_kernels,
};

const struct pass	pass_instruction_repetition = {
	.name = "instruction_repetition", .text = "an instruction in a row, from min to max times",
	.kind = PASS_REPEAT, .run = run_patterns,
};
