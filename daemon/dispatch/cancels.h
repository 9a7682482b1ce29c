/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_CANCELS_H
#define ASSAY_DAEMON_DISPATCH_CANCELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/fault.h"

/*
 * Jobs that are to end `cancelled`, in slices on the event loop: a sweep may have a million, and
 * other clients wait for no more than one slice.  A job stays here until it has left the queue, so
 * a result that the disk refuses is written again later.
 *
 * All jobs of a sweep in here count as cancelled at once.
 */
struct event;
struct event_base;

/* End this job if it can be ended now.  false: it has left the queue. */
typedef bool	 cancels_end_fn(void *arg, int64_t job_id);

struct cancels {
	struct event	*turn;		/* owned; the next slice */
	int64_t		*ids;		/* owned */
	size_t		 n, max;
	size_t		 at, kept;	/* of the pass under way: seen so far, still in the queue */
	int64_t		*sweeps;	/* owned */
	size_t		 nsweeps;
	cancels_end_fn	*end;
	void		*arg;
};
enum { CANCELS_SLICE = 32 };

enum status	 cancels_init(struct cancels *, struct event_base *, cancels_end_fn *, void *arg,
		    struct fault *);
void		 cancels_release(struct cancels *);	/* a zeroed one is fine */

/* Room for n more ids, so that the next n calls of cancels_add succeed. */
enum status	 cancels_reserve(struct cancels *, size_t n);
void		 cancels_add(struct cancels *, int64_t job_id);
enum status	 cancels_add_sweep(struct cancels *, int64_t sweep_id);
bool		 cancels_has_sweep(const struct cancels *, int64_t sweep_id);	/* 0: no */
/* Once a second: what is left is tried again. */
void		 cancels_again(struct cancels *);

#endif
