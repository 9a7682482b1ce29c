/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_LAUNCH_LAUNCH_RUN_H
#define ASSAY_CLIENT_CMD_LAUNCH_LAUNCH_RUN_H

#include "client/cmd/launch/rows.h"
#include "client/connect/session.h"

/*
 * Creates the sweep in the running daemon or a private one, waits for its results, and prints them.
 * Returns the exit code: of the first kernel that is not ok, of Ctrl-C, or of what failed.
 */
int	 launch_run(struct cli *, const struct launch *, const json_t *sweep);

/*
 * The same in an open session, with the rows (initialised, to be released) in place of what is
 * printed.  A launch over numbers of cores makes a sweep of each.
 */
int	 launch_collect(struct cli *, struct session *, const json_t *sweep,
	    struct launch_rows *);
/* As the options say: a document, CSV, a table, or nothing. */
enum status	 launch_put_rows(const struct cli *, const struct launch *,
		    const struct launch_rows *, struct fault *);
/* Before the jobs: can the file (NULL: none) be written?  What it has stays. */
enum status	 launch_check_file(const char *option, const char *path, struct fault *);
/* CSV is no document. */
enum status	 launch_check_output(const struct cli *, const struct launch *, struct fault *);

#endif
