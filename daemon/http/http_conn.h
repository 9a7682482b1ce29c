/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HTTP_HTTP_CONN_H
#define ASSAY_DAEMON_HTTP_HTTP_CONN_H

#include <event2/bufferevent.h>
#include <event2/http.h>

#include "daemon/http/http_kind.h"
#include "daemon/setup/users.h"

/*
 * What libevent does not do for the connections of its HTTP server: requests are checked as they
 * come in, and have a limit of time and of memory; a peer that has sent all is still answered.
 */
struct account;
struct api;
struct hangups;
struct http_conn;
struct tls;

struct http_conns {			/* of all doors */
	struct api		*api;		/* borrowed, as are the next */
	struct tls		*tls;		/* NULL: no such door */
	struct hangups		*hangups;
	struct http_conn	*by_evcon;	/* those that are accepted */
};

/* The connection of a socket that is about to be accepted; NULL: no memory. */
struct bufferevent *http_conn_new(struct http_conns *, enum http_kind, struct event_base *);
/* Borrowed; NULL: it is closed. */
struct http_conn *http_conn_of(struct http_conns *, const struct evhttp_connection *);

/* The user at its other end; USER_NOBODY: unknown. */
uid_t	 http_conn_uid(const struct http_conn *);
enum http_kind http_conn_kind(const struct http_conn *);
struct bufferevent *http_conn_bufferevent(const struct http_conn *);
/* Its user is known now, by this proof.  ST_FULL: the user has too many connections. */
enum status http_conn_become(struct http_conn *, uid_t, const struct proof *, struct fault *);
/* Closes those whose proof has expired; all: or has been taken back. */
void	 http_conns_check(struct http_conns *, bool all);
struct account	*http_conn_account(const struct http_conn *);	/* borrowed; NULL: none */
/* Of the next request that libevent gives: the answer's code if it is to be refused, else 0. */
int	 http_conn_fault(struct http_conn *, struct fault *);

/* The end of the peer's sending does not end an answer: called after each piece of output. */
void	 http_conn_keep(struct http_conn *);
/* All is sent or on its way; NULL is fine. */
void	 http_conn_answered(struct http_conn *);
/* Instead of evhttp_connection_set_closecb; NULL: no callback. */
void	 http_conn_on_lost(struct http_conn *, void (*)(struct evhttp_connection *, void *),
	    void *);

#endif
