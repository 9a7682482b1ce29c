/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/launch/rows.h"
#include "client/print/member.h"
#include "client/print/results/results.h"

enum {
	FIRST_ROWS = 64,
	RETIRED_MOST = 12,		/* instructions a cycle: the widest cores retire 8 to 10 */
};

void
launch_rows_init(struct launch_rows *r, const struct launch *l)
{
	*r = (struct launch_rows){ .launch = l };
}

void
launch_rows_release(struct launch_rows *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->at[i].kernel);
		free(r->at[i].status);
		free(r->at[i].note);
		free(r->at[i].metric_unit);
		json_decref(r->at[i].meta);
	}
	free(r->at);
	*r = (struct launch_rows){ .launch = r->launch };
}

static struct launch_row *
new_row(struct launch_rows *r)
{
	const size_t		 room = 2 * r->room + FIRST_ROWS;
	struct launch_row	*more;

	if (r->n == r->room) {
		if ((more = realloc(r->at, room * sizeof *more)) == NULL)
			return NULL;
		r->at = more;
		r->room = room;
	}
	r->at[r->n] = (struct launch_row){ .cpu = -1, .level = "", .steady = NAN };
	return &r->at[r->n++];
}

/* ---- of a result ---- */

static const char *
kernel_of(const struct result *r)
{
	const char	*name = member_text(r->meta, "variant");

	return name[0] != '\0' ? name : r->name != NULL ? r->name : "";
}

static void
take_offsets(struct launch_row *row, const struct launch *l, const struct technique *t)
{
	const struct operand_report	*operands = t->operands.at;
	int				 array;

	for (unsigned i = 0; i < SURVEY_MAX_ARRAYS; i++)
		row->offsets[i] = NAN;
	for (size_t i = 0; i < t->operands.n; i++)
		if (operands[i].name != NULL && sscanf(operands[i].name, "a%d", &array) == 1 &&
		    array >= 0 && (unsigned)array < l->survey.n)
			row->offsets[array] = operands[i].offset == SHAPE_NO_SIZE ? 0 :
			    (double)operands[i].offset;
}

/* What the time of a call is multiplied by to become a value; NaN: it cannot. */
static double
factor_of(const struct launch *l, const struct result *r)
{
	if (l->what == LAUNCH_FUNCTION)
		return 1;
	if (l->what == LAUNCH_RAW)
		return r->found.technique.calls == SHAPE_NO_SIZE ? NAN :
		    (double)r->found.technique.calls;
	return r->time.has_per_iteration ? 1 / r->time.per_iteration.iterations : NAN;
}

/* Cycles of the core in a nanosecond, as the result has them; NaN: it has none. */
static double
cycles_in_ns(const struct launch *l, const struct result_time *t)
{
	const struct result_iteration	*i = &t->per_iteration;

	if (strcmp(l->unit, "ns") == 0 || !t->has_per_iteration || i->cycles_by == NULL)
		return NAN;
	return i->cycles / i->median_ns;
}

/* The unit, and what a time of a call is multiplied by to become a value in it. */
static double
take_unit(struct launch_row *row, const struct launch *l, const struct result *r)
{
	const double	factor = factor_of(l, r), cycles = cycles_in_ns(l, &r->time);

	row->in_ns = isfinite(cycles) ? 1 / cycles : 1;
	if (isfinite(cycles))
		(void)snprintf(row->unit, sizeof row->unit, "cycles (%s)",
		    r->time.per_iteration.cycles_by);
	else
		(void)snprintf(row->unit, sizeof row->unit, "ns");
	if (!isfinite(cycles) && strcmp(l->unit, "cycles") == 0)
		return NAN;
	return isfinite(cycles) ? factor * cycles : factor;
}

static void
take_times(struct launch_row *row, const struct launch *l, const struct result *r)
{
	const double	factor = r->has_time ? take_unit(row, l, r) : NAN;

	row->iterations = r->has_time && r->time.has_per_iteration ?
	    r->time.per_iteration.iterations : NAN;
	row->value = r->time.value_ns * factor;
	row->min = r->time.raw.min_ns * factor;
	row->max = r->time.max_ns * factor;
	row->samples = r->has_time ? r->time.count : 0;
}

static const struct counter_report *
find_counter(const struct shape_list *counters, const char *name)
{
	const struct counter_report	*c = counters->at;

	for (size_t i = 0; i < counters->n; i++)
		if (c[i].name != NULL && c[i].absent == NULL && strcmp(c[i].name, name) == 0)
			return &c[i];
	return NULL;
}

/* As the value: of an iteration, a call or all calls of a sample. */
static void
take_counters(struct launch_row *row, const struct launch *l, const struct result *r)
{
	for (unsigned i = 0; i < LAUNCH_COUNTERS; i++) {
		const struct counter_report	*c = i >= l->ncounters ? NULL :
						    find_counter(&r->found.counters, l->counter[i]);

		row->counter[i] = c != NULL ? c->per_call * factor_of(l, r) : NAN;
	}
}

/* What took a time is not what was asked for. */
static void
forget_times(struct launch_row *row)
{
	row->value = row->min = row->max = NAN;
	row->samples = 0;
}

/* Of the median sample, as the time's value is: of an iteration, a call or all calls. */
static double
metric_value(const struct launch *l, const struct metric_report *m)
{
	if (l->what == LAUNCH_ITERATION)
		return m->has_per_iteration ? m->per_iteration.median : NAN;
	if (!m->has_per_call || m->calls == SHAPE_NO_SIZE)
		return NAN;
	return m->per_call.median * (l->what == LAUNCH_RAW ? (double)m->calls : 1);
}

/* The kernel may be fine, and its evaluation library not: the note says whose reason it is. */
static char *
note_of_absent(const struct metric_report *m)
{
	const bool	 is_named = m->name != NULL && strcmp(m->name, "metric") != 0;
	char		*words = NULL;

	return asprintf(&words, "metric%s%s (evaluation library): %s", is_named ? " " : "",
	    is_named ? m->name : "", m->absent) < 0 ? NULL : words;
}

/* One that is absent has its reason in the note, if there is none of the outcome's. */
static bool
take_metric(struct launch_row *row, const struct launch *l, const struct shape_list *metrics)
{
	const struct metric_report	*m = metrics->at;

	row->metric = NAN;
	if (metrics->n == 0)
		return true;
	row->metric = metric_value(l, m);
	if (m->absent != NULL && row->note != NULL && row->note[0] == '\0') {
		free(row->note);
		row->note = note_of_absent(m);
	}
	return m->unit == NULL || (row->metric_unit = strdup(m->unit)) != NULL;
}

/* Another outcome than the daemon's, with its reason; a wrong answer has no time. */
static bool
overrule(struct launch_row *row, enum status st, const char *reason)
{
	free(row->status);
	free(row->note);
	row->status = strdup(status_word(st));
	row->note = strdup(reason);
	if (st == ST_WRONG_ANSWER)
		forget_times(row);
	return row->status != NULL && row->note != NULL;
}

/* The number of elements that the program was given, by its description as many as it takes. */
static double
count_of(const struct launch_row *row, const struct launch *l)
{
	return l->trips > 0 ? (double)l->trips : floor(row->n / (double)l->max_stride);
}

/*
 * A program whose loop is known adds `counts` to what it returns in each of n / step passes.  So it
 * does in any sweep; the daemon can compare only where that is one expression for all programs.
 */
static bool
judge_iterations(struct launch_row *row, const struct launch *l, const struct result *r)
{
	const double	passes = floor(count_of(row, l) / member_number(r->meta, "step"));
	const double	wanted = passes * member_number(r->meta, PROGRAM_COUNTS);
	char		words[160];

	if (strcmp(l->iterations, "return") != 0 || !isfinite(wanted) ||
	    !isfinite(row->iterations) || row->iterations == wanted ||
	    !json_is_true(json_object_get(r->meta, "straight")))
		return true;
	(void)snprintf(words, sizeof words, "the program returned %.0f iterations, and its "
	    "description makes %.0f", row->iterations, wanted);
	return overrule(row, ST_WRONG_ANSWER, words);
}

/*
 * A program's time is that of n / step passes through its loop, whatever it returns.  Where a core
 * cannot retire as many instructions in it, the program did not do what its description says.
 */
static bool
judge_program(struct launch_row *row, const struct launch *l, const struct result *r)
{
	const double	passes = floor(count_of(row, l) / member_number(r->meta, "step"));
	const double	instructions = passes * member_number(r->meta, "instructions");
	const double	cycles = r->has_time && r->time.has_per_iteration &&
			    r->time.per_iteration.cycles_by != NULL ? r->time.value_ns *
			    r->time.per_iteration.cycles / r->time.per_iteration.median_ns : NAN;
	char		words[160];

	if (!json_is_true(json_object_get(r->meta, "straight")) ||
	    !(instructions > RETIRED_MOST * cycles) || !isfinite(instructions))
		return true;
	(void)snprintf(words, sizeof words, "%.4g cycles for %.0f instructions: more than %d a "
	    "cycle, which no core retires", cycles, instructions, RETIRED_MOST);
	return overrule(row, ST_SUSPECT, words);
}

static void
take_program(struct launch_row *row, const struct launch *l, json_t *meta)
{
	const double	loads = member_number(meta, "loads"),
			stores = member_number(meta, "stores"),
			unroll = member_number(meta, "unroll");

	row->is_real = json_is_true(json_object_get(meta, "real"));
	row->unroll = unroll >= 1 && unroll < INT32_MAX ? (int64_t)unroll : 0;
	row->accesses = loads >= 0 && stores >= 0 && loads + stores < INT32_MAX ?
	    (int64_t)(loads + stores) : 0;
	row->meta = l->has_programs ? json_incref(meta) : NULL;
	for (unsigned i = 0; i < l->nlisted; i++) {
		if (row->n == (double)l->listed[i] && l->level[i] != NULL)
			row->level = l->level[i];
		row->is_base |= row->n == (double)l->base[i];
	}
}

static enum status
add(struct launch_rows *rows, const struct result *r, struct launch_row **out, struct fault *why)
{
	struct launch_row	*row = *out = new_row(rows);

	if (row == NULL)
		return fault_set(why, ST_NOMEM, "a row");
	row->job = r->job;
	row->copies = r->has_time && r->time.cores.n > 0 ? (int64_t)r->time.cores.n : 1;
	row->kernel = strdup(kernel_of(r));
	row->status = strdup(r->status != NULL ? r->status : "");
	row->note = strdup(r->detail != NULL && results_outcome(r) != ST_OK ? r->detail : "");
	row->n = member_number(r->params, "N");
	row->khz = member_number(r->meta, LAUNCH_KHZ);
	take_program(row, rows->launch, r->meta);
	take_offsets(row, rows->launch, &r->found.technique);
	take_times(row, rows->launch, r);
	take_counters(row, rows->launch, r);
	if (results_outcome(r) == ST_WRONG_ANSWER)
		forget_times(row);
	if (!take_metric(row, rows->launch, &r->found.metrics) || row->kernel == NULL ||
	    row->status == NULL || row->note == NULL ||
	    !judge_program(row, rows->launch, r) || !judge_iterations(row, rows->launch, r))
		return fault_set(why, ST_NOMEM, "a row");
	return ST_OK;
}

/* The row of a job as that of one of its cores. */
static void
take_core(struct launch_row *row, const struct launch *l, const struct result *r,
    const struct result_core *core)
{
	const double	factor = take_unit(row, l, r);

	row->cpu = (int)core->cpu;
	if (strcmp(row->status, status_word(ST_WRONG_ANSWER)) == 0)
		return;
	row->value = core->times.median_ns * factor;
	row->min = core->times.min_ns * factor;
	row->max = core->max_ns * factor;
}

enum status
launch_rows_add(struct launch_rows *rows, const struct result *r, struct fault *why)
{
	const struct result_core	*cores = r->time.cores.at;
	const size_t			 n = r->has_time ? r->time.cores.n : 0;
	struct launch_row		*row;
	enum status			 st = ST_OK;

	if (n == 0)
		return add(rows, r, &row, why);
	for (size_t i = 0; i < n && st == ST_OK; i++)
		if ((st = add(rows, r, &row, why)) == ST_OK)
			take_core(row, rows->launch, r, &cores[i]);
	return st;
}

static int
by_job(const void *a, const void *b)
{
	const struct launch_row	*x = a, *y = b;

	return x->job != y->job ? (x->job > y->job) - (x->job < y->job) : x->cpu - y->cpu;
}

static bool
have_one_unit(const struct launch_rows *r)
{
	const char	*unit = NULL;

	for (size_t i = 0; i < r->n; i++) {
		if (!isfinite(r->at[i].value))
			continue;
		if (unit != NULL && strcmp(unit, r->at[i].unit) != 0)
			return false;
		unit = r->at[i].unit;
	}
	return true;
}

static void
make_ns(struct launch_row *row)
{
	row->value *= row->in_ns;
	row->min *= row->in_ns;
	row->max *= row->in_ns;
	row->in_ns = 1;
	(void)snprintf(row->unit, sizeof row->unit, "ns");
}

void
launch_rows_settle(struct launch_rows *r)
{
	if (r->n > 1)
		qsort(r->at, r->n, sizeof *r->at, by_job);
	if (have_one_unit(r))
		return;
	for (size_t i = 0; i < r->n; i++)
		make_ns(&r->at[i]);
}

int
launch_rows_exit_code(const struct launch_rows *r)
{
	enum status	st;

	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->at[i].status, "ok") != 0)
			return status_exit_code(status_from_word(&st, r->at[i].status) ? st :
			    ST_INTERNAL);
	return 0;
}
