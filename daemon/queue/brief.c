/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/queue/brief.h"

struct brief_shared *
brief_share(const struct job *job, const json_t *doc, int64_t spec_id, const char *text,
    const char *sweep_name)
{
	struct brief_shared	*b = calloc(1, sizeof *b);

	if (b == NULL)
		return NULL;
	b->refs = 1;
	b->spec_id = spec_id;
	b->text = strdup(text);
	b->routine = strdup(job->spec.routine.name);
	b->params = json_incref(json_object_get(json_object_get(doc, "spec"), "params"));
	b->flops_count = job->spec.flops_count;
	b->bytes_count = job->spec.bytes_count;
	b->timing = job->spec.timing;
	b->is_cold = spec_is_cold(&job->spec);
	spec_hash(json_object_get(doc, "spec"), b->hash);
	if (sweep_name != NULL)
		b->sweep_name = strdup(sweep_name);
	if (b->text != NULL && b->routine != NULL &&
	    (b->sweep_name != NULL) == (sweep_name != NULL))
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
	free(b->sweep_name);
	free(b->routine);
	json_decref(b->params);
	free(b);
}

enum status
brief_make(struct brief *b, const struct job *job, const json_t *doc,
    struct brief_shared *shared, char *rest)
{
	const bool	 compares = job->against.source != NULL;

	*b = (struct brief){ .shared = shared, .name = strdup(job->variant.name),
	    .against = compares ? strdup(job->against.name) : NULL,
	    .flags = json_incref(json_object_get(json_object_get(doc, "variant"), "flags")),
	    .meta = json_incref(job->meta), .build_timeout_ms = job->build_timeout_ms,
	    .run_timeout_ms = job->run_timeout_ms, .rest = rest };
	shared->refs++;
	if (b->name != NULL && (b->against != NULL) == compares)
		return ST_OK;
	brief_release(b);
	return ST_NOMEM;
}

void
brief_release(struct brief *b)
{
	brief_unshare(b->shared);
	json_decref(b->flags);
	json_decref(b->meta);
	free(b->name);
	free(b->against);
	free(b->unreadable);
	free(b->rest);
	memset(b, 0, sizeof *b);
}
