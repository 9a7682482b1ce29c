/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HTTP_HTTP_IMPL_H
#define ASSAY_DAEMON_HTTP_HTTP_IMPL_H

#include <sys/queue.h>

#include <event2/buffer.h>
#include <event2/http.h>

#include "daemon/doors/hangup.h"
#include "daemon/doors/line.h"
#include "daemon/doors/peer.h"
#include "daemon/doors/tls.h"
#include "daemon/doors/turns.h"
#include "daemon/http/http.h"
#include "daemon/http/http_conn.h"
#include "daemon/http/http_pieces.h"
#include "daemon/view/query.h"

/* Private to the files http*.c. */

#define HTTP_PROBLEM	"application/problem+json"

struct route;
struct web_file;

/*
 * One request and its answer.  Freed when the answer is handed to evhttp, or when its connection is
 * gone.
 */
struct exchange {
	struct http		*http;		/* borrowed */
	struct evhttp_request	*req;		/* the connection's; ours once that is gone; NULL:
						 * freed with it */
	struct http_conn	*conn;		/* borrowed; NULL: it is closed */
	struct call		*call;		/* borrowed; NULL: none is under way */
	struct turn		 turn;		/* until it is looked at */
	const struct route	*route;
	bool			 streams;	/* its answer has begun, in pieces */
	bool			 is_known;	/* who asks, where that has to be known */
	bool			 head;		/* answer with the headers alone */
	bool			 creates;	/* a good answer is 201 */
	uid_t			 uid;		/* (uid_t)-1: an unknown reader's */
	char			*subject;	/* owned; what stands for ":" in the pattern; NULL:
						 * nothing does */
	const char		*unwrap;	/* a member name that the body does not have, to
						 * take off faults */
	struct http_pieces	*pieces;	/* owned; NULL: its body is not made in pieces */
	struct http_wait	*wait;		/* owned; NULL: it does not wait (http_wait.c) */
	struct http_events	*events;	/* owned; NULL: it is no stream of events */
	TAILQ_ENTRY(exchange)	 entry;
};

struct http_side {			/* the doors of a kind */
	struct http	*http;		/* borrowed */
	enum http_kind	 kind;
	struct evhttp	*evhttp;	/* owned */
};

struct http {
	struct api			*api;		/* borrowed */
	struct event_base		*base;		/* borrowed */
	struct http_side		 side[HTTP_NKINDS];
	struct door			*doors[HTTP_DOORS];	/* borrowed */
	unsigned			 ndoors;
	int				 scarce_fd;	/* from this one on they are not for HTTP */
	TAILQ_HEAD(, exchange)		 exchanges;
	struct turns			*turns;		/* owned */
	struct http_conns		 conns;		/* its tls and hangups are owned */
};

struct route {
	unsigned		 method;	/* EVHTTP_REQ_GET (HEAD too), _POST, _DELETE */
	const char		*pattern;	/* ":" stands for one segment */
	void			(*run)(struct exchange *);
	const char		*call;		/* the api's method */
	const char		*subject;	/* the params member that ":" becomes; NULL: none */
	const struct api_param	*query;		/* what the query string may hold */
};
extern const struct route http_routes[];	/* ends with method 0 */

/* What a route runs: it answers, at once or later. */
typedef void	 route_fn(struct exchange *);
route_fn	 http_run_call;		/* the api's method, as it is (http_routes.c) */
route_fn	 http_run_submit;	/* with a document (http_submit.c) */
route_fn	 http_run_wait;		/* as http_run_call, perhaps later (http_wait.c) */
route_fn	 http_run_await;	/* job.wait itself, its params in the body */
route_fn	 http_run_results;	/* http_results.c */
route_fn	 http_run_list;		/* the api's method; or its list as lines (http_list.c) */
route_fn	 http_run_export;	/* http_export.c */
route_fn	 http_run_page, http_run_file;	/* http_web.c */
/* It asks for a page or its files, which carry no data: they are for everybody. */
bool		 http_is_page(const struct exchange *);
route_fn	 http_run_events;	/* http_events.c */
route_fn	 http_run_openapi, http_run_schema;	/* http_documents.c */
route_fn	 http_run_healthz, http_run_readyz, http_run_metrics;	/* http_plain.c */
/*
 * Sets the exchange's route.  ST_NOT_FOUND: no such path.  ST_BAD_REQUEST without a route: it has
 * others; these are in Allow, which OPTIONS asks for (http_find.c).
 */
enum status	 http_find_route(struct exchange *, unsigned method, struct fault *);
/* A header with the address of the page behind this one. */
void		 http_link_next(struct exchange *, const char *next);
/* Adds what stands for ":" to the params. */
enum status	 http_add_subject(const struct exchange *, json_t *params, struct fault *);
/*
 * The body, a JSON object, for a route without a query string.  NULL: answered with what is wrong.
 * New reference.
 */
json_t		*http_body_of(struct exchange *);
/* The query string, still escaped; "": none. */
const char	*http_query(const struct exchange *);
/* It, and the subject, as params of the route's method; new reference, NULL on failure. */
enum status	 http_params(const struct exchange *, json_t **params, struct fault *);
struct caller	 http_caller(const struct exchange *, struct api_client *, struct call **noted);
void		 http_call(struct exchange *, const json_t *params);	/* the route's method */
/* A header of the request; NULL: it has none. */
const char	*http_asked(const struct exchange *, const char *name);

/* It asks for lines of JSON rather than for one document. */
bool		 http_wants_lines(const struct exchange *);
#define HTTP_LINES	"application/x-ndjson"

void		 http_wait_free(struct http_wait *);	/* NULL is fine, as below */
void		 http_events_free(struct http_events *);
extern const struct api_param http_wait_asked[], http_events_asked[], http_limit_asked[];
enum { HTTP_MAX_WAIT_MS = 10 * 60 * 1000 };
#define HTTP_EVENTS_END	"end"		/* id of the last event */

/* Answers; each frees the exchange. */
/*
 * A whole body, of 200 to GET with an ETag by its content; at once, or soon (http_body.c).  Headers
 * of the answer alone are added before.
 */
void		 http_send(struct exchange *, int code, const char *type,
		    struct evbuffer *drained, unsigned flags);
void		 http_send_file(struct exchange *, const struct web_file *);
void		 http_send_nothing(struct exchange *, int code, const char *type);
enum {
	HTTP_FRESH	= 1,		/* no ETag: it is never asked for again, or always new */
};
/* code 0: by the fault's status; the place may be NULL. */
void		 http_problem(struct exchange *, int code, const struct fault *,
		    const struct place *);
const char	*http_title(int code);			/* "": the code is not used here */
void		 http_api_reply(void *exchange, const struct api_reply *);
/*
 * Sets the exchange's user; ST_DENIED: it is unknown, where it has to be known (http_who.c).
 */
enum status	 http_who(struct exchange *, struct fault *);
/* ST_DENIED: another site's page made a browser send it. */
enum status	 http_check_site(const struct exchange *, bool writes, struct fault *);
/* ST_BAD_REQUEST: its Content-Type. */
enum status	 http_check_writer(struct exchange *, struct fault *);
void		 exchange_free(struct exchange *);	/* without an answer */
/*
 * A body in pieces, of a type.  true: its headers are all that was asked for, it has ended.  The
 * head is sent with the first piece.  Each piece, and the end, waits for the callback of the piece
 * before: in TLS libevent calls it after other events, and would take it for that of a later one.
 */
bool		 http_stream_begin(struct exchange *, const char *type);
void		 http_stream_end(struct exchange *);
/* The peer misses the last chunk; http_stream_lost cleans up. */
void		 http_stream_cut_off(struct exchange *, const struct fault *);
/* Without an answer: the connection is gone in the middle of a stream, or while it waits. */
void		 http_stream_lost(struct exchange *);
void		 http_add_header(struct exchange *, const char *name, const char *value);

#endif
