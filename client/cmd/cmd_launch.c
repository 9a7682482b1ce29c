/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay launch: kernels in files, over sizes and alignments of their arrays, as a sweep of the
 * running daemon, or of a private one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/launch/config.h"
#include "client/cmd/launch/launch_run.h"
#include "client/print/output.h"

static int
check_words(const struct cli_command *self, const struct cli *cli, struct launch *l,
    struct cli_list *words)
{
	struct fault	why;

	for (size_t i = 0; i < words->n; i++)
		if (cli_add(&l->kernels, words->items[i], &why) != ST_OK)
			return cli_fail(&why);
	if (l->kernels.n == 0 && l->program == NULL)
		return cli_usage(self, "launch: needs the file of a kernel, or --execname");
	return launch_check_output(cli, l, &why) == ST_OK && launch_check(l, &why) == ST_OK ?
	    CLI_GO_ON : cli_fail(&why);
}

static int
run(struct cli *cli, const struct launch *l)
{
	json_t		*sweep = NULL;
	struct fault	 why;
	int		 code;

	if (launch_sweep(l, &sweep, &why) != ST_OK)
		return cli_fail(&why);
	if (l->prints)
		code = output_document(sweep, &why) == ST_OK ? 0 : cli_fail(&why);
	else
		code = launch_run(cli, l, sweep);
	json_decref(sweep);
	return code;
}

int
cmd_launch(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct launch		l = LAUNCH_DEFAULTS;
	struct cli_option	options[LAUNCH_OPTIONS];
	struct cli_list		words;
	struct config_words	given;
	int			code;

	launch_options(&l, options);
	code = config_parse(cli, self, options, argc, argv, &given, &words);
	if (code == CLI_GO_ON)
		code = check_words(self, cli, &l, &words);
	if (code == CLI_GO_ON)
		code = run(cli, &l);
	cli_list_release(&words);
	launch_release(&l);
	config_words_release(&given);
	return code;
}
