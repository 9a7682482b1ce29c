/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "proto/base/fnv.h"
#include "worker/build/unit/unit_notes.h"

enum {
	SOURCES_KEPT = 64, DIFFERING_KEPT = 4096, NAMES_KEPT = 256, MADE_KEPT = 256,
	OBJECTS_KEPT = 1024,
};

struct source_note {
	uint64_t	source;
	uint64_t	headers;	/* that have no name of its macros; and which names */
	unsigned	failures;	/* of units, in a row */
	unsigned	count;		/* units that were linked */
};

struct made_note {
	struct hash		name;
	struct unit_made	made;
};

struct object_note {
	uint64_t	source;
	struct hash	name;
};

struct units {
	size_t			 nsources, ndiffering, nalone, nmade, nobjects;	/* ever noted */
	struct source_note	 source[SOURCES_KEPT];
	uint64_t		 differing[DIFFERING_KEPT];
	struct hash		 alone[NAMES_KEPT];	/* of units that failed */
	struct made_note	 made[MADE_KEPT];
	struct object_note	 object[OBJECTS_KEPT];	/* in the cache, by a unit */
};

enum status
units_new(struct units **out, struct fault *why)
{
	if ((*out = calloc(1, sizeof **out)) == NULL)
		return fault_set(why, ST_NOMEM, "units");
	return ST_OK;
}

void
units_free(struct units *u)
{
	free(u);
}

/* ---- sources ---- */

/*
 * A source with its files, a compiler and flags.  Programs of assembly differ in their source: they
 * are known by their routine.
 */
static uint64_t
source_key(const struct job *job)
{
	const struct variant	*v = &job->variant;
	uint64_t		 h = fnv1a(v->language == LANG_ASM ? job->spec.routine.name :
				    v->source);

	h = h * 31 + fnv1a(v->compiler);
	for (size_t i = 0; i < v->nflags; i++)
		h = h * 31 + fnv1a(v->flags[i]);
	for (size_t i = 0; i < v->nfiles; i++)
		h = (h * 31 + fnv1a(v->files[i].name)) * 31 + fnv1a(v->files[i].bytes);
	return h;
}

static const struct source_note *
find_source(const struct units *u, const struct job *job)
{
	const uint64_t	key = source_key(job);

	for (size_t i = 0; i < SOURCES_KEPT && i < u->nsources; i++)
		if (u->source[i].source == key)
			return &u->source[i];
	return NULL;
}

static struct source_note *
note_of(struct units *u, const struct job *job)
{
	struct source_note	*s = (struct source_note *)(uintptr_t)find_source(u, job);

	if (s != NULL)
		return s;
	s = &u->source[u->nsources++ % SOURCES_KEPT];
	*s = (struct source_note){ .source = source_key(job) };
	return s;
}

bool
units_differ(const struct units *u, const struct job *job)
{
	const uint64_t	key = source_key(job);

	for (size_t i = 0; i < DIFFERING_KEPT && i < u->ndiffering; i++)
		if (u->differing[i] == key)
			return true;
	return false;
}

bool
notes_is_off(const struct units *u, const struct job *job)
{
	const struct source_note	*s = find_source(u, job);

	return (s != NULL && s->failures >= UNIT_FAILURES) || units_differ(u, job);
}

void
notes_failure(struct units *u, const struct job *job)
{
	note_of(u, job)->failures++;
}

void
notes_off(struct units *u, const struct job *job)
{
	note_of(u, job)->failures = UNIT_FAILURES;
}

unsigned
notes_count(struct units *u, const struct job *job)
{
	return note_of(u, job)->count++;
}

bool
notes_has_headers(const struct units *u, const struct job *job, uint64_t headers)
{
	const struct source_note	*s = find_source(u, job);

	return s != NULL && s->headers == headers;
}

void
notes_headers(struct units *u, const struct job *job, uint64_t headers)
{
	note_of(u, job)->headers = headers;
}

void
notes_differs(struct units *u, const struct job *job, struct cache *cache)
{
	const uint64_t	key = source_key(job);

	u->differing[u->ndiffering++ % DIFFERING_KEPT] = key;
	for (size_t i = 0; i < OBJECTS_KEPT && i < u->nobjects; i++)
		if (u->object[i].source == key)
			cache_drop(cache, &u->object[i].name);
}

/* ---- variants ---- */

bool
notes_is_alone(const struct units *u, const struct hash *name)
{
	for (size_t i = 0; i < NAMES_KEPT && i < u->nalone; i++)
		if (strcmp(u->alone[i].hex, name->hex) == 0)
			return true;
	return false;
}

void
notes_alone(struct units *u, const struct hash *name)
{
	u->alone[u->nalone++ % NAMES_KEPT] = *name;
}

void
notes_made(struct units *u, const struct job *job, const struct hash *name,
    struct unit_made made)
{
	u->made[u->nmade++ % MADE_KEPT] = (struct made_note){ *name, made };
	u->object[u->nobjects++ % OBJECTS_KEPT] = (struct object_note){ source_key(job), *name };
	note_of(u, job)->failures = 0;
}

struct unit_made
units_claim(struct units *u, const struct hash *name)
{
	for (size_t i = 0; i < MADE_KEPT && i < u->nmade; i++)
		if (strcmp(u->made[i].name.hex, name->hex) == 0) {
			u->made[i].name.hex[0] = '\0';
			return u->made[i].made;
		}
	return (struct unit_made){ 0 };
}
