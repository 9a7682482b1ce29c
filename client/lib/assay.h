/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_ASSAY_H
#define ASSAY_CLIENT_LIB_ASSAY_H

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * libassay: a connection to assayd (proto/PROTOCOL.md has the methods).  Blocking, one thread per
 * connection.  The server is not trusted: a reply that is malformed, of the wrong shape or endless
 * is an error of this API.
 *
 *	struct assay_conn	*conn;
 *	struct fault		 why;
 *	json_t			*result;
 *
 *	if (assay_open(&conn, "/run/assay/assay.sock", &why) == ST_OK &&
 *	    assay_call(conn, "queue.get", NULL, &result, &why) == ST_OK) {
 *		…
 *		json_decref(result);
 *	}
 *	assay_close(conn);
 */
struct assay_conn;

enum {
	ASSAY_TIMEOUT_MS	= 60000,	/* of a call, by default */
	ASSAY_MAX_LINE_BYTES	= 256 << 20,	/* a longer reply is refused */
};

/*
 * ST_UNAVAILABLE: no daemon listens on that Unix socket, the hint has the remedy.  ST_DENIED: the
 * socket is for other users.
 */
enum status	 assay_open(struct assay_conn **, const char *socket_path, struct fault *);
void		 assay_close(struct assay_conn *);			/* NULL is fine */

/* Of later calls; -1: for ever */
void		 assay_set_timeout(struct assay_conn *, int timeout_ms);

/*
 * Once this descriptor is readable, a call in progress ends with ST_CANCELLED. -1: none.  Borrowed,
 * never read.
 */
void		 assay_set_stop_fd(struct assay_conn *, int fd);

/*
 * Call a method and wait for its reply.  `params` (borrowed) is an object; NULL: none. *result is a
 * new reference, NULL on failure.
 *
 * A refusal by the server keeps its status, member, words and hint.  ST_UNAVAILABLE: the connection
 * is lost, or no reply came in time, which leaves the connection usable.  ST_IO: a malformed reply.
 */
enum status	 assay_call(struct assay_conn *, const char *method, const json_t *params,
		    json_t **result, struct fault *);

/*
 * The next notification, oldest first.  Notifications that arrive during calls are kept. *params is
 * a new reference to its parameters.  ST_OK with NULL: none came within timeout_ms (-1: wait for
 * ever, 0: only look).
 */
enum status	 assay_next_notification(struct assay_conn *, int timeout_ms, json_t **params,
		    struct fault *);

/* ---- the same questions over HTTP: read-only ---- */
struct assay_http;

/* "http://127.0.0.1:8023" or "http+unix:/run/assay/http.sock"; ST_BAD_REQUEST: neither. */
enum status	 assay_http_open(struct assay_http **, const char *address, struct fault *);
void		 assay_http_close(struct assay_http *);			/* NULL is fine */
void		 assay_http_set_stop_fd(struct assay_http *, int fd);

/*
 * A call of a method with a GET route: server.info, host.get, queue.get, job.get, sweep.get,
 * results.query, results.best.  Others: ST_BAD_REQUEST.  Parameters, result and failures as with
 * assay_call.
 */
enum status	 assay_http_call(struct assay_http *, const char *method, const json_t *params,
		    json_t **result, struct fault *);

#endif
