/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay fit: find the contexts that reproduce an application's own times of a routine.  Input is
 * one time, or a list of calls that is first sorted into early and late ones.  Each time gets its
 * context (client/search/fit.h).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/document.h"
#include "client/cmd/job/time_job.h"
#include "client/connect/interrupt.h"
#include "client/connect/session.h"
#include "client/print/format.h"
#include "client/print/output.h"
#include "client/search/call_times.h"
#include "client/search/fit.h"
#include "client/search/groups.h"

enum { EVALUATIONS = 72, LABEL_COLUMNS = 12 };
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
	struct fitted		 fitted[2];	/* of each group */
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
	if ((st = document_text(f->times, &text, NULL, why)) != ST_OK)
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
	json_t		*base, *variants;
	char		 notes[512];
	enum status	 st;

	f->choice.context = "warm";	/* so that notes name the operands that no context moves */
	if ((st = time_job_base(&f->choice, f->words->items[0], &base, notes, sizeof notes,
	    why)) != ST_OK)
		return st;
	if (notes[0] != '\0' && !f->cli->quiet)
		(void)fprintf(stderr, "assay: %s\n", notes);
	time_job_renew(&f->choice, base);	/* a point may be timed twice, for its noise */
	st = time_job_make(&f->choice, base, f->words->n > 1 ? f->words->items[1] : NULL,
	    &f->job, why);
	if (st == ST_OK) {
		variants = json_pack("[O]", json_object_get(f->job, "variant"));
		st = time_job_check(&f->choice, base, variants, why);
		json_decref(variants);
	}
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
explanation(enum solve_end end)
{
	static const char *const	words[SOLVE_NENDS] = {
		[SOLVE_CLOSEST] =
		    "the nearest that was found; allow more with --evaluations, or a wider --band",
		[SOLVE_BELOW_WARM] =
		    "less than with all operands in cache: no context makes this variant so fast",
		[SOLVE_ABOVE_COLD] =
		    "more than with all operands out of cache: something else takes time there",
		[SOLVE_FLAT] =
		    "takes the same warm and cold: no place of operands explains the difference",
	};

	return words[end];
}

/* Takes the value. */
static void
print_member(const char *label, json_t *value)
{
	char	*text = json_dumps(value, JSON_ENCODE_ANY);

	print_line(label, text != NULL ? text : "?");
	free(text);
	json_decref(value);
}

static void
print_members(const struct fitted *fit)
{
	json_t	*args = fitted_args(fit);

	print_member("context", fitted_context(fit));
	if (json_object_size(args) > 0)
		print_member("args", json_incref(args));
	json_decref(args);
}

static void
print_range(const struct fitted *fit)
{
	const struct states	*s = &fit->states;
	char			 a[FORMAT_BYTES], b[FORMAT_BYTES], line[4 * FORMAT_BYTES];
	int			 n;

	n = snprintf(line, sizeof line, "%s warm", format_duration_ns(states_warm_ns(s), a));
	if (s->n > 1)
		n += snprintf(line + n, sizeof line - (size_t)n, ", %s cold",
		    format_duration_ns(states_time_ns(s, &s->point[1]), a));
	if (fit->solve.n > 1) {
		const struct solve_point	*top = &fit->solve.point[fit->solve.n - 1];

		(void)snprintf(line + n, sizeof line - (size_t)n, ", %s after %s",
		    format_duration_ns(top->time_ns, a), format_bytes((double)top->bytes, b));
	}
	print_line("range", line);
}

static void
print_confidence(const struct fitted *fit)
{
	const enum fitted_trust	trust = fitted_trust(fit);
	char			line[200];

	if (trust == FITTED_AMBIGUOUS)
		(void)snprintf(line, sizeof line, "ambiguous: %zu other states take as long",
		    states_rivals(&fit->states));
	else if (trust == FITTED_NOISY)
		(void)snprintf(line, sizeof line, "noisy: warm times differ by %.1f %%",
		    100 * states_noise(&fit->states));
	else
		(void)snprintf(line, sizeof line, "%s", fitted_trust_name(trust));
	if (trust != FITTED_NONE)
		print_line("confidence", line);
}

static void
print_fit(const struct fitted *fit)
{
	char	a[FORMAT_BYTES], b[FORMAT_BYTES], line[4 * FORMAT_BYTES];

	print_line("asked", format_duration_ns(fit->asked_ns, a));
	(void)snprintf(line, sizeof line, "%s, %+.1f %% (band %s)",
	    format_duration_ns(fitted_reached_ns(fit), a), 100 * fitted_difference(fit),
	    format_percent(fit->band, b));
	print_line("reached", line);
	print_members(fit);
	print_confidence(fit);
	print_range(fit);
	if (explanation(fit->end) != NULL)
		print_line("", explanation(fit->end));
}

static void
print_all(const struct fitting *f)
{
	char	median[FORMAT_BYTES], share[FORMAT_BYTES];

	for (size_t i = 0; i < f->groups.n; i++) {
		const struct group	*g = &f->groups.group[i];

		if (f->times != NULL)
			(void)printf("%s%s: %zu call%s, median %s, %s of the time\n",
			    i > 0 ? "\n" : "", group_name(g->kind), g->calls,
			    g->calls == 1 ? "" : "s", format_duration_ns(g->median_ns, median),
			    format_percent(g->share, share));
		print_fit(&f->fitted[i]);
	}
	if (f->groups.set_aside > 0)
		(void)printf("\n%zu slow call%s among the others set aside\n", f->groups.set_aside,
		    f->groups.set_aside == 1 ? "" : "s");
}

/* The answers, each with its group where there are groups. */
static json_t *
documents(const struct fitting *f)
{
	json_t	*list = json_array();

	for (size_t i = 0; i < f->groups.n; i++) {
		const struct group	*g = &f->groups.group[i];
		json_t			*fit = fitted_document(&f->fitted[i]);

		(void)json_object_set_new(fit, "group",
		    f->times != NULL ? json_string(group_name(g->kind)) : json_null());
		(void)json_object_set_new(fit, "calls",
		    f->times != NULL ? json_integer((json_int_t)g->calls) : json_null());
		(void)json_object_set_new(fit, "share",
		    f->times != NULL ? json_real(g->share) : json_null());
		(void)json_array_append_new(list, fit);
	}
	return list;
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
	whole = json_pack("{s:o, s:I}", "fits", documents(f), "set_aside",
	    (json_int_t)f->groups.set_aside);
	st = output_json(f->cli, whole, why);
	json_decref(whole);
	return st;
}

/* ---- the whole ---- */

static enum status
fit_groups(struct fitting *f, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < f->groups.n; i++)
		st = fit_time(&f->fit, f->groups.group[i].median_ns, &f->fitted[i], why);
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
	for (size_t i = 0; i < f->groups.n; i++)
		if (f->fitted[i].end != SOLVE_HIT)
			return status_exit_code(ST_NOT_FOUND);
	return 0;
}

static int
run(struct fitting *f)
{
	struct fault	why;
	enum status	st = fit_all(f, &why);
	int		code;

	if ((code = session_interrupted(&f->session, f->fit.ids, f->cli->quiet)) == 0)
		code = st == ST_OK ? code_of(f) : cli_fail(&why);
	fit_release(&f->fit);
	session_close(&f->session);
	json_decref(f->job);
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
	return CLI_GO_ON;
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
		  "timings for one context at most (72)", 4, SOLVE_MAX_EVALUATIONS },
		{ '\0', "clock", CLI_TEXT, &c->clock, "CLOCK", "auto, wall, cycle or cpu", 0, 0 },
		{ '\0', "samples", CLI_INT, &c->samples, "N",
		  "how many samples to take", 1, INT32_MAX },
		CLI_END,
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
