/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "client/cmd/job/ids.h"
#include "client/cmd/queue/queue_pause.h"
#include "client/connect/connection.h"
#include "client/print/member.h"
#include "client/print/output.h"

bool
queue_target_is_one(const struct queue_target *t)
{
	return (t->sweep != NULL) + (t->user != NULL) + t->all == 1;
}

static json_t *
params_of(const struct queue_target *t)
{
	if (t->sweep != NULL)
		return json_pack("{s:o}", "sweep", ids_sweep(t->sweep));
	return t->user == NULL ? json_pack("{s:b}", "all", 1) :
	    json_pack("{s:o}", "user", ids_user(t->user));
}

static enum status
print_reply(const struct cli *cli, const json_t *reply, struct fault *why)
{
	if (cli->json || cli->ndjson)
		return output_json(cli, reply, why);
	if (!cli->quiet)
		(void)puts(json_is_true(json_object_get(reply, "paused")) ?
		    "paused; jobs under way end" : "resumed");
	return ST_OK;
}

enum status
queue_pause(struct cli *cli, bool pauses, const struct queue_target *t, struct fault *why)
{
	struct connection	*c = NULL;
	json_t			*reply = NULL;
	enum status		 st = connection_open(&c, cli, why);

	if (st == ST_OK)
		st = connection_call(c, pauses ? "queue.pause" : "queue.resume", params_of(t),
		    &reply, why);
	connection_free(c);
	if (st == ST_OK)
		st = print_reply(cli, reply, why);
	json_decref(reply);
	return st;
}

/* Those with live jobs have a name in the reply. */
static void
print_paused_user(const json_t *queue, json_int_t uid)
{
	const json_t	*u;
	const char	*name = "";
	size_t		 i;

	json_array_foreach(json_object_get(queue, "users"), i, u)
		if (json_integer_value(json_object_get(u, "user")) == uid)
			name = member_text(u, "user_name");
	if (name[0] != '\0')
		(void)printf("user %s", name);
	else
		(void)printf("user %" JSON_INTEGER_FORMAT, uid);
}

void
queue_print_paused(const json_t *queue)
{
	const json_t	*paused = json_object_get(queue, "paused"), *one;
	const char	*between = " ";
	size_t		 i;

	if (!json_is_true(json_object_get(paused, "all")) &&
	    json_array_size(json_object_get(paused, "users")) == 0 &&
	    json_array_size(json_object_get(paused, "sweeps")) == 0)
		return;
	(void)printf("paused:");
	if (json_is_true(json_object_get(paused, "all"))) {
		(void)printf(" all");
		between = "; ";
	}
	json_array_foreach(json_object_get(paused, "users"), i, one) {
		(void)fputs(between, stdout);
		print_paused_user(queue, json_integer_value(one));
		between = "; ";
	}
	json_array_foreach(json_object_get(paused, "sweeps"), i, one) {
		(void)printf("%ssweep %s", between, member_text(one, "name"));
		between = "; ";
	}
	(void)putchar('\n');
}
