/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_API_API_IMPL_H
#define ASSAY_DAEMON_API_API_IMPL_H

#include <sys/queue.h>

#include "daemon/api/api.h"
#include "daemon/queue/arrivals.h"
#include "daemon/queue/recovery.h"
#include "daemon/store/readers.h"
#include "daemon/usage/cache_size.h"
#include "daemon/usage/vitals.h"
#include "daemon/view/params.h"
#include "daemon/view/query.h"
#include "daemon/view/view.h"
#include "daemon/web/web.h"

/* Shared by the files api*.c alone. */

/*
 * One call.  A handler answers it or keeps it for later, and returns ST_OK; or it returns a fault,
 * which becomes the answer.  Answering frees the call.
 */
struct call {
	struct api		*api;		/* borrowed */
	uid_t			 uid;
	enum role		 role;
	struct api_client	*client;	/* borrowed; NULL: none, or gone meanwhile */
	TAILQ_ENTRY(call)	 entry;		/* among the client's calls, while client is not
						 * NULL */
	api_reply_fn		*reply;
	void			*arg;
	struct call		**noted;	/* borrowed; NULL: nowhere */
	const char		*within;	/* the member that a submission came in: "job",
						 * "jobs", "sweep" */
	bool			 follow;
	char			 next[QUERY_CURSOR_BYTES];	/* of its reply; "": none */
	const struct lookup	*lookup;	/* NULL: it reads nothing */
	void			*lookup_arg;	/* owned; freed by the lookup */
	struct reading		*reading;	/* borrowed; NULL: not under way */
	TAILQ_ENTRY(call)	 read_entry;	/* among those that wait to read */
};
TAILQ_HEAD(call_list, call);

/*
 * How a call is answered from the database: reads on a thread, where only its argument may be used,
 * then answers on the event loop as a handler does.
 */
struct lookup {
	reading_fn		*read;
	enum status		(*answer)(struct call *, void *arg, struct fault *);
	void			(*free)(void *arg);
	bool			 takes_long;	/* it has no limit of time */
};
/* Takes the argument.  ST_OK, so that a handler can end with it. */
enum status	 call_read(struct call *, const struct lookup *, void *arg);

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
	uid_t				 uid;
	const struct api_hooks		*hooks;
	void				*arg;
	struct call_list		 calls;		/* unanswered */
	/* of these, what waits to read: one at a time, while the client has room for answers */
	struct call_list		 to_read;
	bool				 reads;		/* one of them, on a thread */
	struct wait_list		 waits;
	struct subscription_list	 subscriptions;
	struct page_read		*page;	/* borrowed; of a subscription; NULL: none */
	int64_t				 last_subscription;
	struct account			*account;	/* borrowed; NULL: none */
	size_t				 nsubscriptions;
	TAILQ_ENTRY(api_client)		 entry;
};
TAILQ_HEAD(client_list, api_client);

struct put_off;
STAILQ_HEAD(put_off_list, put_off);

struct api {
	struct api_env		 env;
	struct client_list	 clients;
	size_t			 nclients;
	/* owned; one turn of the subscriptions that read the store */
	struct event		*paging;
	json_t			*damaged;	/* owned; results that were logged, by job id */
	struct readers		*readers;	/* owned; NULL: stopped */
	struct event		*reaping;	/* owned; readings are over */
	int64_t			 durable;	/* cursor of the newest result on disk */
	/* since the database began; counted here, to avoid a scan */
	int64_t			 results[ST_N], jobs;
	char			 http_tcp[64], tls[64];	/* addresses; "": no such door */
	struct accounts		*accounts;	/* owned */
	struct web		*web;		/* owned */
	double			 started, began;	/* wall clock, monotonic clock */
	const char		*begins_nothing;	/* why no work is taken; NULL: it is */
	struct recovery		 recovery;
	struct event		*reading;	/* owned; its next slice; NULL: it is over */
	struct event		*arriving;	/* owned; the next turn of sweeps that arrive */
	struct put_off_list	 put_off;	/* calls that wait for its end */
	struct put_off_list	 put_off_locked;	/* until another process lets write */
	struct pruning		*pruning;	/* owned; NULL: none is under way */
	struct event		*correcting;	/* owned; its next slice; NULL: not yet */
	uint64_t		 kept_s;	/* keep, when that was pruned last; 0: not yet */
	double			 kept_at_s;	/* monotonic; then */
	bool			 awaits_lock;	/* the store is to call when that is so */
	struct fault		 broken;	/* it failed */
	struct vitals		 vitals;
	struct cache_size	 cache;
};

typedef enum status	 method_fn(struct call *, const json_t *params, struct fault *);
method_fn	 api_server_info, api_host_get, api_queue_get;	/* api_host.c */
method_fn	 api_host_calibrate, api_host_yardstick;	/* api_upkeep.c */
method_fn	 api_job_submit, api_job_get, api_job_result, api_job_spec;	/* api_jobs.c */
method_fn	 api_compare_run;	/* api_compare.c */
method_fn	 api_sweep_create, api_sweep_get;	/* api_sweeps.c */
method_fn	 api_sweep_list;	/* api_sweep_list.c */
method_fn	 api_sweep_export;	/* api_export.c */
method_fn	 api_job_cancel, api_sweep_cancel;	/* api_cancel.c */
method_fn	 api_sweep_share;
method_fn	 api_queue_pause, api_queue_resume;	/* api_pause.c */
method_fn	 api_results_query, api_results_best;	/* api_results.c */
method_fn	 api_sweep_points, api_kernel_list, api_kernel_history;	/* api_points.c */
method_fn	 api_sweep_report;	/* api_report.c */
method_fn	 api_users_get;	/* api_users.c */
method_fn	 api_results_subscribe, api_results_unsubscribe;	/* api_subscribe.c */
method_fn	 api_store_check, api_store_backup;	/* api_store.c */
method_fn	 api_store_prune;	/* api_prune.c */
void		 api_prune_tick(struct api *), api_prune_stop(struct api *);
void		 api_correct_tick(struct api *), api_correct_stop(struct api *);
method_fn	 api_job_wait;	/* api_wait.c */

/* The queue is not complete yet: calls that need all of it wait (api_recovery.c). */
bool		 api_is_reading(const struct api *);
void		 api_recovery_stop(struct api *);	/* refuses those that wait */

/* A job that the queue has read is to end `cancelled`. */
void		 api_on_cancelled(void *api, int64_t job_id);
enum status	 api_arrivals_open(struct api *, struct fault *);	/* api_arrivals.c */
void		 api_arrivals_stop(struct api *);
/* {checked, stored, points}, or null; new. */
json_t		*api_arriving_json(const struct api *, int64_t sweep_id);
/* Its jobs that are not in the queue yet. */
size_t		 api_arriving_unread(const struct api *, int64_t sweep_id);

/* Calls that wait (api_put_off.c). */
enum status	 api_put_off(struct put_off_list *, struct call *, method_fn *,
		    const json_t *params, struct fault *);
void		 api_put_off_run(struct put_off_list *);
/* Refuses those that came before, on the monotonic clock. */
void		 api_put_off_end(struct put_off_list *, double before_s, const struct fault *);
void		 api_put_off_tick(struct api *);
/* Answers what the method refuses.  While the database is locked, a call that writes waits. */
void		 api_run(struct call *, method_fn *, const json_t *params);

enum status	 api_readers_open(struct api *, struct fault *);	/* api_read.c */
void		 api_read_next(struct api_client *);	/* it has room, or nothing to do */
void		 api_reads_free(struct api_client *);

/* Logs results that cannot be read, each once; ids of their jobs; NULL: none. */
void		 api_note_damaged(struct api *, const json_t *ids);

void		 api_put_upkeep_metrics(const struct api *, struct evbuffer *);
/* The owner and operators may. */
bool		 api_may_change(const struct call *, uid_t owner);
bool		 api_is_operator(const struct call *);
struct viewer	 api_viewer(const struct call *);
/*
 * Asked wherever a source, a file, a spec document or a build's messages leave the daemon.
 * visibility: as in struct row_owner.
 */
bool		 api_may_see(const struct call *, uid_t owner, const char *visibility);
enum status	 api_denied(const struct call *, const char *what, int64_t id, uid_t owner,
		    struct fault *);
/* The word of the pause under which a sweep's (0: single) jobs are, or null. */
json_t		*api_paused_by(const struct api *, uid_t, int64_t sweep_id);
json_t		*api_pauses(const struct api *);	/* all of them; new */
json_t		*api_quota(const struct api *);	/* limits, and each user's use; new */
/* {by, until} of a user whose jobs are not timed until then, or null; new. */
json_t		*api_held(const struct api *, uid_t);
/* `position`, `eta_s` and `eta` (api_estimate.c). */
void		 api_put_estimate(json_t *reply, const struct estimate *);
struct estimate	 api_estimate_job(const struct api *, const struct queued_job *);
struct estimate	 api_estimate_sweep(const struct api *, int64_t sweep_id);
/* A number as it is, or the number of a name.  ST_NOT_FOUND. */
enum status	 api_user(const struct call *, const json_t *user, int64_t *, struct fault *);
json_t		*api_users(const struct api *);	/* with live jobs; new */
json_t		*api_rate(const struct api *);	/* of the slots and builders; new */
enum status	 api_find_sweep(struct api *, const json_t *id_or_name, struct sweep_row *,
		    struct fault *);
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
/* The same for all results of a sweep, from its first one on; it does not end by itself. */
enum status	 api_follow_sweep(struct api_client *, int64_t sweep_id, int64_t *number,
		    struct fault *);
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
