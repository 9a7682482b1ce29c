/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Job and sweep documents.  A job that is accepted is encoded, decoded and encoded again, with the
 * same result; one that is refused says why, in words that are fit for the wire.
 */
#include <string.h>

#include "proto/spec/spec.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/job_encode.h"

enum { MAX_POINTS = 200 };		/* of a sweep: the first ones are as good as all */

static void
must_be_text(const char *text)
{
	json_t	*v = json_string(text);

	must(v != NULL);
	json_decref(v);
}

static void
must_say_why(enum status st, const struct fault *why)
{
	must((st == ST_BAD_SPEC || st == ST_FULL) && why->text[0] != '\0');
	must_be_text(why->member);
	must_be_text(why->text);
	must_be_text(why->hint);
}

static void
check_encoding(const struct job *j)
{
	static struct job	 decoded;
	json_t			*once = job_encode(j), *again;
	struct fault		 why;

	must(once != NULL && job_decode(&decoded, once, &why) == ST_OK);
	again = job_encode(&decoded);
	must(again != NULL && json_equal(once, again));
	job_release(&decoded);
	json_decref(once);
	json_decref(again);
}

static enum status
decode(const json_t *doc, struct fault *why)
{
	static struct job	j;
	enum status		st;

	if ((st = job_decode(&j, doc, why)) != ST_OK) {
		must_say_why(st, why);
		return st;
	}
	check_encoding(&j);
	job_release(&j);
	return ST_OK;
}

static enum status
decode_point(void *arg, json_t *doc, struct fault *why)
{
	unsigned	*n = arg;
	enum status	 st = decode(doc, why);

	json_decref(doc);
	return st == ST_OK && ++*n == MAX_POINTS ? fault_set(why, ST_FULL, "enough") : st;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	json_t		*doc = json_loadb((const char *)data, size,
			    JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
	struct fault	 why = { .status = ST_OK };
	static expand_fn *const	expand[] = { sweep_expand, variants_expand, contest_expand };

	if (doc == NULL)
		return 0;
	(void)decode(doc, &why);
	for (size_t i = 0; i < sizeof expand / sizeof expand[0]; i++) {
		unsigned	n = 0;
		enum status	st = expand[i](doc, decode_point, &n, &why);

		if (st != ST_OK)
			must_say_why(st, &why);
	}
	json_decref(doc);
	return 0;
}
