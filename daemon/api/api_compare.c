/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "daemon/api/api_impl.h"

/* ---- a document of existing jobs ---- */

struct seen_job {
	const struct call	*call;		/* borrowed */
	bool			 may_see;
};

/* Members that all jobs share come from the first: its spec, and these. */
static void
copy_common(json_t *doc, const json_t *job)
{
	static const char *const	members[] = { "spec", "timeout_ms", "threads",
	    "retries", "priority" };

	for (unsigned i = 0; i < sizeof members / sizeof members[0]; i++)
		if (json_object_get(job, members[i]) != NULL)
			(void)json_object_set(doc, members[i], json_object_get(job, members[i]));
}

static enum status
add_job(json_t *doc, const json_t *job, int64_t id, int64_t first, struct fault *why)
{
	json_t	*variants = json_object_get(doc, "variants");

	if (json_array_size(variants) == 0)
		copy_common(doc, job);
	if (!json_equal(json_object_get(job, "spec"), json_object_get(doc, "spec"))) {
		(void)fault_at(why, ST_BAD_REQUEST, "ids",
		    "job %" PRId64 " has another spec than job %" PRId64, id, first);
		fault_hint(why, "only variants of one spec can be timed in turn");
		return ST_BAD_REQUEST;
	}
	return json_array_append(variants, json_object_get(job, "variant")) == 0 ? ST_OK :
	    fault_set(why, ST_NOMEM, "comparison");
}

/* The new jobs are the caller's, with these sources: it must be able to read them as they are. */
static enum status
note_owner(void *arg, const struct job_row *row)
{
	struct seen_job	*j = arg;

	j->may_see = api_may_see(j->call, row->owner.submitter, row->owner.visibility);
	return ST_OK;
}

static enum status
read_job(const struct call *c, int64_t id, json_t **job, struct fault *why)
{
	struct store	*store = c->api->env.store;
	struct seen_job	 seen = { c, false };
	enum status	 st;

	*job = NULL;
	if ((st = store_job(store, id, note_owner, &seen, why)) != ST_OK)
		return st;
	if (seen.may_see)
		return store_job_doc(store, id, job, why);
	(void)fault_at(why, ST_DENIED, "ids", "the sources of job %" PRId64 " are private", id);
	fault_hint(why, "its submitter can share it: \"visibility\": \"all\", or your name");
	return ST_DENIED;
}

static enum status
document_of_jobs(struct call *c, const json_t *params, json_t **doc, struct fault *why)
{
	const json_t	*rule = json_object_get(params, "rule");
	const json_t	*ids = json_object_get(params, "ids");
	int64_t		 first = json_integer_value(json_array_get(ids, 0));
	enum status	 st = ST_OK;

	*doc = json_pack("{s:[], s:b}", "variants", "fresh", 1);
	if (rule != NULL)
		(void)json_object_set(*doc, "compare", (json_t *)(uintptr_t)rule);
	for (size_t i = 0; st == ST_OK && i < json_array_size(ids); i++) {
		int64_t	 id = json_integer_value(json_array_get(ids, i));
		json_t	*job = NULL;

		if ((st = read_job(c, id, &job, why)) == ST_OK)
			st = add_job(*doc, job, id, first, why);
		json_decref(job);
	}
	if (st != ST_OK)
		json_decref(*doc);
	return st;
}

/* ---- the call ---- */

enum status
api_compare_run(struct call *c, const json_t *params, struct fault *why)
{
	json_t		*doc = json_object_get(params, "compare");
	enum status	 st;

	if ((st = params_one_of(params, "compare", "ids", why)) != ST_OK ||
	    (st = api_want_follow(c, params, why)) != ST_OK)
		return st;
	c->within = "compare";
	if (doc != NULL && json_object_get(params, "rule") != NULL)
		return fault_at(why, ST_BAD_REQUEST, "rule",
		    "only with ids: a document has its own \"compare\"");
	if (doc != NULL)
		(void)json_incref(doc);
	else if ((st = document_of_jobs(c, params, &doc, why)) != ST_OK)
		return st;
	st = intake_document(c->api->env.intake, c->uid, contest_expand, doc, api_admitted, c,
	    why);
	json_decref(doc);
	return st == ST_OK ? ST_OK : api_submission_fault(c, why);
}
