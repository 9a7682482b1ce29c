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

static enum status
params_of(const struct queue_target *t, json_t **out, struct fault *why)
{
	int64_t		uid = 0;
	enum status	st;

	if (t->sweep != NULL) {
		*out = json_pack("{s:o}", "sweep", ids_sweep(t->sweep));
	} else if (t->user == NULL) {
		*out = json_pack("{s:b}", "all", 1);
	} else {
		if ((st = ids_user(t->user, &uid, why)) != ST_OK)
			return st;
		*out = json_pack("{s:I}", "user", (json_int_t)uid);
	}
	return ST_OK;
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
	json_t			*params = NULL, *reply = NULL;
	enum status		 st = params_of(t, &params, why);

	if (st == ST_OK && (st = connection_open(&c, cli, why)) == ST_OK)
		st = connection_call(c, pauses ? "queue.pause" : "queue.resume",
		    json_incref(params), &reply, why);
	connection_free(c);
	if (st == ST_OK)
		st = print_reply(cli, reply, why);
	json_decref(params);
	json_decref(reply);
	return st;
}

void
queue_print_paused(const json_t *paused)
{
	const json_t	*one;
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
		(void)printf("%suser %" JSON_INTEGER_FORMAT, between, json_integer_value(one));
		between = "; ";
	}
	json_array_foreach(json_object_get(paused, "sweeps"), i, one) {
		(void)printf("%ssweep %s", between, member_text(one, "name"));
		between = "; ";
	}
	(void)putchar('\n');
}
