/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/cmd/tune/tune_options.h"
#include "client/tune/flight.h"
#include "client/tune/objective.h"

enum { EVALUATIONS = 100, TOP = 3, SEED = 1, SEEDS = 40 };
#define ERROR	0.05

/* ---- the table, by subject ---- */

static size_t
options_of_space(struct tune_options *o, struct cli_option *to)
{
	const struct cli_option	table[] = {
		{ '\0', "space", CLI_LIST, &o->choice.space, "NAME=A,B,C",
		  "a dimension to search; 1:31:2 counts", 0, 0 },
		{ '\0', "where", CLI_LIST, &o->choice.where, "EXPRESSION",
		  "points for which this is 0 are left out", 0, 0 },
		{ '\0', "spec", CLI_TEXT, &o->choice.spec, "SPEC.json",
		  "of a source (NAME.spec.json beside it)", 0, 0 },
		{ '\0', "script", CLI_TEXT, &o->choice.script, "SCRIPT",
		  "search the legal variants that it makes of a source", 0, 0 },
		{ 'p', "param", CLI_LIST, &o->choice.params, "NAME=A,B",
		  "a param of the spec; several: each point is timed with each", 0, 0 },
		{ 'D', "define", CLI_LIST, &o->choice.defines, "NAME=VALUE",
		  "a macro of the variants", 0, 0 },
		{ 'O', "flags", CLI_LIST, &o->choice.flags, "FLAGS",
		  "compiler flags; several of these are a dimension", 0, 0 },
		{ '\0', "compiler", CLI_TEXT, &o->choice.compiler, "NAME", "gcc, clang, ...", 0,
		  0 },
		{ '\0', "context", CLI_TEXT, &o->choice.contexts, "A,B",
		  "cold, warm, or bytes to flush; several: timed in each", 0, 0 },
		{ '\0', "visibility", CLI_TEXT, &o->choice.readers, "READERS",
		  "who may read the sources: private, all, or users' names: alice,bob", 0, 0 },
	};

	memcpy(to, table, sizeof table);
	return sizeof table / sizeof table[0];
}

static size_t
options_of_best(struct tune_options *o, struct cli_option *to)
{
	const struct cli_option	table[] = {
		{ '\0', "objective", CLI_TEXT, &o->how.objective, "WHAT",
		  "make small: time (the default), code, or pareto: both", 0, 0 },
		{ '\0', "over", CLI_TEXT, &o->how.over, "HOW",
		  "over several sizes: mean, worst, or a winner for each", 0, 0 },
		{ '\0', "two-phase", CLI_FLAG, &o->how.two_phase, NULL,
		  "search in cache first, then out of cache", 0, 0 },
		{ '\0', "top", CLI_INT, &o->how.top, "K",
		  "time the K best in turn at the end (3; 1: none)", 1, 100 },
		{ '\0', "error", CLI_REAL, &o->how.error, "RATE",
		  "chance that equal ones get a winner then (0.05)", 0, 1 },
	};

	memcpy(to, table, sizeof table);
	return sizeof table / sizeof table[0];
}

static size_t
options_of_search(struct tune_options *o, struct cli_option *to)
{
	const struct cli_option	table[] = {
		{ 'n', "evaluations", CLI_INT, &o->how.evaluations, "N",
		  "at most N points (100 without any limit)", 1, INT32_MAX },
		{ '\0', "seconds", CLI_REAL, &o->how.seconds, "S",
		  "at most S seconds", 0, INT32_MAX },
		{ '\0', "no-progress", CLI_INT, &o->how.no_progress, "N",
		  "until N points one after the other are no new best", 1, INT32_MAX },
		{ '\0', "strategy", CLI_TEXT, &o->how.strategy, "NAME",
		  "portfolio (the default), exhaustive, random, hill, ...", 0, 0 },
		{ '\0', "seed", CLI_INT, &o->how.seed, "N",
		  "of what is by chance (1)", 0, INT64_MAX },
		{ '\0', "race", CLI_FLAG, &o->how.race, NULL,
		  "have the daemon give up points that are surely slower", 0, 0 },
		{ '\0', "no-race", CLI_FLAG, &o->how.no_race, NULL,
		  "time slow points to the end, too", 0, 0 },
		{ '\0', "window", CLI_INT, &o->how.window, "N",
		  "points on their way at once (builders + slots + 1)", 1, FLIGHT_MAX_WINDOW },
		{ '\0', "print", CLI_FLAG, &o->how.print, NULL,
		  "print the jobs that it would begin with, and time nothing", 0, 0 },
	};

	memcpy(to, table, sizeof table);
	return sizeof table / sizeof table[0];
}

static size_t
options_of_files(struct tune_options *o, struct cli_option *to)
{
	const struct cli_option	table[] = {
		{ '\0', "log", CLI_TEXT, &o->how.log, "FILE", "write a journal", 0, 0 },
		{ '\0', "resume", CLI_TEXT, &o->how.resume, "FILE", "go on with a journal", 0, 0 },
		{ '\0', "begin", CLI_TEXT, &o->how.begin, "FILE",
		  "begin with the best points of a journal", 0, 0 },
		{ '\0', "winner", CLI_TEXT, &o->save.winner, "FILE",
		  "write the winner's job: assay time FILE", 0, 0 },
		{ '\0', "html", CLI_TEXT, &o->save.html, "FILE", "write a page about the search",
		  0, 0 },
		{ '\0', "replay", CLI_FLAG, &o->replay.wanted, NULL,
		  "search stored tables with each strategy", 0, 0 },
		{ '\0', "seeds", CLI_INT, &o->replay.seeds, "N", "with --replay: runs of each (40)",
		  1, 100000 },
	};

	memcpy(to, table, sizeof table);
	return sizeof table / sizeof table[0];
}

void
tune_options_init(struct tune_options *o, struct cli_option *table)
{
	size_t	n = 0;

	*o = (struct tune_options){ .how = { .strategy = "portfolio", .seed = SEED, .top = TOP,
	    .error = ERROR }, .replay = { .seeds = SEEDS } };
	n += options_of_space(o, table + n);
	n += options_of_best(o, table + n);
	n += options_of_search(o, table + n);
	n += options_of_files(o, table + n);
	table[n] = (struct cli_option){ .name = NULL };
}

void
tune_options_release(struct tune_options *o)
{
	cli_list_release(&o->choice.space);
	cli_list_release(&o->choice.where);
	cli_list_release(&o->choice.params);
	cli_list_release(&o->choice.defines);
	cli_list_release(&o->choice.flags);
}

int
tune_options_check(const struct cli_command *self, struct tune_options *o)
{
	struct tune_how	*h = &o->how;

	if (h->over != NULL && tune_word(objective_over_words, h->over) < 0)
		return cli_usage(self, "tune: --over is one of mean, worst, each");
	if (h->objective != NULL && tune_word(objective_of_words, h->objective) < 0)
		return cli_usage(self, "tune: --objective is one of time, code, pareto");
	if (h->log != NULL && h->resume != NULL)
		return cli_usage(self, "tune: --log begins a journal, --resume goes on with one");
	if (h->race && h->no_race)
		return cli_usage(self, "tune: --race and --no-race exclude each other");
	if (h->evaluations == 0 && h->seconds == 0 && h->no_progress == 0)
		h->evaluations = EVALUATIONS;
	return CLI_GO_ON;
}
