/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_TURNS_H
#define ASSAY_DAEMON_DOORS_TURNS_H

#include <stdbool.h>
#include <sys/queue.h>
#include <sys/types.h>

#include <event2/event.h>

#include "proto/base/fault.h"

/*
 * Whose turn it is at a door: users go round, however many connections each has, and a user's
 * connections go in the order of asking.  Between a few turns the event loop sees to all else.
 */
struct turns;
struct turn_user;

enum { TURNS_AT_ONCE = 16 };

struct turn {
	void	(*run)(void *arg);
	void	*arg;
	struct turn_user *user;		/* borrowed; NULL: it does not wait */
	TAILQ_ENTRY(turn) entry;
};

enum status	 turns_new(struct turns **, struct event_base *, struct fault *);
void		 turns_free(struct turns *);	/* those that wait are never run */

/* Once, soon; it may ask again while it runs.  false: no memory. */
bool		 turn_ask(struct turns *, struct turn *, uid_t);
void		 turn_drop(struct turns *, struct turn *);	/* it waits no more */

#endif
