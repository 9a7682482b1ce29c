/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/wire/calibrated.h"

#define ROW(member, ...) SHAPE_ROW(struct calibrated, member, __VA_ARGS__)
static const struct shape_row	rows[] = {
	ROW(flush_bytes, SHAPE_SIZE),
	ROW(l1_bytes, SHAPE_SIZE),
	ROW(l2_bytes, SHAPE_SIZE),
	ROW(memory_quiet_ns, SHAPE_REAL),
	ROW(memory_loud_ns, SHAPE_REAL),
	ROW(cold_quiet_ns, SHAPE_REAL),
	ROW(cold_loud_ns, SHAPE_REAL),
};
const struct shape	calibrated_shape = SHAPE_OF(struct calibrated, rows);
#undef ROW
