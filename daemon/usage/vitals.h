/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_USAGE_VITALS_H
#define ASSAY_DAEMON_USAGE_VITALS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <uthash.h>

#include "daemon/dispatch/ending.h"
#include "daemon/usage/histogram.h"
#include "daemon/usage/traffic.h"

/*
 * What the daemon counts of itself for GET /metrics, since its start; seconds of users since the
 * database began.  The server and the doors count too, through api_vitals; the text is made in
 * daemon/api/api_metrics.c.
 */
enum { VITALS_MAX_USERS = 1000, VITALS_HTTP_CODES = 600 };

struct vitals_user {
	uid_t		 uid;
	double		 timed_s;
	UT_hash_handle	 hh;
};

struct vitals {
	struct histogram	 waiting, build, timing;	/* of jobs, in seconds */
	struct histogram	 commit, lag;	/* of commits; of ticks behind their time */
	uint64_t		 commits_failed;
	struct vitals_user	*users;		/* owned */
	double			 others_timed_s;	/* of users beyond VITALS_MAX_USERS */
	uint64_t		 samples, canary_rejected, memory_rejected;
	uint64_t		 ended[TRAFFIC_NDOORS][TRAFFIC_NREASONS];	/* connections */
	uint64_t		 http[VITALS_HTTP_CODES];	/* answers by code */
	unsigned		 http_waits, http_streams;	/* requests that wait; of events */
	double			 last_tick_s;	/* monotonic; 0: none yet */
};

extern const struct histogram_bounds vitals_job_bounds, vitals_moment_bounds;

void		 vitals_release(struct vitals *);
void		 vitals_note_commit(struct vitals *, double seconds, bool failed);
/* Each tick, due `period_s` after the one before, on the monotonic clock. */
void		 vitals_note_tick(struct vitals *, double now_s, double period_s);
/* Seconds in the slots, on disk so far. */
void		 vitals_note_timed(struct vitals *, uid_t, double seconds);
void		 vitals_note_http(struct vitals *, int code);	/* an answer */
void		 vitals_note_result(struct vitals *, const struct news *);

#endif
