/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_READ_UNIT_NAMES_H
#define ASSAY_WORKER_BUILD_UNIT_READ_UNIT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/name.h"

/* What a source of C defines beside its routine: macros give it another name in each version. */
enum { UNIT_NAMES_MOST = 64 };

struct unit_names {
	size_t	n;
	char	name[UNIT_NAMES_MOST][NAME_MAX_BYTES + 1];
};

/* Once for each name.  False: there are too many, or a word of the language cannot be one. */
bool	 unit_names_add(struct unit_names *, const char *at, size_t bytes);

/*
 * May they be macros?  Not if a directive other than a macro's text has one of them, or if it is a
 * word of attributes.
 */
bool	 unit_names_fit(const struct unit_names *, const char *clean);

#endif
