/* SPDX-License-Identifier: Apache-2.0 */
/* Each result on a line of its own, as results.query gives it. */
#include <stdlib.h>
#include <string.h>

#include "daemon/export/export_impl.h"

static enum status
begin(struct export *e, struct text *out, struct fault *why)
{
	(void)e;
	(void)out;
	(void)why;
	return ST_OK;
}

static bool
put_row(struct export *e, struct text *out, const struct export_row *row)
{
	char	*line = json_dumps(row->doc, JSON_COMPACT);

	(void)e;
	if (line != NULL) {
		text_raw(out, line, strlen(line));
		text_char(out, '\n');
	}
	out->failed |= line == NULL;
	free(line);
	return true;
}

static void
end(struct export *e, struct text *out)
{
	(void)e;
	(void)out;
}

const struct export_format	export_ndjson = {
	.name = "ndjson", .type = "application/x-ndjson", .suffix = ".ndjson", .has_all = true,
	.begin = begin, .row = put_row, .end = end,
};
