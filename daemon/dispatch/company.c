/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "daemon/dispatch/company.h"
#include "proto/base/clock.h"

enum { LOOK_MOST = 128 };	/* jobs that come next */

/* Many builders share what waits. */
static size_t
most_of(const struct dispatch *d, const struct queued_job *j)
{
	const size_t	n = queue_waiting_beside(j) + 1;
	const size_t	share = (n + d->nbuilders - 1) / d->nbuilders;

	return share - 1 < MSG_COMPANY_MAX ? share - 1 : MSG_COMPANY_MAX;
}

static bool
is_company(struct dispatch *d, const struct queued_job *j, struct queued_job *other)
{
	return !cancels_has_sweep(&d->cancels, other->sweep_id) && (other->brief != NULL ||
	    briefs_load(&d->briefs, other->id, &other->brief, NULL) == ST_OK) &&
	    other->brief->alike == j->brief->alike && other->brief->rest != NULL;
}

static void
add_to(struct dispatch *d, struct station *l, struct queued_job *other)
{
	job_move(d->queue, other, JOB_BUILDING);
	other->build_began = clock_now_s();
	other->build_ended = other->time_began = 0;
	l->company[l->ncompany++] = other;
}

/* For all that an order can have. */
static bool
has_room(const struct station *l)
{
	return l->ncompany + MSG_COMPANY_MAX <= STATION_COMPANY_MAX;
}

static bool
has_alike(const struct station *l, uint64_t alike)
{
	for (unsigned i = 0; i < l->ncompany; i++)
		if (l->company[i]->brief->alike == alike)
			return true;
	return false;
}

/* Flags or compilers may take turns in a sweep, so those between are passed by. */
unsigned
company_gather(struct dispatch *d, struct station *l, const struct queued_job *j)
{
	const unsigned		 had = l->ncompany;
	const uint64_t		 alike = j->brief->alike;
	struct queued_job	*other = NULL;
	size_t			 most;

	if (alike == 0 || alike == l->cached_alike || !has_room(l) || has_alike(l, alike))
		return 0;
	most = had + most_of(d, j);
	for (unsigned i = 0; i < LOOK_MOST && l->ncompany < most; i++) {
		if ((other = queue_next_beside(d->queue, j, other)) == NULL)
			break;
		if (is_company(d, j, other))
			add_to(d, l, other);
	}
	return l->ncompany - had;
}

static void
remove_at(struct station *l, unsigned i)
{
	l->ncompany--;
	memmove(&l->company[i], &l->company[i + 1], (l->ncompany - i) * sizeof l->company[0]);
}

static unsigned
first_in_turn(const struct station *l)
{
	unsigned	first = 0;

	for (unsigned i = 1; i < l->ncompany; i++)
		if (queue_compare_turns(l->company[i], l->company[first]) < 0)
			first = i;
	return first;
}

/* Of the same sweep; of others', one that is almost built is not kept waiting. */
static bool
is_before(const struct queued_job *next, const struct queued_job *j)
{
	return next->submitter == j->submitter && next->sweep_id == j->sweep_id &&
	    queue_compare_turns(next, j) < 0;
}

struct queued_job *
company_take(struct dispatch *d, struct station *l, const struct queued_job *next)
{
	while (l->ncompany > 0) {
		const unsigned		 i = first_in_turn(l);
		struct queued_job	*j = l->company[i];

		if (next != NULL && has_room(l) && is_before(next, j))
			return NULL;
		remove_at(l, i);
		if (queue_may_begin(d->queue, j))
			return j;
		job_move(d->queue, j, JOB_QUEUED);
	}
	return NULL;
}

void
company_forget(struct dispatch *d, const struct queued_job *j)
{
	for (unsigned i = 0; i < d->nbuilders; i++)
		for (unsigned k = 0; k < d->stations[i].ncompany; k++)
			if (d->stations[i].company[k] == j) {
				remove_at(&d->stations[i], k);
				return;
			}
}

void
company_dissolve(struct dispatch *d, struct station *l)
{
	while (l->ncompany > 0)
		job_move(d->queue, l->company[--l->ncompany], JOB_QUEUED);
}

/*
 * While all is found in the cache, orders go without company.  The first that is not ends that, and
 * what was gathered before goes into new orders.
 */
void
company_learn(struct dispatch *d, struct station *l, const struct queued_job *j, bool is_cached)
{
	const uint64_t	alike = j->brief != NULL ? j->brief->alike : 0;

	if (!is_cached && l->cached_alike == alike && alike != 0)
		company_dissolve(d, l);
	l->cached_alike = is_cached ? alike : 0;
}
