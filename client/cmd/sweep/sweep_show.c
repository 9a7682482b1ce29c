/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/job/ids.h"
#include "client/cmd/sweep/sweep_show.h"
#include "client/connect/connection.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/results/estimate.h"
#include "client/print/results/remarks.h"
#include "client/print/style.h"
#include "proto/spec/spec.h"

enum { COUNTS_BYTES = 512, REASON_BYTES = 400, READERS_BYTES = 512 };

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

/* "private", "all" or "alice, bob"; buf has room for READERS_BYTES, and is returned. */
static char *
put_readers(const json_t *visibility, char *buf)
{
	const json_t	*name;
	size_t		 i, n = 0;

	(void)snprintf(buf, READERS_BYTES, "%s", json_is_string(visibility) ?
	    json_string_value(visibility) : "");
	json_array_foreach(visibility, i, name)
		if (n < READERS_BYTES)
			n += (size_t)snprintf(buf + n, READERS_BYTES - n, "%s%s", i > 0 ? ", " : "",
			    json_string_value(name));
	return format_clean(buf, false);
}

static void
print_readers(const json_t *visibility)
{
	char	text[READERS_BYTES];

	if (visibility != NULL)
		(void)printf("%sseen  by %s\n", indent(), put_readers(visibility, text));
}

static enum status
print_sweep(const struct cli *cli, const json_t *sweep, struct fault *why)
{
	static const char *const	 over[] = {
		"done", "failed", "cancelled", "expired", NULL
	};
	static const char *const	 none[] = { NULL };
	json_int_t			 n = json_integer_value(json_object_get(sweep, "jobs"));
	char				 when[FORMAT_BYTES], user[FORMAT_BYTES];

	if (cli->json || cli->ndjson)
		return output_json(cli, sweep, why);
	(void)printf("sweep %s (id %" JSON_INTEGER_FORMAT "): %" JSON_INTEGER_FORMAT " job%s, "
	    "submitted %s by user %s\n", member_text(sweep, "name"),
	    json_integer_value(json_object_get(sweep, "id")), n, n == 1 ? "" : "s",
	    format_time(member_number(sweep, "submitted"), when),
	    member_user(sweep, "submitter", user));
	print_counts("over  ", json_object_get(sweep, "statuses"), none);
	print_arriving(json_object_get(sweep, "arriving"));
	print_counts("live  ", json_object_get(sweep, "states"), over);
	print_estimate(sweep);
	print_notices(json_object_get(sweep, "notify"));
	print_readers(json_object_get(sweep, "visibility"));
	if (!cli->quiet)
		remarks_drift(sweep);
	return ST_OK;
}

static enum status
print_cancelled(const struct cli *cli, const json_t *reply, struct fault *why)
{
	json_int_t	n = json_integer_value(json_object_get(reply, "cancelled"));

	if (cli->json || cli->ndjson)
		return output_json(cli, reply, why);
	if (!cli->quiet)
		(void)printf("cancelled %" JSON_INTEGER_FORMAT " job%s\n", n, n == 1 ? "" : "s");
	return ST_OK;
}

static enum status
print_shared(const struct cli *cli, const json_t *reply, struct fault *why)
{
	char	text[READERS_BYTES];

	if (cli->json || cli->ndjson)
		return output_json(cli, reply, why);
	if (!cli->quiet)
		(void)printf("sweep %s: seen by %s\n", member_text(reply, "name"),
		    put_readers(json_object_get(reply, "visibility"), text));
	return ST_OK;
}

typedef enum status print_fn(const struct cli *, const json_t *, struct fault *);

/* Takes params. */
static int
ask(struct cli *cli, const char *method, const char *sweep, json_t *params, print_fn *print)
{
	struct connection	*c = NULL;
	json_t			*reply = NULL;
	struct fault		 why;
	enum status		 st;

	(void)json_object_set_new(params, "sweep", ids_sweep(sweep));
	if ((st = connection_open_reading(&c, cli, &why)) == ST_OK &&
	    (st = connection_call(c, method, json_incref(params), &reply, &why)) == ST_OK)
		st = print(cli, reply, &why);
	json_decref(params);
	json_decref(reply);
	connection_free(c);
	return st == ST_OK ? 0 : cli_fail(&why);
}

int
sweep_show(struct cli *cli, const char *sweep)
{
	return ask(cli, "sweep.get", sweep, json_object(), print_sweep);
}

int
sweep_cancel(struct cli *cli, const char *sweep)
{
	return ask(cli, "sweep.cancel", sweep, json_object(), print_cancelled);
}

int
sweep_share(struct cli *cli, const char *sweep, const char *readers)
{
	return ask(cli, "sweep.share", sweep, json_pack("{s:o}", "visibility",
	    spec_read_visibility(readers)), print_shared);
}
