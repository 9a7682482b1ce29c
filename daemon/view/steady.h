/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_VIEW_STEADY_H
#define ASSAY_DAEMON_VIEW_STEADY_H

#include <jansson.h>

#include "daemon/store/store.h"

/* How steady a sweep's times are, by what was timed more than once in it. */

/* {spread, identities, timings}; null if it timed nothing again.  New reference. */
json_t		*steady_noise(struct store *, int64_t sweep_id);

/*
 * {timings, first_ns, last_ns, drift, worst_step} of the sweep's yardstick; null: it was not timed
 * twice.  New reference.
 */
json_t		*steady_drift(struct store *, int64_t sweep_id);

/*
 * How its ranking is corrected for that: {results, least, most}, the numbers of timed results by a
 * word of daemon/store/drift.h, and what their times were divided by.  null: it is not.  New
 * reference.
 */
json_t		*steady_correction(struct store *, int64_t sweep_id);

#endif
