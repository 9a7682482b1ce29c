/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/ids.h"
#include "client/cmd/job/document.h"
#include "client/cmd/job/option_value.h"
#include "client/cmd/sweep_create.h"
#include "client/cmd/sweep_list.h"
#include "client/connect/interrupt.h"
#include "client/connect/receive.h"
#include "client/print/estimate.h"
#include "client/print/format.h"
#include "client/print/listing.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/remarks.h"
#include "client/print/style.h"

struct creation {
	const char	*name;
	const char	*webhook;	/* NULL: as in the file */
	double		 race_ns;	/* below 0: as in the file */
	int64_t		 yardstick;	/* jobs between two of its timings; 0: as in the file */
	bool		 correct;	/* the ranking, for its drift; false: as in the file */
	bool		 follow;
};

/* ---- create ---- */

static enum status
load_sweep(const struct creation *c, const char *path, json_t **doc, struct fault *why)
{
	enum status	st;

	if ((st = document_load(path, doc, why)) != ST_OK)
		return st;
	if (!json_is_object(*doc))
		st = fault_set(why, ST_BAD_SPEC, "%s: a sweep is an object", path);
	else if ((st = document_resolve(*doc, path, why)) != ST_OK)
		(void)fault_within(why, path);
	if (st == ST_OK && c->name != NULL)
		(void)json_object_set_new(*doc, "name", json_string(c->name));
	if (st == ST_OK && c->webhook != NULL)
		(void)json_object_set_new(*doc, "notify",
		    json_pack("{s:s}", "webhook", c->webhook));
	if (st == ST_OK && c->yardstick > 0)
		(void)json_object_set_new(*doc, "yardstick", json_pack("{s:I}", "every",
		    (json_int_t)c->yardstick));
	if (st == ST_OK)
		option_race(*doc, c->race_ns);
	if (st == ST_OK && c->correct && json_object_get(*doc, "yardstick") == NULL)
		(void)json_object_set_new(*doc, "yardstick", json_object());
	if (st == ST_OK && c->correct)
		(void)json_object_set_new(json_object_get(*doc, "yardstick"), "correct",
		    json_true());
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
	    LISTING_CELLS,
	    why)) != ST_OK)
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
		return cli->ndjson ? output_line(reply, why) : output_document(reply, why);
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

static int
create(struct cli *cli, const struct creation *c, const char *path)
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

/* ---- show and cancel ---- */

enum { COUNTS_BYTES = 512, REASON_BYTES = 400 };

/* A line below the first; in Markdown these are a list. */
static const char *
indent(void)
{
	return style_is_markdown() ? "- " : "  ";
}

static void
print_counts(const char *label, const json_t *counts, const char *const *but)
{
	char	text[COUNTS_BYTES];

	if (member_counts(counts, but, text, sizeof text)[0] != '\0')
		(void)printf("%s%s%s\n", indent(), label, text);
}

static void
print_arriving(const json_t *a)
{
	if (json_is_object(a))
		(void)printf("%sarriving  %.0f of %.0f points checked, %.0f jobs stored\n",
		    indent(), member_number(a, "checked"), member_number(a, "points"),
		    member_number(a, "stored"));
}

static void
print_estimate(const json_t *sweep)
{
	char	words[ESTIMATE_WORDS_BYTES];

	if (estimate_words(sweep, "its next one", words)[0] != '\0')
		(void)printf("%send   %s\n", indent(), words);
}

/* "  told  webhook: due after 2 tries: HTTP 500" */
static void
print_notices(const json_t *list)
{
	const json_t	*one;
	size_t		 i;

	json_array_foreach(list, i, one) {
		const double	tries = member_number(one, "tries");
		char		reason[REASON_BYTES];

		(void)snprintf(reason, sizeof reason, "%s", member_text(one, "reason"));
		(void)format_clean(reason, false);

		if (strcmp(member_text(one, "to"), "command") == 0 && !(tries > 0))
			continue;	/* the operator's own affair */
		(void)printf("%stold  %s: %s", indent(), member_text(one, "to"),
		    member_text(one, "state"));
		if (reason[0] != '\0')
			(void)printf(" after %.0f tr%s: %s", tries, tries > 1 ? "ies" : "y",
			    reason);
		(void)putchar('\n');
	}
}

static enum status
print_sweep(const struct cli *cli, const json_t *sweep, struct fault *why)
{
	static const char *const	 over[] = {
		"done", "failed", "cancelled", "expired", NULL
	};
	static const char *const	 none[] = { NULL };
	json_int_t			 n = json_integer_value(json_object_get(sweep, "jobs"));
	char				 when[FORMAT_BYTES];

	if (cli->json || cli->ndjson)
		return cli->ndjson ? output_line(sweep, why) : output_document(sweep, why);
	(void)printf("sweep %s (id %" JSON_INTEGER_FORMAT "): %" JSON_INTEGER_FORMAT " job%s, "
	    "submitted %s by user %.0f\n", member_text(sweep, "name"),
	    json_integer_value(json_object_get(sweep, "id")), n, n == 1 ? "" : "s",
	    format_time(member_number(sweep, "submitted"), when),
	    member_number(sweep, "submitter"));
	print_counts("over  ", json_object_get(sweep, "statuses"), none);
	print_arriving(json_object_get(sweep, "arriving"));
	print_counts("live  ", json_object_get(sweep, "states"), over);
	print_estimate(sweep);
	print_notices(json_object_get(sweep, "notify"));
	if (!cli->quiet)
		remarks_drift(sweep);
	return ST_OK;
}

static enum status
print_cancelled(const struct cli *cli, const json_t *reply, struct fault *why)
{
	json_int_t	n = json_integer_value(json_object_get(reply, "cancelled"));

	if (cli->json || cli->ndjson)
		return cli->ndjson ? output_line(reply, why) : output_document(reply, why);
	if (!cli->quiet)
		(void)printf("cancelled %" JSON_INTEGER_FORMAT " job%s\n", n, n == 1 ? "" : "s");
	return ST_OK;
}

static int
ask(struct cli *cli, const char *method, const char *sweep,
    enum status (*print)(const struct cli *, const json_t *, struct fault *))
{
	struct connection	*c = NULL;
	json_t			*reply = NULL;
	struct fault		 why;
	enum status		 st;

	if ((st = connection_open_reading(&c, cli, &why)) == ST_OK &&
	    (st = connection_call(c, method, json_pack("{s:o}", "sweep", ids_sweep(sweep)), &reply,
	    &why)) == ST_OK)
		st = print(cli, reply, &why);
	json_decref(reply);
	connection_free(c);
	return st == ST_OK ? 0 : cli_fail(&why);
}

static int
unknown_verb(const struct cli_command *self, const char *verb)
{
	static const char *const	 verbs[] = { "create", "list", "show", "cancel", NULL };
	const char			*near = nearest_name(verb, verbs);

	if (near == NULL)
		return cli_usage(self, "sweep: \"%s\" is none of create, list, show, cancel", verb);
	return cli_usage(self, "sweep: there is no \"%s\"; did you mean: assay sweep %s?", verb,
	    near);
}

static int
list(const struct cli_command *self, struct cli *cli, const struct sweep_list *l, size_t words)
{
	struct fault	why;

	if (words > 1)
		return cli_usage(self, "sweep list: takes --search TEXT and no argument");
	return sweep_list(cli, l, &why) == ST_OK ? 0 : cli_fail(&why);
}

static int
run_verb(const struct cli_command *self, struct cli *cli, const struct creation *c,
    const struct sweep_list *l, const struct cli_list *words)
{
	const char	*verb = words->n > 0 ? words->items[0] : NULL;
	const char	*object = words->n == 2 ? words->items[1] : NULL;

	if (verb == NULL)
		return cli_usage(self, "sweep: needs one of create, list, show, cancel");
	if (strcmp(verb, "list") == 0)
		return list(self, cli, l, words->n);
	if (strcmp(verb, "create") == 0)
		return object != NULL ? create(cli, c, object) :
		    cli_usage(self, "sweep create: needs one file, or -");
	if (strcmp(verb, "show") == 0)
		return object != NULL ? ask(cli, "sweep.get", object, print_sweep) :
		    cli_usage(self, "sweep show: needs the name or id of one sweep");
	if (strcmp(verb, "cancel") == 0)
		return object != NULL ? ask(cli, "sweep.cancel", object, print_cancelled) :
		    cli_usage(self, "sweep cancel: needs the name or id of one sweep");
	return unknown_verb(self, verb);
}

int
cmd_sweep(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct creation		c = { .race_ns = -1 };
	struct sweep_list	l = { .limit = SWEEP_LIST_DEFAULT };
	const struct cli_option	options[] = {
		{ 'f', "follow", CLI_FLAG, &c.follow, NULL,
		  "create: wait for the results and print them", 0, 0 },
		{ '\0', "name", CLI_TEXT, &c.name, "NAME",
		  "create: under this name instead of the file's", 0, 0 },
		{ '\0', "yardstick", CLI_INT, &c.yardstick, "N",
		  "create: time the first job again after each N, for the drift", 1, 1000000 },
		{ '\0', "race", CLI_REAL, &c.race_ns, "NS",
		  "create: give up each variant that is surely slower than NS ns", 0, INT64_MAX },
		{ '\0', "correct", CLI_FLAG, &c.correct, NULL,
		  "create: correct the ranking for the yardstick's drift", 0, 0 },
		{ '\0', "notify", CLI_TEXT, &c.webhook, "URL",
		  "create: have the end told to this webhook", 0, 0 },
		{ '\0', "search", CLI_TEXT, &l.search, "TEXT",
		  "list: sweeps with this in their names", 0, 0 },
		{ '\0', "state", CLI_TEXT, &l.state, "STATE",
		  "list: arriving, active, done or cancelled ones", 0, 0 },
		{ '\0', "user", CLI_TEXT, &l.user, "USER",
		  "list: sweeps of this user (name or id)", 0, 0 },
		{ '\0', "limit", CLI_INT, &l.limit, "N",
		  "list: at most so many (default 50)", 1, SWEEP_LIST_MAX },
		{ '\0', NULL, CLI_FLAG, NULL, NULL, NULL, 0, 0 },
	};
	struct cli_list		words;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON)
		code = run_verb(self, cli, &c, &l, &words);
	cli_list_release(&words);
	return code;
}
