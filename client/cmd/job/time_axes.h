/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_JOB_TIME_AXES_H
#define ASSAY_CLIENT_CMD_JOB_TIME_AXES_H

#include "client/cmd/job/time_job.h"

/*
 * Options with several values, separated by commas: -p N=200,1000, --context cold,warm,
 * --compiler gcc,clang, -O 2,3 or -O "-O2,-O3 -mavx2".  Params and contexts make cells, compilers
 * and flags make variants of each file; every combination is a job.
 */
struct time_axes {
	json_t	*cells;		/* owned; lists of values, by param or "context"; empty: one cell */
	json_t	*compilers;	/* owned; a list of names; empty: as chosen */
	json_t	*flags;		/* owned; for each -O a list of its alternatives */
	json_t	*words;		/* owned; texts that a choice borrows */
};

/* Leaves the first of several values in the choice, which borrows from the axes from then on. */
enum status	 time_axes_init(struct time_axes *, struct time_choice *, struct fault *);
void		 time_axes_release(struct time_axes *);		/* a zeroed one is fine */

/*
 * The variants of a file (NULL: the base's own), one for each compiler and flags, behind those in
 * the list.
 */
enum status	 time_axes_variants(const struct time_axes *, const struct time_choice *,
		    const json_t *base, const char *path, json_t *variants, struct fault *);

/* The jobs of all cells and variants: a new reference.  Cell after cell, all variants in each. */
enum status	 time_axes_jobs(const struct time_axes *, const json_t *base,
		    const json_t *variants, json_t **jobs, struct fault *);

#endif
