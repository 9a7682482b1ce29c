/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/connect/receive.h"
#include "client/print/member.h"
#include "client/print/results/results.h"

enum { LOOK_MS = 250 };		/* between two looks at what a single job is doing */

/* The jobs with results to come. */
struct expected {
	int64_t		*ids;		/* owned; sorted, distinct; NULL: each that comes */
	bool		*seen;		/* owned; of each id */
	size_t		 n, done, failed;
	char		 state[32];	/* of a single job */
};

static int
compare_ids(const void *a, const void *b)
{
	int64_t	x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static enum status
expected_init(struct expected *e, const json_t *ids, struct fault *why)
{
	size_t	n = json_array_size(ids), distinct = 0;

	memset(e, 0, sizeof *e);
	e->ids = calloc(n + 1, sizeof *e->ids);
	e->seen = calloc(n + 1, sizeof *e->seen);
	if (e->ids == NULL || e->seen == NULL)
		return fault_set(why, ST_NOMEM, "results");
	for (size_t i = 0; i < n; i++)
		e->ids[i] = json_integer_value(json_array_get(ids, i));
	qsort(e->ids, n, sizeof *e->ids, compare_ids);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || e->ids[i] != e->ids[distinct - 1])
			e->ids[distinct++] = e->ids[i];
	e->n = distinct;
	return ST_OK;
}

/* A large sweep comes without ids: its results alone come here, each once. */
static void
expect_sweep(struct expected *e, const json_t *created)
{
	const json_int_t	n = json_integer_value(json_object_get(created, "jobs"));
	const json_int_t	repeated = json_is_true(json_object_get(created, "existed")) ? 0 :
				    json_integer_value(json_object_get(created, "repeated"));

	*e = (struct expected){ .n = n > repeated ? (size_t)(n - repeated) : 0 };
}

static void
expected_release(struct expected *e)
{
	free(e->ids);
	free(e->seen);
}

/* True once for each of the ids. */
static bool
is_unseen(struct expected *e, const struct result *r)
{
	const int64_t	*found;

	if (e->ids == NULL)
		return true;
	found = bsearch(&r->job, e->ids, e->n, sizeof r->job, compare_ids);
	if (found == NULL || e->seen[found - e->ids])
		return false;
	e->seen[found - e->ids] = true;
	return true;
}

static bool
is_new(struct expected *e, const struct result *r)
{
	if (!is_unseen(e, r))
		return false;
	e->done++;
	e->failed += results_outcome(r) != ST_OK;
	return true;
}

/* The state of a single job; a failure to get it does not matter. */
static void
look_at_job(struct connection *c, struct expected *e)
{
	struct fault	 none;
	json_t		*job, *params;

	if (e->n != 1 || e->ids == NULL)
		return;
	params = json_pack("{s:I}", "id", (json_int_t)e->ids[0]);
	if (connection_call(c, "job.get", params, &job, &none) != ST_OK)
		return;
	(void)snprintf(e->state, sizeof e->state, "%s", member_text(job, "state"));
	json_decref(job);
}

static void
show(const struct expected *e, struct progress *p)
{
	char	words[64] = "";

	if (e->n == 1)
		(void)snprintf(words, sizeof words, "%s", e->state);
	else if (e->failed > 0)
		(void)snprintf(words, sizeof words, "%zu not ok", e->failed);
	progress_show(p, e->done, e->n, words);
}

static void
explain_loss(const struct expected *e, struct fault *why)
{
	for (size_t i = 0; e->ids != NULL && i < e->n; i++) {
		if (e->seen[i])
			continue;
		fault_hint(why, "the daemon keeps the jobs that it had acknowledged; when it runs "
		    "again, ask for them with: assay wait %" PRId64 "%s", e->ids[i],
		    e->n - e->done > 1 ? " ..." : "");
		return;
	}
}

struct receiver {
	struct connection	*connection;	/* borrowed */
	struct expected		 expected;
	struct progress		*progress;	/* borrowed */
	receive_fn		*on_result;
	void			*arg;
};

/* A notification's result, if it is one of ours. */
static enum status
take_result(struct receiver *r, const json_t *document, struct fault *why)
{
	struct result	result;
	enum status	st;

	if ((st = results_read_one(&result, document, why)) != ST_OK)
		return st;
	if (is_new(&r->expected, &result)) {
		st = r->on_result(r->arg, document, &result, why);
		show(&r->expected, r->progress);
	}
	result_release(&result);
	return st;
}

static enum status
receive_one(struct receiver *r, struct fault *why)
{
	const int	 timeout_ms = r->progress->on ? LOOK_MS : -1;
	json_t		*params;
	enum status	 st;

	if ((st = connection_next(r->connection, timeout_ms, &params, why)) != ST_OK)
		return st;
	if (params == NULL) {
		look_at_job(r->connection, &r->expected);
		show(&r->expected, r->progress);
		return ST_OK;
	}
	if (json_object_get(params, "result") != NULL)
		st = take_result(r, json_object_get(params, "result"), why);
	json_decref(params);
	return st;
}

/* Takes what is expected. */
static enum status
receive_all(struct receiver *r, struct fault *why)
{
	struct connection	*c = r->connection;
	enum status		 st = ST_OK;

	connection_stop_on_interrupt(c, true);
	while (st == ST_OK && r->expected.done < r->expected.n)
		st = receive_one(r, why);
	connection_stop_on_interrupt(c, false);
	if (st == ST_UNAVAILABLE)
		explain_loss(&r->expected, why);
	progress_clear(r->progress);
	expected_release(&r->expected);
	return st;
}

enum status
receive_results(struct connection *c, const json_t *ids, struct progress *p, receive_fn *on_result,
    void *arg, struct fault *why)
{
	struct receiver	r = { .connection = c, .progress = p, .on_result = on_result, .arg = arg };

	if (expected_init(&r.expected, ids, why) == ST_OK)
		return receive_all(&r, why);
	expected_release(&r.expected);
	return ST_NOMEM;
}

enum status
receive_sweep(struct connection *c, const json_t *created, struct progress *p,
    receive_fn *on_result, void *arg, struct fault *why)
{
	struct receiver	r = { .connection = c, .progress = p, .on_result = on_result, .arg = arg };

	if (json_object_get(created, "jobs") == NULL)
		return receive_results(c, json_object_get(created, "ids"), p, on_result, arg, why);
	expect_sweep(&r.expected, created);
	return receive_all(&r, why);
}
