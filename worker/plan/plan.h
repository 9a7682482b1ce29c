/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_PLAN_PLAN_H
#define ASSAY_WORKER_PLAN_PLAN_H

#include "proto/spec/spec.h"
#include "proto/wire/runner_shm.h"
#include "worker/plan/slot.h"
#include "worker/plan/tick.h"

/*
 * How one routine is to be timed: the method (Whaley and Castaldo, sections 3 and 4), how many samples, how many calls
 * make one.  Pure: from a spec, what the slot's caches are, and what was measured so far.
 */
enum plan_method {
	PLAN_WARM,		/* nothing is flushed: as many calls as the clock needs */
	PLAN_ONE_X86,		/* OneCallFlushX86 */
	PLAN_ONE_LRU,		/* OneCallFlushLRU */
	PLAN_MULTI,		/* MultiCallFlushLRU */
	PLAN_CHECKPOINT,	/* the last call of what an image runs; see worker/runner/sample/image.h */
	PLAN_CHALLENGE,		/* single cold calls on challenges, by the supervisor's clock (worker/trust/vet.h) */
	PLAN_NMETHODS
};

/* Where the size of what OneCallFlushLRU reads is from. */
enum plan_area { PLAN_AREA_NONE, PLAN_AREA_DEFAULT, PLAN_AREA_CALIBRATED, PLAN_AREA_GIVEN, PLAN_NAREAS };

struct plan {
	enum plan_method	 method;
	bool			 is_open;	/* auto: PLAN_ONE_X86 so far, the length of a call decides */
	bool			 calls_given;
	bool			 has_inout;
	enum range_guard	 guard;		/* never GUARD_AUTO */
	unsigned		 samples;
	double			 interval;	/* relative width of the median's interval that is wanted; 0: none */
	unsigned		 max_samples;	/* with an interval */
	bool			 normalised;	/* the interval is of normalised samples, where there is a canary */
	bool			 difference;	/* a sample is the difference of two regions; worker/take/doubling.h */
	enum gating		 gating;	/* whether samples count only if the canary was quiet */
	bool			 waits_all;	/* the whole budget for quiet, whatever the gate has in its purse */
	bool			 is_whole;	/* cold operands leave all caches: samples must prove it */
	bool			 can_flush;	/* a line, by instruction */
	bool			 may_wake;	/* operands are few enough for a second set of them, see plan_wakes */
	uint64_t		 budget_ns;	/* what samples beyond those needed may take in all */
	uint64_t		 most_calls;	/* in one sample */
	uint64_t		 flush_bytes;	/* of a flush pass; or what the sets exceed */
	enum plan_area		 area;
	unsigned		 cpus;		/* each makes a flush pass; sets are for all */
	uint64_t		 sets, moving;	/* many, or separate; bit k: operand k has a new place in each call */
	struct runner_run	 run;		/* what all its orders have in common; calls as chosen so far */
};

enum {
	PLAN_SAMPLES_WARM	= 7,
	PLAN_SAMPLES_COLD	= 31,
	PLAN_LRU_CACHES		= 3,		/* of a last-level cache that is not quite LRU */
	PLAN_MULTI_CACHES	= 4,
	PLAN_LEVEL_CACHES	= 2,		/* of an inner cache that is to be flushed alone */
	PLAN_WAKE_BYTES		= 64 << 20,	/* of operands, at most, for a second set of them */
	PLAN_SEPARATE_SETS	= 65536,	/* of outputs, unless more calls are asked for */
	PLAN_TIMES_RESOLUTION	= 64,		/* one call is enough if it takes that many clock steps */
};

/* ST_BAD_SPEC: what the spec asks for cannot be had; the words say why. */
enum status	 plan_make(struct plan *, const struct spec *, const struct slot *, bool can_flush_lines,
		    struct fault *);

/* Does something leave the caches before each sample? */
bool		 plan_flushes(const struct plan *);

/* From now on all operands are warm, on one working set. */
void		 plan_warm_operands(struct plan *);

/* An open plan, now that one cold call is known to take call_ns: stays, or becomes PLAN_MULTI.  Closed afterwards. */
void		 plan_close(struct plan *, const struct spec *, const struct slot *, const struct tick *,
		    double call_ns);

/*
 * More calls for a sample whose region of `calls` took region_ns by this clock: at least twice as many until it takes
 * PLAN_REGION_NS, and PLAN_FINE of the clock's steps.  The same number: enough.
 */
#define PLAN_REGION_NS	20000.0
#define PLAN_FINE	100.0
uint64_t	 plan_more_calls(const struct plan *, const struct tick *, uint64_t calls, double region_ns);

/*
 * Is a call that takes call_ns so short that it matters whether the core's vector units are at full speed when it
 * begins?  They may be asleep after a flush.
 */
bool		 plan_wakes(const struct plan *, double call_ns);

/* Address space that the plan's areas take in a runner. */
uint64_t	 plan_area_bytes(const struct plan *, const struct spec *, const struct slot *);

const char	*plan_method_name(enum plan_method);
const char	*plan_area_name(enum plan_area);		/* NULL: nothing is read */
bool		 plan_can_flush_lines(void);		/* is there an instruction for it on this machine? */

#endif
