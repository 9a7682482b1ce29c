/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_API_API_H
#define ASSAY_DAEMON_API_API_H

#include <event2/buffer.h>
#include <event2/event.h>
#include <jansson.h>

#include "daemon/dispatch/dispatch.h"
#include "daemon/notify/notify.h"
#include "daemon/queue/intake.h"
#include "daemon/queue/queue.h"
#include "daemon/setup/config.h"
#include "daemon/setup/topology.h"
#include "daemon/setup/users.h"
#include "daemon/store/readers.h"
#include "daemon/store/store.h"
#include "daemon/upkeep/upkeep.h"
#include "daemon/usage/account.h"
#include "daemon/view/params.h"

/*
 * The table of methods, for both doors.  A call is answered exactly once, now or later.  Waits and
 * subscriptions of a connection belong to its api_client and end with it.  The wire forms are in
 * proto/PROTOCOL.md.
 */
struct api;
struct api_client;
struct call;

enum {
	API_PROTOCOL		= 1,		/* changes if an old client could misread a reply */
	API_MAX_LINE_BYTES	= 16 << 20,	/* a line, a body */
	API_MAX_NESTING		= 64,		/* of arrays and objects */
	/* values in a line; an array or object counts as four, by its size in memory */
	API_MAX_WEIGHT		= 2 << 20,
	API_MAX_WAIT_IDS	= 100000,
	API_MAX_TOP		= 100,
	API_MAX_COMPARED	= 1000,
	API_MAX_LIST		= 1000,		/* jobs that queue.get lists */
	API_MAX_POINTS		= 20000,	/* in one reply */
	API_MAX_SUBSCRIPTIONS	= 1000,		/* of one connection */
	/* unread output of a connection from which on its requests and results wait */
	API_OUTPUT_BYTES	= 1 << 20,
};

/* Codes of JSON-RPC errors. */
enum {
	API_NOT_JSON = -32700, API_NOT_A_REQUEST = -32600, API_NO_SUCH_METHOD = -32601,
	API_BAD_PARAMS = -32602, API_OURS = -32603, API_NOT_FOUND = -32001,
	API_CONFLICT = -32002, API_DENIED = -32003, API_FULL = -32004,
};

/* All that methods use; borrowed, outlives the api. */
struct api_env {
	struct event_base	*base;
	const struct config	*config;
	struct users		*users;		/* NULL: users.conf has none */
	const struct topology	*topology;
	struct store		*store;
	struct queue		*queue;
	struct intake		*intake;
	struct dispatch		*dispatch;
	struct upkeep		*upkeep;
	struct notify		*notify;	/* NULL: nothing is told of a sweep's end */
};

/* Takes dispatch's news. */
enum status	 api_new(struct api **, const struct api_env *, struct fault *);
/* Ends what is being read, and answers it; first of all, while its callers are there. */
void		 api_stop(struct api *);
void		 api_free(struct api *);	/* after all clients */
/* Begins to read the queue of the daemon before; the event loop goes on with it. */
enum status	 api_recover(struct api *, struct fault *);
/* Why that has broken the event loop; ST_OK: it has not. */
enum status	 api_recovered(const struct api *, struct fault *);
/* As bound, for server.info. */
void		 api_set_http_tcp(struct api *, const char *address);
void		 api_set_tls(struct api *, const char *address);
const struct api_env *api_env(const struct api *);
struct accounts	*api_accounts(struct api *);
struct web;
struct web	*api_web(const struct api *);	/* the pages */

/* Callbacks for a connection's news: results of its subscriptions. */
struct api_hooks {
	void	(*result)(void *arg, int64_t subscription, int64_t cursor, const char *json,
	    size_t bytes);
	bool	(*has_room)(void *arg);		/* false: paging stops until api_client_room */
};

/* A connection of this user.  NULL: no memory. */
struct api_client *api_client_new(struct api *, uid_t, const struct api_hooks *, void *arg);
void		 api_client_free(struct api_client *);	/* answers its waits `cancelled`, forgets
							 * its subscriptions */
void		 api_client_room(struct api_client *);	/* its output was read */
/* Are there stored results that a subscription of it has yet to read? */
bool		 api_client_is_behind(const struct api_client *);
/* A subscription ends by itself with its last id, or if the store cannot be read. */
bool		 api_client_is_subscribed(const struct api_client *);
/* borrowed: pays for its waits and subscriptions from now on */
void		 api_client_charge(struct api_client *, struct account *);
size_t		 api_client_count(const struct api *);

struct caller {
	uid_t			 uid;
	struct api_client	*client;	/* NULL: a door without later messages */
	struct call		**call;		/* borrowed; the call, until it is answered; NULL:
						 * not asked for */
	enum role		 role;		/* users_role of the uid, at this moment */
};

struct api_reply {
	enum status		 status;
	int			 code;		/* JSON-RPC's, when status is not ST_OK */
	struct evbuffer		*result;	/* one JSON text; may be drained; NULL when status
						 * is not ST_OK */
	const char		*next;		/* where the page behind this one begins, as text;
						 * NULL: there is none */
	const struct fault	*why;		/* when status is not ST_OK */
};
typedef void	 api_reply_fn(void *arg, const struct api_reply *);	/* borrowed for the call */

/* Of params, for HTTP's query strings. */
extern const struct api_param pause_params[];	/* of queue.pause */
extern const struct api_param sweep_list_params[], points_params[];
extern const struct api_param sweep_stream_params[];	/* without a bound of `limit` */
extern const struct api_param kernels_params[], history_params[];

/* params: an object, or NULL for none.  An unknown method is answered like any fault. */
void		 api_call(struct api *, const struct caller *, const char *method,
		    const json_t *params, api_reply_fn *, void *arg);

/*
 * Its caller is gone: a reading is interrupted, a sweep that arrives is given up.  It is answered
 * all the same.  NULL is fine.
 */
void		 api_leave(struct call *);

/*
 * { word, member, reason, hint }, as in the errors of both doors.  New reference; NULL: no memory.
 */
json_t		*api_fault_data(const struct fault *);

/* For the server and the doors, which count there too; borrowed. */
struct vitals;
struct vitals	*api_vitals(struct api *);
void		 api_tick(struct api *);	/* once a second */
/* From now on calls that bring work are refused, with this reason (borrowed). */
void		 api_drain(struct api *, const char *reason);

/* Pages for a door that sends them itself; as readers_add. */
struct reading	*api_read(struct api *, uid_t, reading_fn *, reading_done_fn *, void *arg);

struct export;
/*
 * What sweep.export begins with, for a door that sends the pages itself: owned by the caller.
 * params: an object that fits the method.
 */
enum status	 api_export(struct api *, uid_t, const json_t *params, struct export **,
		    struct fault *);
/* Logs what a page has left out, each job once. */
void		 api_export_note(struct api *, const struct export *);

/* Prometheus text, format 0.0.4. */
void		 api_put_metrics(const struct api *, struct evbuffer *);

#endif
