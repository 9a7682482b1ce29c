/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/utf8.h"
#include "proto/wire/result_csv.h"

enum field_kind {
	TEXT,				/* const char * */
	INTEGER,			/* int64_t */
	SIZE,				/* uint64_t */
	REAL,				/* double */
	JSON,				/* json_t * */
};

/* Columns: append only, scripts count on them; the interval is behind these. */
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
	FIELD("iteration_cycles", REAL, time.per_iteration.cycles),
	FIELD("cycles_by", TEXT, time.per_iteration.cycles_by),
};
#undef FIELD
/* The interval of value_ns. */
#define LOW	"low_ns"
#define HIGH	"high_ns"
enum { NFIELDS = sizeof fields / sizeof fields[0], NUMBER_BYTES = 40 };

/* Behind leading blanks, which a spreadsheet may drop. */
static bool
begins_as_formula(const char *s)
{
	static const char *const	wide[] = { "\xef\xbc\x9d", "\xef\xbc\x8b",
					    "\xef\xbc\x8d", "\xef\xbc\xa0" };

	s += strspn(s, " ");
	if (*s != '\0' && strchr("=+-@\t\r\n", *s) != NULL)
		return true;
	for (unsigned i = 0; i < sizeof wide / sizeof wide[0]; i++)
		if (strncmp(s, wide[i], strlen(wide[i])) == 0)
			return true;
	return false;
}

/* A number in decimal, as a spreadsheet reads it: "-5", "+1e3"; not "0x10", "inf". */
static bool
is_number(const char *s)
{
	char	*end;

	if (s[0] == '\0' || s[strspn(s, "0123456789+-.eE")] != '\0')
		return false;
	(void)strtod(s, &end);
	return *end == '\0';
}

/* Quotes are doubled; what would reorder or hide text is written as \u202e. */
static void
put_characters(struct text *to, const char *s)
{
	char	escaped[UTF8_ESCAPED];
	size_t	bytes;

	for (; *s != '\0'; s += bytes) {
		if ((bytes = utf8_escape(s, escaped)) != 0) {
			text_raw(to, escaped, strlen(escaped));
			continue;
		}
		if (*s == '"')
			text_char(to, '"');
		text_char(to, *s);
		bytes = 1;
	}
}

/* Semicolons are quoted as well: in some countries they separate fields. */
void
result_csv_text(struct text *to, const char *s)
{
	const bool	formula = begins_as_formula(s) && !is_number(s);
	const bool	quoted = formula || strpbrk(s, ",;\"\t\r\n") != NULL;

	if (quoted)
		text_char(to, '"');
	if (formula)
		text_char(to, '\'');
	put_characters(to, s);
	if (quoted)
		text_char(to, '"');
}

void
result_csv_real(struct text *to, double x)
{
	char	number[NUMBER_BYTES];

	if (!isfinite(x))
		return;
	decode_put_real(x, number, sizeof number);
	text_raw(to, number, strlen(number));
}

static void
put_json(struct text *to, const json_t *value)
{
	char	*json = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;

	if (json != NULL)
		result_csv_text(to, json);
	free(json);
}

static void
put_size(struct text *to, uint64_t size)
{
	char	number[NUMBER_BYTES];

	(void)snprintf(number, sizeof number, "%" PRIu64, size);
	text_raw(to, number, strlen(number));
}

/* Members that the result lacks are empty. */
static void
put_field(struct text *to, enum field_kind kind, const void *at)
{
	const char *const	*s = at;
	const int64_t		*integer = at;
	const uint64_t		*size = at;

	if (kind == TEXT && *s != NULL)
		result_csv_text(to, *s);
	else if (kind == INTEGER && *integer != INT64_MIN)
		text_integer(to, *integer);
	else if (kind == SIZE && *size != SHAPE_NO_SIZE)
		put_size(to, *size);
	else if (kind == REAL)
		result_csv_real(to, *(const double *)at);
	else if (kind == JSON)
		put_json(to, *(const json_t *const *)at);
}

bool
result_csv_has(const char *heading)
{
	for (unsigned i = 0; i < NFIELDS; i++)
		if (strcmp(fields[i].heading, heading) == 0)
			return true;
	return strcmp(heading, LOW) == 0 || strcmp(heading, HIGH) == 0;
}

void
result_csv_heading(struct text *to)
{
	for (unsigned i = 0; i < NFIELDS; i++) {
		text_raw(to, fields[i].heading, strlen(fields[i].heading));
		text_char(to, ',');
	}
	text_raw(to, LOW "," HIGH, strlen(LOW "," HIGH));
}

void
result_csv_row(struct text *to, const struct result *r)
{
	double	ci95_ns[2] = { NAN, NAN };

	for (unsigned i = 0; i < NFIELDS; i++) {
		put_field(to, fields[i].kind, (const char *)r + fields[i].offset);
		text_char(to, ',');
	}
	if (r->has_time && !result_interval(&r->time, ci95_ns))
		ci95_ns[0] = ci95_ns[1] = NAN;
	result_csv_real(to, ci95_ns[0]);
	text_char(to, ',');
	result_csv_real(to, ci95_ns[1]);
}

#define FIELD(heading, kind, member)	{ heading, kind, offsetof(struct result_core, member) }
static const struct field	core_fields[] = {
	FIELD("core_cpu", SIZE, cpu),
	FIELD("core_min_ns", REAL, times.min_ns),
	FIELD("core_median_ns", REAL, times.median_ns),
	FIELD("core_mean_ns", REAL, times.mean_ns),
	FIELD("core_max_ns", REAL, max_ns),
	FIELD("core_overhead_ns", REAL, overhead_ns),
};
#undef FIELD
enum { NCORE_FIELDS = sizeof core_fields / sizeof core_fields[0] };

void
result_csv_core_heading(struct text *to)
{
	for (unsigned i = 0; i < NCORE_FIELDS; i++) {
		text_char(to, ',');
		text_raw(to, core_fields[i].heading, strlen(core_fields[i].heading));
	}
}

void
result_csv_core(struct text *to, const struct result_core *core)
{
	for (unsigned i = 0; i < NCORE_FIELDS; i++) {
		text_char(to, ',');
		if (core != NULL)
			put_field(to, core_fields[i].kind,
			    (const char *)core + core_fields[i].offset);
	}
}
