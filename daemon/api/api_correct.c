/* SPDX-License-Identifier: Apache-2.0 */
/* Rankings are corrected in slices of the event loop, where one transaction could not do it all. */
#include "daemon/api/api_impl.h"
#include "daemon/store/store_correct.h"
#include "proto/base/log.h"

enum { SLICE_NS = 3000000, PAUSE_US = 6000 };

static void
take_slice(evutil_socket_t fd, short what, void *arg)
{
	static const struct timeval	pause = { 0, PAUSE_US };
	struct api			*api = arg;
	struct fault			 why;
	enum status			 st = store_correct(api->env.store, SLICE_NS, &why);

	(void)fd;
	(void)what;
	if (st == ST_OK && store_must_correct(api->env.store))
		(void)evtimer_add(api->correcting, &pause);
	else if (st != ST_OK && st != ST_UNAVAILABLE)
		log_error("corrections of rankings wait: %s", why.text);
}

/*
 * It begins what a yardstick left over, also of the daemon before, and tries again after a fault.
 */
void
api_correct_tick(struct api *api)
{
	static const struct timeval	now = { 0, 0 };

	if (api->correcting == NULL)
		api->correcting = evtimer_new(api->env.base, take_slice, api);
	if (api->correcting != NULL && !evtimer_pending(api->correcting, NULL) &&
	    store_must_correct(api->env.store))
		(void)evtimer_add(api->correcting, &now);
}

void
api_correct_stop(struct api *api)
{
	if (api->correcting != NULL)
		event_free(api->correcting);
	api->correcting = NULL;
}
