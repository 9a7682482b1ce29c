/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/micro/pass/passes.h"

void
passes_init(struct passes *to)
{
	static const struct pass *const	all[] = {
		&pass_move_semantics, &pass_induction_selection, &pass_kernel_repetition,
		&pass_random_order, &pass_instruction_repetition, &pass_immediate_before,
		&pass_swap_before, &pass_operation_before, &pass_stride, &pass_unroll,
		&pass_operation_after, &pass_swap_after, &pass_immediate_after, &pass_move_pieces,
		&pass_register_rotation, &pass_induction_insertion, &pass_register_allocation,
		&pass_openmp, &pass_code_generation,
	};

	to->n = sizeof all / sizeof all[0];
	for (size_t i = 0; i < to->n; i++)
		to->at[i] = *all[i];
}

struct pass *
passes_find(struct passes *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->at[i].name, name) == 0)
			return &p->at[i];
	return NULL;
}

static enum status
find(struct passes *p, const char *name, size_t *at, struct fault *why)
{
	const char	*names[PASSES_MAX + 1] = { NULL }, *near;
	struct pass	*found = passes_find(p, name);
	enum status	 st;

	if (found != NULL) {
		*at = (size_t)(found - p->at);
		return ST_OK;
	}
	for (size_t i = 0; i < p->n; i++)
		names[i] = p->at[i].name;
	st = fault_set(why, ST_NOT_FOUND, "there is no pass \"%s\"", name);
	if ((near = nearest_name(name, names)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", near);
	return st;
}

static enum status
insert(struct passes *p, const char *name, size_t behind, const struct pass *one,
    struct fault *why)
{
	enum status	st;
	size_t		at;

	if ((st = find(p, name, &at, why)) != ST_OK)
		return st;
	if (passes_find(p, one->name) != NULL)
		return fault_set(why, ST_CONFLICT, "there is a pass \"%s\" already", one->name);
	if (p->n == PASSES_MAX)
		return fault_set(why, ST_FULL, "there are %d passes already", PASSES_MAX);
	at += behind;
	memmove(&p->at[at + 1], &p->at[at], (p->n - at) * sizeof p->at[0]);
	p->at[at] = *one;
	p->n++;
	return ST_OK;
}

enum status
passes_insert_before(struct passes *p, const char *name, const struct pass *one,
    struct fault *why)
{
	return insert(p, name, 0, one, why);
}

enum status
passes_insert_after(struct passes *p, const char *name, const struct pass *one, struct fault *why)
{
	return insert(p, name, 1, one, why);
}

enum status
passes_replace(struct passes *p, const char *name, const struct pass *by, struct fault *why)
{
	enum status	st;
	size_t		at;

	if ((st = find(p, name, &at, why)) != ST_OK)
		return st;
	if (strcmp(name, by->name) != 0 && passes_find(p, by->name) != NULL)
		return fault_set(why, ST_CONFLICT, "there is a pass \"%s\" already", by->name);
	p->at[at] = *by;
	return ST_OK;
}

enum status
passes_remove(struct passes *p, const char *name, struct fault *why)
{
	enum status	st;
	size_t		at;

	if ((st = find(p, name, &at, why)) != ST_OK)
		return st;
	p->n--;
	memmove(&p->at[at], &p->at[at + 1], (p->n - at) * sizeof p->at[0]);
	return ST_OK;
}

enum status
passes_move_after(struct passes *p, const char *name, const char *after, struct fault *why)
{
	enum status	st;
	struct pass	moved;
	size_t		at, behind;

	if ((st = find(p, name, &at, why)) != ST_OK || (st = find(p, after, &behind, why)) != ST_OK)
		return st;
	if (at == behind)
		return fault_set(why, ST_CONFLICT, "\"%s\" cannot run after itself", name);
	moved = p->at[at];
	if ((st = passes_remove(p, name, why)) == ST_OK)
		st = insert(p, after, 1, &moved, why);
	return st;
}

enum status
passes_set_gate(struct passes *p, const char *name, bool (*gate)(const struct micro *),
    struct fault *why)
{
	enum status	st;
	size_t		at;

	if ((st = find(p, name, &at, why)) == ST_OK)
		p->at[at].gate = gate;
	return st;
}

bool
pass_is_on(const struct pass *p, const struct micro *m)
{
	return p->gate == NULL || p->gate(m);
}

const char *
pass_kind_word(enum pass_kind k)
{
	static const char *const	words[] = {
		[PASS_ONCE] = "description", [PASS_REPEAT] = "repetition",
		[PASS_KERNEL] = "kernel", [PASS_BEFORE] = "instruction", [PASS_UNROLL] = "unroll",
		[PASS_AFTER] = "copy", [PASS_PROGRAM] = "program",
	};

	return words[k];
}
