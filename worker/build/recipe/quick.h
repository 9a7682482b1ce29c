/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_QUICK_H
#define ASSAY_WORKER_BUILD_RECIPE_QUICK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * tcc, which compiles in a few milliseconds and does not optimize: for checks of answers alone.  It
 * has no -###, and its own linker knows none of the options that a routine's object needs.
 */
#define QUICK_COMPILER	"tcc"

bool	 quick_is(const char *compiler);

/*
 * What another driver would print with -### for this command line: tcc makes one object of all
 * sources, and the linker links it.  NULL: no memory.  The caller frees it.
 */
char	*quick_steps(const char *const *words, size_t n);

#endif
