/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_API_API_IMPL_H
#define ASSAY_DAEMON_API_API_IMPL_H

#include <sys/queue.h>

#include "daemon/api/api.h"
#include "daemon/api/params.h"
#include "daemon/api/query.h"

/* Shared by the files api*.c alone. */

/*
 * One call.  A handler answers it or keeps it for later, and returns ST_OK; or it returns a fault,
 * which becomes the answer.  Answering frees the call.
 */
struct call {
	struct api		*api;		/* borrowed */
	uid_t			 uid;
	struct api_client	*client;	/* borrowed; NULL: none, or gone meanwhile */
	TAILQ_ENTRY(call)	 entry;		/* among the client's calls, while client is not
						 * NULL */
	api_reply_fn		*reply;
	void			*arg;
	const char		*within;	/* the member that a submission came in: "job",
						 * "jobs", "sweep" */
	bool			 follow;
};
TAILQ_HEAD(call_list, call);

/* Both return ST_OK, so that a handler can end with them. */
/* Takes the reference; NULL: out of memory. */
enum status	 call_answer(struct call *, json_t *result);
enum status	 call_answer_text(struct call *, struct evbuffer *);	/* takes the buffer */
void		 call_refuse(struct call *, const struct fault *);

struct wait;
struct subscription;
TAILQ_HEAD(wait_list, wait);
TAILQ_HEAD(subscription_list, subscription);

struct api_client {
	struct api			*api;		/* borrowed */
	const struct api_hooks		*hooks;
	void				*arg;
	struct call_list		 calls;		/* unanswered */
	struct wait_list		 waits;
	struct subscription_list	 subscriptions;
	int64_t				 last_subscription;
	size_t				 nsubscriptions;
	TAILQ_ENTRY(api_client)		 entry;
};
TAILQ_HEAD(client_list, api_client);

struct api {
	struct api_env		 env;
	struct client_list	 clients;
	size_t			 nclients;
	/* owned; one turn of the subscriptions that read the store */
	struct event		*paging;
	int64_t			 durable;	/* cursor of the newest result on disk */
	/* since the database began; counted here, to avoid a scan */
	int64_t			 results[ST_N], jobs;
	char			 http_tcp[64];
	double			 started;
};

typedef enum status	 method_fn(struct call *, const json_t *params, struct fault *);
method_fn	 api_server_info, api_host_get, api_queue_get;	/* api_host.c */
method_fn	 api_host_calibrate, api_host_yardstick;	/* api_upkeep.c */
method_fn	 api_job_submit, api_job_get, api_job_spec, api_job_cancel;	/* api_jobs.c */
method_fn	 api_compare_run;	/* api_compare.c */
method_fn	 api_sweep_create, api_sweep_get, api_sweep_cancel;	/* api_sweeps.c */
method_fn	 api_results_query, api_results_best;	/* api_results.c */
method_fn	 api_results_subscribe, api_results_unsubscribe;	/* api_subscribe.c */
method_fn	 api_job_wait;	/* api_wait.c */

void		 api_put_upkeep_metrics(const struct api *, struct evbuffer *);
/* The owner, root and the daemon's own user may. */
bool		 api_may_change(const struct call *, uid_t owner);
enum status	 api_denied(int64_t job, uid_t owner, struct fault *);
json_t		*api_statuses(const struct sweep_row *);	/* jobs over, by status; new */
enum status	 api_find_sweep(struct api *, const json_t *id_or_name, struct sweep_row *,
		    struct fault *);
/* Owned; NULL: no memory. */
int64_t		*api_live_ids(const struct queue *, int64_t sweep_id, size_t *n);
/* ST_NOT_FOUND: one of them is unknown. */
enum status	 api_know_all(struct api *, const int64_t *ids, size_t n, struct fault *);
/* {id, name}, or null if id is 0. */
json_t		*api_sweep_ref(int64_t id, const char *name);
/* ST_OK: this caller can be sent results as they land. */
enum status	 api_may_subscribe(const struct call *, struct fault *);
/* Takes note of `follow`; a fault if this call cannot have it. */
enum status	 api_want_follow(struct call *, const json_t *params, struct fault *);
/*
 * Rename the member of an intake fault as the call named it: "[0].spec.x" of a single job is
 * "job.spec.x".
 */
enum status	 api_submission_fault(const struct call *, struct fault *);
/* arg: the struct call of a submission. */
void		 api_admitted(void *arg, const struct admitted *);

/* Subscribe a client to the results of these jobs; takes ids. *number: in its notifications. */
enum status	 api_follow(struct api_client *, int64_t *ids, size_t n, bool stored_too,
		    int64_t *number, struct fault *);
void		 api_subscriptions_news(struct api *, const struct news *);
/* Does a subscription want the result of this job? */
bool		 api_subscriptions_want(const struct api *, int64_t job_id, int64_t sweep_id);
void		 api_subscriptions_free(struct api_client *);
void		 api_page(evutil_socket_t, short, void *api);		/* event callback */
void		 api_page_soon(struct api *);

void		 api_waits_news(struct api *, const struct news *);
/* Is this the last job that a call waits for? */
bool		 api_waits_want(const struct api *, int64_t job_id);
void		 api_waits_free(struct api_client *);

#endif
