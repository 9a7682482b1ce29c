/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "proto/spec/spec.h"
#include "tests/support/job_encode.h"

/*
 * decode_job [--sweep | --variants | --compare | --encode] FILE…: what the decoder answers to each
 * document, one line a file: "FILE: ok", or "FILE: " and the fault as one JSON object { "member",
 * "text", "hint" }. Ends with 1 if any was refused.  A job that is accepted is also encoded,
 * decoded and encoded again: both encodings must be equal. --encode: "FILE: " and that instead of
 * "ok".
 */

/* *encoded: a new reference; NULL if it is refused. */
static enum status
decode_one(const json_t *doc, json_t **encoded, struct fault *why)
{
	struct job	 job;
	json_t		*again;
	enum status	 st;

	*encoded = NULL;
	if ((st = job_decode(&job, doc, why)) != ST_OK)
		return st;
	*encoded = job_encode(&job);
	job_release(&job);
	if ((st = job_decode(&job, *encoded, why)) != ST_OK)
		return st;
	again = job_encode(&job);
	job_release(&job);
	if (!json_equal(*encoded, again))
		st = fault_set(why, ST_INTERNAL, "the encoding does not decode to the same job");
	json_decref(again);
	return st;
}

static enum status
decode_point(void *arg, json_t *doc, struct fault *why)
{
	json_t		*encoded;
	enum status	 st = decode_one(doc, &encoded, why);

	(void)arg;
	json_decref(encoded);
	json_decref(doc);
	return st;
}

static void
print_json(const char *path, json_t *v)
{
	printf("%s: ", path);
	if (v == NULL || json_dumpf(v, stdout, JSON_COMPACT) != 0)
		printf("a fault that is not UTF-8");
	putchar('\n');
	json_decref(v);
}

static void
print_fault(const char *path, const struct fault *why)
{
	print_json(path, json_pack("{ssssss}", "member", why->member, "text", why->text, "hint",
	    why->hint));
}

/* What is done with a document: it makes jobs, or is one. */
static const struct form {
	const char	*option;
	expand_fn	*expand;
	bool		 encodes;
} forms[] = {
	{ "", NULL, false }, { "--sweep", sweep_expand, false },
	{ "--variants", variants_expand, false },
	{ "--compare", contest_expand, false }, { "--encode", NULL, true },
};

static int
decode_file(const char *path, const struct form *form)
{
	struct fault	 why = { .status = ST_OK };
	json_error_t	 error;
	json_t		*doc = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	json_t		*encoded = NULL;
	enum status	 st;

	if (doc == NULL)
		st = fault_set(&why, ST_BAD_SPEC, "not JSON, line %d: %s", error.line, error.text);
	else if (form->expand != NULL)
		st = form->expand(doc, decode_point, NULL, &why);
	else
		st = decode_one(doc, &encoded, &why);
	json_decref(doc);
	if (st != ST_OK)
		print_fault(path, &why);
	else if (form->encodes)
		print_json(path, json_incref(encoded));
	else
		printf("%s: ok\n", path);
	json_decref(encoded);
	return st != ST_OK;
}

int
main(int argc, char **argv)
{
	const char		*option = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
	const struct form	*form = forms, *end = forms + sizeof forms / sizeof forms[0];
	int			 first = option[0] != '\0' ? 2 : 1, refused = 0;

	while (form < end && strcmp(form->option, option) != 0)
		form++;
	if (argc <= first || form == end) {
		fprintf(stderr, "usage: decode_job [--sweep | --variants | --compare | "
		    "--encode] FILE...\n");
		return 64;
	}
	for (int i = first; i < argc; i++)
		refused |= decode_file(argv[i], form);
	return refused;
}
