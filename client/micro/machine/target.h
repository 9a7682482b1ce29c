/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MACHINE_TARGET_H
#define ASSAY_CLIENT_MICRO_MACHINE_TARGET_H

#include "proto/base/fault.h"

/* What programs are generated for.  Descriptions are written in x86-64's names for each of them. */
enum machine { MACHINE_X86_64, MACHINE_AARCH64, MACHINE_NMACHINES };

struct target {
	enum machine	 machine;
	unsigned	 vector_bytes;	/* 16, 32, 64; 0: as the description says */
};

/* Values of --machine and --vector, either may be NULL; ST_BAD_REQUEST names the option. */
enum status	 target_from_words(struct target *, const char *machine, const char *vector,
		    struct fault *);
const char	*machine_word(enum machine);		/* "x86_64", "aarch64" */
enum machine	 machine_of_host(void);
/* What ends a kernel's function: it returns what %eax has in the description.  Whole lines. */
const char	*machine_return(enum machine);
const char	*machine_comment(enum machine);		/* "#", "//" */

#endif
