/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_PREMISES_H
#define ASSAY_DAEMON_DISPATCH_PREMISES_H

#include "proto/base/fault.h"

/*
 * What workers need of the host below the state directory: cache/ and scratch/, with room.  A
 * directory that was removed is made again.  ST_OK, or the reason why jobs cannot go well.
 */
enum status	 premises_check(const char *state_dir, struct fault *);

#endif
