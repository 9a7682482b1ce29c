/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/dispatch/once.h"
#include "daemon/queue/spec_hash.h"
#include "proto/base/version.h"
#include "proto/json/text.h"

/* NULL: out of memory, and then nothing is known to be the same. */
static char *
slots_text(const struct topology *t)
{
	json_t		*slots = json_array();
	struct text	 text = { .at = NULL };

	for (unsigned i = 0; i < t->nslots; i++)
		(void)json_array_append_new(slots, topology_cpus(&t->slot[i]));
	text_json(&text, slots);
	json_decref(slots);
	return text_take(&text);
}

void
once_init(struct once *o, struct store *store, const struct topology *t, const bool *reuses)
{
	*o = (struct once){ .store = store, .reuses = reuses, .slots = slots_text(t) };
	topology_machine(t, o->machine);
}

void
once_release(struct once *o)
{
	free(o->slots);
	o->slots = NULL;
}

static void
put_text(struct text *t, const char *name, const char *value)
{
	text_name(t, name);
	text_string(t, value);
}

static void
put_json(struct text *t, const char *name, const json_t *value)
{
	if (value == NULL)
		return;
	text_name(t, name);
	text_json(t, value);
}

/* One side of a job. */
static void
put_side(struct text *t, const char *name, const char *content, const struct compiler_identity *c)
{
	const char	*const of[] = { c->name, c->version, c->target, c->id };

	text_name(t, name);
	text_raw(t, "{\"compiler\":[", 13);
	for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
		text_comma(t);
		if (of[i] != NULL)
			text_string(t, of[i]);
		else
			text_null(t);
	}
	text_char(t, ']');
	put_text(t, "content", content);
	text_char(t, '}');
}

/* What a job's time depends on in the job itself is known. */
static bool
is_known(const struct queued_job *j)
{
	const struct build_record	*b = j->build;
	const struct brief		*brief = j->brief;

	return b != NULL && b->has_report && brief != NULL && brief->shared->hash[0] != '\0' &&
	    b->report.content != NULL &&
	    (brief->against == NULL || b->report.against_content != NULL);
}

/* Members in the order of their names: the form that stored identities were made of. */
static void
put_job(struct text *t, const struct queued_job *j)
{
	const struct built		*built = &j->build->report;
	const struct brief		*brief = j->brief;

	text_name(t, "job");
	text_char(t, '{');
	if (brief->against != NULL)
		put_side(t, "against", built->against_content, &built->against_compiler);
	put_text(t, "driver", j->build->artifacts.driver.hex);
	put_json(t, "params", brief->shared->params);
	put_text(t, "spec", brief->shared->hash);
	put_json(t, "terms", brief->terms);
	put_side(t, "variant", built->content, &built->compiler);
	text_char(t, '}');
}

static void
identify(const struct once *o, const struct queued_job *j, const struct once_now *now,
    char out[ONCE_BYTES])
{
	struct text	 t = { .at = NULL };
	char		 hash[SPEC_HASH_BYTES], *all;

	out[0] = '\0';
	if (now->fitness == NULL || o->slots == NULL || !is_known(j))
		return;
	text_char(&t, '{');
	if (j->brief->shared->is_cold)
		put_json(&t, "calibrated", now->calibrated);
	put_text(&t, "fitness", now->fitness);
	put_job(&t, j);
	put_text(&t, "machine", o->machine);
	text_name(&t, "slots");
	text_raw(&t, o->slots, strlen(o->slots));
	put_text(&t, "version", ASSAY_VERSION);
	text_char(&t, '}');
	all = text_take(&t);
	spec_hash_text(all, hash);
	free(all);
	memcpy(out, hash, ONCE_BYTES - 1);
	out[ONCE_BYTES - 1] = '\0';
}

/*
 * The identity that is noted was made of the same.  Of all that it is made of, only the host's
 * state changes while a build record lives: its fitness, and the calibration of cold jobs.
 */
static bool
is_current(const struct queued_job *j, const struct once_now *now)
{
	const struct build_record	*b = j->build;

	return b->identity[0] != '\0' && !j->brief->shared->is_cold && now->fitness != NULL &&
	    strcmp(b->fitness, now->fitness) == 0;
}

void
once_note(const struct once *o, const struct queued_job *j, const struct once_now *now)
{
	struct build_record	*b = j->build;

	if (b == NULL || is_current(j, now))
		return;
	identify(o, j, now, b->identity);
	(void)snprintf(b->fitness, sizeof b->fitness, "%s",
	    now->fitness != NULL ? now->fitness : "");
}

void
once_settle(const struct once *o, const struct queued_job *j, const struct once_now *now,
    bool raced)
{
	char	identity[ONCE_BYTES];

	if (j->build == NULL || (!raced && is_current(j, now)))
		return;
	if (!raced)
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
