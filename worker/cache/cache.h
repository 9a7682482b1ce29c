/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CACHE_CACHE_H
#define ASSAY_WORKER_CACHE_CACHE_H

#include <stdint.h>

#include "proto/wire/msg.h"

/*
 * The artifact cache: shared objects under <dir>/ab/abcd….so, named by the hash of their recipe.
 * Builders and slots share it without a lock.  Objects arrive whole, by rename, and one name always
 * has the same content.  A reader that finds an object gone has it built again.  Past the limit the
 * least recently used are removed.
 */
struct cache;

enum { ARTIFACT_MAX_BYTES = 16 << 20 };

enum status	 cache_open(struct cache **, const char *dir, uint64_t limit_bytes, struct fault *);
void		 cache_free(struct cache *);

/* Is the object there?  If so, it counts as used now. */
bool		 cache_has(struct cache *, const struct hash *);

/*
 * Put a copy of the file's whole content into the cache.  ST_BUILD_LIMIT: larger than
 * ARTIFACT_MAX_BYTES.  ST_LOAD_FAILED: not a shared object or program for this machine.  ST_IO.
 */
enum status	 cache_put(struct cache *, const struct hash *, int fd, struct fault *);

/* It was wrong: have it built again. */
void		 cache_drop(struct cache *, const struct hash *);

/*
 * The path of a cached object; false: it is not in the cache.  The whole object is read: a damaged
 * one is removed, so that it is built again.
 */
bool		 artifact_path(const char *cache_dir, const struct hash *, char *buf, size_t bytes);

/*
 * Is this the start of a whole ELF object of this type (ET_REL, ET_DYN, ET_EXEC) for this machine?
 * `bytes` is the size of the whole file.
 */
bool		 cache_is_object(const void *start, size_t start_bytes, uint64_t bytes,
		    unsigned elf_type);

/* Bytes in the cache at the last count and put here since; other processes may have added more. */
uint64_t	 cache_bytes(const struct cache *);

#endif
