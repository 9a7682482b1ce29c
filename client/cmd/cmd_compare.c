/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay compare: files become variants of one spec, and a daemon times each in turn with the first.
 * The output shows which are faster, and how certain that is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/time_job.h"
#include "client/connect/interrupt.h"
#include "client/connect/session.h"
#include "client/print/output.h"
#include "client/report/compared.h"
#include "client/search/compare.h"

struct comparing {
	struct cli		*cli;
	struct time_choice	 choice;
	double			 error, resolution;	/* -1: as the job has it, or the default */
	int64_t			 max_pairs;		/* the same */
	bool			 by_size, gate;
	const char		*spec;
	const struct cli_list	*words;
	size_t			 first;			/* in words: the first variant */
	json_t			*document;		/* owned */
	struct session		 session;
	struct compare		 compare;
};

/* ---- the document ---- */

static void
put_rule(const struct comparing *r, json_t *document)
{
	json_t	*rule = json_object_get(document, "compare");

	if (!json_is_object(rule)) {
		(void)json_object_set_new(document, "compare", json_object());
		rule = json_object_get(document, "compare");
	}
	if (r->error >= 0)
		(void)json_object_set_new(rule, "error", json_real(r->error));
	if (r->resolution >= 0)
		(void)json_object_set_new(rule, "resolution", json_real(r->resolution));
	if (r->max_pairs >= 0)
		(void)json_object_set_new(rule, "max_pairs",
		    json_integer((json_int_t)r->max_pairs));
	if (r->by_size)
		(void)json_object_set_new(rule, "tie_break", json_string("size"));
}

static void
put_gate(const struct comparing *r, json_t *spec)
{
	if (!r->gate)
		return;
	if (json_object_get(spec, "timing") == NULL)
		(void)json_object_set_new(spec, "timing", json_object());
	(void)json_object_set_new(json_object_get(spec, "timing"), "gate", json_true());
}

/* Files of the same name in several directories are named by their paths. */
static void
name_by_path(json_t *variants, const char *path, json_t *variant)
{
	json_t	*other;
	size_t	 i;

	json_array_foreach(variants, i, other)
		if (json_equal(json_object_get(other, "name"), json_object_get(variant, "name")))
			(void)json_object_set_new(variant, "name", json_string(path));
}

static enum status
make_document(struct comparing *r, struct fault *why)
{
	json_t		*base, *job, *variants = json_array();
	char		 notes[512];
	enum status	 st;

	if ((st = time_job_base(&r->choice, r->spec, &base, notes, sizeof notes, why)) != ST_OK)
		goto done;
	if (notes[0] != '\0' && !r->cli->quiet)
		(void)fprintf(stderr, "assay: %s\n", notes);
	time_job_renew(&r->choice, base);
	put_gate(r, json_object_get(base, "spec"));
	for (size_t i = r->first; st == ST_OK && i < r->words->n; i++) {
		if ((st = time_job_make(&r->choice, base, r->words->items[i], &job, why)) != ST_OK)
			break;
		name_by_path(variants, r->words->items[i], json_object_get(job, "variant"));
		(void)json_array_append(variants, json_object_get(job, "variant"));
		json_decref(job);
	}
	if (st == ST_OK)
		st = time_job_check(&r->choice, base, variants, why);
	(void)json_object_del(base, "variant");
	(void)json_object_del(base, "against");
	(void)json_object_del(base, "race");
	(void)json_object_set(base, "variants", variants);
	put_rule(r, base);
	r->document = base;
done:
	json_decref(variants);
	return st;
}

/* The daemon's "compare.variants[1].flags[0]" becomes the second file's name and "flags[0]". */
static void
name_file(const struct comparing *r, struct fault *why)
{
	char	 file[128], *end;
	size_t	 i;

	if (strncmp(why->member, "compare.variants[", 17) != 0)
		return;
	i = strtoul(why->member + 17, &end, 10);
	if (end[0] != ']' || r->first + i >= r->words->n)
		return;
	(void)snprintf(file, sizeof file, "compare.variants[%zu]", i);
	(void)fault_rename(why, file, r->words->items[r->first + i]);
}

/* ---- the whole ---- */

static enum status
print(struct comparing *r, struct fault *why)
{
	const struct results	*results = &r->compare.results;
	json_t			*document;
	enum status		 st = ST_OK;

	if (r->cli->ndjson) {
		for (size_t i = 0; st == ST_OK && i < results->n; i++)
			st = output_line(json_array_get(results->documents, i), why);
		return st;
	}
	if (!r->cli->json)
		return compared_print(stdout, results, output_columns(), why);
	document = json_pack("{s:O}", "results", results->documents);
	st = output_document(document, why);
	json_decref(document);
	return st;
}

static enum status
submit_and_follow(struct comparing *r, struct fault *why)
{
	enum status	st;

	progress_init(&r->compare.progress, r->cli->quiet);
	(void)interrupt_fd();		/* from here on there are jobs to cancel */
	r->compare.connection = r->session.connection;
	st = compare_run(&r->compare, json_pack("{s:O}", "compare", r->document), why);
	if (st == ST_UNAVAILABLE)
		session_explain(&r->session, why);
	if (st != ST_OK) {
		name_file(r, why);
		return st;
	}
	return print(r, why);
}

static int
run(struct comparing *r)
{
	struct fault	why;
	enum status	st;
	int		code;

	session_images_beside(&r->session, r->spec);
	if ((st = make_document(r, &why)) == ST_OK &&
	    (st = session_open(&r->session, r->cli, &why)) == ST_OK)
		st = submit_and_follow(r, &why);
	if ((code = session_interrupted(&r->session, r->compare.ids, r->cli->quiet)) == 0)
		code = st == ST_OK ? results_exit_code(&r->compare.results) : cli_fail(&why);
	session_close(&r->session);
	compare_release(&r->compare);
	json_decref(r->document);
	return code;
}

static bool
is_json(const char *path)
{
	size_t	n = strlen(path);

	return n > 5 && strcmp(path + n - 5, ".json") == 0;
}

/* Without --spec the first word is the spec's file, as with `time`. */
static int
check_words(const struct cli_command *self, struct comparing *r)
{
	if (r->spec == NULL && r->words->n > 0 && is_json(r->words->items[0])) {
		r->spec = r->words->items[0];
		r->first = 1;
	}
	if (r->spec == NULL)
		return cli_usage(self, "compare: needs a spec: --spec SPEC.json");
	if (r->words->n - r->first < 2)
		return cli_usage(self, "compare: needs the files of at least two variants");
	return CLI_GO_ON;
}

int
cmd_compare(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct comparing	r = { .cli = cli, .choice = TIME_AS_SPECIFIED, .error = -1,
				    .resolution = -1, .max_pairs = -1 };
	struct cli_list		words;
	int			code;
	struct cli_option	options[CLI_MAX_OPTIONS];
	const struct cli_option	own[] = {
		{ '\0', "spec", CLI_TEXT, &r.spec, "SPEC.json", "how the routine is called", 0, 0 },
		{ '\0', "error", CLI_REAL, &r.error, "RATE",
		  "chance of a wrong verdict on equal ones (0.05)", 0, 1 },
		{ '\0', "resolution", CLI_REAL, &r.resolution, "FRACTION",
		  "what counts as equal (0.01: 1 %)", 0, 1 },
		{ '\0', "max-pairs", CLI_INT, &r.max_pairs, "N",
		  "pairs at most (400)", 11, 1001 },
		{ '\0', "smaller", CLI_FLAG, &r.by_size, NULL,
		  "of two equal ones, the one with less code wins", 0, 0 },
		{ '\0', "visibility", CLI_TEXT, &r.choice.readers, "READERS",
		  "who may read the sources: private, all, or users' names: alice,bob", 0, 0 },
		{ '\0', "gate", CLI_FLAG, &r.gate, NULL,
		  "only pairs that were taken in quiet count", 0, 0 },
		CLI_END,
	};

	time_job_options(&r.choice, options);
	memcpy(options + TIME_SHARED_OPTIONS, own, sizeof own);
	r.words = &words;
	code = cli_parse(cli, self, options, argc, argv, &words);
	if (code == CLI_GO_ON)
		code = check_words(self, &r);
	if (code == CLI_GO_ON)
		code = run(&r);
	time_job_release(&r.choice);
	cli_list_release(&words);
	return code;
}
