/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.share: who may read what a sweep's jobs were made of is on disk before it is answered. */
#include <stdlib.h>

#include "daemon/api/api_impl.h"

/* One call on its way to the disk. */
struct sharing {
	struct call	*call;		/* borrowed: answered, and so freed, at the end */
	json_t		*answer;	/* owned; NULL: handed on */
};

static void
is_durable(void *arg, enum status st, const struct fault *why)
{
	struct sharing	*s = arg;
	json_t		*answer = s->answer;

	s->answer = NULL;
	if (st == ST_OK) {
		(void)call_answer(s->call, answer);
	} else {
		call_refuse(s->call, why);
		json_decref(answer);
	}
	free(s);
}

static enum status
write_share(struct call *c, const struct sweep_row *sweep, const json_t *visibility,
    struct fault *why)
{
	struct store	*store = c->api->env.store;
	struct sharing	*s = malloc(sizeof *s);
	char		*text = json_dumps(visibility, JSON_COMPACT | JSON_ENCODE_ANY);
	enum status	 st = s != NULL && text != NULL ?
			    store_share_sweep(store, sweep->id, text, why) :
			    fault_set(why, ST_NOMEM, "visibility");

	free(text);
	if (st != ST_OK) {
		free(s);
		return st;
	}
	*s = (struct sharing){ c, json_pack("{s:I, s:s, s:O}", "sweep", (json_int_t)sweep->id,
	    "name", sweep->name, "visibility", visibility) };
	if (store_when_durable(store, is_durable, s, true) == ST_OK)
		return ST_OK;
	json_decref(s->answer);
	free(s);
	return fault_set(why, ST_NOMEM, "visibility");
}

enum status
api_sweep_share(struct call *c, const json_t *params, struct fault *why)
{
	struct sweep_row	row;
	enum status		st;

	if ((st = api_find_sweep(c->api, json_object_get(params, "sweep"), &row, why)) != ST_OK)
		return st;
	if (!api_may_change(c, row.submitter))
		return api_denied(c, "sweep", row.id, row.submitter, why);
	return write_share(c, &row, json_object_get(params, "visibility"), why);
}
