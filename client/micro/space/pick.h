/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_SPACE_PICK_H
#define ASSAY_CLIENT_MICRO_SPACE_PICK_H

#include "client/arena/arena.h"
#include "proto/base/fault.h"

#include <stdint.h>

/*
 * `n` different numbers below `count`, each set of them equally likely, in ascending order; the
 * same for the same seed.  n is at most PICK_MAX and at most count.
 */
enum { PICK_MAX = 1 << 20 };

uint64_t	*pick_numbers(struct arena *, uint64_t count, uint64_t n, uint64_t seed);

#endif
