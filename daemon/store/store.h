/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_H
#define ASSAY_DAEMON_STORE_STORE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include "daemon/store/pause.h"
#include "proto/base/fault.h"

/*
 * The database; only store*.c have SQL.  SQLite in WAL mode with synchronous=FULL.
 *
 * Writes gather in one open transaction. store_commit ends it, and then calls back all that wait
 * for durability (group commit).  The owner of the event loop arranges a store_commit soon after
 * on_dirty fires.  When another process has the write lock: store_lock.h.
 */
struct store;

enum status	 store_open(struct store **, const char *path, struct fault *);
void		 store_free(struct store *);
const char	*store_path(const struct store *);

/*
 * on_dirty: there are writes to commit; hurry: a client waits for the commit.  The first call of a
 * group never hurries.
 */
typedef void	 dirty_fn(void *arg, bool hurry);
void		 store_set_on_dirty(struct store *, dirty_fn *, void *arg);

/*
 * Called once with the outcome of the commit that has all writes so far.  Never from within
 * store_when_durable.
 */
typedef void	 durable_fn(void *arg, enum status, const struct fault *);
enum status	 store_when_durable(struct store *, durable_fn *, void *arg, bool hurry);
/* A client has begun to wait for what is not committed yet, if there is any. */
void		 store_hurry(struct store *);
enum status	 store_commit(struct store *, struct fault *);

/* store_undo takes back all writes since store_mark, and no other write of the group. */
enum status	 store_mark(struct store *, struct fault *);
enum status	 store_keep(struct store *, struct fault *);
void		 store_undo(struct store *);

/* When and where a job may run. */
struct job_terms {
	int		 priority;
	int64_t		 not_before, deadline;	/* seconds since the epoch; 0: none */
	int		 window_from, window_to;	/* minutes of the day; from -1: none */
	unsigned	 threads, retries;
};

struct new_job {
	int64_t		 sweep_id;	/* 0: none */
	uid_t		 submitter;
	double		 submitted;
	const char	*name, *routine, *key;	/* borrowed; "" none */
	const char	*visibility;	/* borrowed; of struct row_owner */
	struct job_terms terms;
	bool		 is_arriving;	/* store_arrival_end counts it, with its sweep */
	const json_t	*doc;		/* the submitted document; borrowed */
	/* in its bytes: the spec counts, unless it is this row; and so much else */
	int64_t		 counted_spec;
	size_t		 more_bytes;
};

/* A stored job: its document in two texts, as in proto/wire/msg.h. */
struct stored_job {
	int64_t		 id, spec_id;	/* jobs with one spec share its row */
	bool		 repeated;	/* the key names an older job with this document: its id */
	const char	*spec;		/* borrowed until the next call */
	char		*rest;		/* owned by the caller */
	uint32_t	 bytes;		/* of what it stores; not of a repeated one */
};
/* Of the text `rest` of this document. */
size_t		 store_rest_bytes(const json_t *doc);

/* ST_CONFLICT: the submitter's key names an older job with another document. */
enum status	 store_add_job(struct store *, const struct new_job *, struct stored_job *,
		    struct fault *);

/*
 * *existed: the submitter has a sweep with this name and document; *id is its id.  ST_CONFLICT: the
 * name belongs to another sweep.
 */
enum status	 store_add_sweep(struct store *, const char *name, uid_t, double submitted,
		    const json_t *doc, int64_t *id, bool *existed, struct fault *);

/*
 * Replaces store_add_job for a sweep that existed: finds the job with this key, or without a key
 * the sweep's first job after the job `after` (0: from the start).  ST_CONFLICT: there is none, or
 * its document is another.
 */
enum status	 store_find_again(struct store *, const struct new_job *, int64_t after,
		    int64_t *id, struct fault *);

/* The whole document of a job; new reference.  ST_NOT_FOUND. */
enum status	 store_job_doc(struct store *, int64_t id, json_t **doc, struct fault *);

/* A job's document without its spec, as from store_add_job; owned by the caller.  ST_NOT_FOUND. */
enum status	 store_job_rest(struct store *, int64_t id, char **rest, struct fault *);

/* What a job's brief is made of; borrowed for the call. */
struct job_texts {
	int64_t		 spec_id;
	const char	*sweep_name;	/* "" none */
	const char	*spec, *rest;
};
typedef enum status job_texts_fn(void *arg, const struct job_texts *, struct fault *);
/* ST_NOT_FOUND; otherwise what the function returns. */
enum status	 store_job_texts(struct store *, int64_t id, job_texts_fn *, void *arg,
		    struct fault *);

/* ---- the queue after a restart ---- */

/* A job without a result. */
struct waiting_job {
	int64_t		 id, sweep_id;
	uid_t		 submitter;
	double		 submitted;
	struct job_terms terms;
	uint32_t	 bytes;
	bool		 cancelled;	/* asked for, and not yet ended */
};
typedef enum status waiting_fn(void *arg, const struct waiting_job *);

/* How far the reading is: by priority, then by id.  Jobs that came after its start are not read. */
struct waiting_reader {
	int64_t		 sweep_id;	/* of this sweep alone; 0: of all */
	int64_t		 last_id;	/* the newest job at the start */
	int		 priority;
	int64_t		 after;		/* the job read last, of this priority */
	bool		 is_over;
};
/* *n: how many there are. */
enum status	 store_waiting_start(struct store *, struct waiting_reader *, size_t *n,
		    struct fault *);
/* The next ones, at most `limit`. */
enum status	 store_waiting_read(struct store *, struct waiting_reader *, size_t limit,
		    waiting_fn *, void *arg, struct fault *);

struct user_share {		/* of the timing slots */
	uid_t		 uid;
	double		 timed_s;	/* in all */
	double		 virtual_s;	/* where its share stands */
	int64_t		 day;		/* since the epoch, of its last result */
	double		 day_s;		/* on that day */
};
typedef void	 share_fn(void *arg, const struct user_share *);
void		 store_each_share(struct store *, share_fn *, void *arg);

/*
 * The number of a user who has none on this host: the next one from `first` on, and always the
 * same.  ST_FULL: none is left up to `last`.  On disk with the next commit.
 */
enum status	 store_user_number(struct store *, const char *name, uid_t first, uid_t last,
		    uid_t *, struct fault *);

enum status	 store_set_pause(struct store *, const struct pause *, bool is_on, struct fault *);
typedef enum status pause_fn(void *arg, const struct pause *);
enum status	 store_each_pause(struct store *, pause_fn *, void *arg, struct fault *);

/*
 * The job is to end `cancelled`, after a restart too.  *is_open: it has no result yet.  owner: only
 * if it is this user's; -1: any.
 */
enum status	 store_cancel_job(struct store *, int64_t id, int64_t owner, bool *is_open,
		    struct fault *);
/* All its jobs. */
enum status	 store_cancel_sweep(struct store *, int64_t id, struct fault *);
/* From now on this (as in struct row_owner, not NULL) overrides the visibility of its jobs. */
enum status	 store_share_sweep(struct store *, int64_t id, const char *visibility,
		    struct fault *);
/* As it was shared, else that of its first job; a new reference; NULL: unknown. */
json_t		*store_readers(struct store *, int64_t sweep_id);
/* Who sees a job with this visibility of a sweep (0: none); borrowed until the next such call. */
const char	*store_seen_by(struct store *, int64_t sweep_id, const char *own);

/* A job's end.  ST_CONFLICT: the job has a result already. */
struct new_result {
	int64_t		 job_id, cursor;	/* cursor: from store_next_cursor */
	enum status	 outcome;
	double		 finished, value_ns;	/* value_ns: 0 without an estimator, not timed */
	double		 ended;			/* `finished` on the monotonic clock */
	double		 half;	/* of value_ns' 95 % interval, relative; NaN: none */
	const char	*estimator;		/* of value_ns; NULL: none */
	const char	*json;			/* the result object */
	/* of its submitter; of a slot, and where its share stands then */
	uid_t		 submitter;
	double		 timed_s, virtual_s;	/* timed_s 0: nothing to note */
	const char	*identity;		/* of its timing; NULL or "": it has none */
	int64_t		 repeat_of;		/* the job that was timed; 0: this one */
	bool		 is_yardstick;		/* value_ns is no rank, but shows the drift */

	/* What pages draw, beside the value. */
	const double	*interval_ns;		/* two, of the median; NULL: none */
	double		 bound_ns;		/* it takes longer; 0: it was not given up */
	const char	*host_class, *meta;	/* meta: the job's, as JSON; NULL: none */
};
int64_t		 store_next_cursor(struct store *);	/* of the next result */
/* It is taken by a result that is written later. */
void		 store_take_cursor(struct store *, int64_t cursor);
enum status	 store_add_result(struct store *, const struct new_result *, struct fault *);

/* ---- timings by identity (daemon/dispatch/once.h) ---- */
/* The newest result with it, as JSON (owned by the caller), and its job.  NULL: none, damaged. */
char		*store_timed(struct store *, const char *identity, int64_t *job_id);

struct store_noise {		/* of a sweep's timings with one identity, from one to the next */
	int64_t		 identities, timings;	/* those with two timings or more; 0: none */
	double		 spread;		/* relative standard deviation, pooled; NaN: none */
};
void		 store_noise(struct store *, int64_t sweep_id, struct store_noise *);

struct store_drift {		/* of a sweep's yardstick */
	int64_t		 timings;
	double		 first_ns, last_ns;
	double		 worst;		/* ratio of a time to the one before, furthest from 1 */
};
void		 store_drift(struct store *, int64_t sweep_id, struct store_drift *);

/* ---- reading ---- */
struct row_rank {			/* in a sweep with a corrected ranking */
	const char	*how;		/* a word of daemon/store/drift.h; borrowed; NULL: none */
	double		 ns;		/* value_ns corrected, where `how` is "corrected" */
};

/* Who may read what a job was made of: its submitter, operators, and those of `visibility`. */
struct row_owner {
	uid_t		 submitter;
	/* JSON: "all", a list of names, or "private", as NULL; borrowed for the call */
	const char	*visibility;
};

struct job_row {
	int64_t		 id, sweep_id;
	const char	*sweep_name, *name;	/* borrowed for the call; "" none */
	struct row_owner owner;
	double		 submitted;
	int		 priority;
	const char	*status;		/* wire word; NULL: no result yet */
	const char	*result;		/* JSON text; NULL: none yet */
	struct row_rank	 rank;			/* of the result */
};
typedef enum status job_row_fn(void *arg, const struct job_row *);
/* ST_NOT_FOUND. */
enum status	 store_job(struct store *, int64_t id, job_row_fn *, void *arg, struct fault *);
/* ST_NOT_FOUND: one of them is unknown, or was pruned. */
enum status	 store_has_jobs(struct store *, const int64_t *ids, size_t n, struct fault *);
/* When the oldest job without a result was submitted; 0: there is none. */
double		 store_oldest_open(struct store *);

struct sweep_row {
	int64_t		 id;
	char		 name[256];
	uid_t		 submitter;
	double		 submitted;
	int64_t		 jobs, finished;
	int64_t		 by_status[ST_N];	/* finished jobs by outcome */
	bool		 corrects;		/* its ranking is corrected for drift */
};
enum status	 store_sweep(struct store *, int64_t id, const char *name, struct sweep_row *,
		    struct fault *);
					/* by id, or by name when id is 0; ST_NOT_FOUND */
enum sweep_state {
	SWEEP_IS_ARRIVING,	/* its jobs are being stored, and are not counted yet */
	SWEEP_IS_ACTIVE,	/* it has jobs without a result */
	SWEEP_IS_DONE,		/* all its jobs are over */
	SWEEP_IS_CANCELLED,	/* the same, some because it was cancelled as a whole */
	SWEEP_NSTATES
};

struct sweep_filter {
	const char	*search;	/* in names, in capitals or not; NULL: any; borrowed */
	int64_t		 submitter;	/* -1: any */
	int		 state;		/* enum sweep_state; -1: any */
	int64_t		 before;	/* those older than this one; 0: from the newest */
};
/* row->corrects is not read.  Any other status than ST_OK stops and is returned. */
typedef enum status sweep_row_fn(void *arg, const struct sweep_row *row, enum sweep_state);
/* Newest first. */
enum status	 store_sweeps(struct store *, const struct sweep_filter *, sweep_row_fn *,
		    void *arg, struct fault *);
/* Finished jobs by outcome, without zeros; new reference. */
json_t		*store_statuses(const struct sweep_row *);
/* Of its ok results, each once; new reference. */
json_t		*store_sweep_estimators(struct store *, int64_t id);
/* false: no such sweep. */
bool		 store_sweep_name(struct store *, int64_t id, char *buf, size_t bytes);

enum result_order { ORDER_ID, ORDER_NEWEST, ORDER_FASTEST };

struct result_filter {
	int64_t		 sweep_id;		/* 0: any */
	int64_t		 spec_id;		/* 0: any; else of this cell of the sweep */
	const int64_t	*ids;			/* job ids; borrowed */
	size_t		 nids;			/* 0: any */
	int		 status;		/* enum status; -1: any */
	const char	*name, *routine;	/* exact; NULL: any; borrowed */
	/* of `finished`, since included; seconds since the epoch; 0: any */
	double		 since, before;
	int64_t		 submitter;		/* -1: any */
	/* newest: by cursor, descending; fastest: by value, timed ones */
	enum result_order order;
	bool		 corrected;		/* fastest, of a sweep: by the corrected values */
	int64_t		 after_cursor;		/* 0: from the start */
	double		 after_value;		/* fastest: with after_cursor */
	size_t		 limit;
};

struct result_row {
	int64_t		 cursor, job_id;
	int64_t		 sweep_id;		/* 0: none; not of a damaged one */
	double		 value_ns;		/* as the order has it; 0: also, not timed */
	/* the result object; borrowed for the call; NULL: it is damaged */
	const char	*json;
	size_t		 json_bytes;
	struct row_owner owner;			/* not of a damaged one */
	struct row_rank	 rank;
};
/* Any other status than ST_OK stops and is returned. */
typedef enum status result_row_fn(void *arg, const struct result_row *);
enum status	 store_results(struct store *, const struct result_filter *,
		    result_row_fn *, void *arg, struct fault *);

/* The cell of a sweep behind this one (0: the first), as its spec's row; 0: there is no more. */
int64_t		 store_sweep_cell(struct store *, int64_t sweep_id, int64_t after);

/* Counters for /metrics: results by outcome since the database began. */
enum status	 store_totals(struct store *, int64_t by_status[ST_N], int64_t *jobs,
		    struct fault *);

/*
 * ---- knowledge of a host about itself ----
 * machine: identifies the host, because a database may be taken to another one.
 */
enum status	 store_add_calibration(struct store *, const char *machine, double taken,
		    uint64_t flush_bytes,
		    const json_t *doc, struct fault *);		/* flush_bytes 0: none was found */
/*
 * *doc: the newest calibration, a new reference. *flush_bytes: the largest flush area of the `last`
 * newest ones.  ST_NOT_FOUND: there is none.
 */
enum status	 store_calibration(struct store *, const char *machine, int last,
		    uint64_t *flush_bytes, json_t **doc, struct fault *);

struct quiet_row {			/* the gate state of a timing slot */
	const char	*machine, *fitness;	/* fitness NULL: unknown; both borrowed */
	int		 cpu;			/* the slot's first */
	double		 taken;
};
enum status	 store_keep_quiet(struct store *, const struct quiet_row *, const json_t *doc,
		    struct fault *);
/*
 * For the row's machine, CPU and fitness; sets taken and *doc, a new reference.  ST_NOT_FOUND:
 * there is none.
 */
enum status	 store_quiet(struct store *, struct quiet_row *, json_t **doc, struct fault *);

struct yardstick_row {	/* a timing of a yardstick; texts are borrowed for the call */
	const char	*kernel, *estimator;
	const char	*fitness;	/* "" unknown */
	double		 taken, value_ns;
	int64_t		 job_id;
};
enum status	 store_add_yardstick(struct store *, const char *machine,
		    const struct yardstick_row *, struct fault *);
typedef enum status yardstick_fn(void *arg, const struct yardstick_row *);
enum status	 store_yardsticks(struct store *, const char *machine, const char *kernel,
		    size_t limit, yardstick_fn *,
		    void *arg, struct fault *);			/* newest first */

#endif
