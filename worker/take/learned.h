/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_LEARNED_H
#define ASSAY_WORKER_TAKE_LEARNED_H

#include "worker/chain/pairs.h"
#include "worker/take/take.h"

/*
 * How much longer a call takes on inputs that it has never met than on the one that it knows.  The
 * samples for it are discarded.  Operands are drawn before each region either way, from the same
 * seed or from a new one, so only novelty differs.
 */
enum { LEARNED_SAMPLES = 16 };		/* of either kind, at most */

struct learned {
	bool		 is_known;
	double		 ratio;			/* of medians, novel to known */
	double		 low, high;		/* its interval; 95 % at least */
};

/* Regions in ns, those on novel inputs and those on the known one; sorted in place. */
struct learned	 learned_judge(double *novel, size_t n, double *known, size_t m);

/*
 * By so much that it is no noise, and that it matters: 3 %.  Both medians' intervals would have to
 * be wrong for it to be nothing.
 */
bool		 learned_matters(const struct learned *);

/* More samples would hardly show that it matters. */
bool		 learned_is_harmless(const struct learned *);

/*
 * By the plan's first samples, of what the setting orders.  Of a pair, `against` is the other side;
 * else it is left unknown.  Nothing is known if the calls are too long.
 */
enum status	 take_learned(struct learned *, struct learned *against, const struct plan *,
		    const struct take_setting *, struct bench_reply *);

#endif
