/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_CONTENT_H
#define ASSAY_WORKER_BUILD_CONTENT_H

#include "proto/spec/spec.h"
#include "proto/wire/msg.h"

/*
 * The SHA-256 of a built variant's bytes, if they alone decide about its time.  A variant with
 * libraries has more code than its object, and one with several layouts has more objects: then it
 * is the name of its recipe.  "": the object cannot be read, or the calls are a checkpoint image's,
 * which may be another file tomorrow.
 */
void		 content_of(struct hash *, const char *cache_dir, const struct job *,
		    const struct variant *, const struct hash *artifact);

#endif
