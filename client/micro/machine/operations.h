/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MACHINE_OPERATIONS_H
#define ASSAY_CLIENT_MICRO_MACHINE_OPERATIONS_H

/* How an operation of vector registers uses its two operands, source and destination. */
enum operation_shape {
	SHAPE_MOVE,		/* load, store or copy */
	SHAPE_UNARY,		/* destination = f(source) */
	SHAPE_BINARY		/* destination = f(destination, source); AVX names both */
};

/* An operation of vector registers, as SSE names it. */
struct operation {
	const char		*name;
	enum operation_shape	 shape;
	unsigned		 bytes;		/* 16: all of a register, so it can be widened */
	const char		*zmm;		/* for 64 bytes, without the v; NULL: same */
	const char		*aarch64;	/* NULL: there is none; of a move, "" */
	const char		*lanes;		/* of AArch64: "4s", "2d", "s" … */
};

/* By its name, with or without AVX's v; NULL: it is not in the table. */
const struct operation	*operation_find(const char *name);

/* What an operation of general registers is on AArch64. */
enum general_kind {
	GENERAL_MOVE, GENERAL_ADD, GENERAL_LOGIC, GENERAL_SHIFT, GENERAL_COMPARE, GENERAL_ONE,
	GENERAL_BRANCH, GENERAL_PREFETCH, GENERAL_NONE
};

struct general_operation {
	const char		*name;		/* without the suffix of a size */
	enum general_kind	 kind;
	const char		*aarch64;
	const char		*opposite;	/* of GENERAL_ADD: for negative immediates */
};

/* By its name, which may have the suffix of a size; NULL: it is not in the table. */
const struct general_operation	*general_find(const char *name);

#endif
