/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKEN_UNITS_H
#define ASSAY_WORKER_TAKEN_UNITS_H

#include "worker/taken/taken.h"

/*
 * What chance draws independently, and the ranked figure is the median of: the medians of the
 * processes where there are to be several, or the samples of the only one.  In ticks of the
 * routine's own, of a core at its best clock where normalised times are ranked.
 */

/* A sample that is in them. */
typedef bool	 take_unit_fn(const struct take *, const struct take_sample *);

/* Owned; *n of them, in the order of taking; NULL: no memory. */
double		*take_units(const struct take *, const struct plan *, const struct gate *,
		    take_unit_fn *, size_t *n);

#endif
