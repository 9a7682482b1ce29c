/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_DOOR_H
#define ASSAY_DAEMON_DOORS_DOOR_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include <event2/event.h>
#include <event2/listener.h>

#include "proto/base/fault.h"

/*
 * A listening socket.  It starts disabled.  When the process runs out of descriptors it rests for a
 * second instead of spinning.
 */
struct door;

union door_peer {			/* an end of a connection, for accept and getsockname */
	struct sockaddr		sa;
	struct sockaddr_in	in;
	struct sockaddr_in6	in6;
	struct sockaddr_storage	any;
};

/*
 * A Unix socket with these permissions; its directory is made when missing.  A socket file without
 * a listener is replaced; one with a listener is ST_CONFLICT.
 */
enum status	 door_unix(struct door **, struct event_base *, const char *path, unsigned mode,
		    struct fault *);
/*
 * "127.0.0.1:8023", "[::1]:0".  setting: for faults; loopback: any other address is refused.
 */
enum status	 door_tcp(struct door **, struct event_base *, const char *setting,
		    const char *address, bool loopback, struct fault *);

struct evconnlistener *door_listener(struct door *);	/* borrowed, unless door_lend was called */
/* another owner frees the listener, before the door */
void		 door_lend(struct door *);
const char	*door_address(const struct door *);	/* the path, or address and port as bound */
void		 door_open(struct door *);
void		 door_close(struct door *);		/* for good */
void		 door_rest(struct door *);		/* for a second */
/* The user at the other end of a Unix socket; false: unknown. */
bool		 door_peer_uid(evutil_socket_t, uid_t *);
/* A connection was let in: after some, the event loop sees to all else before the next. */
void		 door_pass(struct door *);
void		 door_free(struct door *);		/* removes the socket file if it is still
							 * ours */

#endif
