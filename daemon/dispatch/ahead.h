/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_AHEAD_H
#define ASSAY_DAEMON_DISPATCH_AHEAD_H

#include "daemon/dispatch/dispatch_impl.h"

/*
 * A slot that times short jobs has its next order in hand before it has answered the last, so that
 * it waits neither for the daemon nor for the pipe.
 *
 * The job of that order stays `built`: it is begun when the answer before it comes.  Until then any
 * turn of the queue may choose otherwise (a pause, a deadline, a cancel, a job of more priority,
 * another user), and the order is taken back: a cancel, which the worker answers.  Only then has
 * the slot an order again.  With its worker goes an order in hand; that costs the job no attempt.
 */

/* Choose it, keep it, or take it back: after each change of the queue. */
void	 ahead_consider(struct dispatch *, struct station *, int64_t now);
/* The slot's last job is answered: the worker is at the next, if it has one. */
void	 ahead_begin(struct dispatch *, struct station *);
/* Take back the orders for this job, or with NULL all. */
void	 ahead_take_back(struct dispatch *, const struct queued_job *);
/* At another slot than this. */
bool	 ahead_is_elsewhere(const struct dispatch *, const struct station *,
	    const struct queued_job *);
/* A job of the slot was timed. */
void	 ahead_note(struct station *, const struct queued_job *);
/* An answer to an order that was taken back: it means nothing else. */
bool	 ahead_answers(struct station *, const struct msg *);

#endif
