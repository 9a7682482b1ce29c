/* SPDX-License-Identifier: Apache-2.0 */
/* Whose variants a unit has. */
#include <ctype.h>
#include <string.h>

#include "worker/build/recipe/flag_macros.h"
#include "worker/build/unit/unit_blame.h"
#include "worker/build/unit/unit_fits.h"
#include "worker/build/unit/unit_notes.h"
#include "worker/build/unit/unit_parts.h"

/* gcc in all its versions, clang as well; no other has been looked at. */
static bool
is_compiler_known(const char *name)
{
	return strcmp(name, "gcc") == 0 || strcmp(name, "clang") == 0 ||
	    (strncmp(name, "gcc-", 4) == 0 && isdigit((unsigned char)name[4])) ||
	    (strncmp(name, "clang-", 6) == 0 && isdigit((unsigned char)name[6]));
}

bool
unit_may_begin(const struct units *u, const struct job *job, const struct recipe *r,
    const struct hash *name)
{
	return r->compiler != NULL && is_compiler_known(r->compiler->name) && r->steps != NULL &&
	    r->pad[0] == '\0' && job->against.source == NULL && !notes_is_off(u, job) &&
	    !notes_is_alone(u, name) && unit_fits(job);
}

/* The command line without macros. */
static bool
is_same_line(const struct recipe *a, const struct recipe *b)
{
	size_t	i = 0, j = 0;

	for (;; i++, j++) {
		i += i == a->first_macro ? a->nmacros : 0;
		j += j == b->first_macro ? b->nmacros : 0;
		if (i >= a->nwords || j >= b->nwords)
			return i >= a->nwords && j >= b->nwords;
		if (strcmp(a->words[i], b->words[j]) != 0)
			return false;
	}
}

static bool
has_same_files(const struct variant *a, const struct variant *b)
{
	if (a->nfiles != b->nfiles)
		return false;
	for (size_t i = 0; i < a->nfiles; i++) {
		const struct source_file	*f = &a->files[i], *g = &b->files[i];

		if (strcmp(f->name, g->name) != 0 || f->nbytes != g->nbytes ||
		    memcmp(f->bytes, g->bytes, f->nbytes) != 0)
			return false;
	}
	return true;
}

static bool
is_alike(const struct unit *u, const struct job *job, const struct recipe *r)
{
	const struct recipe	*first = u->first;

	return r->compiler == first->compiler && r->is_plain == first->is_plain &&
	    strcmp(r->file, first->file) == 0 &&
	    strcmp(job->spec.routine.name, u->job->spec.routine.name) == 0 &&
	    is_same_line(r, first) && has_same_files(&job->variant, &u->job->variant) &&
	    (r->is_plain || (r->source_bytes == first->source_bytes &&
	    memcmp(r->source, first->source, r->source_bytes) == 0));
}

static bool
has_name(const struct unit *u, const struct hash *name)
{
	for (unsigned k = 0; k < u->n; k++)
		if (strcmp(u->member[k]->name.hex, name->hex) == 0)
			return true;
	return false;
}

/* A recipe is in `own`; is it one more member? */
static bool
is_member(struct unit *u, struct member *m)
{
	struct fault	why;

	if (m->job.against.source != NULL || !unit_fits(&m->job) ||
	    !is_alike(u, &m->job, &m->own))
		return false;
	m->own.dir = u->means->scratch->path;
	m->own.steps = u->first->steps;		/* of the same command line */
	return recipe_hash(&m->own, &m->name, &why) == ST_OK &&
	    !notes_is_alone(u->units, &m->name) &&
	    !has_name(u, &m->name) && !cache_has(u->means->cache, &m->name);
}

static void
add_member(struct unit *u, struct member *m, const struct recipe *r)
{
	u->member[u->n] = m;
	u->recipe[u->n++] = r;
	u->taken++;
}

static void
take_member(struct unit *u, const json_t *doc)
{
	struct member	*m = &u->all[u->taken];
	struct fault	 why;

	if (u->n == UNIT_MOST || job_decode(&m->job, doc, &why) != ST_OK)
		return;
	flag_macros_take(&m->job.variant);
	if (recipe_of_variant(&m->own, u->means->recipes, &m->job.spec, &m->job.variant,
	    "variant", 0, &why) == ST_OK && is_member(u, m)) {
		m->has_job = true;
		add_member(u, m, &m->own);
		return;
	}
	recipe_release(&m->own);
	job_release(&m->job);
}

void
unit_take_members(struct unit *u, const struct hash *name, const json_t *company)
{
	size_t	 i;
	json_t	*doc;

	u->all[0].name = *name;
	add_member(u, &u->all[0], u->first);
	json_array_foreach((json_t *)(uintptr_t)company, i, doc)
		take_member(u, doc);
}

bool
unit_drop_guilty(struct unit *u)
{
	const struct unit_page	page = { u->first->file, u->text, u->job->spec.routine.name };
	bool			guilty[UNIT_MOST] = { false };
	unsigned		kept = 0;

	if (u->words == NULL || !unit_blame(guilty, u->n, u->words, &page))
		return false;
	for (unsigned k = 0; k < u->n; k++) {
		if (guilty[k]) {
			notes_alone(u->units, &u->member[k]->name);
			continue;
		}
		u->member[kept] = u->member[k];
		u->recipe[kept++] = u->recipe[k];
	}
	u->n = kept;
	return kept > 1;
}
