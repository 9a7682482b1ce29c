/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/document.h"
#include "client/cmd/job/option_value.h"
#include "client/connect/interrupt.h"
#include "client/connect/receive.h"
#include "client/connect/submit.h"
#include "client/print/output.h"
#include "client/print/results/listing.h"
#include "proto/spec/spec.h"

struct submission {
	const char	*key;
	const char	*readers;	/* NULL: as in the files */
	double		 race_ns;	/* below 0: as in the files */
	bool		 follow, detach;
	json_t		*jobs;		/* owned; of all files, in order */
};

/* ---- reading ---- */

static enum status
add_job(void *arg, json_t *job, struct fault *why)
{
	struct submission	*s = arg;

	return json_array_append_new(s->jobs, job) == 0 ? ST_OK : fault_set(why, ST_NOMEM, "job");
}

/* A file has a job, a list of jobs, {"jobs": [...]}, or {"spec": ..., "variants": [...]}. */
static enum status
add_file(struct submission *s, const char *path, struct fault *why)
{
	json_t		*doc, *list;
	enum status	 st;

	if ((st = document_load(path, &doc, why)) != ST_OK)
		return st;
	list = json_is_array(doc) ? doc : json_object_get(doc, "jobs");
	if ((st = document_resolve(doc, path, why)) != ST_OK) {
		(void)fault_within(why, path);
	} else if (json_object_get(doc, "name") != NULL ||
	    json_object_get(doc, "template") != NULL) {
		st = fault_set(why, ST_BAD_SPEC, "%s: is a sweep", path);
		fault_hint(why, "submit it with: assay sweep create %s", path);
	} else if (json_object_get(doc, "variants") != NULL) {
		if ((st = variants_expand(doc, add_job, s, why)) != ST_OK)
			(void)fault_within(why, path);
	} else if (list == NULL) {
		(void)json_array_append(s->jobs, doc);
	} else if (!json_is_array(list) || json_array_extend(s->jobs, list) != 0) {
		st = fault_set(why, ST_BAD_SPEC, "%s: \"jobs\" must be a list", path);
	}
	json_decref(doc);
	return st;
}

/* A key makes a second submission harmless.  Of several jobs each has its own. */
static void
put_keys(struct submission *s)
{
	size_t	 n = json_array_size(s->jobs), i;
	json_t	*job;

	if (s->key == NULL)
		return;
	json_array_foreach(s->jobs, i, job)
		(void)json_object_set_new(job, "key", n == 1 ? json_string(s->key) :
		    json_sprintf("%s#%zu", s->key, i));
}

static void
put_options(struct submission *s)
{
	size_t	 i;
	json_t	*job;

	json_array_foreach(s->jobs, i, job) {
		option_race(job, s->race_ns);
		option_visibility(job, s->readers);
	}
}

/* ---- telling ---- */

enum { WORDS_IDS = 10 };	/* more of them are better written to a file */

/* An option, if it was given, with its value as a word of a shell. */
static void
print_option(const char *option, const char *value)
{
	static const char	plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:@,+=";

	if (value == NULL)
		return;
	(void)fprintf(stderr, " %s ", option);
	if (value[0] != '\0' && value[strspn(value, plain)] == '\0') {
		(void)fputs(value, stderr);
		return;
	}
	(void)putc('\'', stderr);
	for (; *value != '\0'; value++)
		(void)fputs(*value == '\'' ? "'\\''" : (const char[]){ *value, '\0' }, stderr);
	(void)putc('\'', stderr);
}

/* How to collect the results, from here or elsewhere, now or tomorrow. */
static void
print_way_back(const struct cli *cli, const json_t *ids)
{
	const json_t	*id;
	size_t		 i;

	(void)fprintf(stderr, "assay: the jobs go on; collect their results with: assay");
	print_option("-H", cli->host);
	print_option("-s", cli->host == NULL ? cli->socket : NULL);
	print_option("--token-file", cli->token_file);
	print_option("--ca", cli->ca);
	print_option("--cert", cli->cert);
	print_option("--cert-key", cli->key);
	(void)fprintf(stderr, " wait");
	json_array_foreach(ids, i, id)
		if (i < WORDS_IDS)
			(void)fprintf(stderr, " %" JSON_INTEGER_FORMAT, json_integer_value(id));
	(void)fprintf(stderr, "%s\n", json_array_size(ids) > WORDS_IDS ? " ..." : "");
}

static enum status
print_ids(const struct cli *cli, const struct submitted *h, struct fault *why)
{
	json_t		*id, *doc;
	size_t		 i;
	enum status	 st;

	if (cli->json && !cli->ndjson) {
		doc = json_pack("{s:O, s:I}", "ids", h->ids, "repeated", (json_int_t)h->repeated);
		st = output_document(doc, why);
		json_decref(doc);
		return st;
	}
	json_array_foreach(h->ids, i, id)
		(void)printf("%" JSON_INTEGER_FORMAT "\n", json_integer_value(id));
	if (h->repeated > 0 && !cli->quiet)
		(void)fprintf(stderr, "assay: %zu had been submitted before\n", h->repeated);
	return ST_OK;
}

static enum status
on_result(void *arg, const json_t *document, const struct result *r, struct fault *why)
{
	return listing_add(arg, document, r, why);
}

static enum status
print_results(const struct cli *cli, struct connection *c, const struct submitted *h, int *code,
    struct fault *why)
{
	struct progress	 p;
	struct listing	*l;
	enum status	 st;

	if ((st = listing_new(&l, listing_form(cli), LISTING_BY_JOB, why)) != ST_OK)
		return st;
	progress_init(&p, cli->quiet || (cli->ndjson && isatty(STDOUT_FILENO)));
	st = receive_results(c, h->ids, &p, on_result, l, why);
	if (st == ST_CANCELLED) {
		(void)fprintf(stderr, "assay: the jobs go on: assay wait, assay cancel\n");
		*code = 128 + interrupt_came();
		st = ST_OK;
	} else if (st == ST_OK) {
		st = listing_end(l, json_pack("{s:O, s:I}", "ids", h->ids, "repeated",
		    (json_int_t)h->repeated), why);
		*code = listing_exit_code(l);
	}
	listing_free(l);
	return st;
}

static int
answer(struct cli *cli, struct submission *s, const struct cli_list *files)
{
	struct submitted	 h = { NULL, 0 };
	struct connection	*c = NULL;
	struct fault		 why;
	enum status		 st = ST_OK;
	int			 code = 0;

	s->jobs = json_array();
	for (size_t i = 0; i < files->n && st == ST_OK; i++)
		st = add_file(s, files->items[i], &why);
	put_keys(s);
	put_options(s);
	if (st == ST_OK && json_array_size(s->jobs) == 0)
		st = fault_set(&why, ST_BAD_SPEC, "there is no job in it");
	if (st == ST_OK && (st = connection_open(&c, cli, &why)) == ST_OK &&
	    (st = submit_jobs(c, s->jobs, s->follow, &h, &why)) == ST_OK)
		st = s->follow ? print_results(cli, c, &h, &code, &why) : print_ids(cli, &h, &why);
	if (st == ST_OK && s->detach && !cli->quiet)
		print_way_back(cli, h.ids);
	json_decref(s->jobs);
	submitted_release(&h);
	connection_free(c);
	return st == ST_OK ? code : cli_fail(&why);
}

int
cmd_submit(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct submission	s = { .race_ns = -1 };
	const struct cli_option	options[] = {
		{ 'f', "follow", CLI_FLAG, &s.follow, NULL,
		  "wait for the results and print them", 0, 0 },
		{ 'd', "detach", CLI_FLAG, &s.detach, NULL,
		  "do not wait (so it is without -f), and say how to collect the results", 0, 0 },
		{ 'k', "key", CLI_TEXT, &s.key, "KEY",
		  "submitting again under this key returns the same ids", 0, 0 },
		{ '\0', "race", CLI_REAL, &s.race_ns, "NS",
		  "give up each variant that is surely slower than NS ns", 0, INT64_MAX },
		{ '\0', "visibility", CLI_TEXT, &s.readers, "READERS",
		  "who may read the sources: private, all, or users' names: alice,bob", 0, 0 },
		CLI_END,
	};
	struct cli_list		words;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON && words.n == 0)
		code = cli_usage(self, "submit: needs a file of jobs, or - for standard input");
	else if (code == CLI_GO_ON && s.follow && s.detach)
		code = cli_usage(self, "submit: --follow waits, and --detach does not");
	else if (code == CLI_GO_ON)
		code = answer(cli, &s, &words);
	cli_list_release(&words);
	return code;
}
