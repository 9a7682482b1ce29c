/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay tune: search the space of a sweep for its fastest variant.  A strategy proposes points, a
 * daemon times them as ordinary jobs, and the best few are timed in turn at the end.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/document.h"
#include "client/cmd/tune_document.h"
#include "client/cmd/tune_print.h"
#include "client/cmd/tune_replay.h"
#include "client/cmd/tune_save.h"
#include "client/connect/interrupt.h"
#include "client/connect/session.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/tune/first.h"

enum { EVALUATIONS = 100, TOP = 3, PHASES = 2, PHASE_POINTS = 5, SEED = 1 };
#define ERROR	0.05

struct tuning {
	struct cli		*cli;
	struct tune_choice	 choice;
	struct tune_replay	 replay;
	struct tune_save	 save;
	const char		*path, *strategy, *log, *resume, *over;
	int64_t			 evaluations, no_progress, seed, top, window;
	double			 seconds, error;
	bool			 no_race, two_phase, print;

	json_t			*sweep, *tune, *common, *host;	/* owned */
	struct session		 session;
	struct progress		 progress;
	struct tuner		*tuner;		/* borrowed; the one at work */
	struct tune_search {
		struct field	*field;		/* owned */
		struct tuner	 tuner;
		struct finish	 finish;
		json_t		*head;		/* owned */
		struct logbook	 journal;
		FILE		*file;		/* owned */
	}			 search[PHASES];
	unsigned		 phases;
	json_t			*document;	/* owned; of the last phase */
};

/* ---- one search ---- */

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

	if (t->window > 0)
		return (unsigned)t->window;
	if (connection_call(t->session.connection, "server.info", NULL, &info, &none) == ST_OK) {
		n = (size_t)json_integer_value(json_object_get(info, "builders")) +
		    json_array_size(json_object_get(info, "slots"));
		json_decref(info);
	}
	return (unsigned)(n + 1 < FLIGHT_MAX_WINDOW ? n + 1 : FLIGHT_MAX_WINDOW);
}

/* FILE, and FILE.2 for the second phase. */
static enum status
open_journal(struct tuning *t, struct tune_search *s, const char *base, unsigned phase,
    struct fault *why)
{
	char		 path[4096], *text;
	size_t		 bytes;
	enum status	 st;

	(void)snprintf(path, sizeof path, phase == 0 ? "%s" : "%s.%u", base, phase + 1);
	if (t->resume != NULL && (phase == 0 || access(path, F_OK) == 0)) {
		if ((st = document_text(path, &text, &bytes, why)) != ST_OK)
			return st;
		st = logbook_read(&s->journal, path, text, bytes, why);
		free(text);
		if (st != ST_OK)
			return st;
		t->window = json_integer_value(json_object_get(s->journal.head, "window"));
		if (t->window < 1 || t->window > FLIGHT_MAX_WINDOW)
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

static enum status
begin_with_facts(struct tuning *t, struct tune_search *s, struct fault *why)
{
	const json_t	*first = json_object_get(t->tune, "first");
	struct point	 p = { .at = { 0 } };
	bool		 found;
	enum status	 st;

	if (first == NULL)
		return ST_OK;
	if (t->host == NULL && (st = connection_call(t->session.connection, "host.get", NULL,
	    &t->host, why)) != ST_OK)
		return st;
	if ((st = first_point(s->field, first, t->host, &p, &found, why)) != ST_OK || !found)
		return st;
	return tuner_begin_with(&s->tuner, &p, why);
}

static enum status
set_up(struct tuning *t, struct tune_search *s, struct fault *why)
{
	const char	*journal = t->log != NULL ? t->log : t->resume;
	struct tuner	*tuner = &s->tuner;
	unsigned	 phase = (unsigned)(s - t->search);
	enum status	 st;

	if (journal != NULL && (st = open_journal(t, s, journal, phase, why)) != ST_OK)
		return st;
	tuner->field = s->field;
	tuner->objective = (struct objective){ .over = t->over == NULL ? OVER_MEAN :
	    (enum objective_over)tune_word(objective_over_words, t->over) };
	tuner->budget = (struct budget){ .evaluations = (uint64_t)t->evaluations,
	    .seconds = t->seconds, .no_progress = (uint64_t)t->no_progress };
	tuner->window = window_of(t);
	tuner->phase = phase;
	tuner->races = !t->no_race;
	tuner->log = s->file;
	tuner->on_record = on_record;
	tuner->arg = t;
	if ((st = tuner_open(tuner, t->strategy, (uint64_t)t->seed, t->session.connection,
	    t->common, why)) != ST_OK)
		return st;
	s->head = logbook_head(s->field, t->strategy, (uint64_t)t->seed, tuner->window);
	if (journal != NULL && (st = begin_journal(s, journal, why)) != ST_OK)
		return st;
	return begin_with_facts(t, s, why);
}

static enum status
search(struct tuning *t, struct tune_search *s, struct fault *why)
{
	enum status	st;

	t->tuner = &s->tuner;
	connection_stop_on_interrupt(t->session.connection, true);
	st = tuner_run(&s->tuner, why);
	connection_stop_on_interrupt(t->session.connection, false);
	progress_clear(&t->progress);
	if (st != ST_OK)
		return st;
	return finish_search(&s->finish, &s->tuner, (size_t)t->top, t->error, &t->progress, why);
}

/* ---- two phases ---- */

/* The sweep in one context, and with only the winner's values in dimensions of the other phase. */
static json_t *
phase_sweep(const struct tuning *t, bool memory, const json_t *winner)
{
	json_t		*sweep = json_deep_copy(t->sweep), *space, *value;
	const json_t	*of_memory = json_object_get(t->tune, "memory"), *name;
	const char	*dimension;
	size_t		 i;

	space = json_object_get(sweep, "space");
	(void)json_object_set_new(json_object_get(sweep, "spec"), "context",
	    json_string(memory ? "cold" : "warm"));
	if (json_array_size(of_memory) == 0)
		return sweep;
	json_object_foreach(json_object_get(t->sweep, "space"), dimension, value) {
		bool	mine = !memory;

		json_array_foreach(of_memory, i, name)
			if (strcmp(json_string_value(name), dimension) == 0)
				mine = memory;
		if (!mine)
			(void)json_object_set_new(space, dimension, json_pack("[O]",
			    winner != NULL && json_object_get(winner, dimension) != NULL ?
			    json_object_get(winner, dimension) : json_array_get(value, 0)));
	}
	return sweep;
}

static enum status
check_memory(const struct tuning *t, struct fault *why)
{
	const json_t	*of_memory = json_object_get(t->tune, "memory"), *name;
	const json_t	*space = json_object_get(t->sweep, "space");
	size_t		 i;

	if (json_object_get(space, "context") != NULL)
		return fault_at(why, ST_BAD_SPEC, "space.context", "does not go with --two-phase, "
		    "which is warm first and cold then");
	if (of_memory != NULL && !json_is_array(of_memory))
		return fault_at(why, ST_BAD_SPEC, "tune.memory", "must be a list of dimensions");
	json_array_foreach(of_memory, i, name)
		if (!json_is_string(name) ||
		    json_object_get(space, json_string_value(name)) == NULL)
			return fault_at(why, ST_BAD_SPEC, "tune.memory",
			    "element %zu is no dimension of the space", i);
	return ST_OK;
}

/* The best points of the first phase begin the second. */
static enum status
hand_over(struct tuning *t, struct fault *why)
{
	const struct tuner	*from = &t->search[0].tuner;
	struct tune_search	*to = &t->search[1];
	struct point		 p = { .at = { 0 } };
	enum status		 st = ST_OK;

	for (size_t k = 0; st == ST_OK && k < PHASE_POINTS; k++) {
		size_t	at = ledger_rank(&from->ledger, from->field, from->field->ncells, k);
		json_t	*values;

		if (at == from->ledger.n)
			break;
		values = field_values(from->field, &from->ledger.at[at].point);
		if (field_find(to->field, values, &p))
			st = tuner_begin_with(&to->tuner, &p, why);
		json_decref(values);
	}
	return st;
}

static enum status
run_phases(struct tuning *t, struct fault *why)
{
	enum status	st = t->two_phase ? check_memory(t, why) : ST_OK;

	for (t->phases = 0; st == ST_OK && t->phases < (t->two_phase ? PHASES : 1); t->phases++) {
		struct tune_search	*s = &t->search[t->phases], *last = s - (t->phases > 0);
		json_t			*winner = NULL;

		if (t->phases > 0 && last->finish.overall < last->tuner.ledger.n)
			winner = field_values(last->field,
			    &last->tuner.ledger.at[last->finish.overall].point);
		st = field_open(&s->field, t->two_phase ? phase_sweep(t, t->phases > 0, winner) :
		    json_incref(t->sweep), why);
		json_decref(winner);
		if (st == ST_OK && (st = set_up(t, s, why)) == ST_OK && t->phases > 0)
			st = hand_over(t, why);
		if (st == ST_OK)
			st = search(t, s, why);
		if (st == ST_CANCELLED)
			t->phases++;
		if (st == ST_CANCELLED)
			break;
	}
	return st;
}

/* ---- the whole ---- */

static json_t *
phases_of(const struct tuning *t)
{
	json_t	*phases = json_array();

	for (unsigned i = 0; i < t->phases; i++)
		(void)json_array_append_new(phases, finish_document(&t->search[i].finish,
		    &t->search[i].tuner, t->search[i].head));
	return phases;
}

static enum status
report(struct tuning *t, struct fault *why)
{
	const struct tune_search	*last = &t->search[t->phases - 1];
	json_t				*phases = phases_of(t);
	enum status			 st;

	t->document = json_incref(json_array_get(phases, t->phases - 1));
	if (t->phases > 1)
		(void)json_object_set(t->document, "first_phase", json_array_get(phases, 0));
	st = tune_save(&t->save, &last->finish, &last->tuner, t->document, why);
	json_decref(phases);
	if (st != ST_OK)
		return st;
	if (t->cli->json && !t->cli->ndjson)
		return output_document(t->document, why);
	if (t->cli->ndjson) {
		(void)json_object_del(t->document, "records");
		return output_line(t->document, why);
	}
	for (unsigned i = 0; i < t->phases; i++) {
		if (t->phases > 1)
			(void)printf("%s: ", i == 0 ? "in cache" : "out of cache");
		tune_print_outcome(&t->search[i].finish, &t->search[i].tuner);
	}
	return ST_OK;
}

/* The jobs that the search would begin with; nothing is timed. */
static enum status
print_jobs(struct tuning *t, struct fault *why)
{
	struct tune_search	*s = &t->search[0];
	struct strategy		*strategy;
	struct point		 p;
	json_t			*job;
	enum status		 st = field_open(&s->field, json_incref(t->sweep), why);

	if (st != ST_OK || (st = strategy_new(&strategy, t->strategy, &s->field->grid,
	    (uint64_t)t->seed, why)) != ST_OK)
		return st;
	for (int64_t i = 0; st == ST_OK && i < t->evaluations &&
	    strategy_propose(strategy, 1, &p) == 1; i++)
		for (size_t c = 0; st == ST_OK && c < s->field->ncells; c++) {
			if (!field_has(s->field, &p, c))
				continue;
			if ((st = field_job(s->field, &p, c, &job, why)) != ST_OK)
				break;
			(void)json_object_update_missing(job, t->common);
			st = output_line(job, why);
			json_decref(job);
		}
	if (s->field->failed) {
		*why = s->field->trouble;
		st = why->status;
	}
	strategy_free(strategy);
	return st;
}

static enum status
tune(struct tuning *t, struct fault *why)
{
	enum status	st;

	if ((st = tune_document(&t->choice, t->path, &t->sweep, &t->tune, why)) != ST_OK)
		return st;
	t->common = tune_document_common(t->sweep);
	if (t->print)
		return print_jobs(t, why);
	session_images_beside(&t->session, t->path);
	if ((st = session_open(&t->session, t->cli, why)) != ST_OK)
		return st;
	(void)interrupt_fd();
	progress_init(&t->progress, t->cli->quiet || (t->cli->ndjson && isatty(STDOUT_FILENO)));
	st = run_phases(t, why);
	if (st == ST_UNAVAILABLE)
		session_explain(&t->session, why);
	return st;
}

static void
cancel_jobs(struct tuning *t)
{
	json_t	*ids = t->tuner != NULL ? flight_jobs(&t->tuner->flight) : NULL;

	session_cancel(&t->session, ids, t->cli->quiet);
	json_decref(ids);
}

static void
release(struct tuning *t)
{
	for (unsigned i = 0; i < PHASES; i++) {
		struct tune_search	*s = &t->search[i];

		tuner_close(&s->tuner);
		finish_release(&s->finish);
		field_free(s->field);
		json_decref(s->head);
		logbook_release(&s->journal);
		if (s->file != NULL)
			(void)fclose(s->file);
	}
	json_decref(t->sweep);
	json_decref(t->tune);
	json_decref(t->common);
	json_decref(t->host);
	json_decref(t->document);
}

/* A search that Ctrl-C has ended has an outcome, too. */
static int
run(struct tuning *t)
{
	struct fault	why;
	enum status	st = tune(t, &why);
	int		code = 0;

	if (interrupt_came() != 0) {
		cancel_jobs(t);
		code = 128 + interrupt_came();
		if (t->phases > 0) {
			t->top = 0;
			(void)finish_search(&t->search[t->phases - 1].finish,
			    &t->search[t->phases - 1].tuner, 0, 0, &t->progress, &why);
		}
		st = ST_OK;
	}
	if (st == ST_OK && !t->print && t->phases > 0)
		st = report(t, &why);
	if (st == ST_OK && code == 0 && !t->print &&
	    t->search[t->phases - 1].finish.overall >= t->search[t->phases - 1].tuner.ledger.n)
		code = status_exit_code(ST_NOT_FOUND);
	if (st != ST_OK && t->tuner != NULL && code == 0)
		cancel_jobs(t);
	if (st != ST_OK)
		code = cli_fail(&why);
	session_close(&t->session);
	release(t);
	return code;
}

static int
check_words(const struct cli_command *self, struct tuning *t, const struct cli_list *words)
{
	if (t->over != NULL && tune_word(objective_over_words, t->over) < 0)
		return cli_usage(self, "tune: --over is one of mean, worst, each");
	if (t->log != NULL && t->resume != NULL)
		return cli_usage(self, "tune: --log begins a journal, --resume goes on with one");
	if (t->evaluations == 0 && t->seconds == 0 && t->no_progress == 0)
		t->evaluations = EVALUATIONS;
	if (t->replay.wanted)
		return CLI_GO_ON;
	if (words->n != 1)
		return cli_usage(self, "tune: needs one file: a sweep, or a source with --space");
	t->path = words->items[0];
	return t->print ? CLI_GO_ON : cli_is_local(self, t->cli);
}

int
cmd_tune(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct tuning		*t = calloc(1, sizeof *t);
	struct cli_list		 words = { NULL, 0 };
	struct fault		 why;
	int			 code;

	if (t == NULL)
		return cli_fail((fault_set(&why, ST_NOMEM, "tune"), &why));
	*t = (struct tuning){ .cli = cli, .strategy = "portfolio", .seed = SEED, .top = TOP,
	    .error = ERROR, .replay = { .seeds = 40 } };
	const struct cli_option	options[] = {
		{ 'n', "evaluations", CLI_INT, &t->evaluations, "N",
		  "at most N points (100 without any limit)", 1, INT32_MAX },
		{ '\0', "seconds", CLI_REAL, &t->seconds, "S", "at most S seconds", 0, INT32_MAX },
		{ '\0', "no-progress", CLI_INT, &t->no_progress, "N",
		  "until N points one after the other are no new best", 1, INT32_MAX },
		{ '\0', "strategy", CLI_TEXT, &t->strategy, "NAME",
		  "portfolio (the default), exhaustive, random, hill, ...", 0, 0 },
		{ '\0', "seed", CLI_INT, &t->seed, "N", "of what is by chance (1)", 0, INT64_MAX },
		{ '\0', "space", CLI_LIST, &t->choice.space, "NAME=A,B,C",
		  "a dimension to search; 1:31:2 counts", 0, 0 },
		{ '\0', "where", CLI_LIST, &t->choice.where, "EXPRESSION",
		  "points for which this is 0 are left out", 0, 0 },
		{ '\0', "spec", CLI_TEXT, &t->choice.spec, "SPEC.json",
		  "of a source (NAME.spec.json beside it)", 0, 0 },
		{ '\0', "script", CLI_TEXT, &t->choice.script, "SCRIPT",
		  "search the legal variants that it makes of a source", 0, 0 },
		{ 'p', "param", CLI_LIST, &t->choice.params, "NAME=A,B",
		  "a param of the spec; several: each point is timed with each", 0, 0 },
		{ 'D', "define", CLI_LIST, &t->choice.defines, "NAME=VALUE",
		  "a macro of the variants", 0, 0 },
		{ 'O', "flags", CLI_LIST, &t->choice.flags, "FLAGS",
		  "compiler flags; several of these are a dimension", 0, 0 },
		{ '\0', "compiler", CLI_TEXT, &t->choice.compiler, "NAME", "gcc, clang, ...", 0,
		  0 },
		{ '\0', "context", CLI_TEXT, &t->choice.contexts, "A,B",
		  "cold, warm, or bytes to flush; several: timed in each", 0, 0 },
		{ '\0', "over", CLI_TEXT, &t->over, "HOW",
		  "over several sizes: mean, worst, or a winner for each", 0, 0 },
		{ '\0', "two-phase", CLI_FLAG, &t->two_phase, NULL,
		  "search in cache first, then out of cache", 0, 0 },
		{ '\0', "no-race", CLI_FLAG, &t->no_race, NULL,
		  "time slow points to the end, too", 0, 0 },
		{ '\0', "top", CLI_INT, &t->top, "K",
		  "time the K best in turn at the end (3; 1: none)", 1, 100 },
		{ '\0', "error", CLI_REAL, &t->error, "RATE",
		  "chance that equal ones get a winner then (0.05)", 0, 1 },
		{ '\0', "window", CLI_INT, &t->window, "N",
		  "points on their way at once (builders + slots + 1)", 1, FLIGHT_MAX_WINDOW },
		{ '\0', "log", CLI_TEXT, &t->log, "FILE", "write a journal", 0, 0 },
		{ '\0', "resume", CLI_TEXT, &t->resume, "FILE", "go on with a journal", 0, 0 },
		{ '\0', "winner", CLI_TEXT, &t->save.winner, "FILE",
		  "write the winner's job: assay time FILE", 0, 0 },
		{ '\0', "html", CLI_TEXT, &t->save.html, "FILE", "write a page about the search",
		  0, 0 },
		{ '\0', "print", CLI_FLAG, &t->print, NULL,
		  "print the jobs that it would begin with, and time nothing", 0, 0 },
		{ '\0', "replay", CLI_FLAG, &t->replay.wanted, NULL,
		  "search stored tables with each strategy", 0, 0 },
		{ '\0', "seeds", CLI_INT, &t->replay.seeds, "N", "with --replay: runs of each (40)",
		  1, 100000 },
		{ '\0', NULL, CLI_FLAG, NULL, NULL, NULL, 0, 0 },
	};

	code = cli_parse(cli, self, options, argc, argv, &words);
	if (code == CLI_GO_ON)
		code = check_words(self, t, &words);
	if (code == CLI_GO_ON)
		code = t->replay.wanted ? tune_replay(cli, self, &t->replay, &words) : run(t);
	cli_list_release(&t->choice.space);
	cli_list_release(&t->choice.where);
	cli_list_release(&t->choice.params);
	cli_list_release(&t->choice.defines);
	cli_list_release(&t->choice.flags);
	cli_list_release(&words);
	free(t);
	return code;
}
