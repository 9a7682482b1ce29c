/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/api/api_impl.h"
#include "daemon/export/export.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

#define END	{ NULL, PARAM_BOOL, false, 0, 0 }

static const struct api_param no_params[] = { END };
static const struct api_param id_params[] = { { "id", PARAM_ID, true, 0, 0 }, END };
static const struct api_param cancel_params[] = {
	{ "id", PARAM_ID, false, 0, 0 }, { "ids", PARAM_IDS, false, 1, INTAKE_MAX_JOBS }, END };
static const struct api_param wait_params[] = {
	{ "ids", PARAM_IDS, false, 1, API_MAX_WAIT_IDS }, { "sweep", PARAM_SWEEP, false, 0, 0 },
	{ "timeout_ms", PARAM_INT, false, 0, INT64_C(7) * 24 * 3600 * 1000 }, END };
static const struct api_param create_params[] = {
	{ "sweep", PARAM_OBJECT, true, 0, 0 }, { "follow", PARAM_BOOL, false, 0, 0 }, END };
static const struct api_param compare_params[] = {
	{ "compare", PARAM_OBJECT, false, 0, 0 }, { "ids", PARAM_IDS, false, 2, API_MAX_COMPARED },
	{ "rule", PARAM_OBJECT, false, 0, 0 }, { "follow", PARAM_BOOL, false, 0, 0 }, END };
static const struct api_param sweep_params[] = { { "sweep", PARAM_SWEEP, true, 0, 0 }, END };
static const struct api_param share_params[] = {
	{ "sweep", PARAM_SWEEP, true, 0, 0 }, { "visibility", PARAM_READERS, true, 0, 0 }, END
};
static const struct api_param export_params[] = {
	{ "sweep", PARAM_SWEEP, true, 0, 0 }, { "format", PARAM_TEXT, true, 1, 32 },
	{ "cursor", PARAM_TEXT, false, 1, EXPORT_CURSOR_BYTES - 1 }, END };
static const struct api_param subscribe_params[] = {
	{ "sweep", PARAM_SWEEP, false, 0, 0 }, { "ids", PARAM_IDS, false, 1, INTAKE_MAX_JOBS },
	{ "all", PARAM_BOOL, false, 0, 0 }, { "after", PARAM_INT, false, 0, INT64_MAX }, END };
static const struct api_param unsubscribe_params[] = { { "subscription", PARAM_ID, true, 0, 0 },
    END };
static const struct api_param best_params[] = {
	{ "sweep", PARAM_SWEEP, true, 0, 0 }, { "top", PARAM_INT, false, 1, API_MAX_TOP }, END };
static const struct api_param backup_params[] = { { "path", PARAM_TEXT, true, 1, 4000 }, END };
static const struct api_param prune_params[] = {
	{ "older_than_s", PARAM_INT, true, 0, INT64_C(1) << 40 },
	{ "sweep", PARAM_SWEEP, false, 0, 0 }, { "user", PARAM_USER, false, 0, 0 },
	{ "dry_run", PARAM_BOOL, false, 0, 0 }, END };
static const struct api_param queue_params[] = { { "limit", PARAM_INT, false, 0, API_MAX_LIST },
    END };

const struct api_param points_params[] = {
	{ "sweep", PARAM_SWEEP, true, 0, 0 }, { "after", PARAM_INT, false, 0, INT64_MAX },
	{ "limit", PARAM_INT, false, 1, API_MAX_POINTS }, END };
const struct api_param kernels_params[] = { { "limit", PARAM_INT, false, 1, API_MAX_LIST }, END };
const struct api_param history_params[] = {
	{ "routine", PARAM_TEXT, true, 0, PARAMS_NAME_BYTES },
	{ "name", PARAM_TEXT, true, 0, PARAMS_NAME_BYTES },
	{ "limit", PARAM_INT, false, 1, API_MAX_POINTS }, END };

const struct api_param pause_params[] = {
	{ "sweep", PARAM_SWEEP, false, 0, 0 }, { "user", PARAM_USER, false, 0, 0 },
	{ "all", PARAM_BOOL, false, 0, 0 }, END };

static const struct method {
	const char		*name;
	method_fn		*run;
	const struct api_param	*params;	/* NULL: the method checks its own */
	bool			 needs_all;	/* waits until the queue has been read again */
	enum role		 role;		/* the least that may call it */
} methods[] = {
	{ "server.info", api_server_info, no_params, false, ROLE_READ },
	{ "host.get", api_host_get, no_params, false, ROLE_READ },
	{ "host.calibrate", api_host_calibrate, no_params, false, ROLE_OPERATE },
	{ "host.reference", api_host_yardstick, no_params, false, ROLE_OPERATE },
	{ "queue.get", api_queue_get, queue_params, false, ROLE_READ },
	{ "queue.pause", api_queue_pause, pause_params, false, ROLE_SUBMIT },
	{ "queue.resume", api_queue_resume, pause_params, false, ROLE_SUBMIT },
	{ "job.submit", api_job_submit, NULL, false, ROLE_SUBMIT },
	{ "job.get", api_job_get, id_params, false, ROLE_READ },
	{ "job.result", api_job_result, id_params, false, ROLE_READ },
	{ "job.spec", api_job_spec, id_params, false, ROLE_READ },
	{ "job.cancel", api_job_cancel, cancel_params, true, ROLE_SUBMIT },
	{ "job.wait", api_job_wait, wait_params, true, ROLE_READ },
	{ "sweep.create", api_sweep_create, create_params, false, ROLE_SUBMIT },
	{ "sweep.get", api_sweep_get, sweep_params, true, ROLE_READ },
	{ "sweep.list", api_sweep_list, sweep_list_params, false, ROLE_READ },
	{ "sweep.cancel", api_sweep_cancel, sweep_params, true, ROLE_SUBMIT },
	{ "sweep.share", api_sweep_share, share_params, false, ROLE_SUBMIT },
	{ "sweep.export", api_sweep_export, export_params, false, ROLE_READ },
	{ "sweep.points", api_sweep_points, points_params, false, ROLE_READ },
	{ "sweep.report", api_sweep_report, sweep_params, true, ROLE_READ },
	{ "users.get", api_users_get, no_params, false, ROLE_READ },
	{ "kernel.list", api_kernel_list, kernels_params, false, ROLE_READ },
	{ "kernel.history", api_kernel_history, history_params, false, ROLE_READ },
	{ "compare.run", api_compare_run, compare_params, false, ROLE_SUBMIT },
	{ "results.query", api_results_query, query_params, false, ROLE_READ },
	{ "results.best", api_results_best, best_params, false, ROLE_READ },
	{ "results.subscribe", api_results_subscribe, subscribe_params, true, ROLE_READ },
	{ "store.check", api_store_check, no_params, false, ROLE_OPERATE },
	{ "store.backup", api_store_backup, backup_params, false, ROLE_OPERATE },
	{ "store.prune", api_store_prune, prune_params, false, ROLE_SUBMIT },
	{ "results.unsubscribe", api_results_unsubscribe, unsubscribe_params, false, ROLE_READ },
};
enum { NMETHODS = sizeof methods / sizeof methods[0] };

static int
code_of(enum status st)
{
	switch (st) {
	case ST_BAD_SPEC:
	case ST_BAD_REQUEST:
		return API_BAD_PARAMS;
	case ST_NOT_FOUND:
		return API_NOT_FOUND;
	case ST_CONFLICT:
		return API_CONFLICT;
	case ST_DENIED:
		return API_DENIED;
	case ST_FULL:
		return API_FULL;
	default:
		return API_OURS;
	}
}

/* ---- words ---- */

json_t *
api_fault_data(const struct fault *why)
{
	json_t	*data = json_object();

	(void)json_object_set_new(data, "word", json_string(status_word(why->status)));
	if (why->member[0] != '\0')
		(void)json_object_set_new(data, "member", json_string(why->member));
	(void)json_object_set_new(data, "reason", json_string(why->text));
	if (why->hint[0] != '\0')
		(void)json_object_set_new(data, "hint", json_string(why->hint));
	return data;
}

/* ---- calls ---- */

static struct call *
call_new(struct api *api, const struct caller *who, api_reply_fn *reply, void *arg)
{
	struct call	*c = calloc(1, sizeof *c);

	if (c == NULL)
		return NULL;
	c->api = api;
	c->uid = who->uid;
	c->role = who->role;
	c->client = who->client;
	c->noted = who->call;
	if (c->noted != NULL)
		*c->noted = c;
	c->reply = reply;
	c->arg = arg;
	if (c->client != NULL)
		TAILQ_INSERT_TAIL(&c->client->calls, c, entry);
	return c;
}

static void
call_free(struct call *c)
{
	if (c->client != NULL)
		TAILQ_REMOVE(&c->client->calls, c, entry);
	free(c);
}

static void
give(struct call *c, const struct api_reply *r)
{
	if (c->noted != NULL)
		*c->noted = NULL;
	c->reply(c->arg, r);
	call_free(c);
}

void
call_refuse(struct call *c, const struct fault *why)
{
	struct api_reply	r = { .status = why->status,
				    .code = code_of(why->status), .why = why };

	give(c, &r);
}

static void
refuse_for_memory(struct call *c)
{
	struct fault	why;

	(void)fault_set(&why, ST_NOMEM, "the daemon is out of memory");
	call_refuse(c, &why);
}

enum status
call_answer_text(struct call *c, struct evbuffer *text)
{
	struct api_reply	r = { .status = ST_OK, .result = text,
				    .next = c->next[0] != '\0' ? c->next : NULL };

	give(c, &r);
	evbuffer_free(text);
	return ST_OK;
}

static void
free_dump(const void *data, size_t n, void *arg)
{
	(void)data;
	(void)n;
	free(arg);
}

enum status
call_answer(struct call *c, json_t *result)
{
	char		*text = result != NULL ?
			    json_dumps(result, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
	struct evbuffer	*out = evbuffer_new();

	json_decref(result);
	if (text == NULL || out == NULL || evbuffer_add_reference(out, text, strlen(text),
	    free_dump, text) != 0) {
		free(text);
		if (out != NULL)
			evbuffer_free(out);
		refuse_for_memory(c);
		return ST_OK;
	}
	return call_answer_text(c, out);
}

/* Does it bring work, which a daemon that drains refuses? */
static bool
brings_work(const char *method)
{
	static const char *const	words[] = { "job.submit", "sweep.create", "compare.run",
					    "host.calibrate", "host.reference" };

	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(words[i], method) == 0)
			return true;
	return false;
}

/* The queue of the daemon before is being read, and this call needs all of it. */
static bool
must_wait(const struct api *api, const struct method *m, uid_t uid)
{
	return api_is_reading(api) && (m->needs_all ||
	    (brings_work(m->name) && quota_binds(api->env.queue, uid)));
}

static enum status
refuse_work(const struct api *api, struct fault *why)
{
	(void)fault_set(why, ST_UNAVAILABLE, "%s", api->begins_nothing);
	fault_hint(why, "what it has acknowledged is kept; ask again once it is restarted");
	return ST_UNAVAILABLE;
}

static enum status
check_role(const struct caller *who, const struct method *m, struct fault *why)
{
	if (who->role >= m->role)
		return ST_OK;
	(void)fault_at(why, ST_DENIED, "method", "%s is for users who may %s; you may %s", m->name,
	    role_words[m->role], role_words[who->role]);
	fault_hint(why, who->uid == USER_NOBODY ?
	    "say who you are: with a token, a certificate, or over the Unix socket" :
	    "an operator gives roles, in users.conf");
	return ST_DENIED;
}

static const struct method *
method_named(const char *name)
{
	for (unsigned i = 0; i < NMETHODS; i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}

static void
refuse_method(const char *name, api_reply_fn *reply, void *arg)
{
	const char		*names[NMETHODS + 1] = { NULL }, *nearest;
	struct fault		 why;
	struct api_reply	 r = { .status = ST_NOT_FOUND, .code = API_NO_SUCH_METHOD,
				    .why = &why };

	for (unsigned i = 0; i < NMETHODS; i++)
		names[i] = methods[i].name;
	(void)fault_at(&why, ST_NOT_FOUND, "method", "there is no method \"%.100s\"", name);
	if ((nearest = nearest_name(name, names)) != NULL)
		fault_hint(&why, "did you mean \"%s\"?", nearest);
	reply(arg, &r);
}

void
api_call(struct api *api, const struct caller *who, const char *name, const json_t *params,
    api_reply_fn *reply, void *arg)
{
	const struct method	*m = method_named(name);
	json_t			*none = json_object();
	struct api_reply	 r = { .status = ST_NOMEM, .code = API_OURS };
	struct fault		 why;
	struct call		*c;
	enum status		 st;

	r.why = &why;
	(void)fault_set(&why, ST_NOMEM, "the daemon is out of memory");
	if (m == NULL) {
		refuse_method(name, reply, arg);
	} else if (none == NULL || (c = call_new(api, who, reply, arg)) == NULL) {
		reply(arg, &r);
	} else {
		if (params == NULL)
			params = none;
		st = check_role(who, m, &why);
		if (st == ST_OK && api->begins_nothing != NULL && brings_work(m->name))
			st = refuse_work(api, &why);
		if (st == ST_OK && m->params != NULL)
			st = params_check(m->params, params, &why);
		if (st == ST_OK && must_wait(api, m, c->uid))
			st = api_put_off(&api->put_off, c, m->run, params, &why);
		else if (st == ST_OK)
			api_run(c, m->run, params);
		if (st != ST_OK)
			call_refuse(c, &why);
	}
	json_decref(none);
}

void
api_leave(struct call *c)
{
	if (c == NULL)
		return;
	if (c->reading != NULL)
		reading_cancel(c->reading);
	arrivals_forget(intake_arrivals(c->api->env.intake), c);
}

/* ---- connections ---- */

struct api_client *
api_client_new(struct api *api, uid_t uid, const struct api_hooks *hooks, void *arg)
{
	struct api_client	*cl = calloc(1, sizeof *cl);

	if (cl == NULL)
		return NULL;
	cl->api = api;
	cl->uid = uid;
	cl->hooks = hooks;
	cl->arg = arg;
	TAILQ_INIT(&cl->calls);
	TAILQ_INIT(&cl->to_read);
	TAILQ_INIT(&cl->waits);
	TAILQ_INIT(&cl->subscriptions);
	TAILQ_INSERT_TAIL(&api->clients, cl, entry);
	api->nclients++;
	return cl;
}

void
api_client_free(struct api_client *cl)
{
	struct call	*c;

	if (cl == NULL)
		return;
	api_waits_free(cl);
	api_subscriptions_free(cl);
	api_reads_free(cl);
	while ((c = TAILQ_FIRST(&cl->calls)) != NULL) {		/* submissions on their way to the
								 * disk */
		TAILQ_REMOVE(&cl->calls, c, entry);
		c->client = NULL;
		api_leave(c);
	}
	TAILQ_REMOVE(&cl->api->clients, cl, entry);
	cl->api->nclients--;
	free(cl);
}

void
api_client_room(struct api_client *cl)
{
	api_read_next(cl);
	if (!TAILQ_EMPTY(&cl->subscriptions))
		api_page_soon(cl->api);
}

void
api_client_charge(struct api_client *cl, struct account *account)
{
	cl->account = account;
}

size_t
api_client_count(const struct api *api)
{
	return api->nclients;
}

static bool
is_awaited(void *arg, int64_t job_id, int64_t sweep_id)
{
	return api_subscriptions_want(arg, job_id, sweep_id) || api_waits_want(arg, job_id);
}

/* Results come in the order of their cursors, each once, after they are on disk. */
static void
on_news(void *arg, const struct news *n)
{
	struct api	*api = arg;

	api->results[n->outcome]++;
	vitals_note_result(&api->vitals, n);
	api->durable = n->cursor;
	/* before the waits, so that a waiting client has its results */
	api_subscriptions_news(api, n);
	api_waits_news(api, n);
	upkeep_news(api->env.upkeep, n);
	notify_news(api->env.notify, n->sweep_id);
}

/* ---- life ---- */

static enum status
note_cursor(void *arg, const struct result_row *row)
{
	struct api	*api = arg;

	api->durable = row->cursor;
	return ST_OK;
}

static void
note_share(void *arg, const struct user_share *u)
{
	vitals_note_timed(arg, u->uid, u->timed_s);
}

enum status
api_new(struct api **out, const struct api_env *env, struct fault *why)
{
	struct result_filter	 newest = { .status = -1, .submitter = -1,
				    .order = ORDER_NEWEST, .limit = 1 };
	struct api		*api = calloc(1, sizeof *api);
	enum status		 st;

	*out = NULL;
	if (api == NULL)
		return fault_set(why, ST_NOMEM, "api");
	api->env = *env;
	api->started = clock_wall_s();
	api->began = clock_now_s();
	TAILQ_INIT(&api->clients);
	STAILQ_INIT(&api->put_off);
	STAILQ_INIT(&api->put_off_locked);
	if ((st = accounts_new(&api->accounts, env->users, env->config->quota_connections,
	    why)) != ST_OK)
		goto fail;
	if ((st = web_new(&api->web, env->config->chart_js, why)) != ST_OK)
		goto fail;
	if ((api->paging = evtimer_new(env->base, api_page, api)) == NULL) {
		st = fault_set(why, ST_NOMEM, "api");
		goto fail;
	}
	if ((st = store_results(env->store, &newest, note_cursor, api, why)) != ST_OK ||
	    (st = store_totals(env->store, api->results, &api->jobs, why)) != ST_OK ||
	    (st = api_readers_open(api, why)) != ST_OK ||
	    (st = api_arrivals_open(api, why)) != ST_OK)
		goto fail;
	store_each_share(env->store, note_share, &api->vitals);
	dispatch_on_news(env->dispatch, on_news, is_awaited, api);
	*out = api;
	return ST_OK;
fail:
	api_free(api);
	return st;
}

void
api_free(struct api *api)
{
	if (api == NULL)
		return;
	api_stop(api);
	dispatch_on_news(api->env.dispatch, NULL, NULL, NULL);
	if (api->paging != NULL)
		event_free(api->paging);
	vitals_release(&api->vitals);
	cache_size_release(&api->cache);
	accounts_free(api->accounts);
	web_free(api->web);
	free(api);
}

void
api_set_http_tcp(struct api *api, const char *address)
{
	(void)snprintf(api->http_tcp, sizeof api->http_tcp, "%s", address);
}

void
api_set_tls(struct api *api, const char *address)
{
	(void)snprintf(api->tls, sizeof api->tls, "%s", address);
}

struct vitals *
api_vitals(struct api *api)
{
	return &api->vitals;
}

void
api_drain(struct api *api, const char *reason)
{
	api->begins_nothing = reason;
}

void
api_tick(struct api *api)
{
	char	cache[PATH_MAX];

	(void)snprintf(cache, sizeof cache, "%s/cache", api->env.config->state_dir);
	cache_size_step(&api->cache, cache);
	api_put_off_tick(api);
	api_prune_tick(api);
	api_correct_tick(api);
	notify_tick(api->env.notify, !api_is_reading(api));
}

struct accounts *
api_accounts(struct api *api)
{
	return api->accounts;
}

struct web *
api_web(const struct api *api)
{
	return api->web;
}

const struct api_env *
api_env(const struct api *api)
{
	return &api->env;
}

/* ---- what several handlers need ---- */

bool
api_may_change(const struct call *c, uid_t owner)
{
	return api_is_operator(c) || (c->uid == owner && c->uid != USER_NOBODY);
}

bool
api_is_operator(const struct call *c)
{
	return c->role == ROLE_OPERATE;
}

struct viewer
api_viewer(const struct call *c)
{
	return (struct viewer){ c->api->env.users, c->uid };
}

bool
api_may_see(const struct call *c, uid_t owner, const char *visibility)
{
	const struct viewer	v = api_viewer(c);
	const struct row_owner	o = { owner, visibility };

	return viewer_may_see(&v, &o);
}

enum status
api_denied(const struct call *c, const char *what, int64_t id, uid_t owner, struct fault *why)
{
	char	name[USER_NAME_BYTES];

	(void)fault_set(why, ST_DENIED, "%s %lld belongs to %s", what, (long long)id,
	    users_words(c->api->env.users, owner, name));
	fault_hint(why, "only its submitter and operators may change it");
	return ST_DENIED;
}

enum status
api_find_sweep(struct api *api, const json_t *which, struct sweep_row *row, struct fault *why)
{
	return store_sweep(api->env.store, json_integer_value(which),
	    json_string_value(which), row, why);
}

enum status
api_know_all(struct api *api, const int64_t *ids, size_t n, struct fault *why)
{
	return store_has_jobs(api->env.store, ids, n, why);
}

json_t *
api_sweep_ref(int64_t id, const char *name)
{
	return id == 0 ? json_null() : json_pack("{s:I,s:s}", "id", (json_int_t)id, "name", name);
}
