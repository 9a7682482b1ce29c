/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_ARRIVAL_H
#define ASSAY_DAEMON_STORE_STORE_ARRIVAL_H

#include "daemon/store/store.h"

/*
 * Sweeps whose jobs are stored in many transactions.  Until store_arrival_end is on disk, the jobs
 * are in no counter and are not read into the queue.  See schema/README.md.
 */

/*
 * *id: the submitter's sweep with this name and whole document; 0: the name is free.  *is_old: an
 * earlier version stored the sweep of this name, without its spec.  ST_CONFLICT: it is another.
 */
enum status	 store_arrival_find(struct store *, const char *name, uid_t, const json_t *doc,
		    int64_t *id, bool *is_old, struct fault *);
/* Its jobs follow by store_add_job. */
enum status	 store_arrival_begin(struct store *, const char *name, uid_t, double submitted,
		    const json_t *doc, int64_t *id, struct fault *);
enum status	 store_arrival_end(struct store *, int64_t id, int64_t jobs, struct fault *);

/* Its name is free; its rows are to be removed. */
enum status	 store_arrival_give_up(struct store *, int64_t id, struct fault *);
/* At most `limit` of its jobs, and the sweep after the last: *is_gone. */
enum status	 store_arrival_remove(struct store *, int64_t id, size_t limit, bool *is_gone,
		    struct fault *);
/* At the start: gives up all that had not arrived, and names all that are to be removed. */
typedef enum status arrival_id_fn(void *arg, int64_t id);
enum status	 store_arrivals_recover(struct store *, arrival_id_fn *, void *arg,
		    struct fault *);

/* Returns how many. */
size_t		 store_sweep_jobs(struct store *, int64_t id, int64_t *ids, size_t max);

#endif
