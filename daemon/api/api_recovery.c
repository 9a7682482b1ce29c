/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue of an earlier daemon is read in slices while this one serves.  A call that needs all of
 * it waits for the end of that: its answer is right, if late by the time of the reading.
 */
#include <math.h>

#include <event2/event.h>

#include "daemon/api/api_impl.h"

enum { SLICE_NS = 4000000 };

bool
api_is_reading(const struct api *api)
{
	return api->reading != NULL;
}

static void
end_reading(struct api *api)
{
	event_free(api->reading);
	api->reading = NULL;
}

static void
read_slice(evutil_socket_t fd, short what, void *arg)
{
	static const struct timeval	soon = { 0, 0 };
	struct api			*api = arg;

	(void)fd;
	(void)what;
	if (recovery_read(&api->recovery, SLICE_NS, &api->broken) != ST_OK) {
		end_reading(api);
		(void)event_base_loopbreak(api->env.base);
		return;
	}
	dispatch_kick(api->env.dispatch);
	if (!recovery_is_over(&api->recovery)) {
		(void)evtimer_add(api->reading, &soon);
		return;
	}
	end_reading(api);
	api_put_off_run(&api->put_off);
}

void
api_on_cancelled(void *arg, int64_t job_id)
{
	struct api	*api = arg;

	dispatch_cancel_later(api->env.dispatch, job_id);
}

enum status
api_recover(struct api *api, struct fault *why)
{
	static const struct timeval	soon = { 0, 0 };
	enum status			st;

	if ((st = recovery_start(&api->recovery, api->env.store, api->env.queue, api_on_cancelled,
	    api, why)) != ST_OK || recovery_is_over(&api->recovery))
		return st;
	if ((api->reading = evtimer_new(api->env.base, read_slice, api)) == NULL ||
	    evtimer_add(api->reading, &soon) != 0)
		return fault_set(why, ST_NOMEM, "queue");
	return ST_OK;
}

enum status
api_recovered(const struct api *api, struct fault *why)
{
	if (api->broken.status != ST_OK)
		*why = api->broken;
	return api->broken.status;
}

void
api_recovery_stop(struct api *api)
{
	struct fault	stopped;

	if (api->reading != NULL)
		end_reading(api);
	(void)fault_set(&stopped, ST_UNAVAILABLE, "the daemon stops");
	api_put_off_end(&api->put_off, HUGE_VAL, &stopped);
	api_put_off_end(&api->put_off_locked, HUGE_VAL, &stopped);
	api_prune_stop(api);
	api_correct_stop(api);
}
