/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay time: files become jobs, and a daemon times them: the running one, or a private one for
 * this command.  One result is printed as a report, several as a table.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/host/host_upkeep.h"
#include "client/cmd/job/option_value.h"
#include "client/cmd/job/time_axes.h"
#include "client/connect/interrupt.h"
#include "client/connect/receive.h"
#include "client/connect/session.h"
#include "client/connect/submit.h"
#include "client/print/output.h"
#include "client/print/results/listing.h"
#include "client/print/results/results.h"
#include "client/report/report.h"
#include "client/report/verdict.h"

struct timing_run {
	struct cli		*cli;
	struct time_choice	 choice;
	const struct cli_list	*words;		/* spec, variants */
	struct time_axes	 axes;
	size_t			 nvariants;	/* in each cell */
	json_t			*jobs;		/* owned */
	struct session		 session;
	struct submitted	 submitted;
	struct listing		*listing;	/* owned; NULL: one result, reported alone */
	json_t			*document;	/* owned; the last result */
	enum status		 outcome;	/* its status */
	bool			 in_cache;	/* a timed one found its operands in cache */
};

/* ---- before ---- */

static enum status
make_variants(struct timing_run *r, const json_t *base, json_t *variants, struct fault *why)
{
	const size_t	files = r->words->n - 1;
	enum status	st = ST_OK;

	for (size_t i = 0; i < (files > 0 ? files : 1) && st == ST_OK; i++)
		st = time_axes_variants(&r->axes, &r->choice, base,
		    files > 0 ? r->words->items[1 + i] : NULL, variants, why);
	return st;
}

static enum status
make_jobs(struct timing_run *r, struct fault *why)
{
	json_t		*base = NULL, *variants = json_array();
	char		 notes[512];
	enum status	 st;

	if ((st = time_axes_init(&r->axes, &r->choice, why)) == ST_OK &&
	    (st = time_job_base(&r->choice, r->words->items[0], &base, notes, sizeof notes,
	    why)) == ST_OK && notes[0] != '\0' && !r->cli->quiet)
		(void)fprintf(stderr, "assay: %s\n", notes);
	time_job_renew(&r->choice, base);
	option_race(base, r->choice.race_ns);
	if (r->choice.copies > 0)
		(void)json_object_set_new(base, "copies", json_integer(r->choice.copies));
	if (st == ST_OK && (st = make_variants(r, base, variants, why)) == ST_OK &&
	    (st = time_job_check(&r->choice, base, variants, why)) == ST_OK)
		st = time_axes_jobs(&r->axes, base, variants, &r->jobs, why);
	r->nvariants = json_array_size(variants);
	json_decref(base);
	json_decref(variants);
	return st;
}

/* The word with the file of a job's variant; 0: the spec has it. */
static size_t
file_of(const struct timing_run *r, size_t job)
{
	const size_t	files = r->words->n - 1;

	return files == 0 ? 0 : 1 + job % r->nvariants / (r->nvariants / files);
}

/* The daemon's "jobs[1].variant.flags[0]" becomes the second file's name and "variant.flags[0]". */
static void
name_file(const struct timing_run *r, struct fault *why)
{
	char		 rest[sizeof why->member], *end;
	const char	*file;
	size_t		 i;

	if (strncmp(why->member, "jobs[", 5) != 0)
		return;
	i = strtoul(why->member + 5, &end, 10);
	if (strncmp(end, "].", 2) != 0)
		return;
	(void)snprintf(rest, sizeof rest, "%s", end + 2);
	file = r->words->items[strncmp(rest, "variant", 7) == 0 ? file_of(r, i) : 0];
	(void)snprintf(why->member, sizeof why->member, "%.90s: %.96s", file, rest);
}

/* ---- after ---- */

static enum status
on_result(void *arg, const json_t *document, const struct result *result, struct fault *why)
{
	struct timing_run	*r = arg;

	json_decref(r->document);
	r->document = json_incref((json_t *)(uintptr_t)document);
	r->outcome = results_outcome(result);
	r->in_cache = r->in_cache || (result->has_time &&
	    result->found.technique.context != NULL &&
	    strcmp(result->found.technique.context, "warm") == 0);
	return r->listing != NULL ? listing_add(r->listing, document, result, why) : ST_OK;
}

static enum status
print_one(const struct timing_run *r, struct fault *why)
{
	struct result	result;
	enum status	st;

	if (r->cli->ndjson)
		return output_line(r->document, why);
	if (r->cli->json)
		return output_document(r->document, why);
	if ((st = results_read_one(&result, r->document, why)) != ST_OK)
		return st;
	report_print(stdout, &result, output_columns());
	result_release(&result);
	return ST_OK;
}

/* By the kernel that the host times in the same context; NaN: not known. */
static double
noise_of_host(const struct timing_run *r)
{
	json_t		*host = NULL;
	struct fault	 why;
	double		 noise = NAN;

	if (connection_call(r->session.connection, "host.get", NULL, &host, &why) == ST_OK)
		noise = host_upkeep_noise(host, r->in_cache);
	json_decref(host);
	return noise;
}

static enum status
print_verdict(const struct timing_run *r, struct fault *why)
{
	const struct row	**rows;
	struct ranking		  ranking;
	enum status		  st;

	if ((st = listing_rank(r->listing, &rows, &ranking, why)) != ST_OK)
		return st;
	(void)fputc('\n', stdout);
	verdict_put(stdout, output_columns(), &ranking, noise_of_host(r));
	free(rows);
	return ST_OK;
}

static enum status
print_several(const struct timing_run *r, struct fault *why)
{
	enum status	st;

	if (listing_has_cells(r->listing))
		listing_set_noise(r->listing, noise_of_host(r));
	st = listing_end(r->listing, NULL, why);
	if (st == ST_OK && listing_form(r->cli) == LISTING_TABLE && !listing_has_cells(r->listing))
		st = print_verdict(r, why);
	return st;
}

static int
code_of(const struct timing_run *r)
{
	if (r->listing != NULL)
		return listing_exit_code(r->listing);
	return status_exit_code(r->outcome);
}

/* ---- the whole ---- */

/* One result is a report, unless a table or a line is asked for. */
static bool
is_listed(const struct timing_run *r)
{
	const enum listing_form	form = listing_form(r->cli);

	return json_array_size(r->jobs) > 1 || form == LISTING_BRIEF ||
	    (r->cli->markdown && form == LISTING_TABLE);
}

static enum status
submit_and_follow(struct timing_run *r, struct fault *why)
{
	struct progress	p;
	enum status	st;

	if (is_listed(r) && (st = listing_new(&r->listing, listing_form(r->cli),
	    LISTING_BY_JOB | LISTING_SPEEDUP | LISTING_RANKED | LISTING_CELLS, why)) != ST_OK)
		return st;
	progress_init(&p, r->cli->quiet || (r->cli->ndjson && isatty(STDOUT_FILENO)));
	(void)interrupt_fd();		/* from here on there are jobs to cancel */
	if ((st = submit_jobs(r->session.connection, r->jobs, true, &r->submitted, why)) != ST_OK) {
		name_file(r, why);
		return st;
	}
	st = receive_results(r->session.connection, r->submitted.ids, &p, on_result, r, why);
	if (st == ST_UNAVAILABLE)
		session_explain(&r->session, why);
	if (st != ST_OK)
		return st;
	return r->listing != NULL ? print_several(r, why) : print_one(r, why);
}

static int
run(struct timing_run *r)
{
	struct fault	why;
	enum status	st;
	int		code;

	session_images_beside(&r->session, r->words->items[0]);
	if ((st = make_jobs(r, &why)) == ST_OK &&
	    (st = session_open(&r->session, r->cli, &why)) == ST_OK)
		st = submit_and_follow(r, &why);
	if ((code = session_interrupted(&r->session, r->submitted.ids, r->cli->quiet)) == 0)
		code = st == ST_OK ? code_of(r) : cli_fail(&why);
	session_close(&r->session);
	listing_free(r->listing);
	json_decref(r->document);
	json_decref(r->jobs);
	time_axes_release(&r->axes);
	submitted_release(&r->submitted);
	return code;
}

static int
check_words(const struct cli_command *self, const struct timing_run *r)
{
	if (r->words->n == 0)
		return cli_usage(self, "time: needs a spec, and the file of at least one variant");
	if (r->choice.name != NULL && r->words->n > 2)
		return cli_usage(self,
		    "time: --name is for one variant; several have their files' names");
	return CLI_GO_ON;
}

int
cmd_time(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct timing_run	r = { .cli = cli, .choice = TIME_AS_SPECIFIED };
	struct time_choice	*c = &r.choice;
	struct cli_list		words;
	int			code;
	struct cli_option	options[CLI_MAX_OPTIONS];
	const struct cli_option	own[] = {
		{ '\0', "samples", CLI_INT, &c->samples, "N",
		  "how many samples to take", 1, INT32_MAX },
		{ '\0', "interval", CLI_REAL, &c->interval, "WIDTH",
		  "sample until the median's interval is as narrow (0.01: 1 %)", 0, 1 },
		{ '\0', "copies", CLI_INT, &c->copies, "N",
		  "as many copies at once, each on a CPU of its own", 1, 1024 },
		{ '\0', "difference", CLI_FLAG, &c->difference, NULL,
		  "time by the difference of two regions", 0, 0 },
		{ '\0', "trust", CLI_TEXT, &c->trust, "TIER",
		  "auto, claimed, audited or verified", 0, 0 },
		{ '\0', "layout", CLI_TEXT, &c->layout, "MODE",
		  "fixed, sweep or random: code, operands and stack", 0, 0 },
		{ '\0', "layouts", CLI_INT, &c->layouts, "N",
		  "how many layouts (default 8)", 2, INT32_MAX },
		{ '\0', "stored", CLI_FLAG, &c->stored, NULL,
		  "if the same was timed before, that result will do", 0, 0 },
		{ '\0', "race", CLI_REAL, &c->race_ns, "NS",
		  "give up a variant that is surely slower than NS ns", 0, INT64_MAX },
		{ '\0', "visibility", CLI_TEXT, &c->readers, "READERS",
		  "who may read the sources: private, all, or users' names: alice,bob", 0, 0 },
		{ '\0', "name", CLI_TEXT, &c->name, "NAME",
		  "the variant's name (default: its file's)", 0, 0 },
		{ '\0', "brief", CLI_FLAG, &cli->brief, NULL,
		  "print a line a result: job, name, status, time", 0, 0 },
		CLI_END,
	};

	time_job_options(c, options);
	memcpy(options + TIME_SHARED_OPTIONS, own, sizeof own);
	r.words = &words;
	code = cli_parse(cli, self, options, argc, argv, &words);
	if (code == CLI_GO_ON)
		code = check_words(self, &r);
	if (code == CLI_GO_ON)
		code = run(&r);
	time_job_release(c);
	cli_list_release(&words);
	return code;
}
