/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_EVENTS_H
#define ASSAY_DAEMON_DISPATCH_EVENTS_H

#include "proto/spec/spec.h"

/*
 * ST_BAD_SPEC: the spec counts an event that is not in `known`, the names in a timing worker's
 * greeting; the nearest name is the hint.
 *
 * Of "pmu::EVENT:unit" only EVENT is compared, in any case; the worker checks the unit.  If nothing
 * is known, because no worker has come yet, the worker refuses.
 */
enum status	 events_check(const json_t *known, const struct spec *, struct fault *);

#endif
