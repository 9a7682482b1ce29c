/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "client/connect/client.h"
#include "client/connect/over_http.h"
#include "client/lib/await.h"
#include "proto/base/clock.h"

enum {
	SLICE_MS = 30000,	/* of one request that waits */
	LOOK_MS = 250,		/* between two looks at what no request waits for */
	PAGE = 1000,
};

void
over_http_init(struct over_http *h, struct assay *assay)
{
	*h = (struct over_http){ .assay = assay, .ids = json_array(), .stop_fd = -1 };
}

void
over_http_release(struct over_http *h)
{
	json_decref(h->ids);
	json_decref(h->awaited);
	json_decref(h->open);
	json_decref(h->sweep);
	json_decref(h->cursor);
	json_decref(h->page);
}

/* ---- waits ---- */

static int64_t
left_ms(int64_t deadline_ms)
{
	const int64_t	left = deadline_ms < 0 ? SLICE_MS : deadline_ms - clock_now_ms();

	return left < 0 ? 0 : left > SLICE_MS ? SLICE_MS : left;
}

/* Ends early, with ST_CANCELLED, on Ctrl-C. */
static enum status
pause_for(struct over_http *h, int64_t ms, struct fault *why)
{
	const int64_t	until_ms = clock_now_ms() + (ms < LOOK_MS ? ms : LOOK_MS);

	return await_fd(-1, 0, h->stop_fd, until_ms) != ST_CANCELLED ? ST_OK :
	    fault_set(why, ST_CANCELLED, "interrupted");
}

/*
 * job.get or sweep.get with a wait for the end.  A daemon that does not know the parameter is asked
 * again and again.
 */
static enum status
get_waiting(struct over_http *h, const char *method, const char *member, const json_t *of,
    int64_t wait_ms, json_t **reply, struct fault *why)
{
	json_t		*params = json_pack("{s:O}", member, of);
	enum status	 st;

	if (wait_ms > 0 && !h->cannot_wait)
		(void)json_object_set_new(params, "wait",
		    json_sprintf("%dms", (int)wait_ms));
	st = client_call(h->assay, method, params, reply, why);
	if (st == ST_BAD_REQUEST && strcmp(why->member, "wait") == 0) {
		h->cannot_wait = true;
		(void)json_object_del(params, "wait");
		st = client_call(h->assay, method, params, reply, why);
	}
	json_decref(params);
	return st;
}

static bool
is_over(const json_t *job)
{
	return json_is_string(json_object_get(job, "status"));
}

/* Take those that have a result, a page's, out of h->open[from … from + PAGE). */
static void
forget_over(struct over_http *h, size_t from, const json_t *results)
{
	json_t	*over = json_object(), *result;
	char	 id[32];
	size_t	 i;

	json_array_foreach(results, i, result) {
		(void)snprintf(id, sizeof id, "%lld", (long long)json_integer_value(
		    json_object_get(result, "job")));
		(void)json_object_set_new(over, id, json_true());
	}
	for (i = json_array_size(h->open); i-- > from; ) {
		(void)snprintf(id, sizeof id, "%lld", (long long)json_integer_value(
		    json_array_get(h->open, i)));
		if (json_object_get(over, id) != NULL)
			(void)json_array_remove(h->open, i);
	}
	json_decref(over);
}

/* Ask for results of a part of h->open; *left: how many of the part have none. */
static enum status
ask_about(struct over_http *h, size_t from, size_t *left, struct fault *why)
{
	const size_t	before = json_array_size(h->open);
	const size_t	n = before - from < PAGE ? before - from : PAGE;
	json_t		*params = json_pack("{s:[], s:i}", "ids", "limit", (int)PAGE), *reply;
	bool		more = true;
	enum status	st = ST_OK;

	for (size_t i = from; i < from + n; i++)
		(void)json_array_append(json_object_get(params, "ids"), json_array_get(h->open, i));
	while (st == ST_OK && more) {
		st = client_call(h->assay, "results.query", params, &reply, why);
		if (st != ST_OK)
			break;
		forget_over(h, from, json_object_get(reply, "results"));
		(void)json_object_set(params, "cursor", json_object_get(reply, "next"));
		more = json_is_string(json_object_get(reply, "next"));
		json_decref(reply);
	}
	json_decref(params);
	*left = n - (before - json_array_size(h->open));
	return st;
}

static enum status
drop_over(struct over_http *h, struct fault *why)
{
	size_t		left;
	enum status	st = ST_OK;

	for (size_t from = 0; st == ST_OK && from < json_array_size(h->open); from += left)
		st = ask_about(h, from, &left, why);
	return st;
}

/* An id that is none of the daemon's has no result: it is refused by name. */
static enum status
count_left(struct over_http *h, json_t *ids, int64_t deadline_ms, json_int_t *left,
    struct fault *why)
{
	json_t		*job;
	size_t		 n;
	enum status	 st;

	if (h->awaited != ids) {
		json_decref(h->awaited);
		json_decref(h->open);
		h->awaited = json_incref(ids);
		h->open = json_copy(ids);
	}
	if ((st = drop_over(h, why)) != ST_OK)
		return st;
	if ((n = json_array_size(h->open)) > 0) {
		st = get_waiting(h, "job.get", "id", json_array_get(h->open, n - 1),
		    left_ms(deadline_ms), &job, why);
		if (st == ST_OK && is_over(job))
			(void)json_array_remove(h->open, n - 1);
		if (st == ST_OK)
			json_decref(job);
	}
	*left = (json_int_t)json_array_size(h->open);
	return st;
}

static enum status
count_left_of_sweep(struct over_http *h, const json_t *sweep, int64_t deadline_ms,
    json_int_t *left, struct fault *why)
{
	static const char *const	 live[] = { "queued", "building", "built", "timing" };
	json_t				*reply;
	enum status			 st;

	st = get_waiting(h, "sweep.get", "sweep", sweep, left_ms(deadline_ms), &reply, why);
	if (st != ST_OK)
		return st;
	*left = 0;
	for (unsigned i = 0; i < sizeof live / sizeof live[0]; i++)
		*left += json_integer_value(json_object_get(json_object_get(reply, "states"),
		    live[i]));
	json_decref(reply);
	return ST_OK;
}

/* job.wait */
static enum status
wait_for(struct over_http *h, const json_t *params, json_t **result, struct fault *why)
{
	const json_t	*limit = json_object_get(params, "timeout_ms");
	json_t		*ids = json_object_get(params, "ids");
	const int64_t	 deadline_ms = limit != NULL ?
			    clock_now_ms() + json_integer_value(limit) : -1;
	json_int_t	 left;
	enum status	 st;

	do {
		st = ids != NULL ? count_left(h, ids, deadline_ms, &left, why) :
		    count_left_of_sweep(h, json_object_get(params, "sweep"), deadline_ms, &left,
		    why);
		if (st == ST_OK && left > 0 && h->cannot_wait)
			st = pause_for(h, left_ms(deadline_ms), why);
	} while (st == ST_OK && left > 0 && left_ms(deadline_ms) > 0);
	if (st == ST_OK)
		*result = json_pack("{s:b, s:I}", "done", left == 0, "left", left);
	return st;
}

/* ---- cancelling ---- */

static enum status
cancel(struct over_http *h, const json_t *params, json_t **result, struct fault *why)
{
	json_t		*all = json_pack("{s:[], s:[]}", "cancelled", "final"), *id, *one, *reply;
	size_t		 i;
	enum status	 st = ST_OK;

	json_array_foreach(json_object_get(params, "ids"), i, id) {
		one = json_pack("{s:[O]}", "ids", id);
		if ((st = client_call(h->assay, "job.cancel", one, &reply, why)) == ST_OK) {
			(void)json_array_extend(json_object_get(all, "cancelled"),
			    json_object_get(reply, "cancelled"));
			(void)json_array_extend(json_object_get(all, "final"),
			    json_object_get(reply, "final"));
			json_decref(reply);
		}
		json_decref(one);
		if (st != ST_OK)
			break;
	}
	if (st == ST_OK)
		*result = json_incref(all);
	json_decref(all);
	return st;
}

/* ---- results that follow ---- */

static enum status
submit(struct over_http *h, const char *method, const json_t *params, json_t **result,
    struct fault *why)
{
	json_t		*rest = json_copy((json_t *)(uintptr_t)params);
	enum status	 st;

	(void)json_object_del(rest, "follow");
	st = client_call(h->assay, method, rest, result, why);
	json_decref(rest);
	if (st != ST_OK || !json_is_true(json_object_get(params, "follow")))
		return st;
	(void)json_array_extend(h->ids, json_object_get(*result, "ids"));
	if (json_array_size(json_object_get(*result, "ids")) == 0 && h->sweep == NULL)
		h->sweep = json_incref(json_object_get(*result, "sweep"));
	return ST_OK;
}

static enum status
next_of_ids(struct over_http *h, int64_t deadline_ms, json_t **params, struct fault *why)
{
	json_t		*job;
	enum status	 st = get_waiting(h, "job.get", "id", json_array_get(h->ids, h->next),
			    left_ms(deadline_ms), &job, why);

	if (st != ST_OK)
		return st;
	if (is_over(job)) {
		*params = json_pack("{s:O}", "result", json_object_get(job, "result"));
		h->next++;
	} else if (h->cannot_wait) {
		st = pause_for(h, left_ms(deadline_ms), why);
	}
	json_decref(job);
	return st;
}

/* Read the page again if it was the last one: there may be more on it. */
static enum status
read_page(struct over_http *h, struct fault *why)
{
	json_t		*params = json_pack("{s:O, s:s, s:i}", "sweep", h->sweep, "order", "id",
			    "limit", (int)PAGE), *reply;
	const json_t	*next = json_object_get(h->page, "next");
	enum status	 st;

	if (json_is_string(next)) {
		json_decref(h->cursor);
		h->cursor = json_incref((json_t *)(uintptr_t)next);
		h->seen = 0;
	}
	if (h->cursor != NULL)
		(void)json_object_set(params, "cursor", h->cursor);
	st = client_call(h->assay, "results.query", params, &reply, why);
	json_decref(params);
	if (st != ST_OK)
		return st;
	json_decref(h->page);
	h->page = reply;
	return ST_OK;
}

static enum status
next_of_sweep(struct over_http *h, int64_t deadline_ms, json_t **params, struct fault *why)
{
	json_t		*result = json_array_get(json_object_get(h->page, "results"), h->seen);
	enum status	 st;

	if (result == NULL) {
		if ((st = read_page(h, why)) != ST_OK)
			return st;
		result = json_array_get(json_object_get(h->page, "results"), h->seen);
	}
	if (result != NULL) {
		*params = json_pack("{s:O}", "result", result);
		h->seen++;
		return ST_OK;
	}
	return pause_for(h, left_ms(deadline_ms), why);
}

enum status
over_http_next(struct over_http *h, int timeout_ms, json_t **params, struct fault *why)
{
	const int64_t	deadline_ms = await_deadline_ms(timeout_ms);
	enum status	st = ST_OK;

	*params = NULL;
	do {
		if (h->next < json_array_size(h->ids))
			st = next_of_ids(h, deadline_ms, params, why);
		else if (h->sweep != NULL)
			st = next_of_sweep(h, deadline_ms, params, why);
		else
			return fault_set(why, ST_BAD_REQUEST, "nothing was submitted to follow");
	} while (st == ST_OK && *params == NULL && left_ms(deadline_ms) > 0);
	return st;
}

/* ---- all calls ---- */

enum status
over_http_call(struct over_http *h, const char *method, const json_t *params, json_t **result,
    struct fault *why)
{
	*result = NULL;
	if (strcmp(method, "job.wait") == 0)
		return wait_for(h, params, result, why);
	if (strcmp(method, "job.cancel") == 0)
		return cancel(h, params, result, why);
	if (json_object_get(params, "follow") != NULL)
		return submit(h, method, params, result, why);
	return client_call(h->assay, method, params, result, why);
}
