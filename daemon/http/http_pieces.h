/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HTTP_HTTP_PIECES_H
#define ASSAY_DAEMON_HTTP_HTTP_PIECES_H

#include <event2/buffer.h>
#include <jansson.h>

#include "daemon/api/api.h"

/*
 * Bodies in pieces: each is made when the one before is with the kernel, so a slow reader costs the
 * memory of one.  Before the first piece a fault is answered as any other; later the peer misses
 * the last chunk.  For those that take it, pieces are compressed; each can be read at once.
 */
struct exchange;
struct http_pieces;

/* Where they come from; `read`, or `ask` and `take`.  None may be NULL but `seen`. */
struct piece_source {
	/* On a reader's thread: appends a piece, which may be empty; *is_last: none follows. */
	enum status	(*read)(void *arg, struct store *, struct evbuffer *, bool *is_last,
			    struct fault *);
	/* On the event loop, as are all below: the params of the route's method; a reference. */
	json_t		*(*ask)(void *arg);
	enum status	(*take)(void *arg, const struct api_reply *, struct evbuffer *,
			    bool *is_last, struct fault *);
	void		(*seen)(void *arg, struct api *);	/* a piece was read */
	void		(*free)(void *arg);
};

/* Answers the exchange, and frees it.  type: of the media, static; arg: taken. */
void		 http_send_pieces(struct exchange *, const char *type,
		    const struct piece_source *, void *arg);
/* Its exchange is freed; a thread may still have them.  NULL is fine. */
void		 http_pieces_drop(struct http_pieces *);

#endif
