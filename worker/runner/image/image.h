/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_IMAGE_IMAGE_H
#define ASSAY_WORKER_RUNNER_IMAGE_IMAGE_H

#include "proto/wire/image.h"
#include "worker/runner/sample/code_lines.h"

#pragma GCC visibility push(hidden)

/*
 * A checkpoint image that is restarted in this process (automated timer generation, section 3.2).
 * The template maps it at the application's addresses, and a child inherits that by fork.  Before
 * each sample the child puts the memory back into its first state, then jumps in.
 */
struct rt_image {
	struct image	 file;		/* all of it, mapped to be read: the memory as at first;
					 * owned */
	uint64_t	 bytes;
};

/* clash: its addresses are taken here */
enum rt_image_state { RT_IMAGE_OK, RT_IMAGE_BAD, RT_IMAGE_CLASH };

/* Map the file at `path` and what it has.  Not ok: *why, in words that last. */
enum rt_image_state rt_image_open(struct rt_image *, const char *path, const char **why);

/* In the child: every page is in memory and, if it may be written, its own. */
void		 rt_image_enter(const struct rt_image *);

/*
 * Its memory as at first, and the pointers that lead to us.  No system call; pages that are as they
 * were stay so.
 */
void		 rt_image_restore(const struct rt_image *);

/* All that it has read or may write leaves the caches. */
void		 rt_image_flush(const struct rt_image *, uint32_t line_bytes);

/* The lines of that, numbered from 0. */
uint64_t	 rt_image_lines(const struct rt_image *, uint32_t line_bytes);
const char	*rt_image_line(const struct rt_image *, uint32_t line_bytes, uint64_t n);

/*
 * From now on the image's clocks advance by a microsecond at each reading, or (0) by time again.
 * Times that the image stores must not differ from one check to the next.
 */
void		 rt_image_count_time(int on);

/* From now on this runs before each call of the routine, outside of its time; NULL: nothing. */
void		 rt_image_before_call(void (*)(void));

/* The segment that has the application's own routine. */
void		 rt_image_add_code(const struct rt_image *, struct rt_code_lines *);

rt_code		*rt_image_routine(const struct rt_image *);	/* the application's own */
uint64_t	 rt_image_calls(void);	/* of the routine, in what ran last */

/*
 * Put the output of the last run to `to`, as in proto/wire/runner_shm.h for images.  0: more than
 * `bytes`.
 */
int		 rt_image_put(const struct rt_image *, uint32_t result_bytes, char *to,
		    uint64_t bytes);

#pragma GCC visibility pop
#endif
