/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <uthash.h>

#include "daemon/doors/turns.h"
#include "proto/base/clock.h"

enum { PASS_NS = 2000000 };

struct turn_user {
	uid_t			 uid;
	TAILQ_HEAD(, turn)	 waiting;	/* never empty between calls */
	TAILQ_ENTRY(turn_user)	 entry;
	UT_hash_handle		 hh;
};

struct turns {
	struct event		*pass;		/* owned */
	bool			 passing;
	struct turn_user	*by_uid;	/* owned; of those that wait */
	TAILQ_HEAD(, turn_user)	 ring;		/* the first is next */
};

/* ---- users ---- */

static struct turn_user *
user_of(struct turns *all, uid_t uid)
{
	struct turn_user	*u;

	HASH_FIND(hh, all->by_uid, &uid, sizeof uid, u);
	if (u != NULL || (u = calloc(1, sizeof *u)) == NULL)
		return u;
	u->uid = uid;
	TAILQ_INIT(&u->waiting);
	TAILQ_INSERT_TAIL(&all->ring, u, entry);
	HASH_ADD(hh, all->by_uid, uid, sizeof u->uid, u);
	return u;
}

static void
drop_user(struct turns *all, struct turn_user *u)
{
	TAILQ_REMOVE(&all->ring, u, entry);
	HASH_DEL(all->by_uid, u);
	free(u);
}

void
turn_drop(struct turns *all, struct turn *t)
{
	struct turn_user	*u = t->user;

	if (u == NULL)
		return;
	TAILQ_REMOVE(&u->waiting, t, entry);
	t->user = NULL;
	if (TAILQ_EMPTY(&u->waiting))
		drop_user(all, u);
}

bool
turn_ask(struct turns *all, struct turn *t, uid_t uid)
{
	if (t->user != NULL)
		return true;
	if ((t->user = user_of(all, uid)) == NULL)
		return false;
	TAILQ_INSERT_TAIL(&t->user->waiting, t, entry);
	if (!all->passing && !evtimer_pending(all->pass, NULL))
		event_active(all->pass, EV_TIMEOUT, 1);
	return true;
}

/* ---- passes ---- */

static void
run_next(struct turns *all)
{
	struct turn_user	*u = TAILQ_FIRST(&all->ring);
	struct turn		*t = TAILQ_FIRST(&u->waiting);

	TAILQ_REMOVE(&all->ring, u, entry);
	TAILQ_INSERT_TAIL(&all->ring, u, entry);
	turn_drop(all, t);
	t->run(t->arg);
}

/* The next pass is a timer's, so that sockets, workers and signals are looked at before. */
static void
on_pass(evutil_socket_t fd, short what, void *arg)
{
	static const struct timeval	now = { 0, 0 };
	struct turns			*all = arg;
	const uint64_t			 end_ns = clock_now_ns() + PASS_NS;

	(void)fd;
	(void)what;
	all->passing = true;
	for (int n = 0; n < TURNS_AT_ONCE && !TAILQ_EMPTY(&all->ring); n++) {
		run_next(all);
		if (clock_now_ns() >= end_ns)
			break;
	}
	all->passing = false;
	if (!TAILQ_EMPTY(&all->ring))
		(void)evtimer_add(all->pass, &now);
}

/* ---- life ---- */

enum status
turns_new(struct turns **out, struct event_base *base, struct fault *why)
{
	struct turns	*all = calloc(1, sizeof *all);

	*out = NULL;
	if (all == NULL || (all->pass = evtimer_new(base, on_pass, all)) == NULL) {
		free(all);
		return fault_set(why, ST_NOMEM, "turns");
	}
	TAILQ_INIT(&all->ring);
	*out = all;
	return ST_OK;
}

void
turns_free(struct turns *all)
{
	struct turn_user	*u;

	if (all == NULL)
		return;
	while ((u = TAILQ_FIRST(&all->ring)) != NULL)
		turn_drop(all, TAILQ_FIRST(&u->waiting));
	event_free(all->pass);
	free(all);
}
