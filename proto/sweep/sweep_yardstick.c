/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "proto/sweep/sweep_yardstick.h"

enum status
sweep_yardstick_is(struct sweep_yardstick *y, json_t *job, struct fault *why)
{
	y->job = json_copy(job);
	json_decref(job);
	(void)json_object_del(y->job, "race");		/* it is timed whole */
	if (y->job != NULL && json_object_set_new(y->job, "fresh", json_true()) == 0 &&
	    json_object_set_new(y->job, "yardstick", json_true()) == 0)
		return ST_OK;
	return fault_set(why, ST_NOMEM, "sweep");
}

enum status
sweep_yardstick_next(struct sweep_yardstick *y, const char *key, json_t **job, struct fault *why)
{
	y->since = 0;
	y->times++;
	*job = json_copy(y->job);
	if (*job != NULL && (key == NULL || key[0] == '\0' || json_object_set_new(*job, "key",
	    json_sprintf("%s#y%u", key, y->times)) == 0))
		return ST_OK;
	json_decref(*job);
	*job = NULL;
	return fault_set(why, ST_NOMEM, "sweep");
}

enum status
sweep_yardstick_pass(struct sweep_yardstick *y, const char *key, json_t **job, struct fault *why)
{
	enum status	st = ST_OK;

	if (y->every == 0 || *job == NULL)
		return ST_OK;
	if (y->job == NULL && (st = sweep_yardstick_is(y, json_incref(*job), why)) != ST_OK) {
		json_decref(*job);
		*job = NULL;
		return st;
	}
	if (y->times > 0 && y->since < y->every) {
		y->since++;
		return ST_OK;
	}
	y->held = *job;
	return sweep_yardstick_next(y, key, job, why);
}

json_t *
sweep_yardstick_held(struct sweep_yardstick *y)
{
	json_t	*job = y->held;

	y->held = NULL;
	y->since += job != NULL;
	return job;
}

void
sweep_yardstick_release(struct sweep_yardstick *y)
{
	json_decref(y->job);
	json_decref(y->held);
	free(y->variant);
}
