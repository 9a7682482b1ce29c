/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_DISPATCH_H
#define ASSAY_DAEMON_DISPATCH_DISPATCH_H

#include "daemon/dispatch/station/child.h"
#include "daemon/dispatch/ending.h"
#include "daemon/dispatch/trial.h"
#include "daemon/queue/estimate.h"
#include "daemon/queue/queue.h"
#include "daemon/setup/config.h"
#include "daemon/setup/topology.h"
#include "daemon/store/store.h"
#include "proto/wire/calibrated.h"

/*
 * Pairs jobs with workers: builders run ahead, slots time built jobs.  Every outcome goes through
 * one function that judges, stores and reports it.  A dead worker is replaced; its job is tried
 * again, then ends `internal`.
 */
struct dispatch;
struct child_pool;
struct job;
struct hold;
struct delegation;

enum status	 dispatch_new(struct dispatch **, const struct config *, const struct topology *,
		    struct store *,
		    /* all borrowed, outlive it */
		    struct queue *, struct child_pool *, struct fault *);
/* Before the start; borrowed, outlives it. */
void		 dispatch_use_host(struct dispatch *, struct hold *);
/* As dispatch_use_host. */
void		 dispatch_use_cells(struct dispatch *, const struct delegation *);
struct hold	*dispatch_host(const struct dispatch *);	/* NULL: none */
/* For later timings; NULL: this host is not calibrated, for that reason. */
void		 dispatch_use_calibrated(struct dispatch *, const struct calibrated *,
		    const char *reason);
/* Keep the memory busy from a housekeeping CPU, or stop that.  false: this host has none. */
bool		 dispatch_stream(struct dispatch *, bool on);
/* A built job that may not be timed now waits, and later ones take its turn. */
typedef bool	 may_time_fn(void *arg, const struct queued_job *);
void		 dispatch_ask(struct dispatch *, may_time_fn *, void *arg);
/* How a trial is had (daemon/dispatch/trial.h). */
void		 dispatch_trial_with(struct dispatch *, trial_fn *, void *arg);
/* The trial is in the queue.  job 0: it was refused. */
void		 dispatch_use_trial(struct dispatch *, int64_t job);
enum status	 dispatch_start(struct dispatch *, struct fault *);	/* start the workers */
/* Writes the gate states that changed; then commit. */
void		 dispatch_store(struct dispatch *);
void		 dispatch_free(struct dispatch *);	/* after the pool, which owns the workers */
void		 dispatch_on_news(struct dispatch *, news_fn *, awaited_fn *, void *arg);

void		 dispatch_kick(struct dispatch *);	/* something changed: give out work */
void		 dispatch_drain(struct dispatch *);	/* from now on no work is given out */
bool		 dispatch_is_timing(const struct dispatch *);	/* a slot has a job */
void		 dispatch_tick(struct dispatch *);	/* once a second: windows, deadlines, stuck
							 * workers */

/*
 * The cancel is on disk already (daemon/api/api_cancel.c).  ST_OK: it ends `cancelled`, now or when
 * its worker is done with it.  ST_CONFLICT: already over.  ST_NOT_FOUND: no such live job.
 */
enum status	 dispatch_cancel(struct dispatch *, int64_t id, struct fault *);
/* All live jobs of a sweep; they end in slices.  Returns their number. */
size_t		 dispatch_cancel_sweep(struct dispatch *, int64_t sweep_id);
/* From the event loop, not before the call returns. */
void		 dispatch_cancel_later(struct dispatch *, int64_t id);

/* ST_BAD_SPEC: the job asks for an event that no running worker can count. */
enum status	 dispatch_check(const struct dispatch *, const struct job *, struct fault *);

/*
 * { slots:[{cpu, cpus, pid, job}], builders:[…], canaries:[{cpu, cpus, canary}], compilers:[…],
 * clock:{…}, clocks:[…], counters:[…], jail:{…}, build_jail:{…} }; new reference, NULL: no memory
 */
json_t		*dispatch_report(const struct dispatch *);

/* Those that take jobs now. */
void		 dispatch_places(const struct dispatch *, struct queue_places *);

struct worker_counts {			/* since the daemon began */
	uint64_t	 restarts, kills[KILL_N];
};
void		 dispatch_count_workers(const struct dispatch *, struct worker_counts *);

#endif
