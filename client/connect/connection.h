/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_CONNECTION_H
#define ASSAY_CLIENT_CONNECT_CONNECTION_H

#include <jansson.h>

#include "client/print/cli.h"

enum { CONNECTION_TIMEOUT_MS = 60000 };	/* of a call */

/*
 * A daemon to ask: on its Unix socket or, with -H, through ssh or over HTTP.  The same calls work
 * on each: what HTTP lacks (results that follow) is made of requests that it has.
 */
struct connection;

enum status	 connection_open(struct connection **, const struct cli *, struct fault *);
/*
 * The same for a command about what is stored, which begins no job.  Without a daemon it opens a
 * private one, for as long as the connection lasts, on the database in which this user's commands
 * keep results without a daemon.
 */
enum status	 connection_open_reading(struct connection **, const struct cli *, struct fault *);
/* The same of a question about the host: it is answered where nothing has been timed, too. */
enum status	 connection_open_host(struct connection **, const struct cli *, struct fault *);
/* Such a private daemon: no job of it will go on. */
bool		 connection_only_answers(const struct connection *);
enum status	 connection_open_socket(struct connection **, const char *path, struct fault *);
void		 connection_free(struct connection *);		/* NULL is fine */

/* Whether Ctrl-C ends a call in progress, with ST_CANCELLED. */
void		 connection_stop_on_interrupt(struct connection *, bool);

/*
 * Call a method and wait for its reply.  `params` is an object, and taken; NULL: none.  *result is
 * a new reference, NULL on failure.
 *
 * A refusal by the server keeps its status, member, words and hint.  ST_UNAVAILABLE: the connection
 * is lost, or no reply came in time, which leaves the connection usable.  ST_IO: a malformed reply.
 */
enum status	 connection_call(struct connection *, const char *method, json_t *params,
		    json_t **result, struct fault *);
/* The same for a call with a reply that may rightly take wait_ms. */
enum status	 connection_call_waiting(struct connection *, int wait_ms, const char *method,
		    json_t *params, json_t **result, struct fault *);
/*
 * The next notification, oldest first: a new reference to its parameters.  ST_OK with NULL: none
 * came within timeout_ms (-1: wait for ever, 0: only look).
 */
enum status	 connection_next(struct connection *, int timeout_ms, json_t **params,
		    struct fault *);

#endif
