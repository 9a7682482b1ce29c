/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RT_ALONE_CHECK_H
#define RT_ALONE_CHECK_H

#include "worker/runner/alone/memory.h"

/* What a call left: what it returned, and operands that it writes. */
struct answer {
	char	 result[RT_MAX_RESULT];
	void	*at[RT_MAX_OPERANDS];		/* owned; NULL: not compared */
};

struct verdict {
	uint64_t	 compared, wrong;
	const char	*where;			/* borrowed: operand of the first, or "return" */
	uint64_t	 index;			/* of its element */
};

/* Call once on operands as at first.  false: no memory.  Release it in any case. */
int		 answer_take(struct answer *, struct memory *, rt_code *);
void		 answer_release(struct answer *);

/* |got - want| <= atol + rtol * |want| for each number. */
struct verdict	 answer_compare(const struct memory *, const struct answer *got,
		    const struct answer *want);
/* The result as a real number; 0: it is none. */
int		 answer_result(const struct answer *, double *);
#endif
