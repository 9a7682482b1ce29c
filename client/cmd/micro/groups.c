/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/micro/groups.h"
#include "client/print/format.h"
#include "client/print/output.h"
#include "client/print/table.h"

static struct group *
group_of(struct groups *g, int64_t unroll)
{
	for (unsigned i = 0; i < g->n; i++)
		if (g->at[i].unroll == unroll)
			return &g->at[i];
	if (g->n == GROUPS_MAX)
		return NULL;
	g->at[g->n].unroll = unroll;
	for (unsigned level = 0; level < LEVELS; level++) {
		g->at[g->n].least[level] = g->at[g->n].each[level] = NAN;
		g->at[g->n].fastest[level] = INFINITY;
	}
	return &g->at[g->n++];
}

static bool
is_timed(const struct launch_row *row)
{
	return isfinite(row->value) && strcmp(row->status, status_word(ST_SUSPECT)) != 0;
}

/*
 * The fastest program is chosen by its call: the least of many differences is that of the program
 * that was most disturbed.
 */
static void
take(struct groups *g, const struct launch_row *row, unsigned level)
{
	struct group	*group = group_of(g, row->unroll);

	g->unit = row->unit;
	if (group == NULL || !isfinite(row->steady) || row->value >= group->fastest[level])
		return;
	group->fastest[level] = row->value;
	group->least[level] = row->steady;
	group->each[level] = row->accesses > 0 ? row->steady / (double)row->accesses : NAN;
}

/* Of the row or of a smaller size that its steady time needs. */
static void
take_loss(struct group_loss *loss, const struct launch_row *row)
{
	while (is_timed(row) && row->base != NULL)
		row = row->base;
	if (is_timed(row)) {
		loss->unsteady++;
		return;
	}
	if (strcmp(row->status, status_word(ST_CANCELLED)) == 0) {
		loss->left_out++;
		return;
	}
	if (loss->failed++ > 0)
		return;
	loss->status = row->status;
	loss->note = row->note;
}

static int
by_factor(const void *a, const void *b)
{
	const struct group	*x = a, *y = b;

	return (x->unroll > y->unroll) - (x->unroll < y->unroll);
}

static void
take_row(struct groups *g, const struct launch_row *row, unsigned level)
{
	if (is_timed(row))
		take(g, row, level);
	if (is_timed(row) && isfinite(row->steady)) {
		g->loss[level].timed++;
		g->loss[level].whole += row->base != NULL && row->steady >= row->value;
	} else {
		take_loss(&g->loss[level], row);
	}
}

void
groups_of(struct groups *g, const struct launch_rows *rows, const struct levels *levels)
{
	*g = (struct groups){ .unit = "" };
	for (size_t i = 0; i < rows->n; i++) {
		const struct launch_row	*row = &rows->at[i];

		if (row->is_real)
			continue;
		g->failed += !is_timed(row);
		for (unsigned level = 0; level < levels->n; level++)
			if (row->n == (double)levels->elements[level])
				take_row(g, row, level);
	}
	qsort(g->at, g->n, sizeof g->at[0], by_factor);
}

/* ---- printed ---- */

static enum status
add_group(struct table *t, const struct group *g, unsigned levels, struct fault *why)
{
	char		 unroll[FORMAT_BYTES], least[LEVELS][FORMAT_BYTES],
			 each[LEVELS][FORMAT_BYTES];
	const char	*cells[1 + 2 * LEVELS] = { unroll };

	(void)snprintf(unroll, sizeof unroll, "%lld", (long long)g->unroll);
	for (unsigned i = 0; i < levels; i++) {
		cells[1 + i] = isfinite(g->least[i]) ? format_number(g->least[i], least[i]) : "-";
		cells[1 + levels + i] = isfinite(g->each[i]) ? format_number(g->each[i], each[i]) :
		    isfinite(g->least[i]) ? NULL : "-";
	}
	return table_add(t, cells, why);
}

static void
put_unsteady(const char *level, const struct group_loss *loss, FILE *to)
{
	if (loss->unsteady > 0)
		(void)fprintf(to, "%s: %zu of %zu programs have no steady time: a call on a "
		    "smaller array took as long\n", level, loss->unsteady, loss->unsteady +
		    loss->timed + loss->failed + loss->left_out);
	if (loss->whole > 0)
		(void)fprintf(to, "%s: %zu of %zu programs were disturbed or make short calls: "
		    "what a call costs once is in their times\n", level, loss->whole, loss->timed);
}

static void
put_loss(const char *level, const struct group_loss *loss, FILE *to)
{
	put_unsteady(level, loss, to);
	if (loss->timed > 0 || loss->failed == 0)
		return;
	(void)fprintf(to, "%s: no time: %zu of %zu programs ended as %s", level, loss->failed,
	    loss->failed + loss->left_out + loss->unsteady, loss->status);
	if (loss->left_out > 0)
		(void)fprintf(to, ", and the other %zu were left out", loss->left_out);
	(void)fprintf(to, "%s%s\n", loss->note != NULL && loss->note[0] != '\0' ? ": " : "",
	    loss->note != NULL ? loss->note : "");
}

static void
put_doubt(const struct levels *l, FILE *to)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->doubted > 0 && strcmp(l->name[i], "memory") == 0)
			(void)fprintf(to, "memory: arrays of %lld MiB, which the host's last "
			    "cache of %lld MiB may hold; for others: --startvector ELEMENTS\n",
			    (long long)(l->bytes[i] >> 20), (long long)(l->doubted >> 20));
}

enum status
groups_print(const struct groups *g, const struct levels *levels, FILE *to, struct fault *why)
{
	struct table_column	 columns[2 + 2 * LEVELS] = { { "unroll", true } };
	char			 each[LEVELS][FORMAT_BYTES];
	struct table		*t;
	enum status		 st;

	for (unsigned i = 0; i < levels->n; i++) {
		(void)snprintf(each[i], sizeof each[i], "%s each", levels->name[i]);
		columns[1 + i] = (struct table_column){ levels->name[i], true };
		columns[1 + levels->n + i] = (struct table_column){ each[i], true };
	}
	columns[1 + 2 * levels->n] = (struct table_column){ NULL, false };
	if ((st = table_new(&t, columns, why)) != ST_OK)
		return st;
	for (unsigned i = 0; i < g->n && st == ST_OK; i++)
		st = add_group(t, &g->at[i], levels->n, why);
	if (st == ST_OK) {
		(void)fprintf(to, "Least %s of an iteration, and of each load or store in it:\n",
		    g->unit);
		table_print(t, to, output_columns());
	}
	table_free(t);
	for (unsigned i = 0; i < levels->n && st == ST_OK; i++)
		put_loss(levels->name[i], &g->loss[i], to);
	if (st == ST_OK)
		put_doubt(levels, to);
	return st;
}
