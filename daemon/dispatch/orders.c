/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>

#include "daemon/dispatch/ahead.h"
#include "daemon/dispatch/company.h"
#include "daemon/dispatch/dispatch_impl.h"
#include "daemon/dispatch/domains.h"
#include "daemon/hold/hold.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

/* Giving out work: whose turn it is meets which place is free. */

enum {
	EXPIRE_KICK_NS = 2000000,	/* at most, of many jobs at once */
	GRACE_S = 60,	/* beyond a job's own limits, until its worker counts as stuck */
};

/* A slot that looks for a job. */
struct search {
	const struct dispatch	*d;
	struct domains_slot	 slot[TOPOLOGY_MAX_SLOTS];	/* all of them, as they are now */
	unsigned		 n, at;
};

bool
dispatch_may_time(const struct dispatch *d, const struct queued_job *j)
{
	return d->may_time == NULL || d->may_time(d->may_time_arg, j);
}

static double
order_limit_s(const struct queued_job *j)
{
	const bool	builds = j->state == JOB_BUILDING;

	/*
	 * The limit holds for each build: driver, reference, variant, and the variant's three
	 * builds with pads.
	 */
	return GRACE_S + 1e-3 * (builds ? 6.0 * j->brief->build_timeout_ms :
	    4.0 * j->brief->run_timeout_ms);
}

/* The order for a job; its texts belong to the brief, or to *rest, which is the caller's. */
static enum status
write_order(const struct dispatch *d, const struct station *l, const struct queued_job *j,
    unsigned ncompany, struct msg *m, char **rest, struct fault *why)
{
	enum status	st = ST_OK;

	*m = (struct msg){ .kind = l->role == STATION_BUILD ? MSG_BUILD : MSG_TIME,
	    .job_id = j->id, .submitter = j->submitter };
	if (j->brief->rest == NULL)
		st = store_job_rest(d->store, j->id, rest, why);
	m->text = (struct job_text){ j->brief->shared->text,
	    *rest != NULL ? *rest : j->brief->rest };
	if (l->role == STATION_TIME) {
		m->calibrated = d->calibrated;
		m->quiet = l->quiet_sent ? NULL : l->quiet.doc;
	}
	if (j->build != NULL)
		m->artifacts = j->build->artifacts;
	for (unsigned i = l->ncompany - ncompany; i < l->ncompany; i++)
		m->company[m->ncompany++] = (struct job_text){
		    l->company[i]->brief->shared->text, l->company[i]->brief->rest };
	return st;
}

bool
dispatch_is_cold(const struct queued_job *j)
{
	return j->brief != NULL && j->brief->shared->is_cold;
}

unsigned
dispatch_khz(const struct queued_job *j)
{
	return j->brief != NULL ? j->brief->shared->timing.frequency_khz : 0;
}

void
dispatch_give_clock_back(struct dispatch *d, struct station *l)
{
	struct fault	why;

	if (l->khz != 0 && hold_set_frequency(d->host, l->cpu, 0, &why) != ST_OK)
		log_error("cpu=%d its clock stays at %u kHz: %s", l->cpu, l->khz, why.text);
	l->khz = 0;
}

/* false: the host cannot, and the job has ended. */
static bool
set_clock(struct dispatch *d, struct station *l, struct queued_job *j)
{
	const unsigned	khz = l->role == STATION_TIME ? dispatch_khz(j) : 0;
	struct fault	why;
	char		line[sizeof why];

	if (khz == 0)
		return true;
	if (hold_set_frequency(d->host, l->cpu, khz, &why) != ST_OK) {
		(void)fault_within(&why, "spec.timing.frequency_khz");
		dispatch_finish(d, j, ST_BAD_SPEC, fault_line(&why, line, sizeof line), NULL);
		return false;
	}
	l->khz = khz;
	return true;
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
		    .is_timing = l->job != NULL || l->taken_back != 0,
		    .is_cold = l->job != NULL && dispatch_is_cold(l->job) };
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

/* A job that is built again has the stages of its last build. */
static void
note_begin(struct queued_job *j, enum station_role role)
{
	const double	now = clock_now_s();

	if (role == STATION_TIME) {
		j->time_began = now;
		return;
	}
	j->build_began = now;
	j->build_ended = j->time_began = 0;
}

enum status
dispatch_send_order(const struct dispatch *d, const struct station *l, const struct queued_job *j,
    unsigned ncompany, struct fault *why)
{
	char		*rest = NULL;
	struct msg	 m;
	enum status	 st = write_order(d, l, j, ncompany, &m, &rest, why);

	if (st == ST_OK)
		st = child_send(l->child, &m, why);
	free(rest);
	return st;
}

/* The station has the job. */
static void
occupy(struct dispatch *d, struct station *l, struct queued_job *j)
{
	l->quiet_sent = true;
	l->job = j;
	l->beside = 0;
	if (l->role == STATION_TIME)
		count_beside(d);
	l->give_up = clock_now_s() + order_limit_s(j);
	log_debug("job=%" PRId64 " state=%s cpu=%d", j->id, job_state_name(j->state), l->cpu);
}

void
dispatch_begin(struct dispatch *d, struct station *l, struct queued_job *j)
{
	job_move(d->queue, j, JOB_TIMING);
	note_begin(j, l->role);
	occupy(d, l, j);
}

static void
give(struct dispatch *d, struct station *l, struct queued_job *j)
{
	const bool	is_of_company = j->state == JOB_BUILDING;
	unsigned	ncompany = 0;
	struct fault	why;
	enum status	st;

	if (cancels_has_sweep(&d->cancels, j->sweep_id)) {
		queue_set_cancelled(d->queue, j);
		dispatch_finish(d, j, ST_CANCELLED, NULL, NULL);
		return;
	}
	if (!is_of_company)
		job_move(d->queue, j, l->role == STATION_BUILD ? JOB_BUILDING : JOB_TIMING);
	note_begin(j, l->role);
	st = j->brief != NULL ? ST_OK : briefs_load(&d->briefs, j->id, &j->brief, &why);
	if (st == ST_BAD_SPEC) {
		char	line[sizeof why];

		dispatch_finish(d, j, st, fault_line(&why, line, sizeof line), NULL);
		return;
	}
	if (st == ST_OK && !set_clock(d, l, j))
		return;
	if (st == ST_OK && l->role == STATION_BUILD && !is_of_company)
		ncompany = company_gather(d, l, j);
	if (st == ST_OK)
		st = dispatch_send_order(d, l, j, ncompany, &why);
	if (st != ST_OK) {
		dispatch_give_clock_back(d, l);
		dispatch_try_again(d, l, j, why.text);
		return;
	}
	occupy(d, l, j);
}

/* Many at once are spread over time. */
void
dispatch_expire(struct dispatch *d, int64_t now, uint64_t budget_ns)
{
	const uint64_t		 end = clock_now_ns() + budget_ns;
	struct queued_job	*j;

	while (clock_now_ns() < end && (j = queue_next_expired(d->queue, now)) != NULL) {
		dispatch_finish(d, j, ST_EXPIRED, "its deadline passed while it waited", NULL);
		if (!j->ending)
			return;		/* its result could not be stored */
	}
}

/* The trial is for the slots in doubt. */
static bool
is_kept_for_another(const struct dispatch *d, const struct queued_job *j)
{
	bool	is_wanted = false;

	if (j->id != d->retry.trial.job)
		return false;
	for (unsigned i = d->nbuilders; i < d->nstations; i++)
		is_wanted = is_wanted || retry_doubts(&d->stations[i]);
	return is_wanted;
}

/*
 * Built jobs keep the order of the queue, with two exceptions.  A job with threads waits for a slot
 * with a CPU for each, or for the widest one, and later jobs take the other slots.  A cold job
 * waits for the host's calibration (daemon/upkeep/).
 */
static enum queue_answer
suits(void *arg, const struct queued_job *j)
{
	const struct search		*s = arg;
	const struct dispatch		*d = s->d;
	const struct domains_job	 job = { dispatch_is_cold(j),
				    j->threads < d->widest ? j->threads : d->widest };

	if (!dispatch_may_time(d, j) || is_kept_for_another(d, j) ||
	    ahead_is_elsewhere(d, &d->stations[d->nbuilders + s->at], j))
		return QUEUE_SKIP;
	switch (domains_judge(s->slot, s->n, s->at, &job)) {
	case DOMAINS_TAKE:	return QUEUE_TAKE;
	case DOMAINS_SKIP:	return QUEUE_SKIP;
	default:		return QUEUE_STOP;
	}
}

struct queued_job *
dispatch_next_to_time(const struct dispatch *d, const struct station *l, int64_t now)
{
	struct search	s = { .d = d, .at = (unsigned)(l - d->stations) - d->nbuilders };

	if (!hold_may_time(d->host))
		return NULL;
	s.n = see_domains(d, s.slot);
	return queue_next_to_time(d->queue, now, suits, &s);
}

/* The same job may have been timed since this one was built. */
struct queued_job *
dispatch_next_untimed(struct dispatch *d, const struct station *l, int64_t now)
{
	struct queued_job	*j = dispatch_next_to_time(d, l, now);

	for (unsigned n = 0; j != NULL && dispatch_repeat_stored(d, j); n++)
		j = n < QUEUE_AHEAD_MAX ? dispatch_next_to_time(d, l, now) : NULL;
	return j != NULL && d->judged != NULL && once_is_same(&d->once, j, d->judged) ? NULL : j;
}

/* The trial, if this station can take it: any builder may build it. */
static struct queued_job *
trial_for(const struct dispatch *d, const struct station *l)
{
	struct queued_job	*j = trial_job(&d->retry.trial, d->queue);

	if (j == NULL)
		return NULL;
	if (l->role == STATION_BUILD)
		return j->state == JOB_QUEUED ? j : NULL;
	return j->state == JOB_BUILT && retry_doubts(l) && hold_may_time(d->host) ? j : NULL;
}

static struct queued_job *
next_for(struct dispatch *d, struct station *l, int64_t now)
{
	const enum retry_turn	 turn = retry_turn(&d->retry, l);
	struct queued_job	*j, *next;

	if (turn == RETRY_NOTHING)
		return NULL;
	if ((j = trial_for(d, l)) != NULL || turn == RETRY_TRIAL)
		return j;
	if (l->role == STATION_TIME)
		return dispatch_next_untimed(d, l, now);
	next = queue_next_to_build(d->queue, now);
	return (j = company_take(d, l, next)) != NULL ? j : next;
}

void
dispatch_kick(struct dispatch *d)
{
	const int64_t	now = (int64_t)clock_wall_s();

	if (d->is_draining || !dispatch_may_store(d)) {
		ahead_take_back(d, NULL);
		return;			/* its outcome could not be kept */
	}
	dispatch_expire(d, now, EXPIRE_KICK_NS);
	for (unsigned i = 0; i < d->nstations; i++) {
		struct station		*l = &d->stations[i];
		struct queued_job	*j = station_is_idle(l) ? next_for(d, l, now) : NULL;

		if (j != NULL)
			give(d, l, j);
		ahead_consider(d, l, now);
	}
}
