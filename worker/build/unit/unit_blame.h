/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_UNIT_BLAME_H
#define ASSAY_WORKER_BUILD_UNIT_UNIT_BLAME_H

#include <stdbool.h>

/* A unit's text, as its compiler has read it. */
struct unit_page {			/* all borrowed */
	const char	*file;		/* its name in diagnostics */
	const char	*text;		/* of unit_text_c or unit_text_asm */
	const char	*routine;
};

/*
 * Set guilty[k] for each of n versions that a compiler's words report an error in.  What follows
 * one version's error may be reported in the next, so an innocent one may be among them.  True:
 * some are, and all errors were within a version.
 */
bool	 unit_blame(bool *guilty, unsigned n, const char *words, const struct unit_page *);

#endif
