/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_MENTIONS_H
#define ASSAY_WORKER_BUILD_RECIPE_MENTIONS_H

#include "proto/spec/spec.h"

/*
 * Can a macro of this name change the variant?  It has the name in its source, defines or flags; or
 * it includes a file or pastes names together, so that this cannot be seen.  Points of a sweep that
 * differ in other macros share an object.
 */
bool	 mentions_macro(const struct variant *, const char *name);

#endif
