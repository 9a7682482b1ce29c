/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_PLUGIN_FRAMES_H
#define ASSAY_CLIENT_MICRO_PLUGIN_FRAMES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "proto/base/fault.h"

/*
 * What a process with plugins says of its programs, through a pipe.  Its reader trusts no byte: a
 * plugin can have written any of them.
 */
enum frame_kind { FRAME_COUNT, FRAME_PROGRAM, FRAME_FAULT, FRAME_END, FRAME_NKINDS };

enum {
	FRAME_PARTS = 4, FRAME_NAME_BYTES = 200, FRAME_TEXT_BYTES = 16 << 20,
	FRAME_META_BYTES = 1 << 20
};

struct frame {
	enum frame_kind	 kind;
	uint64_t	 value;			/* programs, a program's number, a status */
	/* of a program: name, language, text, JSON of its meta; of a fault: member, text, hint */
	const char	*part[FRAME_PARTS];	/* borrowed; NULL: empty */
};

/* false: it could not be written. */
bool		 frame_put(FILE *, const struct frame *);

typedef enum status frame_fn(void *arg, const struct frame *, struct fault *);

struct frames {
	frame_fn	*take;
	void		*arg;		/* borrowed */
	char		*held;		/* owned: a frame that has begun */
	size_t		 n, room;
	uint64_t	 taken_bytes;
	bool		 has_ended;	/* FRAME_END came, or a fault, which was taken */
};

void		 frames_init(struct frames *, frame_fn *, void *arg);
/*
 * Take what has come.  ST_BAD_SPEC: it is no frame, or there is something behind the last one; or
 * what `take` returned.
 */
enum status	 frames_read(struct frames *, const void *, size_t bytes, struct fault *);
void		 frames_release(struct frames *);

#endif
