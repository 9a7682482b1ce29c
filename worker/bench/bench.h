/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BENCH_BENCH_H
#define ASSAY_WORKER_BENCH_BENCH_H

#include "proto/base/fault.h"
#include "proto/spec/spec.h"
#include "proto/wire/runner_shm.h"
#include "worker/bench/challenge.h"
#include "worker/bench/overrun.h"
#include "worker/bench/proc/pages.h"
#include "worker/plan/slot.h"

/*
 * The supervisor's end of one assay-runner.  Starts it in a timing jail, gives it orders, waits
 * with a deadline, and turns every failure into an outcome.  Times are nanoseconds of
 * CLOCK_MONOTONIC.
 */
struct bench;

struct bench_config {
	const struct slot	*slot;		/* borrowed for the bench's life */
	const char		*driver_path;
	const char		*image_path;	/* of the checkpoint image that the driver calls;
						 * NULL: none */
	uint64_t		 output_bytes;	/* of the output area */
	uint64_t		 memory_bytes;	/* limit for the runner and a variant */
	uint64_t		 setup_limit_ns;
	unsigned		 threads;	/* that a routine may have; 0 is 1 */
	enum jail_profile	 profile;	/* rights of routines beyond the usual */
	uint64_t		 challenge_bytes;	/* of the area of challenges; 0: there are
							 * none */
	uint64_t		 tables_bytes;	/* runner_setup has it */
	unsigned		 copies;	/* of a variant that run at once; 0 is 1 */
	bool			 links;		/* some of its objects are: worker/bench/bay.h */
	bool			 unfiltered;	/* routines may make any system call, as where there
						 * is no seccomp */
};

/*
 * The outcome of an order to a lane.  Checked: every number is in range, every text is terminated.
 */
struct bench_reply {
	enum status		 status;	/* ok, or the variant's outcome, or ours */
	char			 words[1024];	/* why, for a person; "" when ok */
	/* the routine is missing; words: the functions there are */
	bool			 lists_functions;
	enum runner_phase	 phase;		/* what it was doing when it ended */
	struct overrun		 overrun;	/* of a crash: the words do not name the operand */
	bool			 realtime;	/* samples were taken under SCHED_FIFO */
	bool			 pinned;
	uint64_t		 took_ns;	/* from order to reply, by our clock */
	uint64_t		 code_at;	/* after a load: where the routine begins */
	/* pace at rest after a load, in ticks (worker/quiet/gate.h) */
	uint32_t		 rest_pace;
	uint32_t		 samples;
	struct runner_sentinel	 sentinel;
	uint64_t		 sets_seen;
	struct runner_proof	 proof;		/* of this order */
	struct runner_sample	 sample[RUNNER_SAMPLES];
	bool			 is_paired;	/* each sample is one of a pair: chain/pairs.h */
	/* if so: ticks of the other half's region */
	uint64_t		 against_ticks[RUNNER_SAMPLES];
	struct runner_census	 census[RUNNER_OPERANDS + 1];	/* of a check or a census; the last:
								 * the result */
};

enum status	 bench_new(struct bench **, const struct bench_config *, struct fault *);
void		 bench_free(struct bench *);	/* the runner and all it started are gone
						 * afterwards; NULL is fine */
bool		 bench_is_usable(const struct bench *);	/* false: free it and make another */

/* The runner's driver: element counts of its operands. */
struct runner_driver bench_driver(const struct bench *);

/*
 * Make areas to flush with, for variants loaded from now on, within so long.  ST_RUN_LIMIT: no
 * memory.
 */
enum status	 bench_area(struct bench *, uint64_t flush_bytes, const struct runner_sets *,
		    uint64_t limit_ns, struct fault *);

/*
 * Have operand k lie shift[k] bytes below its usual place, in what is loaded from now on;
 * RUNNER_OPERANDS of them.
 */
void		 bench_shift(struct bench *, const uint32_t *shift);

/*
 * Before each job.  In what is loaded from now on, operands in `own` have pages of the child's, a
 * bit each; and operand k has pages of node[k], or of any (-1), and the spec's offset.
 */
void		 bench_settle(struct bench *, uint64_t own, const int32_t node[RUNNER_OPERANDS],
		    const struct spec *);

/*
 * Before each job: lanes know of the caches' levels (runner_levels) only what the blank child says,
 * in which nothing can lie.  If there is one it measures them, unless it did lately.
 */
void		 bench_learn_levels(struct bench *, struct bench_reply *);

/* What is loaded next on that lane knows as much again, and nothing of the last one there. */
void		 bench_forget_levels(struct bench *, unsigned lane);

/* The core's pace at rest, in ticks (worker/quiet/gate.h); 0, as at first: not known. */
void		 bench_expect_pace(struct bench *, uint32_t best_pace);

/*
 * Load the object at `path` (NULL: the image's own routine, which is there already); its routine is
 * run by later orders.  The reply's status is also returned.
 */
enum status	 bench_load(struct bench *, unsigned lane, const char *path, uint64_t deadline_ns,
		    struct bench_reply *);
enum status	 bench_run(struct bench *, unsigned lane, const struct runner_run *,
		    uint64_t deadline_ns, struct bench_reply *);

/*
 * The same order to all copies at once, which are loaded on their lanes (runner_copy_lane).  Each
 * reply goes to `see`.  Not ok: the words name the copy.
 */
struct bench_copies {
	void	 (*see)(void *arg, unsigned copy, const struct bench_reply *);
	void	*arg;				/* borrowed */
};
enum status	 bench_run_copies(struct bench *, const struct runner_run *, uint64_t deadline_ns,
		    const struct bench_copies *, struct bench_reply *);
/* Put in front of the words: "copy 1 on CPU 3: ". */
void		 bench_name_copy(const struct bench *, unsigned copy, struct bench_reply *);

/*
 * What is loaded from now on has this evaluation library beside it (NULL: none), which tells the
 * metric of each sample.  Nothing that is timed may have one.
 */
enum status	 bench_evaluate(struct bench *, const char *library, struct fault *);
/* The metric's name and unit, as the library of what is loaded says; "": it does not. */
struct bench_metric {
	char	 name[RUNNER_METRIC_BYTES], unit[RUNNER_METRIC_BYTES];
};
void		 bench_metric(const struct bench *, unsigned lane, struct bench_metric *);

/* The pid of what is loaded, as we see it; 0: unknown. */
pid_t		 bench_pid(const struct bench *, unsigned lane);

/* Calls of the image's routine in its last sample. */
uint64_t	 bench_image_calls(const struct bench *, unsigned lane);

/* Node and pages of each operand of what was loaded last; `bytes`: how large they are. */
struct bench_lodging {
	int			 node;		/* NODE_UNKNOWN, NODE_MIXED: not one */
	enum pages_found	 pages;
};
void		 bench_lodge(const struct bench *, unsigned lane,
		    const uint64_t bytes[RUNNER_OPERANDS],
		    struct bench_lodging out[RUNNER_OPERANDS]);

/* The NUMA node of the operands of what was loaded last on `lane` (worker/bench/proc/numa.h). */
int		 bench_node(const struct bench *, unsigned lane);

/*
 * Calls on operands that are drawn while the lane's child is stopped.  `place`: challenge_lay, for
 * a bench made with challenge_bytes.  Each working set has a seed of two words.
 */
struct bench_challenge {
	const struct challenge	*of;		/* borrowed */
	struct runner_challenge	 place;
	uint64_t		(*seed)[2];	/* borrowed; secret */
	uint64_t		 flush;		/* operands that are, a bit each */
	/* what is filled then; operands that were not flushed come back */
	enum runner_pollution	 pollute;
	bool			 realtime;	/* SCHED_FIFO is wished */
};

struct challenge_time {
	uint64_t		 took_ns;	/* until the reply, from before the child could see
						 * anything, with handing over */
	uint32_t		 pace;		/* of the core, before; in ticks */
	bool			 is_hidden;	/* the child was stopped while it was written */
	bool			 early;		/* outputs changed after the reply */
	bool			 disturbed;	/* another process ran on the child's CPU */
};
enum status	 bench_challenge(struct bench *, unsigned lane, const struct bench_challenge *,
		    uint64_t deadline_ns, struct challenge_time *, struct bench_reply *);
/* The same by a child without submitted code, whose calls are empty: handing over. */
enum status	 bench_blank(struct bench *, const struct bench_challenge *, uint64_t deadline_ns,
		    struct challenge_time *, struct bench_reply *);
/*
 * The last challenge: RT_MAX_RESULT bytes of each call, the working sets.  The child is stopped,
 * unless !is_hidden: then they may change under the reader's eyes.
 */
char		*bench_results(const struct bench *, unsigned lane);
char		*bench_sets(const struct bench *, unsigned lane);
/* Where operands lie in samples, for what was loaded last. */
void		 bench_homes(const struct bench *, uint64_t home[RUNNER_OPERANDS]);

/*
 * Time that the lane's process has waited for a CPU in all, by the kernel's scheduler; 0: not
 * known.
 */
uint64_t	 bench_delay_ns(struct bench *, unsigned lane);

/*
 * Ends the child; harmless if nothing is loaded.  What it left on the lane can be read until the
 * next load.
 */
void		 bench_drop(struct bench *, unsigned lane);

/*
 * What was dropped is gone when this returns, or else the runner.  Nothing is timed before.  NULL:
 * there is no bench.
 */
void		 bench_see_gone(struct bench *);

/* Outputs of the lane's last check, output_bytes of them; may change under the reader's eyes. */
char		*bench_output(const struct bench *, unsigned lane);

const char	*bench_phase_words(enum runner_phase);		/* "timed phase" */

#endif
