/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_UPKEEP_UPKEEP_IMPL_H
#define ASSAY_DAEMON_UPKEEP_UPKEEP_IMPL_H

#include "daemon/setup/topology.h"
#include "daemon/upkeep/curve.h"
#include "daemon/upkeep/upkeep.h"

/*
 * Shared by the files upkeep*.c: upkeep.c (tasks and their jobs), upkeep_calibrate.c,
 * upkeep_memory.c (its part about memory), upkeep_first.c (when the daemon calibrates by itself),
 * upkeep_held.c (the database's lock), upkeep_yardstick.c, upkeep_trial.c (a job for a place in
 * doubt).
 */

struct upkeep;
struct upkeep_held;

/* One kind of task.  `step` counts its jobs from 0. */
struct upkeep_task {
	const char	*name;
	json_t		*(*job)(struct upkeep *, size_t step);		/* NULL: no memory */
	/* *more false: that was the last job.  A fault fails the task. */
	enum status	 (*took)(struct upkeep *, size_t step, const struct news *, bool *more,
	    struct fault *);
	void		 (*end)(struct upkeep *);			/* all its jobs are over */
};

/* A calibration finds the flush areas of these caches, in this order. */
enum upkeep_level { UPKEEP_LAST, UPKEEP_L2, UPKEEP_L1, UPKEEP_LEVELS };

/* Jobs about memory: the first of them at rest, the others beside a streamer. */
enum { UPKEEP_MEMORY_RESTS = 5, UPKEEP_MEMORY_JOBS = 16 };
struct upkeep_memory {
	size_t			 taken;
	bool			 streams;	/* the streamer has been started */
	double			 reading_ns[UPKEEP_MEMORY_JOBS], cold_ns[UPKEEP_MEMORY_JOBS];
};

/* When the daemon calibrates this host by itself; seconds of the monotonic clock. */
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
	enum upkeep_level	 level;		/* that it is at; UPKEEP_LEVELS: memory */
	struct upkeep_memory	 memory;
	unsigned		 noisy;			/* its timings that were too noisy */
	bool			 was_quiet;	/* throughout the calibration in force */
	struct calibrated	 known;		/* in force; all 0: none */
	bool			 is_calibrated;	/* `known` holds, even if it is all 0 */
	struct upkeep_first	 first;
	struct upkeep_held	*held;		/* owned; the end of `job`; NULL: none */
	json_t			*calibration;	/* owned; the last stored one; NULL: none */
};

extern const struct upkeep_task	upkeep_calibration_task, upkeep_yardstick_task;

enum status	 upkeep_start(struct upkeep *, const struct upkeep_task *, struct fault *);
void		 upkeep_load_calibration(struct upkeep *);
/* The value of a job's result.  ST_INTERNAL: it has none; the fault has its outcome. */
enum status	 upkeep_value(const struct news *, double *value_ns, struct fault *);

/* The news of `job`, in an open group of the store. */
void		 upkeep_take(struct upkeep *, const struct news *);
void		 upkeep_end_badly(struct upkeep *, const char *reason);

/* ---- upkeep_held.c: another process has the lock of the database ---- */

/* Takes a copy of the news later, when the lock is free. */
void		 upkeep_hold(struct upkeep *, const struct news *);
void		 upkeep_held_free(struct upkeep_held *);	/* NULL is fine */

/* ---- upkeep_memory.c ---- */

json_t		*upkeep_memory_job(struct upkeep *);
/* The job's time.  true: another one is needed. */
bool		 upkeep_memory_took(struct upkeep *, const struct news *, double ns);
/* Fills in the memory's part; a description, JSON's null if it is not known; new reference. */
json_t		*upkeep_memory_found(struct upkeep *, struct calibrated *);

/* ---- upkeep_first.c ---- */

void		 upkeep_first_tick(struct upkeep *, double now);
/* The last calibration failed, or was not quiet: make another one later. */
void		 upkeep_first_again(struct upkeep *, double now);

#endif
