/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_READ_UNIT_LISTED_H
#define ASSAY_WORKER_BUILD_UNIT_READ_UNIT_LISTED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Words with which a source of C places or names its functions itself, or asks where it is; and
 * names that a unit makes (unit.h).
 */
bool	 unit_is_listed(const char *at, size_t bytes);
/* Could it be one, or an attribute's word, with more behind it? */
bool	 unit_may_begin_listed(const char *at, size_t bytes);

#endif
