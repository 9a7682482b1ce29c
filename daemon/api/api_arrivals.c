/* SPDX-License-Identifier: Apache-2.0 */
/* Turns of the event loop for sweeps that arrive (daemon/queue/arrivals.h). */
#include "daemon/api/api_impl.h"
#include "daemon/store/store_lock.h"

enum { SLICE_NS = 2000000, LOCKED_MS = 50 };

static void
take_turn(evutil_socket_t fd, short what, void *arg)
{
	struct api	*api = arg;
	const int	 after_ms = store_may_write(api->env.store) ?
			    arrivals_step(intake_arrivals(api->env.intake), SLICE_NS) : LOCKED_MS;
	struct timeval	 after = { after_ms / 1000, after_ms % 1000 * 1000 };

	(void)fd;
	(void)what;
	if (after_ms >= 0)
		(void)evtimer_add(api->arriving, &after);
}

static void
on_turn(void *arg)
{
	static const struct timeval	soon = { 0, 0 };
	struct api			*api = arg;

	(void)evtimer_add(api->arriving, &soon);
}

enum status
api_arrivals_open(struct api *api, struct fault *why)
{
	if ((api->arriving = evtimer_new(api->env.base, take_turn, api)) == NULL)
		return fault_set(why, ST_NOMEM, "api");
	arrivals_hooks(intake_arrivals(api->env.intake), on_turn, api_on_cancelled, api);
	return ST_OK;
}

void
api_arrivals_stop(struct api *api)
{
	if (api->arriving == NULL)
		return;
	arrivals_stop(intake_arrivals(api->env.intake));
	event_free(api->arriving);
	api->arriving = NULL;
}

json_t *
api_arriving_json(const struct api *api, int64_t sweep_id)
{
	struct arrival_progress	p;

	if (!arrivals_progress(intake_arrivals(api->env.intake), sweep_id, &p))
		return json_null();
	return json_pack("{s:I,s:I,s:I}", "checked", (json_int_t)p.checked, "stored",
	    (json_int_t)p.stored, "points", (json_int_t)p.points);
}

size_t
api_arriving_unread(const struct api *api, int64_t sweep_id)
{
	struct arrival_progress	p;

	return arrivals_progress(intake_arrivals(api->env.intake), sweep_id, &p) ? p.unread : 0;
}
