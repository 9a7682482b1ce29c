/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/connect/default_path.h"
#include "client/connect/interrupt.h"
#include "client/connect/session.h"
#include "client/print/member.h"

enum { CANCEL_MS = 5000 };

/* Jobs that an earlier daemon did not finish make these take longer. */
static void
report_unfinished(struct connection *c)
{
	static const char *const	 live[] = { "queued", "building", "built", "timing" };
	json_t				*queue, *states;
	json_int_t			 n = 0;
	struct fault			 none;

	if (connection_call(c, "queue.get", json_pack("{s:i}", "limit", 1), &queue, &none) != ST_OK)
		return;
	states = json_object_get(queue, "states");
	for (unsigned i = 0; i < sizeof live / sizeof live[0]; i++)
		n += json_integer_value(json_object_get(states, live[i]));
	json_decref(queue);
	if (n > 0)
		(void)fprintf(stderr, "assay: %" JSON_INTEGER_FORMAT " unfinished job%s of an "
		    "earlier daemon come%s first\n", n, n == 1 ? "" : "s", n == 1 ? "s" : "");
}

static void
report_start(const struct session *s, const json_t *info)
{
	if (s->private_daemon.keeps_nothing)
		(void)fprintf(stderr, "assay: started a private daemon; its results are not kept, "
		    "since another daemon uses this user's state directory\n");
	else
		(void)fprintf(stderr, "assay: no daemon is running; started a private one, "
		    "results are kept in %s\n", member_text(info, "state_dir"));
	report_unfinished(s->connection);
}

static void
report_waiting(const char *reason)
{
	(void)fprintf(stderr, "assay: waiting for a core to time on (Ctrl-C ends this): %s\n",
	    reason);
}

static enum status
open_private(struct session *s, bool quiet, struct fault *why)
{
	const char	*images_dir = s->images_dir[0] != '\0' ? s->images_dir : NULL;
	json_t		*info;
	enum status	 st;

	st = private_daemon_start(&s->private_daemon, PRIVATE_TIMES, images_dir,
	    quiet ? NULL : report_waiting, why);
	if (st != ST_OK)
		return st;
	s->is_private = true;
	st = connection_open_socket(&s->connection, s->private_daemon.socket, why);
	if (st != ST_OK ||
	    (st = connection_call(s->connection, "server.info", NULL, &info, why)) != ST_OK)
		return st;
	if (!quiet)
		report_start(s, info);
	json_decref(info);
	return ST_OK;
}

void
session_images_beside(struct session *s, const char *path)
{
	const char	*slash = strrchr(path, '/');
	char		 dir[PATH_MAX];

	(void)snprintf(dir, sizeof dir, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
	    slash != NULL ? path : ".");
	if (realpath(dir, s->images_dir) == NULL)
		s->images_dir[0] = '\0';
}

enum status
session_open(struct session *s, const struct cli *cli, struct fault *why)
{
	enum status	st = connection_open(&s->connection, cli, why);

	if (st != ST_UNAVAILABLE || !default_path_may_be_private(cli->host, cli->socket))
		return st;
	return open_private(s, cli->quiet, why);
}

void
session_close(struct session *s)
{
	connection_free(s->connection);
	s->connection = NULL;
	if (s->is_private)
		private_daemon_stop(&s->private_daemon);
	s->is_private = false;
}

void
session_explain(struct session *s, struct fault *why)
{
	if (s->is_private)
		private_daemon_put_log(&s->private_daemon, why);
}

void
session_cancel(struct session *s, const json_t *ids, bool quiet)
{
	json_t		*reply, *params;
	struct fault	 none;

	if (s->connection == NULL || json_array_size(ids) == 0)
		return;
	params = json_pack("{s:O}", "ids", ids);
	if (connection_call(s->connection, "job.cancel", params, &reply, &none) != ST_OK)
		return;
	json_decref(reply);
	params = json_pack("{s:O, s:i}", "ids", ids, "timeout_ms", (int)CANCEL_MS);
	if (connection_call_waiting(s->connection, CANCEL_MS, "job.wait", params, &reply,
	    &none) == ST_OK)
		json_decref(reply);
	if (!quiet)
		(void)fprintf(stderr, "assay: interrupted; the jobs are cancelled\n");
}

int
session_interrupted(struct session *s, const json_t *ids, bool quiet)
{
	if (interrupt_came() == 0)
		return 0;
	session_cancel(s, ids, quiet);
	return 128 + interrupt_came();
}
