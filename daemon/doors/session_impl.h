/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_SESSION_IMPL_H
#define ASSAY_DAEMON_DOORS_SESSION_IMPL_H

#include <sys/queue.h>

#include <event2/bufferevent.h>
#include <uthash.h>

#include "daemon/doors/line.h"
#include "daemon/doors/session.h"
#include "daemon/doors/session_unread.h"
#include "daemon/doors/turns.h"
#include "daemon/usage/account.h"
#include "daemon/usage/traffic.h"

/* Private to the files session*.c. */

enum {
	SESSION_SHORT_BYTES	= 64 << 10,	/* of a line, read in any case */
	SESSION_LONG_LINE_BYTES	= API_MAX_LINE_BYTES + SESSION_SHORT_BYTES,
};

/* What a session still does. */
enum phase {
	SESSION_OPEN,
	SESSION_HALF,		/* the peer will send no more: answer what is open, then close */
	SESSION_CLOSING,	/* nothing more is read or called: send what is there, then close */
	SESSION_DEAD,		/* freed at the next turn */
};

struct session {
	struct session_pool	*pool;		/* borrowed */
	uint64_t		 number;
	uid_t			 uid;
	struct account		*account;	/* its user's */
	size_t			 held;		/* bytes on this account */
	struct account_waiter	 waiter;	/* for room on it */
	int64_t			 full_ms;	/* since when it waits for room; 0: it does not */
	bool			 long_line;	/* room for a whole line is taken */
	struct event		*late;		/* owned; a request takes too long */
	size_t			 late_line;	/* number of the line that it runs for */
	enum phase		 phase;
	struct bufferevent	*bev;		/* owned */
	struct turn		 turn;		/* buffered lines, the end */
	struct event		*later;		/* owned; a turn after a while */
	struct unread		 unread;	/* of bev's output */
	struct line_buffer	 in;
	size_t			 lines;		/* so far */
	struct api_client	*client;	/* owned */
	struct pending		*by_id;		/* unanswered requests, by the text of their id */
	TAILQ_HEAD(, pending)	 calls;		/* unanswered requests and notifications; owned by
						 * their calls */
	unsigned		 ncalls;
	TAILQ_ENTRY(session)	 entry;
};

/*
 * A call under way.  It outlives its session: the reply comes exactly once, even if there is no
 * reader left.
 */
struct pending {
	struct session		*session;	/* NULL: gone */
	char			*id;		/* owned; JSON text; NULL: a notification, never
						 * answered */
	TAILQ_ENTRY(pending)	 entry;
	UT_hash_handle		 hh;
};

struct session_pool {
	struct event_base	*base;		/* borrowed */
	struct api		*api;		/* borrowed */
	TAILQ_HEAD(, session)	 sessions;
	struct turns		*turns;		/* owned */
	uint64_t		 accepted;
};

/* The end (session.c). */
void		 session_kill(struct session *);	/* at its next turn */
void		 session_close(struct session *);	/* once its output is gone, or after a
							 * while */
void		 session_cut_off(struct session *, enum traffic_reason, const char *words);
void		 session_settle(struct session *);	/* its account: what it holds now */
struct evbuffer	*session_output(struct session *);

/* Output (session_send.c). */
void		 session_send_error(struct session *, const char *id, int code,
		    const struct fault *, const struct place *);
api_reply_fn	 session_on_reply;			/* arg: a struct pending */
extern const struct api_hooks	session_hooks;

/* Input (session_turn.c). */
void		 session_turn_soon(struct session *);
/* Unless a turn is to come anyhow. */
void		 session_turn_later(struct session *, const struct timeval *);
bool		 session_turn_is_due(const struct session *);
void		 session_turn(struct session *);	/* open or half: reads and calls */
void		 session_serve(struct session *);	/* a new connection: from now on */
void		 session_on_late(evutil_socket_t, short, void *);	/* event callback */

#endif
