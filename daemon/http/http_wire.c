/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/http/http_kind.h"
#include "daemon/http/http_wire.h"

enum { CHUNK_DIGITS = 8 };

static void
refuse(struct wire *w, const char *reason)
{
	w->bad_chunk = w->state == WIRE_CHUNK_SIZE || w->state == WIRE_CHUNK_END;
	w->state = WIRE_BAD;
	w->reason = reason;
}

/* ---- lines ---- */

static void
first_line(struct wire *w)
{
	static const char *const	bodies[] = { "POST ", "PUT ", "PATCH " };

	w->is_1_1 = memcmp(w->tail, "HTTP/1.1", WIRE_VERSION_BYTES) == 0;
	for (unsigned i = 0; i < sizeof bodies / sizeof bodies[0]; i++)
		w->may_have_body |= strncmp(w->line, bodies[i], strlen(bodies[i])) == 0;
	w->state = WIRE_HEAD;
}

/* A value without the blanks around it; NULL: longer than any that matters. */
static char *
value_of(struct wire *w, char *colon)
{
	char	*v = colon + 1 + strspn(colon + 1, " \t");
	size_t	 n = strlen(v);

	if (w->line_bytes >= WIRE_LINE_BYTES)
		return NULL;
	while (n > 0 && (v[n - 1] == ' ' || v[n - 1] == '\t'))
		v[--n] = '\0';
	return v;
}

/* Digits beyond any number are more than any limit. */
static void
content_length(struct wire *w, const char *v)
{
	size_t	digits = v != NULL ? strspn(v, "0123456789") : 0;

	if (w->has_length)
		refuse(w, "two Content-Lengths");
	else if (digits == 0 || v[digits] != '\0')
		refuse(w, "a Content-Length that is no number");
	else
		w->left = strtoull(v, NULL, 10);
	w->has_length = true;
	if (w->state == WIRE_BAD || !w->may_have_body || w->left <= HTTP_BODY_BYTES)
		return;
	refuse(w, "its body is longer than 16 MiB");
	w->too_large = true;
}

static void
transfer_encoding(struct wire *w, const char *v)
{
	if (w->chunked || v == NULL || strcasecmp(v, "chunked") != 0)
		refuse(w, "a Transfer-Encoding that is not chunked alone");
	w->chunked = true;
}

static void
header_line(struct wire *w)
{
	static const char	token[] = "!#$%&'*+-.^_`|~0123456789"
				    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t			name = strspn(w->line, token);
	char			*colon = w->line + name;

	if (name == 0 || *colon != ':') {
		refuse(w, "a header without a proper name");
		return;
	}
	*colon = '\0';
	if (strcasecmp(w->line, "Content-Length") == 0)
		content_length(w, value_of(w, colon));
	else if (strcasecmp(w->line, "Transfer-Encoding") == 0)
		transfer_encoding(w, value_of(w, colon));
	else if (strcasecmp(w->line, "Host") == 0 && w->has_host)
		refuse(w, "two Hosts");
	else if (strcasecmp(w->line, "Host") == 0)
		w->has_host = true;
}

static void
end_of_head(struct wire *w)
{
	if (w->is_1_1 && !w->has_host)
		refuse(w, "HTTP/1.1 without Host");
	else if (w->chunked && (w->has_length || !w->is_1_1))
		refuse(w, "Transfer-Encoding with Content-Length, or in HTTP/1.0");
	else if (!w->may_have_body && (w->chunked || w->left > 0))
		refuse(w, "a body that this method does not have");
	else if (w->chunked)
		w->state = WIRE_CHUNK_SIZE;
	else
		w->state = w->left > 0 ? WIRE_BODY : WIRE_IDLE;
	w->says_no_length = w->may_have_body && !w->has_length && !w->chunked;
}

static void
chunk_size(struct wire *w)
{
	size_t	digits = strspn(w->line, "0123456789abcdefABCDEF");

	if (digits == 0 || digits > CHUNK_DIGITS || w->line[digits] != '\0')
		refuse(w, "a chunk's size that is no number");
	else if ((w->left = strtoull(w->line, NULL, 16)) == 0)
		w->state = WIRE_TRAILER;
	else
		w->state = WIRE_CHUNK;
}

/* The line is whole, with CR and LF. */
static void
end_of_line(struct wire *w)
{
	const bool	empty = w->line_bytes == 2;

	if (w->state == WIRE_FIRST)
		first_line(w);
	else if (w->state == WIRE_CHUNK_SIZE)
		chunk_size(w);
	else if (w->state == WIRE_CHUNK_END && empty)
		w->state = WIRE_CHUNK_SIZE;
	else if (w->state == WIRE_CHUNK_END)
		refuse(w, "a chunk that is longer than its size");
	else if (!empty)
		header_line(w);
	else if (w->state == WIRE_HEAD)
		end_of_head(w);
	else
		w->state = WIRE_IDLE;
	if (w->state != WIRE_BAD)
		w->line_bytes = 0;
}

static void
line_byte(struct wire *w, char c)
{
	const bool	was_cr = w->cr;

	w->line_bytes++;
	w->cr = c == '\r';
	if (c == '\0' || (was_cr && c != '\n') || (c == '\n' && !was_cr)) {
		refuse(w, "a line with a NUL, or not ended by CR and LF");
	} else if (c == '\n') {
		if (w->line_bytes - 2 < WIRE_LINE_BYTES)
			w->line[w->line_bytes - 2] = '\0';
		end_of_line(w);
	} else if (c != '\r') {
		if (w->line_bytes < WIRE_LINE_BYTES) {
			w->line[w->line_bytes - 1] = c;
			w->line[w->line_bytes] = '\0';
		}
		if (w->state == WIRE_FIRST) {
			memmove(w->tail, w->tail + 1, WIRE_VERSION_BYTES - 1);
			w->tail[WIRE_VERSION_BYTES - 1] = c;
		}
	}
}

/* ---- bodies ---- */

static size_t
skip(struct wire *w, size_t n)
{
	size_t	some = n < w->left ? n : (size_t)w->left;

	w->left -= some;
	if (w->left == 0)
		w->state = w->state == WIRE_BODY ? WIRE_IDLE : WIRE_CHUNK_END;
	return some;
}

size_t
wire_read(struct wire *w, const char *bytes, size_t n)
{
	enum wire_state	before = w->state;
	size_t		done = 0;

	while (done < n && w->state != WIRE_BAD) {
		if (w->state == WIRE_IDLE)
			*w = (struct wire){ .state = WIRE_FIRST };
		before = w->state;
		if (w->state == WIRE_BODY || w->state == WIRE_CHUNK)
			done += skip(w, n - done);
		else
			line_byte(w, bytes[done++]);
		if (w->state == WIRE_IDLE || (before == WIRE_HEAD && w->state != WIRE_HEAD))
			break;
	}
	return done;
}
