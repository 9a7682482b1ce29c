/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_ASSEMBLER_H
#define ASSAY_CLIENT_MICRO_ASSEMBLER_H

#include "client/micro/model/micro.h"

/*
 * --check: the assembler reads all programs as one file, and what it makes is thrown away.
 * Programs carry the lines of their description, so its words come with these.
 */
struct assembler;

/* ST_BAD_REQUEST: the programs are C. */
enum status	 assembler_open(struct assembler **, struct micro *, struct fault *);
void		 assembler_add(struct assembler *, const char *text);
/* ST_BUILD_FAILED: the fault is its first error; NULL: nothing is read.  Frees it. */
enum status	 assembler_close(struct assembler *, struct fault *);

#endif
