/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_OPERANDS_H
#define ASSAY_CLIENT_SEARCH_OPERANDS_H

#include <jansson.h>

#include "client/search/states.h"
#include "proto/base/fault.h"

enum { OPERANDS_MOST = 64 };	/* as many as a routine has parameters */

/* Bytes of a timing CPU's caches; 0: it has none, or its size is unknown. */
struct operands_caches {
	uint64_t	l1_bytes, l2_bytes, l3_bytes;
};

/*
 * The operands of a job whose states a fit may choose, and the levels that each can have: those of
 * a page and more that have no `cache` or `state` of their own.  An operand fits into a cache that
 * is as large, and it can be dirty if it is only read.  *n: at most `most`.  Names are the job's.
 */
enum status	 operands_searched(const json_t *job, const struct operands_caches *,
		    struct states_operand *out, size_t most, size_t *n, struct fault *);

/*
 * The members that put a job's operands into the state: { NAME: { cache, state } }.  Empty: warm,
 * or cold, as the context says.  New reference.
 */
json_t		*operands_members(const struct states *, const struct states_point *);

#endif
