/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_UNIT_ATTRIBUTES_H
#define ASSAY_WORKER_BUILD_UNIT_UNIT_ATTRIBUTES_H

#include "proto/spec/spec.h"

/*
 * Attributes of variables and types, which end with the body that they stand in.  All others may
 * place, name or align a function, or say something about it to those who call it.
 */

/* Behind the word: "((aligned(64), unused))".  False: one is of another kind. */
bool		 unit_attributes_fit(const char *);
/* No macro of the variant's, the spec's or the source's has the name of one of them. */
bool		 unit_attributes_are_no_macros(const struct job *, const char *clean);

#endif
