/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_MISSING_H
#define ASSAY_WORKER_BENCH_MISSING_H

#include "proto/base/fault.h"

/*
 * ST_LOAD_FAILED: an object does not have the function `wanted`; told with up to 8 of those that it has, those that
 * look like it first.  `lines`: all of them, one a line; written to.
 */
enum status	 missing_function(struct fault *, const char *wanted, char *lines);

#endif
