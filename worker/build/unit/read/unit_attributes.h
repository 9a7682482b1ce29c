/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_READ_UNIT_ATTRIBUTES_H
#define ASSAY_WORKER_BUILD_UNIT_READ_UNIT_ATTRIBUTES_H

#include "worker/build/unit/read/unit_macros.h"

/*
 * Attributes that say nothing about a function to those who call it: of types and variables, and
 * how a function that is defined here is inlined.  All others are built alone.
 */
bool	 unit_attributes_has(const char *name);
/* No macro has the name of one of them. */
bool	 unit_attributes_are_no_macros(const struct unit_macros *);

/* "__attribute__", "_Alignas" and the like. */
bool	 unit_is_attribute(const char *at, size_t bytes);
/* Behind the word: "((aligned(64), unused))".  False: one is of another kind. */
bool	 unit_attributes_fit(const char *);
/* Behind the word: up to the bracket that closes; 0: there is none. */
size_t	 unit_attributes_bytes(const char *);

#endif
