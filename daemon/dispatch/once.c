/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/dispatch/once.h"
#include "proto/base/version.h"

void
once_init(struct once *o, struct store *store, const struct topology *t, const bool *reuses)
{
	*o = (struct once){ .store = store, .reuses = reuses, .slots = json_array() };
	topology_machine(t, o->machine);
	for (unsigned i = 0; i < t->nslots; i++)
		(void)json_array_append_new(o->slots, topology_cpus(&t->slot[i]));
}

void
once_release(struct once *o)
{
	json_decref(o->slots);
	o->slots = NULL;
}

/* Of one side of a job; NULL: it is not known. */
static json_t *
side(const char *content, const struct compiler_identity *c)
{
	return content == NULL ? NULL : json_pack("{s:s, s:[s?, s?, s?, s?]}", "content", content,
	    "compiler", c->name, c->version, c->target, c->id);
}

/* All that the job itself has to do with its time; NULL: not known.  New reference. */
static json_t *
of_job(const struct queued_job *j)
{
	const struct build_record	*b = j->build;
	const struct brief		*brief = j->brief;
	json_t				*variant, *against = NULL;

	if (b == NULL || !b->has_report || brief == NULL ||
	    brief->shared->hash[0] == '\0' ||
	    (variant = side(b->report.content, &b->report.compiler)) == NULL)
		return NULL;
	if (brief->against != NULL && (against = side(b->report.against_content,
	    &b->report.against_compiler)) == NULL) {
		json_decref(variant);
		return NULL;
	}
	return json_pack("{s:o, s:o*, s:s, s:s, s:O*, s:O*}", "variant", variant, "against",
	    against, "driver", b->artifacts.driver.hex, "spec", brief->shared->hash, "params",
	    brief->shared->params, "terms", brief->terms);
}

static void
identify(const struct once *o, const struct queued_job *j, const struct once_now *now,
    char out[ONCE_BYTES])
{
	char	 hash[SPEC_HASH_BYTES];
	json_t	*job, *all;

	out[0] = '\0';
	if (now->fitness == NULL || (job = of_job(j)) == NULL)
		return;
	all = json_pack("{s:s, s:s, s:s, s:O, s:o}", "version", ASSAY_VERSION, "machine",
	    o->machine, "fitness", now->fitness, "slots", o->slots, "job", job);
	if (now->calibrated != NULL && j->brief->shared->is_cold)
		(void)json_object_set(all, "calibrated", (json_t *)(uintptr_t)now->calibrated);
	if (all != NULL) {
		spec_hash(all, hash);
		memcpy(out, hash, ONCE_BYTES - 1);
		out[ONCE_BYTES - 1] = '\0';
	}
	json_decref(all);
}

void
once_note(const struct once *o, const struct queued_job *j, const struct once_now *now)
{
	if (j->build != NULL)
		identify(o, j, now, j->build->identity);
}

void
once_settle(const struct once *o, const struct queued_job *j, const struct once_now *now,
    bool raced)
{
	char	identity[ONCE_BYTES];

	if (j->build == NULL)
		return;
	identify(o, j, now, identity);
	if (raced || strcmp(identity, j->build->identity) != 0)
		j->build->identity[0] = '\0';
}

bool
once_is_same(const struct once *o, const struct queued_job *j, const struct queued_job *timed)
{
	return *o->reuses && !j->brief->fresh && timed->build != NULL &&
	    timed->build->identity[0] != '\0' &&
	    strcmp(j->build->identity, timed->build->identity) == 0;
}

json_t *
once_find(const struct once *o, const struct queued_job *j, int64_t *of)
{
	char	*text;
	json_t	*doc;

	if (!*o->reuses || j->build == NULL || j->build->identity[0] == '\0' || j->brief->fresh ||
	    (text = store_timed(o->store, j->build->identity, of)) == NULL)
		return NULL;
	doc = json_loads(text, 0, NULL);
	free(text);
	return doc;
}
