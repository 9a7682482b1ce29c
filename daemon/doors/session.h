/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_SESSION_H
#define ASSAY_DAEMON_DOORS_SESSION_H

#include <event2/event.h>

#include "daemon/api/api.h"

/*
 * JSON-RPC 2.0 clients: lines ↔ calls.  A session answers for itself only.  Bytes that its peer
 * sends, or fails to read, can cost the peer its connection and harm no other.
 */
struct session_pool;

enum {
	SESSION_MAX_CALLS	= 1024,		/* unanswered ones of a connection; then it is not
						 * read for a while */
};

enum status	 session_pool_new(struct session_pool **, struct event_base *, struct api *,
		    struct fault *);
void		 session_pool_free(struct session_pool *);	/* sends what can be sent at once,
								 * then closes all */
void		 session_accept(struct session_pool *, evutil_socket_t fd);	/* takes fd */
void		 session_pool_hush(struct session_pool *);	/* no more requests are read */

#endif
