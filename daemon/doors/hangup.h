/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_HANGUP_H
#define ASSAY_DAEMON_DOORS_HANGUP_H

#include <stdbool.h>
#include <sys/queue.h>
#include <sys/types.h>

#include <event2/event.h>

#include "proto/base/fault.h"

/*
 * Notices a peer that leaves while it waits for an answer, when nothing is read from its
 * connection.  A peer that has only ended its sending is still there: on TCP both look alike, and
 * the kernel is asked whether a process of this host still has the socket.
 */
struct hangups;

/* A connection's; owned by it. */
struct hangup {
	struct hangups		*all;		/* borrowed */
	int			 fd;
	bool			 is_known;	/* its user is; so its socket is of this host */
	bool			 ends_both;	/* the end of its sending is the end of all */
	void			(*on_left)(void *arg);
	void			*arg;
	bool			 is_added, is_watched, is_in_doubt;
	TAILQ_ENTRY(hangup)	 entry;		/* while it is in doubt */
};

enum status	 hangups_new(struct hangups **, struct event_base *, struct fault *);
void		 hangups_free(struct hangups *);	/* after all of them have ended */

/* Calls on_left, at most once, from the event loop; it may free the hangup. */
void		 hangup_watch(struct hangup *);
void		 hangup_rest(struct hangup *);	/* until it is watched again */
void		 hangup_end(struct hangup *);	/* before its descriptor is closed */

#endif
