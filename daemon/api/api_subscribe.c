/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api_impl.h"
#include "proto/base/log.h"

/*
 * A connection's subscription to results.  It first reads stored results, if they are wanted, up to
 * the newest on disk: a page at a time, as fast as the connection takes them.  From there on it
 * lives on news.
 *
 * No result is lost or doubled in between, because news comes in the order of cursors.  Results on
 * disk have been read, later ones will be news, and `last` prevents sending one twice.
 */
struct subscription {
	int64_t			 number;
	struct api_client	*client;	/* borrowed; the list it is on */
	int64_t			 sweep_id;	/* 0: any */
	int64_t			*ids;		/* owned; sorted; NULL: any */
	/* left: results of ids still to come; it ends at 0 */
	size_t			 nids, left;
	int64_t			 last;	/* cursor: everything up to here was sent or skipped */
	bool			 reading;	/* true: reads the store; false: live */
	TAILQ_ENTRY(subscription) entry;
};

/* A lookup of an id costs more than the next row */
enum { PAGE_ROWS = 200, PAGE_ROWS_OF_IDS = 1000 };

static void
subscription_free(struct subscription *s)
{
	TAILQ_REMOVE(&s->client->subscriptions, s, entry);
	s->client->nsubscriptions--;
	free(s->ids);
	free(s);
}

/* Takes the ids, also when it fails. */
static struct subscription *
subscription_new(struct api_client *cl, int64_t *ids, size_t n, struct fault *why)
{
	struct subscription	*s = calloc(1, sizeof *s);

	if (s == NULL) {
		free(ids);
		(void)fault_set(why, ST_NOMEM, "subscription");
		return NULL;
	}
	s->number = ++cl->last_subscription;
	s->client = cl;
	s->ids = ids;
	s->nids = s->left = n;
	s->last = cl->api->durable;
	TAILQ_INSERT_TAIL(&cl->subscriptions, s, entry);
	cl->nsubscriptions++;
	return s;
}

static void
read_from(struct subscription *s, int64_t cursor)
{
	s->last = cursor;
	s->reading = true;
	api_page_soon(s->client->api);
}

static bool
is_done(const struct subscription *s)
{
	return s->ids != NULL && s->left == 0;
}

static void
send_result(struct subscription *s, int64_t cursor, const char *json, size_t bytes)
{
	s->last = cursor;
	if (s->left > 0)
		s->left--;
	s->client->hooks->result(s->client->arg, s->number, cursor, json, bytes);
}

/* ---- reading the store ---- */

struct turn {
	struct subscription	*s;
	size_t			 rows;
	bool			 live_edge;	/* the next row is not known to be on disk */
};

static enum status
send_row(void *arg, const struct result_row *row)
{
	struct turn	*t = arg;

	if (row->cursor > t->s->client->api->durable) {
		t->live_edge = true;
		return ST_FULL;
	}
	if (!t->s->client->hooks->has_room(t->s->client->arg))
		return ST_FULL;
	t->rows++;
	send_result(t->s, row->cursor, row->json, row->json_bytes);
	return ST_OK;
}

static void
subscription_turn(struct subscription *s)
{
	struct result_filter	 f = { .sweep_id = s->sweep_id, .ids = s->ids,
		.nids = s->nids, .status = -1, .submitter = -1, .order = ORDER_ID,
		.after_cursor = s->last, .limit = s->ids != NULL ? PAGE_ROWS_OF_IDS : PAGE_ROWS };
	struct turn		 t = { .s = s };
	struct fault		 why;
	enum status		 st = store_results(s->client->api->env.store, &f,
				    send_row, &t, &why);

	if (st != ST_OK && st != ST_FULL) {
		log_error("subscription=%lld ends: %s", (long long)s->number, why.text);
		subscription_free(s);
		return;
	}
	if (t.live_edge || (st == ST_OK && t.rows < f.limit))
		s->reading = false;
	if (is_done(s))
		subscription_free(s);
}

void
api_page(evutil_socket_t fd, short what, void *arg)
{
	struct api		*api = arg;
	struct api_client	*cl;
	bool			 again = false;

	(void)fd;
	(void)what;
	TAILQ_FOREACH(cl, &api->clients, entry) {
		struct subscription	*s, *next;

		for (s = TAILQ_FIRST(&cl->subscriptions); s != NULL; s = next) {
			next = TAILQ_NEXT(s, entry);
			if (!s->reading || !cl->hooks->has_room(cl->arg))
				continue;
			again = true;
			subscription_turn(s);
		}
	}
	if (again)
		api_page_soon(api);
}

void
api_page_soon(struct api *api)
{
	static const struct timeval	next_turn = { 0, 0 };

	(void)evtimer_add(api->paging, &next_turn);
}

/* ---- news ---- */

static bool
is_about(const struct subscription *s, int64_t job_id, int64_t sweep_id)
{
	if (s->sweep_id != 0 && s->sweep_id != sweep_id)
		return false;
	return s->ids == NULL || params_has_id(s->ids, s->nids, job_id);
}

static bool
wants(const struct subscription *s, const struct news *n)
{
	return !s->reading && n->cursor > s->last && is_about(s, n->job_id, n->sweep_id);
}

bool
api_subscriptions_want(const struct api *api, int64_t job_id, int64_t sweep_id)
{
	const struct api_client		*cl;
	const struct subscription	*s;

	TAILQ_FOREACH(cl, &api->clients, entry)
		TAILQ_FOREACH(s, &cl->subscriptions, entry)
			if (is_about(s, job_id, sweep_id))
				return true;
	return false;
}

static void
notify_client(struct api_client *cl, const struct news *n)
{
	struct subscription	*s, *next;

	for (s = TAILQ_FIRST(&cl->subscriptions); s != NULL; s = next) {
		next = TAILQ_NEXT(s, entry);
		if (!wants(s, n))
			continue;
		send_result(s, n->cursor, n->text, strlen(n->text));
		if (is_done(s))
			subscription_free(s);
	}
}

void
api_subscriptions_news(struct api *api, const struct news *n)
{
	struct api_client	*cl;

	TAILQ_FOREACH(cl, &api->clients, entry)
		notify_client(cl, n);
}

void
api_subscriptions_free(struct api_client *cl)
{
	struct subscription	*s;

	while ((s = TAILQ_FIRST(&cl->subscriptions)) != NULL)
		subscription_free(s);
}

/* ---- calls ---- */

enum status
api_follow(struct api_client *cl, int64_t *ids, size_t n, bool stored_too, int64_t *number,
    struct fault *why)
{
	struct subscription	*s = subscription_new(cl, ids, n, why);

	if (s == NULL)
		return ST_NOMEM;
	*number = s->number;
	if (stored_too)
		read_from(s, 0);
	return ST_OK;
}

static enum status
one_subject(const json_t *params, struct fault *why)
{
	unsigned	n = json_object_get(params, "sweep") != NULL;

	n += json_object_get(params, "ids") != NULL;
	n += json_is_true(json_object_get(params, "all"));
	if (n == 1)
		return ST_OK;
	return fault_set(why, ST_BAD_REQUEST, "give one of \"sweep\", \"ids\" and \"all\": true");
}

static enum status
known_ids(struct api *api, const json_t *list, int64_t **ids, size_t *n, struct fault *why)
{
	enum status	st;

	if (list == NULL)
		return ST_OK;
	if ((st = params_ids(list, ids, n, why)) == ST_OK)
		st = api_know_all(api, *ids, *n, why);
	return st;
}

/* Without stored results, only live jobs can have results to send. */
static size_t
count_alive(const struct queue *q, const int64_t *ids, size_t n)
{
	size_t	alive = 0;

	for (size_t i = 0; i < n; i++)
		alive += queue_find(q, ids[i]) != NULL;
	return alive;
}

enum status
api_may_subscribe(const struct call *c, struct fault *why)
{
	if (c->client == NULL) {
		(void)fault_set(why, ST_BAD_REQUEST, "results cannot be sent here as they land");
		fault_hint(why, "use JSON-RPC for that");
		return ST_BAD_REQUEST;
	}
	if (c->client->nsubscriptions < API_MAX_SUBSCRIPTIONS)
		return ST_OK;
	return fault_set(why, ST_FULL, "this connection has %d subscriptions already",
	    API_MAX_SUBSCRIPTIONS);
}

enum status
api_results_subscribe(struct call *c, const json_t *params, struct fault *why)
{
	const json_t		*sweep = json_object_get(params, "sweep");
	const json_t		*after = json_object_get(params, "after");
	struct sweep_row	 row = { .id = 0 };
	struct subscription	*s;
	int64_t			*ids = NULL, number;
	size_t			 n = 0;
	enum status		 st;

	if ((st = api_may_subscribe(c, why)) != ST_OK)
		return st;
	if ((st = one_subject(params, why)) == ST_OK && sweep != NULL)
		st = api_find_sweep(c->api, sweep, &row, why);
	if (st == ST_OK)
		st = known_ids(c->api, json_object_get(params, "ids"), &ids, &n, why);
	if (st != ST_OK) {
		free(ids);
		return st;
	}
	if ((s = subscription_new(c->client, ids, n, why)) == NULL)
		return ST_NOMEM;
	number = s->number;
	s->sweep_id = row.id;
	if (after != NULL)
		read_from(s, json_integer_value(after));
	else
		s->left = count_alive(c->api->env.queue, s->ids, s->nids);
	if (is_done(s))
		subscription_free(s);
	return call_answer(c, json_pack("{s:I}", "subscription", (json_int_t)number));
}

enum status
api_results_unsubscribe(struct call *c, const json_t *params, struct fault *why)
{
	int64_t			 number = params_int(params, "subscription", 0);
	struct subscription	*s = NULL;

	if (c->client != NULL)
		TAILQ_FOREACH(s, &c->client->subscriptions, entry)
			if (s->number == number)
				break;
	if (s != NULL)
		subscription_free(s);
	else if (c->client == NULL || number > c->client->last_subscription)
		return fault_at(why, ST_NOT_FOUND, "subscription",
		    "this connection has no subscription %lld", (long long)number);
	/* a subscription that ended by itself is no error */
	return call_answer(c, json_object());
}
