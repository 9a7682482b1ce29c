/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay time: the whole way for a person.  Files become jobs, a daemon (the one that runs, or a private one that comes
 * and goes with us) times them, and the results are printed as a report, or as a table when there are several.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd.h"
#include "client/follow.h"
#include "client/interrupt.h"
#include "client/launch.h"
#include "client/listing.h"
#include "client/output.h"
#include "client/report.h"
#include "client/result.h"
#include "client/time_job.h"

enum { CANCEL_MS = 5000 };

struct timing_run {
	struct cli		*cli;
	struct time_choice	 choice;
	const struct cli_list	*words;		/* spec, variants */
	json_t			*jobs;		/* owned */
	struct talk		*talk;		/* owned */
	struct launch		 launch;
	bool			 is_private;	/* launch runs */
	struct handed_in	 handed;
	struct listing		*listing;	/* owned; NULL: one result, reported alone */
	json_t			*result;	/* owned; the last one */
};

/* ---- before ---- */

static enum status
make_jobs(struct timing_run *r, struct fault *why)
{
	size_t		 nvariants = r->words->n - 1;
	json_t		*base, *job;
	char		 notes[512];
	enum status	 st;

	if ((st = time_job_base(&r->choice, r->words->items[0], &base, notes, sizeof notes, why)) != ST_OK)
		return st;
	if (notes[0] != '\0' && !r->cli->quiet)
		(void)fprintf(stderr, "assay: %s\n", notes);
	r->jobs = json_array();
	for (size_t i = 0; st == ST_OK && i < (nvariants > 0 ? nvariants : 1); i++) {
		st = time_job_make(&r->choice, base, nvariants > 0 ? r->words->items[1 + i] : NULL, &job, why);
		if (st == ST_OK)
			(void)json_array_append_new(r->jobs, job);
	}
	json_decref(base);
	return st;
}

/* Its queue may hold what an earlier one did not come to: people wonder why theirs takes so long. */
static void
tell_unfinished(struct timing_run *r)
{
	static const char *const	 live[] = { "queued", "building", "built", "timing" };
	json_t				*queue;
	json_int_t			 n = 0;
	struct fault			 none;

	if (talk_call(r->talk, "queue.get", json_pack("{s:i}", "limit", 1), &queue, &none) != ST_OK)
		return;
	for (unsigned i = 0; i < sizeof live / sizeof live[0]; i++)
		n += json_integer_value(json_object_get(json_object_get(queue, "states"), live[i]));
	json_decref(queue);
	if (n > 0)
		(void)fprintf(stderr, "assay: %" JSON_INTEGER_FORMAT " job%s that an earlier daemon did not finish go%s"
		    " first\n", n, n == 1 ? "" : "s", n == 1 ? "es" : "");
}

static enum status
launch_private(struct timing_run *r, struct fault *why)
{
	json_t		*info;
	enum status	 st;

	if ((st = launch_start(&r->launch, why)) != ST_OK)
		return st;
	r->is_private = true;
	if ((st = talk_open_socket(&r->talk, r->launch.socket, why)) != ST_OK ||
	    (st = talk_call(r->talk, "server.info", NULL, &info, why)) != ST_OK)
		return st;
	if (!r->cli->quiet && r->launch.keeps_nothing)
		(void)fprintf(stderr, "assay: no daemon to talk to; started a private one.  Another has this user's "
		    "state directory: nothing is kept\n");
	else if (!r->cli->quiet)
		(void)fprintf(stderr, "assay: no daemon is running; started a private one, results are kept in %s\n",
		    result_text(info, "state_dir"));
	if (!r->cli->quiet)
		tell_unfinished(r);
	json_decref(info);
	return ST_OK;
}

/* Only where nobody has said which daemon it should be. */
static enum status
reach_daemon(struct timing_run *r, struct fault *why)
{
	const char	*env = getenv("ASSAY_SOCKET");
	enum status	 st = talk_open(&r->talk, r->cli, why);

	if (st != ST_UNAVAILABLE || r->cli->socket != NULL || (env != NULL && env[0] != '\0'))
		return st;
	return launch_private(r, why);
}

/* The daemon speaks of "jobs[1].variant.flags[0]"; here it is the second file's. */
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
	file = r->words->items[strncmp(rest, "variant", 7) == 0 && 1 + i < r->words->n ? 1 + i : 0];
	(void)snprintf(why->member, sizeof why->member, "%.90s: %.96s", file, rest);
}

/* ---- after ---- */

static enum status
on_result(void *arg, const json_t *result, struct fault *why)
{
	struct timing_run	*r = arg;

	json_decref(r->result);
	r->result = json_incref((json_t *)(uintptr_t)result);
	return r->listing != NULL ? listing_add(r->listing, result, why) : ST_OK;
}

static enum status
print_one(struct timing_run *r, struct fault *why)
{
	if (r->cli->ndjson)
		return output_line(r->result, why);
	if (r->cli->json)
		return output_document(r->result, why);
	report_print(stdout, r->result);
	return ST_OK;
}

static int
code_of(const struct timing_run *r)
{
	enum status	st;

	if (r->listing != NULL)
		return listing_exit_code(r->listing);
	return status_exit_code(status_from_word(&st, result_text(r->result, "status")) ? st : ST_INTERNAL);
}

/* Nobody waits for the times any more: take the jobs back, and see that it is written down before we go. */
static void
take_back(struct timing_run *r)
{
	json_t		*reply, *params;
	struct fault	 none;

	if (r->handed.ids == NULL || json_array_size(r->handed.ids) == 0)
		return;
	if (talk_call(r->talk, "job.cancel", json_pack("{s:O}", "ids", r->handed.ids), &reply, &none) != ST_OK)
		return;
	json_decref(reply);
	params = json_pack("{s:O, s:i}", "ids", r->handed.ids, "timeout_ms", (int)CANCEL_MS);
	if (talk_call_waiting(r->talk, CANCEL_MS, "job.wait", params, &reply, &none) == ST_OK)
		json_decref(reply);
	if (!r->cli->quiet)
		(void)fprintf(stderr, "assay: interrupted, cancelled\n");
}

/* ---- the whole ---- */

static enum status
submit_and_follow(struct timing_run *r, struct fault *why)
{
	struct progress	p;
	enum status	st;

	if (json_array_size(r->jobs) > 1 && (st = listing_new(&r->listing, listing_form(r->cli),
	    LISTING_BY_JOB | LISTING_SPEEDUP, why)) != ST_OK)
		return st;
	progress_init(&p, r->cli->quiet || (r->cli->ndjson && isatty(STDOUT_FILENO)));
	(void)interrupt_fd();		/* from here on there is something to take back */
	if ((st = follow_submit(r->talk, r->jobs, true, &r->handed, why)) != ST_OK) {
		name_file(r, why);
		return st;
	}
	st = follow_results(r->talk, r->handed.ids, &p, on_result, r, why);
	if (st == ST_UNAVAILABLE && r->is_private)
		launch_put_log(&r->launch, why);
	if (st != ST_OK)
		return st;
	return r->listing != NULL ? listing_end(r->listing, NULL, why) : print_one(r, why);
}

static int
run(struct timing_run *r)
{
	struct fault	why;
	enum status	st;
	int		code = 0;

	if ((st = make_jobs(r, &why)) == ST_OK && (st = reach_daemon(r, &why)) == ST_OK)
		st = submit_and_follow(r, &why);
	if (interrupt_came() != 0) {
		if (r->talk != NULL)
			take_back(r);
		code = 128 + interrupt_came();
	} else {
		code = st == ST_OK ? code_of(r) : cli_fail(&why);
	}
	talk_free(r->talk);
	if (r->is_private)
		launch_stop(&r->launch);
	listing_free(r->listing);
	json_decref(r->result);
	json_decref(r->jobs);
	handed_in_release(&r->handed);
	return code;
}

static int
check_words(const struct cli_command *self, const struct timing_run *r)
{
	if (r->words->n == 0)
		return cli_usage(self, "time: needs a spec, and the file of at least one variant");
	if (r->choice.name != NULL && r->words->n > 2)
		return cli_usage(self, "time: --name is for one variant; several have their files' names");
	if (r->cli->host != NULL)
		return cli_usage(self, "time: -H only asks; times are taken through the daemon's Unix socket");
	return CLI_GO_ON;
}

int
cmd_time(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct timing_run	r = { .cli = cli, .choice = { .samples = -1, .calls = -1, .layouts = -1 } };
	struct time_choice	*c = &r.choice;
	struct cli_list		words;
	int			code;
	const struct cli_option	options[] = {
		{ 'D', "define", CLI_LIST, &c->defines, "NAME[=VALUE]", "a macro for the variant", 0, 0 },
		{ 'p', "param", CLI_LIST, &c->params, "NAME=VALUE", "a param of the spec", 0, 0 },
		{ 'O', "flags", CLI_LIST, &c->flags, "FLAGS", "compiler flags: -O3, -O \"-O3 -mavx2\"", 0, 0 },
		{ '\0', "compiler", CLI_TEXT, &c->compiler, "NAME", "gcc, clang, g++, gfortran, ...", 0, 0 },
		{ '\0', "context", CLI_TEXT, &c->context, "WHERE", "cold, warm, or bytes to flush", 0, 0 },
		{ '\0', "flush", CLI_TEXT, &c->flush, "METHOD",
		  "auto, OneCallFlushLRU, OneCallFlushX86, MultiCallFlushLRU", 0, 0 },
		{ '\0', "clock", CLI_TEXT, &c->clock, "CLOCK", "auto, wall, cycle or cpu", 0, 0 },
		{ '\0', "samples", CLI_INT, &c->samples, "N", "how many samples to take", 1, INT32_MAX },
		{ '\0', "interval", CLI_REAL, &c->interval, "WIDTH",
		  "sample until the median is known so well (0.01: to 1 %)", 0, 1 },
		{ '\0', "difference", CLI_FLAG, &c->difference, NULL,
		  "time by the difference of two regions", 0, 0 },
		{ '\0', "calls", CLI_INT, &c->calls, "N", "calls in one sample", 1, INT32_MAX },
		{ '\0', "layout", CLI_TEXT, &c->layout, "MODE", "fixed, sweep or random: code, operands and stack", 0, 0 },
		{ '\0', "layouts", CLI_INT, &c->layouts, "N", "how many layouts (default 8)", 2, INT32_MAX },
		{ '\0', "reference", CLI_TEXT, &c->reference, "FILE", "check the answers against this routine's",
		  0, 0 },
		{ '\0', "name", CLI_TEXT, &c->name, "NAME", "the variant's name (default: its file's)", 0, 0 },
		{ '\0', NULL, CLI_FLAG, NULL, NULL, NULL, 0, 0 },
	};

	r.words = &words;
	code = cli_parse(cli, self, options, argc, argv, &words);
	if (code == CLI_GO_ON)
		code = check_words(self, &r);
	if (code == CLI_GO_ON)
		code = run(&r);
	cli_list_release(&c->defines);
	cli_list_release(&c->params);
	cli_list_release(&c->flags);
	cli_list_release(&words);
	return code;
}
