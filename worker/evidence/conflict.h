/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_EVIDENCE_CONFLICT_H
#define ASSAY_WORKER_EVIDENCE_CONFLICT_H

#include "proto/spec/spec.h"
#include "proto/wire/report.h"
#include "worker/plan/slot.h"

/*
 * Conflict misses, a risk of large strides (Whaley and Castaldo, section 4).  A cache has a few
 * places for the lines of each set, and lines at some distances share few sets.  So they displace
 * each other while most of the cache is free.  Leading dimensions that are powers of two are the
 * classical case.  Pure: from sizes and strides of the spec, and the innermost data cache.
 *
 * An operand's strides: of the elements that are touched, and of its dims, in rows or columns.
 */
struct conflict {
	uint64_t	 stride_bytes;
	uint64_t	 lines;			/* that are so far apart, one after another */
	uint64_t	 sets, of_sets;		/* that they share, of all */
	uint64_t	 ways;			/* places for lines in each set */
};

/* The worst conflict of an operand; false: there is none. */
bool		 conflict_find(const struct operand *, const struct slot *, struct conflict *);

/* The evidence's `conflicts`; empty without any.  false: no memory. */
bool		 conflict_report(const struct spec *, const struct slot *, struct shape_list *);

#endif
