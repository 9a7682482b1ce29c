/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "client/cmd/cmd.h"
#include "client/cmd/ids.h"
#include "client/connect/connection.h"
#include "client/print/listing.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/search/compare.h"

enum { MAX_TOP = 100, CONFIRM_TOP = 3 };
#define CONFIRM_ERROR	0.05

struct asked {
	const char	*sweep;
	int64_t		 top;
	bool		 confirm;
	double		 error;		/* of all that is said when confirming */
};

static enum status
print_results(const struct cli *cli, const json_t *reply, struct fault *why)
{
	struct listing	*l;
	json_t		*result;
	size_t		 i;
	enum status	 st;

	if (cli->json && !cli->ndjson)
		return output_document(reply, why);
	if ((st = listing_new(&l, listing_form(cli), 0, why)) != ST_OK)
		return st;
	json_array_foreach(json_object_get(reply, "results"), i, result)
		if (st == ST_OK)
			st = listing_add(l, result, why);
	if (st == ST_OK)
		st = listing_end(l, NULL, why);
	listing_free(l);
	return st;
}

/* What the daemon can say of the first two without timing them again, when that is that it cannot tell. */
static void
note_overlap(const struct cli *cli, const char *sweep, const json_t *reply)
{
	if (!cli->quiet && json_is_true(json_object_get(json_object_get(reply, "difference"), "overlap")))
		(void)fprintf(stderr, "assay: the second cannot be told from the first by these times: the 95 %% "
		    "intervals of their medians overlap; to time both in turn: assay best %s --confirm\n", sweep);
}

/* A least time and a normalised median are not of one kind: the order may come from that. */
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
	(void)fprintf(stderr, "): the canary was not on for all; timing.estimator in the spec has one for all\n");
}

static void
note_left(const struct cli *cli, const json_t *reply)
{
	json_int_t	left = json_integer_value(json_object_get(reply, "left"));

	if (left > 0 && !cli->quiet)
		(void)fprintf(stderr, "assay: so far: %" JSON_INTEGER_FORMAT " of its %" JSON_INTEGER_FORMAT
		    " jobs are not over\n", left, json_integer_value(json_object_get(reply, "jobs")));
}

static void
print_found(const json_t *found, size_t rivals)
{
	const json_t	*correction = json_object_get(found, "correction");
	json_t		*tie;
	size_t		 i;

	(void)printf("Best of %zu timed in turn: %s (job %" JSON_INTEGER_FORMAT ").\n", rivals,
	    member_text(found, "name"), json_integer_value(json_object_get(found, "job")));
	json_array_foreach(json_object_get(found, "ties"), i, tie)
		(void)printf("%s %s", i == 0 ? "It cannot be told from" : ",", member_text(tie, "name"));
	(void)printf("%s", json_array_size(json_object_get(found, "ties")) > 0 ? ".\n" : "");
	(void)printf("Equal ones are told apart with a chance of at most %.3g %% over all comparisons "
	    "(Bonferroni: %.3g %% in each of %.0f).\n", 100 * member_number(found, "error"),
	    100 * member_number(correction, "error_each"), member_number(correction, "comparisons"));
}

/* Time the best in turn with those that follow it, and name the one that is left. */
static enum status
confirm(struct cli *cli, struct connection *t, json_t *reply, double error, struct fault *why)
{
	const json_t	*results = json_object_get(reply, "results");
	struct compare	 c = { .connection = t };
	json_t		*found;
	enum status	 st;

	if (json_array_size(results) == 0)
		return ST_OK;
	progress_init(&c.progress, cli->quiet);
	if ((st = compare_confirm(&c, results, error, &found, why)) != ST_OK) {
		compare_release(&c);
		return st;
	}
	(void)json_object_set_new(reply, "confirmed", found);
	if (cli->json || cli->ndjson)
		st = cli->ndjson ? output_line(reply, why) : output_document(reply, why);
	else if (c.results == NULL)
		st = print_results(cli, reply, why);
	else if ((st = compare_print(stdout, c.results, output_columns(), why)) == ST_OK)
		print_found(found, json_array_size(results));
	compare_release(&c);
	return st;
}

static enum status
answer(struct cli *cli, const struct asked *a, struct fault *why)
{
	struct connection	*t = NULL;
	json_t		*reply = NULL;
	enum status	 st;

	if ((st = connection_open(&t, cli, why)) != ST_OK)
		return st;
	st = connection_call(t, "results.best", json_pack("{s:o, s:I}", "sweep", ids_sweep(a->sweep), "top",
	    (json_int_t)a->top), &reply, why);
	if (st != ST_OK) {
		connection_free(t);
		return st;
	}
	st = a->confirm ? confirm(cli, t, reply, a->error, why) : print_results(cli, reply, why);
	connection_free(t);
	if (st == ST_OK) {
		note_left(cli, reply);
		note_estimators(cli, reply);
		if (!a->confirm)
			note_overlap(cli, a->sweep, reply);
	}
	if (st == ST_OK && json_array_size(json_object_get(reply, "results")) == 0) {
		st = fault_set(why, ST_NOT_FOUND, "no job of sweep %s has ended ok%s", a->sweep,
		    json_integer_value(json_object_get(reply, "left")) > 0 ? " yet" : "");
		fault_hint(why, "see: assay results --sweep %s", a->sweep);
	}
	json_decref(reply);
	return st;
}

int
cmd_best(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct asked		a = { .top = 1, .error = -1 };
	int64_t			confirm_top = -1;
	const struct cli_option	options[] = {
		{ 'n', "top", CLI_INT, &a.top, "N", "the N fastest (default 1)", 1, MAX_TOP },
		{ '\0', "confirm", CLI_INT_OR_0, &confirm_top, "K",
		  "time the K fastest (default 3) in turn before one is named", 2, MAX_TOP },
		{ '\0', "error", CLI_REAL, &a.error, "RATE",
		  "with --confirm: chance of a wrong verdict on equal ones, over all (0.05)", 0, 1 },
		{ '\0', NULL, CLI_FLAG, NULL, NULL, NULL, 0, 0 },
	};
	struct cli_list		words;
	struct fault		why;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	a.confirm = confirm_top >= 0;
	if (a.confirm && a.error < 0)
		a.error = CONFIRM_ERROR;
	if (a.confirm)
		a.top = confirm_top == 0 ? CONFIRM_TOP : confirm_top;
	if (code == CLI_GO_ON && words.n != 1)
		code = cli_usage(self, "best: needs the name or id of one sweep");
	else if (code == CLI_GO_ON && !a.confirm && a.error >= 0)
		code = cli_usage(self, "best: --error goes with --confirm; without it nothing is compared");
	else if (code == CLI_GO_ON && a.confirm && cli->host != NULL)
		code = cli_usage(self, "best: -H only asks; --confirm takes times, through the daemon's Unix socket");
	else if (code == CLI_GO_ON) {
		a.sweep = words.items[0];
		code = answer(cli, &a, &why) == ST_OK ? 0 : cli_fail(&why);
	}
	cli_list_release(&words);
	return code;
}
