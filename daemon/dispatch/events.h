/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_EVENTS_H
#define ASSAY_DAEMON_DISPATCH_EVENTS_H

#include "proto/spec/spec.h"

/*
 * ST_BAD_SPEC: the spec counts an event that is none of `known`, the names that a timing worker
 * greeted with; the nearest is the hint.  Of "pmu::EVENT:unit" only EVENT is looked at, in capitals
 * or not: what a unit may be, the worker knows.  With nothing known (no worker has come yet)
 * nothing is refused here; the worker will.
 */
enum status	 events_check(const json_t *known, const struct spec *, struct fault *);

#endif
