/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep.report: the page of a sweep as one file.  Its data are the answers that the page would ask
 * for, each by its path, so what the caller may not see is not in the file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api_impl.h"
#include "proto/base/clock.h"

enum { FASTEST = 5, JOBS_AT_MOST = 20, JOBS_BYTES = 192 << 10 };

struct paper;

/* A question, and what becomes of its answer (taken). */
typedef void	 next_fn(struct paper *, json_t *answer);

struct paper {
	struct call	*call;		/* borrowed: it is answered at the end */
	json_t		*answers;	/* owned; by path */
	json_t		*jobs;		/* owned; those whose results go into it */
	int64_t		 sweep_id;
	size_t		 at;		/* of the jobs */
	size_t		 job_bytes, bytes;	/* of their answers so far; of the last one */
	char		 path[96];	/* of what is asked for */
	next_fn		*next;
};

static void
paper_free(struct paper *r)
{
	json_decref(r->answers);
	json_decref(r->jobs);
	free(r);
}

static void
on_answer(void *arg, const struct api_reply *reply)
{
	struct paper	*r = arg;
	struct fault	 why;
	size_t		 n;
	json_t		*answer;

	if (reply->status != ST_OK) {
		call_refuse(r->call, reply->why);
		paper_free(r);
		return;
	}
	n = evbuffer_get_length(reply->result);
	r->bytes = n;
	answer = json_loadb((const char *)evbuffer_pullup(reply->result, -1), n, 0, NULL);
	if (answer != NULL) {
		r->next(r, answer);
		return;
	}
	(void)fault_set(&why, ST_NOMEM, "the daemon is out of memory");
	call_refuse(r->call, &why);
	paper_free(r);
}

/* Takes the params. */
static void
ask(struct paper *r, const char *method, json_t *params, next_fn *next)
{
	struct caller	who = { r->call->uid, NULL, NULL, r->call->role };

	r->next = next;
	api_call(r->call->api, &who, method, params, on_answer, r);
	json_decref(params);
}

/* ---- the end ---- */

static void
finish(struct paper *r)
{
	struct call	*c = r->call;
	json_t		*host = topology_report(c->api->env.topology), *data;
	struct fault	 why;
	char		*html;

	data = json_pack("{s:I, s:f, s:O?, s:O}", "sweep", (json_int_t)r->sweep_id, "written",
	    clock_wall_s(), "host", json_object_get(host, "host"), "answers", r->answers);
	json_decref(host);
	paper_free(r);
	html = data != NULL ? web_report(c->api->web, data) : NULL;
	if (html != NULL) {
		(void)call_answer(c, json_pack("{s:s}", "html", html));
	} else {
		(void)fault_set(&why, ST_NOMEM, "report");
		call_refuse(c, &why);
	}
	json_decref(data);
	free(html);
}

/* ---- the results in full ---- */

static void	 ask_job(struct paper *);

static void
keep_spec(struct paper *r, json_t *answer)
{
	(void)json_object_del(answer, "normal");	/* the page has no use for it */
	(void)snprintf(r->path, sizeof r->path, "/v1/jobs/%" JSON_INTEGER_FORMAT "/spec",
	    json_integer_value(json_array_get(r->jobs, r->at)));
	(void)json_object_set_new(r->answers, r->path, answer);
	r->job_bytes += r->bytes;
	r->at++;
	ask_job(r);
}

static void
keep_job(struct paper *r, json_t *answer)
{
	json_t	*id = json_array_get(r->jobs, r->at);

	(void)snprintf(r->path, sizeof r->path, "/v1/jobs/%" JSON_INTEGER_FORMAT,
	    json_integer_value(id));
	(void)json_object_set_new(r->answers, r->path, answer);
	r->job_bytes += r->bytes;
	ask(r, "job.spec", json_pack("{s:O}", "id", id), keep_spec);
}

/* One after the other, as far as there is room. */
static void
ask_job(struct paper *r)
{
	json_t	*id = json_array_get(r->jobs, r->at);

	if (id == NULL || r->at >= JOBS_AT_MOST || r->job_bytes > JOBS_BYTES)
		finish(r);
	else
		ask(r, "job.get", json_pack("{s:O}", "id", id), keep_job);
}

static void
keep_best(struct paper *r, json_t *answer)
{
	const json_t	*result;
	size_t		 i;

	json_array_foreach(json_object_get(answer, "results"), i, result)
		(void)json_array_append(r->jobs, json_object_get(result, "job"));
	json_decref(answer);
	ask_job(r);
}

/* ---- the sweep ---- */

/* Of a sweep with several cells the fastest of each, else the few fastest. */
static void
keep_points(struct paper *r, json_t *answer)
{
	const bool	one = json_array_size(json_object_get(answer, "cells")) < 2;

	(void)snprintf(r->path, sizeof r->path, "/v1/sweeps/%" PRId64 "/points", r->sweep_id);
	(void)json_object_set_new(r->answers, r->path, answer);
	ask(r, "results.best", json_pack("{s:I, s:i}", "sweep", (json_int_t)r->sweep_id, "top",
	    one ? (int)FASTEST : 1), keep_best);
}

static void
keep_sweep(struct paper *r, json_t *answer)
{
	r->sweep_id = json_integer_value(json_object_get(answer, "id"));
	(void)snprintf(r->path, sizeof r->path, "/v1/sweeps/%" PRId64, r->sweep_id);
	(void)json_object_set_new(r->answers, r->path, answer);
	ask(r, "sweep.points", json_pack("{s:I, s:i}", "sweep", (json_int_t)r->sweep_id, "limit",
	    (int)API_MAX_POINTS), keep_points);
}

enum status
api_sweep_report(struct call *c, const json_t *params, struct fault *why)
{
	struct paper	*r = calloc(1, sizeof *r);

	if (r == NULL || (r->answers = json_object()) == NULL ||
	    (r->jobs = json_array()) == NULL) {
		if (r != NULL)
			paper_free(r);
		return fault_set(why, ST_NOMEM, "report");
	}
	r->call = c;
	ask(r, "sweep.get", json_pack("{s:O}", "sweep", json_object_get(params, "sweep")),
	    keep_sweep);
	return ST_OK;
}
