/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_TLS_H
#define ASSAY_DAEMON_DOORS_TLS_H

#include <stdbool.h>

#include <event2/bufferevent.h>

#include "daemon/setup/config.h"
#include "daemon/setup/users.h"

/*
 * TLS 1.3 for a door: the server's certificate and key, and who may sign those of users.  Sessions
 * are not resumed, so that each connection shows what it has anew.
 */
struct tls;

enum { TLS_MAX_NAMES = 8 };		/* of a certificate that are looked at */

/* ST_BAD_REQUEST: a fault that names the setting and the file. */
enum status	 tls_new(struct tls **, const struct config *, struct fault *);
void		 tls_free(struct tls *);
/* Reads the files again, for new connections.  A fault leaves all as it was. */
enum status	 tls_reload(struct tls *, const struct config *, struct fault *);

/* A connection that awaits a handshake, without a socket yet.  NULL: no memory. */
struct bufferevent *tls_accept(struct tls *, struct event_base *);
bool		 tls_is_shaken(struct bufferevent *);	/* the handshake is over */
/* The names in its peer's certificate, as proofs until it ends; 0: it has shown none. */
unsigned	 tls_proofs(struct bufferevent *, struct proof *, unsigned max);
/* Would that certificate be accepted today? */
bool		 tls_still_trusts(struct tls *, struct bufferevent *);
/* The server's certificate is for this name or address. */
bool		 tls_is_for(const struct tls *, const char *host);

/* Last words, past what libevent still holds; they may be lost. */
void		 tls_say(struct bufferevent *, const char *text);
/* What the peer did wrong in a handshake, if it did; a peer without TLS is told so. */
const char	*tls_complain(struct bufferevent *);

#endif
