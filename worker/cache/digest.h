/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CACHE_DIGEST_H
#define ASSAY_WORKER_CACHE_DIGEST_H

#include <stddef.h>

#include "proto/wire/msg.h"

/* SHA-256 of a sequence of parts, each with its length: "ab", "c" and "a", "bc" differ. */
struct digest;

enum status	 digest_new(struct digest **, struct fault *);
void		 digest_add(struct digest *, const void *part, size_t bytes);
void		 digest_text(struct digest *, const char *text);

/* Bytes without a length before them: alone, they make the sum of sha256sum(1). */
void		 digest_more(struct digest *, const void *bytes, size_t n);

/* Frees the digest.  ST_INTERNAL: the library failed. */
enum status	 digest_end(struct digest *, struct hash *);

/* Of what is left to be read of a file, as sha256sum(1).  ST_INTERNAL: it cannot be read. */
enum status	 digest_file(int fd, struct hash *, struct fault *);

#endif
