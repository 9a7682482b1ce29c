/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/document.h"
#include "client/import/poet.h"
#include "client/print/format.h"
#include "client/print/output.h"

enum { REMARK_BYTES = 8192 };

struct import {
	const struct cli	*cli;
	const char		*output;	/* NULL: standard output */
	struct cli_list		 parameters;
	const struct cli_list	*files;		/* behind the format's word */
};

/* ---- formats ---- */

static enum status
import_poet(struct import *im, struct source *s, json_t **made, struct fault *why)
{
	json_t		*spec;
	enum status	 st = poet_import(s, &im->parameters, &spec, why);

	if (st == ST_OK)
		*made = json_pack("{s:o}", "spec", spec);
	return st;
}

static const struct format {
	const char	*name;
	enum status	(*read)(struct import *, struct source *, json_t **made, struct fault *);
} formats[] = {
	{ "poet", import_poet },
};
enum { NFORMATS = sizeof formats / sizeof formats[0] };

/* ---- what comes out ---- */

static void
print_remarks(const struct source *s)
{
	char	 line[REMARK_BYTES];
	json_t	*remark;
	size_t	 i;

	json_array_foreach(s->remarks, i, remark) {
		(void)snprintf(line, sizeof line, "%s:%d:%d: %s", s->path,
		    (int)json_integer_value(json_object_get(remark, "line")),
		    (int)json_integer_value(json_object_get(remark, "column")),
		    json_string_value(json_object_get(remark, "text")));
		(void)fprintf(stderr, "assay: %s\n", format_clean(line, true));
	}
}

static enum status
write_file(const char *path, const json_t *doc, struct fault *why)
{
	FILE		*f = fopen(path, "we");
	bool		 failed;

	if (f == NULL)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	failed = json_dumpf(doc, f, JSON_INDENT(2)) != 0 || fputc('\n', f) == EOF;
	if (fclose(f) != 0 || failed)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	return ST_OK;
}

/* Remarks go to stderr, and with --json into the document's meta. */
static enum status
put_out(const struct import *im, const struct source *s, json_t *made, struct fault *why)
{
	json_t	*doc = made;

	if (im->cli->json || im->cli->ndjson)
		(void)json_object_set_new(made, "meta", json_pack("{s:O}", "remarks", s->remarks));
	else if (json_object_size(made) == 1)
		doc = json_object_get(made, "spec");
	if (!im->cli->quiet)
		print_remarks(s);
	if (im->output != NULL)
		return write_file(im->output, doc, why);
	return output_document(doc, why);
}

/* ---- the command ---- */

static enum status
run(struct import *im, const struct format *f, const char *path, struct fault *why)
{
	struct source	 s = { .remarks = NULL };
	json_t		*made = NULL;
	size_t		 bytes;
	char		*text;
	enum status	 st;

	if ((st = document_text(path, &text, &bytes, why)) != ST_OK)
		return st;
	st = source_init(&s, strcmp(path, "-") == 0 ? "standard input" : path, text, bytes, why);
	if (st == ST_OK && (st = f->read(im, &s, &made, why)) == ST_OK)
		st = put_out(im, &s, made, why);
	json_decref(made);
	source_release(&s);
	free(text);
	return st;
}

static int
unknown_format(const struct cli_command *self, const char *name)
{
	const char	*names[NFORMATS + 1] = { NULL }, *near;

	for (unsigned i = 0; i < NFORMATS; i++)
		names[i] = formats[i].name;
	near = nearest_name(name, names);
	return cli_usage(self, "import: \"%s\" is no format; there is%s poet%s%s", name,
	    near != NULL ? " (did you mean it?)" : "", "", "");
}

static int
answer(const struct cli_command *self, struct import *im)
{
	const struct cli_list	*words = im->files;
	struct fault		 why;

	if (words->n < 2)
		return cli_usage(self, "import: needs a format and a file");
	for (unsigned i = 0; i < NFORMATS; i++) {
		if (strcmp(formats[i].name, words->items[0]) != 0)
			continue;
		if (words->n > 2)
			return cli_usage(self, "import: takes one file");
		return run(im, &formats[i], words->items[1], &why) == ST_OK ? 0 : cli_fail(&why);
	}
	return unknown_format(self, words->items[0]);
}

int
cmd_import(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct import		im = { .cli = cli };
	struct cli_list		words;
	int			code;
	const struct cli_option	options[] = {
		{ 'o', "output", CLI_TEXT, &im.output, "FILE",
		  "write there (default: standard output)", 0, 0 },
		{ 'p', "parameter", CLI_LIST, &im.parameters, "NAME=VALUE",
		  "a parameter of POET's generator: NREP=50, MT=10, ...", 0, 0 },
		{ '\0', NULL, CLI_FLAG, NULL, NULL, NULL, 0, 0 },
	};

	code = cli_parse(cli, self, options, argc, argv, &words);
	im.files = &words;
	if (code == CLI_GO_ON)
		code = answer(self, &im);
	cli_list_release(&im.parameters);
	cli_list_release(&words);
	return code;
}
