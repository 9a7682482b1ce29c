/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "daemon/queue/brief.h"

void
briefs_init(struct briefs *all, struct store *store)
{
	*all = (struct briefs){ .store = store };
}

static void
forget(struct brief_spec *s)
{
	json_decref(s->doc);
	brief_unshare(s->shared);
	*s = (struct brief_spec){ .doc = NULL };
}

void
briefs_release(struct briefs *all)
{
	for (unsigned i = 0; i < BRIEF_SPECS; i++)
		forget(&all->spec[i]);
}

/* The spec's place among those that are kept, its own or a new one. */
static struct brief_spec *
place_of(struct briefs *all, const struct job_texts *t)
{
	struct brief_spec	*s;

	for (unsigned i = 0; i < BRIEF_SPECS; i++)
		if (all->spec[i].shared != NULL && all->spec[i].shared->spec_id == t->spec_id)
			return &all->spec[i];
	s = &all->spec[all->next++ % BRIEF_SPECS];
	forget(s);
	s->doc = json_loads(t->spec, 0, NULL);
	return s;
}

static enum status
decode(struct brief_spec *s, const struct job_texts *t, json_t *doc, struct brief **out,
    struct fault *why)
{
	struct job	job;
	enum status	st;

	if (json_object_set(doc, "spec", s->doc) != 0)
		return fault_set(why, ST_BAD_SPEC, "its document is damaged");
	if ((st = job_decode(&job, doc, why)) != ST_OK)
		return st;
	if (s->shared == NULL)
		s->shared = brief_share(&job, doc, t->spec_id, t->spec);
	if (s->shared != NULL)
		*out = brief_new(&job, doc, s->shared, t->rest,
		    t->sweep_name[0] != '\0' ? t->sweep_name : NULL);
	job_release(&job);
	return *out != NULL ? ST_OK : fault_set(why, ST_NOMEM, "job");
}

struct loading {
	struct briefs	 *all;		/* borrowed */
	struct brief	**out;
};

static enum status
load(void *arg, const struct job_texts *t, struct fault *why)
{
	struct loading	*l = arg;
	json_t		*doc = json_loads(t->rest, 0, NULL);
	enum status	 st;

	if (doc == NULL)
		return fault_set(why, ST_BAD_SPEC, "its document is damaged");
	st = decode(place_of(l->all, t), t, doc, l->out, why);
	json_decref(doc);
	return st;
}

enum status
briefs_load(struct briefs *all, int64_t job_id, struct brief **out, struct fault *why)
{
	struct loading	l = { all, out };

	*out = NULL;
	return store_job_texts(all->store, job_id, load, &l, why);
}
