/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CACHE_CODESIZE_H
#define ASSAY_WORKER_CACHE_CODESIZE_H

#include <stdint.h>

/*
 * Bytes of code in a shared object: the sizes of all executable sections by its own headers. 0: not
 * readable as ELF.  The file may be a submitted one, so it is read, never mapped or loaded.
 */
uint64_t	 codesize_of(const char *path);

#endif
