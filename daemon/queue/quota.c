/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <unistd.h>

#include "daemon/queue/queue_impl.h"
#include "daemon/setup/users.h"

enum { DAY_S = 24 * 60 * 60 };

const char *
quota_key(enum quota which)
{
	static const char *const	keys[QUOTA_N] = {
		"quota-queued-jobs", "quota-bytes", "quota-timing-seconds",
	};

	return keys[which];
}

/* The jobs of the daemon's own user are also those of the daemon itself. */
static bool
is_exempt(const struct queue *q, uid_t uid)
{
	return uid == geteuid() || users_role(q->known, uid) == ROLE_OPERATE;
}

void
quota_know(const struct queue *q, struct queue_user *u)
{
	static const enum user_limit	limits[QUOTA_N] = {
		[QUOTA_JOBS] = USER_QUEUED_JOBS, [QUOTA_BYTES] = USER_BYTES,
		[QUOTA_TIMING_S] = USER_TIMING_S,
	};

	u->is_exempt = is_exempt(q, u->uid);
	for (enum quota which = 0; which < QUOTA_N; which++)
		u->has_limit[which] = users_limit(q->known, u->uid, limits[which],
		    &u->limit[which]);
}

/* 0: none. */
static uint64_t
limit_of(const struct queue *q, const struct queue_user *u, enum quota which)
{
	return u->is_exempt ? 0 : u->has_limit[which] ? u->limit[which] : q->quota[which];
}

bool
quota_binds(const struct queue *q, uid_t uid)
{
	struct queue_user	u = { .uid = uid };

	quota_know(q, &u);
	return limit_of(q, &u, QUOTA_JOBS) != 0 || limit_of(q, &u, QUOTA_BYTES) != 0;
}

static const struct queue_user *
find_user(const struct queue *q, uid_t uid)
{
	struct queue_user	key = { .uid = uid };

	return RB_FIND(users_by_uid, (struct users_by_uid *)(uintptr_t)&q->users, &key);
}

/* ---- jobs and bytes ---- */

static void
hint(struct fault *why, uint64_t limit, enum quota which, uint64_t more)
{
	if (more > limit)
		fault_hint(why, "submit fewer at a time, or ask an operator to raise %s",
		    quota_key(which));
	else
		fault_hint(why, "wait until some are over, cancel some, or ask an operator to "
		    "raise %s", quota_key(which));
}

static enum status
refuse(struct queue *q, const struct queue_user *u, enum quota which, uint64_t more,
    struct fault *why)
{
	q->quota_refused[which]++;
	hint(why, limit_of(q, u, which), which, more);
	fault_of_user(why);
	return ST_FULL;
}

static enum status
check(struct queue *q, const struct queue_user *u, size_t jobs, uint64_t bytes, struct fault *why)
{
	const uint64_t	most_jobs = limit_of(q, u, QUOTA_JOBS);
	const uint64_t	most_bytes = limit_of(q, u, QUOTA_BYTES);
	const uint64_t	has = u->njobs + u->claimed_jobs;
	const uint64_t	takes = u->bytes + u->claimed_bytes;
	char		name[USER_NAME_BYTES];

	if (jobs == 0)
		return ST_OK;
	if (most_jobs != 0 && has + jobs > most_jobs) {
		(void)fault_set(why, ST_FULL, "%s has %" PRIu64 " jobs that wait or run, and "
		    "%zu more are beyond quota-queued-jobs, %" PRIu64,
		    users_words(q->known, u->uid, name), has, jobs, most_jobs);
		return refuse(q, u, QUOTA_JOBS, jobs, why);
	}
	if (most_bytes != 0 && takes + bytes > most_bytes) {
		(void)fault_set(why, ST_FULL, "the jobs of %s that wait or run take %" PRIu64
		    " bytes, and %" PRIu64 " more are beyond quota-bytes, %" PRIu64,
		    users_words(q->known, u->uid, name), takes, bytes, most_bytes);
		return refuse(q, u, QUOTA_BYTES, bytes, why);
	}
	return ST_OK;
}

enum status
quota_claim(struct quota_claim *c, struct queue *q, uid_t who, size_t jobs, uint64_t bytes,
    struct fault *why)
{
	struct queue_user	*u = queue_user(q, who);
	enum status		 st;

	*c = (struct quota_claim){ .queue = NULL };
	if (u == NULL)
		return fault_set(why, ST_NOMEM, "submission");
	if ((st = check(q, u, jobs, bytes, why)) != ST_OK)
		return st;
	*c = (struct quota_claim){ q, who, jobs, bytes };
	u->claimed_jobs += jobs;
	u->claimed_bytes += bytes;
	return ST_OK;
}

void
quota_claim_less(struct quota_claim *c, size_t jobs, uint64_t bytes)
{
	struct queue_user	*u;

	if (c->queue == NULL || (u = queue_user(c->queue, c->who)) == NULL)
		return;
	if (jobs > c->jobs)
		jobs = c->jobs;
	if (bytes > c->bytes)
		bytes = c->bytes;
	u->claimed_jobs -= jobs;
	u->claimed_bytes -= bytes;
	c->jobs -= jobs;
	c->bytes -= bytes;
}

void
quota_claim_end(struct quota_claim *c)
{
	quota_claim_less(c, c->jobs, c->bytes);
	c->queue = NULL;
}

/* ---- timing seconds: users that have used theirs are held until the day is over ---- */

static double
today_s(const struct queue *q, const struct queue_user *u)
{
	return u->day == q->day ? u->day_s : 0;
}

static bool
is_used_up(const struct queue *q, const struct queue_user *u)
{
	const uint64_t	most_s = limit_of(q, u, QUOTA_TIMING_S);

	return most_s != 0 && today_s(q, u) >= (double)most_s;
}

static void
look_at_all(struct queue *q)
{
	struct queue_user	*u;

	RB_FOREACH(u, users_by_uid, &q->users) {
		user_leave(q, u);
		quota_know(q, u);
		u->is_held = is_used_up(q, u);
		user_enter(q, u);
	}
}

void
quota_set(struct queue *q, enum quota which, uint64_t limit)
{
	q->quota[which] = limit;
	if (which == QUOTA_TIMING_S)
		look_at_all(q);
}

void
quota_set_users(struct queue *q, struct users *users)
{
	q->known = users;
	look_at_all(q);
}

void
quota_set_day(struct queue *q, uid_t uid, int64_t day, double timed_s)
{
	struct queue_user	*u = queue_user(q, uid);

	if (u == NULL)
		return;
	u->day = day;
	u->day_s = timed_s;
}

void
quota_charge(struct queue *q, struct queue_user *u, double seconds)
{
	u->day_s = today_s(q, u) + seconds;
	u->day = q->day;
	u->is_held = is_used_up(q, u);
}

void
quota_look_at_day(struct queue *q)
{
	const int64_t	day = q->now / DAY_S;

	if (day == q->day)
		return;
	q->day = day;
	look_at_all(q);
}

/* ---- looking ---- */

static int64_t
held_until(const struct queue *q, const struct queue_user *u)
{
	return u->is_held ? (q->day + 1) * DAY_S : 0;
}

int64_t
quota_held_until(const struct queue *q, uid_t uid)
{
	const struct queue_user	*u = find_user(q, uid);

	return u != NULL ? held_until(q, u) : 0;
}

size_t
quota_uses(const struct queue *q, struct quota_use *out, size_t max)
{
	struct queue_user	*u;
	size_t			 n = 0;

	RB_FOREACH(u, users_by_uid, (struct users_by_uid *)(uintptr_t)&q->users) {
		struct quota_use	use = { .uid = u->uid, .is_exempt = u->is_exempt,
			.jobs = u->njobs + u->claimed_jobs,
			.bytes = u->bytes + u->claimed_bytes, .timed_s = today_s(q, u),
			.held_until = held_until(q, u) };

		for (enum quota which = 0; which < QUOTA_N; which++) {
			use.has_limits |= u->has_limit[which];
			use.limit[which] = limit_of(q, u, which);
		}
		if (n < max && (use.jobs != 0 || use.timed_s > 0))
			out[n++] = use;
	}
	return n;
}
