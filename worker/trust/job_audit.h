/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRUST_JOB_AUDIT_H
#define ASSAY_WORKER_TRUST_JOB_AUDIT_H

#include "proto/wire/report.h"
#include "worker/chain/pairs.h"
#include "worker/plan/plan.h"
#include "worker/take/taken.h"
#include "worker/trust/bench_audit.h"

/*
 * The trust in one job's time: its audits, from the first to the verdict.  In a comparison each
 * variant has its own.
 *
 * A link: now and then an audit precedes an order of samples, and the supervisor's clock is looked
 * at after it.  Before job_audit_begin, after job_audit_end, and where audits are off, it only
 * passes orders on.
 */
struct job_audit {
	struct audit_lane	 lane;		/* the next link, and what audits need of it */
	enum pairs_side		 side;		/* of the claim */

	struct bench_audit	*of_bench;	/* borrowed */
	const struct tick	*tick;		/* of samples; borrowed */
	struct audit		 audit;
	bool			 on;
	bool			 verifies;	/* audits are the samples */
	unsigned		 orders;	/* of samples, so far */
	unsigned		 rarity;	/* one order in so many has an audit before it */
	enum trust		 trust;
	const char		*why_claimed;	/* why it is no more than that; NULL */
	char			 words[256];	/* of a doubt */
	uint64_t		 own_delay_ns;	/* the supervisor's, before the order */
	struct runner_run	 last;		/* that the clock can judge; samples 0: none */
	struct bench_reply	 reply;		/* to the audits' own orders */
};

enum { JOB_AUDIT_RARITY = 2, JOB_AUDIT_PAIRS_RARITY = 16 };	/* half of a pair is an order */

struct link	 job_audit_link(struct job_audit *);	/* borrows */

/*
 * Nothing is audited, and all else does nothing, where the job does not want it or the bench does
 * not take challenges.  ST_BAD_SPEC: the job requires it.
 */
enum status	 job_audit_begin(struct job_audit *, struct bench_audit *, const struct job *,
		    const struct plan *, const struct tick *, struct fault *);
void		 job_audit_end(struct job_audit *);

/* With the reference loaded, its warm call taking call_ns: the cost of an audit beside the call. */
enum status	 job_audit_learn(struct job_audit *, double call_ns);

/* Samples that are audits (plan_is_challenge). */
enum status	 job_audit_take(struct job_audit *, struct take *, const struct plan *);

/*
 * The variant is still loaded, its samples are taken: enough audits, more of them in doubt.
 * ST_SUSPECT with words.
 */
enum status	 job_audit_judge(struct job_audit *, const struct take *, const struct job *,
		    const struct plan *, struct fault *);

/* The variant is gone; must the reference be loaded instead, to answer its challenges? */
bool		 job_audit_needs_reference(const struct job_audit *);

/*
 * The reference is loaded on `reference`, if it must be.  ST_WRONG_ANSWER if most answers to
 * challenges were not the reference's.
 */
enum status	 job_audit_replay(struct job_audit *, const struct audit_lane *reference,
		    const struct spec *, struct fault *);

/* With the reference loaded on this lane: answers to challenges of later jobs. */
enum status	 job_audit_restock(struct job_audit *, struct fault *);

/* The weakest of the first n: suspect before claimed before audited. */
const struct job_audit	*job_audit_weakest(const struct job_audit *, unsigned n);

/* The evidence of its audits; false: there were none. */
bool		 job_audit_report(const struct job_audit *, struct audits_report *);

#endif
