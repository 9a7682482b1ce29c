/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay fit: find the contexts that reproduce an application's own times of a routine.  Input is
 * one time, or a list of calls that is first sorted into early and late ones.  Each time gets its
 * context (client/search/fit.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/document.h"
#include "client/cmd/time_job.h"
#include "client/connect/interrupt.h"
#include "client/connect/session.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/search/call_times.h"
#include "client/search/fit.h"
#include "client/search/groups.h"

enum { EVALUATIONS = 16, LABEL_COLUMNS = 10 };
#define BAND_PERCENT	3.0			/* as POET has it */

struct fitting {
	struct cli		*cli;
	struct time_choice	 choice;
	const struct cli_list	*words;		/* spec, variant */
	const char		*time, *times;	/* a time; a file of times; one is given */
	double			 band_percent;
	int64_t			 evaluations;

	struct groups		 groups;	/* one group without a kind for --time */
	json_t			*job;		/* owned */
	struct session		 session;
	struct fit		 fit;
	json_t			*fits;		/* owned; an answer for each group */
};

/* ---- before ---- */

static enum status
read_times(struct fitting *f, struct fault *why)
{
	double		*ns = NULL;
	size_t		 n;
	char		*text;
	enum status	 st;

	if (f->time != NULL) {
		f->groups.n = 1;
		st = call_times_parse_one(f->time, &f->groups.group[0].median_ns, why);
		return st != ST_OK ? fault_within(why, "--time") : ST_OK;
	}
	if ((st = document_text(f->times, &text, why)) != ST_OK)
		return st;
	if ((st = call_times_parse(text, &ns, &n, why)) == ST_OK)
		st = groups_split(&f->groups, ns, n, why);
	free(ns);
	free(text);
	return st != ST_OK ? fault_within(why, f->times) : ST_OK;
}

static enum status
make_job(struct fitting *f, struct fault *why)
{
	json_t		*base;
	char		 notes[512];
	enum status	 st;

	f->choice.context = "warm";	/* so that notes name the operands that no context moves */
	if ((st = time_job_base(&f->choice, f->words->items[0], &base, notes, sizeof notes,
	    why)) != ST_OK)
		return st;
	if (notes[0] != '\0' && !f->cli->quiet)
		(void)fprintf(stderr, "assay: %s\n", notes);
	st = time_job_make(&f->choice, base, f->words->n > 1 ? f->words->items[1] : NULL,
	    &f->job, why);
	json_decref(base);
	return st;
}

/* ---- after ---- */

static void
print_line(const char *label, const char *text)
{
	(void)printf("%-*s%s\n", LABEL_COLUMNS, label, text);
}

static const char *
explanation(const char *outcome)
{
	static const char *const	words[][2] = {
		{ "closest",
		  "the nearest that was found; allow more with --evaluations, or a wider --band" },
		{ "below_warm",
		  "less than with all operands in cache: no context makes this variant so fast" },
		{ "above_cold",
		  "more than with all operands out of cache: something else takes time there" },
	};

	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(words[i][0], outcome) == 0)
			return words[i][1];
	return NULL;
}

static void
print_fit(const json_t *fit)
{
	char		 a[FORMAT_BYTES], b[FORMAT_BYTES], bytes[FORMAT_BYTES];
	char		 line[4 * FORMAT_BYTES];
	const char	*words = explanation(member_text(fit, "outcome"));
	char		*context = json_dumps(json_object_get(fit, "context"), JSON_ENCODE_ANY);

	print_line("asked", format_duration_ns(member_number(fit, "asked_ns"), a));
	(void)snprintf(line, sizeof line, "%s, %+.1f %% (band %s)",
	    format_duration_ns(member_number(fit, "reached_ns"), a),
	    100 * member_number(fit, "difference"), format_percent(member_number(fit, "band"), b));
	print_line("reached", line);
	print_line("context", context != NULL ? context : "?");
	free(context);
	(void)snprintf(line, sizeof line, "%s warm, %s after %s",
	    format_duration_ns(member_number(fit, "warm_ns"), a),
	    format_duration_ns(member_number(fit, "flushed_ns"), b),
	    format_bytes(member_number(fit, "flushed_bytes"), bytes));
	print_line("range", line);
	if (json_is_number(json_object_get(fit, "cold_ns")))
		print_line("cold", format_duration_ns(member_number(fit, "cold_ns"), a));
	if (words != NULL)
		print_line("", words);
}

static void
print_all(const struct fitting *f)
{
	char	median[FORMAT_BYTES];

	for (size_t i = 0; i < f->groups.n; i++) {
		const struct group	*g = &f->groups.group[i];

		if (f->times != NULL)
			(void)printf("%s%s: %zu call%s, median %s\n", i > 0 ? "\n" : "",
			    group_name(g->kind), g->calls, g->calls == 1 ? "" : "s",
			    format_duration_ns(g->median_ns, median));
		print_fit(json_array_get(f->fits, i));
	}
	if (f->groups.set_aside > 0)
		(void)printf("\n%zu slow call%s among the others set aside\n", f->groups.set_aside,
		    f->groups.set_aside == 1 ? "" : "s");
}

static enum status
print(const struct fitting *f, struct fault *why)
{
	json_t		*whole;
	enum status	 st;

	if (!f->cli->json && !f->cli->ndjson) {
		print_all(f);
		return ST_OK;
	}
	whole = json_pack("{s:O, s:I}", "fits", f->fits, "set_aside",
	    (json_int_t)f->groups.set_aside);
	st = f->cli->ndjson ? output_line(whole, why) : output_document(whole, why);
	json_decref(whole);
	return st;
}

/* ---- the whole ---- */

static enum status
fit_groups(struct fitting *f, struct fault *why)
{
	enum status	st = ST_OK;

	f->fits = json_array();
	for (size_t i = 0; st == ST_OK && i < f->groups.n; i++) {
		const struct group	*g = &f->groups.group[i];
		json_t			*fit;

		if ((st = fit_time(&f->fit, g->median_ns, &fit, why)) != ST_OK)
			break;
		(void)json_object_set_new(fit, "group",
		    f->times != NULL ? json_string(group_name(g->kind)) : json_null());
		(void)json_object_set_new(fit, "calls",
		    f->times != NULL ? json_integer((json_int_t)g->calls) : json_null());
		(void)json_array_append_new(f->fits, fit);
	}
	return st;
}

static enum status
fit_all(struct fitting *f, struct fault *why)
{
	struct progress	p;
	enum status	st;

	if ((st = read_times(f, why)) != ST_OK || (st = make_job(f, why)) != ST_OK ||
	    (st = session_open(&f->session, f->cli, why)) != ST_OK)
		return st;
	progress_init(&p, f->cli->quiet);
	(void)interrupt_fd();
	st = fit_init(&f->fit, f->session.connection, f->job, &p, f->band_percent / 100,
	    (unsigned)f->evaluations, why);
	if (st == ST_OK && (st = fit_groups(f, why)) == ST_OK)
		st = print(f, why);
	if (st == ST_UNAVAILABLE)
		session_explain(&f->session, why);
	return st;
}

/* A time without a context: ST_NOT_FOUND. */
static int
code_of(const struct fitting *f)
{
	const json_t	*fit;
	size_t		 i;

	json_array_foreach(f->fits, i, fit)
		if (strcmp(member_text(fit, "outcome"), solve_end_name(SOLVE_HIT)) != 0)
			return status_exit_code(ST_NOT_FOUND);
	return 0;
}

static int
run(struct fitting *f)
{
	struct fault	why;
	enum status	st = fit_all(f, &why);
	int		code;

	if (interrupt_came() != 0) {
		session_cancel(&f->session, f->fit.ids, f->cli->quiet);
		code = 128 + interrupt_came();
	} else {
		code = st == ST_OK ? code_of(f) : cli_fail(&why);
	}
	fit_release(&f->fit);
	session_close(&f->session);
	json_decref(f->job);
	json_decref(f->fits);
	return code;
}

static int
check_words(const struct cli_command *self, const struct fitting *f)
{
	if ((f->time == NULL) == (f->times == NULL))
		return cli_usage(self,
		    "fit: needs --time, a time of the application, or --times, a file of them");
	if (f->words->n == 0 || f->words->n > 2)
		return cli_usage(self, "fit: needs a spec, and the file of one variant");
	return cli_is_local(self, f->cli);
}

int
cmd_fit(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct fitting		 f = { .cli = cli, .choice = TIME_AS_SPECIFIED,
				     .band_percent = BAND_PERCENT, .evaluations = EVALUATIONS };
	struct time_choice	*c = &f.choice;
	struct cli_list		 words;
	int			 code;
	struct cli_option	 options[CLI_MAX_OPTIONS];
	const struct cli_option	 own[] = {
		{ 't', "time", CLI_TEXT, &f.time, "TIME",
		  "of one call in the application: 12.3us", 0, 0 },
		{ '\0', "times", CLI_TEXT, &f.times, "FILE",
		  "of its calls in their order: JSON, or a time a line", 0, 0 },
		{ '\0', "band", CLI_REAL, &f.band_percent, "PERCENT",
		  "accepted difference from the time (3)", 0, 100 },
		{ '\0', "evaluations", CLI_INT, &f.evaluations, "N",
		  "timings for one context at most (16)", 4, SOLVE_MAX_EVALUATIONS },
		{ '\0', "clock", CLI_TEXT, &c->clock, "CLOCK", "auto, wall, cycle or cpu", 0, 0 },
		{ '\0', "samples", CLI_INT, &c->samples, "N",
		  "how many samples to take", 1, INT32_MAX },
		{ '\0', NULL, CLI_FLAG, NULL, NULL, NULL, 0, 0 },
	};

	time_job_build_options(c, options);
	memcpy(options + TIME_BUILD_OPTIONS, own, sizeof own);
	f.words = &words;
	code = cli_parse(cli, self, options, argc, argv, &words);
	if (code == CLI_GO_ON)
		code = check_words(self, &f);
	if (code == CLI_GO_ON)
		code = run(&f);
	time_job_release(c);
	cli_list_release(&words);
	return code;
}
