/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_AGENT_CHECKPOINT_H
#define ASSAY_CLIENT_AGENT_CHECKPOINT_H

/*
 * Checkpoint images of an application, for routines whose data no spec can make up (automated timer
 * generation, section 3.2).  Link with libassay-checkpoint.a; assay-checkpoint(3) has it all.
 *
 *	assay_checkpoint_routine("mainGtU", (assay_routine *)mainGtU);
 *	...
 *	assay_enter_checkpoint("mainGtU.image");
 *	...					the delay: calls that warm the caches
 *	found = ASSAY_CHECKPOINT_CALL(mainGtU)(i1, i2, block);
 *	assay_stop_checkpoint();
 *
 * x86-64 Linux.  Elsewhere no image is made, and all else is as if this were not there.
 */
#ifdef __cplusplus
extern "C" {
#endif

typedef void assay_routine(void);	/* any: cast it */

/*
 * The routine that is to be timed, by the name that it has in a spec.  Once, before its first call.
 */
void	assay_checkpoint_routine(const char *name, assay_routine *);

/*
 * Call the routine by this, so that another can be put in its place: ASSAY_CHECKPOINT_CALL(f)(x,
 * y).
 */
extern assay_routine	*volatile assay_checkpoint_entry;
#define ASSAY_CHECKPOINT_CALL(f)	((__typeof__(&(f)))assay_checkpoint_entry)

/*
 * Writes all memory to `file`, which is there as a whole or not at all, and goes on: 0 (as it does
 * where ASSAY_CHECKPOINT_AT in the environment is the number of another call, from 1); -1 with
 * errno if that failed (EINVAL: no routine was named; EBUSY: there is more than one thread; E2BIG:
 * more than a thousand pieces of memory; ENOTSUP: memory that is shared with other processes may be
 * written, or another architecture).  Returns once more, 1, wherever the image is restarted.
 */
int	assay_enter_checkpoint(const char *file);

/* The region ends: a restarted image does not return from here. */
void	assay_stop_checkpoint(void);

#ifdef __cplusplus
}
#endif
#endif
