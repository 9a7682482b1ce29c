/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_DRIVER_H
#define ASSAY_WORKER_BUILD_DRIVER_H

#include "proto/spec/spec.h"

/*
 * Generate the timing driver of a spec as C (automated timer generation, section 4, Figure 5).  The text
 * depends on the routine, the operands' descriptions, the clock and nothing else: param values reach it as -D macros
 * when it is compiled, so one text serves every point of a sweep (P2, P7), and it never depends on the variant, nor on
 * where operands shall be when the clock starts: cold and warm share a driver.  *text is owned by the caller.
 */
enum status	 driver_generate(const struct spec *, char **text, struct fault *);

/*
 * The rt header every driver includes as "rt.h", embedded in the worker: part of a driver's cache
 * key.
 */
extern const char	rt_header[];		/* terminated */

/*
 * The clock that a driver reads: CLK_AUTO is the cycle counter where the machine has one that runs
 * at a constant rate (invariant TSC, CNTVCT), else wall time.
 */
enum clock_kind	 driver_clock(enum clock_kind asked);
bool		 driver_has_cycle_clock(void);

#endif
