/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_UPKEEP_UPKEEP_IMPL_H
#define ASSAY_DAEMON_UPKEEP_UPKEEP_IMPL_H

#include "daemon/setup/topology.h"
#include "daemon/upkeep/curve.h"
#include "daemon/upkeep/upkeep.h"

/*
 * Shared by the files upkeep*.c: upkeep.c (tasks and their jobs), upkeep_calibrate.c,
 * upkeep_first.c (when the daemon calibrates by itself), upkeep_yardstick.c.
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

/* The caches whose flush areas a calibration finds, in this order. */
enum upkeep_level { UPKEEP_LAST, UPKEEP_L2, UPKEEP_L1, UPKEEP_LEVELS };

/* When the daemon calibrates this host by itself; seconds since the epoch. */
struct upkeep_first {
	double		 asked;		/* a cold job waited for the first time; 0: none did */
	double		 retry;		/* not before */
	double		 pause_s;	/* until the next attempt; 0: none has failed */
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

	struct curve		 curve[UPKEEP_LEVELS];	/* of a calibration under way */
	enum upkeep_level	 level;			/* that it is at */
	unsigned		 noisy;			/* its timings that were too noisy */
	struct calibrated	 known;		/* in force; all 0: none */
	bool			 is_calibrated;	/* `known` holds, even if it is all 0 */
	struct upkeep_first	 first;
	json_t			*calibration;	/* owned; the last stored one; NULL: none */
};

extern const struct upkeep_task	upkeep_calibration_task, upkeep_yardstick_task;

enum status	 upkeep_start(struct upkeep *, const struct upkeep_task *, struct fault *);
void		 upkeep_load_calibration(struct upkeep *);
/* The value of a job's result.  ST_INTERNAL: it has none; the fault has its outcome. */
enum status	 upkeep_value(const struct news *, double *value_ns, struct fault *);

/* ---- upkeep_first.c ---- */

void		 upkeep_first_tick(struct upkeep *, double now);
void		 upkeep_first_failed(struct upkeep *, double now);

#endif
