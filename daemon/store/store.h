/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_H
#define ASSAY_DAEMON_STORE_STORE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * The database; only store*.c have SQL.  SQLite in WAL mode with synchronous=FULL.
 *
 * Writes gather in one open transaction. store_commit ends it, and then calls back all that wait
 * for durability (group commit).  The owner of the event loop arranges a store_commit soon after
 * on_dirty fires.
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
enum status	 store_commit(struct store *, struct fault *);

/* store_undo takes back all writes since store_mark, and no other write of the group. */
enum status	 store_mark(struct store *, struct fault *);
enum status	 store_keep(struct store *, struct fault *);
void		 store_undo(struct store *);

struct new_job {
	int64_t		 sweep_id;	/* 0: none */
	uid_t		 submitter;
	double		 submitted;
	const char	*name, *routine, *key;	/* borrowed; "" none */
	int		 priority;
	const json_t	*doc;		/* the submitted document; borrowed */
};

/* A stored job: its document in two texts, as in proto/wire/msg.h. */
struct stored_job {
	int64_t		 id, spec_id;	/* jobs with one spec share its row */
	bool		 repeated;	/* the key names an older job with this document: its id */
	const char	*spec;		/* borrowed until the next call */
	char		*rest;		/* owned by the caller */
};

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

/* Jobs without a result, oldest first, for the queue after a restart. */
struct unfinished {
	int64_t		 id, sweep_id, spec_id;
	const char	*sweep_name;	/* "" none; borrowed for the call, as are the next two */
	const char	*spec, *rest;
	uid_t		 submitter;
	double		 submitted;
};
typedef enum status unfinished_fn(void *arg, const struct unfinished *);
enum status	 store_each_unfinished(struct store *, unfinished_fn *, void *arg, struct fault *);

/* A job's end.  ST_CONFLICT: the job has a result already. */
struct new_result {
	int64_t		 job_id, cursor;	/* cursor: from store_next_cursor */
	enum status	 outcome;
	double		 finished, value_ns;	/* value_ns: not positive, nothing was timed */
	const char	*estimator;		/* of value_ns; NULL: none */
	const char	*json;			/* the result object */
};
int64_t		 store_next_cursor(struct store *);	/* of the next result */
enum status	 store_add_result(struct store *, const struct new_result *, struct fault *);

/* ---- reading ---- */
struct job_row {
	int64_t		 id, sweep_id;
	const char	*sweep_name, *name;	/* borrowed for the call; "" none */
	uid_t		 submitter;
	double		 submitted;
	int		 priority;
	const char	*status;		/* wire word; NULL: no result yet */
	const char	*result;		/* JSON text; NULL: none yet */
};
typedef enum status job_row_fn(void *arg, const struct job_row *);
/* ST_NOT_FOUND. */
enum status	 store_job(struct store *, int64_t id, job_row_fn *, void *arg, struct fault *);
bool		 store_has_job(struct store *, int64_t id);

struct sweep_row {
	int64_t		 id;
	char		 name[256];
	uid_t		 submitter;
	double		 submitted;
	int64_t		 jobs, finished;
	int64_t		 by_status[ST_N];	/* finished jobs by outcome */
};
enum status	 store_sweep(struct store *, int64_t id, const char *name, struct sweep_row *,
		    struct fault *);
					/* by id, or by name when id is 0; ST_NOT_FOUND */
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
	int64_t		 after_cursor;		/* 0: from the start */
	double		 after_value;		/* fastest: with after_cursor */
	size_t		 limit;
};

struct result_row {
	int64_t		 cursor, job_id;
	double		 value_ns;		/* 0: not timed */
	const char	*json;			/* the result object; borrowed for the call */
	size_t		 json_bytes;
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
