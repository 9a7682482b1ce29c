/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_RUNNER_SHM_H
#define ASSAY_PROTO_WIRE_RUNNER_SHM_H

#include <stddef.h>
#include <stdint.h>

/*
 * The memory that a supervisor and an assay-runner share; worker/RUNNER.md has the protocol.  The
 * supervisor makes it (a sealed memfd), the runner finds it as descriptor RUNNER_SHM_FD.  Both
 * sides are built from one tree; a change of any member bumps RUNNER_VERSION.
 *
 * The supervisor believes nothing in here: what a runner writes may have been written by the code
 * under test.  It reads each member once, into its own memory, and checks ranges before use.
 */
enum {
	RUNNER_SHM_FD		= 4,
	RUNNER_MAGIC		= 0x59415341,		/* "ASAY" */
	RUNNER_VERSION		= 33,
	RUNNER_PAGE_BYTES	= 65536,		/* a multiple of any page size there is */
	RUNNER_HEADER_BYTES	= RUNNER_PAGE_BYTES,
	RUNNER_VARIANTS		= 2,			/* alive at once */
	RUNNER_BLANK		= RUNNER_VARIANTS,	/* lane of a child without submitted code */
	RUNNER_LANES,
	RUNNER_MOST_COPIES	= 64,			/* of one variant at once */
	RUNNER_MOST_LANES	= RUNNER_LANES + RUNNER_MOST_COPIES - 1,
	RUNNER_SCRIBE		= RUNNER_MOST_LANES,	/* signs like a lane */
	RUNNER_BATCH		= 1024,			/* calls of a challenge, at most */
	RUNNER_SETS_AT		= RUNNER_BATCH * 32,	/* in a challenge area */
	RUNNER_OPERANDS		= 64,
	RUNNER_BOUNDS		= 3 * RUNNER_OPERANDS,
	RUNNER_SAMPLES		= 512,			/* of one order */
	RUNNER_NAME_BYTES	= 128,
	RUNNER_METRIC_BYTES	= 64,			/* of its name, of its unit */
	RUNNER_DIR_BYTES	= 16,
	RUNNER_ARENAS_PER_CPU	= 8,			/* of malloc's, as libc has them on 64-bit
							 * machines */
	RUNNER_CPUS		= 1024,			/* numbers of CPUs are below this */
	RUNNER_WORDS_BYTES	= 4096,
	RUNNER_AWAKE_NS		= 100000,	/* what a core's vector units need to be at full
						 * speed again */
	RUNNER_REST_NS		= 700000,	/* after wide vectors a core's clock is at rest
						 * again */
	RUNNER_SPIN_NS		= 50000,	/* for so long a child waits awake for the next
						 * order */
	/* first calls of an image's routine: their results are kept for a check */
	RUNNER_CALLS		= 4096,
	RUNNER_RESULTS_AT	= 64,
};

/*
 * With an image, a check leaves other things in the output area.  First comes how often the routine
 * was called (8 bytes); from RUNNER_RESULTS_AT on what its first RUNNER_CALLS calls returned,
 * result_bytes each.  From here on comes the memory that image_is_compared (proto/wire/image.h),
 * piece by piece.
 */
#define RUNNER_MEMORY_AT(result_bytes)	\
	(RUNNER_RESULTS_AT + (uint64_t)RUNNER_CALLS * (result_bytes))

/*
 * A child signs before it runs anything of the variant: with a write lock on the memfd, from
 * RUNNER_SIGNS_AT on, as long as the pace at rest (worker/runner/sample/canary.h).  The supervisor
 * asks the kernel for the lock's length and owner.
 */
#define RUNNER_SIGNS_AT(lane)	((int64_t)(lane) << 32)

/*
 * One order and its reply.  The side that gives the order fills in its members, then stores a new
 * number in `order` and wakes.  The other side works, fills in its members, stores that number in
 * `replied` and wakes.  Both wait on `bell`, which changes with every order, reply and end.
 */
struct runner_desk {
	uint32_t	 bell;			/* futex */
	uint32_t	 order, replied;
};

/* Orders to the template. */
enum runner_command {
	RUNNER_READY,		/* no order: the reply to set-up is that to order 0 */
	RUNNER_LOAD,		/* move operands by `shift`, to pages of `node`, have the operands
				 * in `own` in pages of the child's, then fork a child for the
				 * object `name` on `lane`, which gets the reply.  "": the image's
				 * own routine, or on RUNNER_BLANK none */
	RUNNER_DROP,		/* kill what runs on `lane`, and all it started */
	RUNNER_AREA,		/* have flush_bytes of LRU area, and the sets in `far` */
	RUNNER_QUIT,
	RUNNER_NCOMMANDS
};

enum runner_reply {
	RUNNER_OK,
	RUNNER_NO_DRIVER,	/* it cannot be loaded; words */
	RUNNER_NO_IMAGE,	/* it cannot be restarted; words */
	RUNNER_CLASH,		/* the image's addresses are taken in this runner; another may have
				 * others */
	RUNNER_NO_MEMORY,	/* words */
	RUNNER_NO_FORK,		/* words */
	RUNNER_BAD_ORDER,
	RUNNER_SURVIVORS,	/* dropped, but something it started is still alive */
	RUNNER_NO_OBJECT,	/* the variant cannot be loaded; words: dlerror */
	RUNNER_NO_METRIC,	/* its evaluation library cannot be used; words */
	RUNNER_NO_ROUTINE,	/* it has no such function; words: those it has, one a line */
	RUNNER_NO_FILTER,	/* the kernel does not take the child's filter of system calls */
	RUNNER_NREPLIES
};

/* The child's present work; a crash is described by it. */
enum runner_phase { RUNNER_IDLE, RUNNER_LOADING, RUNNER_CHECKING, RUNNER_WARMING, RUNNER_TIMING,
		    RUNNER_NPHASES };

enum runner_kind {
	RUNNER_CHECK,		/* one call on fresh operands, then result and written operands into
				 * the output area */
	RUNNER_SAMPLE,		/* timed regions */
	RUNNER_EMPTY,		/* the same with the driver's empty routine: what calling costs */
	RUNNER_CENSUS,		/* one more region, and then which numbers it left */
	RUNNER_CLOSE,		/* end the evaluation library: no sample has a metric any more */
	RUNNER_LEVELS,		/* measure the caches' levels anew, for children on other lanes */
	RUNNER_CHALLENGE,	/* one call on each working set of the challenge; results go out */
	RUNNER_NKINDS
};

enum runner_flush {
	RUNNER_FLUSH_NONE,
	RUNNER_FLUSH_LINES,	/* OneCallFlushX86: each line of each cold operand by instruction */
	RUNNER_FLUSH_LRU,	/* OneCallFlushLRU: read flush_bytes of other memory */
	RUNNER_NFLUSHES
};

enum runner_walk {
	RUNNER_STAY,		/* every call on the same working set */
	RUNNER_BACKWARD, RUNNER_FORWARD, RUNNER_RANDOM,		/* MultiCallFlushLRU */
	RUNNER_AGAIN,		/* forward, from the first set in every sample: outputs that are
				 * separate, but warm */
	RUNNER_STROLL,		/* the same without fences; its inputs are drawn */
	RUNNER_NWALKS
};

/* The memory access that ended a child. */
enum runner_access { RUNNER_ACCESS, RUNNER_READ, RUNNER_WRITE, RUNNER_NACCESSES };

struct runner_touch {
	uint64_t	 at;			/* the address; 0: none is known */
	uint32_t	 access;		/* enum runner_access */
};

/*
 * An operand's memory in one of its places: its home, or its working sets.  A page that may not be
 * touched begins at most `reach` bytes from either end; often right behind it.
 */
struct runner_bounds {
	uint64_t	 from, to, reach;	/* to 0: it has no such place */
};

/* The place of an operand when a timed region begins. */
enum runner_place { RUNNER_COLD, RUNNER_WARM, RUNNER_IN_L1, RUNNER_IN_L2, RUNNER_IN_L3,
		    RUNNER_NPLACES };

enum runner_restore {
	RUNNER_KEEP,		/* operands stay as the last call left them */
	RUNNER_RESTORE,		/* inout operands are as at first when each sample begins */
};

/*
 * Contents of the operands that have `inputs`, when a region begins.  Drawing one takes the same
 * steps whichever it is, so two orders that draw differ in the contents alone.
 */
enum runner_data {
	RUNNER_GIVEN,		/* as the spec has them; nothing is drawn */
	RUNNER_SAME,		/* the same, drawn again for each region */
	RUNNER_NOVEL,		/* drawn for this region, in no rotation; `input` counts them */
	RUNNER_ROTATE,		/* `inputs` take turns, from `input` on */
	RUNNER_NDATA
};

/* Other data that fill caches and TLB before a region, so as other work leaves them. */
enum runner_pollution {
	RUNNER_POLLUTE_NONE,
	RUNNER_POLLUTE_INNER,	/* inner caches and TLB; page tables may be in the last cache */
	RUNNER_POLLUTE_ALL,	/* the last cache, too: page tables are in memory */
	RUNNER_NPOLLUTIONS
};

struct runner_run {
	uint32_t	 kind, samples, walk, flush, restore;
	uint32_t	 warm_calls;		/* untimed calls before the first sample
						 * (InstLdGuard) */
	uint32_t	 realtime;		/* SCHED_FIFO while the samples are taken, wished of
						 * the supervisor */
	uint32_t	 pollute;		/* then so: enum runner_pollution */
	uint32_t	 awake;			/* after the flush, untimed calls on operands of
						 * their own, for RUNNER_AWAKE_NS at least: the
						 * core is then as in the midst of such work */
	uint32_t	 look_up;		/* cold operands' pages are looked up after the
						 * flush or before the walk: their page tables
						 * are in a cache, they are not */
	uint32_t	 cold_code;		/* the lines of the routine's code leave all caches
						 * last of all */
	uint32_t	 memory_canary;		/* before the flush, or the walk, of each sample */
	uint32_t	 proves;		/* now and then read lines of the operands in a
						 * region's place: worker/runner/method/state.h */
	uint64_t	 calls;			/* of each sample */
	uint64_t	 passes;		/* working sets that a walk passes over first */
	uint64_t	 flush_bytes;		/* read in each flush pass, RUNNER_FLUSH_LRU */
	uint32_t	 stack_offset;		/* of the stack in a sample; sample/stack.h */
	uint32_t	 copies;		/* that begin each region at once; 0: alone */
	uint64_t	 meeting;		/* number of the last one; it goes on from there */
	uint32_t	 data;			/* enum runner_data */
	uint64_t	 input;			/* number of the first region's first */
	uint16_t	 inputs[RUNNER_OPERANDS];	/* of each operand; 0: the given one */
	uint8_t		 place[RUNNER_OPERANDS];
	/*
	 * Bits of operands that are not cold: placed by stores of the bytes they hold; written back
	 * to memory before they are placed.
	 */
	uint64_t	 dirty, clean;
};

/* Inputs that a region with this order has: each call of a stroll has one. */
static inline uint64_t
runner_region_inputs(const struct runner_run *run)
{
	return run->walk == RUNNER_STROLL ? run->calls : 1;
}

/* Working sets, each with a copy of the operands in `moving`. */
struct runner_sets {
	uint64_t	 sets, moving;		/* sets 0: there are none */
	uint16_t	 inputs[RUNNER_OPERANDS];	/* of an operand, in the sets by turns;
							 * 0: all have the given one */
};

struct runner_sample {
	uint64_t	 ticks;			/* of the whole region */
	uint32_t	 faults, switches;	/* page faults and involuntary switches of the
						 * thread around it */
	uint32_t	 canary_before, canary_after;	/* ticks of the throughput canary,
							 * worker/runner/sample/canary.h */
	/* and of the chain that measures the core's clock, at the same moments */
	uint32_t	 pace_before, pace_after;
	uint32_t	 sentinel;		/* ticks of reading the sentinel lines before it; 0:
						 * not looked */
	uint32_t	 migrations;		/* 1: the thread was on another CPU after it than
						 * before */
	uint32_t	 memory_canary;		/* ticks of the memory canary before it; 0: not
						 * looked, or no instruction */
	/*
	 * before it, lines of cold operands that were read in a region's place; those of them that
	 * were in a cache (worker/runner/method/proof.h)
	 */
	uint32_t	 proved, found;
	/* the same of lines of the routine's code (worker/runner/method/code_proof.h) */
	uint32_t	 code_proved, code_found;
	/*
	 * of a copy, CLOCK_MONOTONIC: it was ready, all were and it began, its region was over; 0:
	 * it was alone
	 */
	uint64_t	 ready_ns, began_ns, ended_ns;
	double		 metric;		/* of the evaluation library: stop less start; 0:
						 * there is none */
};

/*
 * Where a copy shows the others how far it is: a page of its own, which they can only read
 * (worker/runner/method/meeting.h).  Numbers only grow.
 */
struct runner_spot {
	uint64_t	 arrived;		/* the last meeting that it came to */
	uint64_t	 left;			/* the meeting that began its last region that is
						 * over */
};

/*
 * Times of reading the sentinel lines from each place where they may be
 * (worker/runner/sample/sentinel.h): ticks, each the least of a few.
 */
struct runner_sentinel {
	uint32_t	 hot;			/* in the innermost cache */
	uint32_t	 near;			/* driven out of the inner caches only */
	uint32_t	 far;			/* flushed by instruction; 0: there is none */
};

/* Caches, and the memory behind them. */
enum runner_level { RUNNER_L1, RUNNER_L2, RUNNER_L3, RUNNER_MEMORY, RUNNER_NLEVELS };

/*
 * Times of reading lines, by length.  Eight bins for each octave of ticks, from 16 on; the first
 * and the last have the rest.  Lines were read one by one, or in chains of RUNNER_CHAIN, where each
 * line has the address of the next.
 */
enum { RUNNER_BINS = 64, RUNNER_CHAIN = 4 };

struct runner_lines {
	uint16_t	 single[RUNNER_BINS], chain[RUNNER_BINS];
};

/*
 * Readings of lines whose place is known, and of lines of the operands where a region would have
 * begun.  No submitted code ran since they were put there.
 */
struct runner_proof {
	uint32_t		 proofs;
	struct runner_lines	 known[RUNNER_NLEVELS];
	struct runner_lines	 operand[RUNNER_OPERANDS];	/* with an image the first: its
								 * memory */
};

/*
 * What a child measured of the caches' levels that takes long, for children of the same job in its
 * lane after it; the blank child for all.
 */
struct runner_levels {
	uint64_t		 out_of_l2;	/* bytes to read; 0: none has measured yet */
	struct runner_lines	 l3;		/* readings of lines of known place */
};

/*
 * The numbers of an operand by kind; arithmetic is slow on some.  Only floating ones are counted.
 */
struct runner_census {
	uint64_t	 finite;		/* zero or normal */
	uint64_t	 inf, nan, denormal;
	uint64_t	 zero;			/* exactly; they count as finite, too */
};

/* Calls on operands drawn for them, a working set each; the sets lie one after another. */
struct runner_challenge {
	uint32_t	 calls;
	uint64_t	 set_bytes;
	uint64_t	 at[RUNNER_OPERANDS];	/* of each operand, in a set */
};

struct runner_lane {
	struct runner_desk	 desk;
	uint32_t		 phase;		/* enum runner_phase */
	uint32_t		 reply;		/* enum runner_reply; to loading and to each run */
	uint32_t		 ended;		/* set by the template, after `end`: the child is
						 * over */
	int32_t			 end;		/* as waitpid gave it */
	int32_t			 refused;	/* the system call that ended it with SIGSYS; -1:
						 * none did */
	struct runner_touch	 touch;		/* the access that ended it with SIGSEGV */
	uint64_t		 code_at;	/* the routine's address, once it is loaded */
	struct runner_run	 run;
	struct runner_challenge	 challenge;
	struct runner_sentinel	 sentinel;	/* 0: not looked */
	struct runner_proof	 proof;		/* of this order */
	struct runner_levels	 levels;	/* the supervisor clears it before a job, or puts
						 * there what the blank child measured */
	uint64_t		 image_calls;	/* of the routine, when the image last ran */
	uint64_t		 sets_seen;	/* by the driver's witness since the child was
						 * loaded; 0: not looked */
	struct runner_sample	 sample[RUNNER_SAMPLES];
	struct runner_census	 census[RUNNER_OPERANDS + 1];	/* after a check or a census; the
								 * last: the result */
	char			 words[RUNNER_WORDS_BYTES];
	/* of an evaluation library's metric, once it is loaded; "": it does not say */
	char			 metric_name[RUNNER_METRIC_BYTES], metric_unit[RUNNER_METRIC_BYTES];
};

/* Written by the supervisor before the runner starts. */
struct runner_setup {
	int32_t		 cpu;			/* children pin to it; -1: anywhere */
	uint64_t	 cpus[RUNNER_CPUS / 64];	/* of the slot, a bit each: for children of
							 * a routine with threads; the template
							 * keeps off all but `cpu` */
	uint32_t	 line_bytes;
	uint32_t	 filtered;	/* children may make few system calls; runner/filter.h */
	uint32_t	 threads;	/* of a routine; more than 1: it may start them */
	uint64_t	 l1_bytes, l2_bytes, l3_bytes;
	uint32_t	 may_fork;	/* a routine may, and wait for its children */
	char		 scratch[RUNNER_DIR_BYTES];	/* where it may have files; "": nowhere */
	uint64_t	 out_of_l1, out_of_l2;	/* bytes to read before data have left them */
	uint64_t	 tables_bytes;	/* to read in small pages before page tables have left all
					 * caches; 0: RUNNER_POLLUTE_ALL is no order */
	uint32_t	 challenged;	/* there are a challenge area, a scribe and a blank child */
};

/* Written by the template when it is ready. */
struct runner_driver {
	uint32_t	 operands, result_bytes;
	uint64_t	 count[RUNNER_OPERANDS];	/* elements, as the driver computes them */
	char		 routine[RUNNER_NAME_BYTES];
	char		 clock[16];
};

/*
 * Orders to the scribe: a process of the template's without submitted code, on the timing CPU, that
 * writes challenges.
 */
enum runner_scribe_command {
	SCRIBE_WRITE,		/* draw the challenge on `lane` from the seeds; flush operands in
				 * `flush`; `pollute`: fill inner caches and TLB with other data;
				 * bring other operands back */
	SCRIBE_GO,		/* note the time, give the lane `order`, continue its child; when
				 * it has replied and left the CPU, note the time and stop it */
	SCRIBE_NCOMMANDS
};

struct runner_scribe {
	struct runner_desk	 desk;
	uint32_t		 command, lane, pollute, order;
	uint64_t		 flush;
	struct runner_challenge	 challenge;
	uint64_t		 seed[RUNNER_BATCH][2];	/* of each working set */
	uint32_t		 reply;		/* enum runner_reply */
	uint32_t		 pace;		/* of the core, right before it goes: canary.h */
	uint64_t		 began_ns, ended_ns;	/* CLOCK_MONOTONIC */
};

/*
 * The header has the orders to template and scribe, and their replies: only the supervisor and
 * these two share it.  Behind it comes the memory of each lane: struct runner_lane, outputs,
 * challenge.  A child keeps only its own lane, beside a copy of the header that it may read.
 * Behind the lanes come the spots of copies: a copy may write to its own, and read the others.
 */
struct runner_shm {
	uint32_t		 magic, version;
	uint64_t		 bytes;		/* of the whole */
	uint64_t		 lane_bytes;	/* of each lane, a multiple of RUNNER_PAGE_BYTES */
	/*
	 * In a lane.  The output area: result (64 bytes), then written operands, each from the next
	 * multiple of 64.  The challenge area: results of the calls, RT_MAX_RESULT bytes each, then
	 * from RUNNER_SETS_AT on working sets.
	 */
	uint64_t		 output_at, challenge_at;
	uint32_t		 lanes;		/* that there are */
	uint32_t		 spots;		/* of copies; behind the lanes, RUNNER_PAGE_BYTES
						 * each */
	struct runner_setup	 setup;
	struct runner_driver	 driver;

	struct runner_desk	 desk;		/* of the template */
	uint32_t		 command, lane, reply;
	int32_t			 cpu;		/* with a load: the child pins to it; -1: to that of
						 * the set-up */
	uint64_t		 flush_bytes;
	struct runner_sets	 far;
	/* with a load: at rest it is about so much; 0: unknown */
	uint32_t		 best_pace;
	uint64_t		 rest_ns;	/* with a load: so long the child may wait for the
						 * clock to be at rest */
	uint32_t		 shift[RUNNER_OPERANDS];	/* bytes that an operand lies below
								 * its usual place */
	uint64_t		 offset[RUNNER_OPERANDS];	/* bytes that it lies behind an
								 * address aligned as it is */
	uint64_t		 own;		/* bits of operands */
	/* NUMA nodes that their pages are taken from; -1: any */
	int32_t			 node[RUNNER_OPERANDS];
	/* after a load: its address, or the address of its working sets if it moves */
	uint64_t		 at[RUNNER_OPERANDS];
	/* after a load: the homes, the working sets that move, the homes of drawn inputs */
	struct runner_bounds	 bounds[RUNNER_BOUNDS];
	/* of its child, in the jail; 0: none */
	int32_t			 pid[RUNNER_MOST_LANES];
	char			 name[RUNNER_NAME_BYTES];
	/* with a load: the evaluation library beside it; "": none */
	char			 evaluation[RUNNER_NAME_BYTES];
	char			 words[RUNNER_WORDS_BYTES];

	struct runner_scribe	 scribe;
};
_Static_assert(sizeof(struct runner_shm) <= RUNNER_HEADER_BYTES, "the header fits");

static inline struct runner_lane *
runner_lane_at(const struct runner_shm *shm, uint64_t lane_bytes, uint32_t lane)
{
	return (struct runner_lane *)((uintptr_t)shm + RUNNER_HEADER_BYTES + lane * lane_bytes);
}

/* The first copy has the variant's lane, others have lanes behind that of the blank child. */
static inline uint32_t
runner_copy_lane(uint32_t copy)
{
	return copy == 0 ? 0 : RUNNER_LANES + copy - 1;
}

/* Of any other lane: UINT32_MAX. */
static inline uint32_t
runner_copy_of(uint32_t lane)
{
	return lane == 0 ? 0 : lane >= RUNNER_LANES ? lane - RUNNER_LANES + 1 : UINT32_MAX;
}

static inline struct runner_spot *
runner_spot_at(const struct runner_shm *shm, uint64_t lane_bytes, uint32_t lanes, uint32_t copy)
{
	return (struct runner_spot *)((uintptr_t)shm + RUNNER_HEADER_BYTES + lanes * lane_bytes +
	    (uint64_t)copy * RUNNER_PAGE_BYTES);
}

#endif
