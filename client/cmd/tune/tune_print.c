/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "client/cmd/tune/tune_print.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/table.h"
#include "client/tune/front.h"

enum { WORDS_BYTES = 512, STUDY_COLUMNS = 2 };

char *
tune_value_words(const struct tuner *t, double value, char *buf)
{
	if (t->objective.of == OF_CODE) {
		(void)snprintf(buf, FORMAT_BYTES, "%.0f bytes", value);
		return buf;
	}
	return t->field->ncells == 1 ? format_duration_ns(value, buf) : format_number(value, buf);
}

static void
print_counts(const struct tuner *t)
{
	const struct tally	n = finish_tally(t);

	(void)printf("%zu point%s", t->ledger.n, t->ledger.n == 1 ? "" : "s");
	if (n.stopped > 0)
		(void)printf(", %zu stopped early", n.stopped);
	if (n.failed > 0)
		(void)printf(", %zu failed", n.failed);
	(void)printf("; ended by: %s\n", budget_end_name(t->end));
}

static void
print_failures(const struct tuner *t)
{
	const struct record	*r = NULL;

	for (size_t i = 0; r == NULL && i < t->ledger.n; i++)
		if (!record_is_timed(&t->ledger.at[i], t->field) &&
		    !record_is_bound(&t->ledger.at[i], t->field))
			r = &t->ledger.at[i];
	for (size_t c = 0; r != NULL && c < t->field->ncells; c++)
		if (r->cell[c].state == CELL_FAILED) {
			(void)printf("first failure: job %" PRId64 ": %s%s%s\n", r->cell[c].job,
			    r->cell[c].outcome, r->cell[c].note[0] != '\0' ? ": " : "",
			    r->cell[c].note);
			break;
		}
}

/* Gains are over the first point that has a time there. */
static double
first_ns(const struct tuner *t, size_t cell)
{
	for (size_t i = 0; i < t->ledger.n; i++)
		if (t->ledger.at[i].cell[cell].state == CELL_TIMED)
			return t->ledger.at[i].cell[cell].ns;
	return NAN;
}

static void
print_ties(const json_t *confirmed)
{
	const json_t	*ties = json_object_get(confirmed, "ties"), *tie;
	size_t		 i;

	json_array_foreach(ties, i, tie)
		(void)printf("%s %s", i == 0 ? "  indistinguishable from" : ",",
		    member_text(tie, "name"));
	(void)printf("%s", i > 0 ? "\n" : "");
	if (json_is_string(json_object_get(confirmed, "tie_broken_by")))
		(void)printf("  of these it has the least code\n");
}

static void
print_winner(const struct finish *f, const struct tuner *t, size_t at, size_t cell)
{
	const struct record	*r = &t->ledger.at[at];
	const struct cell_time	*c = &r->cell[cell];
	char			 words[WORDS_BYTES], where[WORDS_BYTES], a[FORMAT_BYTES];
	char			 b[FORMAT_BYTES];

	if (t->field->ncells > 1)
		(void)printf("%s: ", field_cell_words(t->field, cell, where, sizeof where));
	(void)printf("%s\n", field_words(t->field, &r->point, words, sizeof words));
	if (c->state == CELL_TIMED)
		(void)printf("  %s, %s over the first point (job %" PRId64 ")%s\n",
		    format_duration_ns(c->ns, a), format_ratio(first_ns(t, cell) / c->ns, b),
		    c->job, f->confirmed[cell] != NULL ? ", timed in turn with the next best" :
		    "");
	print_ties(f->confirmed[cell]);
}

/* What is faster has more code. */
static void
print_front(const struct tuner *t)
{
	size_t	at[FRONT_MAX], n = front_find(&t->ledger, t->field, at);
	char	words[WORDS_BYTES], value[FORMAT_BYTES];

	(void)printf("no other point is as fast with as little code:\n");
	for (size_t i = 0; i < n; i++) {
		const struct record	*r = &t->ledger.at[at[i]];

		(void)printf("  %s, %" PRIu64 " bytes: %s\n", tune_value_words(t, r->value,
		    value), record_code_bytes(r, t->field), field_words(t->field, &r->point,
		    words, sizeof words));
	}
}

void
tune_print_outcome(const struct finish *f, const struct tuner *t)
{
	print_counts(t);
	print_failures(t);
	if (f->overall >= t->ledger.n) {
		(void)printf("no point has a time\n");
		return;
	}
	for (size_t c = 0; c < t->field->ncells; c++) {
		const size_t	at = t->objective.over == OVER_EACH ? f->winner[c] : f->overall;

		if (at < t->ledger.n && t->ledger.at[at].cell[c].state != CELL_ABSENT)
			print_winner(f, t, at, c);
	}
	if (t->objective.of == OF_PARETO)
		print_front(t);
}

/* ---- studies ---- */

enum status
tune_print_studies(const struct studied *s, size_t n, const uint64_t *stops, size_t nstops,
    struct fault *why)
{
	struct table_column	 columns[STUDY_COLUMNS + STUDY_MAX_STOPS + 1] = {
		{ "strategy", false },
	};
	char			 heading[STUDY_MAX_STOPS][32];
	char			 text[STUDY_MAX_STOPS + 1][FORMAT_BYTES];
	const char		*cells[STUDY_COLUMNS + STUDY_MAX_STOPS];
	struct table		*t;
	enum status		 st;

	for (size_t i = 0; i < nstops; i++) {
		(void)snprintf(heading[i], sizeof heading[i], "after %" PRIu64, stops[i]);
		columns[1 + i] = (struct table_column){ heading[i], true };
	}
	columns[1 + nstops] = (struct table_column){ "ms/point", true };
	if ((st = table_new(&t, columns, why)) != ST_OK)
		return st;
	for (size_t k = 0; st == ST_OK && k < n; k++) {
		cells[0] = s[k].strategy;
		for (size_t i = 0; i < nstops; i++) {
			(void)snprintf(text[i], sizeof text[i], "%.3f", s[k].ratio[i]);
			cells[1 + i] = text[i];
		}
		(void)snprintf(text[nstops], sizeof text[nstops], "%.3f", s[k].own_ms);
		cells[1 + nstops] = text[nstops];
		st = table_add(t, cells, why);
	}
	if (st == ST_OK)
		table_print(t, stdout, output_columns());
	table_free(t);
	return st;
}
