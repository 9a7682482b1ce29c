/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_UNDEFINED_H
#define ASSAY_WORKER_BENCH_UNDEFINED_H

#include "proto/base/fault.h"

/*
 * ST_LOAD_FAILED: an object does not define the function `wanted`; the words name up to 8 that it
 * defines, the most similar first.  They also say what to do if the function has the name that C++
 * or Fortran gives it.  `lines`: all that it defines, one a line; written to.
 */
enum status	 undefined_function(struct fault *, const char *wanted, char *lines);

#endif
