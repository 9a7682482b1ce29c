/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_SPAWN_LARGE_H
#define ASSAY_WORKER_SPAWN_LARGE_H

/*
 * Copies of large programs in pages of 2 MiB.  A compiler of 30 MiB starts anew for each source and
 * meets hundreds of its own pages then: with large ones it takes an eighth less time for a small
 * source.  The copies lie in a tmpfs that is mounted nowhere, and go with the process.
 */

/*
 * A descriptor to execute instead of the program at `path`, which is absolute; borrowed, until the
 * file has changed and is asked for again.  -1: there is none, because the program is small or very
 * large, the kernel has no such pages or permits no such mount, or there are copies of others.
 */
int	 large_copy(const char *path);

#endif
