/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_FLUSH_H
#define ASSAY_WORKER_RUNNER_SAMPLE_FLUSH_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The part of memory that a routine touches: `pieces` of piece_bytes, step_bytes apart. */
struct rt_range {
	char		*at;		/* borrowed */
	uint64_t	 pieces, piece_bytes, step_bytes;
};

/* Elements `stride` apart, or all of them as one piece. */
struct rt_range	 rt_range_of(void *at, uint64_t count, uint32_t element_bytes, uint64_t stride);

/* Bytes of cache that it takes. */
uint64_t	 rt_range_cached_bytes(const struct rt_range *, uint32_t line_bytes);

/*
 * Put every line of a range out of all caches (OneCallFlushX86, section 3: clflushopt or clflush;
 * dc civac on AArch64).  Done when it returns. 0: there is no such instruction.
 */
int		 rt_flush_lines(const struct rt_range *, uint32_t line_bytes);
int		 rt_flush_lines_can(void);

/*
 * Look up the translation of each small page of a range, and leave nothing of the pages themselves
 * in a cache. 0: there is no instruction for the latter, and nothing has been done.
 */
int		 rt_look_up(const struct rt_range *, uint32_t line_bytes);

/* Bring every line of a range into the cache, by reading; or by storing what is there: dirty. */
void		 rt_touch(const struct rt_range *, uint32_t line_bytes);
void		 rt_store(const struct rt_range *, uint32_t line_bytes);

/*
 * Read `bytes` of other memory, one load a line (OneCallFlushLRU, section 3): what was cached
 * before makes room.
 */
void		 rt_read_area(const void *area, uint64_t bytes, uint32_t line_bytes);

/* All memory traffic so far is over. */
void		 rt_settle(void);

/*
 * What follows is not begun by guess.  A processor that expects a branch to be taken reads what
 * lies behind it: operands that shall be cold, and the flag that says so is not in a cache either.
 */
void		 rt_be_certain(void);

#pragma GCC visibility pop
#endif
