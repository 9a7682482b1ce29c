/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api_impl.h"
#include "daemon/queue/spec_hash.h"

/* ---- submissions ---- */

enum status
api_submission_fault(const struct call *c, struct fault *why)
{
	if (strcmp(c->within, "job") == 0 && strncmp(why->member, "[0]", 3) == 0) {
		size_t	skip = why->member[3] == '.' ? 4 : 3;

		memmove(why->member, why->member + skip, strlen(why->member + skip) + 1);
	}
	return fault_within(why, c->within);
}

enum status
api_want_follow(struct call *c, const json_t *params, struct fault *why)
{
	enum status	st;

	c->follow = json_is_true(json_object_get(params, "follow"));
	st = c->follow ? api_may_subscribe(c, why) : ST_OK;
	if (st != ST_OK)
		(void)fault_within(why, "follow");
	return st;
}

static json_t *
ids_json(const int64_t *ids, size_t n)
{
	json_t	*list = json_array();

	for (size_t i = 0; i < n; i++)
		(void)json_array_append_new(list, json_integer(ids[i]));
	return list;
}

/*
 * Results of jobs that an earlier submission started may be there already: then the stored ones
 * come first.
 */
static void
follow_admitted(struct call *c, const struct admitted *a, json_t *reply)
{
	json_t		*list = ids_json(a->ids, a->n);
	int64_t		*ids = NULL, number;
	size_t		 n;
	struct fault	 why;

	if (params_ids(list, &ids, &n, &why) == ST_OK &&
	    api_follow(c->client, ids, n, a->repeated != 0, &number, &why) == ST_OK)
		(void)json_object_set_new(reply, "subscription", json_integer(number));
	json_decref(list);
}

void
api_admitted(void *arg, const struct admitted *a)
{
	struct call	*c = arg;
	json_t		*reply;

	if (a->status != ST_OK) {
		call_refuse(c, a->why);
		return;
	}
	c->api->jobs += (int64_t)(a->n - a->repeated);
	reply = json_object();
	if (a->sweep_id != 0) {
		(void)json_object_set_new(reply, "sweep", json_integer(a->sweep_id));
		(void)json_object_set_new(reply, "name", json_string(a->sweep_name));
		(void)json_object_set_new(reply, "existed", json_boolean(a->existed));
	}
	(void)json_object_set_new(reply, "ids", ids_json(a->ids, a->n));
	(void)json_object_set_new(reply, "repeated", json_integer((json_int_t)a->repeated));
	if (c->follow && c->client != NULL)
		follow_admitted(c, a, reply);
	(void)call_answer(c, reply);
}

static const struct api_param jobs_params[] = {
	{ "job", PARAM_OBJECT, false, 0, 0 }, { "jobs", PARAM_ARRAY, false, 1, INT64_MAX },
	{ "follow", PARAM_BOOL, false, 0, 0 }, { NULL, PARAM_BOOL, false, 0, 0 } };
static const struct api_param variants_params[] = {
	{ "follow", PARAM_BOOL, false, 0, 0 }, { "*", PARAM_REST, false, 0, 0 },
	{ NULL, PARAM_BOOL, false, 0, 0 } };

static bool
has(const json_t *params, const char *member)
{
	return json_object_get(params, member) != NULL;
}

static enum status
submit_jobs(struct call *c, const json_t *params, struct fault *why)
{
	json_t		*one = json_object_get(params, "job"), *list;
	enum status	 st;

	if ((st = params_check(jobs_params, params, why)) != ST_OK ||
	    (st = params_one_of(params, "job", "jobs", why)) != ST_OK ||
	    (st = api_want_follow(c, params, why)) != ST_OK)
		return st;
	c->within = one != NULL ? "job" : "jobs";
	list = one != NULL ? json_pack("[O]", one) : json_incref(json_object_get(params, "jobs"));
	if (list == NULL)
		return fault_set(why, ST_NOMEM, "job");
	st = intake_jobs(c->api->env.intake, c->uid, list, api_admitted, c, why);
	json_decref(list);
	return st == ST_OK ? ST_OK : api_submission_fault(c, why);
}

/* The params are the document, beside what is about the call. */
static enum status
submit_variants(struct call *c, const json_t *params, struct fault *why)
{
	json_t		*doc;
	enum status	 st;

	if ((st = params_check(variants_params, params, why)) != ST_OK ||
	    (st = api_want_follow(c, params, why)) != ST_OK)
		return st;
	if ((doc = json_copy((json_t *)(uintptr_t)params)) == NULL)
		return fault_set(why, ST_NOMEM, "variants");
	(void)json_object_del(doc, "follow");
	st = intake_document(c->api->env.intake, c->uid, variants_expand, doc, api_admitted, c,
	    why);
	json_decref(doc);
	return st;
}

enum status
api_job_submit(struct call *c, const json_t *params, struct fault *why)
{
	if (has(params, "job") || has(params, "jobs"))
		return submit_jobs(c, params, why);
	if (has(params, "spec") || has(params, "variants"))
		return submit_variants(c, params, why);
	(void)fault_at(why, ST_BAD_REQUEST, "job", "missing");
	fault_hint(why, "give \"job\", \"jobs\", or \"spec\" and \"variants\"");
	return ST_BAD_REQUEST;
}

enum status
api_sweep_create(struct call *c, const json_t *params, struct fault *why)
{
	enum status	st;

	if ((st = api_want_follow(c, params, why)) != ST_OK)
		return st;
	c->within = "sweep";
	st = intake_sweep(c->api->env.intake, c->uid, json_object_get(params, "sweep"),
	    api_admitted, c, why);
	return st == ST_OK ? ST_OK : api_submission_fault(c, why);
}

/* ---- one job ---- */

struct job_view {
	struct call	*call;
	json_t		*reply;		/* owned */
};

static const char *
final_state_name(const char *word)
{
	if (strcmp(word, status_word(ST_OK)) == 0)
		return job_state_name(JOB_DONE);
	if (strcmp(word, status_word(ST_CANCELLED)) == 0)
		return job_state_name(JOB_CANCELLED);
	if (strcmp(word, status_word(ST_EXPIRED)) == 0)
		return job_state_name(JOB_EXPIRED);
	return job_state_name(JOB_FAILED);
}

/* While a job is alive the queue knows its state; a result that is not on disk yet is not shown. */
static enum status
view_job(void *arg, const struct job_row *row)
{
	struct job_view		*v = arg;
	struct queued_job	*live = queue_find(v->call->api->env.queue, row->id);
	bool			 over = live == NULL && row->status != NULL;
	const char		*state = live != NULL ? job_state_name(live->state) :
				    over ? final_state_name(row->status) :
				    job_state_name(JOB_QUEUED);
	json_t			*result = over ? json_loads(row->result, 0, NULL) : json_null();

	v->reply = json_pack("{s:I,s:s,s:s,s:o,s:I,s:f,s:i,s:s?,s:o}", "id", (json_int_t)row->id,
	    "state", state, "name", row->name, "sweep",
	    api_sweep_ref(row->sweep_id, row->sweep_name), "submitter", (json_int_t)row->submitter,
	    "submitted", row->submitted, "priority", row->priority, "status",
	    over ? row->status : NULL, "result", result);
	return v->reply != NULL ? ST_OK : ST_NOMEM;
}

enum status
api_job_get(struct call *c, const json_t *params, struct fault *why)
{
	struct job_view	v = { .call = c };
	enum status	st = store_job(c->api->env.store, params_int(params, "id", 0),
			    view_job, &v, why);

	return st == ST_OK ? call_answer(c, v.reply) : st;
}

/* ---- the spec behind a result ---- */

struct spec_view {
	uid_t	 submitter;
};

static enum status
note_submitter(void *arg, const struct job_row *row)
{
	((struct spec_view *)arg)->submitter = row->submitter;
	return ST_OK;
}

/* Sources are their submitter's alone. */
enum status
api_job_spec(struct call *c, const json_t *params, struct fault *why)
{
	const int64_t		 id = params_int(params, "id", 0);
	struct store		*store = c->api->env.store;
	struct spec_view	 v = { 0 };
	const json_t		*spec;
	json_t			*doc, *reply;
	char			 hash[SPEC_HASH_BYTES];
	enum status		 st;

	if ((st = store_job(store, id, note_submitter, &v, why)) != ST_OK ||
	    (st = store_job_doc(store, id, &doc, why)) != ST_OK)
		return st;
	spec = json_object_get(doc, "spec");
	spec_hash(spec, hash);
	reply = json_pack("{s:I, s:s, s:O, s:o, s:O?, s:O?}", "id", (json_int_t)id, "spec_hash",
	    hash, "spec", spec, "normal", spec_normal(spec), "variant",
	    api_may_change(c, v.submitter) ? json_object_get(doc, "variant") : NULL, "against",
	    api_may_change(c, v.submitter) ? json_object_get(doc, "against") : NULL);
	json_decref(doc);
	return call_answer(c, reply);
}

/* ---- cancelling ---- */

/* Every id is known and ours to cancel, or nothing is cancelled. */
static enum status
may_cancel_all(const struct call *c, const int64_t *ids, size_t n, struct fault *why)
{
	for (size_t i = 0; i < n; i++) {
		const struct queued_job	*j = queue_find(c->api->env.queue, ids[i]);

		if (j != NULL && !api_may_change(c, j->submitter))
			return api_denied(ids[i], j->submitter, why);
	}
	return api_know_all(c->api, ids, n, why);
}

static enum status
cancel_all(struct call *c, const int64_t *ids, size_t n, struct fault *why)
{
	json_t		*cancelled = json_array(), *final = json_array();

	for (size_t i = 0; i < n; i++) {
		enum status	st = dispatch_cancel(c->api->env.dispatch, ids[i], why);

		(void)json_array_append_new(st == ST_OK ? cancelled : final, json_integer(ids[i]));
	}
	return call_answer(c, json_pack("{s:o,s:o}", "cancelled", cancelled, "final", final));
}

enum status
api_job_cancel(struct call *c, const json_t *params, struct fault *why)
{
	json_t		*id = json_object_get(params, "id"), *list;
	int64_t		*ids = NULL;
	size_t		 n;
	enum status	 st;

	if ((st = params_one_of(params, "id", "ids", why)) != ST_OK)
		return st;
	list = id != NULL ? json_pack("[O]", id) : json_incref(json_object_get(params, "ids"));
	st = params_ids(list, &ids, &n, why);
	if (st == ST_OK && (st = may_cancel_all(c, ids, n, why)) == ST_OK)
		st = cancel_all(c, ids, n, why);
	json_decref(list);
	free(ids);
	return st;
}
