/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRUST_JOB_AUDIT_H
#define ASSAY_WORKER_TRUST_JOB_AUDIT_H

#include "proto/wire/report.h"
#include "worker/chain/pairs.h"
#include "worker/plan/plan.h"
#include "worker/taken/taken.h"
#include "worker/trust/bench_audit.h"

/*
 * The trust in one job's time: its audits, from the first to the verdict.  In a comparison each
 * variant has its own.  They come after the samples, so what they must confirm is known.
 */
#define JOB_AUDIT_COLD_BYTES	((uint64_t)1 << 20)	/* of a round's operands */

struct job_audit {
	struct audit_lane	 lane;
	enum pairs_side		 side;		/* of the claim */

	struct bench_audit	*of_bench;	/* borrowed */
	struct audit_setting	 with;
	struct audit		 audit;
	bool			 on;
	bool			 verifies;	/* audits are the samples */
	bool			 insists;	/* the spec names a trust that needs them */
	uint64_t		 began_left_ns;	/* of the wall limit, before the first round */
	enum trust		 trust;
	const char		*why_claimed;	/* why it is no more than that; NULL */
	char			 words[256];	/* of a doubt */
	struct bench_reply	 reply;		/* to the audits' own orders */
};

/*
 * Nothing is audited, and all else does nothing, where the job does not want it or the bench does
 * not take challenges.  ST_BAD_SPEC: the job requires it.
 */
enum status	 job_audit_begin(struct job_audit *, struct bench_audit *, const struct job *,
		    struct audit_blanks *, const struct plan *, const struct slot *,
		    struct fault *);
void		 job_audit_end(struct job_audit *);

/*
 * With the reference loaded, its repeated warm call taking call_ns: how much longer fresh inputs
 * take, and answers for jobs to come.
 */
enum status	 job_audit_learn(struct job_audit *, double call_ns);

/* Samples that are audits (plan_is_challenge). */
enum status	 job_audit_take(struct job_audit *, struct take *, const struct plan *);

/*
 * The variant is still loaded, its samples are taken: do audits confirm them?  best_pace: of the
 * core at rest, in ticks; 0: not known.  iterations: that a call claims; 0: none.  ST_SUSPECT with
 * words: they contradict them.
 */
enum status	 job_audit_judge(struct job_audit *, const struct take *, const struct job *,
		    uint32_t best_pace, double iterations, struct fault *);

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
