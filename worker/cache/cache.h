/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CACHE_CACHE_H
#define ASSAY_WORKER_CACHE_CACHE_H

#include <stdint.h>

#include "proto/wire/msg.h"

/*
 * The artifact cache: shared objects under <dir>/ab/abcd….so by the hash of what went into them.  Any number of
 * builders and slots share it without a lock: an object comes in whole by rename, the same name always has the same
 * content, and a reader that finds one gone has it built again.  The least recently used go when the limit is passed.
 */
struct cache;

enum { ARTIFACT_MAX_BYTES = 16 << 20 };

enum status	 cache_open(struct cache **, const char *dir, uint64_t limit_bytes, struct fault *);
void		 cache_free(struct cache *);
bool		 cache_has(struct cache *, const struct hash *);	/* and was used just now */

/*
 * Take a copy of the shared object in this file, from its start.  ST_BUILD_LIMIT: larger than ARTIFACT_MAX_BYTES;
 * ST_LOAD_FAILED: no shared object for this machine; ST_IO.
 */
enum status	 cache_put(struct cache *, const struct hash *, int fd, struct fault *);

/* The path of a cached object, or false: it is not there (any more). */
bool		 artifact_path(const char *cache_dir, const struct hash *, char *buf, size_t bytes);

/* Do these bytes begin a whole ELF object of this type (ET_REL, ET_DYN) for this machine?  `bytes`: of all of it. */
bool		 cache_is_object(const void *start, size_t start_bytes, uint64_t bytes,
		    unsigned elf_type);

uint64_t	 cache_bytes(const struct cache *);	/* as far as this process knows */

#endif
