/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRUST_VET_H
#define ASSAY_WORKER_TRUST_VET_H

#include <jansson.h>

#include "proto/wire/report.h"
#include "worker/plan/plan.h"
#include "worker/take/pairs.h"
#include "worker/take/take.h"
#include "worker/trust/audit.h"

/*
 * How far one job's time can be trusted: its audits, from the first to the verdict.  What belongs to the bench (struct
 * vet) is learnt when the bench is made and the reference is loaded for the first time; a struct vetting is one job's,
 * or where two variants are compared, that of each.
 */
struct vet {
	bool			 can;		/* the bench takes challenges */
	const char		*cannot;	/* why not; NULL: nobody wanted any */
	struct challenge	 challenge;
	char			*first;		/* operands as at first; owned */
	struct audit_stock	 stock;		/* of the reference's answers */
	double			 extra_ns;	/* by how much the reference's audits are slower than its warm call */
};

enum { VET_RARITY = 2, VET_PAIRS_RARITY = 16 };	/* of a pair each half is an order */

/* Before a bench is made for this job: what bench_config wants, or NULL.  After: with the operands' first contents. */
const struct challenge	*vet_prepare(struct vet *, const struct job *);
enum status		 vet_prime(struct vet *, struct bench *, struct fault *);
bool			 vet_serves(const struct vet *, const struct job *);	/* or must the bench be made anew? */
void			 vet_forget_answers(struct vet *);	/* there is another reference */
void			 vet_release(struct vet *);

struct vetting {
	struct vet		*vet;		/* borrowed */
	struct audit		 audit;
	bool			 on;
	bool			 verifies;	/* audits are the samples */
	unsigned		 orders, rarity;	/* rarity: an audit may be before one order in so many */
	enum trust		 trust;
	const char		*why_claimed;	/* why it is no more than that; NULL */
	char			 words[256];	/* of a doubt */

	struct bench		*bench;
	unsigned		 lane;
	uint64_t		 deadline_ns;	/* of the orders that audits give */
	struct bench_reply	 reply;	/* to them */
	uint64_t		 own_delay_ns;	/* that the supervisor had waited for a CPU before the order */
	struct runner_run	 last;		/* order of samples that the clock can tell of; samples 0: none */
	const struct tick	*tick;		/* of its ticks; borrowed */
};

/*
 * Nothing is audited (and all else does nothing) where the job does not want it or the bench does not take
 * challenges.
 */
enum status	 vet_begin(struct vetting *, struct vet *, struct bench *, unsigned lane, const struct job *,
		    const struct plan *, struct fault *);
void		 vet_end(struct vetting *);

/* With the reference loaded, whose warm call takes call_ns: what an audit costs beside the call. */
enum status	 vet_learn(struct vetting *, double call_ns);

/*
 * Around each order of samples: perhaps an audit before it; after it a look at the clock.  Not ok: the variant's end.
 */
enum status	 vet_before(struct vetting *, const struct runner_run *);
void		 vet_after(struct vetting *, const struct runner_run *, const struct bench_reply *,
		    const struct tick *);

/* plan_is_challenge: audits are the samples. */
enum status	 vet_take(struct vetting *, struct take *, const struct plan *);

/* The variant is still loaded, its samples are taken: enough audits, more of them in doubt.  ST_SUSPECT with words. */
enum status	 vet_judge(struct vetting *, const struct take *, const struct job *, const struct plan *,
		    struct fault *);

/* The variant is gone; must the reference be loaded instead, to be asked? */
bool		 vet_needs_reference(const struct vetting *);

/* It is, if it must: ST_WRONG_ANSWER if most answers to challenges were not its. */
enum status	 vet_replay(struct vetting *, const struct spec *, struct fault *);

/* With the reference loaded: answers to challenges of later jobs. */
enum status	 vet_restock(struct vetting *, struct fault *);

/* Of the first so many, for what is said of all: one that is suspect, or else one that is but claimed, if any is. */
const struct vetting	*vet_weakest(const struct vetting *, unsigned n);

/* The evidence of its audits; false: there were none. */
bool		 vet_report(const struct vetting *, struct audits_report *);

#endif
