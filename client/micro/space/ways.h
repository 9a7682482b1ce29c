/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_SPACE_WAYS_H
#define ASSAY_CLIENT_MICRO_SPACE_WAYS_H

#include "client/micro/pass/passes.h"

/*
 * Among how many programs each part of a description chooses.  `copies`: how many copies of it the
 * unrolling of the kernels around it makes.  Numbers stop at UINT64_MAX: that many or more.
 */
uint64_t	 ways_add(uint64_t, uint64_t);
uint64_t	 ways_multiply(uint64_t, uint64_t);
uint64_t	 ways_power(uint64_t, uint64_t exponent);

/* What passes offer for an instruction once, for each of its copies, and for a kernel. */
uint64_t	 ways_once(const struct micro *, const struct pattern *);
uint64_t	 ways_each(const struct micro *, const struct pattern *);
uint64_t	 ways_own(const struct micro *, const struct kernel *);

/* The ranges that count: of one value where the pass that follows them is off. */
struct range	 ways_repetition(const struct micro *, const struct pattern *);
struct range	 ways_kernel_repetition(const struct micro *, const struct kernel *);
struct range	 ways_unrolling(const struct micro *, const struct kernel *);

uint64_t	 ways_pattern(const struct micro *, const struct pattern *, uint64_t copies);
/* Of a kernel's statements; those that are linked to a kernel are counted with it. */
uint64_t	 ways_statement(const struct micro *, const struct kernel *, size_t statement,
		    uint64_t copies);
/* Its statements and its own choices, unrolled `unroll` times. */
uint64_t	 ways_unrolled(const struct micro *, const struct kernel *, uint64_t copies,
		    uint64_t unroll);
/* The kernel that is unrolled as `leader` is, which stands in `around`; from 0; NULL: no more. */
struct kernel	*ways_follower(const struct kernel *around, const struct kernel *leader, size_t);
/* Together with its followers, unrolled by the i-th value. */
uint64_t	 ways_group(const struct micro *, const struct kernel *around,
		    const struct kernel *leader, uint64_t copies, uint64_t unroll);
/* The sum of that over the values of its unrolling. */
uint64_t	 ways_body(const struct micro *, const struct kernel *around,
		    const struct kernel *leader, uint64_t copies);

#endif
