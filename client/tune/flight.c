/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "client/connect/submit.h"
#include "client/print/results/results.h"
#include "client/print/results/row.h"
#include "client/tune/flight.h"

enum { LOOK_SAMPLES = 6 };		/* one of each process: enough for an interval */

/* Members of `timing` that decide how many samples there are. */
static bool
leaves_samples_open(const json_t *spec)
{
	static const char *const	members[] = {
		"samples", "processes", "interval", "max_samples", "layout", "layouts",
		"difference", "trust",
	};
	const json_t			*timing = json_object_get(spec, "timing");

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
		if (json_object_get(timing, members[i]) != NULL)
			return false;
	return json_object_get(spec, "checkpoint") == NULL;
}

void
flight_init(struct flight *f, struct connection *c, struct field *field, const json_t *common)
{
	memset(f, 0, sizeof *f);
	f->connection = c;
	f->field = field;
	f->common = common;
	f->may_race = field->ncells == 1 &&
	    leaves_samples_open(json_object_get(field->sweep, "spec"));
}

void
flight_release(struct flight *f)
{
	for (size_t i = 0; i < f->n; i++)
		record_release(&f->of[(f->first + i) % FLIGHT_MAX_WINDOW].record);
	f->n = 0;
}

/* ---- out ---- */

static void
shorten(json_t *job)
{
	json_t	*spec = json_copy(json_object_get(job, "spec"));
	json_t	*timing = json_copy(json_object_get(spec, "timing"));

	if (timing == NULL)
		timing = json_object();
	(void)json_object_set_new(timing, "samples", json_integer(LOOK_SAMPLES));
	(void)json_object_set_new(timing, "processes", json_integer(LOOK_SAMPLES));
	(void)json_object_set_new(spec, "timing", timing);
	(void)json_object_set_new(job, "spec", spec);
}

static void
ask_for_race(json_t *job, double limit_ns)
{
	(void)json_object_set_new(job, "race", json_pack("{s:f}", "above_ns",
	    FLIGHT_MARGIN * limit_ns));
}

static enum status
make_jobs(struct flight *f, struct flying *flying, json_t **jobs, struct fault *why)
{
	enum status	 st = ST_OK;
	json_t		*job;

	*jobs = json_array();
	flying->left = 0;
	for (size_t c = 0; st == ST_OK && c < f->field->ncells; c++) {
		if (!field_has(f->field, &flying->record.point, c))
			continue;
		if ((st = field_job(f->field, &flying->record.point, c, &job, why)) != ST_OK)
			break;
		if (f->common != NULL)
			(void)json_object_update_missing(job, (json_t *)(uintptr_t)f->common);
		if (flying->looks)
			shorten(job);
		else if (f->daemon_races && f->field->ncells == 1 && isfinite(flying->limit_ns))
			ask_for_race(job, flying->limit_ns);
		(void)json_array_append_new(*jobs, job);
		flying->record.cell[c].state = CELL_FAILED;	/* until it has a time */
		flying->left++;
	}
	return st;
}

/* The jobs' ids, in the order of the cells. */
static void
put_ids(struct flying *flying, const struct field *field, const json_t *ids)
{
	size_t	at = 0;

	for (size_t c = 0; c < field->ncells; c++)
		if (flying->record.cell[c].state != CELL_ABSENT)
			flying->record.cell[c].job =
			    json_integer_value(json_array_get(ids, at++));
}

static enum status
submit(struct flight *f, struct flying *flying, struct fault *why)
{
	struct submitted	 s = { NULL, 0 };
	json_t			*jobs;
	enum status		 st = make_jobs(f, flying, &jobs, why);

	if (st == ST_OK && (st = submit_jobs(f->connection, jobs, true, &s, why)) == ST_OK)
		put_ids(flying, f->field, s.ids);
	else if (st == ST_BAD_SPEC && fault_rename(why, "jobs[0]", ""))
		(void)points_blame(f->field->points, st, why);
	submitted_release(&s);
	json_decref(jobs);
	return st;
}

static struct flying *
next_place(struct flight *f)
{
	return &f->of[(f->first + f->n++) % FLIGHT_MAX_WINDOW];
}

enum status
flight_launch(struct flight *f, const struct point *p, double limit_ns, struct fault *why)
{
	struct flying	*flying = next_place(f);
	enum status	 st;

	*flying = (struct flying){ .limit_ns = limit_ns,
	    .looks = f->may_race && !f->daemon_races && isfinite(limit_ns) };
	if ((st = record_init(&flying->record, f->field, p, why)) != ST_OK ||
	    (st = submit(f, flying, why)) != ST_OK) {
		record_release(&flying->record);
		f->n--;
	}
	return st;
}

void
flight_add_known(struct flight *f, struct record *r)
{
	*next_place(f) = (struct flying){ .record = *r, .left = 0 };
}

/* ---- in ---- */

static struct flying *
find_job(struct flight *f, int64_t job, size_t *cell)
{
	for (size_t i = 0; i < f->n; i++) {
		struct flying	*flying = &f->of[(f->first + i) % FLIGHT_MAX_WINDOW];

		for (*cell = 0; flying->left > 0 && *cell < f->field->ncells; ++*cell)
			if (flying->record.cell[*cell].job == job)
				return flying;
	}
	return NULL;
}

static void
put_row(struct cell_time *c, const struct row *r)
{
	const bool	timed = r->status == ST_OK && isfinite(r->value_ns) && r->value_ns >= 0;

	c->state = timed ? CELL_TIMED : CELL_FAILED;
	c->ns = timed ? r->value_ns : NAN;
	c->low_ns = r->value_ci95_ns[0];
	c->high_ns = r->value_ci95_ns[1];
	if (r->status == ST_OK && r->raced)
		*c = (struct cell_time){ .state = CELL_BOUND, .ns = r->bound_ns,
		    .low_ns = r->bound_ns, .high_ns = NAN, .job = c->job };
	(void)snprintf(c->outcome, sizeof c->outcome, "%s", r->word);
	(void)snprintf(c->note, sizeof c->note, "%s", c->state != CELL_FAILED ? "" : r->note);
}

/* What the first look showed: enough, or the whole timing follows. */
static enum status
end_look(struct flight *f, struct flying *flying, struct cell_time *c, struct fault *why)
{
	if (c->state == CELL_TIMED && c->low_ns > flying->limit_ns) {
		c->state = CELL_BOUND;
		return ST_OK;
	}
	if (c->state == CELL_FAILED && strcmp(c->outcome, status_word(ST_TOO_NOISY)) != 0)
		return ST_OK;
	flying->looks = false;
	return submit(f, flying, why);
}

static enum status
take(struct flight *f, const json_t *document, struct fault *why)
{
	struct result	 result;
	struct row	 row;
	struct flying	*flying;
	size_t		 cell;
	enum status	 st;

	if ((st = results_read_one(&result, document, why)) != ST_OK)
		return st;
	flying = find_job(f, result.job, &cell);
	if (flying != NULL && !row_init(&row, &result)) {
		st = fault_set(why, ST_NOMEM, "result");
	} else if (flying != NULL) {
		struct cell_time	*c = &flying->record.cell[cell];

		put_row(c, &row);
		c->code_bytes = result.code_bytes != SHAPE_NO_SIZE ? result.code_bytes : 0;
		row_release(&row);
		flying->left--;
		if (flying->looks)
			st = end_look(f, flying, c, why);
	}
	result_release(&result);
	return st;
}

enum status
flight_land(struct flight *f, struct record *out, struct fault *why)
{
	struct flying	*first = &f->of[f->first];
	json_t		*params;
	enum status	 st = ST_OK;

	while (st == ST_OK && first->left > 0) {
		if ((st = connection_next(f->connection, -1, &params, why)) != ST_OK)
			break;
		if (json_object_get(params, "result") != NULL)
			st = take(f, json_object_get(params, "result"), why);
		json_decref(params);
	}
	if (st != ST_OK)
		return st;
	*out = first->record;
	first->record.cell = NULL;
	f->first = (f->first + 1) % FLIGHT_MAX_WINDOW;
	f->n--;
	return ST_OK;
}

json_t *
flight_jobs(const struct flight *f)
{
	json_t	*ids = json_array();

	for (size_t i = 0; i < f->n; i++) {
		const struct flying	*flying = &f->of[(f->first + i) % FLIGHT_MAX_WINDOW];

		for (size_t c = 0; flying->left > 0 && c < f->field->ncells; c++)
			if (flying->record.cell[c].job != 0)
				(void)json_array_append_new(ids,
				    json_integer((json_int_t)flying->record.cell[c].job));
	}
	return ids;
}
