/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_HTTP_PEER_H
#define ASSAY_DAEMON_DOORS_HTTP_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <event2/util.h>

#include "daemon/doors/door.h"
#include "proto/base/fault.h"

/* Users behind connections: http_peer.c, and http_diag.c for what it asks the kernel. */

/* The user at the other end of a connected socket; ST_DENIED: unknown. */
enum status	 http_peer_uid(evutil_socket_t fd, uid_t *, struct fault *);
/* Without reading the kernel's table of all sockets, which may be long; false: unknown. */
bool		 http_peer_uid_at_once(evutil_socket_t fd, uid_t *);
/* Asks the kernel for one socket's owner (http_diag.c). */
bool		 http_diag_uid(const union door_peer *peer, const union door_peer *self, uid_t *);
bool		 http_diag_reply(const void *reply, size_t bytes, uid_t *);
/* No process of this host has the peer's socket any more; false: one has, or that is unknown. */
bool		 http_diag_is_closed(const union door_peer *peer, const union door_peer *self);
bool		 http_diag_has_left(const void *reply, size_t bytes);
/* The peer cannot read an answer.  is_known: its user was known, so its socket is of this host. */
bool		 http_peer_has_left(evutil_socket_t fd, bool is_known);
bool		 http_peer_has_owner(unsigned tcp_state, unsigned long inode);
/*
 * One line of /proc/net/tcp{,6}: the owner of the established socket local → remote (both as they
 * stand there).
 */
bool		 http_peer_line(const char *line, const char *local, const char *remote, uid_t *);
bool		 http_is_loopback_name(const char *host);	/* of a Host header, with or without
								 * port */
bool		 http_is_tcp(evutil_socket_t fd);
/*
 * What a browser says of the page that asks: none, or one of ours.  All but the scheme, "http://",
 * may be NULL.
 */
bool		 http_is_own_page(const char *scheme, const char *origin, const char *site,
		    const char *host);

#endif
