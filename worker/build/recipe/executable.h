/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_RECIPE_EXECUTABLE_H
#define ASSAY_WORKER_BUILD_RECIPE_EXECUTABLE_H

#include <stddef.h>

#include "proto/base/fault.h"

/*
 * Are these bytes, which someone submitted, an executable that this machine can start?  ELF for it,
 * whole, with an entry in code that is loaded, and a dynamic linker that is here if it names one.
 * ST_LOAD_FAILED: no, and `why` says what they are instead.  Nothing is executed.
 */
enum status	 executable_check(const void *bytes, size_t n, struct fault *why);

#endif
