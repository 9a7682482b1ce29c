/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_SPACE_SPACE_H
#define ASSAY_CLIENT_MICRO_SPACE_SPACE_H

#include "client/micro/pass/passes.h"

/*
 * All programs of a description, as the numbers from 0.  None of them exists until it is asked for:
 * a number is taken apart into the choice of each kernel and instruction.
 *
 *	instruction   Σ over its repetitions r of  once × each ^ (copies × r)
 *	kernel        Σ over its repetitions of  (Σ over unrolling of  own × Π statements) ^ r
 *
 * `once` is what passes before unrolling offer for an instruction, `each` what those after it offer
 * for each copy, `own` what passes offer for a kernel: strides and orders.
 */

/* Passes that prepare a description run; from then on it can be counted. */
enum status	 space_prepare(struct micro *, struct fault *);
/* ST_FULL: 2^64 - 1 or more. */
enum status	 space_count(const struct micro *, uint64_t *, struct fault *);
/* Program `index`, below the count, after all passes.  It lies in the arena. */
enum status	 space_program(const struct micro *, struct arena *, uint64_t index,
		    struct program *, struct fault *);

#endif
