/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CACHE_OWN_DIR_H
#define ASSAY_WORKER_CACHE_OWN_DIR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Directories of a process, named for what they are and its id: build.PID, bay.PID.XXXXXX.  They
 * lie below one that all processes of a user share.
 */

/*
 * That one in memory: /dev/shm/assay-UID-NAMESPACE, made if there is none.  false: /dev/shm is no
 * tmpfs or has no room, or nothing can run in it and `runs` says that something shall.
 */
bool	 own_dir_in_memory(char *path, size_t bytes, bool runs);

/* Remove the directories below `parent` of processes that are gone. */
void	 own_dir_clean(const char *parent);

/* Remove all that is in it, as deep as the files of a variant may lie. */
void	 own_dir_empty(const char *path);

#endif
