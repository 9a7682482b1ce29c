/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one place for whole bodies.  Each is sent with its length, and if it can be asked for again
 * with a tag by its content: one that the client has is not sent.  Text is compressed for those
 * that take it.  A large body is hashed and compressed on a reader's thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/http/http_fields.h"
#include "daemon/http/http_impl.h"
#include "daemon/usage/vitals.h"
#include "daemon/web/web.h"

enum {
	GZIP_FROM	= 1024,		/* bytes; below, one packet has it anyway */
	AT_ONCE		= 32 << 10,	/* larger ones keep the event loop waiting for a thread */
};

struct sending {
	struct exchange	*ex;		/* borrowed; it is freed with its answer */
	int		 code;
	const char	*type;
	struct evbuffer	*body;		/* owned */
	const char	*bytes;		/* the body's */
	size_t		 nbytes;
	bool		 has_tag, may_gzip;
	char		 tag[PACKED_TAG];
	unsigned char	*packed;	/* owned, unless it is kept; NULL: not compressed */
	size_t		 npacked;
	bool		 is_kept;	/* the packed bytes are of a file of the page */
};

/* ---- on any thread: of the sending, its bytes and what is made of them ---- */

static enum status
pack(struct store *unused, void *arg, struct fault *why)
{
	struct sending	*s = arg;

	(void)unused;
	(void)why;
	s->has_tag = s->has_tag && packed_tag(s->tag, s->bytes, s->nbytes);
	if (s->may_gzip)
		s->packed = packed_gzip(s->bytes, s->nbytes, PACKED_QUICK, &s->npacked);
	return ST_OK;
}

/* ---- on the event loop ---- */

static bool
is_text(const char *type)
{
	return strncmp(type, "text/", 5) == 0 || strstr(type, "json") != NULL ||
	    strstr(type, "javascript") != NULL || strstr(type, "svg") != NULL;
}

static void
free_packed(const void *data, size_t n, void *arg)
{
	(void)data;
	(void)n;
	free(arg);
}

static void
drop_packed(struct sending *s)
{
	if (!s->is_kept)
		free(s->packed);
	s->packed = NULL;
}

/* The body in the form that is sent. */
static void
use_packed(struct sending *s)
{
	struct evbuffer	*packed = s->packed != NULL ? evbuffer_new() : NULL;

	if (packed == NULL || evbuffer_add_reference(packed, s->packed, s->npacked,
	    s->is_kept ? NULL : free_packed, s->packed) != 0) {
		if (packed != NULL)
			evbuffer_free(packed);
		drop_packed(s);
		return;
	}
	evbuffer_free(s->body);
	s->body = packed;
	http_add_header(s->ex, "Content-Encoding", "gzip");
}

static bool
has_no_body(const struct sending *s)
{
	return s->code == 304 || s->code == 204;
}

static void
put_headers(struct sending *s)
{
	char	text[PACKED_TAG + 8];

	http_add_header(s->ex, "Cache-Control", s->has_tag ? "private, no-cache" : "no-store");
	http_add_header(s->ex, "X-Content-Type-Options", "nosniff");
	http_add_header(s->ex, "Vary", "Accept, Accept-Encoding");
	if (s->has_tag) {
		(void)snprintf(text, sizeof text, "\"%s%s\"", s->tag,
		    s->packed != NULL ? "-gz" : "");
		http_add_header(s->ex, "ETag", text);
	}
	if (has_no_body(s))
		return;
	use_packed(s);
	(void)snprintf(text, sizeof text, "%zu", evbuffer_get_length(s->body));
	http_add_header(s->ex, "Content-Type", s->type);
	http_add_header(s->ex, "Content-Length", text);
}

static void
sending_free(struct sending *s)
{
	if (s->body != NULL)
		evbuffer_free(s->body);
	free(s);
}

/* evhttp would send the body of an answer to HEAD: there it gets the length alone. */
static void
finish(struct sending *s)
{
	struct exchange			*ex = s->ex;
	struct evhttp_connection	*conn;
	bool				 empty = ex->head;

	if (ex->req == NULL) {
		drop_packed(s);
	} else {
		if (s->has_tag && http_has_tag(http_asked(ex, "If-None-Match"), s->tag))
			s->code = 304;
		put_headers(s);
		if (has_no_body(s))
			drop_packed(s);
		empty = empty || has_no_body(s);
		if (ex->conn != NULL)
			vitals_note_http(api_vitals(ex->http->api), s->code);
		conn = evhttp_request_get_connection(ex->req);
		evhttp_send_reply(ex->req, s->code, http_title(s->code), empty ? NULL : s->body);
		http_conn_answered(http_conn_of(&ex->http->conns, conn));
	}
	exchange_free(ex);
	sending_free(s);
}

static void
on_packed(void *arg, enum status st, const struct fault *why)
{
	struct sending	*s = arg;

	(void)why;
	if (st != ST_OK)	/* the daemon stops, or too many read: it goes out as it is */
		s->has_tag = false;
	finish(s);
}

static struct sending *
sending_new(struct exchange *ex, int code, const char *type, struct evbuffer *body, unsigned flags)
{
	struct sending	*s = calloc(1, sizeof *s);

	if (s == NULL || (s->body = evbuffer_new()) == NULL ||
	    evbuffer_add_buffer(s->body, body) != 0) {
		if (s != NULL)
			sending_free(s);
		return NULL;
	}
	s->ex = ex;
	s->code = code;
	s->type = type;
	s->nbytes = evbuffer_get_length(s->body);
	s->bytes = s->nbytes != 0 ? (const char *)evbuffer_pullup(s->body, -1) : "";
	s->has_tag = code == 200 && (flags & HTTP_FRESH) == 0 && s->bytes != NULL &&
	    (ex->head || evhttp_request_get_command(ex->req) == EVHTTP_REQ_GET);
	s->may_gzip = s->bytes != NULL && s->nbytes >= GZIP_FROM && is_text(type) &&
	    http_accepts(http_asked(ex, "Accept-Encoding"), "gzip");
	return s;
}

/* Out of memory. */
static void
send_error(struct exchange *ex)
{
	if (ex->req != NULL)
		evhttp_send_error(ex->req, 500, NULL);
	exchange_free(ex);
}

void
http_send(struct exchange *ex, int code, const char *type, struct evbuffer *body, unsigned flags)
{
	struct sending	*s;

	if (ex->req == NULL) {
		exchange_free(ex);
		return;
	}
	if ((s = sending_new(ex, code, type, body, flags)) == NULL) {
		send_error(ex);
		return;
	}
	if (s->nbytes > AT_ONCE && (s->has_tag || s->may_gzip) &&
	    api_read(ex->http->api, ex->uid, pack, on_packed, s) != NULL)
		return;
	(void)pack(NULL, s, NULL);
	finish(s);
}

/* It has its tag and its compressed form already. */
void
http_send_file(struct exchange *ex, const struct web_file *f)
{
	struct evbuffer	*body = evbuffer_new();
	struct sending	*s = NULL;

	if (body != NULL && evbuffer_add_reference(body, f->text, f->bytes, NULL, NULL) == 0)
		s = sending_new(ex, 200, f->type, body, 0);
	if (body != NULL)
		evbuffer_free(body);
	if (s == NULL) {
		send_error(ex);
		return;
	}
	s->has_tag = s->has_tag && f->tag[0] != '\0';
	(void)memcpy(s->tag, f->tag, sizeof s->tag);
	s->is_kept = true;
	s->packed = s->may_gzip ? f->gzip : NULL;
	s->npacked = f->ngzip;
	finish(s);
}

void
http_send_nothing(struct exchange *ex, int code, const char *type)
{
	struct evbuffer	*nothing = evbuffer_new();

	if (nothing == NULL) {
		send_error(ex);
		return;
	}
	http_send(ex, code, type, nothing, HTTP_FRESH);
	evbuffer_free(nothing);
}
