/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A result and a worker's report: what is taken is written, and taken again it is written the same.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/wire/result.h"
#include "tests/fuzz/fuzz.h"

/* How a document is read and written: NULL when it is none of this kind. */
typedef char	*pass_fn(const json_t *doc);

static char *
pass_result(const json_t *doc)
{
	struct result	 r;
	struct fault	 why = { .status = ST_OK };
	char		*text;

	if (result_get(&r, doc, SHAPE_EXACT, &why) != ST_OK) {
		must(why.text[0] != '\0');
		return NULL;
	}
	text = result_put(&r);
	result_release(&r);
	return text;
}

static char *
pass_report(const json_t *doc)
{
	const struct kept	 none = { .technique = NULL };
	struct kept		 kept;
	struct report		 r;
	struct fault		 why = { .status = ST_OK };
	char			*text;

	if (report_get(&r, doc, &none, &why) != ST_OK) {
		must(why.text[0] != '\0');
		return NULL;
	}
	text = report_put(&r, &kept);
	must(kept.technique == NULL && kept.evidence == NULL);
	kept_release(&kept);
	report_release(&r);
	return text;
}

static void
pass_twice(const json_t *doc, pass_fn *pass)
{
	char	*once = pass(doc), *twice;
	json_t	*again;

	if (once == NULL)
		return;
	again = json_loads(once, JSON_REJECT_DUPLICATES, NULL);
	must(again != NULL);
	twice = pass(again);
	must(twice != NULL && strcmp(once, twice) == 0);
	json_decref(again);
	free(once);
	free(twice);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	json_t		*doc = json_loadb((const char *)data, bytes, JSON_REJECT_DUPLICATES, NULL);
	struct result	 r;
	struct fault	 why;

	if (doc == NULL)
		return 0;
	pass_twice(doc, pass_result);
	pass_twice(doc, pass_report);
	must((result_get(&r, doc, SHAPE_LENIENT, &why) == ST_OK) == json_is_object(doc));
	result_release(&r);
	json_decref(doc);
	return 0;
}
