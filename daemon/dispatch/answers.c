/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/dispatch/ahead.h"
#include "daemon/dispatch/company.h"
#include "daemon/dispatch/dispatch_impl.h"
#include "daemon/hold/hold.h"
#include "daemon/store/store_files.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/json/scan.h"

/* What workers say, and how a job ends. */

enum { LOST_MAX = 8 };	/* builds of a job anew, until the cache is at fault */

void
dispatch_finish(struct dispatch *d, struct queued_job *j, enum status outcome, const char *detail,
    const struct report *timed)
{
	ahead_take_back(d, j);
	/* of a job that was never built; one that cannot be read has a shorter result */
	if (j->brief == NULL)
		(void)briefs_load(&d->briefs, j->id, &j->brief, NULL);
	company_forget(d, j);
	ending_begin(&d->endings, j, outcome, detail, timed, hold_hash(d->host));
}

static struct once_now
host_now(const struct dispatch *d)
{
	return (struct once_now){ hold_hash(d->host), d->calibrated };
}

/* A built job that was timed before ends with the stored result. */
bool
dispatch_repeat_stored(struct dispatch *d, struct queued_job *j)
{
	const struct once_now	 now = host_now(d);
	json_t			*stored;
	int64_t			 of;

	once_note(&d->once, j, &now);
	if (cancels_has_sweep(&d->cancels, j->sweep_id) || !dispatch_may_time(d, j) ||
	    (stored = once_find(&d->once, j, &of)) == NULL)
		return false;
	ahead_take_back(d, j);
	j->time_began = 0;
	ending_repeat(&d->endings, j, stored, of, now.fitness);
	json_decref(stored);
	return true;
}

/* The database takes results, as far as is known. */
bool
dispatch_may_store(const struct dispatch *d)
{
	return store_takes_commits(d->store, NULL) && endings_may_write(&d->endings);
}

/* A fault of Assay's own. */
void
dispatch_try_again(struct dispatch *d, struct station *l, struct queued_job *j, const char *detail)
{
	company_dissolve(d, l);
	if (j->cancel)
		dispatch_finish(d, j, ST_CANCELLED, NULL, NULL);
	else if (!retry_later(&d->retry, l, j, detail))
		dispatch_finish(d, j, ST_INTERNAL, detail, NULL);
}

/* A message that makes no sense is no answer: its worker is killed. */
static void
refuse_worker(struct station *l, const char *what, const struct fault *why)
{
	char	line[sizeof *why];

	log_error("cpu=%d its worker's %s makes no sense, killed: %s", l->cpu, what,
	    fault_line(why, line, sizeof line));
	child_kill(l->child, KILL_MALFORMED);
}

static void
took_hello(struct dispatch *d, struct station *l, struct msg *m)
{
	const struct node	root = { .value = m->report };
	struct hello		hello;
	struct fault		why;

	if (l->ready) {
		log_error("cpu=%d its worker greeted twice, killed", l->cpu);
		child_kill(l->child, KILL_MALFORMED);
		return;
	}
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
took_built(struct dispatch *d, struct station *l, struct queued_job *j, struct msg *m)
{
	struct fault	why;

	j->build_ended = clock_now_s();
	if (j->cancel || m->status == ST_CANCELLED)
		dispatch_finish(d, j, ST_CANCELLED, NULL, NULL);
	else if (record_build(j, m, &why) != ST_OK)
		dispatch_try_again(d, l, j, why.text);
	else if (m->status == ST_INTERNAL)
		dispatch_try_again(d, l, j, m->detail);
	else if (m->status != ST_OK)
		dispatch_finish(d, j, m->status, m->detail, NULL);
	else {
		company_learn(d, l, j, j->build->has_report && j->build->report.cached.variant);
		job_move(d->queue, j, JOB_BUILT);
		(void)dispatch_repeat_stored(d, j);
	}
}

/* timed NULL: the worker could not read the job. */
static void
took_timed(struct dispatch *d, struct station *l, struct queued_job *j, const struct msg *m,
    const struct report *timed)
{
	if (j->cancel || m->status == ST_CANCELLED) {
		dispatch_finish(d, j, ST_CANCELLED, NULL, NULL);
	} else if (timed != NULL && timed->artifact_missing && j->lost < LOST_MAX) {
		j->lost++;
		job_move(d->queue, j, JOB_QUEUED);	/* evicted meanwhile: build it again */
	} else if (m->status == ST_INTERNAL) {
		dispatch_try_again(d, l, j, m->detail);
	} else {
		dispatch_finish(d, j, m->status, m->detail, timed);
	}
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

/* The worker goes on while the outcome is judged and stored, but not with the same again. */
static void
go_on_timing(struct dispatch *d, const struct queued_job *j, enum status outcome, bool raced)
{
	const struct once_now	now = host_now(d);

	once_settle(&d->once, j, &now, raced);
	d->judged = outcome == ST_OK ? j : NULL;
	dispatch_kick(d);
	d->judged = NULL;
}

/* The worker's evidence, and what only the daemon knows.  Owned; NULL: no memory. */
static char *
more_evidence(const struct dispatch *d, const struct station *l, const struct queued_job *j,
    const char *worker)
{
	const struct span	object = { worker, strlen(worker) };
	struct text		t = { .at = NULL };

	text_char(&t, '{');
	text_name(&t, "timed_beside");
	text_integer(&t, l->beside);
	if (d->uncalibrated[0] != '\0' && j->brief->shared->is_cold) {
		text_name(&t, "uncalibrated");
		text_string(&t, d->uncalibrated);
	}
	if (!scan_is_empty(&object))
		text_char(&t, ',');
	text_raw(&t, worker + 1, object.bytes - 1);
	return text_take(&t);
}

static void
took_timing(struct dispatch *d, struct station *l, struct queued_job *j, const struct msg *m)
{
	struct report	 r;
	struct fault	 why;
	char		*evidence = NULL;
	const bool	 has_report = json_object_size(m->report) != 0;

	dispatch_give_clock_back(d, l);		/* the host's hash is without it */
	hold_see_window(d->host);
	if (has_report && report_get(&r, m->report, &m->kept, &why) != ST_OK) {
		refuse_worker(l, "report", &why);
		dispatch_try_again(d, l, j, "its worker's report makes no sense");
		return;
	}
	if (has_report)
		took_slot(d, l, m->report);
	if (has_report && r.found.has_evidence) {
		r.found.evidence_text = evidence = more_evidence(d, l, j, m->kept.evidence);
		r.found.has_evidence = evidence != NULL;
	}
	ahead_begin(d, l);
	if (m->status != ST_INTERNAL)	/* a fault may pause the slot */
		go_on_timing(d, j, m->status, has_report && isfinite(r.bound_ns));
	took_timed(d, l, j, m, has_report ? &r : NULL);
	if (has_report)
		report_release(&r);
	free(evidence);
}

static struct station *
station_of(struct dispatch *d, const struct child *c)
{
	for (unsigned i = 0; i < d->nstations; i++)
		if (d->stations[i].child == c)
			return &d->stations[i];
	return NULL;
}

/* A slot is done with a job: its user's share has that time. */
static void
charge(struct dispatch *d, struct queued_job *j)
{
	if (j->state == JOB_TIMING)
		queue_charge(d->queue, j, clock_now_s() - j->time_began);
}

void
dispatch_took(void *arg, struct child *c, struct msg *m)
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
	if (ahead_answers(l, m)) {
		dispatch_kick(d);
		return;
	}
	expected = l->role == STATION_BUILD ? MSG_BUILT : MSG_TIMED;
	if ((j = l->job) == NULL || m->kind != expected || m->job_id != j->id) {
		log_error("cpu=%d its worker answered without an order, killed", l->cpu);
		child_kill(c, KILL_MALFORMED);
		return;
	}
	l->job = NULL;
	charge(d, j);
	if (m->kind == MSG_TIMED)
		ahead_note(l, j);
	if (m->status != ST_INTERNAL && m->status != ST_CANCELLED)
		retry_went_well(&d->retry, l);
	if (m->kind == MSG_BUILT) {
		if (m->status != ST_INTERNAL)
			dispatch_kick(d);
		took_built(d, l, j, m);
	} else
		took_timing(d, l, j, m);
	dispatch_kick(d);
}

void
dispatch_ended(void *arg, struct child *c, int wait_status)
{
	struct dispatch		*d = arg;
	struct station		*l = station_of(d, c);
	struct queued_job	*j;

	if (l == NULL)
		return;
	log_warn("cpu=%d worker=%d ended status=0x%x", l->cpu, (int)child_pid(c),
	    (unsigned)wait_status);
	quiet_store(&d->quiet, &l->quiet, l->cpu, hold_hash(d->host), clock_wall_s());
	company_dissolve(d, l);
	dispatch_give_clock_back(d, l);
	station_ended(l, clock_now_s());
	if ((j = l->job) != NULL) {
		l->job = NULL;
		charge(d, j);
		dispatch_try_again(d, l, j, "its worker died");
	}
	dispatch_kick(d);
}
