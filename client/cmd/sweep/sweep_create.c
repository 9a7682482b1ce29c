/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <unistd.h>

#include "client/cmd/job/document.h"
#include "client/cmd/job/option_value.h"
#include "client/cmd/sweep/sweep_create.h"
#include "client/connect/interrupt.h"
#include "client/connect/receive.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/results/listing.h"

/* What the options say, over what the file says. */
static void
put_choice(const struct sweep_choice *c, json_t *doc)
{
	if (c->name != NULL)
		(void)json_object_set_new(doc, "name", json_string(c->name));
	if (c->webhook != NULL)
		(void)json_object_set_new(doc, "notify", json_pack("{s:s}", "webhook", c->webhook));
	if (c->yardstick > 0)
		(void)json_object_set_new(doc, "yardstick", json_pack("{s:I}", "every",
		    (json_int_t)c->yardstick));
	if (c->correct && json_object_get(doc, "yardstick") == NULL)
		(void)json_object_set_new(doc, "yardstick", json_object());
	if (c->correct)
		(void)json_object_set_new(json_object_get(doc, "yardstick"), "correct",
		    json_true());
	option_race(doc, c->race_ns);
	option_visibility(doc, c->readers);
}

static enum status
load_sweep(const struct sweep_choice *c, const char *path, json_t **doc, struct fault *why)
{
	enum status	st;

	if ((st = document_load(path, doc, why)) != ST_OK)
		return st;
	if (!json_is_object(*doc))
		st = fault_set(why, ST_BAD_SPEC, "%s: a sweep is an object", path);
	else if ((st = document_resolve(*doc, path, why)) != ST_OK)
		(void)fault_within(why, path);
	if (st == ST_OK)
		put_choice(c, *doc);
	if (st != ST_OK) {
		json_decref(*doc);
		*doc = NULL;
	}
	return st;
}

static enum status
on_result(void *arg, const json_t *document, const struct result *r, struct fault *why)
{
	return listing_add(arg, document, r, why);
}

/* Failed variants are no failure of the command: a sweep is made to find them. */
static enum status
follow_sweep(const struct cli *cli, struct connection *c, const json_t *reply, int *code,
    struct fault *why)
{
	const char	*name = member_text(reply, "name");
	struct progress	 p;
	struct listing	*l;
	char		 summary[512];
	enum status	 st;

	if ((st = listing_new(&l, listing_form(cli), LISTING_BY_JOB | LISTING_SPEEDUP |
	    LISTING_CELLS, why)) != ST_OK)
		return st;
	progress_init(&p, cli->quiet || (cli->ndjson && isatty(STDOUT_FILENO)));
	st = receive_sweep(c, reply, &p, on_result, l, why);
	if (st == ST_CANCELLED) {
		(void)fprintf(stderr,
		    "assay: the sweep goes on; see: assay sweep show %s; "
		    "end it: assay sweep cancel %s\n", name, name);
		*code = 128 + interrupt_came();
		st = ST_OK;
	} else if (st == ST_OK) {
		listing_put_summary(l, summary, sizeof summary);
		st = listing_end(l, json_copy((json_t *)(uintptr_t)reply), why);
		if (listing_form(cli) == LISTING_TABLE && !cli->quiet)
			(void)printf("sweep %s: %s\n", name, summary);
	}
	listing_free(l);
	return st;
}

static enum status
print_created(const struct cli *cli, const json_t *reply, struct fault *why)
{
	const json_t	*many = json_object_get(reply, "jobs");
	const size_t	 n = many != NULL ? (size_t)json_integer_value(many) :
			    json_array_size(json_object_get(reply, "ids"));

	if (cli->json || cli->ndjson)
		return output_json(cli, reply, why);
	(void)printf("sweep %s (id %" JSON_INTEGER_FORMAT "): %zu job%s%s\n",
	    member_text(reply, "name"), json_integer_value(json_object_get(reply, "sweep")), n,
	    n == 1 ? "" : "s", json_is_true(json_object_get(reply, "existed")) ?
	    ", submitted before" : "");
	return ST_OK;
}

int
sweep_create(struct cli *cli, const json_t *sweep, bool follow)
{
	struct connection	*daemon = NULL;
	json_t			*params, *reply = NULL;
	struct fault		 why;
	enum status		 st;
	int			 code = 0;

	if ((st = connection_open(&daemon, cli, &why)) == ST_OK) {
		params = json_pack("{s:O}", "sweep", sweep);
		if (follow)
			(void)json_object_set_new(params, "follow", json_true());
		st = connection_call(daemon, "sweep.create", params, &reply, &why);
	}
	if (st == ST_OK)
		st = follow ? follow_sweep(cli, daemon, reply, &code, &why) :
		    print_created(cli, reply, &why);
	json_decref(reply);
	connection_free(daemon);
	return st == ST_OK ? code : cli_fail(&why);
}

int
sweep_create_file(struct cli *cli, const struct sweep_choice *c, const char *path)
{
	json_t		*doc = NULL;
	struct fault	 why;
	int		 code;

	if (load_sweep(c, path, &doc, &why) != ST_OK)
		return cli_fail(&why);
	code = sweep_create(cli, doc, c->follow);
	json_decref(doc);
	return code;
}
