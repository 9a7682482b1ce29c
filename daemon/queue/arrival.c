/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/queue/arrival.h"
#include "daemon/setup/users.h"
#include "daemon/store/store_arrival.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

enum { REMOVED = 64, REST_MS = 1000 };

/* ---- life ---- */

struct arrival *
arrival_new(struct arrivals *all, int64_t sweep_id, enum arrival_phase phase)
{
	struct arrival	*a = calloc(1, sizeof *a);

	if (a == NULL)
		return NULL;
	a->all = all;
	a->sweep_id = sweep_id;
	a->phase = phase;
	TAILQ_INSERT_TAIL(&all->list, a, entry);
	return a;
}

static void
end_walk(struct arrival *a)
{
	sweep_close(a->walk);
	a->walk = NULL;
	admission_release(&a->last);
	json_decref(a->doc);
	json_decref(a->counted);
	a->doc = a->counted = NULL;
}

static void
release_places(struct arrival *a)
{
	a->all->in->reserved -= a->reserved;
	a->reserved = 0;
}

/* Of its sweep, which count with the first job. */
static size_t
doc_bytes(const struct arrival *a)
{
	return json_dumpb(a->doc, NULL, 0, JSON_COMPACT);
}

void
arrival_free(struct arrival *a)
{
	TAILQ_REMOVE(&a->all->list, a, entry);
	quota_claim_end(&a->claim);
	release_places(a);
	end_walk(a);
	free(a->name);
	free(a);
}

/* ---- the end ---- */

static void
answer(struct arrival *a, const struct fault *why)
{
	const bool		existed = a->phase == ARRIVAL_FOUND;
	const bool		few = a->jobs <= INTAKE_MAX_JOBS;
	const struct admitted	r = {
		.status = why != NULL ? why->status : ST_OK, .why = why,
		.ids = few ? a->ids : NULL, .n = few ? a->jobs : 0, .jobs = a->jobs,
		.repeated = existed ? a->jobs : a->repeated, .existed = existed,
		.sweep_id = a->sweep_id, .sweep_name = a->name,
	};
	admitted_fn		*fn = a->fn;

	a->fn = NULL;
	if (fn != NULL)
		fn(a->arg, &r);
}

void
arrival_arrive(struct arrival *a)
{
	quota_claim_end(&a->claim);
	answer(a, NULL);
	a->phase = ARRIVAL_OVER;
	arrivals_wake(a->all);
}

bool
arrival_may_give_up(const struct arrival *a)
{
	return a->phase == ARRIVAL_CHECKING || a->phase == ARRIVAL_STORING;
}

/* Its name is free at once, its rows go in slices. */
void
arrival_give_up(struct arrival *a, const struct fault *why)
{
	struct fault	unmarked;

	if (store_arrival_give_up(a->all->in->store, a->sweep_id, &unmarked) != ST_OK)
		log_error("sweep=%" PRId64 " could not be given up: %s", a->sweep_id,
		    unmarked.text);
	log_info("sweep=%" PRId64 " is given up: %s", a->sweep_id, why->text);
	answer(a, why);
	quota_claim_end(&a->claim);
	release_places(a);
	end_walk(a);
	a->phase = ARRIVAL_REMOVING;
	arrivals_wake(a->all);
}

static void
start_reading(struct arrival *a)
{
	struct admission	*in = a->all->in;

	log_info("sweep=%" PRId64 " has arrived jobs=%zu", a->sweep_id, a->jobs);
	release_places(a);
	a->phase = ARRIVAL_READING;
	recovery_start_sweep(&a->reading, in->store, in->queue, a->sweep_id,
	    a->jobs - a->repeated);
	a->reading.on_cancelled = a->all->on_cancelled;
	a->reading.arg = a->all->arg;
	a->reading.claim = &a->claim;
}

/* What is written for a sweep is part of the group that is committed next. */
static void
is_refused(struct arrival *a, const struct fault *why)
{
	a->is_gone = false;
	if (a->phase == ARRIVAL_REMOVING)
		a->rests_until_ms = clock_now_ms() + REST_MS;
	else
		arrival_give_up(a, why);
}

static void
is_durable(struct arrival *a)
{
	if (a->phase == ARRIVAL_CLOSING)
		start_reading(a);
	else if (a->phase == ARRIVAL_REMOVING && a->is_gone)
		a->phase = ARRIVAL_OVER;
}

static void
on_synced(void *arg, enum status st, const struct fault *why)
{
	struct arrival	*a = arg;

	a->is_syncing = false;
	if (a->phase == ARRIVAL_FOUND)
		arrival_arrive(a);
	else if (st != ST_OK)
		is_refused(a, why);
	else
		is_durable(a);
	arrivals_wake(a->all);
}

/* One callback is enough: it comes after the commit that has all writes so far. */
static enum status
sync_rows(struct arrival *a, bool hurry, struct fault *why)
{
	if (a->is_syncing)
		return ST_OK;
	if (store_when_durable(a->all->in->store, on_synced, a, hurry) != ST_OK)
		return fault_set(why, ST_NOMEM, "sweep");
	a->is_syncing = true;
	return ST_OK;
}

/* ---- slices ---- */

/* As store_add_job counts it. */
static void
count_bytes(struct arrival *a, const json_t *doc)
{
	json_t	*spec = json_object_get(doc, "spec");

	if (a->counted == NULL)
		a->bytes += doc_bytes(a);
	a->bytes += store_rest_bytes(doc);
	if (a->counted != NULL && json_equal(a->counted, spec))
		return;
	a->bytes += json_dumpb(spec, NULL, 0, JSON_COMPACT);
	json_decref(a->counted);
	a->counted = json_incref(spec);
}

static enum status
check_place(struct arrival *a, struct fault *why)
{
	json_t		*doc;
	enum status	 st = sweep_next(a->walk, &doc, why);

	if (st == ST_OK && doc != NULL) {
		st = sweep_blame(a->walk, admission_decode(a->all->in, &a->last, doc, why), why);
		count_bytes(a, doc);
		a->jobs++;
	}
	json_decref(doc);
	a->checked++;
	return st;
}

/* All are fit: from here on they have their places in the queue. */
static enum status
start_storing(struct arrival *a, struct fault *why)
{
	struct admission	*in = a->all->in;
	enum status	 st = admission_room(in, a->jobs, why);

	if (st != ST_OK || (st = quota_claim(&a->claim, in->queue, a->who, a->jobs, a->bytes,
	    why)) != ST_OK)
		return st;
	in->reserved += a->reserved = a->jobs;
	sweep_close(a->walk);
	a->phase = ARRIVAL_STORING;
	return sweep_open(&a->walk, a->doc, why);
}

static enum status
check_slice(struct arrival *a, uint64_t end_ns, struct fault *why)
{
	enum status	st = ST_OK;

	while (st == ST_OK && !sweep_is_over(a->walk) && clock_now_ns() < end_ns)
		st = check_place(a, why);
	return st == ST_OK && sweep_is_over(a->walk) ? start_storing(a, why) : st;
}

static enum status
store_job_of(struct arrival *a, const json_t *doc, struct fault *why)
{
	struct stored_job	s = { .rest = NULL };
	struct new_job		row;
	enum status		st = admission_decode(a->all->in, &a->last, doc, why);

	if (st != ST_OK)
		return st;
	row = admission_row(&a->last, a->sweep_id, a->who, a->submitted);
	row.is_arriving = true;
	row.counted_spec = a->counted_spec;
	row.more_bytes = a->counted_spec == 0 ? doc_bytes(a) : 0;
	st = store_add_job(a->all->in->store, &row, &s, why);
	free(s.rest);
	if (!s.repeated)
		a->counted_spec = s.spec_id;
	if (a->stored < INTAKE_MAX_JOBS)
		a->ids[a->stored] = s.id;
	a->stored++;
	a->repeated += s.repeated;
	return st;
}

static enum status
store_place(struct arrival *a, struct fault *why)
{
	json_t		*doc;
	enum status	 st = sweep_next(a->walk, &doc, why);

	if (st == ST_OK && doc != NULL)
		st = sweep_blame(a->walk, store_job_of(a, doc, why), why);
	json_decref(doc);
	return st;
}

/* The write that makes all before it count. */
static enum status
close_rows(struct arrival *a, struct fault *why)
{
	end_walk(a);
	a->phase = ARRIVAL_CLOSING;
	return store_arrival_end(a->all->in->store, a->sweep_id, (int64_t)(a->jobs - a->repeated),
	    why);
}

static enum status
store_slice(struct arrival *a, uint64_t end_ns, struct fault *why)
{
	enum status	st = ST_OK;

	while (st == ST_OK && !sweep_is_over(a->walk) && clock_now_ns() < end_ns)
		st = store_place(a, why);
	if (st == ST_OK && sweep_is_over(a->walk))
		st = close_rows(a, why);
	return st == ST_OK ? sync_rows(a, a->phase == ARRIVAL_CLOSING, why) : st;
}

/* What cannot be read stays on disk for the next start. */
static void
read_slice(struct arrival *a, uint64_t end_ns)
{
	const struct admission	*in = a->all->in;
	const uint64_t		 now = clock_now_ns();
	struct fault		 why;
	enum status		 st = recovery_read(&a->reading, end_ns > now ? end_ns - now : 0,
				    &why);

	if (st != ST_OK)
		log_error("sweep=%" PRId64 " %zu jobs stay on disk for the next start: %s",
		    a->sweep_id, a->reading.left, why.text);
	if (st != ST_OK || recovery_is_over(&a->reading))
		arrival_arrive(a);
	in->on_work(in->on_work_arg);
}

static void
remove_slice(struct arrival *a, uint64_t end_ns)
{
	struct fault	why;
	enum status	st = ST_OK;

	while (st == ST_OK && !a->is_gone && clock_now_ns() < end_ns)
		st = store_arrival_remove(a->all->in->store, a->sweep_id, REMOVED, &a->is_gone,
		    &why);
	if (st == ST_OK)
		st = sync_rows(a, false, &why);
	if (st == ST_OK)
		return;
	log_error("sweep=%" PRId64 " %s", a->sweep_id, why.text);
	a->rests_until_ms = clock_now_ms() + REST_MS;
}

static void
slice_of_walk(struct arrival *a, uint64_t end_ns)
{
	struct fault	why;
	enum status	st;

	if (a->is_forgotten)
		st = fault_set(&why, ST_CANCELLED, "its caller is gone");
	else
		st = a->phase == ARRIVAL_CHECKING ? check_slice(a, end_ns, &why) :
		    store_slice(a, end_ns, &why);
	if (st != ST_OK)
		arrival_give_up(a, &why);
}

void
arrival_slice(struct arrival *a, uint64_t end_ns)
{
	if (arrival_may_give_up(a))
		slice_of_walk(a, end_ns);
	else if (a->phase == ARRIVAL_READING)
		read_slice(a, end_ns);
	else if (a->phase == ARRIVAL_REMOVING)
		remove_slice(a, end_ns);
}

bool
arrival_has_work(const struct arrival *a)
{
	if (a->phase == ARRIVAL_CLOSING || a->phase == ARRIVAL_FOUND)
		return false;
	return a->phase == ARRIVAL_OVER || !a->is_gone;
}

/* ---- the call ---- */

/* The answer may not come from within the call. */
static enum status
repeat(struct arrival *a, struct fault *why)
{
	struct store		*store = a->all->in->store;
	struct sweep_row	 row;
	enum status		 st = store_sweep(store, a->sweep_id, NULL, &row, why);

	if (st != ST_OK)
		return st;
	a->phase = ARRIVAL_FOUND;
	a->jobs = (size_t)row.jobs;
	if (a->jobs <= INTAKE_MAX_JOBS)
		a->jobs = store_sweep_jobs(store, a->sweep_id, a->ids, INTAKE_MAX_JOBS);
	return sync_rows(a, true, why);
}

static enum status
may_begin(const struct arrivals *all, uid_t who, struct fault *why)
{
	const struct arrival	*a;
	char			 name[USER_NAME_BYTES];
	unsigned		 n = 0;

	TAILQ_FOREACH(a, &all->list, entry)
		n += a->fn != NULL && a->who == who;
	if (n < ARRIVALS_OF_USER)
		return ST_OK;
	(void)fault_set(why, ST_FULL, "%u large sweeps of %s are arriving already", n,
	    users_words(all->in->queue->known, who, name));
	fault_hint(why, "send it again when one of them has arrived");
	fault_of_user(why);
	return ST_FULL;
}

static enum status
begin(struct arrival *a, bool *is_old, struct fault *why)
{
	struct store	*store = a->all->in->store;
	enum status	 st;

	if ((st = sweep_open(&a->walk, a->doc, why)) != ST_OK ||
	    (st = store_arrival_find(store, a->name, a->who, a->doc, &a->sweep_id, is_old,
	    why)) != ST_OK || *is_old)
		return st;
	if (a->sweep_id != 0)
		return repeat(a, why);
	a->points = (size_t)sweep_places(a->walk);
	if ((st = store_arrival_begin(store, a->name, a->who, a->submitted, a->doc, &a->sweep_id,
	    why)) != ST_OK)
		return st;
	if ((st = sync_rows(a, false, why)) != ST_OK)
		(void)store_arrival_give_up(store, a->sweep_id, NULL);
	return st;
}

enum status
arrivals_begin(struct arrivals *all, const struct submission *s, bool *arrives, struct fault *why)
{
	struct arrival	*a;
	bool		 is_old = false;
	enum status	 st;

	if ((st = may_begin(all, s->who, why)) != ST_OK)
		return st;
	if ((a = arrival_new(all, 0, ARRIVAL_CHECKING)) == NULL)
		return fault_set(why, ST_NOMEM, "sweep");
	a->who = s->who;
	a->submitted = clock_wall_s();
	a->doc = json_incref((json_t *)(uintptr_t)s->doc);
	a->name = strdup(json_string_value(json_object_get(s->doc, "name")));
	st = a->name != NULL ? begin(a, &is_old, why) : fault_set(why, ST_NOMEM, "sweep");
	*arrives = !is_old;
	if (st != ST_OK || is_old) {
		arrival_free(a);
		return st;
	}
	a->fn = s->fn;
	a->arg = s->arg;
	arrivals_wake(all);
	return ST_OK;
}
