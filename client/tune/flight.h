/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_FLIGHT_H
#define ASSAY_CLIENT_TUNE_FLIGHT_H

#include "client/connect/connection.h"
#include "client/tune/record.h"

/*
 * Points on their way through a daemon, as ordinary jobs, one for each cell.  They come back in the
 * order in which they left, so that what a search does next depends on times alone, not on which
 * job happened to end first.
 *
 * Racing: a point has a first look with few samples.  If its lower bound is above the limit, that
 * is all: the record has the bound.  Otherwise the whole timing follows.  The compiled object is in
 * the worker's cache by then.  Or the daemon races (`race` of a job): it ends the timing once the
 * bound is above FLIGHT_MARGIN times the limit, so that a drift of the host gives up no point.
 */
#define FLIGHT_MARGIN	1.05
enum { FLIGHT_MAX_WINDOW = 64 };

struct flying {
	struct record	 record;
	double		 limit_ns;	/* INFINITY: no race */
	size_t		 left;		/* cells without an end */
	bool		 looks;		/* the job under way is the first look */
};

struct flight {
	struct connection	*connection;	/* borrowed */
	struct field		*field;		/* borrowed */
	const json_t		*common;	/* borrowed; members for all jobs; NULL: none */
	struct flying		 of[FLIGHT_MAX_WINDOW];		/* a ring */
	size_t			 first, n;
	bool			 may_race;	/* the spec leaves the number of samples open */
	bool			 daemon_races;
};

void		 flight_init(struct flight *, struct connection *, struct field *,
		    const json_t *common);
void		 flight_release(struct flight *);

/* Submit a point; a refusal by the daemon is the fault of the job, in the sweep's terms. */
enum status	 flight_launch(struct flight *, const struct point *, double limit_ns,
		    struct fault *);
/* The same with a record that is known, which is taken. */
void		 flight_add_known(struct flight *, struct record *);
/* Wait for the point that left first.  ST_CANCELLED: Ctrl-C. */
enum status	 flight_land(struct flight *, struct record *, struct fault *);

/* The jobs under way, to be cancelled.  New reference. */
json_t		*flight_jobs(const struct flight *);

#endif
