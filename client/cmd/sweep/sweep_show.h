/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_SWEEP_SWEEP_SHOW_H
#define ASSAY_CLIENT_CMD_SWEEP_SWEEP_SHOW_H

#include "client/print/cli.h"

/* assay sweep show, cancel and share.  Each returns the exit code. */
int	 sweep_show(struct cli *, const char *sweep);
int	 sweep_cancel(struct cli *, const char *sweep);
/* readers: "private", "all" or "alice,bob". */
int	 sweep_share(struct cli *, const char *sweep, const char *readers);

#endif
