/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/format.h"
#include "client/print/results/row.h"
#include "client/print/table.h"
#include "client/report/compared.h"

enum { NCELLS = 7, NOTE_BYTES = 128 };

static const struct table_column columns_of[NCELLS + 1] = {
	{ "variant", false }, { "median", true }, { "ratio", true }, { "interval", true },
	{ "verdict", false }, { "pairs", true }, { "note", false }, { NULL, false },
};

static bool
is(const char *text, const char *word)
{
	return text != NULL && strcmp(text, word) == 0;
}

static const char *
or_empty(const char *text)
{
	return text != NULL ? text : "";
}

/* The check belongs to the spec, which is the same for both variants. */
static const char *
check_note(const struct result *r)
{
	return r->found.check.done ? "" : "not checked";
}

/* `r`: any comparison with it. */
static enum status
add_first(struct table *t, const struct result *r, struct fault *why)
{
	const struct comparison_side	*a = &r->comparison.a;
	char				 median[FORMAT_BYTES];
	const char			*cells[NCELLS] = {
		or_empty(a->name), format_duration_ns(a->times.median_ns, median), "1",
		    "", "", "", check_note(r),
	};

	return table_add(t, cells, why);
}

static enum status
add_failed(struct table *t, const struct result *r, struct fault *why)
{
	char		*note = row_first_error(or_empty(r->detail));
	const char	*cells[NCELLS] = {
		or_empty(r->name), "", "", "", or_empty(r->status), "", or_empty(note),
	};
	enum status	 st = table_add(t, cells, why);

	free(note);
	return st;
}

/* What chance had of the ratio: in the same two processes, and from two to the next. */
static void
put_spreads(const struct comparison *c, char buf[NOTE_BYTES])
{
	char	within[FORMAT_BYTES], between[FORMAT_BYTES];

	buf[0] = '\0';
	if (!isnan(c->within) && !isnan(c->between))
		(void)snprintf(buf, NOTE_BYTES, "within %s, between processes %s",
		    format_percent(c->within, within), format_percent(c->between, between));
}

static void
note_of(const struct result *r, char *buf, size_t bytes)
{
	const struct comparison	*c = &r->comparison.found;
	const char		*size = !is(c->tie_broken_by, "size") ? "" :
				    is(c->winner, "b") ? "has less code" : "has more code";
	const char		*check = check_note(r);

	char			 spreads[NOTE_BYTES];
	const char		*parts[] = { spreads, size, check };
	size_t			 used = 0;

	put_spreads(c, spreads);
	buf[0] = '\0';
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (parts[i][0] != '\0' && used < bytes)
			used += (size_t)snprintf(buf + used, bytes - used, "%s%s",
			    used > 0 ? "; " : "", parts[i]);
}

static enum status
add_compared(struct table *t, const struct result *r, struct fault *why)
{
	const struct comparison	*c = &r->comparison.found;
	char			 median[FORMAT_BYTES], ratio[FORMAT_BYTES];
	char			 interval[2 * FORMAT_BYTES] = "", pairs[FORMAT_BYTES] = "";
	char			 note[NOTE_BYTES];
	const char		*cells[NCELLS] = {
		or_empty(r->comparison.b.name),
		format_duration_ns(r->comparison.b.times.median_ns, median), ratio, interval,
		or_empty(c->verdict), pairs, note,
	};

	note_of(r, note, sizeof note);
	(void)snprintf(ratio, sizeof ratio, "%.4f", c->ratio);
	if (c->has_interval)
		(void)snprintf(interval, sizeof interval, "%.4f to %.4f", c->interval[0],
		    c->interval[1]);
	if (c->pairs != SHAPE_NO_SIZE)
		(void)snprintf(pairs, sizeof pairs, "%" PRIu64, c->pairs);
	return table_add(t, cells, why);
}

/* Any result that has a comparison has the first variant's side; NULL: all have failed. */
static const struct result *
any_compared(const struct results *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->at[i].has_comparison)
			return &r->at[i];
	return NULL;
}

enum status
compared_print(FILE *to, const struct results *r, size_t columns, struct fault *why)
{
	const struct result	*first = any_compared(r);
	struct table		*t;
	enum status		 st = table_new(&t, columns_of, why);

	if (st == ST_OK && first != NULL)
		st = add_first(t, first, why);
	for (size_t i = 0; st == ST_OK && i < r->n; i++)
		st = r->at[i].has_comparison ? add_compared(t, &r->at[i], why) :
		    add_failed(t, &r->at[i], why);
	if (st == ST_OK)
		table_print(t, to, columns);
	table_free(t);
	return st;
}
