/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_WINDOW_H
#define ASSAY_DAEMON_QUEUE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The part of each day in which a job may start, by the host's local time: minutes of the day,
 * `to` excluded, past midnight if `to` is the smaller; from -1: always.
 */
struct window {
	int16_t		 from, to;
};

bool		 window_is_open(struct window, int64_t now);	/* now: seconds since the epoch */

/*
 * When it must be looked at again: at its next change or before it, later than now.  INT64_MAX: it
 * is always open.
 */
int64_t		 window_look_again(struct window, int64_t now);

/* When it opens, later than now; 0: never, or it is open now. */
int64_t		 window_next_opening(struct window, int64_t now);

#endif
