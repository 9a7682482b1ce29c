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
	json_t		*question = json_pack("{s:O, s:o}", "id", json_array_get(h->ids, h->next),
			    "wait", json_sprintf("%dms", (int)left_ms(deadline_ms))), *job;
	enum status	 st = client_call(h->assay, "job.get", question, &job, why);

	json_decref(question);
	if (st != ST_OK)
		return st;
	if (json_is_string(json_object_get(job, "status"))) {
		*params = json_pack("{s:O}", "result", json_object_get(job, "result"));
		h->next++;
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
	if (json_object_get(params, "follow") != NULL)
		return submit(h, method, params, result, why);
	return client_call(h->assay, method, params, result, why);
}
