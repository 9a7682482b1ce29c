/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/member.h"
#include "client/talk/reach.h"

enum { CANCEL_MS = 5000 };

/* Its queue may hold what an earlier one did not come to: people wonder why theirs takes so long. */
static void
tell_unfinished(struct talk *t)
{
	static const char *const	 live[] = { "queued", "building", "built", "timing" };
	json_t				*queue;
	json_int_t			 n = 0;
	struct fault			 none;

	if (talk_call(t, "queue.get", json_pack("{s:i}", "limit", 1), &queue, &none) != ST_OK)
		return;
	for (unsigned i = 0; i < sizeof live / sizeof live[0]; i++)
		n += json_integer_value(json_object_get(json_object_get(queue, "states"), live[i]));
	json_decref(queue);
	if (n > 0)
		(void)fprintf(stderr, "assay: %" JSON_INTEGER_FORMAT " job%s that an earlier daemon did not finish go%s"
		    " first\n", n, n == 1 ? "" : "s", n == 1 ? "es" : "");
}

static enum status
launch_private(struct reach *r, bool quiet, struct fault *why)
{
	json_t		*info;
	enum status	 st;

	st = launch_start(&r->launch, r->images_dir[0] != '\0' ? r->images_dir : NULL, why);
	if (st != ST_OK)
		return st;
	r->is_private = true;
	if ((st = talk_open_socket(&r->talk, r->launch.socket, why)) != ST_OK ||
	    (st = talk_call(r->talk, "server.info", NULL, &info, why)) != ST_OK)
		return st;
	if (!quiet && r->launch.keeps_nothing)
		(void)fprintf(stderr, "assay: no daemon to talk to; started a private one.  Another has this user's "
		    "state directory: nothing is kept\n");
	else if (!quiet)
		(void)fprintf(stderr, "assay: no daemon is running; started a private one, results are kept in %s\n",
		    member_text(info, "state_dir"));
	if (!quiet)
		tell_unfinished(r->talk);
	json_decref(info);
	return ST_OK;
}

void
reach_images_beside(struct reach *r, const char *path)
{
	const char	*slash = strrchr(path, '/');
	char		 dir[PATH_MAX];

	(void)snprintf(dir, sizeof dir, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
	    slash != NULL ? path : ".");
	if (realpath(dir, r->images_dir) == NULL)
		r->images_dir[0] = '\0';
}

enum status
reach_open(struct reach *r, const struct cli *cli, struct fault *why)
{
	const char	*env = getenv("ASSAY_SOCKET");
	enum status	 st = talk_open(&r->talk, cli, why);

	if (st != ST_UNAVAILABLE || cli->socket != NULL || (env != NULL && env[0] != '\0'))
		return st;
	return launch_private(r, cli->quiet, why);
}

void
reach_close(struct reach *r)
{
	talk_free(r->talk);
	r->talk = NULL;
	if (r->is_private)
		launch_stop(&r->launch);
	r->is_private = false;
}

void
reach_explain(struct reach *r, struct fault *why)
{
	if (r->is_private)
		launch_put_log(&r->launch, why);
}

void
reach_take_back(struct reach *r, const json_t *ids, bool quiet)
{
	json_t		*reply, *params;
	struct fault	 none;

	if (r->talk == NULL || json_array_size(ids) == 0)
		return;
	params = json_pack("{s:O}", "ids", ids);
	if (talk_call(r->talk, "job.cancel", params, &reply, &none) != ST_OK)
		return;
	json_decref(reply);
	params = json_pack("{s:O, s:i}", "ids", ids, "timeout_ms", (int)CANCEL_MS);
	if (talk_call_waiting(r->talk, CANCEL_MS, "job.wait", params, &reply, &none) == ST_OK)
		json_decref(reply);
	if (!quiet)
		(void)fprintf(stderr, "assay: interrupted, cancelled\n");
}
