/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_AGENT_CHECKPOINT_H
#define ASSAY_CLIENT_AGENT_CHECKPOINT_H

/*
 * Checkpoint images of an application, for routines with data that no spec can make up (automated
 * timer generation, section 3.2).  Link with libassay-checkpoint.a; see assay-checkpoint(3).
 *
 *	assay_checkpoint_routine("mainGtU", (assay_routine *)mainGtU);
 *	...
 *	assay_enter_checkpoint("mainGtU.image");
 *	...					the delay: calls that warm the caches
 *	found = ASSAY_CHECKPOINT_CALL(mainGtU)(i1, i2, block);
 *	assay_stop_checkpoint();
 *
 * x86-64 Linux.  Elsewhere no image is made, and the calls have no effect.
 */
#ifdef __cplusplus
extern "C" {
#endif

typedef void assay_routine(void);	/* any: cast it */

/* Name the routine that is to be timed, as a spec names it.  Once, before its first call. */
void	assay_checkpoint_routine(const char *name, assay_routine *);

/* Call the routine as ASSAY_CHECKPOINT_CALL(f)(x, y), so that a variant can take its place. */
extern assay_routine	*volatile assay_checkpoint_entry;
#define ASSAY_CHECKPOINT_CALL(f)	((__typeof__(&(f)))assay_checkpoint_entry)

/*
 * Write all memory to `file`, as a whole or not at all, and go on.
 *
 * Returns 0: done; or ASSAY_CHECKPOINT_AT in the environment is the number of another call, from 1.
 * Returns 1, once more, wherever the image is restarted.  Returns -1 on failure, with errno:
 *
 * EINVAL: no routine was named.  EBUSY: there is more than one thread.  E2BIG: memory is in more
 * than a thousand pieces.  ENOTSUP: writable memory is shared with other processes, or this is
 * another architecture.
 */
int	assay_enter_checkpoint(const char *file);

/* The end of the region: a restarted image does not return from here. */
void	assay_stop_checkpoint(void);

#ifdef __cplusplus
}
#endif
#endif
