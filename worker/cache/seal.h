/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CACHE_SEAL_H
#define ASSAY_WORKER_CACHE_SEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/cache/digest.h"

/*
 * The last bytes of a cached object: the SHA-256 of the bytes before them.  A loader ignores what
 * follows the sections.  An object that a disk, or another program, has changed is recognised by
 * it, and no variant is blamed for its crash.
 */
#define SEAL_MAGIC	"ASSAYSUM"
enum { SEAL_MAGIC_BYTES = 8, SEAL_BYTES = SEAL_MAGIC_BYTES + HASH_HEX };

void		 seal_make(const struct hash *, char seal[SEAL_BYTES]);
/* bytes: the file's size.  Only whether there is a seal; not what it says. */
bool		 seal_is_there(int fd, uint64_t bytes);
/* Reads the whole file: some 0.6 ms for each MiB. */
bool		 seal_holds(int fd, uint64_t bytes);

#endif
