/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <event2/event.h>

#include "daemon/dispatch/cancels.h"

static void
soon(struct cancels *c)
{
	static const struct timeval	now = { 0, 0 };

	if (!evtimer_pending(c->turn, NULL))
		(void)evtimer_add(c->turn, &now);
}

static void
end_pass(struct cancels *c)
{
	c->n = c->kept;
	c->at = c->kept = 0;
	if (c->n == 0)
		c->nsweeps = 0;
}

/* Other events have their turn between two slices. */
static void
on_turn(evutil_socket_t fd, short what, void *arg)
{
	struct cancels	*c = arg;

	(void)fd;
	(void)what;
	for (unsigned i = 0; i < CANCELS_SLICE && c->at < c->n; i++) {
		const int64_t	id = c->ids[c->at++];

		if (c->end(c->arg, id))
			c->ids[c->kept++] = id;
	}
	if (c->at < c->n)
		soon(c);
	else
		end_pass(c);
}

enum status
cancels_init(struct cancels *c, struct event_base *base, cancels_end_fn *end, void *arg,
    struct fault *why)
{
	*c = (struct cancels){ .end = end, .arg = arg, .turn = evtimer_new(base, on_turn, c) };
	return c->turn != NULL ? ST_OK : fault_set(why, ST_NOMEM, "cancels");
}

void
cancels_release(struct cancels *c)
{
	if (c->turn != NULL)
		event_free(c->turn);
	free(c->ids);
	free(c->sweeps);
	*c = (struct cancels){ .turn = NULL };
}

enum status
cancels_reserve(struct cancels *c, size_t n)
{
	size_t	 max = c->max != 0 ? c->max : 64;
	int64_t	*more;

	if (c->n + n <= c->max)
		return ST_OK;
	while (max < c->n + n)
		max *= 2;
	if ((more = realloc(c->ids, max * sizeof *more)) == NULL)
		return ST_NOMEM;
	c->ids = more;
	c->max = max;
	return ST_OK;
}

void
cancels_add(struct cancels *c, int64_t job_id)
{
	c->ids[c->n++] = job_id;
	soon(c);
}

enum status
cancels_add_sweep(struct cancels *c, int64_t sweep_id)
{
	int64_t	*more;

	if (cancels_has_sweep(c, sweep_id))
		return ST_OK;
	if ((more = realloc(c->sweeps, (c->nsweeps + 1) * sizeof *more)) == NULL)
		return ST_NOMEM;
	c->sweeps = more;
	c->sweeps[c->nsweeps++] = sweep_id;
	return ST_OK;
}

bool
cancels_has_sweep(const struct cancels *c, int64_t sweep_id)
{
	for (size_t i = 0; i < c->nsweeps; i++)
		if (c->sweeps[i] == sweep_id)
			return sweep_id != 0;
	return false;
}

void
cancels_again(struct cancels *c)
{
	if (c->n != 0)
		soon(c);
}
