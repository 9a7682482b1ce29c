/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/document.h"
#include "client/import/gco.h"
#include "client/import/poet.h"
#include "client/print/format.h"
#include "client/print/output.h"

enum { REMARK_BYTES = 8192, MAX_FILES = 16 };

struct import {
	const struct cli	*cli;
	const char		*output;	/* NULL: standard output */
	const char		*name;		/* NULL: the routine's */
	bool			 spec_alone;
	struct cli_list		 parameters;
	struct foreign		 sources[MAX_FILES];
	char			*texts[MAX_FILES];	/* owned; of the sources */
	size_t			 n;
};

/* ---- formats ---- */

static enum status
import_poet(struct import *im, json_t **made, struct fault *why)
{
	json_t		*spec;
	enum status	 st = poet_import(&im->sources[0], &im->parameters, &spec, why);

	if (st == ST_OK)
		*made = json_pack("{s:o}", "spec", spec);
	return st;
}

static enum status
import_gco(struct import *im, json_t **made, struct fault *why)
{
	enum status	st = gco_import(im->sources, im->n, im->name, made, why);

	if (st == ST_OK && im->spec_alone) {
		json_t	*spec = json_pack("{s:O}", "spec", json_object_get(*made, "spec"));

		json_decref(*made);
		*made = spec;
	}
	return st;
}

static const struct format {
	const char	*name;
	size_t		 files;		/* at most */
	enum status	(*read)(struct import *, json_t **made, struct fault *);
} formats[] = {
	{ "poet", 1, import_poet }, { "gco", MAX_FILES, import_gco },
};
enum { NFORMATS = sizeof formats / sizeof formats[0] };

/* ---- what comes out ---- */

static void
print_remarks(const struct foreign *s)
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

/* Remarks go to stderr, and with --json into the document's meta. */
static enum status
put_out(const struct import *im, json_t *made, struct fault *why)
{
	json_t	*doc = made, *remarks = json_array();

	for (size_t i = 0; i < im->n; i++) {
		(void)json_array_extend(remarks, im->sources[i].remarks);
		if (!im->cli->quiet)
			print_remarks(&im->sources[i]);
	}
	if (im->cli->json || im->cli->ndjson)
		(void)json_object_set_new(made, "meta", json_pack("{s:O}", "remarks", remarks));
	else if (json_object_size(made) == 1)
		doc = json_object_get(made, "spec");
	json_decref(remarks);
	if (im->output != NULL)
		return output_save(doc, im->output, why);
	return output_document(doc, why);
}

/* ---- the command ---- */

static enum status
read_files(struct import *im, char *const *paths, size_t n, struct fault *why)
{
	enum status	st = ST_OK;
	size_t		bytes;

	for (size_t i = 0; st == ST_OK && i < n; i++) {
		const char	*shown = strcmp(paths[i], "-") == 0 ? "standard input" : paths[i];

		if ((st = document_text(paths[i], &im->texts[i], &bytes, why)) == ST_OK) {
			im->n = i + 1;
			st = foreign_init(&im->sources[i], shown, im->texts[i], bytes, why);
		}
	}
	return st;
}

static int
run(struct import *im, const struct format *f, char *const *paths, size_t n)
{
	json_t		*made = NULL;
	struct fault	 why;
	enum status	 st;

	if ((st = read_files(im, paths, n, &why)) == ST_OK &&
	    (st = f->read(im, &made, &why)) == ST_OK)
		st = put_out(im, made, &why);
	json_decref(made);
	for (size_t i = 0; i < im->n; i++) {
		foreign_release(&im->sources[i]);
		free(im->texts[i]);
	}
	return st == ST_OK ? 0 : cli_fail(&why);
}

static int
unknown_format(const char *name)
{
	const char	*names[NFORMATS + 1] = { NULL }, *near;
	struct fault	 why;

	for (unsigned i = 0; i < NFORMATS; i++)
		names[i] = formats[i].name;
	(void)fault_set(&why, ST_BAD_REQUEST, "import: \"%s\" is no format", name);
	if ((near = nearest_name(name, names)) != NULL)
		fault_hint(&why, "did you mean: assay import %s?", near);
	else
		fault_hint(&why, "formats are poet and gco");
	return cli_fail(&why);
}

static int
answer(const struct cli_command *self, struct import *im, const struct cli_list *words)
{
	if (words->n < 2)
		return cli_usage(self, "import: needs a format and a file");
	for (unsigned i = 0; i < NFORMATS; i++) {
		if (strcmp(formats[i].name, words->items[0]) != 0)
			continue;
		if (words->n - 1 > formats[i].files)
			return cli_usage(self, "import %s: takes at most %zu file%s",
			    formats[i].name, formats[i].files, formats[i].files > 1 ? "s" : "");
		return run(im, &formats[i], words->items + 1, words->n - 1);
	}
	return unknown_format(words->items[0]);
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
		  "poet: a parameter of the generator: NREP=50, MT=10, ...", 0, 0 },
		{ '\0', "name", CLI_TEXT, &im.name, "NAME",
		  "gco: the sweep's name (default: the routine's)", 0, 0 },
		{ '\0', "spec", CLI_FLAG, &im.spec_alone, NULL,
		  "gco: the spec alone, at the last size", 0, 0 },
		CLI_END,
	};

	cli->is_local = true;
	code = cli_parse(cli, self, options, argc, argv, &words);
	if (code == CLI_GO_ON)
		code = answer(self, &im, &words);
	cli_list_release(&im.parameters);
	cli_list_release(&words);
	return code;
}
