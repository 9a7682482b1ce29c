/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_PEER_H
#define ASSAY_DAEMON_DOORS_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <event2/util.h>

#include "daemon/doors/door.h"
#include "proto/base/fault.h"

/* Users behind connections: peer.c, and peer_diag.c for what it asks the kernel. */

/* The user at the other end of a connected socket; ST_DENIED: unknown. */
enum status	 peer_uid(evutil_socket_t fd, uid_t *, struct fault *);
/* Without reading the kernel's table of all sockets, which may be long; false: unknown. */
bool		 peer_uid_at_once(evutil_socket_t fd, uid_t *);
/* Asks the kernel for one socket's owner (peer_diag.c). */
bool		 peer_diag_uid(const union door_peer *peer, const union door_peer *self, uid_t *);
bool		 peer_diag_reply(const void *reply, size_t bytes, uid_t *);
/* No process of this host has the peer's socket any more; false: one has, or that is unknown. */
bool		 peer_diag_is_closed(const union door_peer *peer, const union door_peer *self);
bool		 peer_diag_has_left(const void *reply, size_t bytes);
/* The peer cannot read an answer.  is_known: its user was known, so its socket is of this host. */
bool		 peer_has_left(evutil_socket_t fd, bool is_known);
bool		 peer_has_owner(unsigned tcp_state, unsigned long inode);
/*
 * One line of /proc/net/tcp{,6}: the owner of the established socket local → remote (both as they
 * stand there).
 */
bool		 peer_line(const char *line, const char *local, const char *remote, uid_t *);
bool		 peer_is_tcp(evutil_socket_t fd);

#endif
