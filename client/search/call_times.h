/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_CALL_TIMES_H
#define ASSAY_CLIENT_SEARCH_CALL_TIMES_H

#include <stddef.h>

#include "proto/base/fault.h"

/* "12.3us", "1.5 ms", "7" (nanoseconds) → nanoseconds, > 0.  ST_BAD_REQUEST. */
enum status	 call_times_parse_one(const char *text, double *ns, struct fault *);

/*
 * The times in a file's text: a JSON array of numbers (nanoseconds) or strings, an object with such
 * an array as `calls_ns`, or one time a line, with # comments.  The caller owns *ns.
 */
enum status	 call_times_parse(const char *text, double **ns, size_t *n, struct fault *);

#endif
