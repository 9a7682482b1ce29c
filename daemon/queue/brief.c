/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/queue/brief.h"
#include "proto/base/fnv.h"

struct brief_shared *
brief_share(const struct job *job, const json_t *doc, int64_t spec_id, const char *text)
{
	struct brief_shared	*b = calloc(1, sizeof *b);
	json_t			*filled;

	if (b == NULL)
		return NULL;
	filled = spec_encode(&job->spec);
	spec_hash(filled, b->hash);
	json_decref(filled);
	b->refs = 1;
	b->spec_id = spec_id;
	b->text = strdup(text);
	b->routine = strdup(job->spec.routine.name);
	b->params = json_incref(json_object_get(json_object_get(doc, "spec"), "params"));
	b->flops_count = job->spec.flops_count;
	b->bytes_count = job->spec.bytes_count;
	b->timing = job->spec.timing;
	b->is_cold = spec_is_cold(&job->spec);
	if (b->text != NULL && b->routine != NULL)
		return b;
	brief_unshare(b);
	return NULL;
}

void
brief_unshare(struct brief_shared *b)
{
	if (b == NULL || --b->refs != 0)
		return;
	free(b->text);
	free(b->routine);
	json_decref(b->params);
	free(b);
}

/* New reference. */
static json_t *
terms_of(const json_t *doc)
{
	static const char *const	members[] = { "compare", "copies", "jail", "threads",
	    "timeout_ms" };
	json_t				*terms = json_object();

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
		if (json_object_get(doc, members[i]) != NULL)
			(void)json_object_set(terms, members[i], json_object_get(doc, members[i]));
	return terms;
}

/* *copy is NULL for NULL.  false: out of memory. */
static bool
copy_text(char **copy, const char *text)
{
	*copy = text != NULL ? strdup(text) : NULL;
	return *copy != NULL || text == NULL;
}

/* Those that C includes; what is compiled beside a source is not built with others. */
static bool
can_share_files(const struct variant *v)
{
	for (size_t i = 0; i < v->nfiles; i++)
		if (v->language != LANG_C || v->files[i].compile)
			return false;
	return true;
}

/*
 * Language, compiler, flags but for macros, source and files; programs of assembly that are for one
 * routine.  A builder looks at all of it (worker/build/unit/unit_members.c); a value by chance the
 * same costs it that look.
 */
static uint64_t
alike_of(const struct job *job)
{
	const struct variant	*v = &job->variant;
	uint64_t		 h = 1 + (uint64_t)v->language;

	if ((v->language != LANG_C && v->language != LANG_ASM) || v->nlibraries > 0 ||
	    !can_share_files(v) || job->against.source != NULL)
		return 0;
	h = h * 31 + fnv1a(v->language == LANG_ASM ? job->spec.routine.name : v->source);
	h = h * 31 + fnv1a(v->compiler);
	for (size_t i = 0; i < v->nflags; i++)
		if (strncmp(v->flags[i], "-D", 2) != 0)
			h = h * 31 + fnv1a(v->flags[i]);
	for (size_t i = 0; i < v->nfiles; i++)
		h = (h * 31 + fnv1a(v->files[i].name)) * 31 + fnv1a(v->files[i].bytes);
	return h | 1;
}

struct brief *
brief_new(const struct job *job, const json_t *doc, struct brief_shared *shared, const char *rest,
    const char *sweep_name)
{
	struct brief	*b = calloc(1, sizeof *b);

	if (b == NULL)
		return NULL;
	*b = (struct brief){ .shared = shared,
	    .flags = json_incref(json_object_get(json_object_get(doc, "variant"), "flags")),
	    .meta = json_incref(job->meta), .terms = terms_of(doc), .fresh = job->fresh,
	    .yardstick = job->yardstick, .alike = alike_of(job),
	    .build_timeout_ms = job->build_timeout_ms, .run_timeout_ms = job->run_timeout_ms };
	shared->refs++;
	if (copy_text(&b->name, job->variant.name) &&
	    copy_text(&b->against, job->against.source != NULL ? job->against.name : NULL) &&
	    copy_text(&b->sweep_name, sweep_name) &&
	    copy_text(&b->visibility, job->visibility) &&
	    copy_text(&b->rest, strlen(rest) <= BRIEF_TEXT_BYTES ? rest : NULL))
		return b;
	brief_free(b);
	return NULL;
}

void
brief_free(struct brief *b)
{
	if (b == NULL)
		return;
	brief_unshare(b->shared);
	json_decref(b->flags);
	json_decref(b->meta);
	json_decref(b->terms);
	free(b->name);
	free(b->against);
	free(b->sweep_name);
	free(b->visibility);
	free(b->rest);
	free(b);
}
