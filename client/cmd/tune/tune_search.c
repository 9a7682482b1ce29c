/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client/cmd/job/document.h"
#include "client/cmd/tune/tune_print.h"
#include "client/cmd/tune/tune_search.h"
#include "client/connect/interrupt.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/tune/first.h"

enum {
	BEGIN_POINTS = 5,
	MADE_FIRST = 3,				/* of the first parameter's values */
	HOST_TRIES = 100, HOST_PAUSE_NS = 100 * 1000 * 1000,
};

/* ---- as it goes ---- */

static void
on_record(void *arg, const struct tuner *tuner, const struct record *r)
{
	struct tuning		*t = arg;
	const struct record	*best = ledger_best(&tuner->ledger);
	char			 words[256], value[FORMAT_BYTES], line[400] = "nothing timed yet";
	struct fault		 none;
	json_t			*o;

	if (t->cli->ndjson) {
		o = record_json(r, tuner->field);
		(void)output_line(o, &none);
		json_decref(o);
	}
	if (best != NULL)
		(void)snprintf(line, sizeof line, "best %s: %s", tune_value_words(tuner,
		    best->value, value), field_words(tuner->field, &best->point, words,
		    sizeof words));
	progress_show(&t->progress, tuner->ledger.n, tuner->budget.evaluations, line);
}

/* As many points as keep all builders and slots at work, and one more. */
static unsigned
window_of(struct tuning *t)
{
	json_t		*info;
	struct fault	 none;
	size_t		 n = 2;

	if (t->how.window > 0)
		return (unsigned)t->how.window;
	if (connection_call(t->session.connection, "server.info", NULL, &info, &none) == ST_OK) {
		n = (size_t)json_integer_value(json_object_get(info, "builders")) +
		    json_array_size(json_object_get(info, "slots"));
		json_decref(info);
	}
	return (unsigned)(n + 1 < FLIGHT_MAX_WINDOW ? n + 1 : FLIGHT_MAX_WINDOW);
}

/* ---- its journal ---- */

/* FILE, and FILE.2 for the second phase. */
static enum status
open_journal(struct tuning *t, struct tune_search *s, const char *base, unsigned phase,
    struct fault *why)
{
	char		 path[4096], *text;
	size_t		 bytes;
	enum status	 st;

	(void)snprintf(path, sizeof path, phase == 0 ? "%s" : "%s.%u", base, phase + 1);
	if (t->how.resume != NULL && (phase == 0 || access(path, F_OK) == 0)) {
		if ((st = document_text(path, &text, &bytes, why)) != ST_OK)
			return st;
		st = logbook_read(&s->journal, path, text, bytes, why);
		free(text);
		if (st != ST_OK)
			return st;
		t->how.window = json_integer_value(json_object_get(s->journal.head, "window"));
		if (t->how.window < 1 || t->how.window > FLIGHT_MAX_WINDOW)
			return fault_set(why, ST_BAD_SPEC, "%s:1: its window is out of range",
			    path);
		if (truncate(path, (off_t)s->journal.whole_bytes) != 0)
			return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	} else if (access(path, F_OK) == 0) {
		(void)fault_set(why, ST_CONFLICT, "%s: is there already", path);
		fault_hint(why, "to go on with that search: --resume %s", base);
		return ST_CONFLICT;
	}
	if ((s->file = fopen(path, "a")) == NULL)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	return ST_OK;
}

static enum status
begin_journal(struct tune_search *s, const char *path, struct fault *why)
{
	enum status	 st;
	char		*text;

	if (s->journal.head != NULL) {
		if ((st = logbook_agrees(s->journal.head, s->head, why)) == ST_OK)
			st = tuner_resume(&s->tuner, &s->journal, path, why);
		return st;
	}
	text = json_dumps(s->head, JSON_COMPACT);
	(void)fprintf(s->file, "%s\n", text != NULL ? text : "");
	free(text);
	return fflush(s->file) == 0 ? ST_OK : fault_set(why, ST_IO, "%s: %s", path,
	    strerror(errno));
}

/* ---- what it begins with ---- */

static enum status
ask_host(struct tuning *t, struct fault *why)
{
	json_decref(t->host);
	t->host = NULL;
	return connection_call(t->session.connection, "host.get", NULL, &t->host, why);
}

/* A daemon that has just begun does not know its compilers yet. */
enum status
tune_search_host(struct tuning *t, struct fault *why)
{
	const struct timespec	pause = { .tv_nsec = HOST_PAUSE_NS };
	enum status		st = ask_host(t, why);

	for (unsigned i = 0; i < HOST_TRIES && st == ST_OK && interrupt_came() == 0 &&
	    json_array_size(json_object_get(t->host, "compilers")) == 0; i++) {
		(void)nanosleep(&pause, NULL);
		st = ask_host(t, why);
	}
	return st;
}

/*
 * Variants that were made of a source: first the source itself, then those that promise most, for
 * this CPU alone with each compiler.
 */
static enum status
begin_with_made(struct tune_search *s, struct fault *why)
{
	const struct field	*f = s->field;
	struct point		 p = { .at = { 0 } };
	enum status		 st = tuner_begin_with(&s->tuner, &p, why);
	size_t			 compiler = f->grid.ndims;

	for (size_t d = 0; d < f->grid.ndims; d++) {
		if (strcmp(field_name(f, d), "flags") == 0)
			p.at[d] = f->grid.values[d] - 1;
		else if (strcmp(field_name(f, d), "compiler") == 0)
			compiler = d;
	}
	for (uint32_t k = 1; st == ST_OK && k <= MADE_FIRST && k < f->grid.values[f->made_at];
	    k++) {
		const uint32_t	n = compiler < f->grid.ndims ? f->grid.values[compiler] : 1;

		p.at[f->made_at] = k;
		for (uint32_t i = 0; st == ST_OK && i < n; i++) {
			if (compiler < f->grid.ndims)
				p.at[compiler] = i;
			st = tuner_begin_with(&s->tuner, &p, why);
		}
	}
	return st;
}

static enum status
begin_with_facts(struct tuning *t, struct tune_search *s, struct fault *why)
{
	const json_t	*first = json_object_get(t->tune, "first");
	struct point	 p = { .at = { 0 } };
	bool		 found;
	enum status	 st;

	if (first == NULL)
		return s->field->made.ndims > 0 ? begin_with_made(s, why) : ST_OK;
	if (t->host == NULL && (st = ask_host(t, why)) != ST_OK)
		return st;
	if ((st = first_point(s->field, first, t->host, &p, &found, why)) != ST_OK || !found)
		return st;
	return tuner_begin_with(&s->tuner, &p, why);
}

/* A journal of another kind of host is a guess at best. */
static enum status
remark_host(struct tuning *t, const json_t *head, struct fault *why)
{
	const char	*was = member_text(head, "cpu_model");
	enum status	 st = t->host != NULL ? ST_OK : ask_host(t, why);

	if (st == ST_OK && !t->cli->quiet && strcmp(was, member_text(t->host, "cpu_model")) != 0)
		(void)fprintf(stderr, "assay: %s is of another kind of host: %s\n", t->how.begin,
		    was[0] != '\0' ? was : "unknown");
	return st;
}

/* In all its cells; a bound is no time. */
static bool
is_timed(const json_t *line)
{
	const json_t	*cell;
	size_t		 i;

	json_array_foreach(json_object_get(line, "cells"), i, cell)
		if (strcmp(member_text(cell, "status"), "ok") != 0)
			return false;
	return true;
}

/* The best points of the journal that are in this space, the best first. */
static enum status
begin_with_best(struct tuning *t, struct tune_search *s, const struct logbook *j,
    struct fault *why)
{
	double		last = 0, best;
	struct point	p = { .at = { 0 } }, found;
	size_t		n = 0, i;
	enum status	st = ST_OK;

	for (best = 1; st == ST_OK && n < BEGIN_POINTS && isfinite(best); last = best) {
		const json_t	*line;

		best = INFINITY;
		json_array_foreach(j->lines, i, line) {
			const double	value = member_number(line, "value");

			if (!(value > last && value < best) || !is_timed(line) ||
			    !field_find(s->field, json_object_get(line, "point"), &p))
				continue;
			best = value;
			found = p;
		}
		if (isfinite(best) && (st = tuner_begin_with(&s->tuner, &found, why)) == ST_OK)
			n++;
	}
	if (st == ST_OK && n == 0)
		st = fault_set(why, ST_BAD_SPEC, "%s: none of its points is in this space",
		    t->how.begin);
	return st;
}

static enum status
begin_with_journal(struct tuning *t, struct tune_search *s, struct fault *why)
{
	struct logbook	 j = { .head = NULL };
	char		*text = NULL;
	size_t		 bytes;
	enum status	 st;

	if (t->how.begin == NULL || s != t->search)
		return ST_OK;
	if ((st = document_text(t->how.begin, &text, &bytes, why)) == ST_OK &&
	    (st = logbook_read(&j, t->how.begin, text, bytes, why)) == ST_OK &&
	    (st = remark_host(t, j.head, why)) == ST_OK)
		st = begin_with_best(t, s, &j, why);
	logbook_release(&j);
	free(text);
	return st;
}

/* A journal says what it was measured on. */
static enum status
note_host(struct tuning *t, struct tune_search *s, struct fault *why)
{
	enum status	st = t->host != NULL ? ST_OK : ask_host(t, why);

	if (st == ST_OK)
		(void)json_object_set(s->head, "cpu_model", json_object_get(t->host,
		    "cpu_model"));
	return st;
}

/* ---- the whole ---- */

enum status
tune_search_open(struct tuning *t, struct tune_search *s, struct fault *why)
{
	const char	*journal = t->how.log != NULL ? t->how.log : t->how.resume;
	struct tuner	*tuner = &s->tuner;
	unsigned	 phase = (unsigned)(s - t->search);
	enum status	 st;

	if (journal != NULL && (st = open_journal(t, s, journal, phase, why)) != ST_OK)
		return st;
	tuner->field = s->field;
	tuner->objective = (struct objective){ .over = t->how.over == NULL ? OVER_MEAN :
	    (enum objective_over)tune_word(objective_over_words, t->how.over),
	    .of = t->how.objective == NULL ? OF_TIME :
	    (enum objective_of)tune_word(objective_of_words, t->how.objective) };
	tuner->budget = (struct budget){ .evaluations = (uint64_t)t->how.evaluations,
	    .seconds = t->how.seconds, .no_progress = (uint64_t)t->how.no_progress };
	tuner->window = window_of(t);
	tuner->phase = phase;
	tuner->races = !t->how.no_race && tuner->objective.of == OF_TIME;
	tuner->daemon_races = t->how.race;
	tuner->log = s->file;
	tuner->on_record = on_record;
	tuner->arg = t;
	if ((st = tuner_open(tuner, t->how.strategy, (uint64_t)t->how.seed, t->session.connection,
	    t->common, why)) != ST_OK)
		return st;
	s->head = logbook_head(s->field, t->how.strategy, (uint64_t)t->how.seed, tuner->window);
	if (journal != NULL && ((st = note_host(t, s, why)) != ST_OK ||
	    (st = begin_journal(s, journal, why)) != ST_OK))
		return st;
	if ((st = begin_with_journal(t, s, why)) != ST_OK)
		return st;
	return begin_with_facts(t, s, why);
}

enum status
tune_search_run(struct tuning *t, struct tune_search *s, struct fault *why)
{
	enum status	st;

	t->tuner = &s->tuner;
	connection_stop_on_interrupt(t->session.connection, true);
	st = tuner_run(&s->tuner, why);
	connection_stop_on_interrupt(t->session.connection, false);
	progress_clear(&t->progress);
	if (st != ST_OK)
		return st;
	return finish_search(&s->finish, &s->tuner, (size_t)t->how.top, t->how.error,
	    &t->progress, why);
}

void
tune_search_close(struct tune_search *s)
{
	tuner_close(&s->tuner);
	finish_release(&s->finish);
	field_free(s->field);
	json_decref(s->head);
	logbook_release(&s->journal);
	if (s->file != NULL)
		(void)fclose(s->file);
}
