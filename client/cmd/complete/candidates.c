/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/complete/candidates.h"
#include "client/connect/connection.h"
#include "client/print/format.h"
#include "client/print/member.h"

enum { PATIENCE_S = 1, MANY = 200, TEXT_BYTES = 96 };

void
candidates_put(const struct candidates *c, const char *word, const char *text)
{
	char	clean[TEXT_BYTES];

	if (strncmp(word, c->typed, strlen(c->typed)) != 0)
		return;
	(void)snprintf(clean, sizeof clean, "%s", text != NULL ? text : "");
	(void)printf("w%.*s%s%s%s\n", (int)c->kept_bytes, c->kept, word,
	    clean[0] != '\0' ? "\t" : "", format_clean(clean, false));
}

/* ---- what only the daemon knows ---- */

/* A list of the reply; NULL: no daemon answers.  One on this host alone is asked, for its speed. */
static json_t *
ask(const struct candidates *c, const char *method, json_t *params, const char *member)
{
	struct connection	*connection = NULL;
	json_t			*reply = NULL, *list;
	struct fault		 why;

	(void)fflush(stdout);
	(void)alarm(PATIENCE_S);	/* which ends this program */
	if (c->cli->host != NULL || connection_open(&connection, c->cli, &why) != ST_OK ||
	    connection_call(connection, method, json_incref(params), &reply, &why) != ST_OK)
		reply = NULL;
	list = json_incref(json_object_get(reply, member));
	json_decref(reply);
	json_decref(params);
	connection_free(connection);
	return list;
}

static void
put_sweeps(const struct candidates *c)
{
	json_t	*list = ask(c, "sweep.list", json_pack("{s:i}", "limit", (int)MANY), "sweeps");
	json_t	*sweep;
	size_t	 i;
	char	 text[TEXT_BYTES];

	json_array_foreach(list, i, sweep) {
		(void)snprintf(text, sizeof text, "%.0f jobs, %s", member_number(sweep, "jobs"),
		    member_text(sweep, "state"));
		candidates_put(c, member_text(sweep, "name"), text);
	}
	json_decref(list);
}

static void
put_jobs(const struct candidates *c)
{
	json_t	*list = ask(c, "queue.get", json_pack("{s:i}", "limit", (int)MANY), "jobs");
	json_t	*job;
	size_t	 i;
	char	 id[FORMAT_BYTES], text[TEXT_BYTES];

	json_array_foreach(list, i, job) {
		(void)snprintf(id, sizeof id, "%.0f", member_number(job, "id"));
		(void)snprintf(text, sizeof text, "%s %s", member_text(job, "state"),
		    member_text(job, "name"));
		candidates_put(c, id, text);
	}
	json_decref(list);
}

/* ---- files ---- */

/* "SPEC.json": those with that ending.  A place for a C source takes what can be timed. */
static void
put_files(const char *name, size_t bytes)
{
	const char	*dot = memchr(name, '.', bytes);
	const size_t	 rest = dot != NULL ? bytes - (size_t)(dot + 1 - name) : 0;
	const size_t	 word = rest > 0 ? strcspn(dot + 1, ".") : 0;
	const size_t	 n = word < rest ? word : rest;

	if (n == 0)
		(void)printf("f\n");
	else if (n == 1 && dot[1] == 'c')
		(void)printf("fc,cc,cpp,cxx,C,f,f90,s,S,o,so\n");
	else
		(void)printf("f%.*s\n", (int)n, dot + 1);
}

static bool
is_kind(const char *name, size_t bytes, const char *kind)
{
	return strncmp(name, kind, strlen(kind)) == 0 && bytes >= strlen(kind);
}

void
candidates_put_kind(const struct candidates *c, const char *name, size_t bytes)
{
	static const char *const	files[] = { "FILE", "PATH", "SCRIPT", "PROGRAM", "KERNEL",
					    NULL };
	const size_t			before = strcspn(name, ".");

	if (bytes > 3 && strncmp(name + bytes - 3, "...", 3) == 0)
		bytes -= 3;
	if (before < bytes && isalpha((unsigned char)name[before + 1])) {
		put_files(name, bytes);
		return;
	}
	for (const char *const *f = files; *f != NULL; f++)
		if (bytes == strlen(*f) && is_kind(name, bytes, *f))
			put_files(name, bytes);
	if (bytes == strlen("DIR") && is_kind(name, bytes, "DIR"))
		(void)printf("d\n");
	else if (is_kind(name, bytes, "SWEEP"))
		put_sweeps(c);
	else if (is_kind(name, bytes, "ID"))
		put_jobs(c);
}
