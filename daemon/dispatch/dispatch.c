/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "daemon/dispatch/dispatch.h"
#include "daemon/dispatch/domains.h"
#include "daemon/dispatch/ending.h"
#include "daemon/dispatch/events.h"
#include "daemon/dispatch/quiet.h"
#include "daemon/dispatch/station.h"
#include "daemon/dispatch/streamer.h"
#include "daemon/hold/delegation.h"
#include "daemon/hold/hold.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/spec/spec.h"

enum {
	BUILD_AHEAD_MAX = 64,		/* built jobs that may wait for a timing slot */
	GRACE_S = 60,	/* beyond a job's own limits, until its worker counts as stuck */
};

struct dispatch {
	const struct config	*config;	/* borrowed */
	const struct topology	*topology;	/* borrowed */
	struct store		*store;		/* borrowed */
	struct queue		*queue;		/* borrowed */
	struct endings		 endings;
	struct child_pool	*pool;		/* borrowed */
	struct hold		*host;		/* borrowed; NULL: none */
	struct station		*stations;		/* owned; builders first, then slots */
	unsigned		 nstations, nbuilders;
	unsigned		 widest;	/* CPUs of the widest slot */
	json_t			*calibrated;	/* owned; NULL: this host is not calibrated */
	char			 uncalibrated[256];	/* the reason for that; "" */
	may_time_fn		*may_time;	/* NULL: all jobs may */
	void			*may_time_arg;
	struct quiet		 quiet;
	struct streamer		 streamer;
};

static int
minute_of_day(time_t now)
{
	struct tm	tm;

	return localtime_r(&now, &tm) != NULL ? tm.tm_hour * 60 + tm.tm_min : 0;
}

/* ---- how a job ends ---- */

static void
finish(struct dispatch *d, struct queued_job *j, enum status outcome, const char *detail,
    const struct report *timed)
{
	ending_begin(&d->endings, j, outcome, detail, timed, hold_hash(d->host));
}

/* A fault of Assay's own: try again while the job has attempts left. */
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

/* ---- messages of workers ---- */

/* A message that makes no sense is no answer: its worker is killed. */
static void
refuse_worker(struct station *l, const char *what, const struct fault *why)
{
	char	line[sizeof *why];

	log_error("cpu=%d its worker's %s makes no sense, killed: %s", l->cpu, what,
	    fault_line(why, line, sizeof line));
	child_kill(l->child);
}

static void
took_hello(struct dispatch *d, struct station *l, struct msg *m)
{
	const struct node	root = { .value = m->report };
	struct hello		hello;
	struct fault		why;

	if (shape_get(&hello_shape, &hello, &root, SHAPE_EXACT, &why) != ST_OK) {
		refuse_worker(l, "greeting", &why);
		return;
	}
	shape_release(&hello_shape, &hello);
	json_decref(l->hello);
	l->hello = json_incref(m->report);
	l->ready = true;
	l->quick_deaths = 0;
	l->quiet_sent = false;
	if (l->role == STATION_TIME)
		quiet_recall(&d->quiet, &l->quiet, l->cpu, hold_hash(d->host));
	dispatch_kick(d);
}

/* If the worker could not read the job, the report is {}. */
static enum status
record_build(struct queued_job *j, const struct msg *m, struct fault *why)
{
	const struct node	 root = { .value = m->report };
	struct build_record	*b = calloc(1, sizeof *b);
	enum status		 st = ST_OK;

	if (b == NULL)
		return fault_set(why, ST_NOMEM, "out of memory");
	if (m->status == ST_OK)
		b->artifacts = m->artifacts;
	b->doc = json_incref(m->report);
	b->has_report = json_object_size(m->report) != 0;
	if (b->has_report &&
	    (st = shape_get(&built_shape, &b->report, &root, SHAPE_EXACT, why)) != ST_OK)
		b->has_report = false;
	build_record_free(st == ST_OK ? j->build : b);
	if (st == ST_OK)
		j->build = b;
	return st;
}

static void
took_built(struct dispatch *d, struct queued_job *j, struct msg *m)
{
	struct fault	why;

	j->build_ended = clock_wall_s();
	if (j->cancel || m->status == ST_CANCELLED)
		finish(d, j, ST_CANCELLED, NULL, NULL);
	else if (record_build(j, m, &why) != ST_OK)
		try_again(d, j, JOB_QUEUED, why.text);
	else if (m->status == ST_INTERNAL)
		try_again(d, j, JOB_QUEUED, m->detail);
	else if (m->status != ST_OK)
		finish(d, j, m->status, m->detail, NULL);
	else
		job_move(d->queue, j, JOB_BUILT);
}

/* timed NULL: the worker could not read the job. */
static void
took_timed(struct dispatch *d, struct queued_job *j, const struct msg *m,
    const struct report *timed)
{
	if (j->cancel || m->status == ST_CANCELLED)
		finish(d, j, ST_CANCELLED, NULL, NULL);
	else if (timed != NULL && timed->artifact_missing)
		job_move(d->queue, j, JOB_QUEUED);	/* evicted meanwhile: build it again */
	else if (m->status == ST_INTERNAL)
		try_again(d, j, JOB_BUILT, m->detail);
	else
		finish(d, j, m->status, m->detail, timed);
}

/* Beside the outcome: the timing's findings about its slot. */
static void
took_slot(struct dispatch *d, struct station *l, const json_t *report)
{
	const json_t	*quiet = json_object_get(report, "quiet");

	station_saw(l, report);
	if (quiet != NULL)
		quiet_keep(&d->quiet, &l->quiet, l->cpu, hold_hash(d->host), quiet, clock_wall_s());
}

/* The worker goes on while the outcome is judged and stored. */
static void
took_timing(struct dispatch *d, struct station *l, struct queued_job *j, const struct msg *m)
{
	struct report	r;
	struct fault	why;
	const bool	has_report = json_object_size(m->report) != 0;

	if (has_report && report_get(&r, m->report, &why) != ST_OK) {
		refuse_worker(l, "report", &why);
		try_again(d, j, JOB_BUILT, "its worker's report makes no sense");
		return;
	}
	if (has_report)
		took_slot(d, l, m->report);
	if (has_report)
		r.found.evidence.timed_beside = l->beside;
	if (has_report && d->uncalibrated[0] != '\0' && j->brief.shared->is_cold)
		r.found.evidence.uncalibrated = d->uncalibrated;
	dispatch_kick(d);
	took_timed(d, j, m, has_report ? &r : NULL);
	if (has_report)
		report_release(&r);
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
		log_error("cpu=%d its worker answered without an order, killed", l->cpu);
		child_kill(c);
		return;
	}
	l->job = NULL;
	if (m->kind == MSG_BUILT) {
		dispatch_kick(d);
		took_built(d, j, m);
	} else
		took_timing(d, l, j, m);
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
	log_warn("cpu=%d worker=%d ended status=0x%x", l->cpu, (int)child_pid(c),
	    (unsigned)wait_status);
	quiet_store(&d->quiet, &l->quiet, l->cpu, hold_hash(d->host), clock_wall_s());
	station_ended(l, clock_wall_s());
	if ((j = l->job) != NULL) {
		l->job = NULL;
		try_again(d, j, j->state == JOB_BUILDING ? JOB_QUEUED : JOB_BUILT,
		    "its worker died");
	}
	dispatch_kick(d);
}

/* ---- giving out work ---- */

static double
order_limit_s(const struct queued_job *j)
{
	const bool	builds = j->state == JOB_BUILDING;

	/*
	 * The limit holds for each build: driver, reference, variant, and the variant's three
	 * builds with pads.
	 */
	return GRACE_S + 1e-3 * (builds ? 6.0 * j->brief.build_timeout_ms :
	    4.0 * j->brief.run_timeout_ms);
}

/* The order for a job; its texts belong to the brief. */
static enum status
write_order(const struct dispatch *d, const struct station *l, struct queued_job *j, struct msg *m,
    struct fault *why)
{
	enum status	st = ST_OK;

	*m = (struct msg){ .kind = l->role == STATION_BUILD ? MSG_BUILD : MSG_TIME,
	    .job_id = j->id, .submitter = j->submitter };
	if (j->brief.rest == NULL)
		st = store_job_rest(d->store, j->id, &j->brief.rest, why);
	m->text = (struct job_text){ j->brief.shared->text, j->brief.rest };
	if (l->role == STATION_TIME) {
		m->calibrated = d->calibrated;
		m->quiet = l->quiet_sent ? NULL : l->quiet.doc;
	}
	if (j->build != NULL)
		m->artifacts = j->build->artifacts;
	return st;
}

static bool
is_cold(const struct queued_job *j)
{
	return j->brief.shared != NULL && j->brief.shared->is_cold;
}

/* The timing slots as they are now; returns their number. */
static unsigned
see_domains(const struct dispatch *d, struct domains_slot out[TOPOLOGY_MAX_SLOTS])
{
	const unsigned	n = d->nstations - d->nbuilders;

	for (unsigned i = 0; i < n; i++) {
		const struct station	*l = &d->stations[d->nbuilders + i];

		out[i] = (struct domains_slot){ .shares = &d->topology->slot_shares[i],
		    .width = station_width(l), .is_idle = station_is_idle(l),
		    .is_timing = l->job != NULL, .is_cold = l->job != NULL && is_cold(l->job) };
	}
	return n;
}

/* A timing has begun: note on each slot how many others time on its last cache. */
static void
count_beside(struct dispatch *d)
{
	struct domains_slot	slot[TOPOLOGY_MAX_SLOTS];
	const unsigned		n = see_domains(d, slot);

	for (unsigned i = 0; i < n; i++) {
		struct station	*l = &d->stations[d->nbuilders + i];
		const unsigned	 beside = domains_beside(slot, n, i);

		l->beside = l->job != NULL && beside > l->beside ? beside : l->beside;
	}
}

static void
give(struct dispatch *d, struct station *l, struct queued_job *j)
{
	struct msg	m;
	struct fault	why;
	enum status	st;

	job_move(d->queue, j, l->role == STATION_BUILD ? JOB_BUILDING : JOB_TIMING);
	*(l->role == STATION_BUILD ? &j->build_began : &j->time_began) = clock_wall_s();
	if (j->brief.shared == NULL) {
		finish(d, j, ST_BAD_SPEC, j->brief.unreadable, NULL);
		return;
	}
	if ((st = write_order(d, l, j, &m, &why)) == ST_OK)
		st = child_send(l->child, &m, &why);
	if (st != ST_OK) {
		try_again(d, j, l->role == STATION_BUILD ? JOB_QUEUED : JOB_BUILT, why.text);
		return;
	}
	l->quiet_sent = true;
	l->job = j;
	l->beside = 0;
	if (l->role == STATION_TIME)
		count_beside(d);
	l->give_up = clock_wall_s() + order_limit_s(j);
	log_debug("job=%" PRId64 " state=%s cpu=%d", j->id, job_state_name(j->state), l->cpu);
}

static bool
may_time(const struct dispatch *d, const struct queued_job *j)
{
	return d->may_time == NULL || d->may_time(d->may_time_arg, j);
}

/*
 * Built jobs keep the order of the queue, with three exceptions.  A job waits while its window is
 * closed.  A job with threads waits for a slot with a CPU for each, or for the widest one, and
 * later jobs take the other slots.  A cold job waits for the host's calibration (daemon/upkeep/).
 */
static struct queued_job *
next_to_time(const struct dispatch *d, const struct station *l, int64_t now, int minute)
{
	struct domains_slot	 slot[TOPOLOGY_MAX_SLOTS];
	const unsigned		 n = see_domains(d, slot);
	const unsigned		 at = (unsigned)(l - d->stations) - d->nbuilders;
	struct queued_job	*j;

	TAILQ_FOREACH(j, &d->queue->in[JOB_BUILT], entry) {
		const struct domains_job	job = { is_cold(j),
						    j->threads < d->widest ? j->threads :
						    d->widest };
		enum domains_verdict		verdict;

		if (!job_may_start(j, now, minute) || !may_time(d, j))
			continue;
		verdict = domains_judge(slot, n, at, &job);
		if (verdict != DOMAINS_SKIP)
			return verdict == DOMAINS_TAKE ? j : NULL;
	}
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
		    station_start(l, d->pool, d->config, &events, d, now,
		    &why) != ST_OK)
			log_error("cpu=%d %s", l->cpu, why.text);
	}
}

static void
kill_stuck(struct dispatch *d, double now)
{
	for (unsigned i = 0; i < d->nstations; i++) {
		struct station	*l = &d->stations[i];

		if (l->child != NULL && l->job != NULL && l->give_up < now) {
			log_error("job=%" PRId64 " cpu=%d its worker is stuck, killed",
			    l->job->id, l->cpu);
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

/* ---- calls of the api ---- */

static void
send_cancel(struct dispatch *d, const struct queued_job *j)
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
		send_cancel(d, j);
	}
	return ST_OK;
}

void
dispatch_on_news(struct dispatch *d, news_fn *fn, awaited_fn *is_awaited, void *arg)
{
	d->endings.on_news = fn;
	d->endings.is_awaited = is_awaited;
	d->endings.news_arg = arg;
}

static json_t *
stations_report(const struct dispatch *d, enum station_role role,
    json_t *report(const struct station *))
{
	json_t	*list = json_array();

	for (unsigned i = 0; i < d->nstations; i++)
		if (d->stations[i].role == role)
			(void)json_array_append_new(list, report(&d->stations[i]));
	return list;
}

/* A member of the first greeting of a role's stations; null before the first one. */
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
dispatch_new(struct dispatch **out, const struct config *c, const struct topology *t,
    struct store *store, struct queue *queue, struct child_pool *pool, struct fault *why)
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
	d->endings = (struct endings){ .store = store, .queue = queue };
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
		l->caches = &t->slot_caches[builds ? 0 : i - d->nbuilders];
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
dispatch_use_calibrated(struct dispatch *d, const struct calibrated *c, const char *reason)
{
	char	*text = c != NULL ? shape_put(&calibrated_shape, c, SHAPE_EXACT) : NULL;

	json_decref(d->calibrated);
	d->calibrated = text != NULL ? json_loads(text, 0, NULL) : NULL;
	free(text);
	(void)snprintf(d->uncalibrated, sizeof d->uncalibrated, "%s", c == NULL ? reason : "");
}

bool
dispatch_stream(struct dispatch *d, bool on)
{
	if (on)
		return streamer_start(&d->streamer, d->pool, d->config, d->topology);
	streamer_stop(&d->streamer);
	return true;
}

void
dispatch_ask(struct dispatch *d, may_time_fn *fn, void *arg)
{
	d->may_time = fn;
	d->may_time_arg = arg;
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
			return fault_set(why, ST_IO, "%s cannot be started",
			    d->config->worker_path);
	return ST_OK;
}

void
dispatch_store(struct dispatch *d)
{
	for (unsigned i = d->nbuilders; i < d->nstations; i++)
		quiet_store(&d->quiet, &d->stations[i].quiet, d->stations[i].cpu,
		    hold_hash(d->host), clock_wall_s());
}

void
dispatch_free(struct dispatch *d)
{
	if (d == NULL)
		return;
	for (unsigned i = 0; d->stations != NULL && i < d->nstations; i++)
		station_release(&d->stations[i]);
	free(d->stations);
	json_decref(d->calibrated);
	free(d);
}
