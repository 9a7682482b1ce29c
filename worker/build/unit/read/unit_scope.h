/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_READ_UNIT_SCOPE_H
#define ASSAY_WORKER_BUILD_UNIT_READ_UNIT_SCOPE_H

#include <stdbool.h>

#include "proto/spec/spec.h"
#include "worker/build/unit/read/unit_names.h"

/*
 * What a source of C declares outside of its functions is there for the versions behind it in a
 * unit (unit.h).  What it defines beside the routine gets a name of its own in each version:
 * functions, tables, variables, types and their constants, and the static variables of bodies.  All
 * other declarations must be the same in all versions: none may depend on a condition or a macro,
 * or have attributes.  `clean` is the source as of unit_clean.h, and its directives are known to be
 * fit.
 */
bool	 unit_scope_read(const struct job *, const char *clean, struct unit_names *);

#endif
