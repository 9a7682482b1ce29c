/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_NOTIFY_ERRAND_H
#define ASSAY_DAEMON_NOTIFY_ERRAND_H

#include "proto/base/fault.h"

/*
 * A short program that is run once, never through a shell: it gets a text on stdin and an
 * environment of its own, nothing of the daemon's descriptors, and a limit of time.  What it writes
 * to stdout and stderr is kept up to ERRAND_OUTPUT_BYTES, the rest is read and forgotten.  With its
 * end all processes of its group end.
 */
struct event_base;
struct errand;

enum { ERRAND_INPUT_BYTES = 32 << 10, ERRAND_OUTPUT_BYTES = 4096 };

/* wait_status: as from waitpid.  output: terminated; borrowed for the call.  The errand is over. */
typedef void	 errand_done_fn(void *arg, int wait_status, bool timed_out, const char *output);

/*
 * argv[0] is an absolute path.  The callback comes once, later.  ST_BAD_REQUEST: the input is too
 * long.  ST_IO: it cannot be started.
 */
enum status	 errand_start(struct errand **, struct event_base *, const char *const *argv,
		    const char *const *environment, const char *input, unsigned limit_ms,
		    errand_done_fn *, void *arg, struct fault *);
void		 errand_free(struct errand *);	/* kills it, without a callback; NULL is fine */

#endif
