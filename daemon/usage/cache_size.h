/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_USAGE_CACHE_SIZE_H
#define ASSAY_DAEMON_USAGE_CACHE_SIZE_H

#include <dirent.h>
#include <stdint.h>

/*
 * Bytes of a cache with two levels of folders, by looking at a few files at a time: the event loop
 * never waits for a walk.  The size is that of the last complete walk.  All 0: not walked yet.
 */
enum { CACHE_SIZE_STEPS = 64 };		/* directory entries in one go */

struct cache_size {
	DIR		*top, *folder;	/* owned; NULL: between two walks; between two folders */
	int64_t		 bytes;		/* of the last complete walk */
	int64_t		 so_far;
};

void		 cache_size_step(struct cache_size *, const char *dir);
void		 cache_size_release(struct cache_size *);

#endif
