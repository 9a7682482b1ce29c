/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api_impl.h"
#include "proto/base/clock.h"
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
	bool			 missed;	/* news came while its page was read */
	struct page_read	*page;		/* borrowed; on a thread; NULL: none */
	TAILQ_ENTRY(subscription) entry;
};

enum {
	PAGE_ROWS = 100, PAGE_ROWS_OF_IDS = 1000,	/* an id costs more than the next row */
	PAGE_BYTES = 1 << 20,
	PAGING_NS = 2000000,		/* of the loop, for all connections; then others */
	PAGING_UID = -2,		/* all pages together are one user to the threads */
};

struct kept_row {
	int64_t	 cursor;
	size_t	 bytes;
	char	*json;			/* owned */
	uid_t	 submitter;
	char	*visibility;		/* owned; NULL: private */
};

/* A page of a subscription, read on a thread, which uses the filter and the rows alone. */
struct page_read {
	struct api_client	*client;	/* borrowed; NULL: gone meanwhile */
	struct subscription	*s;		/* borrowed; NULL: ended meanwhile */
	struct reading		*reading;	/* borrowed */
	int64_t			*ids;		/* owned once the subscription ended; NULL before */
	struct result_filter	 filter;
	size_t			 rows, bytes;
	json_t			*damaged;	/* owned; ids of jobs whose results are not sent */
	struct kept_row		 row[PAGE_ROWS_OF_IDS];
};

static size_t
cost_bytes(size_t ids)
{
	return sizeof(struct subscription) + ids * sizeof(int64_t);
}

static void
subscription_free(struct subscription *s)
{
	account_unkeep(s->client->account, cost_bytes(s->nids));
	TAILQ_REMOVE(&s->client->subscriptions, s, entry);
	s->client->nsubscriptions--;
	if (s->page != NULL) {		/* the thread still needs the ids */
		s->page->s = NULL;
		s->page->ids = s->ids;
		reading_cancel(s->page->reading);
	} else {
		free(s->ids);
	}
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
	if (account_keep(cl->account, cost_bytes(n), why) != ST_OK) {
		free(ids);
		free(s);
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

/* Without memory it is left out; its cursor is passed. */
static void
send_result(struct subscription *s, int64_t cursor, const struct shown *r)
{
	const struct api_client	*cl = s->client;
	const struct viewer	 v = { cl->api->env.users, cl->uid };
	struct evbuffer		*out = evbuffer_new();
	size_t			 bytes;

	s->last = cursor;
	if (s->left > 0)
		s->left--;
	if (out != NULL && view_put(&v, out, r) == ST_OK) {
		bytes = evbuffer_get_length(out);
		cl->hooks->result(cl->arg, s->number, cursor,
		    (const char *)evbuffer_pullup(out, -1), bytes);
	}
	if (out != NULL)
		evbuffer_free(out);
}

/* ---- reading the store ---- */

static void
page_free(struct page_read *p)
{
	for (size_t i = 0; i < p->rows; i++) {
		free(p->row[i].json);
		free(p->row[i].visibility);
	}
	json_decref(p->damaged);
	free(p->ids);
	free(p);
}

static enum status
keep_row(void *arg, const struct result_row *row)
{
	struct page_read	*p = arg;
	struct kept_row		*k = &p->row[p->rows];

	if (p->bytes >= PAGE_BYTES)
		return ST_FULL;
	if (row->json == NULL)
		return json_array_append_new(p->damaged, json_integer(row->job_id)) == 0 ? ST_OK :
		    ST_NOMEM;
	*k = (struct kept_row){ row->cursor, row->json_bytes, malloc(row->json_bytes + 1),
	    row->owner.submitter, NULL };
	if (k->json == NULL || (row->owner.visibility != NULL &&
	    (k->visibility = strdup(row->owner.visibility)) == NULL)) {
		free(k->json);
		return ST_NOMEM;
	}
	memcpy(k->json, row->json, row->json_bytes);
	p->rows++;
	p->bytes += row->json_bytes;
	return ST_OK;
}

static enum status
read_page(struct store *store, void *arg, struct fault *why)
{
	struct page_read	*p = arg;
	enum status		 st = store_results(store, &p->filter, keep_row, p, why);

	return st == ST_FULL ? ST_OK : st;
}

/*
 * Sends the rows that were news already; true: there is no more to read.  A row that is on disk but
 * not yet news will be news, and so will all after it.
 */
static bool
send_page(struct subscription *s, const struct page_read *p)
{
	const struct api_client	*cl = s->client;

	for (size_t i = 0; i < p->rows; i++) {
		const struct kept_row	*k = &p->row[i];
		const struct shown	 r = { k->json, k->bytes,
					     { k->submitter, k->visibility }, { NULL, 0 } };

		if (k->cursor > cl->api->durable)
			return true;
		if (!cl->hooks->has_room(cl->arg))
			return false;
		send_result(s, k->cursor, &r);
	}
	return p->rows + json_array_size(p->damaged) < p->filter.limit && p->bytes < PAGE_BYTES &&
	    !s->missed;
}

static void
subscription_turn_ends(struct subscription *s, const struct page_read *p, enum status st,
    const struct fault *why)
{
	s->page = NULL;
	api_note_damaged(s->client->api, p->damaged);
	if (st != ST_OK) {
		log_error("subscription=%lld ends: %s", (long long)s->number, why->text);
		subscription_free(s);
		return;
	}
	if (send_page(s, p))
		s->reading = false;
	if (is_done(s))
		subscription_free(s);
}

static void
on_page(void *arg, enum status st, const struct fault *why)
{
	struct page_read	*p = arg;
	struct api_client	*cl = p->client;

	if (cl != NULL)
		cl->page = NULL;
	if (p->s != NULL)
		subscription_turn_ends(p->s, p, st, why);
	if (cl != NULL)
		api_page_soon(cl->api);
	page_free(p);
}

static void
subscription_turn(struct subscription *s)
{
	struct api_client	*cl = s->client;
	struct page_read	*p = calloc(1, sizeof *p);

	if (p == NULL)
		return;
	p->client = cl;
	p->s = s;
	p->damaged = json_array();
	p->filter = (struct result_filter){ .sweep_id = s->sweep_id, .ids = s->ids,
		.nids = s->nids, .status = -1, .submitter = -1, .order = ORDER_ID,
		.after_cursor = s->last, .limit = s->ids != NULL ? PAGE_ROWS_OF_IDS : PAGE_ROWS };
	p->reading = api_read(cl->api, (uid_t)PAGING_UID, read_page, on_page, p);
	if (p->reading == NULL) {
		json_decref(p->damaged);
		free(p);
		return;
	}
	s->missed = false;
	s->page = cl->page = p;
}

/* A connection reads a page at a time, for its subscriptions in turn. */
static void
client_turn(struct api_client *cl)
{
	struct subscription	*s;

	if (cl->page != NULL || !cl->hooks->has_room(cl->arg))
		return;
	TAILQ_FOREACH(s, &cl->subscriptions, entry)
		if (s->reading)
			break;
	if (s == NULL)
		return;
	TAILQ_REMOVE(&cl->subscriptions, s, entry);
	TAILQ_INSERT_TAIL(&cl->subscriptions, s, entry);
	subscription_turn(s);
}

/* Clients take turns at the head of their list. */
void
api_page(evutil_socket_t fd, short what, void *arg)
{
	struct api		*api = arg;
	struct api_client	*cl;
	const uint64_t		 end_ns = clock_now_ns() + PAGING_NS;
	size_t			 left = api->nclients;

	(void)fd;
	(void)what;
	for (; left > 0 && clock_now_ns() < end_ns; left--) {
		cl = TAILQ_FIRST(&api->clients);
		TAILQ_REMOVE(&api->clients, cl, entry);
		TAILQ_INSERT_TAIL(&api->clients, cl, entry);
		client_turn(cl);
	}
	if (left > 0)
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
wants(struct subscription *s, const struct news *n)
{
	if (n->cursor <= s->last || !is_about(s, n->job_id, n->sweep_id))
		return false;
	s->missed |= s->reading;
	return !s->reading;
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
	const struct shown	 r = { n->text, strlen(n->text), { n->submitter, n->visibility },
				     { NULL, 0 } };
	struct subscription	*s, *next;

	for (s = TAILQ_FIRST(&cl->subscriptions); s != NULL; s = next) {
		next = TAILQ_NEXT(s, entry);
		if (!wants(s, n))
			continue;
		if (!cl->hooks->has_room(cl->arg)) {	/* it will read this in the store */
			s->reading = true;
			continue;
		}
		send_result(s, n->cursor, &r);
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

	if (cl->page != NULL)
		cl->page->client = NULL;
	while ((s = TAILQ_FIRST(&cl->subscriptions)) != NULL)
		subscription_free(s);
}

bool
api_client_is_behind(const struct api_client *cl)
{
	const struct subscription	*s;

	TAILQ_FOREACH(s, &cl->subscriptions, entry)
		if (s->reading)
			return true;
	return false;
}

bool
api_client_is_subscribed(const struct api_client *cl)
{
	return cl->nsubscriptions != 0;
}

/* ---- calls ---- */

enum status
api_follow(struct api_client *cl, int64_t *ids, size_t n, bool stored_too, int64_t *number,
    struct fault *why)
{
	struct subscription	*s = subscription_new(cl, ids, n, why);

	if (s == NULL)
		return why->status;
	*number = s->number;
	if (stored_too)
		read_from(s, 0);
	return ST_OK;
}

enum status
api_follow_sweep(struct api_client *cl, int64_t sweep_id, int64_t *number, struct fault *why)
{
	enum status	st = api_follow(cl, NULL, 0, true, number, why);

	if (st == ST_OK)
		TAILQ_LAST(&cl->subscriptions, subscription_list)->sweep_id = sweep_id;
	return st;
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
		return why->status;
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
