/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_JAIL_JAIL_WORK_H
#define ASSAY_WORKER_JAIL_JAIL_WORK_H

/*
 * The directory that a compiler works in: memory of its jail's own, of a limited size, that goes
 * with the jail.  Nothing of the host is writable for it, and nothing of it is left to be cleaned
 * away.
 */

/*
 * Mount it at `to` and put copies of the files in `from` there; what is no file is left out. 0, or
 * -1 with errno.
 */
int	 jail_work_make(const char *from, const char *to);

/*
 * Copy the file `name` of the directory to descriptor `to`, JAIL_RESULT_BYTES at most.  Nothing
 * comes out if there is no such file, or something else under that name, such as a link.
 */
void	 jail_work_hand_out(const char *dir, const char *name, int to);

#endif
