/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_CLOCK_H
#define ASSAY_PROTO_BASE_CLOCK_H

/* The wall clock, seconds since the epoch: what jobs and results are stamped with. */
double	 clock_wall_s(void);

#endif
