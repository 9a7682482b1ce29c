/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKEN_TAKEN_H
#define ASSAY_WORKER_TAKEN_TAKEN_H

#include "worker/bench/bench.h"
#include "worker/evidence/cold.h"
#include "worker/evidence/host_evidence.h"
#include "worker/plan/plan.h"
#include "worker/quiet/gate.h"

/* The state of a job's samples, while they are taken and afterwards; see worker/take/take.h. */
struct take_sample {
	struct runner_sample raw;		/* as the runner gave it, overhead included */
	uint64_t	 against_ticks;		/* of a pair, the other variant's; 0: no pair */
	unsigned	 nth;			/* in the order of taking */
	unsigned	 process;		/* in which it was taken, from 0 on */
	bool		 disturbed;		/* by what the kernel counts */
	bool		 loud;			/* the canary before or after it was too slow */
	bool		 memory_loud;		/* the memory canary was, and it is on */
	double		 ns, against_ns;	/* per call, overhead subtracted */
	double		 canary_ratio;		/* mean of both ÷ base; 0: the canary is off */
	double		 pace;			/* how slow the core's clock was; 0: not known */
	double		 slowness;		/* divides ns (worker/taken/pace.h); 0: not known */
	double		 memory_ratio;		/* of the memory canary; 0: not looked */
	double		 cold_limit;		/* ticks of its process's sentinel; 0: none */
};

struct take {
	struct take_sample	*sample;	/* kept; owned */
	size_t			 samples;
	/* cost of a region beside the routine (SAMPLE.md) */
	uint64_t		 overhead_ticks;
	uint64_t		 subtracted_ticks;	/* the same, 0 with the difference method:
							 * from each sample */
	uint64_t		 empty_ticks;	/* of a region of as many empty calls */
	bool			 has_edge;
	/* added or hidden by the region's ends, beyond the overhead */
	uint64_t		 edge_ticks;
	/* the least of the samples kept, nothing subtracted */
	uint64_t		 region_ticks;
	bool			 within_noise;	/* too short against the cost of measuring */
	bool			 realtime, pinned;
	bool			 cut_short;	/* the wall limit came before the last sample */
	unsigned		 wanted, taken;
	unsigned		 processes;	/* that the samples were taken in */
	unsigned		 rejected;	/* of those taken: disturbed, or loud while a canary
						 * was on */
	unsigned		 disturbed, loud;	/* of those taken */
	unsigned		 memory_loud;	/* of those taken, until that was given up */
	unsigned		 clean;		/* of those taken: undisturbed, and quiet while the
						 * canaries are on */
	/* kept although rejected, for lack of better ones */
	unsigned		 kept_unfit;
	bool			 gate_failed;	/* quiet samples were required, and too few */
	bool			 memory_failed;	/* the same, by the memory canary */
	uint32_t		 memory_ticks;	/* median of its readings; 0: there is none */
	/* quiet was required, and the cause of the slow clock is unknown */
	bool			 slow_clock;
	const char		*ended_by;	/* samples, interval, max_samples, budget, race or
						 * wall limit */
	bool			 raced;		/* given up: it is slower than bound_ns */
	double			 bound_ns;
	double			 width;		/* of the median's interval, relative, when last
						 * looked at; infinite: not known */
	const char		*canary_off;	/* why; NULL: it is on */
	const char		*memory_off;	/* why the memory canary is; NULL: it is on */
	uint64_t		 canary_base_ticks;
	double			 clock;		/* how slow the core's was at rest, and beside
						 * these; 0: not known */
	double			 own_clock;
	uint64_t		 patience_ns, waited_ns;	/* for quiet: allowed; spent on naps
								 * and loud samples */
	/* part of it while memory is to be quiet, too */
	uint64_t		 memory_patience_ns;
	uint64_t		 faults, switches, migrations;	/* in all that were taken */
	/* page faults that the routine has in every sample */
	uint32_t		 own_faults;
	unsigned		 warm_calls;	/* before warm samples, until a call's time stopped
						 * falling; 0: not looked */
	double			 warm_ns;	/* per call with all operands in cache; 0: not
						 * measured */
	struct cold		 cold;		/* proof of the cold samples */
	struct cold		 code;		/* and of the routine's cold code */
	struct runner_proof	 proof;		/* of the state of all */
	/* not cold, and the routine may have caused it; NULL: none was */
	const char		*strayed;
};

void		 take_release(struct take *);

/* Undisturbed, and quiet as long as the canaries are on. */
bool		 take_counts(const struct take *, const struct take_sample *);

/* By a canary that is on. */
bool		 take_is_unquiet(const struct take *, const struct take_sample *);

/*
 * Of two samples, for qsort, the better first: undisturbed, quiet, then as near to quiet as by the
 * canary.
 */
int		 take_by_worth(const void *, const void *);
int		 take_by_place(const void *, const void *);	/* the earlier first */

/* More than half of the kept samples were disturbed, or quiet was required and not to be had. */
bool		 take_is_noisy(const struct take *);

/*
 * Which samples were disturbed: an involuntary switch, a move to another CPU, or more page faults
 * than the fewest of any.  Faults that all have are the routine's own.  Returns how many were not.
 */
size_t		 take_mark(struct take_sample *, size_t n, uint32_t *own_faults);

/*
 * When to stop. true: enough were taken; ended_by has why. false: go on; `wanted` may have risen,
 * and `processes`, if the next samples come from other ones.
 */
struct take_rule {
	bool		 (*is_due)(void *arg, struct take *);	/* NULL: worker/stop/stop.h */
	void		*arg;			/* borrowed */
	uint64_t	 patience_ns;	/* for quiet, if none was asked for; the slot's if more */
};

#endif
