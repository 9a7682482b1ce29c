/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/connect/receive.h"
#include "client/print/member.h"

enum { LOOK_MS = 250 };		/* how often to look what a single job is doing */

struct expected {
	int64_t		*ids;		/* owned; sorted, distinct */
	bool		*seen;		/* owned */
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
expected_init(struct expected *f, const json_t *ids, struct fault *why)
{
	size_t	n = json_array_size(ids), distinct = 0;

	memset(f, 0, sizeof *f);
	f->ids = calloc(n + 1, sizeof *f->ids);
	f->seen = calloc(n + 1, sizeof *f->seen);
	if (f->ids == NULL || f->seen == NULL)
		return fault_set(why, ST_NOMEM, "results");
	for (size_t i = 0; i < n; i++)
		f->ids[i] = json_integer_value(json_array_get(ids, i));
	qsort(f->ids, n, sizeof *f->ids, compare_ids);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || f->ids[i] != f->ids[distinct - 1])
			f->ids[distinct++] = f->ids[i];
	f->n = distinct;
	return ST_OK;
}

static void
expected_release(struct expected *f)
{
	free(f->ids);
	free(f->seen);
}

/* True once for each id of ours. */
static bool
is_news(struct expected *f, const json_t *result)
{
	int64_t		 id = json_integer_value(json_object_get(result, "job"));
	const int64_t	*found = bsearch(&id, f->ids, f->n, sizeof id, compare_ids);

	if (found == NULL || f->seen[found - f->ids])
		return false;
	f->seen[found - f->ids] = true;
	f->done++;
	f->failed += strcmp(member_text(result, "status"), "ok") != 0;
	return true;
}

/* What a single job is doing; nobody minds if it cannot be told. */
static void
look_at_job(struct connection *t, struct expected *f)
{
	struct fault	 none;
	json_t		*job;

	if (f->n != 1 || connection_call(t, "job.get", json_pack("{s:I}", "id", (json_int_t)f->ids[0]), &job, &none) != ST_OK)
		return;
	(void)snprintf(f->state, sizeof f->state, "%s", member_text(job, "state"));
	json_decref(job);
}

static void
show(struct expected *f, struct progress *p)
{
	char	words[64] = "";

	if (f->n == 1)
		(void)snprintf(words, sizeof words, "%s", f->state);
	else if (f->failed > 0)
		(void)snprintf(words, sizeof words, "%zu not ok", f->failed);
	progress_show(p, f->done, f->n, words);
}

static void
explain_loss(const struct expected *f, struct fault *why)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->seen[i])
			continue;
		fault_hint(why, "the daemon keeps what it had acknowledged; ask later with: assay wait %lld%s",
		    (long long)f->ids[i], f->n - f->done > 1 ? " …" : "");
		return;
	}
}

static enum status
receive_one(struct connection *t, struct expected *f, struct progress *p, receive_fn *on_result, void *arg, struct fault *why)
{
	const json_t	*result;
	json_t		*params;
	enum status	 st;

	if ((st = connection_next(t, p->on ? LOOK_MS : -1, &params, why)) != ST_OK)
		return st;
	if (params == NULL) {
		look_at_job(t, f);
		show(f, p);
		return ST_OK;
	}
	result = json_object_get(params, "result");
	if (is_news(f, result)) {
		st = on_result(arg, result, why);
		show(f, p);
	}
	json_decref(params);
	return st;
}

enum status
receive_results(struct connection *t, const json_t *ids, struct progress *p, receive_fn *on_result, void *arg,
    struct fault *why)
{
	struct expected	f;
	enum status		st;

	if ((st = expected_init(&f, ids, why)) == ST_OK) {
		connection_stop_on_interrupt(t, true);
		while (st == ST_OK && f.done < f.n)
			st = receive_one(t, &f, p, on_result, arg, why);
		connection_stop_on_interrupt(t, false);
		if (st == ST_UNAVAILABLE)
			explain_loss(&f, why);
	}
	progress_clear(p);
	expected_release(&f);
	return st;
}
