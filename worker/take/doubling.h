/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_DOUBLING_H
#define ASSAY_WORKER_TAKE_DOUBLING_H

#include "worker/take/taken.h"


/*
 * The difference method (nanoBench; Abel and Reineke, ISPASS 2020): a sample is what a region of twice the calls takes
 * beyond one right before it, so whatever beginning and ending a region costs is in neither.  A runner that stands
 * before another: each sample that is ordered becomes two regions, and what it tells is their difference, 0 where the
 * longer one took less.  What disturbed either disturbed the sample.
 */
struct doubling {
	const struct take_runner	*runner;	/* borrowed: who takes the regions */
	struct bench_reply		 one;		/* of one region */
};

/* As take_runner.run, with a struct doubling as its first argument. */
enum status	 doubling_run(void *, const struct runner_run *, struct bench_reply *);

#endif
