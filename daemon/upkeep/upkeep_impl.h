/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_UPKEEP_UPKEEP_IMPL_H
#define ASSAY_DAEMON_UPKEEP_UPKEEP_IMPL_H

#include "daemon/setup/topology.h"
#include "daemon/upkeep/knee.h"
#include "daemon/upkeep/upkeep.h"

/*
 * What the files upkeep*.c share: upkeep.c (tasks and their jobs), upkeep_calibrate.c,
 * upkeep_yardstick.c.
 */

struct upkeep;

/* One kind of task.  `step` counts its jobs from 0. */
struct upkeep_task {
	const char	*name;
	json_t		*(*job)(struct upkeep *, size_t step);		/* NULL: no memory */
	/* false: that was the last job.  ST_OK or why the task fails. */
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
	double			 due;		/* when the reference is; 0: not known yet */
	char			 calibration_failed[256], yardstick_failed[256];	/* why the last did; "" */

	struct knee_point	 point[KNEE_MAX_POINTS];	/* of a calibration under way */
	int64_t			 point_job[KNEE_MAX_POINTS];
	size_t			 points, grown;	/* grown: jobs until the sizes grew no more; 0: they
						 * do */
	bool			 at_limit;	/* a larger size cannot be had */
	uint64_t		 flush_bytes;	/* in force; 0: none */
	json_t			*calibration;	/* owned; the last that is stored; NULL: none */
};

extern const struct upkeep_task	upkeep_calibration_task, upkeep_yardstick_task;

enum status	 upkeep_start(struct upkeep *, const struct upkeep_task *, struct fault *);
void		 upkeep_load_calibration(struct upkeep *);
/* The time that a job's result ranks by.  ST_INTERNAL: it has none, the words say how it ended. */
enum status	 upkeep_value(const struct news *, double *value_ns, struct fault *);

#endif
