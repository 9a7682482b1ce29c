/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_ONCE_H
#define ASSAY_DAEMON_DISPATCH_ONCE_H

#include "daemon/queue/queue.h"
#include "daemon/setup/topology.h"
#include "daemon/store/store.h"

/*
 * Nothing is timed twice without being asked for.  The identity of a timing is all that its outcome
 * depends on: the built bytes, the spec, the compilers, the host and its state, and Assay's own
 * version.  It is known once a job is built.  A job with the identity of a stored ok result gets
 * that result, unless it is `fresh`.
 */
struct once {
	struct store	*store;		/* borrowed */
	/* borrowed setting; false: all is timed; identities are stored all the same */
	const bool	*reuses;
	char		 machine[TOPOLOGY_MACHINE_BYTES];
	char		*slots;		/* owned; their CPUs, as JSON */
};

struct once_now {			/* the host's state; borrowed */
	const char	*fitness;	/* NULL: unknown, and nothing is equal to it */
	const json_t	*calibrated;	/* NULL: it is not */
};

void		 once_init(struct once *, struct store *, const struct topology *,
		    const bool *reuses);
void		 once_release(struct once *);

/* Sets the identity of a built job as of now. */
void		 once_note(const struct once *, const struct queued_job *, const struct once_now *);
/*
 * A timing is over: an identity that is another by now does not hold for it.  One that was given up
 * early (raced) stands for no other job.
 */
void		 once_settle(const struct once *, const struct queued_job *,
		    const struct once_now *, bool raced);
/* An outcome of the one will do for the other. */
bool		 once_is_same(const struct once *, const struct queued_job *,
		    const struct queued_job *timed);
/*
 * The result that was stored for the noted identity; *of: the job that was timed.  New reference;
 * NULL: there is none, or the job is not to have it.
 */
json_t		*once_find(const struct once *, const struct queued_job *, int64_t *of);

#endif
