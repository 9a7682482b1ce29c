/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/ids.h"
#include "client/cmd/timestamp.h"
#include "client/connect/connection.h"
#include "client/connect/fleet.h"
#include "client/connect/hosts.h"
#include "client/print/results/listing.h"
#include "client/print/results/remarks.h"

enum { PAGE = 1000, DEFAULT_LIMIT = 100 };

struct question {
	const char	*sweep, *name, *status, *routine, *since, *before, *order, *cursor;
	int64_t		 limit;
	bool		 all, csv, cores, speedup, spec;
};

static enum status
put_moment(json_t *params, const char *member, const char *text, struct fault *why)
{
	double		at;
	enum status	st;

	if (text == NULL)
		return ST_OK;
	if ((st = timestamp_parse(text, time(NULL), &at, why)) == ST_OK)
		(void)json_object_set_new(params, member, json_real(at));
	else
		(void)snprintf(why->member, sizeof why->member, "--%s", member);
	return st;
}

static void
put_text(json_t *params, const char *member, const char *text)
{
	if (text != NULL)
		(void)json_object_set_new(params, member, json_string(text));
}

/* Without a sweep or ids, the newest come first: there may be a year's results. */
static enum status
make_params(const struct question *q, const struct cli_list *ids, json_t **params,
    struct fault *why)
{
	json_t		*list = NULL;
	enum status	 st = ST_OK;

	*params = json_object();
	if (ids->n > 0 && (st = ids_parse(ids, &list, why)) == ST_OK)
		(void)json_object_set_new(*params, "ids", list);
	if (q->sweep != NULL)
		(void)json_object_set_new(*params, "sweep", ids_sweep(q->sweep));
	put_text(*params, "name", q->name);
	put_text(*params, "status", q->status);
	put_text(*params, "routine", q->routine);
	put_text(*params, "cursor", q->cursor);
	put_text(*params, "order", q->order != NULL ? q->order : ids->n == 0 && q->sweep == NULL ?
	    "newest" : NULL);
	if (st == ST_OK && (st = put_moment(*params, "since", q->since, why)) == ST_OK)
		st = put_moment(*params, "before", q->before, why);
	return st;
}

/*
 * Put one page into the listing, and what remarks are about into `rest`. *next: the cursor behind
 * it, a new reference; NULL: the end.
 */
static enum status
fetch_page(struct connection *c, json_t *params, struct listing *l, json_t *rest, json_t **next,
    struct fault *why)
{
	json_t		*reply;
	enum status	 st;

	*next = NULL;
	if ((st = connection_call(c, "results.query", json_incref(params), &reply, why)) != ST_OK)
		return st;
	st = listing_add_all(l, json_object_get(reply, "results"), why);
	if (json_is_string(json_object_get(reply, "next")))
		*next = json_incref(json_object_get(reply, "next"));
	remarks_collect(rest, reply);
	json_decref(reply);
	return st;
}

/* Fetch pages until there are as many results as asked for. *next: as of the last page. */
static enum status
fetch(struct connection *c, const struct question *q, json_t *params, struct listing *l,
    json_t *rest, struct fault *why)
{
	json_t		*next = NULL;
	enum status	 st;

	do {
		size_t	left = q->all ? PAGE : (size_t)q->limit - listing_count(l);

		(void)json_object_set_new(params, "limit",
		    json_integer(left < PAGE ? (json_int_t)left : PAGE));
		if (next != NULL)
			(void)json_object_set_new(params, "cursor", next);
		st = fetch_page(c, params, l, rest, &next, why);
	} while (st == ST_OK && next != NULL && (q->all || listing_count(l) < (size_t)q->limit));
	(void)json_object_set_new(rest, "next", next != NULL ? next : json_null());
	return st;
}

/* Host by host; cursors are a host's own. */
static enum status
print_fleet(struct cli *cli, const struct question *q, const json_t *answers, struct fault *why)
{
	const json_t	*host, *list;
	struct listing	*l;
	size_t		 i;
	enum status	 st = ST_OK;

	if (cli->json || cli->ndjson)
		return fleet_print_json(cli, answers, "page", why);
	json_array_foreach(answers, i, host) {
		fleet_print_heading(host, i == 0);
		list = json_object_get(json_object_get(host, "answer"), "results");
		if ((st = listing_new(&l, listing_form(cli), q->speedup ? LISTING_SPEEDUP : 0,
		    why)) != ST_OK)
			return st;
		if ((st = listing_add_all(l, list, why)) == ST_OK)
			st = listing_end(l, NULL, why);
		listing_free(l);
	}
	return st;
}

static enum status
answer_fleet(struct cli *cli, const struct question *q, const struct cli_list *ids,
    struct fault *why)
{
	json_t		*params = NULL, *answers = NULL;
	struct fault	 ours;
	enum status	 st, shown;

	if (ids->n > 0 || q->all || q->csv || q->cores || q->cursor != NULL)
		return fault_at(why, ST_BAD_REQUEST, "-H", "of several hosts there are neither "
		    "ids, --all, --cursor, --csv nor --cores: these are one host's own");
	if ((st = make_params(q, ids, &params, why)) != ST_OK) {
		json_decref(params);
		return st;
	}
	(void)json_object_set_new(params, "limit",
	    json_integer(q->limit < PAGE ? (json_int_t)q->limit : PAGE));
	st = fleet_call(cli, "results.query", params, &answers, why);
	shown = print_fleet(cli, q, answers, &ours);
	json_decref(answers);
	if (st == ST_OK && shown != ST_OK)
		*why = ours;
	return st != ST_OK ? st : shown;
}

static void
remark(const json_t *rest, bool is_empty)
{
	const char	*next = json_string_value(json_object_get(rest, "next"));

	remarks_page(rest);
	if (is_empty)
		(void)fprintf(stderr, "assay: no results\n");
	else if (next != NULL)
		(void)fprintf(stderr,
		    "assay: there are more: --all, or --limit N, or --cursor %s\n", next);
}

static enum status
answer(struct cli *cli, const struct question *q, const struct cli_list *ids, struct fault *why)
{
	enum listing_form	 form = q->csv || q->cores ? LISTING_CSV : listing_form(cli);
	const unsigned		 how = (q->speedup ? LISTING_SPEEDUP : 0) |
				    (q->cores ? LISTING_CORES : 0);
	struct listing		*l = NULL;
	struct connection	*c = NULL;
	json_t			*params = NULL, *rest;
	enum status		 st;

	if (hosts_are_several(cli))
		return answer_fleet(cli, q, ids, why);
	rest = json_object();
	if ((st = make_params(q, ids, &params, why)) == ST_OK &&
	    (st = connection_open_reading(&c, cli, why)) == ST_OK &&
	    (st = listing_new(&l, form, how, why)) == ST_OK &&
	    (st = fetch(c, q, params, l, rest, why)) == ST_OK)
		st = listing_end(l, json_incref(rest), why);
	if (st == ST_OK && form != LISTING_JSON && !cli->quiet)
		remark(rest, form == LISTING_TABLE && listing_count(l) == 0);
	json_decref(rest);
	json_decref(params);
	listing_free(l);
	connection_free(c);
	return st;
}

/* The spec behind one result, for people and programs alike. */
static enum status
print_spec(struct cli *cli, const struct cli_list *ids, struct fault *why)
{
	struct connection	*c = NULL;
	json_t			*list = NULL, *reply = NULL;
	enum status		 st;

	if (ids->n != 1)
		return fault_at(why, ST_BAD_REQUEST, "--spec", "takes the id of one job");
	if ((st = ids_parse(ids, &list, why)) == ST_OK &&
	    (st = connection_open_reading(&c, cli, why)) == ST_OK)
		st = connection_call(c, "job.spec",
		    json_pack("{s:O}", "id", json_array_get(list, 0)), &reply, why);
	if (st == ST_OK) {
		(void)json_dumpf(reply, stdout, JSON_INDENT(2));
		(void)putchar('\n');
	}
	json_decref(reply);
	json_decref(list);
	connection_free(c);
	return st;
}

int
cmd_results(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct question		q = { .limit = DEFAULT_LIMIT };
	const struct cli_option	options[] = {
		{ '\0', "sweep", CLI_TEXT, &q.sweep, "SWEEP",
		  "only of this sweep (name or id)", 0, 0 },
		{ '\0', "name", CLI_TEXT, &q.name, "NAME", "only variants of this name", 0, 0 },
		{ '\0', "status", CLI_TEXT, &q.status, "WORD",
		  "only with this outcome: ok, crashed, ...", 0, 0 },
		{ '\0', "routine", CLI_TEXT, &q.routine, "NAME", "only of this routine", 0, 0 },
		{ '\0', "since", CLI_TEXT, &q.since, "TIME",
		  "finished since: 2h (ago), 2026-01-31, 2026-01-31T12:00, @unix", 0, 0 },
		{ '\0', "before", CLI_TEXT, &q.before, "TIME", "finished before", 0, 0 },
		{ '\0', "order", CLI_TEXT, &q.order, "ORDER", "id, newest or fastest", 0, 0 },
		{ '\0', "limit", CLI_INT, &q.limit, "N",
		  "at most so many (default 100)", 1, INT64_MAX },
		{ '\0', "all", CLI_FLAG, &q.all, NULL, "all there are", 0, 0 },
		{ '\0', "cursor", CLI_TEXT, &q.cursor, "CURSOR",
		  "go on where an earlier list ended", 0, 0 },
		{ '\0', "brief", CLI_FLAG, &cli->brief, NULL,
		  "print a line a result: job, name, status, time", 0, 0 },
		{ '\0', "csv", CLI_FLAG, &q.csv, NULL, "print CSV", 0, 0 },
		{ '\0', "cores", CLI_FLAG, &q.cores, NULL,
		  "print CSV with a line for each core of a job with copies", 0, 0 },
		{ '\0', "speedup", CLI_FLAG, &q.speedup, NULL,
		  "add each time's speed-up over the first row", 0, 0 },
		{ '\0', "spec", CLI_FLAG, &q.spec, NULL,
		  "print the spec behind this one job's result, as JSON", 0, 0 },
		CLI_END,
	};
	struct cli_list		words;
	struct fault		why;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON)
		code = (q.spec ? print_spec(cli, &words, &why) :
		    answer(cli, &q, &words, &why)) == ST_OK ? 0 : cli_fail(&why);
	cli_list_release(&words);
	return code;
}
