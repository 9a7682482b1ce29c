/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay tune: search the space of a sweep for its fastest variant.  A strategy proposes points, a
 * daemon times them as ordinary jobs, and the best few are timed in turn at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/tune/tune_print.h"
#include "client/cmd/tune/tune_search.h"
#include "client/cmd/tune/tune_source.h"
#include "client/connect/interrupt.h"
#include "client/print/output.h"

/* ---- the outcome ---- */

static json_t *
phases_of(const struct tuning *t)
{
	json_t	*phases = json_array();

	for (unsigned i = 0; i < t->phases; i++)
		(void)json_array_append_new(phases, finish_document(&t->search[i].finish,
		    &t->search[i].tuner, t->search[i].head));
	return phases;
}

static void
print_outcomes(const struct tuning *t)
{
	for (unsigned i = 0; i < t->phases; i++) {
		if (t->phases > 1)
			(void)printf("%s: ", i == 0 ? "in cache" : "out of cache");
		tune_print_outcome(&t->search[i].finish, &t->search[i].tuner);
	}
}

static enum status
put_out(const struct tuning *t, json_t *document, struct fault *why)
{
	if (t->cli->json && !t->cli->ndjson)
		return output_document(document, why);
	if (t->cli->ndjson) {
		(void)json_object_del(document, "records");
		return output_line(document, why);
	}
	print_outcomes(t);
	return ST_OK;
}

static enum status
report(const struct tuning *t, const struct tune_save *save, struct fault *why)
{
	const struct tune_search	*last = &t->search[t->phases - 1];
	json_t				*phases = phases_of(t);
	json_t				*document = json_array_get(phases, t->phases - 1);
	enum status			 st;

	if (t->phases > 1)
		(void)json_object_set(document, "first_phase", json_array_get(phases, 0));
	st = tune_save(save, &last->finish, &last->tuner, document, why);
	if (st == ST_OK)
		st = put_out(t, document, why);
	json_decref(phases);
	return st;
}

/* ---- the jobs alone ---- */

/* The jobs that the search would begin with; nothing is timed. */
static enum status
print_jobs(struct tuning *t, struct fault *why)
{
	struct tune_search	*s = &t->search[0];
	struct strategy		*strategy;
	struct point		 p;
	json_t			*job;
	enum status		 st = field_open(&s->field, json_incref(t->sweep), why);

	if (st != ST_OK || (st = strategy_new(&strategy, t->how.strategy, &s->field->grid,
	    (uint64_t)t->how.seed, why)) != ST_OK)
		return st;
	for (int64_t i = 0; st == ST_OK && i < t->how.evaluations &&
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

/* ---- the whole ---- */

static enum status
open_session(struct tuning *t, const char *path, struct fault *why)
{
	session_images_beside(&t->session, path);
	return session_open(&t->session, t->cli, why);
}

static enum status
tune(struct tuning *t, struct tune_options *o, const char *path, struct fault *why)
{
	const bool	automatic = tune_source_is_automatic(&o->choice, path);
	enum status	st;

	if (automatic && ((st = open_session(t, path, why)) != ST_OK ||
	    (st = tune_search_host(t, why)) != ST_OK))
		return st;
	if ((st = tune_document(&o->choice, path, t->host, &t->sweep, &t->tune, why)) != ST_OK)
		return st;
	t->common = tune_document_common(t->sweep);
	if (t->how.print)
		return print_jobs(t, why);
	if (!automatic && (st = open_session(t, path, why)) != ST_OK)
		return st;
	(void)interrupt_fd();
	progress_init(&t->progress, t->cli->quiet || (t->cli->ndjson && isatty(STDOUT_FILENO)));
	st = tune_phases_run(t, why);
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
	session_close(&t->session);
	for (unsigned i = 0; i < TUNE_PHASES; i++)
		tune_search_close(&t->search[i]);
	json_decref(t->sweep);
	json_decref(t->tune);
	json_decref(t->common);
	json_decref(t->host);
	free(t);
}

static bool
has_winner(const struct tune_search *s)
{
	return s->finish.overall < s->tuner.ledger.n;
}

/* A search that Ctrl-C has ended has an outcome, too. */
static void
end_at_interrupt(struct tuning *t)
{
	struct tune_search	*last;
	struct fault		 none;

	cancel_jobs(t);
	if (t->phases == 0)
		return;
	last = &t->search[t->phases - 1];
	(void)finish_search(&last->finish, &last->tuner, 0, 0, &t->progress, &none);
}

static int
run(struct tuning *t, struct tune_options *o, const char *path)
{
	struct fault	why;
	enum status	st = tune(t, o, path, &why);
	const bool	interrupted = interrupt_came() != 0;

	if (interrupted)
		end_at_interrupt(t);
	else if (st != ST_OK && t->tuner != NULL)
		cancel_jobs(t);
	if ((st == ST_OK || interrupted) && t->phases > 0)
		st = report(t, &o->save, &why);
	if (st != ST_OK && !(interrupted && t->phases == 0))
		return cli_fail(&why);
	if (interrupted)
		return 128 + interrupt_came();
	return t->how.print || has_winner(&t->search[t->phases - 1]) ? 0 :
	    status_exit_code(ST_NOT_FOUND);
}

static int
search(const struct cli_command *self, struct cli *cli, struct tune_options *o,
    const struct cli_list *words)
{
	struct tuning	*t;
	struct fault	 why;
	int		 code;

	if (words->n != 1)
		return cli_usage(self, "tune: needs one file: a sweep, or a source");
	if ((t = calloc(1, sizeof *t)) == NULL)
		return cli_fail((fault_set(&why, ST_NOMEM, "tune"), &why));
	t->cli = cli;
	t->how = o->how;
	o->choice.is_quiet = cli->quiet;
	code = run(t, o, words->items[0]);
	release(t);
	return code;
}

int
cmd_tune(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct tune_options	o;
	struct cli_option	table[CLI_MAX_OPTIONS];
	struct cli_list		words = { NULL, 0 };
	int			code;

	tune_options_init(&o, table);
	code = cli_parse(cli, self, table, argc, argv, &words);
	if (code == CLI_GO_ON)
		code = tune_options_check(self, &o);
	if (code == CLI_GO_ON)
		code = o.replay.wanted ? tune_replay(cli, self, &o.replay, &words) :
		    search(self, cli, &o, &words);
	tune_options_release(&o);
	cli_list_release(&words);
	return code;
}
