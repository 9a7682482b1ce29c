/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_NOTIFY_NOTIFY_H
#define ASSAY_DAEMON_NOTIFY_NOTIFY_H

#include <jansson.h>

#include "daemon/queue/queue.h"
#include "daemon/setup/config.h"
#include "daemon/store/store.h"

/*
 * Tells of a sweep's end: to the operator's command, and to the sweep's webhook.  What is to be
 * told is a row of the database from the sweep's creation on, so no crash loses it.  It is told at
 * least once; its id is the same in each try, so that a receiver can know a repeat.  A try that
 * fails is made again after NOTIFY_FIRST_S, then after twice as long, up to NOTIFY_TRIES times.
 *
 * Webhooks are sent by a program of their own (daemon/notify/program/): the daemon parses nothing
 * that comes from the internet.
 */
struct notify;
struct event_base;

enum { NOTIFY_FIRST_S = 10, NOTIFY_LONGEST_S = 6 * 3600, NOTIFY_TRIES = 12, NOTIFY_AT_ONCE = 4 };

/* ST_BAD_REQUEST: a setting is wrong. */
enum status	 notify_new(struct notify **, struct event_base *, struct store *,
		    const struct queue *, const struct config *, struct fault *);
void		 notify_free(struct notify *);	/* ends tries under way; NULL is fine */

/* ST_BAD_SPEC: this daemon cannot send the sweep's webhook; the document may be malformed. */
enum status	 notify_check(const struct notify *, const json_t *sweep, struct fault *);

/* A job of the sweep has ended; NULL is fine. */
void		 notify_news(struct notify *, int64_t sweep_id);
/* Once a second; ready: all that the daemon before has left is in the queue.  NULL is fine. */
void		 notify_tick(struct notify *, bool ready);

/* [{to, state, tries, next, reason}] of a sweep; new. */
json_t		*notify_of(struct store *, int64_t sweep_id);

#endif
