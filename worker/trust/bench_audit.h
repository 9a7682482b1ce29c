/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRUST_BENCH_AUDIT_H
#define ASSAY_WORKER_TRUST_BENCH_AUDIT_H

#include "worker/chain/bench_lane.h"
#include "worker/trust/audit.h"

/*
 * A bench's state for the audits of its jobs (worker/trust/job_audit.h): learnt when the bench is
 * made, and when the reference is loaded for the first time.
 */
struct bench_audit {
	bool			 can;		/* the bench takes challenges */
	const char		*cannot;	/* why not; NULL: none were wanted */
	struct challenge	 challenge;
	struct audit_stock	 stock;		/* of the reference's answers */
	/* of the reference: repeated warm calls, and on fresh inputs; 0: not known */
	double			 call_ns, fresh_ns;
	char			 stale[160];	/* an input that is never drawn anew; "": none is */
};

/* Before a bench is made for this job: bytes of challenges for bench_config; 0: none. */
uint64_t		 bench_audit_prepare(struct bench_audit *, const struct job *);
/* Can this job be audited as it wants, or must the bench be made anew? */
bool			 bench_audit_serves(const struct bench_audit *, const struct job *);
void			 bench_audit_forget(struct bench_audit *);	/* another reference */
void			 bench_audit_release(struct bench_audit *);

/* A lane of the bench, as audits need it. */
struct audit_lane	 bench_audit_lane(struct bench_lane *);	/* borrows */

/* Why a job wants no more than a claim, in words that last; NULL: it wants audits. */
const char		*bench_audit_unwanted(const struct job *);

#endif
