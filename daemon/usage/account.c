/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <uthash.h>

#include "daemon/usage/account.h"

struct account {
	struct accounts	*all;			/* borrowed */
	uid_t		 uid;
	bool		 operator;
	unsigned	 connections;		/* freed with the last */
	size_t		 held_bytes, kept_bytes;
	UT_hash_handle	 hh;
};

struct accounts {
	struct users	*users;			/* borrowed */
	struct account	*by_uid;		/* owned */
	unsigned	 quota, sessions;
	size_t		 held_bytes, kept_bytes;
	uint64_t	 refused;		/* connections, for the quota */
	TAILQ_HEAD(, account_waiter) waiters;
};

enum status
accounts_new(struct accounts **out, struct users *users, unsigned quota, struct fault *why)
{
	struct accounts	*all = calloc(1, sizeof *all);

	*out = all;
	if (all == NULL)
		return fault_set(why, ST_NOMEM, "accounts");
	all->users = users;
	all->quota = quota;
	TAILQ_INIT(&all->waiters);
	return ST_OK;
}

void
accounts_set_quota(struct accounts *all, unsigned quota)
{
	all->quota = quota;
}

unsigned
accounts_connections(const struct accounts *all, uid_t uid)
{
	const struct account	*a;

	HASH_FIND(hh, all->by_uid, &uid, sizeof uid, a);
	return a != NULL ? a->connections : 0;
}

uint64_t
accounts_refused(const struct accounts *all)
{
	return all->refused;
}

void
accounts_free(struct accounts *all)
{
	free(all);
}

/* ---- connections ---- */

/* Its name is asked for, so that it is known when it is shown. */
static struct account *
account_of(struct accounts *all, uid_t uid)
{
	char		 name[USER_NAME_BYTES];
	struct account	*a;

	HASH_FIND(hh, all->by_uid, &uid, sizeof uid, a);
	if (a != NULL || (a = calloc(1, sizeof *a)) == NULL)
		return a;
	a->all = all;
	a->uid = uid;
	HASH_ADD(hh, all->by_uid, uid, sizeof a->uid, a);
	(void)users_name(all->users, uid, name);
	return a;
}

static void
account_drop_unused(struct account *a)
{
	if (a->connections != 0)
		return;
	HASH_DEL(a->all->by_uid, a);
	free(a);
}

static enum status
may_connect(const struct account *a, enum traffic_door door, struct fault *why)
{
	struct accounts	*all = a->all;
	const bool	 has_quota = !a->operator && a->uid != USER_STRANGER && all->quota != 0;
	char		 name[USER_NAME_BYTES];

	if (has_quota && a->connections >= all->quota) {
		all->refused++;
		(void)fault_set(why, ST_FULL, "%s has %u connections already",
		    users_words(all->users, a->uid, name), a->connections);
		fault_hint(why, "close some; the limit is the daemon's quota-connections");
		fault_of_user(why);
		return ST_FULL;
	}
	if (door == TRAFFIC_RPC && all->sessions >= ACCOUNT_MAX_CONNECTIONS - (a->operator ? 0 :
	    ACCOUNT_FOR_OPERATORS)) {
		(void)fault_set(why, ST_FULL, "too many connections");
		fault_hint(why, "try again later");
		return ST_FULL;
	}
	return ST_OK;
}

enum status
account_open(struct accounts *all, uid_t uid, enum traffic_door door, struct account **out,
    struct fault *why)
{
	struct account	*a = account_of(all, uid);
	enum status	 st;

	*out = NULL;
	if (a == NULL)
		return fault_set(why, ST_NOMEM, "account");
	a->operator = users_role(all->users, uid) == ROLE_OPERATE;
	if ((st = may_connect(a, door, why)) != ST_OK) {
		account_drop_unused(a);
		return st;
	}
	a->connections++;
	all->sessions += door == TRAFFIC_RPC;
	*out = a;
	return ST_OK;
}

void
account_close(struct account *a, enum traffic_door door)
{
	if (a == NULL)
		return;
	a->connections--;
	a->all->sessions -= door == TRAFFIC_RPC;
	account_drop_unused(a);
}

/* ---- memory ---- */

static struct account_waiter *
first_with_room(struct accounts *all)
{
	struct account_waiter	*w;

	TAILQ_FOREACH(w, &all->waiters, entry)
		if (account_has_room(w->account, w->need_bytes))
			return w;
	return NULL;
}

static void
call_waiters(struct accounts *all)
{
	struct account_waiter	*w;

	while ((w = first_with_room(all)) != NULL) {
		TAILQ_REMOVE(&all->waiters, w, entry);
		w->waits = false;
		w->on_room(w->arg);
	}
}

void
account_hold(struct account *a, size_t *held, size_t bytes)
{
	const size_t	before = *held;

	*held = bytes;
	a->held_bytes = a->held_bytes - before + bytes;
	a->all->held_bytes = a->all->held_bytes - before + bytes;
	if (bytes < before)
		call_waiters(a->all);
}

bool
account_has_room(const struct account *a, size_t more_bytes)
{
	return a->held_bytes + more_bytes <= ACCOUNT_HELD_BYTES && (a->operator ||
	    a->all->held_bytes + more_bytes <= ACCOUNT_ALL_HELD_BYTES);
}

enum status
account_full(const struct account *a, struct fault *why)
{
	char	name[USER_NAME_BYTES];

	(void)fault_set(why, ST_FULL, "the connections of %s hold %zu MiB of requests and "
	    "unread answers", users_words(a->all->users, a->uid, name), a->held_bytes >> 20);
	fault_hint(why, "read the answers on all of them, or close some");
	fault_of_user(why);
	return ST_FULL;
}

enum status
account_keep(struct account *a, size_t bytes, struct fault *why)
{
	char	name[USER_NAME_BYTES];

	if (a == NULL)
		return ST_OK;
	if (!a->operator && a->all->kept_bytes + bytes > ACCOUNT_ALL_KEPT_BYTES) {
		(void)fault_set(why, ST_FULL, "the waits and subscriptions of all users take "
		    "%zu MiB", a->all->kept_bytes >> 20);
		fault_hint(why, "try again later");
		return ST_FULL;
	}
	if (a->kept_bytes + bytes > ACCOUNT_KEPT_BYTES) {
		(void)fault_set(why, ST_FULL, "the waits and subscriptions of %s take "
		    "%zu MiB", users_words(a->all->users, a->uid, name), a->kept_bytes >> 20);
		fault_hint(why, "wait for fewer jobs, or subscribe to a sweep instead of ids");
		fault_of_user(why);
		return ST_FULL;
	}
	a->kept_bytes += bytes;
	a->all->kept_bytes += bytes;
	return ST_OK;
}

void
account_unkeep(struct account *a, size_t bytes)
{
	if (a == NULL)
		return;
	a->kept_bytes -= bytes;
	a->all->kept_bytes -= bytes;
}

void
account_wait(struct account *a, struct account_waiter *w, size_t need_bytes)
{
	w->account = a;
	w->need_bytes = need_bytes;
	if (w->waits)
		return;
	w->waits = true;
	TAILQ_INSERT_TAIL(&a->all->waiters, w, entry);
}

void
account_wait_no_more(struct account *a, struct account_waiter *w)
{
	if (!w->waits)
		return;
	w->waits = false;
	TAILQ_REMOVE(&a->all->waiters, w, entry);
}
