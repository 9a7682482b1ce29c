/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_ASSEMBLER_H
#define ASSAY_CLIENT_MICRO_ASSEMBLER_H

#include "client/micro/model/micro.h"
#include "client/micro/plugin/made.h"

/*
 * --check: the assembler reads programs, many in one run, and what it makes is thrown away.
 * Programs carry the lines of their description, so its words come with these.
 */
struct assembler;

/* ST_BAD_REQUEST: the programs are C. */
enum status	 assembler_open(struct assembler **, struct micro *, struct fault *);
/* ST_BUILD_FAILED: the fault is the first error. */
enum status	 assembler_add(struct assembler *, const struct made *, struct fault *);
enum status	 assembler_flush(struct assembler *, struct fault *);	/* those still held */
void		 assembler_free(struct assembler *);			/* NULL is fine */

#endif
