/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of `assay results --csv`, and behind them one for each dimension (RFC 4180). */
#include <stdlib.h>

#include "daemon/export/export_impl.h"
#include "proto/wire/result_csv.h"

static void
end_line(struct text *out)
{
	text_raw(out, "\r\n", 2);
}

/* A dimension with the name of another column is "space.NAME". */
static void
put_heading(struct text *out, const char *name)
{
	text_char(out, ',');
	if (result_csv_has(name))
		text_raw(out, "space.", 6);
	result_csv_text(out, name);
}

static enum status
begin(struct export *e, struct text *out, struct fault *why)
{
	(void)why;
	result_csv_heading(out);
	for (size_t i = 0; export_values(e, i) != NULL; i++)
		put_heading(out, export_dimension(e, i));
	end_line(out);
	return ST_OK;
}

static void
put_value(struct text *out, json_t *value)
{
	char	*plain = json_is_null(value) ? NULL : export_plain(value, EXPORT_JSON_WORDS);

	text_char(out, ',');
	if (plain != NULL)
		result_csv_text(out, plain);
	free(plain);
	json_decref(value);
}

static bool
put_row(struct export *e, struct text *out, const struct export_row *row)
{
	result_csv_row(out, row->result);
	for (size_t i = 0; export_values(e, i) != NULL; i++)
		put_value(out, export_value(e, i, row));
	end_line(out);
	return true;
}

static void
end(struct export *e, struct text *out)
{
	(void)e;
	(void)out;
}

const struct export_format	export_csv = {
	.name = "csv", .type = "text/csv; charset=utf-8; header=present", .suffix = ".csv",
	.has_all = true, .begin = begin, .row = put_row, .end = end,
};
