/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "client/connect/connection.h"
#include "client/connect/fleet.h"
#include "client/print/member.h"
#include "client/print/output.h"

static enum status
ask(const struct cli *cli, const char *name, const char *method, json_t *params, json_t *answers,
    struct fault *why)
{
	struct cli		 one = *cli;
	struct connection	*c = NULL;
	json_t			*info = NULL, *answer = NULL;
	enum status		 st;

	one.host = name;
	if ((st = connection_open(&c, &one, why)) == ST_OK &&
	    (st = connection_call(c, "server.info", NULL, &info, why)) == ST_OK &&
	    (st = connection_call(c, method, json_incref(params), &answer, why)) == ST_OK)
		(void)json_array_append_new(answers, json_pack("{s:s, s:O?, s:O}", "host", name,
		    "host_class", json_object_get(info, "host_class"), "answer", answer));
	connection_free(c);
	json_decref(info);
	json_decref(answer);
	return st;
}

enum status
fleet_call(const struct cli *cli, const char *method, json_t *params, json_t **answers,
    struct fault *why)
{
	enum status	 first = ST_OK, st;
	struct fault	 local;
	char		 line[1400], name[PATH_MAX];

	*answers = json_array();
	for (const char *at = cli->host; *at != '\0'; at += *at == ',') {
		const size_t	n = strcspn(at, ",");

		(void)snprintf(name, sizeof name, "%.*s", (int)n, at);
		at += n;
		if (n == 0 || (st = ask(cli, name, method, params, *answers, &local)) == ST_OK)
			continue;
		(void)fprintf(stderr, "assay: %s: %s\n", name, fault_line(&local, line,
		    sizeof line));
		if (first == ST_OK)
			*why = local;
		first = first == ST_OK ? st : first;
	}
	json_decref(params);
	return first;
}

/* ---- output ---- */

void
fleet_print_heading(const json_t *answer, bool is_first)
{
	(void)printf("%s%s (host class %s):\n", is_first ? "" : "\n", member_text(answer, "host"),
	    member_text(answer, "host_class"));
}

enum status
fleet_print_json(const struct cli *cli, const json_t *answers, const char *member,
    struct fault *why)
{
	const json_t	*answer;
	json_t		*hosts = json_array(), *document;
	size_t		 i;
	enum status	 st = ST_OK;

	json_array_foreach(answers, i, answer)
		(void)json_array_append_new(hosts, json_pack("{s:O, s:O, s:O}", "host",
		    json_object_get(answer, "host"), "host_class",
		    json_object_get(answer, "host_class"), member,
		    json_object_get(answer, "answer")));
	if (cli->ndjson) {
		json_array_foreach(hosts, i, answer)
			if (st == ST_OK)
				st = output_line(answer, why);
		json_decref(hosts);
		return st;
	}
	document = json_pack("{s:o}", "hosts", hosts);
	st = output_document(document, why);
	json_decref(document);
	return st;
}
