/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "daemon/dispatch/dispatch.h"
#include "daemon/dispatch/events.h"
#include "daemon/dispatch/quiet.h"
#include "daemon/dispatch/station.h"
#include "daemon/hold/delegation.h"
#include "daemon/hold/hold.h"
#include "daemon/judge/judge.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/spec/spec.h"

enum {
	BUILD_AHEAD_MAX = 64,		/* built jobs that may wait for a timing slot */
	GRACE_S = 60,			/* beyond a job's own limits before its worker counts as stuck */
};

struct dispatch {
	const struct config	*config;	/* borrowed */
	const struct topology	*topology;	/* borrowed */
	struct store		*store;		/* borrowed */
	struct queue		*queue;		/* borrowed */
	struct child_pool	*pool;		/* borrowed */
	struct hold		*host;		/* borrowed; NULL: none */
	struct station		*stations;		/* owned; builders first, then slots */
	unsigned		 nstations, nbuilders;
	unsigned		 widest;	/* CPUs of the slot that has most */
	uint64_t		 flush_bytes;	/* of this host, by calibration; 0: none */
	struct quiet		 quiet;
	news_fn			*on_news;
	void			*on_news_arg;
};

/* A result on its way to the disk. */
struct ending {
	struct dispatch		*d;
	int64_t			 job_id, cursor;
	enum job_state		 to;
	json_t			*result;	/* owned */
};

static int
minute_of_day(time_t now)
{
	struct tm	tm;

	return localtime_r(&now, &tm) != NULL ? tm.tm_hour * 60 + tm.tm_min : 0;
}

/* ---- how a job ends ---- */

static enum job_state
final_state(enum status outcome)
{
	switch (outcome) {
	case ST_OK:		return JOB_DONE;
	case ST_CANCELLED:	return JOB_CANCELLED;
	case ST_EXPIRED:	return JOB_EXPIRED;
	default:		return JOB_FAILED;
	}
}

static void
ending_free(struct ending *e)
{
	json_decref(e->result);
	free(e);
}

/* The result is on disk (or the disk refused it: then the job goes through its last stage again). */
static void
ending_is_durable(void *arg, enum status st, const struct fault *why)
{
	struct ending		*e = arg;
	struct dispatch		*d = e->d;
	struct queued_job	*j = queue_find(d->queue, e->job_id);

	if (j == NULL)
		bug("job=%" PRId64 " ended twice", e->job_id);
	j->ending = false;
	if (st == ST_CONFLICT) {	/* it has one, from before a crash of ours: nothing to tell */
		log_error("job=%" PRId64 " %s", e->job_id, why->text);
		job_move(d->queue, j, e->to == JOB_DONE && j->state != JOB_TIMING ? JOB_FAILED : e->to);
		queue_forget(d->queue, j);
	} else if (st != ST_OK) {
		log_error("job=%" PRId64 " its result could not be stored: %s", e->job_id, why->text);
		if (j->state == JOB_TIMING || j->state == JOB_BUILDING)
			job_move(d->queue, j, JOB_QUEUED);
	} else {
		struct news	n = { j->id, j->sweep_id, e->cursor, j->submitter, e->result };

		log_info("job=%" PRId64 " state=%s status=%s", j->id, job_state_name(e->to),
		    json_string_value(json_object_get(e->result, "status")));
		job_move(d->queue, j, e->to);
		queue_forget(d->queue, j);
		if (d->on_news != NULL)
			d->on_news(d->on_news_arg, &n);
	}
	ending_free(e);
}

static json_t *
make_result(struct dispatch *d, struct queued_job *j, enum status outcome, const char *detail, const json_t *timed)
{
	char		 sweep_name[256];
	struct case_file c = { .job = j, .outcome = outcome, .detail = detail, .timed = timed,
		.fitness = hold_hash(d->host),
		.finished = clock_wall_s() };
	struct fault	 why;

	if (j->doc == NULL && store_job_doc(d->store, j->id, &j->doc, &why) != ST_OK)
		log_error("job=%" PRId64 " %s", j->id, why.text);
	c.doc = j->doc;
	if (j->sweep_id != 0 && store_sweep_name(d->store, j->sweep_id, sweep_name, sizeof sweep_name))
		c.sweep_name = sweep_name;
	return judge_result(&c);
}

/* Every outcome leaves here: judged, written, told once it is durable. */
static void
finish(struct dispatch *d, struct queued_job *j, enum status outcome, const char *detail, const json_t *timed)
{
	struct ending	*e = calloc(1, sizeof *e);
	struct fault	 why;
	enum status	 st;

	if (e == NULL || (e->result = make_result(d, j, outcome, detail, timed)) == NULL) {
		log_error("job=%" PRId64 " out of memory for its result", j->id);
		free(e);
		return;
	}
	e->d = d;
	e->job_id = j->id;
	e->to = final_state(outcome);
	j->ending = true;
	st = store_add_result(d->store, j->id, outcome, e->result, &e->cursor, &why);
	if (st == ST_OK)
		st = store_when_durable(d->store, ending_is_durable, e);
	if (st != ST_OK)
		ending_is_durable(e, st, &why);
}

/* A fault of ours: try again while the job has attempts left. */
static void
try_again(struct dispatch *d, struct queued_job *j, enum job_state from_where, const char *detail)
{
	if (j->cancel) {
		finish(d, j, ST_CANCELLED, NULL, NULL);
	} else if (++j->attempts > j->retries) {
		finish(d, j, ST_INTERNAL, detail, NULL);
	} else {
		log_warn("job=%" PRId64 " attempt=%u failed, again: %s", j->id, j->attempts,
		    detail != NULL ? detail : "");
		job_move(d->queue, j, from_where);
	}
}

/* ---- what workers say ---- */

static void
took_hello(struct dispatch *d, struct station *l, struct msg *m)
{
	json_decref(l->hello);
	l->hello = json_incref(m->report);
	l->ready = true;
	l->quick_deaths = 0;
	l->is_told = false;
	if (l->role == STATION_TIME)
		station_knows(l, quiet_recall(&d->quiet, l->cpu, hold_hash(d->host)));
	dispatch_kick(d);
}

static void
took_built(struct dispatch *d, struct queued_job *j, struct msg *m)
{
	j->build_ended = clock_wall_s();
	json_decref(j->build_report);
	j->build_report = json_incref(m->report);
	if (j->cancel || m->status == ST_CANCELLED) {
		finish(d, j, ST_CANCELLED, NULL, NULL);
		return;
	}
	if (m->status == ST_INTERNAL) {
		try_again(d, j, JOB_QUEUED, m->detail);
		return;
	}
	if (m->status != ST_OK) {
		finish(d, j, m->status, m->detail, NULL);
		return;
	}
	if (j->artifacts == NULL && (j->artifacts = malloc(sizeof *j->artifacts)) == NULL) {
		try_again(d, j, JOB_QUEUED, "out of memory");
		return;
	}
	*j->artifacts = m->artifacts;
	job_move(d->queue, j, JOB_BUILT);
}

static void
took_timed(struct dispatch *d, struct queued_job *j, struct msg *m)
{
	if (j->cancel || m->status == ST_CANCELLED)
		finish(d, j, ST_CANCELLED, NULL, NULL);
	else if (json_is_true(json_object_get(m->report, "artifact_missing")))
		job_move(d->queue, j, JOB_QUEUED);	/* evicted meanwhile: build it again */
	else if (m->status == ST_INTERNAL)
		try_again(d, j, JOB_BUILT, m->detail);
	else
		finish(d, j, m->status, m->detail, m->report);
}

/* Beside the outcome: what the timing told of its slot. */
static void
took_slot(struct dispatch *d, struct station *l, const json_t *report)
{
	const json_t	*told = json_object_get(report, "quiet");

	station_saw(l, report);
	if (json_is_object(told))
		station_knows(l, quiet_keep(&d->quiet, l->cpu, hold_hash(d->host), told, l->quiet, clock_wall_s()));
}

static struct station *
station_of(struct dispatch *d, const struct child *c)
{
	for (unsigned i = 0; i < d->nstations; i++)
		if (d->stations[i].child == c)
			return &d->stations[i];
	return NULL;
}

static void
on_message(void *arg, struct child *c, struct msg *m)
{
	struct dispatch		*d = arg;
	struct station		*l = station_of(d, c);
	struct queued_job	*j;
	enum msg_kind		 expected;

	if (l == NULL)
		return;
	if (m->kind == MSG_HELLO) {
		took_hello(d, l, m);
		return;
	}
	expected = l->role == STATION_BUILD ? MSG_BUILT : MSG_TIMED;
	if ((j = l->job) == NULL || m->kind != expected || m->job_id != j->id) {
		log_error("cpu=%d its worker answered what nobody asked, killed", l->cpu);
		child_kill(c);
		return;
	}
	l->job = NULL;
	if (m->kind == MSG_TIMED)
		took_slot(d, l, m->report);
	dispatch_kick(d);		/* the worker goes on while the outcome is judged and stored */
	if (m->kind == MSG_BUILT)
		took_built(d, j, m);
	else
		took_timed(d, j, m);
	dispatch_kick(d);
}

static void
on_end(void *arg, struct child *c, int wait_status)
{
	struct dispatch		*d = arg;
	struct station		*l = station_of(d, c);
	struct queued_job	*j;

	if (l == NULL)
		return;
	log_warn("cpu=%d worker=%d ended status=0x%x", l->cpu, (int)child_pid(c), (unsigned)wait_status);
	station_ended(l, clock_wall_s());
	if ((j = l->job) != NULL) {
		l->job = NULL;
		try_again(d, j, j->state == JOB_BUILDING ? JOB_QUEUED : JOB_BUILT, "its worker died");
	}
	dispatch_kick(d);
}

/* ---- handing out work ---- */

static double
order_limit_s(const struct queued_job *j)
{
	const json_t	*t = json_object_get(j->doc, "timeout_ms");
	const json_t	*ms = json_object_get(t, j->state == JOB_BUILDING ? "build" : "run");
	double		 limit_s = 1e-3 * (json_is_integer(ms) ? (double)json_integer_value(ms) : 60000.0);

	/* Driver, reference, variant, and this thrice behind a pad or another, each have the limit for themselves. */
	return GRACE_S + (j->state == JOB_BUILDING ? 6 : 4) * limit_s;
}

static void
give(struct dispatch *d, struct station *l, struct queued_job *j)
{
	struct msg	m = { .kind = l->role == STATION_BUILD ? MSG_BUILD : MSG_TIME, .job_id = j->id };
	struct fault	why;
	enum status	st = ST_OK;

	job_move(d->queue, j, l->role == STATION_BUILD ? JOB_BUILDING : JOB_TIMING);
	if (l->role == STATION_BUILD)
		j->build_began = clock_wall_s();
	else
		j->time_began = clock_wall_s();
	if (j->doc == NULL)
		st = store_job_doc(d->store, j->id, &j->doc, &why);
	m.job = j->doc;
	if (l->role == STATION_TIME) {
		m.flush_bytes = d->flush_bytes;
		m.quiet = l->is_told ? NULL : l->quiet;
	}
	if (j->artifacts != NULL)
		m.artifacts = *j->artifacts;
	if (st == ST_OK)
		st = child_send(l->child, &m, &why);
	if (st != ST_OK) {
		try_again(d, j, l->role == STATION_BUILD ? JOB_QUEUED : JOB_BUILT, why.text);
		return;
	}
	l->is_told = true;
	l->job = j;
	l->give_up = clock_wall_s() + order_limit_s(j);
	log_debug("job=%" PRId64 " state=%s cpu=%d", j->id, job_state_name(j->state), l->cpu);
}

/* A CPU for each thread, or where no slot has so many, the slot that has most. */
static bool
is_wide_enough(const struct dispatch *d, const struct station *l, const struct queued_job *j)
{
	return station_width(l) >= (j->threads < d->widest ? j->threads : d->widest);
}

/*
 * Built jobs keep to the order of the queue, but a window that has closed meanwhile holds them back, and one with
 * threads waits for a slot with as many CPUs, while those behind it take the others.
 */
static struct queued_job *
next_to_time(const struct dispatch *d, const struct station *l, int64_t now, int minute)
{
	struct queued_job	*j;

	TAILQ_FOREACH(j, &d->queue->in[JOB_BUILT], entry)
		if (job_may_start(j, now, minute) && is_wide_enough(d, l, j))
			return j;
	return NULL;
}

void
dispatch_kick(struct dispatch *d)
{
	time_t	now = time(NULL);
	int	minute = minute_of_day(now);

	for (unsigned i = 0; i < d->nstations; i++) {
		struct station		*l = &d->stations[i];
		struct queued_job	*j;

		if (!station_is_idle(l))
			continue;
		if (l->role == STATION_TIME && !hold_may_time(d->host))
			j = NULL;
		else if (l->role == STATION_TIME)
			j = next_to_time(d, l, now, minute);
		else if (d->queue->count[JOB_BUILT] >= BUILD_AHEAD_MAX)
			j = NULL;
		else
			j = queue_next_to_build(d->queue, now, minute);
		if (j != NULL)
			give(d, l, j);
	}
}

static void
start_missing(struct dispatch *d, double now)
{
	static const struct child_events	events = { on_message, on_end };
	struct fault				why;

	for (unsigned i = 0; i < d->nstations; i++) {
		struct station	*l = &d->stations[i];

		if (l->child == NULL && l->restart_at <= now &&
		    station_start(l, d->pool, d->config, d->topology, &events, d, now, &why) != ST_OK)
			log_error("cpu=%d %s", l->cpu, why.text);
	}
}

static void
kill_stuck(struct dispatch *d, double now)
{
	for (unsigned i = 0; i < d->nstations; i++) {
		struct station	*l = &d->stations[i];

		if (l->child != NULL && l->job != NULL && l->give_up < now) {
			log_error("job=%" PRId64 " cpu=%d its worker is stuck, killed", l->job->id, l->cpu);
			child_kill(l->child);
		}
	}
}

static void
expire(struct dispatch *d, enum job_state state, int64_t now)
{
	struct queued_job	*j, *next;

	for (j = TAILQ_FIRST(&d->queue->in[state]); j != NULL; j = next) {
		next = TAILQ_NEXT(j, entry);
		if (!j->ending && j->deadline != 0 && j->deadline <= now)
			finish(d, j, ST_EXPIRED, "its deadline passed while it waited", NULL);
	}
}

void
dispatch_tick(struct dispatch *d)
{
	double	now = clock_wall_s();

	start_missing(d, now);
	kill_stuck(d, now);
	expire(d, JOB_QUEUED, (int64_t)now);
	expire(d, JOB_BUILT, (int64_t)now);
	dispatch_kick(d);
}

/* ---- from above ---- */

static void
tell_worker_to_cancel(struct dispatch *d, const struct queued_job *j)
{
	struct msg	m = { .kind = MSG_CANCEL, .job_id = j->id };

	for (unsigned i = 0; i < d->nstations; i++)
		if (d->stations[i].job == j && d->stations[i].child != NULL)
			(void)child_send(d->stations[i].child, &m, NULL);
}

enum status
dispatch_cancel(struct dispatch *d, int64_t id, struct fault *why)
{
	struct queued_job	*j = queue_find(d->queue, id);

	if (j == NULL)
		return fault_set(why, ST_NOT_FOUND, "job %" PRId64 " is not in the queue", id);
	if (j->ending)
		return fault_set(why, ST_CONFLICT, "job %" PRId64 " is over", id);
	if (j->state == JOB_QUEUED || j->state == JOB_BUILT) {
		finish(d, j, ST_CANCELLED, NULL, NULL);
	} else if (!j->cancel) {
		j->cancel = true;
		tell_worker_to_cancel(d, j);
	}
	return ST_OK;
}

void
dispatch_on_news(struct dispatch *d, news_fn *fn, void *arg)
{
	d->on_news = fn;
	d->on_news_arg = arg;
}

static json_t *
stations_report(const struct dispatch *d, enum station_role role, json_t *report(const struct station *))
{
	json_t	*list = json_array();

	for (unsigned i = 0; i < d->nstations; i++)
		if (d->stations[i].role == role)
			(void)json_array_append_new(list, report(&d->stations[i]));
	return list;
}

/* A member of the first greeting among stations of a role, null before any came. */
static json_t *
from_hello(const struct dispatch *d, enum station_role role, const char *member)
{
	for (unsigned i = 0; i < d->nstations; i++) {
		json_t	*value = json_object_get(d->stations[i].hello, member);

		if (d->stations[i].role == role && value != NULL)
			return json_incref(value);
	}
	return json_null();
}

enum status
dispatch_check(const struct dispatch *d, const struct job *job, struct fault *why)
{
	json_t		*known;
	enum status	 st;

	if (job->spec.timing.ncounters == 0)
		return ST_OK;
	known = from_hello(d, STATION_TIME, "counters");
	st = events_check(known, &job->spec, why);
	json_decref(known);
	return st;
}

json_t *
dispatch_report(const struct dispatch *d)
{
	json_t	*r = json_object();

	(void)json_object_set_new(r, "slots", stations_report(d, STATION_TIME, station_report));
	(void)json_object_set_new(r, "builders", stations_report(d, STATION_BUILD, station_report));
	(void)json_object_set_new(r, "canaries", stations_report(d, STATION_TIME, station_canary));
	(void)json_object_set_new(r, "compilers", from_hello(d, STATION_BUILD, "compilers"));
	(void)json_object_set_new(r, "clock", from_hello(d, STATION_TIME, "clock"));
	(void)json_object_set_new(r, "counters", from_hello(d, STATION_TIME, "counters"));
	(void)json_object_set_new(r, "clocks", from_hello(d, STATION_TIME, "clocks"));
	(void)json_object_set_new(r, "jail", from_hello(d, STATION_TIME, "jail"));
	(void)json_object_set_new(r, "build_jail", from_hello(d, STATION_BUILD, "jail"));
	return r;
}

enum status
dispatch_new(struct dispatch **out, const struct config *c, const struct topology *t, struct store *store,
    struct queue *queue, struct child_pool *pool, struct fault *why)
{
	struct dispatch	*d = calloc(1, sizeof *d);

	*out = NULL;
	if (d == NULL)
		return fault_set(why, ST_NOMEM, "dispatch");
	d->config = c;
	d->topology = t;
	d->store = store;
	quiet_init(&d->quiet, store, t);
	d->queue = queue;
	d->pool = pool;
	d->nbuilders = c->builders != 0 ? c->builders : t->nhouse;
	d->nstations = d->nbuilders + t->nslots;
	if ((d->stations = calloc(d->nstations, sizeof *d->stations)) == NULL) {
		dispatch_free(d);
		return fault_set(why, ST_NOMEM, "dispatch");
	}
	for (unsigned i = 0; i < d->nstations; i++) {
		struct station	*l = &d->stations[i];
		bool		 builds = i < d->nbuilders;

		l->role = builds ? STATION_BUILD : STATION_TIME;
		l->cell_fd = -1;
		l->supervise_cpu = t->house_cpu[i % t->nhouse];
		l->cpu = builds ? l->supervise_cpu : t->slot_cpu[i - d->nbuilders];
		l->cpus = builds ? NULL : &t->slot[i - d->nbuilders];
		if (station_width(l) > d->widest)
			d->widest = station_width(l);
	}
	*out = d;
	return ST_OK;
}

void
dispatch_use_host(struct dispatch *d, struct hold *host)
{
	d->host = host;
	for (unsigned i = d->nbuilders; i < d->nstations; i++)
		d->stations[i].cell_fd = hold_slot_fd(host, d->stations[i].cpu);
}

void
dispatch_use_cells(struct dispatch *d, const struct delegation *cells)
{
	for (unsigned i = 0; i < d->nbuilders; i++)
		d->stations[i].cell_fd = delegation_cell(cells, i);
}

void
dispatch_use_flush(struct dispatch *d, uint64_t bytes)
{
	d->flush_bytes = bytes;
}

struct hold *
dispatch_host(const struct dispatch *d)
{
	return d->host;
}

enum status
dispatch_start(struct dispatch *d, struct fault *why)
{
	start_missing(d, clock_wall_s());
	for (unsigned i = 0; i < d->nstations; i++)
		if (d->stations[i].child == NULL)
			return fault_set(why, ST_IO, "%s cannot be started", d->config->worker_path);
	return ST_OK;
}

void
dispatch_free(struct dispatch *d)
{
	if (d == NULL)
		return;
	for (unsigned i = 0; d->stations != NULL && i < d->nstations; i++)
		station_release(&d->stations[i]);
	free(d->stations);
	free(d);
}
