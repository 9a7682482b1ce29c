/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: half a claim.  The driver's timed region is replaced by one that reports 0.6 of its
 * ticks; what the work takes by any other clock is honest.
 */
enum { TENTHS = 6 };

#include "claim.h"
