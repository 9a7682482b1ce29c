/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/dispatch/dispatch_impl.h"
#include "daemon/dispatch/events.h"
#include "daemon/hold/hold.h"
#include "proto/base/clock.h"
#include "proto/spec/spec.h"

/* What the api asks about places and workers. */

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

/* Of the slots that there are, not of those that are free. */
static enum status
check_copies(const struct dispatch *d, const struct job *job, struct fault *why)
{
	enum status	st;

	if (job->copies <= d->widest)
		return ST_OK;
	st = fault_at(why, ST_BAD_SPEC, "copies", "is %u, but no slot of this host has more than "
	    "%u CPU%s", job->copies, d->widest, d->widest == 1 ? "" : "s");
	fault_hint(why, "ask for fewer, or give assayd wider slots (slots in assayd.conf)");
	return st;
}

enum status
dispatch_check(const struct dispatch *d, const struct job *job, struct fault *why)
{
	json_t		*known;
	enum status	 st;

	if ((st = check_copies(d, job, why)) != ST_OK || job->spec.timing.ncounters == 0)
		return st;
	known = from_hello(d, STATION_TIME, "counters");
	st = events_check(known, &job->spec, why);
	json_decref(known);
	return st;
}

bool
dispatch_is_timing(const struct dispatch *d)
{
	for (unsigned i = d->nbuilders; i < d->nstations; i++)
		if (d->stations[i].job != NULL || d->stations[i].taken_back != 0)
			return true;
	return false;
}

void
dispatch_count_workers(const struct dispatch *d, struct worker_counts *out)
{
	out->restarts = 0;
	for (unsigned i = 0; i < d->nstations; i++)
		out->restarts += d->stations[i].starts > 1 ? d->stations[i].starts - 1 : 0;
	for (unsigned i = 0; i < KILL_N; i++)
		out->kills[i] = child_pool_kills(d->pool, i);
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

static bool
takes_jobs(const struct station *l)
{
	return l->child != NULL && l->streak.pause_s == 0;
}

static void
count_slot(const struct queue *q, const struct station *l, struct queue_places *p)
{
	p->slots[0]++;
	for (unsigned w = 1; w < q->nwidths; w++)
		p->slots[w] += station_width(l) >= q->width[w];
}

void
dispatch_places(const struct dispatch *d, struct queue_places *p)
{
	const bool	may_time = !d->is_draining && hold_may_time(d->host);

	*p = (struct queue_places){ .now_s = clock_now_s() };
	for (unsigned i = 0; i < d->nstations; i++) {
		const struct station	*l = &d->stations[i];

		if (!takes_jobs(l))
			continue;
		if (l->role == STATION_BUILD)
			p->builders += !d->is_draining;
		else if (may_time)
			count_slot(d->queue, l, p);
	}
}
