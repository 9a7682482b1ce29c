/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay-transform: a C nest and a script → legal variants, as one JSON document on standard
 * output.  `assay variants` runs it; it speaks to no daemon and executes nothing.
 *
 *	source/ C → tree/  ·  script/ text → steps  ·  work/ a routine's regions, constants put in
 *	steps/ change the trees  ·  model/ tree → relations (isl)  ·  legality/ their flow is equal
 *	write/ trees → C  ·  variants.c: all of it for each point of a script
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/transform/variants.h"

enum { MAX_WORDS = 600, MAX_FILES = 64 };

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
	{ "files", required_argument, NULL, 'f' },
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
	(void)fprintf(to, "usage: assay-transform [--script FILE] [--routine NAME] [--set "
	    "ARGUMENT=VALUE]...\n           [--param NAME=VALUE]... [-D NAME=VALUE]... "
	    "[--distinct] [--assume] [--files FD] FILE.c\n");
}

/* { NAME: { "text": … } } from a descriptor, as a variant has them; the document is their owner. */
static enum status
read_files(int fd, struct source_file *out, struct source_files *to, json_t **document,
    struct fault *why)
{
	json_t		*entry;
	const char	*name;

	if ((*document = json_loadfd(fd, 0, NULL)) == NULL || !json_is_object(*document))
		return fault_set(why, ST_BAD_REQUEST, "--files: %d has no JSON object", fd);
	to->at = out;
	json_object_foreach(*document, name, entry) {
		const char	*text = json_string_value(json_object_get(entry, "text"));

		if (text != NULL && to->n < MAX_FILES)
			out[to->n++] = (struct source_file){ name, text };
	}
	return ST_OK;
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
	static struct source_file files[MAX_FILES];
	json_t			*document = NULL, *given = NULL;
	struct fault		 why = { .status = ST_OK };
	enum status		 st = ST_OK;
	int			 c, fd = -1;

	while ((c = getopt_long(argc, argv, "s:r:v:p:D:adf:h", options, NULL)) != -1) {
		switch (c) {
		case 's': q.script = optarg; break;
		case 'r': q.source.routine = optarg; break;
		case 'v': add(&values, optarg); break;
		case 'p': add(&params, optarg); break;
		case 'D': add(&defines, "-D"); add(&defines, optarg); break;
		case 'a': q.assumes = true; break;
		case 'd': q.is_distinct = true; break;
		case 'f': fd = atoi(optarg); break;
		case 'h': usage(stdout); return 0;
		default: usage(stderr); return status_exit_code(ST_BAD_REQUEST);
		}
	}
	if (argc - optind != 1) {
		usage(stderr);
		return status_exit_code(ST_BAD_REQUEST);
	}
	q.source.path = argv[optind];
	if (fd >= 0)
		st = read_files(fd, files, &q.source.files, &given, &why);
	if (st == ST_OK)
		st = variants_make(&q, &document, &why);
	c = finish(st, document, &why);
	json_decref(given);
	return c;
}
