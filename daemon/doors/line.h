/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_LINE_H
#define ASSAY_DAEMON_DOORS_LINE_H

#include <stddef.h>

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * Bytes → lines → JSON.  No I/O.  The limits of daemon/api/api.h bound what a peer can make us
 * hold, before it is allocated.
 */

/* The place of a fault in a text. */
struct place {
	size_t	 line, column;		/* from 1; columns are characters */
	size_t	 offset;		/* bytes, from 0 */
};

struct line_buffer {
	char	*bytes;			/* owned */
	size_t	 size, begin, end;	/* [begin, end) is not handed out yet */
	size_t	 scanned;		/* no newline in [begin, scanned) */
};

void		 line_init(struct line_buffer *);
void		 line_release(struct line_buffer *);
enum status	 line_put(struct line_buffer *, const void *bytes, size_t n);	/* ST_NOMEM */
/* A buffer that one long line made big does not stay big; ends what line_take lent. */
void		 line_shrink(struct line_buffer *);

/*
 * ST_OK: a line without its newline, borrowed until the next line_put.  ST_NOT_FOUND: no whole line
 * yet.  ST_FULL: it is longer than API_MAX_LINE_BYTES; nothing more comes out of this buffer.
 */
enum status	 line_take(struct line_buffer *, const char **line, size_t *bytes);

/*
 * One JSON value, strictly: UTF-8, no duplicate member, no NUL; a new reference.  ST_BAD_REQUEST
 * with the place.
 */
enum status	 line_parse(const char *text, size_t bytes, json_t **out, struct place *,
		    struct fault *);

#endif
