/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_TUNE_H
#define ASSAY_DAEMON_HOST_TUNE_H

#include "daemon/host/partition.h"
#include "daemon/host/undo.h"

/*
 * Takes a host's timing CPUs for timing, and gives them back.
 *
 * In this order: settings that the kernel takes back by itself, the partition, knobs of the timing
 * CPUs, and with tune = yes knobs of the whole host.  Only one assay-hostd per host may hold it, by
 * a lock that ends with its process.  The journal outlives it.
 */
struct tune_order {
	const char		*run_dir;	/* a real path, of the lock and the journal */
	bool			 tune;		/* also knobs of scope KNOB_GLOBAL */
	struct partition_order	 partition;
};

struct tune {
	int			 lock_fd;	/* -1: not held */
	int			 latency_fd;	/* -1: not held */
	unsigned		 count[KNOB_NSTATUS];
	struct partition_outcome partition;	/* KNOB_ABSENT and "none" if none was asked for */
};

/* Called with each knob as soon as its status is known. */
typedef void	 tune_fn(void *arg, const struct knob *);

/*
 * ST_CONFLICT: another process holds the host, or a journal of this boot must be restored first.
 * ST_BAD_REQUEST: these CPUs cannot be taken.  A knob that cannot be set is no failure.  On any
 * other failure everything is undone.
 */
enum status	 tune_apply(struct tune *, const struct site *, const struct tune_order *,
		    tune_fn *, void *arg, struct fault *);

/*
 * Undo the changes in run_dir's journal; ST_OK if there is none.
 *
 * `held`: the tune_apply that holds the host, which is then released; NULL: no process may hold it,
 * else ST_CONFLICT.  ST_IO: something could not be undone, and the journal stays. fn may be NULL.
 */
enum status	 tune_restore(struct tune *held, const struct hostfs *, const char *run_dir,
		    undo_fn *, void *arg, struct fault *);

void		 tune_init(struct tune *);

#endif
