/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job of the daemon's own ends while another process has the lock of the database.  Its result
 * is on disk, but its time cannot be kept, and the next job cannot be submitted.  One task is under
 * way at most, and it does not go on: so one end is held at most, and times stay in order.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/store_lock.h"
#include "daemon/upkeep/upkeep_impl.h"

struct upkeep_held {
	struct news	 news;
	char		*detail, *estimator, *fitness, *text;	/* owned; the news' own texts */
};

void
upkeep_held_free(struct upkeep_held *h)
{
	if (h == NULL)
		return;
	free(h->detail);
	free(h->estimator);
	free(h->fitness);
	free(h->text);
	free(h);
}

/* NULL stays NULL; *ok false: out of memory. */
static char *
copy(const char *text, bool *ok)
{
	char	*own = text != NULL ? strdup(text) : NULL;

	*ok = *ok && (own != NULL || text == NULL);
	return own;
}

/* NULL: out of memory. */
static struct upkeep_held *
held_new(const struct news *n)
{
	struct upkeep_held	*h = calloc(1, sizeof *h);
	bool			 ok = h != NULL;

	if (!ok)
		return NULL;
	h->news = *n;
	h->news.detail = h->detail = copy(n->detail, &ok);
	h->news.estimator = h->estimator = copy(n->estimator, &ok);
	h->news.fitness = h->fitness = copy(n->fitness, &ok);
	h->news.text = h->text = copy(n->text, &ok);
	if (ok)
		return h;
	upkeep_held_free(h);
	return NULL;
}

static void
on_unlocked(void *arg, enum status st, const struct fault *why)
{
	struct upkeep		*u = arg;
	struct upkeep_held	*h = u->held;

	u->held = NULL;
	if (st == ST_OK)
		upkeep_take(u, &h->news);
	else
		upkeep_end_badly(u, why->text);
	upkeep_held_free(h);
}

void
upkeep_hold(struct upkeep *u, const struct news *n)
{
	if ((u->held = held_new(n)) != NULL &&
	    store_when_unlocked(u->env.store, on_unlocked, u) == ST_OK) {
		log_info("upkeep=%s job=%" PRId64 " waits: another process has the lock of the "
		    "database", u->task->name, n->job_id);
		return;
	}
	upkeep_held_free(u->held);
	u->held = NULL;
	upkeep_end_badly(u, "out of memory");
}
