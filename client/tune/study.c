/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/search/strategy/strategy.h"
#include "client/tune/study.h"
#include "proto/base/clock.h"

static bool
is_stored(void *arg, const struct point *p, size_t known)
{
	const struct study	*s = arg;

	return known < s->field->grid.ndims || !isnan(s->value[grid_id(&s->field->grid, p)]);
}

static enum status
read_points(struct study *s, const struct logbook *j, const char *path, struct fault *why)
{
	struct record	 r = { .cell = NULL };
	json_t		*line;
	size_t		 i;
	enum status	 st;
	char		 place[256];

	json_array_foreach(j->lines, i, line) {
		if ((st = record_read(&r, s->field, line, why)) != ST_OK) {
			(void)snprintf(place, sizeof place, "%s:%zu", path, j->line[i]);
			return fault_within(why, place);
		}
		s->points += isnan(s->value[grid_id(&s->field->grid, &r.point)]);
		s->value[grid_id(&s->field->grid, &r.point)] =
		    record_is_timed(&r, s->field) ? r.value : INFINITY;
		if (record_is_timed(&r, s->field))
			s->optimum = fmin(s->optimum, r.value);
		record_release(&r);
	}
	return isfinite(s->optimum) ? ST_OK : fault_set(why, ST_BAD_SPEC,
	    "%s: has no point with a time", path);
}

enum status
study_open(struct study *s, const struct logbook *j, const char *path, struct fault *why)
{
	enum status	st;

	*s = (struct study){ .optimum = INFINITY };
	if ((st = field_open(&s->field, logbook_sweep(j->head), why)) != ST_OK)
		return fault_within(why, path);
	if (s->field->grid.size > STUDY_MAX_POINTS)
		return fault_set(why, ST_BAD_SPEC, "%s: a table of more than %d points", path,
		    STUDY_MAX_POINTS);
	if ((s->value = malloc(s->field->grid.size * sizeof *s->value)) == NULL)
		return fault_set(why, ST_NOMEM, "%s", path);
	for (uint64_t i = 0; i < s->field->grid.size; i++)
		s->value[i] = NAN;
	if ((st = read_points(s, j, path, why)) != ST_OK)
		return st;
	s->field->grid.admits = is_stored;
	s->field->grid.arg = s;
	return ST_OK;
}

void
study_close(struct study *s)
{
	field_free(s->field);
	free(s->value);
	memset(s, 0, sizeof *s);
}

/* One seed; adds to `out`.  Returns the evaluations made. */
static enum status
run_once(struct study *s, const char *name, uint64_t seed, const uint64_t *stops, size_t nstops,
    struct studied *out, uint64_t *made, struct fault *why)
{
	struct strategy	*strategy;
	struct point	 p;
	double		 best = INFINITY, value;
	uint64_t	 n = 0;
	size_t		 stop = 0;
	enum status	 st = strategy_new(&strategy, name, &s->field->grid, seed, why);

	while (st == ST_OK && stop < nstops) {
		if (n == stops[stop]) {
			out->ratio[stop++] += best / s->optimum;
			continue;
		}
		if (strategy_propose(strategy, 1, &p) == 0) {
			while (stop < nstops)
				out->ratio[stop++] += best / s->optimum;
			break;
		}
		value = s->value[grid_id(&s->field->grid, &p)];
		best = fmin(best, value);
		st = strategy_observe(strategy, &p, value, why);
		n++;
	}
	*made += n;
	strategy_free(strategy);
	return st;
}

enum status
study_run(struct study *s, const char *strategy, uint64_t seeds, const uint64_t *stops,
    size_t nstops, struct studied *out, struct fault *why)
{
	const uint64_t	began_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t	made = 0;
	enum status	st = ST_OK;

	*out = (struct studied){ .strategy = strategy };
	for (uint64_t seed = 1; st == ST_OK && seed <= seeds; seed++)
		st = run_once(s, strategy, seed, stops, nstops, out, &made, why);
	for (size_t i = 0; i < nstops; i++)
		out->ratio[i] /= (double)seeds;
	out->own_ms = (double)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - began_ns) / 1e6 /
	    (double)(made > 0 ? made : 1);
	return st;
}
