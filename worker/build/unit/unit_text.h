/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_UNIT_TEXT_H
#define ASSAY_WORKER_BUILD_UNIT_UNIT_TEXT_H

#include "proto/spec/spec.h"
#include "worker/build/recipe/recipe.h"

/*
 * The text of a unit (unit.h).  The functions return it, owned by the caller; NULL: out of memory,
 * or a macro that has no place in a file.
 */
#define UNIT_SOURCE	"routine.inc"	/* what a unit of C includes */
/* A line before each version starts so; then its number in C, the routine's name in assembly. */
#define UNIT_BETWEEN	"static int assay_between_"
#define UNIT_SECTION	"\t.section .text."

/* Can this source be in a unit? */
bool	 unit_text_fits(const struct job *);

/*
 * Of C: for each recipe its macros, the routine's name as a macro, and the source.  All macros end
 * before the next, those that the source defines as well.
 */
char	*unit_text_c(const struct job *, const struct recipe *const *, unsigned n);

/*
 * The headers of a source in C, and behind them an error for each of its macros, and for the
 * routine, if a header has this name: what the header made of it in one version would hold in the
 * next.  False: out of memory; NULL: it has no headers.
 */
bool	 unit_text_headers(char **, const struct job *, const struct recipe *const *, unsigned n);

/* Can this program of plain assembly?  False, too: out of memory. */
bool	 unit_asm_fits(const char *source);
/* Of programs that can: each in a section of its own, its labels with its number. */
char	*unit_text_asm(const char *routine, const struct recipe *const *, unsigned n);

#endif
