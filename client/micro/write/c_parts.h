/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_WRITE_C_PARTS_H
#define ASSAY_CLIENT_MICRO_WRITE_C_PARTS_H

#include "client/micro/write/lines.h"

/* What programs in C share: asm statements with registers that have names in C. */
enum { C_NAME_BYTES = 32 };

struct c_operand {
	struct reg	reg;
	char		name[C_NAME_BYTES];	/* of its variable in C */
};

/* Lines of assembly as string literals of an asm statement. */
void		 c_string(FILE *, const char *text);
/* What is behind them: operands, what else changes, and the end of the statement. */
void		 c_operands(FILE *, const struct kernel *, const struct c_operand *, unsigned n);
const char	*c_function(const struct program *);		/* its name */
/* The function's first lines, and its brace. */
void		 c_signature(FILE *, const struct program *, unsigned narrays);
/* The target has registers that the compiler knows by these names. */
enum status	 c_check(const struct program *, struct fault *);

#endif
