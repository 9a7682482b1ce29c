/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_NOTICE_H
#define ASSAY_DAEMON_STORE_STORE_NOTICE_H

#include "daemon/store/store.h"

/* What is to be told of a sweep's end: kept until it is told, or given up. */
struct notice {
	int64_t		 id, sweep_id;
	const char	*what, *target, *state;	/* borrowed for the call; words of 023 */
	double		 ended, next;		/* seconds since the epoch */
	int64_t		 tries;
	const char	*reason;		/* borrowed for the call; NULL: none */
};
typedef void	 notice_fn(void *arg, const struct notice *);

/* Sweeps whose end has not been seen, behind this one; 0: there is none. */
int64_t		 store_notice_waiting(struct store *, int64_t after_sweep);
/* The sweep has ended: its notices are due at once. */
enum status	 store_notice_due(struct store *, int64_t sweep_id, double now, struct fault *);
/* Due ones, the longest due first; without webhooks where these cannot be sent. */
void		 store_notices_due(struct store *, double now, bool webhooks, size_t limit,
		    notice_fn *, void *arg);
void		 store_notices_of(struct store *, int64_t sweep_id, notice_fn *, void *arg);
/* After a try: state, tries, next and reason are as in the notice. */
enum status	 store_notice_set(struct store *, const struct notice *, struct fault *);
/* There is nothing to tell it to. */
enum status	 store_notice_drop(struct store *, int64_t id, struct fault *);

#endif
