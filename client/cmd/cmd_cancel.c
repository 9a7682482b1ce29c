/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/ids.h"
#include "client/connect/connection.h"
#include "client/print/output.h"

static enum status
print_reply(const struct cli *cli, const json_t *reply, struct fault *why)
{
	const json_t	*list = json_object_get(reply, "cancelled");
	json_int_t	 n = json_is_array(list) ? (json_int_t)json_array_size(list) :
			    json_integer_value(list);
	size_t		 over = json_array_size(json_object_get(reply, "final"));

	if (cli->json || cli->ndjson)
		return output_json(cli, reply, why);
	if (cli->quiet)
		return ST_OK;
	(void)printf("cancelled %" JSON_INTEGER_FORMAT " job%s", n, n == 1 ? "" : "s");
	if (over > 0)
		(void)printf("; %zu %s over already", over, over == 1 ? "was" : "were");
	(void)putchar('\n');
	return ST_OK;
}

static enum status
answer(struct cli *cli, const char *sweep, const struct cli_list *words, struct fault *why)
{
	struct connection	*c = NULL;
	json_t			*ids = NULL, *reply = NULL;
	enum status		 st;

	if (sweep == NULL && (st = ids_parse(words, &ids, why)) != ST_OK)
		return st;
	if ((st = connection_open_reading(&c, cli, why)) == ST_OK)
		st = connection_call(c, sweep != NULL ? "sweep.cancel" : "job.cancel",
		    sweep != NULL ? json_pack("{s:o}", "sweep", ids_sweep(sweep)) :
		    json_pack("{s:O}", "ids", ids), &reply, why);
	connection_free(c);
	if (st == ST_OK)
		st = print_reply(cli, reply, why);
	json_decref(ids);
	json_decref(reply);
	return st;
}

int
cmd_cancel(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	const char		*sweep = NULL;
	const struct cli_option	 options[] = {
		{ '\0', "sweep", CLI_TEXT, &sweep, "SWEEP",
		  "all live jobs of this sweep (name or id)", 0, 0 },
		CLI_END,
	};
	struct cli_list		 words;
	struct fault		 why;
	int			 code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON && (words.n == 0) == (sweep == NULL))
		code = cli_usage(self, "cancel: needs either ids of jobs or --sweep");
	else if (code == CLI_GO_ON)
		code = answer(cli, sweep, &words, &why) == ST_OK ? 0 : cli_fail(&why);
	cli_list_release(&words);
	return code;
}
