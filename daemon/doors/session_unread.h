/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_SESSION_UNREAD_H
#define ASSAY_DAEMON_DOORS_SESSION_UNREAD_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/buffer.h>
#include <event2/event.h>

#include "daemon/api/api.h"

/*
 * Output that a peer has yet to take.  Above API_OUTPUT_BYTES, the session takes no more requests
 * until the peer has read.  A peer that takes next to nothing for the whole limit, with more than
 * this unread, is reported once.
 */
enum {
	UNREAD_RESUME_BYTES	= API_OUTPUT_BYTES / 2,
	UNREAD_LEAST_BYTES	= 64 << 10,	/* that must be taken within the limit */
};

typedef void	 unread_fn(void *arg);

struct unread {
	struct evbuffer	*out;			/* borrowed */
	struct event	*timer;			/* owned */
	struct timeval	 limit;
	uint64_t	 taken, taken_before;	/* bytes; at the timer's start */
	unread_fn	*on_stalled;
	void		*arg;
};

/* false: no memory.  The buffer outlives it. */
bool	 unread_init(struct unread *, struct event_base *, struct evbuffer *, unsigned limit_s,
	    unread_fn *, void *arg);
void	 unread_release(struct unread *);
void	 unread_watch(struct unread *);			/* output was added */
bool	 unread_is_much(const struct unread *);		/* above API_OUTPUT_BYTES */

#endif
