/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_UPKEEP_UPKEEP_IMPL_H
#define ASSAY_DAEMON_UPKEEP_UPKEEP_IMPL_H

#include "daemon/setup/topology.h"
#include "daemon/upkeep/knee.h"
#include "daemon/upkeep/upkeep.h"

/*
 * Shared by the files upkeep*.c: upkeep.c (tasks and their jobs), upkeep_calibrate.c,
 * upkeep_yardstick.c.
 */

struct upkeep;

/* One kind of task.  `step` counts its jobs from 0. */
struct upkeep_task {
	const char	*name;
	json_t		*(*job)(struct upkeep *, size_t step);		/* NULL: no memory */
	/* *more false: that was the last job.  A fault fails the task. */
	enum status	 (*took)(struct upkeep *, size_t step, const struct news *, bool *more,
	    struct fault *);
	void		 (*end)(struct upkeep *);			/* all its jobs are over */
};

struct upkeep {
	struct upkeep_env	 env;
	char			 machine[TOPOLOGY_MACHINE_BYTES];

	const struct upkeep_task	*task;	/* NULL: none */
	size_t			 step;
	int64_t			 job;		/* of this step; 0: on its way to the disk */
	bool			 stopped;
	double			 due;		/* time of the next yardstick; 0: not known yet */
	/* why the last did; "" */
	char			 calibration_failed[256], yardstick_failed[256];

	struct knee_point	 point[KNEE_MAX_POINTS];	/* of a calibration under way */
	int64_t			 point_job[KNEE_MAX_POINTS];
	/* grown: jobs until the last size was reached; 0: not yet */
	size_t			 points, grown;
	bool			 at_limit;	/* no memory for a larger size */
	uint64_t		 flush_bytes;	/* in force; 0: none */
	json_t			*calibration;	/* owned; the last stored one; NULL: none */
};

extern const struct upkeep_task	upkeep_calibration_task, upkeep_yardstick_task;

enum status	 upkeep_start(struct upkeep *, const struct upkeep_task *, struct fault *);
void		 upkeep_load_calibration(struct upkeep *);
/* The value of a job's result.  ST_INTERNAL: it has none; the fault has its outcome. */
enum status	 upkeep_value(const struct news *, double *value_ns, struct fault *);

#endif
