/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/micro/model/pattern.h"

struct pattern *
pattern_new(struct arena *a, struct place at)
{
	struct pattern	*p = arena_take(a, sizeof *p);

	p->at = at;
	p->repetition = range_of_one(1);
	p->repeats = 1;
	p->copies = 1;
	return p;
}

/* Candidates are shared: none is changed once passes run. */
struct pattern *
pattern_clone(struct arena *a, const struct pattern *of)
{
	struct pattern	*p = arena_take(a, sizeof *p);

	*p = *of;
	return p;
}

void
pattern_add_candidate(struct arena *a, struct pattern *p, struct candidate c)
{
	p->candidates = arena_grow(a, p->candidates, p->ncandidates, sizeof *p->candidates);
	p->candidates[p->ncandidates++] = c;
}

const char *
pattern_operation(const struct pattern *p)
{
	return p->candidates[p->candidate].operation;
}

struct slot *
pattern_open_immediate(const struct pattern *p)
{
	for (size_t i = 0; i < p->nslots; i++)
		if (p->slots[i].kind == SLOT_IMMEDIATE && p->slots[i].values.is_given)
			return (struct slot *)(uintptr_t)&p->slots[i];
	return NULL;
}

struct slot *
pattern_memory(const struct pattern *p)
{
	for (size_t i = 0; i < p->nslots; i++)
		if (p->slots[i].kind == SLOT_MEMORY || p->slots[i].kind == SLOT_INDIRECT)
			return (struct slot *)(uintptr_t)&p->slots[i];
	return NULL;
}

bool
pattern_is_store(const struct pattern *p)
{
	const struct slot	*memory = pattern_memory(p);

	return memory != NULL && memory == &p->slots[p->nslots - 1] && p->nslots > 1;
}

bool
pattern_is_load(const struct pattern *p)
{
	return pattern_memory(p) != NULL && !pattern_is_store(p);
}

char
pattern_letter(const struct pattern *p)
{
	return pattern_is_load(p) ? 'L' : pattern_is_store(p) ? 'S' : 'A';
}

const char *
described_name(const struct described *d)
{
	return d->logical != NULL ? d->logical : d->physical != NULL ? d->physical : "";
}

bool
described_is_equal(const struct described *a, const struct described *b)
{
	return (a->logical != NULL) == (b->logical != NULL) &&
	    strcmp(described_name(a), described_name(b)) == 0;
}
