/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/tune/tuner.h"
#include "proto/base/clock.h"

static double
now_s(void)
{
	return (double)clock_now_ns() / 1e9;
}

enum status
tuner_open(struct tuner *t, const char *strategy, uint64_t seed, struct connection *c,
    const json_t *common, struct fault *why)
{
	t->began_s = now_s();
	flight_init(&t->flight, c, t->field, common);
	t->flight.daemon_races = t->daemon_races;
	return strategy_new(&t->strategy, strategy, &t->field->grid, seed, why);
}

void
tuner_close(struct tuner *t)
{
	strategy_free(t->strategy);
	flight_release(&t->flight);
	ledger_release(&t->ledger);
	ledger_release(&t->known);
	free(t->first);
	t->strategy = NULL;
	t->first = NULL;
}

enum status
tuner_begin_with(struct tuner *t, const struct point *p, struct fault *why)
{
	struct point	*more = realloc(t->first, (t->nfirst + 1) * sizeof *more);

	if (more == NULL)
		return fault_set(why, ST_NOMEM, "points");
	t->first = more;
	t->first[t->nfirst++] = *p;
	return ST_OK;
}

enum status
tuner_resume(struct tuner *t, const struct logbook *j, const char *path, struct fault *why)
{
	struct record	 r;
	enum status	 st;
	json_t		*line;
	size_t		 i;
	char		 place[256];

	json_array_foreach(j->lines, i, line) {
		if ((st = record_read(&r, t->field, line, why)) != ST_OK) {
			(void)snprintf(place, sizeof place, "%s:%zu", path, j->line[i]);
			return fault_within(why, place);
		}
		if ((st = ledger_add(&t->known, &r, t->field, why)) != ST_OK)
			return st;
	}
	return ST_OK;
}

/* ---- out ---- */

static bool
is_new(const struct tuner *t, const struct point *p)
{
	return trail_find(strategy_trail(t->strategy), grid_id(&t->field->grid, p)) == NULL;
}

/* Points to begin with, as far as the strategy does not know them; then its own. */
static bool
next_point(struct tuner *t, struct point *p)
{
	while (t->used_first < t->nfirst) {
		*p = t->first[t->used_first++];
		if (is_new(t, p) && grid_admits(&t->field->grid, p))
			return strategy_claim(t->strategy, p) == ST_OK;
	}
	return strategy_propose(t->strategy, 1, p) == 1;
}

/* The journal's next line if it is of this point. */
static bool
take_known(struct tuner *t, const struct point *p)
{
	struct record	*r;

	if (t->used_known == t->known.n)
		return false;
	r = &t->known.at[t->used_known];
	if (grid_id(&t->field->grid, &r->point) != grid_id(&t->field->grid, p))
		return false;
	t->used_known++;
	flight_add_known(&t->flight, r);
	r->cell = NULL;				/* it is the flight's now */
	return true;
}

static double
limit_ns(const struct tuner *t)
{
	const struct record	*best = ledger_best(&t->ledger);

	return t->races && best != NULL ? best->value : INFINITY;
}

static enum status
strayed(const struct tuner *t, struct fault *why)
{
	(void)fault_set(why, ST_CONFLICT, "the journal's point %zu is not the one that this search "
	    "proposes", t->used_known + 1);
	fault_hint(why, "it was written by another version, or with other first points; begin a "
	    "new search with --log");
	return ST_CONFLICT;
}

/* As many points as the window has room for. */
static enum status
launch(struct tuner *t, struct fault *why)
{
	struct point	p;
	enum status	st = ST_OK;

	while (st == ST_OK && t->flight.n < t->window) {
		t->end = budget_end_of(&t->budget, t->proposed, now_s() - t->began_s,
		    t->since_best);
		if (t->end == BUDGET_SECONDS && t->used_known < t->known.n)
			t->end = BUDGET_GOES_ON;	/* what is known takes no time */
		if (t->end != BUDGET_GOES_ON)
			break;
		if (!next_point(t, &p)) {
			if (t->flight.n == 0)
				t->end = BUDGET_NO_POINT;
			break;
		}
		if (t->field->failed) {
			*why = t->field->trouble;
			return why->status;
		}
		t->proposed++;
		if (take_known(t, &p))
			continue;
		if (t->used_known < t->known.n)
			return strayed(t, why);
		st = flight_launch(&t->flight, &p, limit_ns(t), why);
	}
	return st;
}

/* ---- in ---- */

static enum status
write_down(struct tuner *t, const struct record *r, struct fault *why)
{
	json_t	*line;
	char	*text;
	bool	 ok;

	if (t->log == NULL || t->ledger.n < t->known.n)
		return ST_OK;
	line = record_json(r, t->field);
	text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9));
	ok = text != NULL && fprintf(t->log, "%s\n", text) > 0 && fflush(t->log) == 0;
	free(text);
	json_decref(line);
	return ok ? ST_OK : fault_set(why, ST_IO, "the journal cannot be written");
}

static enum status
land(struct tuner *t, struct fault *why)
{
	struct record	r;
	const double	best = ledger_best(&t->ledger) != NULL ? ledger_best(&t->ledger)->value :
			    INFINITY;
	enum status	st;

	if ((st = flight_land(&t->flight, &r, why)) != ST_OK)
		return st;
	r.phase = t->phase;
	r.at_s = now_s() - t->began_s;
	r.value = objective_value(&t->objective, &r, t->field);
	t->since_best = r.value < best && !record_is_bound(&r, t->field) ? 0 : t->since_best + 1;
	if ((st = strategy_observe(t->strategy, &r.point, r.value, why)) == ST_OK)
		st = write_down(t, &r, why);
	if (st != ST_OK) {
		record_release(&r);
		return st;
	}
	if ((st = ledger_add(&t->ledger, &r, t->field, why)) == ST_OK && t->on_record != NULL)
		t->on_record(t->arg, t, &t->ledger.at[t->ledger.n - 1]);
	return st;
}

enum status
tuner_run(struct tuner *t, struct fault *why)
{
	enum status	st = launch(t, why);

	while (st == ST_OK && t->flight.n > 0)
		if ((st = land(t, why)) == ST_OK)
			st = launch(t, why);
	if (t->field->failed && st == ST_OK) {
		*why = t->field->trouble;
		st = why->status;
	}
	if (st == ST_CANCELLED)
		t->end = BUDGET_INTERRUPTED;
	t->took_s = now_s() - t->began_s;
	return st;
}
