/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_CALIBRATED_H
#define ASSAY_PROTO_WIRE_CALIBRATED_H

#include "proto/json/shape.h"

/*
 * What the daemon's calibration found on this host, for each timing (proto/wire/msg.h).  The
 * database keeps it within a calibration's document: a new member needs a value for documents
 * without it.
 */
struct calibrated {
	/* to read before the operands have left a cache: all caches, L1, L2; 0: not known */
	uint64_t	 flush_bytes, l1_bytes, l2_bytes;
	/* the memory canary at rest, and beside a streamer on another CPU; 0: not known */
	double		 memory_quiet_ns, memory_loud_ns;
	double		 cold_quiet_ns, cold_loud_ns;	/* a cold kernel at the same times */
};

extern const struct shape	calibrated_shape;

#endif
