/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_STATION_STREAMER_H
#define ASSAY_DAEMON_DISPATCH_STATION_STREAMER_H

#include <stdbool.h>

#include "daemon/dispatch/station/child.h"
#include "daemon/setup/config.h"
#include "daemon/setup/topology.h"

/*
 * A process of the daemon's own that keeps the memory busy, on a housekeeping CPU.  Beside it a
 * calibration learns how busy memory sounds (worker/stream.h).  All 0: none.
 */
struct streamer {
	struct child	*child;			/* owned by the pool; NULL: not running */
};

/* false: this host has no CPU for it, or it cannot be started. */
bool		 streamer_start(struct streamer *, struct child_pool *, const struct config *,
		    const struct topology *);
void		 streamer_stop(struct streamer *);

#endif
