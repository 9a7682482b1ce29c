/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_READ_UNIT_PRAGMAS_H
#define ASSAY_WORKER_BUILD_UNIT_READ_UNIT_PRAGMAS_H

#include <stddef.h>

#include "proto/spec/spec.h"

/*
 * Pragmas of the next loop alone, or unknown to both compilers: "GCC unroll 4".  How many words say
 * which; 0: another pragma.
 */
size_t	 unit_pragma_words(const char *);

/*
 * gcc expands no macro in most of these directives.  So a factor of unrolling that is a macro comes
 * by the operator `_Pragma`, and that mostly by a macro which makes a string of its argument:
 *
 *	#define DO_PRAGMA(x) _Pragma(#x)
 *	#define UNROLL(n) DO_PRAGMA(GCC unroll n)
 *
 * So these read a source as of unit_include.h, or what a macro of the submitter's stands for, and
 * the operators, their arguments and the texts of such macros are blanks.  Owned by the caller.
 * NULL: as there; and there is another pragma, or another way to one.
 */
char	*unit_clean_source(const struct job *);
char	*unit_clean_macro(const char *text);

#endif
