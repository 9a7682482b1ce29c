/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_UNIT_SCOPE_H
#define ASSAY_WORKER_BUILD_UNIT_UNIT_SCOPE_H

#include <stdbool.h>

#include "proto/spec/spec.h"

/*
 * What a source of C declares outside of its functions is there for the versions behind it in a
 * unit (unit.h).  So it must be the same in all of them: no declaration but the routine's own
 * definition may depend on a condition or a macro.  Nor may it define anything else: a second
 * function, table or structure of the same name is an error.  `clean` is the source as of
 * unit_clean.h, and its directives are known to be fit.
 */
bool	 unit_scope_fits(const struct job *, const char *clean);

#endif
