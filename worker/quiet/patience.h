/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_QUIET_PATIENCE_H
#define ASSAY_WORKER_QUIET_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Waiting time of a slot's jobs for quiet that the spec did not ask for.  It is paid from a purse:
 * a quarter of the time that passes goes in, a second at most.  A job may have all of it while
 * waiting helps, and half as much after each job that waited in vain, down to a 256th.
 */
#define PATIENCE_PURSE_NS	1000000000u
enum {
	PATIENCE_HALVINGS	= 8,	/* at most */
	PATIENCE_SHARE		= 4,	/* a quarter of the time that passes goes into the purse */
};

struct patience {
	unsigned	 barren;	/* jobs in a row that had too few quiet samples */
	unsigned	 halvings;	/* of a job's waiting time, up to PATIENCE_HALVINGS */
	uint64_t	 purse_ns;
	uint64_t	 filled_ns;	/* up to when the purse was filled; 0: never */
};

/* Time that a job may wait, from now on. */
uint64_t	 patience_now(struct patience *, uint64_t now_ns);

/* A job is over.  helped: enough of its samples were quiet.  spent_ns: from the purse for that. */
void		 patience_end(struct patience *, bool helped, uint64_t spent_ns);

/* One more halving, or one less; at most PATIENCE_HALVINGS. */
unsigned	 patience_halve(unsigned halvings, bool helped);

/* Several processes were one job: its halvings are at most one more than before the first. */
void		 patience_one_job(struct patience *, unsigned halvings_before);

#endif
