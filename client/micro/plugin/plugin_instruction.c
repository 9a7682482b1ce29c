/* SPDX-License-Identifier: Apache-2.0 */
/* assay-micro.h: what a plugin's pass may do with an instruction. */
#include <string.h>

#include "client/micro/model/micro.h"
#include "client/micro/plugin/assay-micro.h"

const char *
assay_micro_operation(const struct pattern *p)
{
	return pattern_operation(p);
}

/* The candidates of a description are shared by its programs: this one gets its own. */
bool
assay_micro_set_operation(struct program *of, struct pattern *p, const char *operation)
{
	p->candidates = NULL;
	p->ncandidates = p->candidate = 0;
	pattern_add_candidate(of->arena, p, (struct candidate){
	    .operation = arena_text(of->arena, operation, strlen(operation)), .pieces = 1 });
	return true;
}

unsigned
assay_micro_line(const struct pattern *p)
{
	return p->at.line;
}

void
assay_micro_set_comment(struct program *of, struct pattern *p, const char *words)
{
	p->comment = words != NULL ? arena_text(of->arena, words, strlen(words)) : NULL;
}

/* ---- operands ---- */

size_t
assay_micro_operands(const struct pattern *p)
{
	return p->nslots;
}

enum assay_micro_operand
assay_micro_operand(const struct pattern *p, size_t i)
{
	if (i >= p->nslots)
		return ASSAY_MICRO_NONE;
	switch (p->slots[i].kind) {
	case SLOT_REGISTER:
		return ASSAY_MICRO_REGISTER;
	case SLOT_IMMEDIATE:
		return ASSAY_MICRO_IMMEDIATE;
	case SLOT_MEMORY:
	case SLOT_INDIRECT:
		break;
	}
	return ASSAY_MICRO_MEMORY;
}

static bool
is_kind(const struct pattern *p, size_t i, enum assay_micro_operand kind)
{
	return i < p->nslots && assay_micro_operand(p, i) == kind;
}

const char *
assay_micro_register(const struct pattern *p, size_t i)
{
	return is_kind(p, i, ASSAY_MICRO_REGISTER) || is_kind(p, i, ASSAY_MICRO_MEMORY) ?
	    described_name(&p->slots[i].base) : NULL;
}

int64_t
assay_micro_offset(const struct pattern *p, size_t i)
{
	return is_kind(p, i, ASSAY_MICRO_MEMORY) ? p->slots[i].offset : 0;
}

int64_t
assay_micro_immediate(const struct pattern *p, size_t i)
{
	return is_kind(p, i, ASSAY_MICRO_IMMEDIATE) ? p->slots[i].value : 0;
}

static bool
is_logical(const char *name)
{
	return name[0] == 'r' && name[1] != '\0' &&
	    name[1 + strspn(name + 1, "0123456789")] == '\0';
}

static struct described
describe(struct program *of, const struct pattern *p, const char *name)
{
	const char		*own = arena_text(of->arena, name, strlen(name));
	struct described	 d = { .at = p->at };

	if (is_logical(name))
		d.logical = own;
	else
		d.physical = own;
	return d;
}

bool
assay_micro_set_register(struct program *of, struct pattern *p, size_t i, const char *name)
{
	if (!is_kind(p, i, ASSAY_MICRO_REGISTER) && !is_kind(p, i, ASSAY_MICRO_MEMORY))
		return false;
	p->slots[i].base = describe(of, p, name);
	return true;
}

bool
assay_micro_set_offset(struct pattern *p, size_t i, int64_t bytes)
{
	if (!is_kind(p, i, ASSAY_MICRO_MEMORY))
		return false;
	p->slots[i].offset = bytes;
	return true;
}

bool
assay_micro_set_immediate(struct pattern *p, size_t i, int64_t value)
{
	if (!is_kind(p, i, ASSAY_MICRO_IMMEDIATE))
		return false;
	p->slots[i].value = value;
	return true;
}

bool
assay_micro_swap(struct pattern *p, size_t i, size_t j)
{
	struct slot	kept;

	if (i >= p->nslots || j >= p->nslots)
		return false;
	kept = p->slots[i];
	p->slots[i] = p->slots[j];
	p->slots[j] = kept;
	return true;
}

static bool
add(struct pattern *p, struct slot one)
{
	if (p->nslots == PATTERN_SLOTS)
		return false;
	one.at = p->at;
	p->slots[p->nslots++] = one;
	return true;
}

bool
assay_micro_add_register(struct program *of, struct pattern *p, const char *name)
{
	return add(p, (struct slot){ .kind = SLOT_REGISTER, .base = describe(of, p, name) });
}

bool
assay_micro_add_memory(struct program *of, struct pattern *p, const char *base, int64_t offset)
{
	return add(p, (struct slot){ .kind = SLOT_MEMORY, .base = describe(of, p, base),
	    .offset = offset });
}

bool
assay_micro_add_immediate(struct pattern *p, int64_t value)
{
	return add(p, (struct slot){ .kind = SLOT_IMMEDIATE, .value = value });
}
