/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep's results as a file: its parts one after another, as fast as they are read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/doors/http_impl.h"
#include "daemon/export/export.h"

struct export_stream {
	struct exchange	*ex;		/* borrowed; NULL: gone */
	struct export	*export;	/* owned */
	struct reading	*reading;	/* borrowed; NULL: none is under way */
	struct text	 page;		/* owned */
};

static void
stream_free(struct export_stream *s)
{
	free(s->page.at);
	export_free(s->export);
	free(s);
}

/* A thread may still have it. */
void
http_export_lost(struct export_stream *s)
{
	s->ex = NULL;
	if (s->reading != NULL)
		reading_cancel(s->reading);
	else
		stream_free(s);
}

static void
finish(struct export_stream *s, struct exchange *ex)
{
	ex->export = NULL;
	stream_free(s);
	http_stream_end(ex);
}

static void
free_page(const void *data, size_t bytes, void *arg)
{
	(void)data;
	(void)bytes;
	free(arg);
}

static void read_next(struct evhttp_connection *, void *);

/* An export that ends without a text has nothing to wait for. */
static void
send_page(struct export_stream *s, struct exchange *ex)
{
	struct evbuffer	*out = evbuffer_new();
	struct fault	 why;
	size_t		 bytes = s->page.bytes;
	char		*text = text_take(&s->page);

	if (out == NULL || text == NULL || evbuffer_add_reference(out, text, bytes, free_page,
	    text) != 0) {
		free(text);
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		http_stream_cut_off(ex, &why);
	} else if (bytes == 0) {
		read_next(evhttp_request_get_connection(ex->req), ex);
	} else {
		evhttp_send_reply_chunk_with_cb(ex->req, out, read_next, ex);
		http_conn_keep(ex->conn);
	}
	if (out != NULL)
		evbuffer_free(out);
}

static enum status
read_page(struct store *store, void *arg, struct fault *why)
{
	struct export_stream	*s = arg;

	return export_page(s->export, store, &s->page, why);
}

static void
on_page(void *arg, enum status st, const struct fault *why)
{
	struct export_stream	*s = arg;

	s->reading = NULL;
	if (s->ex == NULL) {
		stream_free(s);
	} else if (st != ST_OK) {
		http_stream_cut_off(s->ex, why);
	} else {
		api_export_note(s->ex->http->api, s->export);
		send_page(s, s->ex);
	}
}

/* The part before is with the kernel. */
static void
read_next(struct evhttp_connection *conn, void *arg)
{
	struct exchange		*ex = arg;
	struct export_stream	*s = ex->export;
	struct fault		 why;

	(void)conn;
	if (export_is_over(s->export)) {
		finish(s, ex);
		return;
	}
	s->reading = api_read(ex->http->api, ex->uid, read_page, on_page, s);
	if (s->reading != NULL)
		return;
	(void)fault_set(&why, ST_NOMEM, "out of memory");
	http_stream_cut_off(ex, &why);
}

/* By the sweep as it was asked for, with characters that no system refuses in a name. */
static void
put_file_name(struct exchange *ex, const struct export_format *format)
{
	static const char	plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-";
	char			name[80], value[160];
	size_t			n = 0;

	for (const char *s = ex->subject; *s != '\0' && n < sizeof name - 1; s++)
		name[n++] = strchr(plain, *s) != NULL ? *s : '_';
	name[n] = '\0';
	(void)snprintf(value, sizeof value, "attachment; filename=\"%s%s\"", name,
	    export_suffix(format));
	http_add_header(ex, "Content-Disposition", value);
}

static void
start(struct exchange *ex, struct export *export)
{
	struct export_stream	*s = calloc(1, sizeof *s);
	struct fault		 why;

	if (s == NULL) {
		export_free(export);
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		http_problem(ex, 0, &why, NULL);
		return;
	}
	s->ex = ex;
	s->export = export;
	put_file_name(ex, export_format_of(export));
	if (http_stream_begin(ex, export_type(export_format_of(export)))) {
		stream_free(s);
		return;
	}
	ex->export = s;
	read_next(evhttp_request_get_connection(ex->req), ex);
}

/* With a cursor it is one part, in the method's own reply. */
void
http_run_export(struct exchange *ex)
{
	struct export	*export = NULL;
	struct fault	 why;
	json_t		*params;
	enum status	 st = params_from_query(ex->route->query, http_query(ex), &params, &why);

	if (st == ST_OK)
		st = http_add_subject(ex, params, &why);
	if (st == ST_OK && json_object_get(params, "cursor") != NULL)
		http_call(ex, params);
	else if (st != ST_OK || (st = api_export(ex->http->api, ex->uid, params, &export,
	    &why)) != ST_OK)
		http_problem(ex, 0, &why, NULL);
	else
		start(ex, export);
	json_decref(params);
}
