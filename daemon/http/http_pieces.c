/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "daemon/http/http_fields.h"
#include "daemon/http/http_gzip.h"
#include "daemon/http/http_impl.h"

struct http_pieces {
	struct exchange			*ex;		/* borrowed; NULL: gone */
	const struct piece_source	*source;
	void				*arg;		/* owned */
	const char			*type;
	struct gzip			*gzip;		/* owned; NULL: as they are */
	struct evbuffer			*piece;		/* owned; what is made, or sent */
	struct reading			*reading;	/* borrowed; NULL: none is under way */
	struct call			*call;		/* likewise */
	bool				 is_asked;	/* a reading or a call is to come back */
	bool				 is_last;
};

static void
pieces_free(struct http_pieces *p)
{
	p->source->free(p->arg);
	gzip_free(p->gzip);
	if (p->piece != NULL)
		evbuffer_free(p->piece);
	free(p);
}

void
http_pieces_drop(struct http_pieces *p)
{
	if (p == NULL)
		return;
	p->ex = NULL;
	if (p->reading != NULL)
		reading_cancel(p->reading);
	else if (p->call != NULL)
		api_leave(p->call);
	else if (!p->is_asked)
		pieces_free(p);
}

/* ---- sending ---- */

static void	 make_next(struct http_pieces *);

static void
refuse(struct http_pieces *p, const struct fault *why)
{
	struct exchange	*ex = p->ex;

	if (ex->streams) {
		http_stream_cut_off(ex, why);
		return;
	}
	ex->pieces = NULL;
	pieces_free(p);
	http_problem(ex, 0, why, NULL);
}

/* The piece is with the kernel. */
static void
on_written(struct evhttp_connection *conn, void *arg)
{
	struct http_pieces	*p = arg;

	(void)conn;
	if (p->is_last)
		http_stream_end(p->ex);
	else
		make_next(p);
}

/* true: it has ended with its headers, and the pieces are gone with it. */
static bool
begin(struct http_pieces *p)
{
	if (p->ex->streams)
		return false;
	if (p->gzip != NULL)
		http_add_header(p->ex, "Content-Encoding", "gzip");
	return http_stream_begin(p->ex, p->type);
}

static void
send_piece(struct http_pieces *p)
{
	struct exchange	*ex = p->ex;
	const bool	 is_empty = evbuffer_get_length(p->piece) == 0;

	if (is_empty && !p->is_last) {
		make_next(p);
	} else if (begin(p)) {
		return;
	} else if (is_empty) {
		http_stream_end(ex);
	} else {
		evhttp_send_reply_chunk_with_cb(ex->req, p->piece, on_written, p);
		http_conn_keep(ex->conn);
	}
}

/* ---- making ---- */

static enum status
pack(struct http_pieces *p, struct fault *why)
{
	if (p->gzip == NULL || (!p->is_last && evbuffer_get_length(p->piece) == 0))
		return ST_OK;
	return gzip_put(p->gzip, p->piece, p->is_last, why);
}

static void
came_back(struct http_pieces *p, enum status st, const struct fault *why)
{
	if (st != ST_OK)
		refuse(p, why);
	else
		send_piece(p);
}

static enum status
read_piece(struct store *store, void *arg, struct fault *why)
{
	struct http_pieces	*p = arg;
	enum status		 st = p->source->read(p->arg, store, p->piece, &p->is_last, why);

	return st == ST_OK ? pack(p, why) : st;
}

static void
on_read(void *arg, enum status st, const struct fault *why)
{
	struct http_pieces	*p = arg;

	p->reading = NULL;
	p->is_asked = false;
	if (p->ex == NULL) {
		pieces_free(p);
		return;
	}
	if (st == ST_OK && p->source->seen != NULL)
		p->source->seen(p->arg, p->ex->http->api);
	came_back(p, st, why);
}

static void
on_reply(void *arg, const struct api_reply *r)
{
	struct http_pieces	*p = arg;
	struct fault		 why;
	enum status		 st;

	p->is_asked = false;
	if (p->ex == NULL) {
		pieces_free(p);
	} else if (r->status != ST_OK) {
		refuse(p, r->why);
	} else {
		st = p->source->take(p->arg, r, p->piece, &p->is_last, &why);
		came_back(p, st == ST_OK ? pack(p, &why) : st, &why);
	}
}

/* The call may be answered at once, and then end all: nothing is done behind it. */
static void
ask(struct http_pieces *p)
{
	struct caller	 who = http_caller(p->ex, NULL, &p->call);
	json_t		*params = p->source->ask(p->arg);

	p->is_asked = true;
	api_call(p->ex->http->api, &who, p->ex->route->call, params, on_reply, p);
	json_decref(params);
}

static void
make_next(struct http_pieces *p)
{
	struct fault	why;

	if (p->source->read == NULL) {
		ask(p);
		return;
	}
	p->reading = api_read(p->ex->http->api, p->ex->uid, read_piece, on_read, p);
	p->is_asked = p->reading != NULL;
	if (p->is_asked)
		return;
	(void)fault_set(&why, ST_NOMEM, "out of memory");
	refuse(p, &why);
}

void
http_send_pieces(struct exchange *ex, const char *type, const struct piece_source *source,
    void *arg)
{
	struct http_pieces	*p = calloc(1, sizeof *p);
	struct fault		 why;

	if (p == NULL || (p->piece = evbuffer_new()) == NULL) {
		free(p);
		source->free(arg);
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		http_problem(ex, 0, &why, NULL);
		return;
	}
	p->ex = ex;
	p->type = type;
	p->source = source;
	p->arg = arg;
	if (http_accepts(http_asked(ex, "Accept-Encoding"), "gzip"))
		p->gzip = gzip_new();
	ex->pieces = p;
	make_next(p);
}
