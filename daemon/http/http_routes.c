/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <event2/keyvalq_struct.h>

#include "daemon/export/export.h"
#include "daemon/http/http_fields.h"
#include "daemon/http/http_impl.h"

/* What a request asks for, and the table of routes. */

const char *
http_query(const struct exchange *ex)
{
	const char	*q = evhttp_uri_get_query(evhttp_request_get_evhttp_uri(ex->req));

	return q != NULL ? q : "";
}

const char *
http_asked(const struct exchange *ex, const char *name)
{
	return evhttp_find_header(evhttp_request_get_input_headers(ex->req), name);
}

bool
http_wants_lines(const struct exchange *ex)
{
	return http_prefers(http_asked(ex, "Accept"), HTTP_LINES, "application/json");
}

/* A subject of digits only is an id, as in query strings. */
enum status
http_add_subject(const struct exchange *ex, json_t *params, struct fault *why)
{
	const bool		 is_id = strcmp(ex->route->subject, "id") == 0;
	const struct api_param	 table[] = {
		{ ex->route->subject, is_id ? PARAM_ID : PARAM_SWEEP, true, 0, 0 },
		{ NULL, PARAM_BOOL, false, 0, 0 },
	};
	bool			 digits = ex->subject[strspn(ex->subject, "0123456789")] == '\0';
	json_t			*v;

	v = digits && strlen(ex->subject) < 19 ? json_integer(strtoll(ex->subject, NULL, 10)) :
	    json_string(ex->subject);
	if (json_object_set_new(params, ex->route->subject, v) != 0)
		return fault_set(why, ST_NOMEM, "request");
	v = json_pack("{s:O}", ex->route->subject, v);
	if (params_check(table, v, why) != ST_OK) {
		json_decref(v);
		return ST_BAD_REQUEST;
	}
	json_decref(v);
	return ST_OK;
}

enum status
http_params(const struct exchange *ex, json_t **params, struct fault *why)
{
	enum status	st = params_from_query(ex->route->query, http_query(ex), params, why);

	if (st == ST_OK && ex->route->subject != NULL)
		st = http_add_subject(ex, *params, why);
	if (st != ST_OK) {
		json_decref(*params);
		*params = NULL;
	}
	return st;
}

struct caller
http_caller(const struct exchange *ex, struct api_client *client, struct call **noted)
{
	return (struct caller){ ex->uid, client, noted,
	    users_role(api_env(ex->http->api)->users, ex->uid) };
}

void
http_call(struct exchange *ex, const json_t *params)
{
	struct caller	who = http_caller(ex, NULL, &ex->call);

	api_call(ex->http->api, &who, ex->route->call, params, http_api_reply, ex);
}

void
http_run_call(struct exchange *ex)
{
	struct fault	 why;
	json_t		*params;

	ex->creates = ex->route->method == EVHTTP_REQ_POST;
	if (http_params(ex, &params, &why) == ST_OK)
		http_call(ex, params);
	else
		http_problem(ex, 0, &why, NULL);
	json_decref(params);
}

#define END	{ NULL, PARAM_BOOL, false, 0, 0 }
static const struct api_param	nothing_asked[] = { END };
static const struct api_param	top_asked[] = { { "top", PARAM_INT, false, 1, API_MAX_TOP }, END };
static const struct api_param	export_asked[] = {
	{ "format", PARAM_TEXT, true, 1, 32 },
	{ "cursor", PARAM_TEXT, false, 1, EXPORT_CURSOR_BYTES - 1 }, END };
const struct api_param		http_limit_asked[] = {
	{ "limit", PARAM_INT, false, 0, API_MAX_LIST }, END };

static const struct api_param	points_asked[] = { { "after", PARAM_INT, false, 0, INT64_MAX },
	{ "limit", PARAM_INT, false, 1, API_MAX_POINTS }, END };

static const struct api_param	readers_asked[] = { { "visibility", PARAM_READERS, true, 0, 0 },
	END };

const struct route http_routes[] = {
	{ EVHTTP_REQ_GET, "/v1/results", http_run_results, "results.query", NULL, query_params },
	{ EVHTTP_REQ_POST, "/v1/jobs", http_run_submit, "job.submit", "job", nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/jobs/:", http_run_wait, "job.get", "id", http_wait_asked },
	{ EVHTTP_REQ_GET, "/v1/jobs/:/result", http_run_wait, "job.result", "id",
	    http_wait_asked },
	{ EVHTTP_REQ_GET, "/v1/jobs/:/events", http_run_events, NULL, "id", http_events_asked },
	{ EVHTTP_REQ_GET, "/v1/jobs/:/spec", http_run_call, "job.spec", "id", nothing_asked },
	{ EVHTTP_REQ_DELETE, "/v1/jobs/:", http_run_call, "job.cancel", "id", nothing_asked },
	{ EVHTTP_REQ_POST, "/v1/cancel", http_run_submit, "job.cancel", NULL, nothing_asked },
	{ EVHTTP_REQ_POST, "/v1/wait", http_run_await, "job.wait", NULL, nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/sweeps", http_run_list, "sweep.list", NULL, sweep_list_params },
	{ EVHTTP_REQ_POST, "/v1/sweeps", http_run_submit, "sweep.create", "sweep", nothing_asked },
	{ EVHTTP_REQ_POST, "/v1/compare", http_run_submit, "compare.run", "compare",
	    nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/sweeps/:", http_run_wait, "sweep.get", "sweep", http_wait_asked },
	{ EVHTTP_REQ_GET, "/v1/sweeps/:/events", http_run_events, NULL, "sweep",
	    http_events_asked },
	{ EVHTTP_REQ_GET, "/v1/events", http_run_events, NULL, NULL, http_events_asked },
	{ EVHTTP_REQ_DELETE, "/v1/sweeps/:", http_run_call, "sweep.cancel", "sweep",
	    nothing_asked },
	{ EVHTTP_REQ_POST, "/v1/sweeps/:/share", http_run_call, "sweep.share", "sweep",
	    readers_asked },
	{ EVHTTP_REQ_GET, "/v1/sweeps/:/best", http_run_call, "results.best", "sweep", top_asked },
	{ EVHTTP_REQ_GET, "/v1/sweeps/:/export", http_run_export, "sweep.export", "sweep",
	    export_asked },
	{ EVHTTP_REQ_GET, "/v1/queue", http_run_list, "queue.get", NULL, http_limit_asked },
	{ EVHTTP_REQ_POST, "/v1/queue/pause", http_run_call, "queue.pause", NULL, pause_params },
	{ EVHTTP_REQ_POST, "/v1/queue/resume", http_run_call, "queue.resume", NULL, pause_params },
	{ EVHTTP_REQ_GET, "/v1/host", http_run_call, "host.get", NULL, nothing_asked },
	{ EVHTTP_REQ_POST, "/v1/host/calibrate", http_run_call, "host.calibrate", NULL,
	    nothing_asked },
	{ EVHTTP_REQ_POST, "/v1/host/reference", http_run_call, "host.reference", NULL,
	    nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/info", http_run_call, "server.info", NULL, nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/sweeps/:/points", http_run_call, "sweep.points", "sweep",
	    points_asked },
	{ EVHTTP_REQ_GET, "/v1/sweeps/:/report", http_run_call, "sweep.report", "sweep",
	    nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/kernels", http_run_call, "kernel.list", NULL, kernels_params },
	{ EVHTTP_REQ_GET, "/v1/history", http_run_call, "kernel.history", NULL, history_params },
	{ EVHTTP_REQ_GET, "/v1/users", http_run_call, "users.get", NULL, nothing_asked },
	{ EVHTTP_REQ_GET, "/", http_run_page, NULL, NULL, NULL },
	{ EVHTTP_REQ_GET, "/sweeps/:", http_run_page, NULL, NULL, NULL },
	{ EVHTTP_REQ_GET, "/jobs/:", http_run_page, NULL, NULL, NULL },
	{ EVHTTP_REQ_GET, "/history", http_run_page, NULL, NULL, NULL },
	{ EVHTTP_REQ_GET, "/people", http_run_page, NULL, NULL, NULL },
	{ EVHTTP_REQ_GET, "/web/:", http_run_file, NULL, NULL, NULL },
	{ EVHTTP_REQ_GET, "/openapi.json", http_run_openapi, NULL, NULL, nothing_asked },
	{ EVHTTP_REQ_GET, "/schema/:", http_run_schema, NULL, NULL, nothing_asked },
	{ EVHTTP_REQ_GET, "/metrics", http_run_metrics, NULL, NULL, nothing_asked },
	{ EVHTTP_REQ_GET, "/readyz", http_run_readyz, NULL, NULL, nothing_asked },
	{ EVHTTP_REQ_GET, "/healthz", http_run_healthz, NULL, NULL, nothing_asked },
	{ 0, NULL, NULL, NULL, NULL, NULL },
};
