/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a launch as a table for people, and as CSV. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/launch/rows.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/table.h"
#include "proto/wire/result_csv.h"

enum { OFFSETS_BYTES = 16 * SURVEY_MAX_ARRAYS, WORDS_BYTES = 1024 };
#define COUNT_MAX	0x1p53

/* ---- a table ---- */

static const struct table_column columns[] = {
	{ "kernel", false }, { "elements", true }, { "offsets", false }, { "kHz", true },
	{ "CPU", true },
	{ "iterations", true }, { "value", true }, { "min", true }, { "max", true },
	{ "unit", false }, { "ns", true }, { "metric", true }, { "metric's unit", false },
	{ "status", false },
	{ "", false },
};
enum {
	NCOLUMNS = sizeof columns / sizeof columns[0],
	BEHIND = 2,			/* status and note: behind the counters */
};

static char *
put_number(double x, char *buf)
{
	if (!isfinite(x))
		return NULL;
	return format_number(x, buf);
}

static char *
put_whole(double x, char *buf)
{
	if (!isfinite(x))
		return NULL;
	(void)snprintf(buf, FORMAT_BYTES, "%.0f", x);
	return buf;
}

/* "0 16 32"; "": none is surveyed. */
static char *
put_offsets(const struct launch_row *row, char *buf)
{
	size_t	used = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < SURVEY_MAX_ARRAYS && isfinite(row->offsets[i]); i++)
		used += (size_t)snprintf(buf + used, OFFSETS_BYTES - used, "%s%.0f",
		    i > 0 ? " " : "", row->offsets[i]);
	return buf;
}

/* A counter's column each, in front of the status. */
static void
put_counters(const struct launch_row *row, unsigned n, const char **cells,
    char (*numbers)[FORMAT_BYTES])
{
	const size_t	at = NCOLUMNS - BEHIND;

	memmove(&cells[at + n], &cells[at], BEHIND * sizeof *cells);
	for (unsigned i = 0; i < n; i++)
		cells[at + i] = put_number(row->counter[i], numbers[i]);
}

static enum status
add_to_table(struct table *t, const struct launch *l, const struct launch_row *row,
    struct fault *why)
{
	char		 numbers[9][FORMAT_BYTES], offsets[OFFSETS_BYTES],
			 counters[LAUNCH_COUNTERS][FORMAT_BYTES];
	const bool	 timed = isfinite(row->value);
	const char	*cells[NCOLUMNS + LAUNCH_COUNTERS] = {
		row->kernel, put_whole(row->n, numbers[0]), put_offsets(row, offsets),
		put_whole(row->khz, numbers[7]),
		row->cpu >= 0 ? put_whole(row->cpu, numbers[1]) : NULL,
		put_whole(row->iterations, numbers[2]), put_number(row->value, numbers[3]),
		put_number(row->min, numbers[4]), put_number(row->max, numbers[5]),
		timed ? row->unit : NULL,
		put_number(isfinite(row->khz) ? row->value * row->in_ns : NAN, numbers[8]),
		put_number(row->metric, numbers[6]),
		isfinite(row->metric) ? row->metric_unit : NULL, row->status, row->note,
	};

	put_counters(row, l->ncounters, cells, counters);
	return table_add(t, cells, why);
}

static void
list_columns(const struct launch *l, struct table_column to[NCOLUMNS + LAUNCH_COUNTERS + 1])
{
	const size_t	at = NCOLUMNS - BEHIND;

	memcpy(to, columns, at * sizeof *to);
	for (unsigned i = 0; i < l->ncounters; i++)
		to[at + i] = (struct table_column){ l->counter[i], true };
	memcpy(&to[at + l->ncounters], &columns[at], BEHIND * sizeof *to);
	to[NCOLUMNS + l->ncounters] = (struct table_column){ NULL, false };
}

/* A counter that no row has is named; each result has the reason. */
static void
put_absent(const struct launch_rows *r, FILE *to)
{
	for (unsigned i = 0; i < r->launch->ncounters; i++) {
		size_t	n = 0;

		for (size_t k = 0; k < r->n; k++)
			n += isfinite(r->at[k].value) && !isfinite(r->at[k].counter[i]);
		if (n > 0)
			(void)fprintf(to, "%s is absent in %zu of %zu rows; see: assay results "
			    "--json --sweep '%s'\n", r->launch->counter[i], n, r->n, r->sweep);
	}
}

enum status
launch_rows_table(const struct launch_rows *r, FILE *to, struct fault *why)
{
	struct table_column	 all[NCOLUMNS + LAUNCH_COUNTERS + 1];
	struct table		*t;
	enum status		 st;

	list_columns(r->launch, all);
	st = table_new(&t, all, why);
	for (size_t i = 0; st == ST_OK && i < r->n; i++)
		st = add_to_table(t, r->launch, &r->at[i], why);
	if (st == ST_OK) {
		table_print(t, to, output_columns());
		put_absent(r, to);
	}
	table_free(t);
	return st;
}

/* ---- CSV ---- */

static void
put_line(FILE *to, struct text *line)
{
	char	*s;

	text_char(line, '\n');
	if ((s = text_take(line)) != NULL)
		(void)fputs(s, to);
	free(s);
}

static void
put_heading(const struct launch_rows *r, FILE *to)
{
	(void)fputs("job,kernel,elements", to);
	for (unsigned i = 0; i < r->launch->survey.n; i++)
		(void)fprintf(to, ",offset%u", i);
	if (r->launch->nfrequencies > 0)
		(void)fputs(",khz,ns", to);
	if (r->launch->has_programs)
		(void)fputs(",level,unroll,sequence,operations,strides,immediates", to);
	(void)fputs(",copies,cpu,status,iterations,value,min,max", to);
	(void)fputs(r->launch->has_programs ? ",steady,unit,samples" : ",unit,samples", to);
	for (unsigned i = 0; i < r->launch->ncounters; i++)
		(void)fprintf(to, ",%s", r->launch->counter[i]);
	(void)fputs(r->launch->metric != NULL ? ",metric,metric_unit,note\n" : ",note\n", to);
}

static void
put_reals(struct text *line, const double *at, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		text_char(line, ',');
		result_csv_real(line, at[i]);
	}
}

/* Counts, without a point; not known: empty. */
static void
put_counts(struct text *line, const double *at, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		text_char(line, ',');
		if (isfinite(at[i]) && fabs(at[i]) < COUNT_MAX)
			text_integer(line, (int64_t)at[i]);
	}
}

static void
put_text(struct text *line, const char *s)
{
	text_char(line, ',');
	result_csv_text(line, s);
}

static void
put_metric(struct text *line, const struct launch_row *row)
{
	put_reals(line, &row->metric, 1);
	put_text(line, row->metric_unit != NULL ? row->metric_unit : "");
}

/* Elements of a list, apart by blanks. */
static void
put_words(struct text *line, const json_t *list)
{
	char		 words[WORDS_BYTES] = "";
	size_t		 i, used = 0;
	const json_t	*one;

	json_array_foreach(list, i, one) {
		const char	*s = json_string_value(one);
		const int	 n = s != NULL ? snprintf(words + used, sizeof words - used,
				    "%s%s", i > 0 ? " " : "", s) :
				    snprintf(words + used, sizeof words - used, "%s%lld",
				    i > 0 ? " " : "", (long long)json_integer_value(one));

		used += (size_t)n;
		if (used >= sizeof words)
			break;
	}
	put_text(line, words);
}

/* What the program has chosen of its description. */
static void
put_program(struct text *line, const struct launch_row *row)
{
	const double	unroll = row->unroll > 0 ? (double)row->unroll : NAN;

	put_text(line, row->level);
	put_counts(line, &unroll, 1);
	put_text(line, member_text(row->meta, "sequence"));
	put_words(line, json_object_get(row->meta, "operations"));
	put_words(line, json_object_get(row->meta, "strides"));
	put_words(line, json_object_get(row->meta, "immediates"));
}

static void
put_row(const struct launch_rows *r, const struct launch_row *row, FILE *to)
{
	const double	 times[] = { row->value, row->min, row->max };
	const double	 ns = row->value * row->in_ns;
	struct text	 line = { .at = NULL };
	const double	 cpus[] = { (double)row->copies, row->cpu >= 0 ? row->cpu : NAN };

	text_integer(&line, row->job);
	put_text(&line, row->kernel);
	put_counts(&line, &row->n, 1);
	put_counts(&line, row->offsets, r->launch->survey.n);
	if (r->launch->nfrequencies > 0) {
		put_counts(&line, &row->khz, 1);
		put_reals(&line, &ns, 1);
	}
	if (r->launch->has_programs)
		put_program(&line, row);
	put_counts(&line, cpus, 2);
	put_text(&line, row->status);
	put_counts(&line, &row->iterations, 1);
	put_reals(&line, times, 3);
	if (r->launch->has_programs)
		put_reals(&line, &row->steady, 1);
	put_text(&line, isfinite(row->value) ? row->unit : "");
	text_char(&line, ',');
	text_integer(&line, (int64_t)row->samples);
	put_reals(&line, row->counter, r->launch->ncounters);
	if (r->launch->metric != NULL)
		put_metric(&line, row);
	put_text(&line, row->note);
	put_line(to, &line);
}

void
launch_rows_csv(const struct launch_rows *r, FILE *to)
{
	put_heading(r, to);
	for (size_t i = 0; i < r->n; i++)
		put_row(r, &r->at[i], to);
}
