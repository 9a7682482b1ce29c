/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_DECODE_JOIN_H
#define ASSAY_CLIENT_MICRO_DECODE_JOIN_H

#include <stddef.h>
#include <stdio.h>

#include "client/micro/machine/target.h"

/*
 * Programs of assembly as one text.  Each has a section of its own, so that its code is what it is
 * alone, and `.text` in it means that section.  Labels that it defines, and what refers to them,
 * get join_suffix behind their names.  Messages of the assembler name the program.
 */
enum { JOIN_SUFFIX_BYTES = 16 };

void		 join_suffix(size_t program, char to[JOIN_SUFFIX_BYTES]);
/* `name`: what messages call it.  ST_NOMEM, or ST_OK. */
enum status	 join_program(enum machine, size_t program, const char *name, const char *text,
		    FILE *to);

#endif
