/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/connect/session.h"
#include "client/print/member.h"

enum { CANCEL_MS = 5000 };

/* Its queue may hold what an earlier one did not come to: people wonder why theirs takes so long. */
static void
tell_unfinished(struct connection *t)
{
	static const char *const	 live[] = { "queued", "building", "built", "timing" };
	json_t				*queue;
	json_int_t			 n = 0;
	struct fault			 none;

	if (connection_call(t, "queue.get", json_pack("{s:i}", "limit", 1), &queue, &none) != ST_OK)
		return;
	for (unsigned i = 0; i < sizeof live / sizeof live[0]; i++)
		n += json_integer_value(json_object_get(json_object_get(queue, "states"), live[i]));
	json_decref(queue);
	if (n > 0)
		(void)fprintf(stderr, "assay: %" JSON_INTEGER_FORMAT " job%s that an earlier daemon did not finish go%s"
		    " first\n", n, n == 1 ? "" : "s", n == 1 ? "es" : "");
}

static enum status
start_private(struct session *r, bool quiet, struct fault *why)
{
	json_t		*info;
	enum status	 st;

	st = private_daemon_start(&r->private_daemon, r->images_dir[0] != '\0' ? r->images_dir : NULL, why);
	if (st != ST_OK)
		return st;
	r->is_private = true;
	if ((st = connection_open_socket(&r->connection, r->private_daemon.socket, why)) != ST_OK ||
	    (st = connection_call(r->connection, "server.info", NULL, &info, why)) != ST_OK)
		return st;
	if (!quiet && r->private_daemon.keeps_nothing)
		(void)fprintf(stderr, "assay: no daemon to talk to; started a private one.  Another has this user's "
		    "state directory: nothing is kept\n");
	else if (!quiet)
		(void)fprintf(stderr, "assay: no daemon is running; started a private one, results are kept in %s\n",
		    member_text(info, "state_dir"));
	if (!quiet)
		tell_unfinished(r->connection);
	json_decref(info);
	return ST_OK;
}

void
session_images_beside(struct session *r, const char *path)
{
	const char	*slash = strrchr(path, '/');
	char		 dir[PATH_MAX];

	(void)snprintf(dir, sizeof dir, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
	    slash != NULL ? path : ".");
	if (realpath(dir, r->images_dir) == NULL)
		r->images_dir[0] = '\0';
}

enum status
session_open(struct session *r, const struct cli *cli, struct fault *why)
{
	const char	*env = getenv("ASSAY_SOCKET");
	enum status	 st = connection_open(&r->connection, cli, why);

	if (st != ST_UNAVAILABLE || cli->socket != NULL || (env != NULL && env[0] != '\0'))
		return st;
	return start_private(r, cli->quiet, why);
}

void
session_close(struct session *r)
{
	connection_free(r->connection);
	r->connection = NULL;
	if (r->is_private)
		private_daemon_stop(&r->private_daemon);
	r->is_private = false;
}

void
session_explain(struct session *r, struct fault *why)
{
	if (r->is_private)
		private_daemon_put_log(&r->private_daemon, why);
}

void
session_cancel(struct session *r, const json_t *ids, bool quiet)
{
	json_t		*reply, *params;
	struct fault	 none;

	if (r->connection == NULL || json_array_size(ids) == 0)
		return;
	params = json_pack("{s:O}", "ids", ids);
	if (connection_call(r->connection, "job.cancel", params, &reply, &none) != ST_OK)
		return;
	json_decref(reply);
	params = json_pack("{s:O, s:i}", "ids", ids, "timeout_ms", (int)CANCEL_MS);
	if (connection_call_waiting(r->connection, CANCEL_MS, "job.wait", params, &reply, &none) == ST_OK)
		json_decref(reply);
	if (!quiet)
		(void)fprintf(stderr, "assay: interrupted, cancelled\n");
}
