/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_JAIL_JAIL_WORK_H
#define ASSAY_WORKER_JAIL_JAIL_WORK_H

/*
 * A compiler's working directory: memory of its jail's own, of limited size, gone with the jail.
 * So it can write to nothing of the host, and leaves nothing behind.
 */

/*
 * Mount it at `to` and put copies of the files in `from` there, and of those in its folders.
 * Anything else is left out.  0, or -1 with errno.
 */
int	 jail_work_make(const char *from, const char *to);

/*
 * Copy the file `name` of the directory to descriptor `to`, JAIL_RESULT_BYTES at most.  Nothing
 * comes out if there is no such file, or something else under that name, such as a link.
 */
void	 jail_work_hand_out(const char *dir, const char *name, int to);

/* Where `to` ends, and behind its length: a uint64_t, 0 if nothing comes. */
void	 jail_work_hand_out_next(const char *dir, const char *name, int to);

#endif
