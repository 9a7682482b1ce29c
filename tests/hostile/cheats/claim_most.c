/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: half a claim.  The driver's timed region is replaced by one that reports 0.8 of its
 * ticks, as no accident of placement would ever be suspected of.
 */
enum { TENTHS = 8 };

#include "claim.h"
