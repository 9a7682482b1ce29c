/* SPDX-License-Identifier: Apache-2.0 */
/* Old results are removed in slices of the event loop, one pruning at a time. */
#include <stdlib.h>
#include <unistd.h>

#include "daemon/api/api_impl.h"
#include "daemon/store/store_prune.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

enum { SLICE_NS = 3000000, PAUSE_US = 6000, LOCKED_US = 100000, KEEP_EVERY_S = 3600 };

struct pruning {
	struct api	*api;		/* borrowed */
	struct call	*call;		/* owned until it is answered; NULL: the daemon's own */
	struct event	*next;		/* owned; its next slice */
	struct prune	 prune;
	bool		 dry_run;
};

static void
free_pruning(void *arg)
{
	struct pruning	*p = arg;

	if (p->api->pruning == p)
		p->api->pruning = NULL;
	if (p->next != NULL)
		event_free(p->next);
	free(p);
}

static enum status
answer(struct call *c, void *arg, struct fault *why)
{
	const struct pruning	*p = arg;

	(void)why;
	return call_answer(c, json_pack("{s:I, s:I, s:I, s:b}", "results",
	    (json_int_t)p->prune.results, "sweeps", (json_int_t)p->prune.sweeps, "specs",
	    (json_int_t)p->prune.specs, "dry_run", p->dry_run));
}

static void
end(struct pruning *p, enum status st, const struct fault *why)
{
	if (st != ST_OK)
		log_error("pruning ends after %lld results: %s", (long long)p->prune.results,
		    why->text);
	else if (p->prune.results != 0)
		log_info("pruned results=%lld sweeps=%lld specs=%lld",
		    (long long)p->prune.results, (long long)p->prune.sweeps,
		    (long long)p->prune.specs);
	if (p->call != NULL && st == ST_OK)
		(void)answer(p->call, p, NULL);
	else if (p->call != NULL)
		call_refuse(p->call, why);
	free_pruning(p);
}

static void
go_on_after(struct pruning *p, long us)
{
	const struct timeval	after = { 0, us };

	(void)evtimer_add(p->next, &after);
}

/* The api may have stopped it meanwhile. */
static void
on_durable(void *arg, enum status st, const struct fault *why)
{
	struct api	*api = arg;
	struct pruning	*p = api->pruning;

	if (p == NULL)
		return;
	if (st != ST_OK || p->prune.is_over)
		end(p, st, why);
	else
		go_on_after(p, PAUSE_US);
}

static void
take_slice(evutil_socket_t fd, short what, void *arg)
{
	struct pruning	*p = arg;
	struct store	*store = p->api->env.store;
	struct fault	 why;
	enum status	 st = store_prune_slice(store, &p->prune, SLICE_NS, &why);

	(void)fd;
	(void)what;
	if (st == ST_UNAVAILABLE)
		go_on_after(p, LOCKED_US);
	else if (st != ST_OK || (st = store_when_durable(store, on_durable, p->api, false)) !=
	    ST_OK)
		end(p, st, &why);
}

/* Takes p. */
static enum status
start(struct pruning *p, struct fault *why)
{
	if (p->api->pruning != NULL) {
		free_pruning(p);
		(void)fault_set(why, ST_FULL, "results are being pruned already");
		fault_hint(why, "ask again when that is over");
		return ST_FULL;
	}
	if ((p->next = evtimer_new(p->api->env.base, take_slice, p)) == NULL) {
		free_pruning(p);
		return fault_set(why, ST_NOMEM, "pruning");
	}
	p->api->pruning = p;
	go_on_after(p, 0);
	return ST_OK;
}

static struct pruning *
new_pruning(struct api *api, double older_than_s)
{
	struct pruning	*p = calloc(1, sizeof *p);

	if (p == NULL)
		return NULL;
	p->api = api;
	p->prune = (struct prune){ .before = clock_wall_s() - older_than_s,
		.newest = api->durable, .submitter = -1 };
	return p;
}

/* ---- the call ---- */

static enum status
read_count(struct store *store, void *arg, struct fault *why)
{
	return store_prune_count(store, &((struct pruning *)arg)->prune, why);
}

/* Operators may prune all; others what is their own. */
static enum status
choose(struct pruning *p, const struct call *c, const json_t *params, struct fault *why)
{
	const json_t		*who = json_object_get(params, "user");
	const json_t		*sweep = json_object_get(params, "sweep");
	const bool		 is_operator = api_is_operator(c);
	struct sweep_row	 row = { .id = 0 };
	int64_t			 user = -1;
	enum status		 st = ST_OK;

	if (who != NULL && (st = api_user(c, who, &user, why)) != ST_OK)
		return st;
	if (sweep != NULL && (st = api_find_sweep(c->api, sweep, &row, why)) != ST_OK)
		return st;
	if (!is_operator && user >= 0 && user != (int64_t)c->uid) {
		(void)fault_at(why, ST_DENIED, "user", "results of user %lld are not yours",
		    (long long)user);
		fault_hint(why, "only operators may prune for others");
		return ST_DENIED;
	}
	p->prune.sweep_id = row.id;
	p->prune.submitter = is_operator ? user : (int64_t)c->uid;
	p->dry_run = json_is_true(json_object_get(params, "dry_run"));
	return ST_OK;
}

enum status
api_store_prune(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	lookup = { read_count, answer, free_pruning, true };
	struct pruning			*p = new_pruning(c->api,
					    (double)params_int(params, "older_than_s", 0));
	enum status			 st;

	if (p == NULL)
		return fault_set(why, ST_NOMEM, "pruning");
	if ((st = choose(p, c, params, why)) != ST_OK) {
		free_pruning(p);
		return st;
	}
	if (p->dry_run)
		return call_read(c, &lookup, p);
	p->call = c;
	return start(p, why);
}

/* ---- the setting keep ---- */

void
api_prune_tick(struct api *api)
{
	const uint64_t	 keep_s = api->env.config->keep_s;
	const double	 now_s = clock_now_s();
	struct pruning	*p;
	struct fault	 why;

	if (keep_s == 0 || api_is_reading(api) || api->pruning != NULL ||
	    (api->kept_s == keep_s && now_s - api->kept_at_s < KEEP_EVERY_S))
		return;
	api->kept_s = keep_s;
	api->kept_at_s = now_s;
	if ((p = new_pruning(api, (double)keep_s)) != NULL)
		(void)start(p, &why);
}

void
api_prune_stop(struct api *api)
{
	struct fault	why;

	if (api->pruning == NULL)
		return;
	(void)fault_set(&why, ST_UNAVAILABLE, "the daemon stops");
	end(api->pruning, ST_UNAVAILABLE, &why);
}
