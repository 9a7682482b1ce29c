/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "client/print/csv.h"

/* Columns: append only, scripts count on them.  A path of at most two members into the result. */
static const struct field {
	const char	*heading, *outer, *inner;
} fields[] = {
	{ "job", "job", NULL },
	{ "sweep", "sweep", "name" },
	{ "name", "name", NULL },
	{ "routine", "routine", NULL },
	{ "status", "status", NULL },
	{ "estimator", "time", "estimator" },
	{ "value_ns", "time", "value_ns" },
	{ "min_ns", "time", "min_ns" },
	{ "median_ns", "time", "median_ns" },
	{ "mean_ns", "time", "mean_ns" },
	{ "max_ns", "time", "max_ns" },
	{ "stddev_ns", "time", "stddev_ns" },
	{ "cv", "time", "cv" },
	{ "p90_ns", "time", "p90_ns" },
	{ "count", "time", "count" },
	{ "mflops_max", "rate", "mflops_max" },
	{ "mflops_avg", "rate", "mflops_avg" },
	{ "gbs_max", "rate", "gbs_max" },
	{ "gbs_avg", "rate", "gbs_avg" },
	{ "context", "technique", "context" },
	{ "method", "technique", "method" },
	{ "clock", "technique", "clock" },
	{ "trust", "trust", NULL },
	{ "compiler", "compiler", "name" },
	{ "compiler_version", "compiler", "version" },
	{ "flags", "flags", NULL },
	{ "params", "params", NULL },
	{ "meta", "meta", NULL },
	{ "binary", "binary", NULL },
	{ "submitted", "submitted", NULL },
	{ "finished", "finished", NULL },
	{ "detail", "detail", NULL },
};
enum { NFIELDS = sizeof fields / sizeof fields[0] };

static void
put_quoted(FILE *to, const char *text)
{
	if (strpbrk(text, ",\"\r\n") == NULL) {
		(void)fputs(text, to);
		return;
	}
	(void)fputc('"', to);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			(void)fputc('"', to);
		(void)fputc(*text, to);
	}
	(void)fputc('"', to);
}

static void
put_value(FILE *to, const json_t *value)
{
	char	*text;

	if (value == NULL || json_is_null(value))
		return;
	if (json_is_string(value)) {
		put_quoted(to, json_string_value(value));
		return;
	}
	if ((text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT)) != NULL)
		put_quoted(to, text);
	free(text);
}

void
csv_put_heading(FILE *to)
{
	for (unsigned i = 0; i < NFIELDS; i++)
		(void)fprintf(to, "%s%s", i > 0 ? "," : "", fields[i].heading);
	(void)fputc('\n', to);
}

void
csv_put_result(FILE *to, const json_t *result)
{
	for (unsigned i = 0; i < NFIELDS; i++) {
		const json_t	*value = json_object_get(result, fields[i].outer);

		if (i > 0)
			(void)fputc(',', to);
		put_value(to, fields[i].inner != NULL ? json_object_get(value, fields[i].inner) : value);
	}
	(void)fputc('\n', to);
}
