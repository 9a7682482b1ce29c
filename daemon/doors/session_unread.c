/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "daemon/doors/session_unread.h"

static void
count_taken(struct evbuffer *out, const struct evbuffer_cb_info *info, void *arg)
{
	struct unread	*u = arg;

	(void)out;
	u->taken += info->n_deleted;
}

static void
start(struct unread *u)
{
	u->taken_before = u->taken;
	(void)evtimer_add(u->timer, &u->limit);
}

static void
on_limit(evutil_socket_t fd, short what, void *arg)
{
	struct unread	*u = arg;

	(void)fd;
	(void)what;
	if (!unread_is_much(u))
		return;
	if (u->taken - u->taken_before < UNREAD_LEAST_BYTES)
		u->on_stalled(u->arg);
	else
		start(u);
}

bool
unread_init(struct unread *u, struct event_base *base, struct evbuffer *out, unsigned limit_s,
    unread_fn *on_stalled, void *arg)
{
	*u = (struct unread){ .out = out, .limit = { (time_t)limit_s, 0 },
		.on_stalled = on_stalled, .arg = arg };
	u->timer = evtimer_new(base, on_limit, u);
	return u->timer != NULL && evbuffer_add_cb(out, count_taken, u) != NULL;
}

void
unread_release(struct unread *u)
{
	if (u->timer != NULL)
		event_free(u->timer);
	if (u->out != NULL)
		(void)evbuffer_remove_cb(u->out, count_taken, u);
}

void
unread_watch(struct unread *u)
{
	if (unread_is_much(u) && !evtimer_pending(u->timer, NULL))
		start(u);
}

bool
unread_is_much(const struct unread *u)
{
	return evbuffer_get_length(u->out) > API_OUTPUT_BYTES;
}
