/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP queries: query strings, escapes, cursors, and the JSON form of the same filters.  The first
 * byte chooses.  What is accepted must hold what the table promises; a cursor that is accepted is
 * exactly what would be written for it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/view/query.h"
#include "tests/fuzz/fuzz.h"

static void
filters(const json_t *params)
{
	struct query	q;
	struct fault	why;

	if (query_parse(&q, &(struct viewer){ .uid = 0 }, params, &why) != ST_OK) {
		must(why.member[0] != '\0' && why.text[0] != '\0');
		return;
	}
	must(q.limit >= 1 && q.limit <= QUERY_MAX_LIMIT);
	must(q.filter.after_cursor >= 0 && isfinite(q.filter.after_value));
	must(q.filter.nids == 0 || q.filter.ids[0] > 0);
	for (size_t i = 1; i < q.filter.nids; i++)
		must(q.filter.ids[i - 1] < q.filter.ids[i]);
	query_release(&q);
}

static void
query_string(const char *text)
{
	struct fault	 why;
	json_t		*params;

	if (params_from_query(query_params, text, &params, &why) == ST_OK) {
		must(params_check(query_params, params, &why) == ST_OK);
		filters(params);
	} else {
		must(params == NULL && why.text[0] != '\0');
	}
	json_decref(params);
}

static void
json_form(const char *text)
{
	struct fault	 why;
	json_t		*params = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);

	if (params != NULL && params_check(query_params, params, &why) == ST_OK)
		filters(params);
	json_decref(params);
}

static void
cursor(const char *text, unsigned order)
{
	struct result_filter	f = { .order = order };
	char			again[QUERY_CURSOR_BYTES];
	struct fault		why;

	if (query_get_cursor(&f, text, &why) != ST_OK)
		return;
	query_put_cursor(again, &f);
	must(strcmp(again, text) == 0);
}

static void
unescape(char *text)
{
	size_t		before = strlen(text);
	struct fault	why;

	if (params_unescape(text, false, &why) == ST_OK)
		must(strlen(text) <= before);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char	*text;

	if (size < 1 || (text = malloc(size)) == NULL)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	switch (data[0] % 8) {
	case 0:
		json_form(text);
		break;
	case 1:
	case 2:
	case 3:
		cursor(text, data[0] % 8 - 1);
		break;
	case 4:
		unescape(text);
		break;
	default:
		query_string(text);
		break;
	}
	free(text);
	return 0;
}
