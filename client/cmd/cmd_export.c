/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/ids.h"
#include "client/connect/connection.h"

#define FORMATS	"kernel-tuner, t4, t4-1.1, csv, ndjson, markdown, lnt or bencher"

struct asked {
	const char	*sweep, *format, *file;	/* file NULL: standard output */
};

/* One page into the file. *cursor: of the next, a new reference; NULL: that was the last. */
static enum status
fetch_page(struct connection *c, const struct asked *a, FILE *to, json_t **cursor,
    struct fault *why)
{
	json_t		*reply, *next, *text;
	enum status	 st;

	st = connection_call(c, "sweep.export", json_pack("{s:o, s:s, s:o}", "sweep",
	    ids_sweep(a->sweep), "format", a->format, "cursor", *cursor), &reply, why);
	*cursor = NULL;
	if (st != ST_OK)
		return st;
	text = json_object_get(reply, "text");
	if (!json_is_string(text))
		st = fault_set(why, ST_IO, "the daemon's reply has no text");
	else if (fwrite(json_string_value(text), 1, json_string_length(text), to) !=
	    json_string_length(text))
		st = fault_set(why, ST_IO, "%s: %s", a->file != NULL ? a->file : "standard output",
		    strerror(errno));
	next = json_object_get(reply, "cursor");
	if (st == ST_OK && json_is_string(next))
		*cursor = json_incref(next);
	json_decref(reply);
	return st;
}

static enum status
fetch(struct connection *c, const struct asked *a, FILE *to, struct fault *why)
{
	json_t		*cursor = json_string("start");	/* over HTTP it asks for parts */
	enum status	 st;

	do
		st = fetch_page(c, a, to, &cursor, why);
	while (st == ST_OK && cursor != NULL);
	return st;
}

/* Under its name once it is complete: a file with this name is a whole one. */
static enum status
fetch_file(struct connection *c, const struct asked *a, struct fault *why)
{
	char		*part = NULL;
	FILE		*to;
	enum status	 st;

	if (asprintf(&part, "%s.part", a->file) < 0)
		return fault_set(why, ST_NOMEM, "export");
	if ((to = fopen(part, "we")) == NULL) {
		st = fault_set(why, ST_IO, "%s: %s", part, strerror(errno));
		free(part);
		return st;
	}
	st = fetch(c, a, to, why);
	if (fclose(to) != 0 && st == ST_OK)
		st = fault_set(why, ST_IO, "%s: %s", part, strerror(errno));
	if (st == ST_OK && rename(part, a->file) != 0)
		st = fault_set(why, ST_IO, "%s: %s", a->file, strerror(errno));
	if (st != ST_OK)
		(void)unlink(part);
	free(part);
	return st;
}

static enum status
answer(const struct cli *cli, const struct asked *a, struct fault *why)
{
	struct connection	*c = NULL;
	enum status		 st = connection_open_reading(&c, cli, why);

	if (st == ST_OK)
		st = a->file != NULL ? fetch_file(c, a, why) : fetch(c, a, stdout, why);
	connection_free(c);
	return st;
}

int
cmd_export(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct asked		a = { .file = NULL };
	const struct cli_option	options[] = {
		{ 'f', "format", CLI_TEXT, &a.format, "FORMAT", FORMATS, 0, 0 },
		{ 'o', "output", CLI_TEXT, &a.file, "FILE",
		  "into this file, which appears once it is complete", 0, 0 },
		CLI_END,
	};
	struct cli_list		words;
	struct fault		why;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON && words.n != 1)
		code = cli_usage(self, "export: needs the name or id of one sweep");
	else if (code == CLI_GO_ON && a.format == NULL)
		code = cli_usage(self, "export: needs --format: " FORMATS);
	else if (code == CLI_GO_ON) {
		a.sweep = words.items[0];
		code = answer(cli, &a, &why) == ST_OK ? 0 : cli_fail(&why);
	}
	cli_list_release(&words);
	return code;
}
