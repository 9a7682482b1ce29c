/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CACHE_CODESIZE_H
#define ASSAY_WORKER_CACHE_CODESIZE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Bytes of code in a shared object: the sizes of all executable sections by its own headers. 0: not
 * readable as ELF.  The file may be a submitted one, so it is read, never mapped or loaded.
 */
uint64_t	 codesize_of(const char *path);

/*
 * Bytes of the function with one of these names, by its symbol; "" is no name.  Without a symbol
 * that has a size: codesize_of.
 */
uint64_t	 codesize_of_routine(const char *path, const char *const name[], size_t nnames);

#endif
