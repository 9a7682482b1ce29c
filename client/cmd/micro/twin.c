/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/job/document.h"
#include "client/cmd/micro/twin.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/table.h"

/* ---- the routine as variants ---- */

static enum status
add_factor(json_t *programs, const json_t *routine, int64_t unroll, struct fault *why)
{
	json_t	*variant = json_deep_copy(routine);

	(void)json_object_set_new(variant, "name", json_sprintf("%s u%d",
	    member_text(routine, "name"), (int)unroll));
	(void)json_object_set_new(variant, "defines", json_pack("{s:I}", "UNROLL",
	    (json_int_t)unroll));
	(void)json_object_set_new(variant, "meta", json_pack("{s:I, s:b}", "unroll",
	    (json_int_t)unroll, "real", true));
	return json_array_append_new(programs, variant) == 0 ? ST_OK :
	    fault_set(why, ST_NOMEM, "a routine");
}

static int64_t
factor_of(const json_t *program)
{
	const double	unroll = member_number(json_object_get(program, "meta"), "unroll");

	return unroll >= 1 && unroll < INT32_MAX ? (int64_t)unroll : 0;
}

/* A program in front of this one has its factor. */
static bool
is_known(const json_t *programs, size_t i)
{
	const int64_t	unroll = factor_of(json_array_get(programs, i));

	for (size_t k = 0; k < i; k++)
		if (factor_of(json_array_get(programs, k)) == unroll)
			return true;
	return unroll == 0;
}

enum status
twin_add_routine(json_t *programs, const char *file, struct fault *why)
{
	const size_t	 n = json_array_size(programs);
	json_t		*routine;
	enum status	 st = document_variant(file, &routine, why);

	if (st != ST_OK)
		return fault_within(why, "--twin-of");
	for (size_t i = 0; i < n && st == ST_OK; i++)
		if (!is_known(programs, i))
			st = add_factor(programs, routine, factor_of(json_array_get(programs, i)),
			    why);
	json_decref(routine);
	return st;
}

/* ---- pairs ---- */

static struct twin_pair *
pair_of(struct twins *t, const struct launch_row *row)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->at[i].n == row->n && t->at[i].unroll == row->unroll)
			return &t->at[i];
	if (t->n == TWIN_PAIRS)
		return NULL;
	t->at[t->n] = (struct twin_pair){ .n = row->n, .unroll = row->unroll, .twin = NAN,
	    .real = NAN, .predicted = NAN, .found = NAN };
	return &t->at[t->n++];
}

/* Their iterations are not those of each other: what both have in common is the call. */
static void
take(struct twins *t, const struct launch_row *row)
{
	const double		 call = isfinite(row->iterations) ?
				    row->value * row->iterations : row->value;
	struct twin_pair	*p = isfinite(call) &&
				    strcmp(row->status, status_word(ST_SUSPECT)) != 0 ?
				    pair_of(t, row) : NULL;
	double			*least;

	if (p == NULL)
		return;
	least = row->is_real ? &p->real : &p->twin;
	*least = fmin(*least, call);		/* of a number and NaN the number */
	t->unit = row->unit;
}

static int
by_size_and_factor(const void *a, const void *b)
{
	const struct twin_pair	*x = a, *y = b;

	return x->n != y->n ? (x->n > y->n) - (x->n < y->n) :
	    (x->unroll > y->unroll) - (x->unroll < y->unroll);
}

void
twins_of(struct twins *t, const struct launch_rows *rows)
{
	const struct twin_pair	*first = t->at;

	*t = (struct twins){ .unit = "" };
	for (size_t i = 0; i < rows->n; i++)
		take(t, &rows->at[i]);
	qsort(t->at, t->n, sizeof t->at[0], by_size_and_factor);
	for (unsigned i = 0; i < t->n; i++) {
		if (t->at[i].n != first->n)
			first = &t->at[i];
		t->at[i].predicted = 1 - t->at[i].twin / first->twin;
		t->at[i].found = 1 - t->at[i].real / first->real;
	}
}

/* ---- printed ---- */

static char *
put_number(double x, char *buf)
{
	return isfinite(x) ? format_number(x, buf) : NULL;
}

/* "8.2 %", "+0.8 %" */
static char *
put_percent(double x, bool signs, char *buf)
{
	if (!isfinite(x))
		return NULL;
	(void)snprintf(buf, FORMAT_BYTES, signs ? "%+.1f %%" : "%.1f %%", 100 * x);
	return buf;
}

static enum status
add_pair(struct table *t, const struct twin_pair *p, const char *unit, struct fault *why)
{
	char		 n[FORMAT_BYTES], unroll[FORMAT_BYTES], twin[FORMAT_BYTES],
			 real[FORMAT_BYTES], predicted[FORMAT_BYTES], found[FORMAT_BYTES],
			 error[FORMAT_BYTES];
	const char	*cells[] = {
		n, unroll, put_number(p->twin, twin), put_number(p->real, real), unit,
		put_percent(p->predicted, false, predicted), put_percent(p->found, false, found),
		put_percent(p->predicted - p->found, true, error),
	};

	(void)snprintf(n, sizeof n, "%.0f", p->n);
	(void)snprintf(unroll, sizeof unroll, "%" PRId64, p->unroll);
	return table_add(t, cells, why);
}

enum status
twins_print(const struct twins *twins, FILE *to, struct fault *why)
{
	static const struct table_column columns[] = {
		{ "elements", true }, { "unroll", true }, { "twin", true }, { "routine", true },
		{ "unit", false }, { "predicted gain", true }, { "gain", true },
		{ "error", true }, { NULL, false },
	};
	struct table	*t;
	enum status	 st = table_new(&t, columns, why);

	for (unsigned i = 0; i < twins->n && st == ST_OK; i++)
		st = add_pair(t, &twins->at[i], twins->unit, why);
	if (st == ST_OK)
		table_print(t, to, output_columns());
	table_free(t);
	return st;
}

void
twins_print_losses(const struct launch_rows *rows, FILE *to)
{
	size_t	lost = 0, programs = 0;

	for (size_t i = 0; i < rows->n; i++) {
		const struct launch_row	*row = &rows->at[i];

		programs += !row->is_real;
		if (isfinite(row->value))
			continue;
		lost += !row->is_real;
		if (row->is_real)
			(void)fprintf(to, "%s, %.0f elements: %s%s%s\n", row->kernel, row->n,
			    row->status, row->note[0] != '\0' ? ": " : "", row->note);
	}
	if (lost > 0)
		(void)fprintf(to, "%zu of %zu programs have no time; see: assay results --sweep "
		    "'%s'\n", lost, programs, rows->sweep);
}
