/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_MISSING_H
#define ASSAY_WORKER_MISSING_H

#include <stddef.h>

/*
 * Instead of a function that an object does not have, up to 8 of those that it has, "one, two", those that look like it
 * first; "none" if there are none.  `lines`: all of them, one a line; written to.
 */
void		 missing_list(const char *wanted, char *lines, char *list, size_t bytes);

#endif
