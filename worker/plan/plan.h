/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_PLAN_PLAN_H
#define ASSAY_WORKER_PLAN_PLAN_H

#include "proto/spec/spec.h"
#include "proto/wire/runner_shm.h"
#include "worker/plan/slot.h"
#include "worker/plan/tick.h"

/*
 * The plan of one routine's timing: the method (Whaley and Castaldo, sections 3 and 4), how many
 * samples, how many calls make one.  Pure: from a spec, the slot's caches and earlier measurements.
 *
 * A method is a file, plan_*.c, with a row of struct plan_method (worker/plan/method.h).  Others
 * ask the plan what they need to know, below, and not which method it has.
 */
struct plan_method;

extern const struct plan_method	plan_warm;	/* nothing is flushed */
extern const struct plan_method	plan_one_x86;	/* OneCallFlushX86 */
extern const struct plan_method	plan_one_lru;	/* OneCallFlushLRU */
extern const struct plan_method	plan_multi;	/* MultiCallFlushLRU */
extern const struct plan_method	plan_image;	/* Checkpoint: a call in an image's run */
extern const struct plan_method	plan_program;	/* Program: a run of a whole program */
extern const struct plan_method	plan_challenge;	/* ChallengeResponse: audits are the samples */

/* Origin of the size that OneCallFlushLRU reads. */
enum plan_origin { PLAN_ORIGIN_NONE, PLAN_ORIGIN_DEFAULT, PLAN_ORIGIN_CALIBRATED,
		    PLAN_ORIGIN_GIVEN, PLAN_NORIGINS };

struct plan {
	const struct plan_method *method;	/* borrowed, for good */
	bool			 is_open;	/* the length of a call decides: plan_close */
	bool			 flushes;	/* something leaves the caches before each sample */
	bool			 is_whole;	/* all caches: samples must prove it */
	bool			 is_partial;	/* the spec asks for less than all caches need */
	bool			 calls_given;
	bool			 has_inout;
	bool			 one_call;	/* a state of operands holds for one call */
	uint64_t		 fixed;		/* bit k: operand k is static, in one place */
	bool			 may_wake;	/* see plan_wakes */
	bool			 keeps_overhead;	/* it is reported, and not subtracted */
	bool			 can_flush;	/* this machine can: a line, by instruction */
	enum range_guard	 guard;		/* never GUARD_AUTO */

	unsigned		 samples;
	/* of them, enough if the processes agree by then (worker/stop/stop.h); 0: all */
	unsigned		 least_samples;
	unsigned		 processes;	/* that share them (worker/plan/shares.h) */
	bool			 samples_given, processes_given;
	double			 interval;	/* relative width wanted of the median's; 0: none */
	unsigned		 max_samples;	/* with an interval */
	/* the interval is of normalised samples, with a canary */
	bool			 normalised;
	/* the job's own: at rest it says nothing of the slot's best clock */
	bool			 has_frequency;
	bool			 serialised;	/* a fence behind each call of rt_repeat */
	bool			 difference;	/* a sample is made of two regions (doubling.h) */
	enum gating		 gating;	/* do samples count only if the canary was quiet? */
	bool			 waits_all;	/* for quiet, all of the budget */
	uint64_t		 budget_ns;	/* of samples beyond those needed, in all */

	uint64_t		 most_calls;	/* in one sample */
	uint64_t		 flush_bytes;	/* of a flush pass; or least size of all sets */
	enum plan_origin	 origin;
	unsigned		 cpus;		/* each makes a flush pass; sets are for all */
	uint64_t		 sets, moving;	/* working sets; bit k: operand k is in each */
	uint64_t		 fits;		/* bit k: with the others that shall be there,
						 * operand k fits into its level */
	const struct spec	*spec;		/* borrowed: the job's */
	struct runner_run	 run;		/* common members of its orders */

	/* inputs that take turns, or could: rotation.h */
	enum data_kind		 data;		/* asked for */
	uint16_t		 inputs[RUNNER_OPERANDS];	/* of each operand; 0: one */
	uint64_t		 drawn_clean;	/* bits of operands to be written back then */
	struct runner_sets	 stroll;	/* sets 0: none can be made */
};

enum {
	/* of one process, unless the spec says */
	PLAN_SAMPLES_WARM	= 7,
	PLAN_SAMPLES_COLD	= 31,
	PLAN_SAMPLES_PROGRAM	= 11,
	PLAN_WAKE_BYTES		= 64 << 20,	/* of operands, at most, for a second set of them */
	PLAN_TIMES_RESOLUTION	= 64,	/* one call is enough if it takes that many clock steps */
};

/* ST_BAD_SPEC: the spec's wish cannot be fulfilled; the words have the reason. */
enum status	 plan_make(struct plan *, const struct spec *, const struct slot *,
		    bool can_flush_lines, struct fault *);

/* From now on all operands are warm, on one working set. */
void		 plan_warm_operands(struct plan *);

/*
 * An open plan, now that one cold call is known to take call_ns: stays, or becomes plan_multi.
 * Closed afterwards.
 */
void		 plan_close(struct plan *, const struct spec *, const struct slot *,
		    const struct tick *, double call_ns);

/* ---- what its samples are like ---- */

const char	*plan_method_name(const struct plan *);		/* as results have it */
bool		 plan_flushes(const struct plan *);
bool		 plan_walks(const struct plan *);	/* calls take turns on working sets */
bool		 plan_has_fences(const struct plan *);	/* calls of a region do not overlap */
bool		 plan_is_challenge(const struct plan *);	/* audits are the samples */
bool		 plan_subtracts(const struct plan *);	/* the cost of a region, from each sample */

/*
 * As results have them: is the TLB cold, where are page tables (NULL: not known), is code in cache?
 */
bool		 plan_has_cold_tlb(const struct plan *);
const char	*plan_page_tables(const struct plan *);
bool		 plan_has_code_in_cache(const struct plan *);
bool		 plan_has_cold_code(const struct plan *);
const char	*plan_origin_name(enum plan_origin);		/* NULL: nothing is read */

/*
 * Operand k, or with an image (0) its memory: its name, the state asked for in a word, and the
 * levels where samples must find it, a bit each of enum runner_level.  0: they only report where it
 * is.
 */
unsigned	 plan_operands(const struct plan *);
const char	*plan_operand_name(const struct plan *, unsigned k);
const char	*plan_state_name(const struct plan *, unsigned k);
unsigned	 plan_levels(const struct plan *, unsigned k);

/* ---- how many calls ---- */

/*
 * More calls for a sample, if a region of `calls` took region_ns by this clock: at least twice as
 * many until it takes PLAN_REGION_NS, and PLAN_FINE of the clock's steps.  The same number: enough.
 */
#define PLAN_REGION_NS	20000.0
#define PLAN_FINE	100.0
uint64_t	 plan_more_calls(const struct plan *, const struct tick *, uint64_t calls,
		    double region_ns);

/* Is one call that takes call_ns a sample, though more would be finer? */
bool		 plan_one_call_will_do(const struct plan *, double call_ns);

/* Are samples warm after untimed calls on the same operands? */
bool		 plan_may_warm_up(const struct plan *);

/* May calls be repeated, with operands warm, any number of times? */
bool		 plan_may_repeat(const struct plan *);

/*
 * Is a call that takes call_ns so short that it matters whether the core's vector units are at full
 * speed when it begins?  They may be asleep after a flush.
 */
bool		 plan_wakes(const struct plan *, double call_ns);

/* ---- memory ---- */

struct runner_sets plan_far(const struct plan *);	/* the working sets that it walks */
uint64_t	 plan_flush_area(const struct plan *);	/* bytes that all CPUs together read */

/*
 * Address space that the plan's areas take in a runner.  Beside its operands a working set has its
 * places in the orders of a walk, and its marks (worker/runner/sample/walk.c, witness.c).
 */
enum { PLAN_SET_BYTES = 48 };
uint64_t	 plan_area_bytes(const struct plan *, const struct spec *, const struct slot *);

bool		 plan_can_flush_lines(void);	/* has this machine an instruction for it? */

#endif
