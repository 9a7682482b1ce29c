/* SPDX-License-Identifier: Apache-2.0 */
/* The api's life, and that of its connections. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/api/api_impl.h"
#include "proto/base/clock.h"

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
