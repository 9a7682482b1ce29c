/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CONNECT_CONNECTION_H
#define ASSAY_CLIENT_CONNECT_CONNECTION_H

#include <jansson.h>

#include "client/print/cli.h"

/* A daemon to ask: on its Unix socket or, with -H, over HTTP (read-only). */
struct connection;

enum status	 connection_open(struct connection **, const struct cli *, struct fault *);
enum status	 connection_open_socket(struct connection **, const char *path, struct fault *);
void		 connection_free(struct connection *);

bool		 connection_is_http(const struct connection *);
/* Whether Ctrl-C ends a call in progress, with ST_CANCELLED. */
void		 connection_stop_on_interrupt(struct connection *, bool);

/* As assay_call; `params` is taken, NULL for none. */
enum status	 connection_call(struct connection *, const char *method, json_t *params,
		    json_t **result, struct fault *);
/* The same for a call with a reply that may rightly take wait_ms. */
enum status	 connection_call_waiting(struct connection *, int wait_ms, const char *method,
		    json_t *params, json_t **result, struct fault *);
/* As assay_next_notification; only on a socket. */
enum status	 connection_next(struct connection *, int timeout_ms, json_t **params,
		    struct fault *);

#endif
