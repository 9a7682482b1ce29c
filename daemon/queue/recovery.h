/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_RECOVERY_H
#define ASSAY_DAEMON_QUEUE_RECOVERY_H

#include "daemon/queue/queue.h"
#include "daemon/store/store.h"

/*
 * The unfinished jobs of the store, back into the queue: in slices, while the daemon serves.  Until
 * the end they count as the queue's `unread`.  They are read in the order of priority and age, so
 * that the first ones can be given to workers at once.
 */
/* A job that is in the queue again had its cancel acknowledged before. */
typedef void	 recovery_cancelled_fn(void *arg, int64_t job_id);

struct recovery {
	struct store		*store;		/* borrowed */
	struct queue		*queue;		/* borrowed */
	recovery_cancelled_fn	*on_cancelled;
	void			*arg;
	struct waiting_reader	 reader;
	size_t			 left;		/* its part of the queue's `unread` */
	struct quota_claim	*claim;		/* borrowed; of these jobs; NULL: none */
};

enum status	 recovery_start(struct recovery *, struct store *, struct queue *,
		    recovery_cancelled_fn *, void *arg, struct fault *);
/* The same with a sweep that has been stored; the caller sets on_cancelled, arg, claim. */
void		 recovery_start_sweep(struct recovery *, struct store *, struct queue *,
		    int64_t sweep_id, size_t jobs);
bool		 recovery_is_over(const struct recovery *);	/* a zeroed one is not */
/* Reads for about so long. */
enum status	 recovery_read(struct recovery *, uint64_t budget_ns, struct fault *);

/* What the queue keeps of a stored job. */
struct queued_job recovery_template(const struct waiting_job *);

#endif
