/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRUST_AUDIT_H
#define ASSAY_WORKER_TRUST_AUDIT_H

#include "worker/bench/challenge.h"
#include "worker/chain/link.h"
#include "worker/plan/tick.h"

/*
 * Can a time be believed?  Samples are taken inside the variant's address space, so they can be
 * forged there.  Two things cannot be forged: the supervisor's own clock over every order, and
 * audits.  An audit is a single call on a challenge (worker/bench/challenge.h), between orders, at
 * places that cannot be foreseen.  That clock times it, and the reference's answer to the same
 * challenge checks it.
 *
 * An audit is slower than a warm sample: the order is handed over, and operands that another CPU
 * has written are fetched.  The reference is audited as well, so that cost is known.
 */
enum trust { TRUST_CLAIMED, TRUST_AUDITED, TRUST_VERIFIED, TRUST_SUSPECT, TRUST_N };

enum {
	AUDIT_ROUNDS		= 4,		/* of a variant that nothing speaks against */
	AUDIT_DOUBTS		= 12,		/* more of them, when something does */
	AUDIT_MOST_ROUNDS	= 4096,		/* where they are the samples */
	AUDIT_HANDOFFS		= 5,
};
/* of outputs that wait for the reference's */
#define AUDIT_KEEP_BYTES	((uint64_t)256 << 20)
#define AUDIT_SLACK_NS		10000.0	/* handing over may take this much beyond its least */
/* a longer wait for a CPU makes the supervisor's clock useless */
#define AUDIT_LATE_NS		5000u
/* an audit may take so many times the claim, beside the slack */
#define AUDIT_TIMES		2.0

/* limits of answers in advance: of the reference's time */
#define AUDIT_STOCK_NS		5000000u
#define AUDIT_STOCK_BYTES	((uint64_t)4 << 20)	/* of their outputs, */
#define AUDIT_STOCK_WRITES	((uint64_t)32 << 20)	/* and of operands written for them */
#define AUDIT_STOCK_MOST	128u

/*
 * The reference's answers to challenges that nothing else has seen: a variant that is audited with
 * them needs no reference afterwards.  Each is used once.  They stay with the bench and its
 * reference; all zero is an empty stock.
 */
struct audit_stock {
	unsigned	 n, used;
	uint64_t	*seed;			/* owned, n of them */
	char		*want;			/* outputs of each, one after another; owned */
};

struct audit_round {
	uint64_t	 seed, took_ns;
	const char	*want;			/* the reference's outputs, of the stock; NULL: not
						 * asked yet */
	bool		 early;			/* outputs changed after the call was said to be
						 * over */
	/* another process ran on the variant's CPU */
	bool		 disturbed;
	bool		 late;	/* or on the supervisor's: its clock shows too much */
};

struct audit {
	const struct challenge	*challenge;	/* borrowed */
	const char		*first;		/* the operands' first contents; borrowed */
	/* operands are flushed when they have been written */
	bool			 is_cold;
	uint64_t		 output_bytes;
	uint64_t		 secret;	/* of this job: when it is audited */
	struct audit_stock	*stock;		/* borrowed */

	struct audit_round	*round;		/* owned */
	char			*outputs;	/* output_bytes of each; owned */
	unsigned		 rounds, room;
	/* the least, of an empty routine; 0: not measured */
	uint64_t		 handoff_ns;
	/* rounds; two known after audit_replay */
	unsigned		 wrong, near, early, disturbed, late;

	/*
	 * By the supervisor's clock over orders: least time per sample beyond the samples' claims.
	 */
	/* of a sample of empty calls; 0: not known */
	double			 empty_ns;
	double			 unclaimed_ns;	/* < 0: no order could be judged */
};

/* An audit's view of a lane, so that a recorded one can stand in for it. */
struct audit_lane {
	struct link	 link;			/* carries orders out */
	uint64_t	 (*delay_ns)(void *arg);	/* for a CPU, in all; 0: unknown */
	uint64_t	 (*own_delay_ns)(void *arg);	/* the caller's */
	void		*arg;			/* borrowed */
	char		*area;			/* of challenges; NULL: there are none; borrowed */
	char		*result;		/* what the last call returned; borrowed */
};

/* `first`: laid out as the area.  room: rounds that can be kept; fewer if outputs are large. */
enum status	 audit_begin(struct audit *, const struct challenge *, const char *first,
		    uint64_t output_bytes, unsigned room, struct audit_stock *, struct fault *);
void		 audit_release(struct audit *);
void		 audit_forget_rounds(struct audit *);	/* those so far */

/* One round; a status other than ok is the variant's, with its words in the reply. */
enum status	 audit_round(struct audit *, const struct audit_lane *, struct bench_reply *);

/*
 * Note the clock's view of an order, of samples or of empty calls.  False: not judged, because more
 * is done in it than samples. own_delay_ns: the caller's wait for a CPU; if too long, the order is
 * not judged either.
 */
bool		 audit_see_order(struct audit *, const struct runner_run *,
		    const struct bench_reply *, const struct tick *, uint64_t own_delay_ns);

/* In one round at least the supervisor's clock was in time: it would have shown a false claim. */
bool		 audit_can_judge(const struct audit *);

/* All rounds' challenges were of the stock. */
bool		 audit_is_answered(const struct audit *);

/*
 * Compare with the reference's answers: `verdict` gets the outputs of a round and the
 * reference's.  Unless all are there, the lane must run the reference by now, which is given the
 * same challenges.  One answer that is near may be rounding that a tolerance was not made for.
 */
enum audit_verdict { AUDIT_RIGHT, AUDIT_NEAR, AUDIT_WRONG };
typedef enum audit_verdict audit_verdict_fn(void *arg, const char *got, const char *want);
enum status	 audit_replay(struct audit *, const struct audit_lane *, audit_verdict_fn *,
    void *arg,
		    struct bench_reply *);

/*
 * With the reference loaded, when all is compared: as many new answers as the limits above allow, 0
 * if it is slow.
 */
enum status	 audit_restock(struct audit *, const struct audit_lane *, struct bench_reply *);
void		 audit_stock_release(struct audit_stock *);

/* The least of the rounds, without handing over.  Late rounds count only if all were late. */
double		 audit_least_ns(const struct audit *);

/*
 * The claim, per call, and what it must agree with. extra_ns: by how much the reference's audits
 * were slower than its own samples. speeds: 0 where no formula was given.
 */
struct audit_claim {
	double		 ns, extra_ns;
	double		 flops, bytes;		/* of a call */
	unsigned	 threads;
	double		 region_ns;		/* of a sample, as claimed */
};

/* NULL: nothing speaks against the claim; else what does, in words for a person. */
const char	*audit_doubt(const struct audit *, const struct audit_claim *, char *words,
		    size_t bytes);

const char	*audit_trust_word(enum trust);

#endif
