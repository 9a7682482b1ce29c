/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/ids.h"
#include "client/connect/connection.h"
#include "client/print/output.h"
#include "client/runs/pairs_print.h"

enum { PAGE = 1000, REGRESSION = 1 };
#define THRESHOLD	0.03
#define ERROR_RATE	0.05

struct asked {
	const char	*run[2], *threshold_text;
	double		 threshold, error;
	bool		 by_name, all;
};

/* "3%" or "0.03" */
static enum status
parse_threshold(struct asked *a, struct fault *why)
{
	char	*end;

	a->threshold = THRESHOLD;
	if (a->threshold_text == NULL)
		return ST_OK;
	a->threshold = strtod(a->threshold_text, &end);
	if (*end == '%' && end != a->threshold_text) {
		a->threshold /= 100;
		end++;
	}
	if (end != a->threshold_text && *end == '\0' && a->threshold >= 0 && a->threshold <= 10)
		return ST_OK;
	return fault_at(why, ST_BAD_REQUEST, "--threshold",
	    "\"%.40s\" must be a share from 0 to 10, as 3%% or 0.03", a->threshold_text);
}

/* ---- the runs ---- */

static bool
is_file(const char *run)
{
	const char	*dot = strrchr(run, '.');

	return strchr(run, '/') != NULL || (dot != NULL && strcmp(dot, ".ndjson") == 0);
}

/* *next: the cursor behind the page, a new reference; NULL: the end. */
static enum status
read_page(struct connection *c, struct run *run, json_t **next, struct fault *why)
{
	json_t		*reply, *results, *one;
	size_t		 i;
	enum status	 st;

	st = connection_call(c, "results.query", json_pack("{s:o, s:i, s:o*}", "sweep",
	    ids_sweep(run->label), "limit", PAGE, "cursor", *next), &reply, why);
	*next = NULL;
	if (st != ST_OK)
		return st;
	results = json_object_get(reply, "results");
	json_array_foreach(results, i, one)
		if (st == ST_OK)
			st = run_add(run, one, why);
	if (st == ST_OK && json_is_string(json_object_get(reply, "next")))
		*next = json_incref(json_object_get(reply, "next"));
	json_decref(reply);
	return st;
}

static enum status
read_run(const struct cli *cli, struct connection **c, struct run *run, struct fault *why)
{
	json_t		*next = NULL;
	enum status	 st = ST_OK;

	if (is_file(run->label))
		return run_read_file(run, run->label, why);
	if (*c == NULL)
		st = connection_open_reading(c, cli, why);
	if (st != ST_OK)
		return st;
	do
		st = read_page(*c, run, &next, why);
	while (st == ST_OK && next != NULL);
	if (st == ST_OK && run->n == 0)
		st = fault_set(why, ST_NOT_FOUND, "sweep %s has no results yet", run->label);
	return st;
}

/* ---- what is said ---- */

static void
print_notes(const struct run *a, const struct run *b)
{
	json_t	*list = pairs_warnings(a, b), *one;
	size_t	 i;

	json_array_foreach(list, i, one)
		(void)fprintf(stderr, "assay: %s\n", json_string_value(one));
	json_decref(list);
}

static enum status
print_all(const struct cli *cli, const struct asked *asked, const struct pairs *p,
    const struct run run[2], struct fault *why)
{
	char		 sentence[PAIRS_SENTENCE_BYTES];
	json_t		*doc;
	enum status	 st;

	if (cli->json || cli->ndjson) {
		doc = pairs_document(p, &run[0], &run[1]);
		st = output_json(cli, doc, why);
		json_decref(doc);
		return st;
	}
	if (!cli->quiet)
		print_notes(&run[0], &run[1]);
	st = pairs_print(p, stdout, output_columns(), asked->all, why);
	(void)printf("%s.\n", pairs_sentence(p, sentence));
	return st;
}

static enum status
compare(const struct cli *cli, const struct asked *asked, bool *regress, struct fault *why)
{
	struct connection	*c = NULL;
	struct pairs		 p = { .at = NULL };
	struct run		 run[2];
	enum status		 st;

	run_init(&run[0], asked->run[0]);
	run_init(&run[1], asked->run[1]);
	if ((st = read_run(cli, &c, &run[0], why)) == ST_OK &&
	    (st = read_run(cli, &c, &run[1], why)) == ST_OK &&
	    (st = pairs_make(&p, &run[0], &run[1], asked->by_name, asked->threshold, asked->error,
	    why)) == ST_OK)
		st = print_all(cli, asked, &p, run, why);
	if (st == ST_OK)
		st = pairs_check(&p, why);
	*regress = pairs_regress(&p);
	pairs_release(&p);
	run_release(&run[0]);
	run_release(&run[1]);
	connection_free(c);
	return st;
}

int
cmd_compare_runs(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct asked		a = { .error = ERROR_RATE };
	const struct cli_option	options[] = {
		{ '\0', "by-name", CLI_FLAG, &a.by_name, NULL,
		  "pair by name and params, whatever their points are", 0, 0 },
		{ '\0', "threshold", CLI_TEXT, &a.threshold_text, "SHARE",
		  "the least difference that counts (default 3%)", 0, 0 },
		{ '\0', "error", CLI_REAL, &a.error, "RATE",
		  "chance that equal ones get any verdict (0.05)", 0, 1 },
		{ 'a', "all", CLI_FLAG, &a.all, NULL,
		  "list pairs that cannot be told apart, too", 0, 0 },
		CLI_END,
	};
	struct cli_list		words;
	struct fault		why;
	bool			regress = false;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON && words.n != 2)
		code = cli_usage(self, "compare-runs: needs two sweeps, or files of their results");
	else if (code == CLI_GO_ON && !(a.error > 0 && a.error < 1))
		code = cli_usage(self, "compare-runs: --error is between 0 and 1");
	else if (code == CLI_GO_ON) {
		a.run[0] = words.items[0];
		a.run[1] = words.items[1];
		code = parse_threshold(&a, &why) != ST_OK ||
		    compare(cli, &a, &regress, &why) != ST_OK ? cli_fail(&why) :
		    regress ? REGRESSION : 0;
	}
	cli_list_release(&words);
	return code;
}
