/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_USAGE_ACCOUNT_H
#define ASSAY_DAEMON_USAGE_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "daemon/setup/users.h"
#include "daemon/usage/traffic.h"
#include "proto/base/fault.h"

/*
 * What each user's connections cost the daemon: their number, and their memory.  Memory is *held*
 * for a moment (requests that come in, answers that go out) or *kept* (waits and subscriptions).
 * Each has a budget for a user and one for all.  Operators have budgets of their own only.
 */
struct account;
struct accounts;

enum {
	ACCOUNT_MAX_CONNECTIONS	= 1000,		/* of JSON-RPC, of all users */
	ACCOUNT_FOR_OPERATORS	= 50,		/* of these */
	ACCOUNT_HELD_BYTES	= 72 << 20,	/* four lines of the greatest length, and more */
	ACCOUNT_KEPT_BYTES	= 32 << 20,
	ACCOUNT_ALL_HELD_BYTES	= 256 << 20,
	ACCOUNT_ALL_KEPT_BYTES	= 128 << 20,
};

/* quota: connections of a user, 0: no limit. */
enum status	 accounts_new(struct accounts **, struct users *, unsigned quota, struct fault *);
void		 accounts_set_quota(struct accounts *, unsigned quota);
unsigned	 accounts_connections(const struct accounts *, uid_t);
uint64_t	 accounts_refused(const struct accounts *);	/* connections, for the quota */
void		 accounts_free(struct accounts *);		/* after all accounts */

/*
 * ST_FULL: this user, or all users but operators, have their number of connections.  Peers that
 * have yet to prove who they are (USER_STRANGER) are no user, and have no quota.
 */
enum status	 account_open(struct accounts *, uid_t, enum traffic_door, struct account **,
		    struct fault *);
void		 account_close(struct account *, enum traffic_door);	/* NULL is fine */

/* How much a connection holds: *held becomes `bytes`, whatever the budget says. */
void		 account_hold(struct account *, size_t *held, size_t bytes);
/* Does the budget allow to hold more? */
bool		 account_has_room(const struct account *, size_t more_bytes);
enum status	 account_full(const struct account *, struct fault *);	/* ST_FULL, in words */

/* ST_FULL: the budget of what is kept is used up.  NULL: no account, all is allowed. */
enum status	 account_keep(struct account *, size_t bytes, struct fault *);
void		 account_unkeep(struct account *, size_t bytes);

/*
 * In the order of waiting, each is called once, when there is room for it.  It takes this at once,
 * or leaves it to the next.
 */
struct account_waiter {
	struct account	*account;	/* borrowed; set by account_wait */
	size_t		 need_bytes;
	void	(*on_room)(void *arg);
	void	*arg;
	bool	 waits;
	TAILQ_ENTRY(account_waiter) entry;
};
void		 account_wait(struct account *, struct account_waiter *, size_t need_bytes);
void		 account_wait_no_more(struct account *, struct account_waiter *);

#endif
