/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HTTP_HTTP_H
#define ASSAY_DAEMON_HTTP_HTTP_H

#include <event2/event.h>

#include "daemon/api/api.h"
#include "daemon/doors/door.h"
#include "daemon/http/http_kind.h"

/*
 * HTTP/1.1: routes ↔ calls.  The user behind a writing request is known: on a Unix socket from the
 * kernel, on loopback TCP by what it says of the peer's socket, in TLS by a token or a certificate.
 * Browsers that carry another site's page are refused.
 */
struct http;

enum { HTTP_DOORS = 4 };

enum status	 http_new(struct http **, struct event_base *, struct api *, struct fault *);
/*
 * Lets connections in through a door, which outlives it; the door rests while descriptors are
 * scarce.
 */
enum status	 http_listen(struct http *, struct door *, enum http_kind, struct fault *);
/* users.conf was read again: so are certificates, and who is no user any more is cut off. */
void		 http_reload(struct http *);
void		 http_tick(struct http *);	/* once a second: tokens expire */
void		 http_free(struct http *);		/* closes every connection; no call may be
							 * under way */

#endif
