/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/queue/arrival.h"
#include "daemon/store/store_arrival.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

static enum status
remove_later(void *arg, int64_t sweep_id)
{
	return arrival_new(arg, sweep_id, ARRIVAL_REMOVING) != NULL ? ST_OK : ST_NOMEM;
}

enum status
arrivals_new(struct arrivals **out, struct admission *in, struct fault *why)
{
	struct arrivals	*all = *out = calloc(1, sizeof *all);
	enum status	 st;

	if (all == NULL)
		return fault_set(why, ST_NOMEM, "intake");
	all->in = in;
	TAILQ_INIT(&all->list);
	if ((st = store_arrivals_recover(in->store, remove_later, all, why)) == ST_OK &&
	    !TAILQ_EMPTY(&all->list))
		log_info("sweeps that had not arrived are taken away");
	return st;
}

void
arrivals_free(struct arrivals *all)
{
	struct arrival	*a;

	if (all == NULL)
		return;
	while ((a = TAILQ_FIRST(&all->list)) != NULL)
		arrival_free(a);
	free(all);
}

void
arrivals_wake(const struct arrivals *all)
{
	if (all->on_turn != NULL)
		all->on_turn(all->arg);
}

void
arrivals_hooks(struct arrivals *all, void (*on_turn)(void *),
    void (*on_cancelled)(void *, int64_t), void *arg)
{
	all->on_turn = on_turn;
	all->on_cancelled = on_cancelled;
	all->arg = arg;
	if (!TAILQ_EMPTY(&all->list))
		arrivals_wake(all);
}

/* ---- turns ---- */

/* The first that has something to do; *wait_ms: until the next may have, -1: none. */
static struct arrival *
next_of(struct arrivals *all, int *wait_ms)
{
	const int64_t	now = clock_now_ms();
	struct arrival	*a;

	*wait_ms = -1;
	TAILQ_FOREACH(a, &all->list, entry) {
		const int64_t	rest_ms = a->rests_until_ms - now;

		if (!arrival_has_work(a))
			continue;
		if (rest_ms <= 0)
			return a;
		if (*wait_ms < 0 || rest_ms < *wait_ms)
			*wait_ms = (int)rest_ms;
	}
	return NULL;
}

/* One sweep a turn: then others of the event loop, then the next sweep. */
int
arrivals_step(struct arrivals *all, uint64_t budget_ns)
{
	int		 wait_ms;
	struct arrival	*a = next_of(all, &wait_ms);

	if (a == NULL)
		return wait_ms;
	TAILQ_REMOVE(&all->list, a, entry);
	TAILQ_INSERT_TAIL(&all->list, a, entry);
	arrival_slice(a, clock_now_ns() + budget_ns);
	if (a->phase == ARRIVAL_OVER)
		arrival_free(a);
	return next_of(all, &wait_ms) != NULL ? 0 : wait_ms;
}

/* ---- looking, and giving up ---- */

static struct arrival *
find(const struct arrivals *all, int64_t sweep_id)
{
	struct arrival	*a;

	TAILQ_FOREACH(a, &all->list, entry)
		if (a->sweep_id == sweep_id && a->phase < ARRIVAL_FOUND)
			return a;
	return NULL;
}

enum status
arrivals_check_name(const struct arrivals *all, const char *name, struct fault *why)
{
	const struct arrival	*a;

	TAILQ_FOREACH(a, &all->list, entry) {
		if (a->phase >= ARRIVAL_FOUND || strcmp(a->name, name) != 0)
			continue;
		(void)fault_at(why, ST_CONFLICT, "name", "sweep \"%s\" is arriving: %zu of its %zu "
		    "points are checked, %zu jobs stored", name, a->checked, a->points, a->stored);
		fault_hint(why, "send it again when it has arrived (sweep.get says so), or end it "
		    "with sweep.cancel");
		return ST_CONFLICT;
	}
	return ST_OK;
}

bool
arrivals_progress(const struct arrivals *all, int64_t sweep_id, struct arrival_progress *out)
{
	const struct arrival	*a = find(all, sweep_id);

	if (a == NULL)
		return false;
	*out = (struct arrival_progress){ .points = a->points, .checked = a->checked,
	    .stored = a->stored };
	if (a->phase == ARRIVAL_READING)
		out->unread = a->reading.left;
	return true;
}

bool
arrivals_cancel(struct arrivals *all, int64_t sweep_id)
{
	struct arrival	*a = find(all, sweep_id);
	struct fault	 why;

	if (a == NULL || !arrival_may_give_up(a))
		return false;
	(void)fault_set(&why, ST_CANCELLED, "sweep %" PRId64 " was cancelled before it had arrived",
	    sweep_id);
	arrival_give_up(a, &why);
	return true;
}

void
arrivals_forget(struct arrivals *all, const void *arg)
{
	struct arrival	*a;

	TAILQ_FOREACH(a, &all->list, entry)
		if (a->fn != NULL && a->arg == arg && arrival_may_give_up(a))
			a->is_forgotten = true;
}

void
arrivals_stop(struct arrivals *all)
{
	struct arrival	*a;
	struct fault	 why;

	all->on_turn = NULL;
	(void)fault_set(&why, ST_UNAVAILABLE, "the daemon stops");
	fault_hint(&why, "send the sweep again when it runs");
	TAILQ_FOREACH(a, &all->list, entry) {
		if (a->phase == ARRIVAL_READING)
			arrival_arrive(a);
		else if (a->fn != NULL)
			arrival_give_up(a, &why);
	}
}
