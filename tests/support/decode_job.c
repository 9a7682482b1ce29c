/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "proto/spec/spec.h"

/*
 * decode_job [--sweep | --compare] FILE…: what the decoder says to each document, one line a file: "FILE: ok", or
 * "FILE: " and the fault as one JSON object { "member", "text", "hint" }.  Ends with 1 if any was refused.  A job
 * that is accepted is also encoded, decoded and encoded again: both encodings must be equal.
 */

static enum status
decode_one(const json_t *doc, struct fault *why)
{
	struct job	 job;
	json_t		*once, *again = NULL;
	enum status	 st;

	if ((st = job_decode(&job, doc, why)) != ST_OK)
		return st;
	once = job_encode(&job);
	job_release(&job);
	if (once == NULL || (st = job_decode(&job, once, why)) != ST_OK) {
		json_decref(once);
		return once == NULL ? fault_set(why, ST_NOMEM, "job_encode") : st;
	}
	again = job_encode(&job);
	job_release(&job);
	if (!json_equal(once, again))
		st = fault_set(why, ST_INTERNAL, "the encoding does not decode to the same job");
	json_decref(once);
	json_decref(again);
	return st;
}

static enum status
decode_point(void *arg, json_t *doc, struct fault *why)
{
	enum status	st = decode_one(doc, why);

	(void)arg;
	json_decref(doc);
	return st;
}

static void
print_fault(const char *path, const struct fault *why)
{
	json_t	*o = json_pack("{ssssss}", "member", why->member, "text", why->text, "hint", why->hint);

	printf("%s: ", path);
	if (o == NULL || json_dumpf(o, stdout, JSON_COMPACT) != 0)
		printf("a fault that is not UTF-8");
	putchar('\n');
	json_decref(o);
}

typedef enum status expand_fn(const json_t *, sweep_each_fn *, void *, struct fault *);

/* `expand`: what makes jobs of the document; NULL: it is one. */
static int
decode_file(const char *path, expand_fn *expand)
{
	struct fault	 why = { .status = ST_OK };
	json_error_t	 error;
	json_t		*doc = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	enum status	 st;

	if (doc == NULL)
		st = fault_set(&why, ST_BAD_SPEC, "not JSON, line %d: %s", error.line, error.text);
	else
		st = expand != NULL ? expand(doc, decode_point, NULL, &why) : decode_one(doc, &why);
	json_decref(doc);
	if (st == ST_OK)
		printf("%s: ok\n", path);
	else
		print_fault(path, &why);
	return st != ST_OK;
}

int
main(int argc, char **argv)
{
	const char	*form = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
	expand_fn	*expand = strcmp(form, "--sweep") == 0 ? sweep_expand :
			     strcmp(form, "--compare") == 0 ? contest_expand : NULL;
	int		 first = form[0] != '\0' ? 2 : 1, refused = 0;

	if (argc <= first || (form[0] != '\0' && expand == NULL)) {
		fprintf(stderr, "usage: decode_job [--sweep | --compare] FILE...\n");
		return 64;
	}
	for (int i = first; i < argc; i++)
		refused |= decode_file(argv[i], expand);
	return refused;
}
