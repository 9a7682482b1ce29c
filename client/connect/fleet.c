/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/connect/connection.h"
#include "client/connect/fleet.h"
#include "client/print/member.h"
#include "client/print/output.h"

bool
fleet_asked(const struct cli *cli)
{
	return cli->host != NULL && strchr(cli->host, ',') != NULL;
}

/* ---- names ---- */

static bool
hosts_file(char path[PATH_MAX])
{
	const char	*given = getenv("ASSAY_HOSTS"), *config = getenv("XDG_CONFIG_HOME");
	const char	*home = getenv("HOME");

	if (given != NULL && given[0] != '\0')
		return snprintf(path, PATH_MAX, "%s", given) < PATH_MAX;
	if (config != NULL && config[0] == '/')
		return snprintf(path, PATH_MAX, "%s/assay/hosts", config) < PATH_MAX;
	return home != NULL && snprintf(path, PATH_MAX, "%s/.config/assay/hosts", home) < PATH_MAX;
}

/* A line "name = address # comment" of this name. */
static bool
is_line_of(const char *line, const char *name, char address[PATH_MAX])
{
	const size_t	n = strlen(name);

	line += strspn(line, " \t");
	if (strncmp(line, name, n) != 0)
		return false;
	line += n + strspn(line + n, " \t");
	if (*line++ != '=')
		return false;
	line += strspn(line, " \t");
	(void)snprintf(address, PATH_MAX, "%.*s", (int)strcspn(line, " \t\r\n#"), line);
	return address[0] != '\0';
}

static enum status
look_up(const char *name, char address[PATH_MAX], struct fault *why)
{
	char	 path[PATH_MAX] = "", line[PATH_MAX];
	bool	 is_found = false;
	FILE	*f = hosts_file(path) ? fopen(path, "re") : NULL;

	while (f != NULL && !is_found && fgets(line, sizeof line, f) != NULL)
		is_found = is_line_of(line, name, address);
	if (f != NULL)
		(void)fclose(f);
	if (is_found)
		return ST_OK;
	(void)fault_at(why, ST_NOT_FOUND, "-H", "%s has no host \"%s\"", path, name);
	fault_hint(why, "give ssh://%.60s, https://%.60s:PORT or a socket's path, or add a line: "
	    "%.60s = ssh://HOST", name, name, name);
	return ST_NOT_FOUND;
}

enum status
fleet_address(const char *name, char address[PATH_MAX], struct fault *why)
{
	if (name[0] != '/' && strchr(name, ':') == NULL)
		return look_up(name, address, why);
	(void)snprintf(address, PATH_MAX, "%s", name);
	return ST_OK;
}

/* ---- calls ---- */

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
