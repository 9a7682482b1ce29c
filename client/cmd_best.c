/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "client/cmd.h"
#include "client/listing.h"
#include "client/output.h"
#include "client/talk.h"

enum { MAX_TOP = 100 };

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

static enum status
answer(struct cli *cli, const char *sweep, int64_t top, struct fault *why)
{
	struct talk	*t = NULL;
	json_t		*reply = NULL;
	json_int_t	 left;
	enum status	 st;

	if ((st = talk_open(&t, cli, why)) != ST_OK)
		return st;
	st = talk_call(t, "results.best", json_pack("{s:o, s:I}", "sweep", talk_sweep(sweep), "top", (json_int_t)top),
	    &reply, why);
	talk_free(t);
	if (st != ST_OK)
		return st;
	st = print_results(cli, reply, why);
	left = json_integer_value(json_object_get(reply, "left"));
	if (st == ST_OK && left > 0 && !cli->quiet)
		(void)fprintf(stderr, "assay: so far: %" JSON_INTEGER_FORMAT " of its %" JSON_INTEGER_FORMAT
		    " jobs are not over\n", left, json_integer_value(json_object_get(reply, "jobs")));
	if (st == ST_OK && json_array_size(json_object_get(reply, "results")) == 0) {
		st = fault_set(why, ST_NOT_FOUND, "no job of sweep %s has ended ok%s", sweep, left > 0 ? " yet" : "");
		fault_hint(why, "see: assay results --sweep %s", sweep);
	}
	json_decref(reply);
	return st;
}

int
cmd_best(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	int64_t			top = 1;
	const struct cli_option	options[] = {
		{ 'n', "top", CLI_INT, &top, "N", "the N fastest (default 1)", 1, MAX_TOP },
		{ '\0', NULL, CLI_FLAG, NULL, NULL, NULL, 0, 0 },
	};
	struct cli_list		words;
	struct fault		why;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON && words.n != 1)
		code = cli_usage(self, "best: needs the name or id of one sweep");
	else if (code == CLI_GO_ON)
		code = answer(cli, words.items[0], top, &why) == ST_OK ? 0 : cli_fail(&why);
	cli_list_release(&words);
	return code;
}
