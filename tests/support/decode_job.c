/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "proto/spec.h"

/*
 * decode_job [--sweep] FILE…: what the decoder says to each document, one line a file: "FILE: ok", or "FILE: " and the
 * fault as one JSON object { "member", "text", "hint" }.  Ends with 1 if any was refused.  A job that is accepted is
 * also encoded, decoded and encoded again: both encodings must be equal.
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

static int
decode_file(const char *path, int is_sweep)
{
	struct fault	 why = { .status = ST_OK };
	json_error_t	 error;
	json_t		*doc = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	enum status	 st;

	if (doc == NULL)
		st = fault_set(&why, ST_BAD_SPEC, "not JSON, line %d: %s", error.line, error.text);
	else
		st = is_sweep ? sweep_expand(doc, decode_point, NULL, &why) : decode_one(doc, &why);
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
	int	is_sweep = argc > 1 && strcmp(argv[1], "--sweep") == 0;
	int	refused = 0;

	if (argc < 2 + is_sweep) {
		fprintf(stderr, "usage: decode_job [--sweep] FILE...\n");
		return 64;
	}
	for (int i = 1 + is_sweep; i < argc; i++)
		refused |= decode_file(argv[i], is_sweep);
	return refused;
}
