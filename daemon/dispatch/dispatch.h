/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_DISPATCH_H
#define ASSAY_DAEMON_DISPATCH_DISPATCH_H

#include "daemon/dispatch/ending.h"
#include "daemon/queue/queue.h"
#include "daemon/setup/config.h"
#include "daemon/setup/topology.h"
#include "daemon/store/store.h"

/*
 * Pairs jobs with workers: builders run ahead, slots time what is built.  Every outcome leaves
 * through one function that judges, stores and tells.  A worker that dies is replaced; its job is
 * tried again, then ends `internal`.
 */
struct dispatch;
struct child_pool;
struct job;
struct hold;
struct delegation;

enum status	 dispatch_new(struct dispatch **, const struct config *, const struct topology *,
		    struct store *,
		    struct queue *, struct child_pool *, struct fault *);	/* all borrowed, outlive it */
void		 dispatch_use_host(struct dispatch *, struct hold *);	/* before the start; borrowed, outlives it */
void		 dispatch_use_cells(struct dispatch *, const struct delegation *);	/* as use_host */
struct hold	*dispatch_host(const struct dispatch *);	/* NULL: none */
void		 dispatch_use_flush(struct dispatch *, uint64_t bytes);	/* for timings to come; 0: not calibrated */
enum status	 dispatch_start(struct dispatch *, struct fault *);	/* start the workers */
void		 dispatch_store(struct dispatch *);	/* what has been learnt and not yet written;
							 * then commit */
void		 dispatch_free(struct dispatch *);	/* the workers are the pool's: free that
							 * first */
void		 dispatch_on_news(struct dispatch *, news_fn *, awaited_fn *, void *arg);

void		 dispatch_kick(struct dispatch *);	/* something changed: hand out work */
void		 dispatch_tick(struct dispatch *);	/* once a second: windows, deadlines, stuck
							 * workers */

/*
 * ST_OK: it ends `cancelled` (now or as soon as its worker lets go); ST_CONFLICT: already over;
 * ST_NOT_FOUND: no such live job.
 */
enum status	 dispatch_cancel(struct dispatch *, int64_t id, struct fault *);

/*
 * ST_BAD_SPEC: the job asks for what the workers that are up have said they lack: an event that is
 * not counted here.
 */
enum status	 dispatch_check(const struct dispatch *, const struct job *, struct fault *);

/*
 * { slots:[{cpu, cpus, pid, job}], builders:[…], canaries:[{cpu, cpus, canary}], compilers:[…],
 * clock:{…}, clocks:[…], counters:[…], jail:{…}, build_jail:{…} }; new reference, NULL: no memory
 */
json_t		*dispatch_report(const struct dispatch *);

#endif
