/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/wire/gate_state.h"

#define ROW(member, ...) SHAPE_ROW(struct base_state, member, __VA_ARGS__)
static const struct shape_row	base_rows[] = {
	ROW(base, SHAPE_SIZE),
	ROW(left, SHAPE_SIZE),
	ROW(ns, SHAPE_REAL),
};
static const struct shape	base_shape = SHAPE_OF(struct base_state, base_rows);
#undef ROW

#define ROW(member, ...) SHAPE_ROW(struct gate_state, member, __VA_ARGS__)
static const struct shape_row	gate_rows[] = {
	ROW(clock, SHAPE_TEXT),
	ROW(tick_hz, SHAPE_REAL),
	ROW(met_s, SHAPE_REAL, .none = SHAPE_NULL),
	ROW(canary, SHAPE_OBJECT, .of = &base_shape),
	ROW(pace, SHAPE_OBJECT, .of = &base_shape),
	ROW(memory, SHAPE_OBJECT, .of = &base_shape),
};
const struct shape	gate_state_shape = SHAPE_OF(struct gate_state, gate_rows);
#undef ROW
