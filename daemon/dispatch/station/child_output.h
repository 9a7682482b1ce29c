/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_STATION_CHILD_OUTPUT_H
#define ASSAY_DAEMON_DISPATCH_STATION_CHILD_OUTPUT_H

#include <sys/types.h>

#include "proto/base/fault.h"

/*
 * What a worker writes to its stdout and stderr, as lines of the daemon's log: "warn worker=77 …".
 * It comes through a pipe that never blocks the writer.  Each worker has an allowance; beyond it,
 * lines are left out and counted, and the last of them are kept for its end.  A flood costs the
 * daemon 2 MB/s of reading at most; a full pipe loses the rest.
 */
struct event_base;
struct child_output;

/* *write_fd is the caller's: for the worker, then to be closed. */
enum status	 child_output_new(struct child_output **, struct event_base *, int *write_fd,
		    struct fault *);
void		 child_output_of(struct child_output *, pid_t);	/* before the event loop runs */
/*
 * The worker is over: what is left in the pipe is logged, without waiting for others that hold it.
 * NULL is fine.
 */
void		 child_output_free(struct child_output *);

#endif
