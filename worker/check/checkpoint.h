/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHECK_CHECKPOINT_H
#define ASSAY_WORKER_CHECK_CHECKPOINT_H

#include <sys/stat.h>

#include "proto/spec/spec.h"
#include "proto/wire/image.h"
#include "proto/wire/msg.h"
#include "worker/check/answer.h"

/*
 * The supervisor's copy of the image that a spec names (automated timer generation, section 3.2).
 * It is in memory, taken and hashed at once.  So a bench runs the very bytes that its results name,
 * even if the file changes.
 */
struct checkpoint {
	int		 fd;		/* of the copy, a memfd; owned; -1: there is none */
	uint64_t	 bytes;
	void		*map;		/* of it; owned */
	struct image	 image;		/* borrows the map */
	struct hash	 digest;	/* SHA-256 of the file */
	struct stat	 from;		/* the file as it was */
};

void		 checkpoint_init(struct checkpoint *);
void		 checkpoint_release(struct checkpoint *);

/*
 * Have the spec's image. true in *changed: it is another than before.  ST_BAD_SPEC at
 * spec.checkpoint: there is none of that name, or it cannot be restarted here, or not with this
 * routine.
 */
enum status	 checkpoint_open(struct checkpoint *, const char *images_dir, const struct spec *,
		    bool *changed, struct fault *);

uint64_t	 checkpoint_output_bytes(const struct checkpoint *, const struct spec *);

/*
 * Compare a check with the reference's: how often the routine was called, each result, and the
 * image's memory but its stack byte for byte.  Words that lead into code before and after belong to
 * the dynamic linker.  Words that differ in the reference's run `again` are not compared.
 */
void		 checkpoint_compare(struct answer *, const struct checkpoint *, const struct spec *,
		    const void *got, const void *want, const void *again);

#endif
