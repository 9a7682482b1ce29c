/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MACHINE_INSTRUCTION_H
#define ASSAY_CLIENT_MICRO_MACHINE_INSTRUCTION_H

#include <stdint.h>
#include <stdio.h>

#include "client/micro/machine/registers.h"

enum operand_kind { OPERAND_IMMEDIATE, OPERAND_REGISTER, OPERAND_MEMORY, OPERAND_LABEL };

struct memory {
	struct reg	base;
	struct reg	index;
	unsigned	multiplier;	/* of the index: 1, 2, 4, 8; 0: there is no index */
	int64_t		offset;
};

/* The member that `kind` names is used. */
struct operand {
	enum operand_kind	 kind;
	int64_t			 immediate;
	struct reg		 reg;
	struct memory		 memory;
	const char		*label;		/* borrowed */
};

enum { INSTRUCTION_OPERANDS = 4 };

/* As AT&T writes it: sources first, destination last. */
struct instruction {
	const char	*operation;		/* borrowed */
	struct operand	 operand[INSTRUCTION_OPERANDS];
	unsigned	 n;
};

/*
 * Write an instruction for the target, one line or more, each with its newline.  Where the target's
 * vectors have another width than the description's registers, registers and operation are changed;
 * offsets are not.  ST_BAD_SPEC: the target has no such instruction or register, named.
 */
enum status	 instruction_write(const struct target *, const struct instruction *, FILE *,
		    struct fault *);

/* The same for AArch64, where loads and stores are the only instructions with memory. */
enum status	 instruction_write_aarch64(const struct instruction *, FILE *, struct fault *);

/* Of a vector operation: by how much its registers are widened; 1 and 1 if they are not. */
struct scale { unsigned by, of; };
struct scale	 instruction_scale(const struct target *, const struct instruction *);

#endif
