/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay-transform: a C nest and a script → legal variants, as one JSON document on standard
 * output.  `assay variants` runs it; it speaks to no daemon and executes nothing.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/transform/variants.h"

enum { MAX_WORDS = 600 };

struct words {
	const char	*at[MAX_WORDS + 1];	/* NULL-terminated */
	size_t		 n;
};

static const struct option	options[] = {
	{ "script", required_argument, NULL, 's' },
	{ "routine", required_argument, NULL, 'r' },
	{ "set", required_argument, NULL, 'v' },
	{ "param", required_argument, NULL, 'p' },
	{ "define", required_argument, NULL, 'D' },
	{ "assume", no_argument, NULL, 'a' },
	{ "distinct", no_argument, NULL, 'd' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static void
add(struct words *to, const char *word)
{
	if (to->n < MAX_WORDS)
		to->at[to->n++] = word;
}

static void
usage(FILE *to)
{
	(void)fprintf(to, "usage: assay-transform --script FILE [--routine NAME] [--set "
	    "ARGUMENT=VALUE]...\n           [--param NAME=VALUE]... [-D NAME=VALUE]... "
	    "[--distinct] [--assume] FILE.c\n");
}

static int
finish(enum status st, json_t *document, const struct fault *why)
{
	char	line[1400];

	if (st == ST_OK && (json_dumpf(document, stdout, JSON_COMPACT) != 0 ||
	    putchar('\n') == EOF || fflush(stdout) != 0)) {
		(void)fprintf(stderr, "assay-transform: writing to standard output failed\n");
		st = ST_IO;
	} else if (st != ST_OK) {
		/* a document, too: the caller prints the parts in its own way */
		json_t	*fault = json_pack("{s:s, s:s, s:s, s:s}", "status", status_word(st),
			    "member", why->member, "text", why->text, "hint", why->hint);

		(void)json_dumpf(fault, stdout, JSON_COMPACT);
		(void)putchar('\n');
		json_decref(fault);
		(void)fprintf(stderr, "assay-transform: %s\n", fault_line(why, line, sizeof line));
	}
	json_decref(document);
	return status_exit_code(st);
}

int
main(int argc, char **argv)
{
	static struct words	 values, params, defines;
	struct variants_request	 q = { .values = values.at, .params = params.at,
				    .source = { .defines = defines.at } };
	json_t			*document = NULL;
	struct fault		 why = { .status = ST_OK };
	enum status		 st;
	int			 c;

	while ((c = getopt_long(argc, argv, "s:r:v:p:D:adh", options, NULL)) != -1) {
		switch (c) {
		case 's': q.script = optarg; break;
		case 'r': q.source.routine = optarg; break;
		case 'v': add(&values, optarg); break;
		case 'p': add(&params, optarg); break;
		case 'D': add(&defines, "-D"); add(&defines, optarg); break;
		case 'a': q.assumes = true; break;
		case 'd': q.is_distinct = true; break;
		case 'h': usage(stdout); return 0;
		default: usage(stderr); return status_exit_code(ST_BAD_REQUEST);
		}
	}
	if (argc - optind != 1 || q.script == NULL) {
		usage(stderr);
		return status_exit_code(ST_BAD_REQUEST);
	}
	q.source.path = argv[optind];
	st = variants_make(&q, &document, &why);
	return finish(st, document, &why);
}
