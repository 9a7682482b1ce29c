/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/member.h"
#include "client/talk/follow.h"

enum {
	SMALL_JOBS = 100, SMALL_BYTES = 1 << 20,	/* every daemon takes this much in one call */
	ENVELOPE_BYTES = 4096,				/* what a call is made of besides its jobs */
	LOOK_MS = 250,					/* how often to look what a single job is doing */
};

/* ---- submitting ---- */

struct limits {
	size_t	jobs, bytes;
};

static void
ask_limits(struct talk *t, struct limits *l)
{
	json_t		*info, *limits;
	struct fault	 none;

	l->jobs = SMALL_JOBS;
	l->bytes = SMALL_BYTES;
	if (talk_call(t, "server.info", NULL, &info, &none) != ST_OK)
		return;
	limits = json_object_get(info, "limits");
	if (json_integer_value(json_object_get(limits, "jobs_per_call")) > 0)
		l->jobs = (size_t)json_integer_value(json_object_get(limits, "jobs_per_call"));
	if (json_integer_value(json_object_get(limits, "line_bytes")) > 2 * ENVELOPE_BYTES)
		l->bytes = (size_t)json_integer_value(json_object_get(limits, "line_bytes")) - ENVELOPE_BYTES;
	json_decref(info);
}

/* As many of jobs[from …] as fit into one call, one at least.  New reference. */
static json_t *
take_chunk(const json_t *jobs, size_t from, const struct limits *l)
{
	json_t	*chunk = json_array();
	size_t	 bytes = 0;

	for (size_t i = from; i < json_array_size(jobs) && i - from < l->jobs; i++) {
		bytes += json_dumpb(json_array_get(jobs, i), NULL, 0, JSON_COMPACT) + 1;
		if (bytes > l->bytes && i > from)
			break;
		(void)json_array_append(chunk, json_array_get(jobs, i));
	}
	return chunk;
}

static enum status
submit_chunk(struct talk *t, json_t *chunk, bool follow, struct handed_in *h, struct fault *why)
{
	json_t		*params = json_pack("{s:O}", "jobs", chunk), *reply;
	enum status	 st;

	if (follow)
		(void)json_object_set_new(params, "follow", json_true());
	if ((st = talk_call(t, "job.submit", params, &reply, why)) != ST_OK)
		return st;
	if (json_array_size(json_object_get(reply, "ids")) != json_array_size(chunk)) {
		json_decref(reply);
		return fault_set(why, ST_IO, "the daemon's reply has not one id for each job");
	}
	(void)json_array_extend(h->ids, json_object_get(reply, "ids"));
	h->repeated += (size_t)json_integer_value(json_object_get(reply, "repeated"));
	json_decref(reply);
	return ST_OK;
}

/* jobs[from …] of the caller's list were refused: the daemon counted from 0. */
static void
explain_chunk(size_t from, struct fault *why)
{
	char	rest[sizeof why->member];
	char	*end;
	size_t	at, used;

	if (from == 0 || strncmp(why->member, "jobs[", 5) != 0)
		return;
	at = strtoul(why->member + 5, &end, 10);
	(void)snprintf(rest, sizeof rest, "jobs[%zu%.150s", from + at, end);
	memcpy(why->member, rest, sizeof rest);
	used = strlen(why->text);
	(void)snprintf(why->text + used, sizeof why->text - used, "; jobs[0] to jobs[%zu] are in already", from - 1);
}

enum status
follow_submit(struct talk *t, json_t *jobs, bool follow, struct handed_in *h, struct fault *why)
{
	struct limits	 l = { SMALL_JOBS, SMALL_BYTES };
	size_t		 n = json_array_size(jobs), from = 0;
	enum status	 st = ST_OK;

	h->ids = json_array();
	h->repeated = 0;
	if (n > l.jobs || json_dumpb(jobs, NULL, 0, JSON_COMPACT) > l.bytes)
		ask_limits(t, &l);
	do {
		json_t	*chunk = take_chunk(jobs, from, &l);

		if ((st = submit_chunk(t, chunk, follow, h, why)) != ST_OK)
			explain_chunk(from, why);
		from += json_array_size(chunk);
		json_decref(chunk);
	} while (st == ST_OK && from < n);
	return st;
}

void
handed_in_release(struct handed_in *h)
{
	json_decref(h->ids);
	h->ids = NULL;
}

/* ---- following ---- */

struct following {
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
following_init(struct following *f, const json_t *ids, struct fault *why)
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
following_release(struct following *f)
{
	free(f->ids);
	free(f->seen);
}

/* True once for each id of ours. */
static bool
is_news(struct following *f, const json_t *result)
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
look_at_job(struct talk *t, struct following *f)
{
	struct fault	 none;
	json_t		*job;

	if (f->n != 1 || talk_call(t, "job.get", json_pack("{s:I}", "id", (json_int_t)f->ids[0]), &job, &none) != ST_OK)
		return;
	(void)snprintf(f->state, sizeof f->state, "%s", member_text(job, "state"));
	json_decref(job);
}

static void
show(struct following *f, struct progress *p)
{
	char	words[64] = "";

	if (f->n == 1)
		(void)snprintf(words, sizeof words, "%s", f->state);
	else if (f->failed > 0)
		(void)snprintf(words, sizeof words, "%zu not ok", f->failed);
	progress_show(p, f->done, f->n, words);
}

static void
explain_loss(const struct following *f, struct fault *why)
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
follow_one(struct talk *t, struct following *f, struct progress *p, follow_fn *on_result, void *arg, struct fault *why)
{
	const json_t	*result;
	json_t		*params;
	enum status	 st;

	if ((st = talk_next(t, p->on ? LOOK_MS : -1, &params, why)) != ST_OK)
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
follow_results(struct talk *t, const json_t *ids, struct progress *p, follow_fn *on_result, void *arg,
    struct fault *why)
{
	struct following	f;
	enum status		st;

	if ((st = following_init(&f, ids, why)) == ST_OK) {
		talk_stop_on_interrupt(t, true);
		while (st == ST_OK && f.done < f.n)
			st = follow_one(t, &f, p, on_result, arg, why);
		talk_stop_on_interrupt(t, false);
		if (st == ST_UNAVAILABLE)
			explain_loss(&f, why);
	}
	progress_clear(p);
	following_release(&f);
	return st;
}
