/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_DRIVER_DRIVER_H
#define ASSAY_PROTO_DRIVER_DRIVER_H

#include "proto/spec/spec.h"

/*
 * Generate the timing driver of a spec as C (automated timer generation, section 4, Figure 5).  The
 * text depends on the routine, the operands' descriptions and the clock only.  Params reach it as
 * -D macros when it is compiled, so one text serves every point of a sweep (P2, P7).  It depends
 * neither on the variant nor on cache states: cold and warm share a driver. *text is owned by the
 * caller.  ST_BAD_SPEC: a clock that this machine lacks.
 */
enum status	 driver_generate(const struct spec *, char **text, struct fault *);

/* Beside a driver when it is compiled: the bytes of operands that functions fill. */
#define DRIVER_FILLED	"filled"

/*
 * The text of worker/runner/sample/rt.h, embedded in the program; NUL-terminated.  Every driver
 * includes it as "rt.h", and it is part of a driver's hash.
 */
extern const char	rt_header[];

/*
 * The clock that a driver reads.  CLK_AUTO becomes the cycle counter where the machine has one of
 * constant rate (invariant TSC, CNTVCT), else wall time.
 */
enum clock_kind	 driver_clock(enum clock_kind asked);
bool		 driver_has_cycle_clock(void);

#endif
