/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_TIMESTAMP_H
#define ASSAY_CLIENT_CMD_TIMESTAMP_H

#include <time.h>

#include "proto/base/fault.h"

/*
 * A moment as people write it → seconds since the epoch: "90s" "10m" "2h" "3d" "1w" before `now`;
 * "2026-01-31", "2026-01-31T12:00" or "2026-01-31 12:00:30" in local time, "Z" behind it for UTC;
 * "@1769860800".
 */
enum status	 timestamp_parse(const char *text, time_t now, double *unix_s, struct fault *);

#endif
