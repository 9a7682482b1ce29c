/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRIAL_REPORT_H
#define ASSAY_WORKER_TRIAL_REPORT_H

#include "worker/check/answer.h"
#include "worker/check/checkpoint.h"
#include "worker/take/pairs.h"
#include "worker/take/range.h"
#include "worker/take/take.h"
#include "worker/trust/vet.h"

/* What is known about one timing when it is over, whatever came of it; all borrowed. */
struct report_facts {
	const struct spec	*spec;
	const struct slot	*slot;
	unsigned		 threads;	/* of the routine */
	const struct plan	*plan;		/* NULL: it never came to a plan */
	const struct tick	*tick;
	const struct tick	*canary_tick;	/* of the clock that reads canary and sentinel */
	const struct take	*take;		/* NULL: no samples were taken */
	const struct answer	*comparison;	/* NULL: nothing was checked */
	const struct range	*range;		/* of what is known of it */
	const struct vetting	*vetting;	/* how far the samples can be trusted: of the variant, and */
	bool			 vets_both;	/* then of what it is compared with */
	const struct checkpoint	*checkpoint;	/* of a spec that names one; else not looked at */
	uint64_t		 image_calls;	/* of the routine, in its last sample */
	const char		*phase;		/* in which it failed; NULL */
	const char		*who;		/* of two compared that failed: "variant", "against"; NULL */
	const struct contest	*rule;		/* NULL: nothing was compared; else so are the next two */
	const struct pairs_end	*pairs;
	uint64_t		 code_bytes[2];	/* of against, of the variant; 0: unknown */
	int			 node;		/* that owns the operands (worker/bench/numa.h), with samples */
	const struct host_evidence *host;	/* while samples were taken */
	uint64_t		 run_ns, setup_ns, load_ns;
	bool			 artifact_missing;
};

/* The report of `timed` (proto/wire/msg.h); new reference, NULL: out of memory. */
json_t		*report_timed(const struct report_facts *);

/* A clock, as host.get lists it; new reference, NULL: out of memory. */
json_t		*report_clock(const struct tick *);

/*
 * What a slot's canary takes in quiet, read by that clock, as host.get lists it; new reference, NULL: out of memory.
 */
json_t		*report_canary(const struct gate *, const struct tick *);

#endif
