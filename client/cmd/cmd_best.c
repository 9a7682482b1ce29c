/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#include "client/cmd/best/best_weighted.h"
#include "client/cmd/cmd.h"
#include "client/cmd/best/fleet_best.h"
#include "client/cmd/job/ids.h"
#include "client/connect/connection.h"
#include "client/connect/fleet.h"
#include "client/connect/hosts.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/results/listing.h"
#include "client/print/results/remarks.h"
#include "client/report/compared.h"
#include "client/search/compare.h"

enum { MAX_TOP = 100, CONFIRM_TOP = 3, COUNTS_BYTES = 512 };
#define CONFIRM_ERROR	0.05

struct asked {
	const char	*sweep;
	int64_t		 top;
	bool		 confirm;
	double		 error;		/* of all comparisons of --confirm together */
};

static enum status
print_results(const struct cli *cli, const json_t *reply, struct fault *why)
{
	struct listing	*l;
	enum status	 st;

	if (cli->json && !cli->ndjson)
		return output_document(reply, why);
	if ((st = listing_new(&l, listing_form(cli), 0, why)) != ST_OK)
		return st;
	st = listing_add_all(l, json_object_get(reply, "results"), why);
	if (st == ST_OK)
		st = listing_end(l, NULL, why);
	listing_free(l);
	return st;
}

static bool
overlaps(const json_t *cell)
{
	return json_is_true(json_object_get(json_object_get(cell, "difference"), "overlap"));
}

/* The same of several cells. */
static void
note_overlaps(const struct cli *cli, const json_t *cells)
{
	const json_t	*cell;
	size_t		 n = 0, i;

	json_array_foreach(cells, i, cell)
		n += overlaps(cell);
	if (n > 0 && !cli->quiet)
		(void)fprintf(stderr, "assay: by these times, the first two may be equally fast in "
		    "%zu of %zu cells: the 95 %% intervals of their medians overlap\n", n,
		    json_array_size(cells));
}

/* If the stored times do not decide between the first two, say so. */
static void
note_overlap(const struct cli *cli, const char *sweep, const json_t *reply)
{
	note_overlaps(cli, json_object_get(reply, "cells"));
	if (!cli->quiet && overlaps(reply))
		(void)fprintf(stderr,
		    "assay: by these times, the first two may be equally fast: the 95 %% "
		    "intervals of their medians overlap; to time both in turn: assay best %s "
		    "--confirm\n", sweep);
}

/* A minimum and a normalised median differ in kind, and the order may come from that. */
static void
note_estimators(const struct cli *cli, const json_t *reply)
{
	const json_t	*list = json_object_get(reply, "estimators"), *name;
	size_t		 i;

	if (cli->quiet || json_array_size(list) < 2)
		return;
	(void)fprintf(stderr, "assay: this ranks times by different estimators (");
	json_array_foreach(list, i, name)
		(void)fprintf(stderr, "%s%s", i > 0 ? ", " : "", json_string_value(name));
	(void)fprintf(stderr,
	    "): not all were watched for neighbours; timing.estimator sets one for all\n");
}

static void
note_left(const struct cli *cli, const json_t *reply)
{
	json_int_t	left = json_integer_value(json_object_get(reply, "left"));

	if (left > 0 && !cli->quiet)
		(void)fprintf(stderr,
		    "assay: so far: %" JSON_INTEGER_FORMAT " of its %" JSON_INTEGER_FORMAT " jobs "
		    "are not over\n", left, json_integer_value(json_object_get(reply, "jobs")));
}

/* Jobs that are over, but not ok: "3 too_noisy, 2 crashed". */
static const char *
left_out(const json_t *reply, char buf[COUNTS_BYTES])
{
	static const char *const	ok[] = { "ok", NULL };

	return member_counts(json_object_get(reply, "statuses"), ok, buf, COUNTS_BYTES);
}

static void
note_left_out(const struct cli *cli, const char *sweep, const json_t *reply)
{
	char	text[COUNTS_BYTES];

	if (!cli->quiet && left_out(reply, text)[0] != '\0')
		(void)fprintf(stderr,
		    "assay: left out of %" JSON_INTEGER_FORMAT " jobs: %s; to see why: assay "
		    "results --sweep %s\n", json_integer_value(json_object_get(reply, "jobs")),
		    text, sweep);
}

/* `best` has found none: the message has the outcomes, as too_noisy is only one of them. */
static enum status
fail_empty(const char *sweep, const json_t *reply, struct fault *why)
{
	char		text[COUNTS_BYTES];
	const bool	over = left_out(reply, text)[0] != '\0';
	enum status	st = fault_set(why, ST_NOT_FOUND, "no job of sweep %s has ended ok%s%s%s",
			    sweep, json_integer_value(json_object_get(reply, "left")) > 0 ?
			    " yet" : "", over ? ": " : "", text);

	fault_hint(why, "see: assay results --sweep %s", sweep);
	return st;
}

static const char *
name_of(const struct result *r)
{
	return r->name != NULL ? r->name : "(no name)";
}

static void
print_found(const struct confirm *c, size_t rivals)
{
	(void)printf("Best of %zu timed in turn: %s (job %" PRId64 ").\n", rivals,
	    name_of(c->left[0]), c->left[0]->job);
	for (size_t i = 0; i < c->nties; i++)
		(void)printf("%s %s", i == 0 ? "It is indistinguishable from" : ",",
		    name_of(c->tie[i].job));
	(void)printf("%s", c->nties > 0 ? ".\n" : "");
	(void)printf("The chance of a winner among equal ones is at most %.3g %% over all "
	    "comparisons (Bonferroni: %.3g %% in each of %zu).\n", 100 * c->error,
	    100 * confirm_error_each(c), c->comparisons);
}

static enum status
print_confirmed(const struct cli *cli, const struct compare *compare, const struct confirm *confirm,
    const struct results *rivals, json_t *reply, struct fault *why)
{
	enum status	st;

	(void)json_object_set_new(reply, "confirmed", confirm_outcome(confirm));
	if (cli->json || cli->ndjson)
		return output_json(cli, reply, why);
	if (confirm->rounds == 0)
		return print_results(cli, reply, why);
	st = compared_print(stdout, &compare->results, output_columns(), why);
	if (st == ST_OK)
		print_found(confirm, rivals->n);
	return st;
}

/* Time the fastest in turn, and name the best of them. */
static enum status
confirm_best(const struct cli *cli, struct connection *c, const struct results *rivals,
    double error, json_t *reply, struct fault *why)
{
	struct compare	 compare = { .connection = c };
	struct confirm	 confirm;
	enum status	 st;

	if ((st = confirm_init(&confirm, rivals, error, why)) != ST_OK)
		return st;
	progress_init(&compare.progress, cli->quiet);
	if ((st = compare_confirm(&compare, &confirm, why)) == ST_OK)
		st = print_confirmed(cli, &compare, &confirm, rivals, reply, why);
	compare_release(&compare);
	confirm_release(&confirm);
	return st;
}

/* Rivals of several cells have nothing to decide. */
static enum status
refuse_cells(size_t cells, struct fault *why)
{
	(void)fault_set(why, ST_BAD_REQUEST, "the sweep has %zu cells, and times of two cells are "
	    "not compared", cells);
	fault_hint(why, "give --confirm a sweep of one size and context, or use assay compare");
	return ST_BAD_REQUEST;
}

static enum status
confirm(const struct cli *cli, struct connection *c, json_t *reply, double error, struct fault *why)
{
	const size_t	cells = json_array_size(json_object_get(reply, "cells"));
	struct results	rivals;
	enum status	st;

	if (cells > 1)
		return refuse_cells(cells, why);
	if ((st = results_read(&rivals, json_object_get(reply, "results"), why)) != ST_OK)
		return st;
	if (rivals.n > 0)
		st = confirm_best(cli, c, &rivals, error, reply, why);
	results_release(&rivals);
	return st;
}

static void
put_notes(const struct cli *cli, const struct asked *a, const json_t *reply)
{
	note_left(cli, reply);
	note_left_out(cli, a->sweep, reply);
	note_estimators(cli, reply);
	if (!cli->quiet) {
		remarks_drift(reply);
		remarks_damaged(reply);
	}
	if (!a->confirm)
		note_overlap(cli, a->sweep, reply);
}

static enum status
answer(struct cli *cli, const struct asked *a, struct fault *why)
{
	struct connection	*c = NULL;
	json_t			*reply = NULL;
	enum status		 st;

	if (hosts_are_several(cli))
		return fleet_best(cli, a->sweep, a->top, why);
	st = a->confirm ? connection_open(&c, cli, why) : connection_open_reading(&c, cli, why);
	if (st != ST_OK)
		return st;
	st = connection_call(c, "results.best",
	    json_pack("{s:o, s:I}", "sweep", ids_sweep(a->sweep), "top", (json_int_t)a->top),
	    &reply, why);
	if (st != ST_OK) {
		connection_free(c);
		return st;
	}
	st = a->confirm ? confirm(cli, c, reply, a->error, why) : print_results(cli, reply, why);
	connection_free(c);
	if (st == ST_OK && json_array_size(json_object_get(reply, "results")) == 0) {
		note_left(cli, reply);
		st = fail_empty(a->sweep, reply, why);
	} else if (st == ST_OK) {
		put_notes(cli, a, reply);
	}
	json_decref(reply);
	return st;
}

int
cmd_best(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct asked		a = { .top = 1, .error = -1 };
	int64_t			confirm_top = -1;
	struct cli_list		weights = { NULL, 0 };
	const struct cli_option	options[] = {
		{ 'n', "top", CLI_INT, &a.top, "N", "the N fastest (default 1)", 1, MAX_TOP },
		{ '\0', "confirm", CLI_INT_OR_0, &confirm_top, "K",
		  "time the K fastest (default 3) in turn before one is named", 2, MAX_TOP },
		{ '\0', "error", CLI_REAL, &a.error, "RATE",
		  "with --confirm: chance that equal ones get a winner (0.05)", 0, 1 },
		{ '\0', "weight", CLI_LIST, &weights, "SWEEP=N",
		  "rank by the mean over several sweeps: N calls are in this one's context", 0, 0 },
		{ '\0', "brief", CLI_FLAG, &cli->brief, NULL,
		  "print a line a result: job, name, status, time", 0, 0 },
		CLI_END,
	};
	struct cli_list		words;
	struct fault		why;
	int			code;

	code = cli_parse(cli, self, options, argc, argv, &words);

	a.confirm = confirm_top >= 0;
	if (a.confirm && a.error < 0)
		a.error = CONFIRM_ERROR;
	if (a.confirm)
		a.top = confirm_top == 0 ? CONFIRM_TOP : confirm_top;
	if (code == CLI_GO_ON && weights.n > 0 && (words.n > 0 || a.confirm ||
	    a.error >= 0 || cli->brief))
		code = cli_usage(self,
		    "best: --weight names the sweeps, and goes with --top alone");
	else if (code == CLI_GO_ON && weights.n > 0)
		code = best_weighted(cli, &weights, a.top, &why) == ST_OK ? 0 : cli_fail(&why);
	else if (code == CLI_GO_ON && words.n != 1)
		code = cli_usage(self, "best: needs the name or id of one sweep");
	else if (code == CLI_GO_ON && a.confirm && cli->brief)
		code = cli_usage(self,
		    "best: --brief goes without --confirm, which prints a table");
	else if (code == CLI_GO_ON && !a.confirm && a.error >= 0)
		code = cli_usage(self,
		    "best: --error goes with --confirm; without it nothing is compared");
	else if (code == CLI_GO_ON) {
		a.sweep = words.items[0];
		code = answer(cli, &a, &why) == ST_OK ? 0 : cli_fail(&why);
	}
	cli_list_release(&weights);
	cli_list_release(&words);
	return code;
}
