/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MACHINE_AARCH64_PARTS_H
#define ASSAY_CLIENT_MICRO_MACHINE_AARCH64_PARTS_H

#include "client/micro/machine/instruction.h"
#include "client/micro/machine/operations.h"

/* What the files that write AArch64 share.  x16, x17 and v31 are in no description. */
enum {
	AARCH64_CONSTANT = 17, AARCH64_VECTOR = 31, AARCH64_ADDRESS_BYTES = 48,
	AARCH64_IMMEDIATE = 4095
};

/* One instruction on its way. */
struct aarch64 {
	const struct instruction	*in;
	FILE				*to;
	struct fault			*why;
};

/* "AArch64 has <reason>", for the instruction: ST_BAD_SPEC. */
enum status	 aarch64_refuse(const struct aarch64 *, const char *reason);

/* A constant into x17, 16 bits at a time. */
void		 aarch64_constant(int64_t value, FILE *);
/* Make an operand of loads and stores of so many bytes; x16 and x17 may be needed for it. */
void		 aarch64_address(const struct memory *, unsigned bytes, FILE *,
		    char address[AARCH64_ADDRESS_BYTES]);

enum status	 aarch64_vector(const struct aarch64 *, const struct operation *);
enum status	 aarch64_general(const struct aarch64 *, const struct general_operation *);

#endif
