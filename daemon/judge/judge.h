/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_JUDGE_H
#define ASSAY_DAEMON_JUDGE_JUDGE_H

#include "daemon/judge/case_file.h"

/* Samples and evidence → statistics and the result object (proto/wire/result.h). */
/* For the daemon's own counters; seconds below 0: the job did not come to that. */
struct spent {
	double		 waiting_s, build_s, timing_s;
	uint64_t	 samples, canary_rejected, memory_rejected;
};

struct judgement {
	char		*text;		/* owned by the caller; the result as JSON */
	double		 value_ns;	/* its rank; 0 without an estimator: it has none */
	const char	*estimator;	/* of value_ns, static; NULL: none */
	double		 half;		/* of its 95 % interval, relative; NaN: it has none */
	bool		 has_interval;
	double		 interval_ns[2];	/* of the median as it was measured */
	double		 bound_ns;	/* it takes longer; 0: it was not given up */
	struct spent	 spent;
};

enum status	 judge_result(const struct case_file *, struct judgement *);	/* ST_NOMEM */

#endif
