/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_UNIT_TEXT_H
#define ASSAY_WORKER_BUILD_UNIT_UNIT_TEXT_H

#include "proto/spec/spec.h"
#include "worker/build/recipe/recipe.h"

/*
 * The text of a unit (unit.h).  The functions return it, owned by the caller; NULL: out of memory,
 * or a macro that has no place in a file.
 */
/* A line before each version starts so; then its number in C, the routine's name in assembly. */
#define UNIT_BETWEEN	"extern __inline__ __attribute__((gnu_inline)) int assay_between_"
#define UNIT_SECTION	"\t.section .text."

/*
 * Of C: for each recipe its macros, the names that the source defines as macros, and the source.
 * All macros end before the next, those that the source defines as well.
 */
char	*unit_text_c(const struct job *, const struct recipe *const *, unsigned n);

/*
 * The headers of a source in C, and behind them an error for each of its macros, and for each name
 * that it defines, if a header has one: what the header made of it in one version would hold in the
 * next.  False: out of memory; NULL: it has no headers.
 */
bool	 unit_text_headers(char **, const struct job *, const struct recipe *const *, unsigned n);

/* Does the source define anything beside the routine? */
bool	 unit_text_has_names(const struct job *);

/* Of programs that can: each in a section of its own, its labels with its number. */
char	*unit_text_asm(const char *routine, const struct recipe *const *, unsigned n);

#endif
