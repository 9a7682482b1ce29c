/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_TRIAL_H
#define ASSAY_DAEMON_DISPATCH_TRIAL_H

#include "daemon/queue/queue.h"

/*
 * A job of the daemon's own that is known to be good.  Where jobs fail one after the other, it
 * shows which is at fault: the host, if it fails as well, else the jobs.  One at a time.
 */
typedef bool	 trial_fn(void *arg);	/* submit one; false: none can be had now */

struct trial {
	trial_fn	*ask;		/* NULL: there never is one */
	void		*arg;
	bool		 is_asked;	/* on its way to the queue */
	int64_t		 job;		/* 0: none */
	double		 not_before;	/* is it asked for; clock_now_s */
};
enum { TRIAL_REST_S = 10 };	/* after one that was refused, or showed nothing */

/* The answer to `ask`: its job; 0: it was refused. */
void			 trial_has(struct trial *, int64_t job, double now);
/* The one under way; NULL: none. */
struct queued_job	*trial_job(const struct trial *, const struct queue *);
/* There is one, or it is on its way, or is asked for now.  false: none can be had now. */
bool			 trial_want(struct trial *, const struct queue *, double now);
/* It has shown what it was wanted for: the next one may be had at once. */
void			 trial_is_done(struct trial *);

#endif
