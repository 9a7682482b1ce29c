/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_STATION_STATION_H
#define ASSAY_DAEMON_DISPATCH_STATION_STATION_H

#include "daemon/dispatch/station/child.h"
#include "daemon/dispatch/station/quiet.h"
#include "daemon/dispatch/station/streak.h"
#include "daemon/queue/queue.h"
#include "daemon/setup/config.h"
#include "daemon/setup/topology.h"

/*
 * A station is one place where work happens: a builder on a housekeeping CPU or a timing slot.  It
 * keeps a worker process alive there and holds at most one job.
 */
enum { STATION_COMPANY_MAX = 60 };	/* of four orders */

enum station_role { STATION_BUILD, STATION_TIME };

struct station {
	enum station_role		 role;
	/* borrowed: cgroup.procs for its worker's jails; -1: none */
	int			 cell_fd;
	/* supervise_cpu: of a timing slot's supervisor */
	int			 cpu, supervise_cpu;
	/* borrowed: a timing slot's, `cpu` first; NULL: a builder */
	const cpu_set_t		*cpus;
	const struct topology_caches *caches;	/* borrowed; of its CPUs */
	struct child		*child;		/* owned by the pool; NULL: not running */
	bool			 ready;		/* it has greeted */
	struct queued_job	*job;		/* borrowed from the queue; NULL: idle */
	unsigned		 ncompany;
	/* borrowed from the queue: what a builder gets next (company.h) */
	struct queued_job	*company[STATION_COMPANY_MAX];
	uint64_t		 cached_alike;	/* such variants were in the cache lately */
	/* daemon/dispatch/ahead.h */
	struct queued_job	*next;		/* borrowed; its order is in hand; NULL: none */
	int64_t			 taken_back;	/* an order that is still to be answered; 0: none */
	int64_t			 short_sweep;	/* of the last job, if it took little time */
	unsigned		 beside;	/* most other slots that timed on its last cache
						 * during that job */
	unsigned		 khz;		/* its clock was set to; 0: not */
	/* seconds of the monotonic clock; give_up: when its order counts as lost */
	double			 give_up, started, restart_at;
	uint64_t		 starts;	/* of workers, that succeeded */
	unsigned		 quick_deaths;	/* in a row, each soon after its start */
	struct streak		 streak;	/* of faults of ours */
	json_t			*hello;		/* owned; the worker's greeting */
	/* owned; its last report of its slot's canary; NULL: none */
	json_t			*canary;
	struct quiet_state	 quiet;		/* of its gate */
	bool			 quiet_sent;	/* the worker has this state */
};

void		 station_release(struct station *);
enum status	 station_start(struct station *, struct child_pool *, const struct config *,
		    const struct child_events *, void *arg, double now, struct fault *);
bool		 station_is_idle(const struct station *);
/* Its worker has had the time to greet, and has not. */
enum { STATION_GREETING_S = 60 };
bool		 station_is_mute(const struct station *, double now);
unsigned	 station_width(const struct station *);	/* its CPUs */

/*
 * The worker ended: note it, and the time of the next start: at once, later and later if it keeps
 * dying.
 */
void		 station_ended(struct station *, double now);
void		 station_saw(struct station *, const json_t *timed);	/* the report of a timing */
/* { cpu, cpus, pid, ready, job, paused, retry_s } */
json_t		*station_report(const struct station *);
/* { cpu, cpus, canary, quiet }, null if unknown */
json_t		*station_canary(const struct station *);

#endif
