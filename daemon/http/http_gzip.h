/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HTTP_HTTP_GZIP_H
#define ASSAY_DAEMON_HTTP_HTTP_GZIP_H

#include <stdbool.h>

#include <event2/buffer.h>

#include "proto/base/fault.h"

/* A body in pieces, as gzip.  Any thread, one at a time. */
struct gzip;

struct gzip	*gzip_new(void);		/* NULL: no memory */
void		 gzip_free(struct gzip *);	/* NULL is fine */
/*
 * The buffer's bytes become their compressed form, from which its reader gets all of them at once.
 * is_last: that of the end, too.  Without memory the buffer is left with some of either.
 */
enum status	 gzip_put(struct gzip *, struct evbuffer *, bool is_last, struct fault *);

#endif
