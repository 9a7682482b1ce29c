/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CACHE_CODESIZE_H
#define ASSAY_WORKER_CACHE_CODESIZE_H

#include <stdint.h>

/*
 * Bytes of code in a shared object: of all sections that are executed, as its own headers tell.  0: it tells nothing
 * that makes sense.  The file is read, never mapped or loaded: it may be a submitted one.
 */
uint64_t	 codesize_of(const char *path);

#endif
