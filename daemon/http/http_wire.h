/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HTTP_HTTP_WIRE_H
#define ASSAY_DAEMON_HTTP_HTTP_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where requests begin and end in a connection's bytes, strictly by RFC 9112.  libevent parses them
 * again; here, those are refused whose end another reader might see elsewhere.  No I/O.
 */
enum wire_state {
	WIRE_IDLE,		/* between requests */
	WIRE_FIRST, WIRE_HEAD, WIRE_BODY, WIRE_CHUNK_SIZE, WIRE_CHUNK, WIRE_CHUNK_END,
	WIRE_TRAILER,
	WIRE_BAD,		/* for good */
};

enum { WIRE_LINE_BYTES = 128, WIRE_VERSION_BYTES = 8 };

struct wire {
	enum wire_state	 state;
	char		 line[WIRE_LINE_BYTES];		/* its beginning; NUL-terminated */
	size_t		 line_bytes;			/* all of it so far, with its end */
	char		 tail[WIRE_VERSION_BYTES];	/* the last bytes of a first line */
	bool		 cr;				/* the last byte was a CR */
	bool		 may_have_body, is_1_1, has_host, has_length, chunked;
	uint64_t	 left;				/* bytes of the body or chunk to come */
	bool		 bad_chunk;			/* WIRE_BAD in place of a chunk's line */
	bool		 says_no_length;		/* of a body that its method may have: it is
							 * empty (RFC 9112, 6.3) */
	bool		 too_large;			/* WIRE_BAD: an announced body is */
	const char	*reason;			/* of WIRE_BAD */
};

/*
 * Reads up to the end of a head, of a request, or of the bytes; returns how many were read.  In
 * WIRE_BAD the line at fault is the last line_bytes of these and of what was read before.
 */
size_t	 wire_read(struct wire *, const char *bytes, size_t n);

#endif
