/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <zlib.h>

#include "daemon/http/http_gzip.h"

/* 128 KiB a stream: what repeats in lines is some kilobytes apart. */
enum { LEVEL = 6, WINDOW_BITS = 14, AS_GZIP = 16, MEMORY = 7, OUT_BYTES = 16 << 10 };

struct gzip {
	z_stream	z;
};

struct gzip *
gzip_new(void)
{
	struct gzip	*g = calloc(1, sizeof *g);

	if (g == NULL || deflateInit2(&g->z, LEVEL, Z_DEFLATED, WINDOW_BITS + AS_GZIP, MEMORY,
	    Z_DEFAULT_STRATEGY) == Z_OK)
		return g;
	free(g);
	return NULL;
}

void
gzip_free(struct gzip *g)
{
	if (g == NULL)
		return;
	(void)deflateEnd(&g->z);
	free(g);
}

/* Up to where zlib has nothing more to write. */
static enum status
press(struct gzip *g, struct evbuffer *to, int how)
{
	unsigned char	out[OUT_BYTES];

	do {
		g->z.next_out = out;
		g->z.avail_out = sizeof out;
		if (deflate(&g->z, how) == Z_STREAM_ERROR ||
		    evbuffer_add(to, out, sizeof out - g->z.avail_out) != 0)
			return ST_NOMEM;
	} while (g->z.avail_out == 0);
	return ST_OK;
}

static enum status
press_all(struct gzip *g, struct evbuffer *from, struct evbuffer *to, bool is_last)
{
	struct evbuffer_iovec	piece;
	enum status		st = ST_OK;

	while (st == ST_OK && evbuffer_peek(from, -1, NULL, &piece, 1) > 0) {
		g->z.next_in = piece.iov_base;
		g->z.avail_in = (uInt)piece.iov_len;
		st = press(g, to, Z_NO_FLUSH);
		(void)evbuffer_drain(from, piece.iov_len);
	}
	return st == ST_OK ? press(g, to, is_last ? Z_FINISH : Z_SYNC_FLUSH) : st;
}

enum status
gzip_put(struct gzip *g, struct evbuffer *buf, bool is_last, struct fault *why)
{
	struct evbuffer	*to = evbuffer_new();
	enum status	 st = to != NULL ? press_all(g, buf, to, is_last) : ST_NOMEM;

	if (st == ST_OK && evbuffer_add_buffer(buf, to) != 0)
		st = ST_NOMEM;
	if (to != NULL)
		evbuffer_free(to);
	return st == ST_OK ? st : fault_set(why, ST_NOMEM, "compression");
}
