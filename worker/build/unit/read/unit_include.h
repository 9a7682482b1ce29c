/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_READ_UNIT_INCLUDE_H
#define ASSAY_WORKER_BUILD_UNIT_READ_UNIT_INCLUDE_H

#include "proto/spec/spec.h"

#define UNIT_SOURCE	"routine.inc"	/* what a unit of C includes for each version */

enum { UNIT_SOURCE_BYTES = 64 << 10 };	/* at most, with what it includes */

/*
 * The variant's source as of unit_clean.h, with each file beside it in the place of the `#include`
 * that names it.  The compiler reads them so, too: once in each version, as a file's guard is a
 * macro of the version (unit_text.h).  Of a guard only the definition is left.  Owned by the
 * caller.  NULL: as there; or a file is compiled by itself, has UNIT_SOURCE's name, is not found,
 * stands under a condition, includes itself, has a guard that something else defines, or is found
 * instead of a header of the system; or all is too long.
 */
char	*unit_with_files(const struct job *);

/*
 * A variant's file, the k-th, as a unit has it: a guard stands for "#pragma once", which would keep
 * the file from the second version.  Owned by the caller; NULL: out of memory.
 */
char	*unit_file_text(const struct source_file *, unsigned k);

#endif
