/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MODEL_LOOP_H
#define ASSAY_CLIENT_MICRO_MODEL_LOOP_H

#include <stddef.h>

#include "client/micro/model/range.h"

/* <loop_info>: the loops of C around a kernel, and what OpenMP does with the first one. */

/* <count_iteration>: for (variable = min; variable < max; variable += increment) */
struct count {
	struct place	 at;
	const char	*variable;
	int64_t		 increment;		/* > 0 */
	bool		 has_max;
	int64_t		 min, max;
	const char	*min_variable, *max_variable;	/* instead; or NULL */
	const char	*reg;			/* logical; points to the data; or NULL */
	int64_t		 offset;		/* bytes it moves for 1 of variable */
};

enum sharing { SHARING_PRIVATE, SHARING_SHARED, SHARING_FIRST, SHARING_LAST, SHARING_COUNT };

/* A variable in a clause; with a range, one for each number. */
struct clause {
	struct place	 at;
	enum sharing	 sharing;
	const char	*name;
	struct range	 numbers;
};

struct loop {
	struct place	 at;
	struct count	*counts;
	size_t		 ncounts;
	struct clause	*clauses;
	size_t		 nclauses;
	const char	*schedule;		/* static, dynamic, guided; or NULL */
	int64_t		 chunk;			/* 0: none is given */
	bool		 is_parallel;		/* threads are started by the loop itself */
};

const char	*sharing_word(enum sharing);	/* "private", … */

#endif
