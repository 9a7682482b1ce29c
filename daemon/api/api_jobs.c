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
static enum status
follow_ids(struct call *c, const struct admitted *a, int64_t *number, struct fault *why)
{
	json_t		*list = ids_json(a->ids, a->n);
	int64_t		*ids = NULL;
	size_t		 n;
	enum status	 st;

	if ((st = params_ids(list, &ids, &n, why)) == ST_OK)
		st = api_follow(c->client, ids, n, a->repeated != 0, number, why);
	json_decref(list);
	return st;
}

static void
follow_admitted(struct call *c, const struct admitted *a, json_t *reply)
{
	int64_t		 number;
	struct fault	 why;
	enum status	 st = a->ids != NULL ? follow_ids(c, a, &number, &why) :
			    api_follow_sweep(c->client, a->sweep_id, &number, &why);

	if (st == ST_OK)
		(void)json_object_set_new(reply, "subscription", json_integer(number));
}

/* A sweep may be refused after its call: where its document says so, as within it. */
static void
refuse_admitted(struct call *c, const struct admitted *a)
{
	struct fault	why = *a->why;

	if (why.status == ST_BAD_SPEC || why.status == ST_FULL || why.status == ST_CONFLICT)
		(void)api_submission_fault(c, &why);
	call_refuse(c, &why);
}

void
api_admitted(void *arg, const struct admitted *a)
{
	struct call	*c = arg;
	json_t		*reply;

	if (a->status != ST_OK) {
		refuse_admitted(c, a);
		return;
	}
	c->api->jobs += (int64_t)(a->jobs - a->repeated);
	reply = json_object();
	if (a->sweep_id != 0) {
		(void)json_object_set_new(reply, "sweep", json_integer(a->sweep_id));
		(void)json_object_set_new(reply, "name", json_string(a->sweep_name));
		(void)json_object_set_new(reply, "existed", json_boolean(a->existed));
	}
	(void)json_object_set_new(reply, "ids", ids_json(a->ids, a->n));
	if (a->ids == NULL)
		(void)json_object_set_new(reply, "jobs", json_integer((json_int_t)a->jobs));
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
	st = notify_check(c->api->env.notify, json_object_get(params, "sweep"), why);
	if (st == ST_OK)
		st = intake_sweep(c->api->env.intake, c->uid, json_object_get(params, "sweep"),
		    api_admitted, c, why);
	return st == ST_OK ? ST_OK : api_submission_fault(c, why);
}

/* ---- one job ---- */

/* A call of job.get. */
struct job_view {
	int64_t		 id;
	struct viewer	 viewer;
	const char	*live;		/* its state when asked for; NULL: not in the queue */
	json_t		*paused, *held;	/* owned; NULL: it does not wait */
	struct estimate	 estimate;	/* while it is live */
	struct evbuffer	*result;	/* owned; as it is stored; empty: there is none yet */
	json_t		*reply;		/* owned; the rest */
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

/*
 * While a job is alive the queue knows its state.  It leaves the queue when its result is on disk,
 * so a job that was over when it was asked for has its result in what is read then.
 */
static enum status
view_job(void *arg, const struct job_row *row)
{
	struct job_view	*v = arg;
	bool		 over = v->live == NULL && row->status != NULL;
	const char	*state = v->live != NULL ? v->live : over ? final_state_name(row->status) :
			    job_state_name(JOB_QUEUED);
	const struct shown r = { row->result, over && row->result != NULL ?
			    strlen(row->result) : 0, row->owner, row->rank };

	if (r.bytes != 0 && view_put(&v->viewer, v->result, &r) != ST_OK)
		return ST_NOMEM;
	v->reply = json_pack("{s:I,s:s,s:s,s:o,s:I,s:f,s:i,s:s?}", "id", (json_int_t)row->id,
	    "state", state, "name", row->name, "sweep",
	    api_sweep_ref(row->sweep_id, row->sweep_name), "submitter",
	    (json_int_t)row->owner.submitter,
	    "submitted", row->submitted, "priority", row->priority, "status",
	    over ? row->status : NULL);
	view_set_name(v->viewer.users, v->reply, row->owner.submitter);
	return v->reply != NULL ? ST_OK : ST_NOMEM;
}

static enum status
read_job(struct store *store, void *arg, struct fault *why)
{
	struct job_view	*v = arg;

	return store_job(store, v->id, view_job, v, why);
}

/* {"result": as stored, and the rest}; NULL: no memory. */
static struct evbuffer *
join_job(struct job_view *v)
{
	struct evbuffer	*out = evbuffer_new();
	char		*rest = json_dumps(v->reply, JSON_COMPACT | JSON_EMBED);
	bool		 done = out != NULL && rest != NULL &&
			    evbuffer_add_printf(out, "{\"result\":") >= 0;

	if (done && evbuffer_get_length(v->result) == 0)
		done = evbuffer_add_printf(out, "null") >= 0;
	else if (done)
		done = evbuffer_add_buffer(out, v->result) == 0;
	done = done && evbuffer_add_printf(out, ",%s}", rest) >= 0;
	free(rest);
	if (done || out == NULL)
		return out;
	evbuffer_free(out);
	return NULL;
}

static enum status
answer_job(struct call *c, void *arg, struct fault *why)
{
	struct job_view	*v = arg;
	struct evbuffer	*out;

	if (v->paused != NULL)
		(void)json_object_set(v->reply, "paused", v->paused);
	if (v->held != NULL)
		(void)json_object_set(v->reply, "held", v->held);
	if (v->live != NULL)
		api_put_estimate(v->reply, &v->estimate);
	if ((out = join_job(v)) == NULL)
		return fault_set(why, ST_NOMEM, "job");
	return call_answer_text(c, out);
}

static void
free_job(void *arg)
{
	struct job_view	*v = arg;

	json_decref(v->paused);
	json_decref(v->held);
	json_decref(v->reply);
	if (v->result != NULL)
		evbuffer_free(v->result);
	free(v);
}

/* What only the queue knows of it. */
static void
view_live(const struct api *api, struct job_view *v, const struct queued_job *j)
{
	v->live = job_state_name(j->state);
	v->estimate = api_estimate_job(api, j);
	if (j->state != JOB_QUEUED && j->state != JOB_BUILT)
		return;
	v->paused = api_paused_by(api, j->submitter, j->sweep_id);
	v->held = api_held(api, j->submitter);
}

enum status
api_job_get(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	 lookup = { read_job, answer_job, free_job, false };
	struct job_view			*v = calloc(1, sizeof *v);
	const struct queued_job		*live;

	if (v == NULL || (v->result = evbuffer_new()) == NULL) {
		free(v);
		return fault_set(why, ST_NOMEM, "job");
	}
	v->viewer = api_viewer(c);
	v->id = params_int(params, "id", 0);
	if ((live = queue_find(c->api->env.queue, v->id)) != NULL)
		view_live(c->api, v, live);
	return call_read(c, &lookup, v);
}

/* ---- its result alone ---- */

/* A call of job.result. */
struct result_view {
	struct viewer	 viewer;
	int64_t		 id;
	bool		 is_live;	/* when asked for: what is on disk is not told yet */
	bool		 has_none;
	struct evbuffer	*out;		/* owned; NULL: handed on */
};

static enum status
put_result(void *arg, const struct job_row *row)
{
	struct result_view	*v = arg;
	struct shown		 r;

	if ((v->has_none = v->is_live || row->result == NULL))
		return ST_OK;
	r = (struct shown){ row->result, strlen(row->result), row->owner, row->rank };
	return view_put(&v->viewer, v->out, &r);
}

static enum status
read_result(struct store *store, void *arg, struct fault *why)
{
	struct result_view	*v = arg;
	enum status		 st = store_job(store, v->id, put_result, v, why);

	if (st == ST_NOMEM)
		return fault_set(why, ST_NOMEM, "result");
	if (st != ST_OK || !v->has_none)
		return st;
	(void)fault_set(why, ST_NOT_FOUND, "job %" PRId64 " has no result yet", v->id);
	fault_hint(why, "wait for it: job.wait; over HTTP with ?wait=30s");
	return ST_NOT_FOUND;
}

static enum status
answer_result(struct call *c, void *arg, struct fault *why)
{
	struct result_view	*v = arg;
	struct evbuffer		*out = v->out;

	(void)why;
	v->out = NULL;
	return call_answer_text(c, out);
}

static void
free_result(void *arg)
{
	struct result_view	*v = arg;

	if (v->out != NULL)
		evbuffer_free(v->out);
	free(v);
}

enum status
api_job_result(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	 lookup = { read_result, answer_result, free_result,
					    false };
	struct result_view		*v = calloc(1, sizeof *v);

	if (v == NULL || (v->out = evbuffer_new()) == NULL) {
		free(v);
		return fault_set(why, ST_NOMEM, "result");
	}
	v->viewer = api_viewer(c);
	v->id = params_int(params, "id", 0);
	v->is_live = queue_find(c->api->env.queue, v->id) != NULL;
	return call_read(c, &lookup, v);
}

/* ---- the spec behind a result ---- */

/* A call of job.spec. */
struct spec_view {
	int64_t	 id;
	struct viewer viewer;
	bool	 may_see;
	json_t	*doc, *filled;		/* owned; filled NULL: not readable */
	char	 hash[SPEC_HASH_BYTES];
};

static enum status
note_owner(void *arg, const struct job_row *row)
{
	struct spec_view	*v = arg;

	v->may_see = viewer_may_see(&v->viewer, &row->owner);
	return ST_OK;
}

/* NULL: an older version took it, and this one does not read it. */
static json_t *
filled_spec(const json_t *doc)
{
	struct fault	 why;
	struct job	*job = malloc(sizeof *job);
	json_t		*filled = NULL;

	if (job != NULL && job_decode(job, doc, &why) == ST_OK) {
		filled = spec_encode(&job->spec);
		job_release(job);
	}
	free(job);
	return filled;
}

static enum status
read_spec(struct store *store, void *arg, struct fault *why)
{
	struct spec_view	*v = arg;
	enum status		 st;

	if ((st = store_job(store, v->id, note_owner, v, why)) != ST_OK ||
	    (st = store_job_doc(store, v->id, &v->doc, why)) != ST_OK)
		return st;
	v->filled = filled_spec(v->doc);
	spec_hash(v->filled != NULL ? v->filled : json_object_get(v->doc, "spec"), v->hash);
	return ST_OK;
}

static enum status
answer_spec(struct call *c, void *arg, struct fault *why)
{
	struct spec_view	*v = arg;
	const json_t		*doc = v->may_see ? v->doc : NULL;

	(void)why;
	return call_answer(c, json_pack("{s:I, s:s, s:b, s:O?, s:O?, s:O?, s:O?}", "id",
	    (json_int_t)v->id, "spec_hash", v->hash, "withheld", (int)!v->may_see, "spec",
	    json_object_get(doc, "spec"), "normal", v->may_see ? v->filled : NULL, "variant",
	    json_object_get(doc, "variant"), "against", json_object_get(doc, "against")));
}

static void
free_spec(void *arg)
{
	struct spec_view	*v = arg;

	json_decref(v->doc);
	json_decref(v->filled);
	free(v);
}

enum status
api_job_spec(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	 lookup = { read_spec, answer_spec, free_spec, false };
	struct spec_view		*v = calloc(1, sizeof *v);

	if (v == NULL)
		return fault_set(why, ST_NOMEM, "job");
	v->viewer = api_viewer(c);
	v->id = params_int(params, "id", 0);
	return call_read(c, &lookup, v);
}
