/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_DECODE_ASSEMBLE_H
#define ASSAY_CLIENT_MICRO_DECODE_ASSEMBLE_H

#include <stddef.h>

#include "client/micro/machine/target.h"

struct object {
	unsigned char	*at;		/* owned: mapped */
	size_t		 bytes;
};

/*
 * Run the machine's assembler on a text, in a process with limits of time and size.
 * ST_BUILD_FAILED: it refused, with its first words; ST_NOT_FOUND: there is none.
 */
enum status	 assemble(enum machine, const char *text, size_t bytes, struct object *,
		    struct fault *);
void		 object_release(struct object *);		/* a zeroed one is fine */

#endif
