/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRUST_AUDIT_H
#define ASSAY_WORKER_TRUST_AUDIT_H

#include "worker/bench/bench.h"

/*
 * Can a time be believed?  Samples are taken inside the variant's address space, so they can be
 * forged there.  Two things cannot be forged: the supervisor's own clock, and answers to inputs
 * that were not seen before.  An audit is a challenge (worker/bench/challenge.h): a few calls, each
 * on operands drawn for it, timed from outside, their answers compared with the reference's.
 *
 * It is an upper bound of the work's time.  Handing over is subtracted as the least that it ever
 * took a process without submitted code, less the head start that another could have.  So a time
 * that audits confirm is at most that much too short, however it was made.
 */
enum trust { TRUST_CLAIMED, TRUST_AUDITED, TRUST_VERIFIED, TRUST_SUSPECT, TRUST_N };

enum {
	AUDIT_LOOK		= 3,		/* rounds; the next look is after twice as many */
	AUDIT_ROUNDS		= 16 * AUDIT_LOOK,	/* that a claim may need */
	AUDIT_ASKED		= 6,		/* the shortest, whose answers are compared */
	AUDIT_MOST_ROUNDS	= 4096,		/* where they are the samples */
	/* readings of handing over before it is subtracted, and as long as each round has one */
	AUDIT_BLANKS		= 32,
	AUDIT_MOST_BLANKS	= 96,
};
#define AUDIT_TOLERANCE		1.05	/* audits of a time that is confirmed, by the time */
#define AUDIT_REGION_NS		150000.0	/* of a round: handing over is a hundredth of it */
#define AUDIT_LONG_NS		20000000u	/* a longer round is hardly moved by noise */
#define AUDIT_FIRM_NS		20000.0	/* of a round's calls: less says too little */
/*
 * What the runner's own code takes beside an empty call, which another's could do without; and by
 * what the least of a few rounds' handing over may be below the least that was read.
 */
#define AUDIT_HEAD_START_NS	1000u
#define AUDIT_FIFO_NS	400000000.0	/* the kernel's throttle would hold up longer calls */
/* of outputs that wait for the reference's */
#define AUDIT_KEEP_BYTES	((uint64_t)512 << 20)

/* limits of answers in advance: of time, */
#define AUDIT_STOCK_NS		8000000u
#define AUDIT_STOCK_JOBS	4u		/* of jobs they do for, if none could be made, */
#define AUDIT_STOCK_BYTES	((uint64_t)4 << 20)	/* of their outputs, */
#define AUDIT_STOCK_WRITES	((uint64_t)32 << 20)	/* and of operands written for them */
#define AUDIT_STOCK_MOST	1024u

/*
 * The reference's answers to challenges that nothing else has seen: a variant that is audited with
 * them needs no reference afterwards.  Each is used once.  They stay with the bench and its
 * reference; all zero is an empty stock.
 */
struct audit_stock {
	unsigned	 n, used;
	uint64_t	(*seed)[2];		/* owned, n of them */
	char		*want;			/* outputs of each, one after another; owned */
};

/*
 * The least that handing over took a child without submitted code, with one empty call; 0: not
 * measured.  By the other data in the caches; and by operands of 4 KiB 2^i in all, which
 * were written before.
 */
enum { AUDIT_BLANK_SIZES = 16 };
struct audit_blank {
	uint64_t	 least_ns;
	unsigned	 readings;
};

struct audit_blanks {
	struct audit_blank	 of[RUNNER_NPOLLUTIONS][AUDIT_BLANK_SIZES];
};

/* One call of a round. */
struct audit_unit {
	uint64_t	 seed[2];
	const char	*want;			/* the reference's outputs, of the stock; NULL: not
						 * asked yet */
};

struct audit_round {
	struct challenge_time	 time;
	double			 ns;		/* per call, without handing over */
	bool			 is_unasked;	/* its answers are not compared */
};

struct audit_setting {
	const struct challenge	*challenge;	/* borrowed */
	double			 call_ns;	/* of a call, as far as is known */
	uint64_t		 cached_bytes;	/* of cache for a round's operands; 0: no matter */
	uint64_t		 flush;		/* operands that are cold, a bit each */
	enum runner_pollution	 pollutes;	/* caches and TLB are full of other data */
	uint64_t		 output_bytes;	/* of a call */
	unsigned		 room;		/* for rounds; fewer where outputs are large */
	struct audit_stock	*stock;		/* borrowed */
	struct audit_blanks	*blanks;	/* borrowed */
};

struct audit {
	struct audit_setting	 with;
	/*
	 * Of each round.  One, as far as the clock can judge it: several could be worked on at
	 * once, and only show contradictions.
	 */
	uint32_t		 calls;
	struct audit_round	*round;		/* owned */
	struct audit_unit	*unit;		/* calls of each round; owned */
	char			*outputs;	/* output_bytes of each unit; owned */
	unsigned		 rounds, room;
	bool			 has_begun;	/* code and pages are there */
	unsigned		 early, disturbed;	/* rounds */
	unsigned		 compared, wrong, near;	/* calls; known after audit_replay */
	bool			 visible;	/* the process could not be stopped */
};

/* An audit's view of a lane, so that a recorded one can stand in for it. */
struct audit_lane {
	enum status	 (*challenge)(void *arg, const struct audit_setting *, uint32_t calls,
	    uint64_t (*seed)[2], struct challenge_time *, struct bench_reply *);
	/* The same with one empty call, by a process without submitted code. */
	enum status	 (*blank)(void *arg, const struct audit_setting *, uint64_t (*seed)[2],
	    struct challenge_time *, struct bench_reply *);
	/* Outputs of the nth call of the last challenge, as worker/check/answer.h has them. */
	void		 (*outputs)(void *arg, const struct challenge *, uint32_t nth, char *to);
	uint64_t	 (*left_ns)(void *arg);	/* until the wall limit */
	void		*arg;			/* borrowed */
};

enum status	 audit_begin(struct audit *, const struct audit_setting *, struct fault *);
void		 audit_release(struct audit *);

/* One round; a status other than ok is the variant's, with its words in the reply. */
enum status	 audit_round(struct audit *, const struct audit_lane *, struct bench_reply *);

/*
 * Leave the answers of all but the n shortest rounds uncompared: those confirm a time.  Good ones
 * before others.
 */
void		 audit_ask_shortest(struct audit *, unsigned n);

/* All that are compared were of the stock. */
bool		 audit_is_answered(const struct audit *);

/*
 * Compare with the reference's answers: `verdict` gets the outputs of a call and the reference's.
 * Unless all are there, the lane must run the reference by now, which is given the same challenges.
 * One answer that is near may be rounding that a tolerance was not made for.
 */
enum audit_verdict { AUDIT_RIGHT, AUDIT_NEAR, AUDIT_WRONG };
typedef enum audit_verdict audit_verdict_fn(void *arg, const char *got, const char *want);
enum status	 audit_replay(struct audit *, const struct audit_lane *, audit_verdict_fn *,
		    void *arg, struct bench_reply *);

/*
 * With the reference loaded, when all is compared: as many new answers as the limits above allow, 0
 * if it is slow.
 */
enum status	 audit_restock(struct audit *, const struct audit_lane *, struct bench_reply *);
void		 audit_stock_release(struct audit_stock *);

/* Handing over, which is subtracted; 0: not measured. */
uint64_t	 audit_blank_ns(const struct audit *);

/* It says something about time: the process had not to wait for its CPU. */
bool		 audit_is_good(const struct audit_round *);
unsigned	 audit_good_rounds(const struct audit *);
double		 audit_least_ns(const struct audit *);		/* of them; 0: there are none */
double		 audit_median_ns(const struct audit *);

/*
 * What a result says of its time per call, and by what its rounds' clock was slower than the best
 * (worker/taken/pace.h).
 */
struct audit_claim {
	double		 median_ns;
	double		 least_ns;		/* 0: it is not what ranks the result; */
	double		 normalised_ns;		/* this neither */
	double		 best_pace;		/* ticks of scribe's reading at the best clock; 0:
						 * not known */
	double		 fresh_times;	/* the reference's audits, by its repeated calls */
	double		 flops, bytes;		/* of a call; 0 where no formula was given */
	double		 iterations;		/* of a call; 0: not known */
	unsigned	 threads;
	bool		 is_compared;	/* a rival gains if it is too long */
};

/*
 * CONFIRMED: an eighth of the good rounds, two at least, exceed the claim's median by no more than
 * the tolerance.  If its normalised median ranks it, so do they as normalised; if its least does,
 * the least of them.  Noise only makes a round longer, and samples beside noise were taken again:
 * so not all rounds have to.  A time that is compared must not exceed their median by more, either.
 * OPEN: more may confirm it.  HOPELESS: the process could not be stopped, calls are too short to be
 * judged one by one, or take twice as long, which noise does not explain.
 */
enum audit_opinion { AUDIT_CONFIRMED, AUDIT_OPEN, AUDIT_HOPELESS };

/* Single calls, long enough for the clock. */
bool		 audit_is_firm(const struct audit *);
enum audit_opinion audit_opinion(const struct audit *, const struct audit_claim *);

/*
 * Even the least, without what the clock's own reading may be off: a claim that no learning
 * explains.  More rounds may contradict it.
 */
bool		 audit_is_beyond_learning(const struct audit *, const struct audit_claim *);

/*
 * It is asked after these rounds; if they are long, the first two are enough, and the first of
 * several calls, which confirms nothing.
 */
bool		 audit_is_look(const struct audit *);

/*
 * NULL: nothing contradicts the claim; else what does, in words for a person: more work in the time
 * than a machine can do, or no round of all within a time that any honest cause explains.
 */
const char	*audit_contradiction(const struct audit *, const struct audit_claim *, char *words,
		    size_t bytes);

const char	*audit_trust_word(enum trust);

#endif
