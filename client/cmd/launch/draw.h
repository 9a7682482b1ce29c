/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_LAUNCH_DRAW_H
#define ASSAY_CLIENT_CMD_LAUNCH_DRAW_H

#include <stdint.h>

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * `n` different numbers below `of`, in ascending order; all if there are no more.  Each set of them
 * is as likely as any other.  The same for the same seed.  New reference: a list of integers.
 */
enum status	 draw_numbers(uint64_t of, uint64_t n, uint64_t seed, json_t **, struct fault *);

#endif
