/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/ids.h"
#include "client/connect/connection.h"
#include "client/connect/interrupt.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/progress.h"
#include "client/print/results/listing.h"
#include "proto/base/clock.h"

enum {
	/* Of one job.wait, with and without progress on a terminal */
	LOOK_MS = 250, PATIENT_MS = 30000,
	CHUNK = 1000,
	FOREVER_S = 1000000000,
};

/* A sweep or ids to wait for. */
struct waiting {
	struct connection	*connection;		/* owned */
	const char	*sweep;		/* NULL: ids */
	json_t		*ids;		/* owned; NULL: a sweep */
	int64_t		 deadline_ms;	/* -1: none */
	struct progress	 progress;
	size_t		 of, left;
};

static json_t *
subject(const struct waiting *w)
{
	return w->sweep != NULL ? json_pack("{s:o}", "sweep", ids_sweep(w->sweep)) :
	    json_pack("{s:O}", "ids", w->ids);
}

/* ---- until all are over ---- */

/* Wait for at most slice_ms, and learn how many are left. */
static enum status
wait_once(struct waiting *w, int slice_ms, struct fault *why)
{
	json_t		*params = subject(w), *reply;
	enum status	 st;

	(void)json_object_set_new(params, "timeout_ms", json_integer(slice_ms));
	if ((st = connection_call_waiting(w->connection, slice_ms, "job.wait", params, &reply,
	    why)) != ST_OK)
		return st;
	w->left = (size_t)json_integer_value(json_object_get(reply, "left"));
	json_decref(reply);
	return ST_OK;
}

static int
slice_of(const struct waiting *w, int slice_ms)
{
	int64_t	rest_ms = w->deadline_ms - clock_now_ms();

	return w->deadline_ms < 0 || rest_ms > slice_ms ? slice_ms : rest_ms > 0 ? (int)rest_ms : 0;
}

/* Nothing will change for a daemon that only answers. */
static int
look_of(const struct waiting *w)
{
	return connection_only_answers(w->connection) ? 0 :
	    slice_of(w, w->progress.on || w->of == 0 ? LOOK_MS : PATIENT_MS);
}

static enum status
wait_for_all(struct waiting *w, struct fault *why)
{
	enum status	st;

	connection_stop_on_interrupt(w->connection, true);
	do {
		st = wait_once(w, look_of(w), why);
		w->of = w->left > w->of ? w->left : w->of;
		progress_show(&w->progress, w->of - w->left, w->of, NULL);
	} while (st == ST_OK && w->left > 0 && !connection_only_answers(w->connection) &&
	    (w->deadline_ms < 0 || clock_now_ms() < w->deadline_ms));
	progress_clear(&w->progress);
	connection_stop_on_interrupt(w->connection, false);
	return st;
}

/* ---- what came of them ---- */

static enum status
print_sweep(const struct cli *cli, const json_t *sweep, struct fault *why)
{
	const char	*word, *before = ": ";
	json_t		*count;

	if (cli->json || cli->ndjson)
		return output_json(cli, sweep, why);
	if (cli->quiet)
		return ST_OK;
	(void)printf("sweep %s: %.0f jobs", member_text(sweep, "name"),
	    member_number(sweep, "jobs"));
	json_object_foreach(json_object_get(sweep, "statuses"), word, count) {
		(void)printf("%s%" JSON_INTEGER_FORMAT " %s", before,
		    json_integer_value(count), word);
		before = ", ";
	}
	(void)putchar('\n');
	return ST_OK;
}

/*
 * A sweep's outcome in one line.  The exit code is that failure's which is first in the table of
 * outcomes.
 */
static enum status
show_sweep(struct waiting *w, const struct cli *cli, int *code, struct fault *why)
{
	json_t		*sweep, *statuses;
	enum status	 st;

	if ((st = connection_call(w->connection, "sweep.get", subject(w), &sweep, why)) != ST_OK)
		return st;
	statuses = json_object_get(sweep, "statuses");
	for (int outcome = ST_INTERNAL; outcome > ST_OK; outcome--)
		if (json_integer_value(json_object_get(statuses,
		    status_word((enum status)outcome))) > 0)
			*code = status_exit_code((enum status)outcome);
	st = print_sweep(cli, sweep, why);
	json_decref(sweep);
	return st;
}

/* Put a page into the listing, and the cursor of the next one into params. *more: there is one. */
static enum status
fetch_page(struct waiting *w, json_t *params, struct listing *l, bool *more, struct fault *why)
{
	json_t		*reply;
	enum status	 st;

	if ((st = connection_call(w->connection, "results.query", json_incref(params), &reply,
	    why)) != ST_OK)
		return st;
	st = listing_add_all(l, json_object_get(reply, "results"), why);
	*more = json_is_string(json_object_get(reply, "next"));
	(void)json_object_set(params, "cursor", json_object_get(reply, "next"));
	json_decref(reply);
	return st;
}

/* The results of CHUNK ids from ids[from] on.  Long results come in several pages. */
static enum status
fetch_results(struct waiting *w, size_t from, struct listing *l, struct fault *why)
{
	json_t		*some = json_array(), *params;
	bool		 more = true;
	enum status	 st = ST_OK;

	for (size_t i = from; i < json_array_size(w->ids) && i < from + CHUNK; i++)
		(void)json_array_append(some, json_array_get(w->ids, i));
	params = json_pack("{s:o, s:i}", "ids", some, "limit", (int)CHUNK);
	while (st == ST_OK && more)
		st = fetch_page(w, params, l, &more, why);
	json_decref(params);
	return st;
}

static enum status
show_jobs(struct waiting *w, const struct cli *cli, int *code, struct fault *why)
{
	enum listing_form	 form = listing_form(cli);
	struct listing		*l;
	enum status		 st;

	if ((st = listing_new(&l, form, LISTING_BY_JOB | (cli->quiet ? LISTING_SILENT : 0),
	    why)) != ST_OK)
		return st;
	for (size_t from = 0; st == ST_OK && from < json_array_size(w->ids); from += CHUNK)
		st = fetch_results(w, from, l, why);
	if (st == ST_OK)
		st = listing_end(l, NULL, why);
	*code = listing_exit_code(l);
	listing_free(l);
	return st;
}

static enum status
too_late(const struct waiting *w, struct fault *why)
{
	if (connection_only_answers(w->connection)) {
		(void)fault_set(why, ST_UNAVAILABLE, "%zu job%s not over, and no daemon runs that "
		    "would go on with %s", w->left, w->left == 1 ? " is" : "s are",
		    w->left == 1 ? "it" : "them");
		fault_hint(why, "start one with: assay serve; or give them up: assay cancel");
		return ST_UNAVAILABLE;
	}
	(void)fault_set(why, ST_EXPIRED, "%zu job%s not over in time", w->left,
	    w->left == 1 ? " is" : "s are");
	fault_hint(why, "nothing was cancelled; see: assay queue");
	return ST_EXPIRED;
}

static int
answer(struct cli *cli, struct waiting *w, const struct cli_list *words)
{
	struct fault	why;
	enum status	st = ST_OK;
	int		code = 0;

	if (w->sweep == NULL)
		st = ids_parse(words, &w->ids, &why);
	if (st == ST_OK && (st = connection_open_reading(&w->connection, cli, &why)) == ST_OK &&
	    (st = wait_for_all(w, &why)) == ST_OK) {
		if (w->left > 0)
			st = too_late(w, &why);
		else
			st = w->sweep != NULL ? show_sweep(w, cli, &code, &why) :
			    show_jobs(w, cli, &code, &why);
	}
	json_decref(w->ids);
	connection_free(w->connection);
	if (st == ST_CANCELLED)
		return 128 + interrupt_came();
	return st == ST_OK ? code : cli_fail(&why);
}

int
cmd_wait(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct waiting		w = { .deadline_ms = -1 };
	double			timeout_s = -1;
	const struct cli_option	options[] = {
		{ '\0', "sweep", CLI_TEXT, &w.sweep, "SWEEP",
		  "for all jobs of this sweep (name or id)", 0, 0 },
		{ 't', "timeout", CLI_REAL, &timeout_s, "SECONDS",
		  "no longer than this", 0, FOREVER_S },
		CLI_END,
	};
	struct cli_list		words;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	if (timeout_s >= 0)
		w.deadline_ms = clock_now_ms() + (int64_t)(timeout_s * 1000);
	progress_init(&w.progress, cli->quiet);
	if (code == CLI_GO_ON && (words.n == 0) == (w.sweep == NULL))
		code = cli_usage(self, "wait: needs either ids of jobs or --sweep");
	else if (code == CLI_GO_ON)
		code = answer(cli, &w, &words);
	cli_list_release(&words);
	return code;
}
