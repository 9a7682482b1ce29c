/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/wire/calibrated.h"

#define ROW(member, ...) SHAPE_ROW(struct calibrated, member, __VA_ARGS__)
static const struct shape_row	rows[] = {
	ROW(flush_bytes, SHAPE_SIZE),
	ROW(l1_bytes, SHAPE_SIZE),
	ROW(l2_bytes, SHAPE_SIZE),
};
const struct shape	calibrated_shape = SHAPE_OF(struct calibrated, rows);
#undef ROW
