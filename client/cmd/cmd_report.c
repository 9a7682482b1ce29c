/* SPDX-License-Identifier: Apache-2.0 */
/* assay report: a sweep's page of the dashboard as one file. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/ids.h"
#include "client/connect/connection.h"
#include "client/print/member.h"

static enum status
write_page(FILE *to, const char *name, const char *html, struct fault *why)
{
	if (fputs(html, to) == EOF || fflush(to) != 0)
		return fault_set(why, ST_IO, "%s: %s", name, strerror(errno));
	return ST_OK;
}

/* A page that was not written whole is removed. */
static enum status
save_page(const char *path, const char *html, struct fault *why)
{
	FILE		*to = fopen(path, "we");
	enum status	 st;

	if (to == NULL)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	st = write_page(to, path, html, why);
	if (fclose(to) != 0 && st == ST_OK)
		st = fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	if (st != ST_OK)
		(void)unlink(path);
	return st;
}

static enum status
report(struct cli *cli, const char *sweep, const char *path, struct fault *why)
{
	struct connection	*c = NULL;
	json_t			*reply = NULL;
	const char		*html;
	enum status		 st;

	if ((st = connection_open_reading(&c, cli, why)) == ST_OK)
		st = connection_call(c, "sweep.report",
		    json_pack("{s:o}", "sweep", ids_sweep(sweep)), &reply, why);
	if (st == ST_OK) {
		html = member_text(reply, "html");
		st = path != NULL ? save_page(path, html, why) :
		    write_page(stdout, "standard output", html, why);
	}
	json_decref(reply);
	connection_free(c);
	return st;
}

int
cmd_report(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	const char		*path = NULL;
	const struct cli_option	 options[] = {
		{ 'o', "output", CLI_TEXT, &path, "FILE", "write there instead of standard output",
		  0, 0 },
		CLI_END,
	};
	struct cli_list		 words;
	struct fault		 why;
	int			 code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON && words.n != 1)
		code = cli_usage(self, "report: takes one sweep, by its name or id");
	else if (code == CLI_GO_ON && path == NULL && isatty(STDOUT_FILENO))
		code = cli_usage(self, "report: a page is for a file: assay report SWEEP > x.html");
	else if (code == CLI_GO_ON)
		code = report(cli, words.items[0], path, &why) == ST_OK ? 0 : cli_fail(&why);
	cli_list_release(&words);
	return code;
}
