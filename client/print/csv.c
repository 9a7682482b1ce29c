/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/csv.h"

enum field_kind {
	TEXT,				/* const char * */
	INTEGER,			/* int64_t */
	SIZE,				/* uint64_t */
	REAL,				/* double */
	JSON,				/* json_t * */
};

/* Columns: append only, scripts count on them. */
#define FIELD(heading, kind, member)	{ heading, kind, offsetof(struct result, member) }
static const struct field {
	const char	*heading;
	enum field_kind	 kind;
	size_t		 offset;
} fields[] = {
	FIELD("job", INTEGER, job),
	FIELD("sweep", TEXT, sweep.name),
	FIELD("name", TEXT, name),
	FIELD("routine", TEXT, routine),
	FIELD("status", TEXT, status),
	FIELD("estimator", TEXT, time.estimator),
	FIELD("value_ns", REAL, time.value_ns),
	FIELD("min_ns", REAL, time.raw.min_ns),
	FIELD("median_ns", REAL, time.raw.median_ns),
	FIELD("mean_ns", REAL, time.raw.mean_ns),
	FIELD("max_ns", REAL, time.max_ns),
	FIELD("stddev_ns", REAL, time.stddev_ns),
	FIELD("cv", REAL, time.raw.cv),
	FIELD("p90_ns", REAL, time.raw.p90_ns),
	FIELD("count", SIZE, time.count),
	FIELD("mflops_max", REAL, rate.mflops_max),
	FIELD("mflops_avg", REAL, rate.mflops_avg),
	FIELD("gbs_max", REAL, rate.gbs_max),
	FIELD("gbs_avg", REAL, rate.gbs_avg),
	FIELD("context", TEXT, found.technique.context),
	FIELD("method", TEXT, found.technique.method),
	FIELD("clock", TEXT, found.technique.clock),
	FIELD("trust", TEXT, found.trust),
	FIELD("compiler", TEXT, compiler.name),
	FIELD("compiler_version", TEXT, compiler.version),
	FIELD("flags", JSON, flags),
	FIELD("params", JSON, params),
	FIELD("meta", JSON, meta),
	FIELD("binary", TEXT, binary),
	FIELD("submitted", REAL, submitted),
	FIELD("finished", REAL, finished),
	FIELD("detail", TEXT, detail),
	FIELD("calls", SIZE, found.technique.calls),
	FIELD("flush_bytes", SIZE, found.technique.flush_bytes),
	FIELD("spec_hash", TEXT, spec_hash),
	FIELD("iterations", REAL, time.per_iteration.iterations),
	FIELD("iteration_ns", REAL, time.per_iteration.value_ns),
	FIELD("iteration_min_ns", REAL, time.per_iteration.min_ns),
	FIELD("iteration_median_ns", REAL, time.per_iteration.median_ns),
	FIELD("code_bytes", SIZE, code_bytes),
	FIELD("bound_ns", REAL, time.bound_ns),
	FIELD("corrected_ns", REAL, corrected_ns),
	FIELD("uncorrected", TEXT, uncorrected),
};
#undef FIELD
enum { NFIELDS = sizeof fields / sizeof fields[0], NUMBER_BYTES = 40 };

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
put_real(FILE *to, double x)
{
	char	text[NUMBER_BYTES];

	if (!isfinite(x))
		return;
	decode_put_real(x, text, sizeof text);
	(void)fputs(text, to);
}

static void
put_json(FILE *to, const json_t *value)
{
	char	*text = value != NULL ? json_dumps(value, JSON_COMPACT) : NULL;

	if (text != NULL)
		put_quoted(to, text);
	free(text);
}

/* Members that the result lacks are empty. */
static void
put_field(FILE *to, enum field_kind kind, const void *at)
{
	const char *const	*text = at;
	const int64_t		*integer = at;
	const uint64_t		*size = at;

	if (kind == TEXT && *text != NULL)
		put_quoted(to, *text);
	else if (kind == INTEGER && *integer != INT64_MIN)
		(void)fprintf(to, "%" PRId64, *integer);
	else if (kind == SIZE && *size != SHAPE_NO_SIZE)
		(void)fprintf(to, "%" PRIu64, *size);
	else if (kind == REAL)
		put_real(to, *(const double *)at);
	else if (kind == JSON)
		put_json(to, *(const json_t *const *)at);
}

void
csv_put_heading(FILE *to)
{
	for (unsigned i = 0; i < NFIELDS; i++)
		(void)fprintf(to, "%s%s", i > 0 ? "," : "", fields[i].heading);
	(void)fputc('\n', to);
}

void
csv_put_result(FILE *to, const struct result *r)
{
	for (unsigned i = 0; i < NFIELDS; i++) {
		if (i > 0)
			(void)fputc(',', to);
		put_field(to, fields[i].kind, (const char *)r + fields[i].offset);
	}
	(void)fputc('\n', to);
}
