/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_PLAIN_H
#define ASSAY_WORKER_BUILD_RECIPE_PLAIN_H

#include "proto/spec/spec.h"

/*
 * Assembly that the C preprocessor would hand on as it is: then the assembler reads it at once.
 * The test is coarse; what it does not know is preprocessed.
 */
bool	 plain_is(const struct spec *, const struct variant *);

#endif
