/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_SPAWN_IDS_H
#define ASSAY_WORKER_SPAWN_IDS_H

#include <stdbool.h>

struct ids {
	char	 uid_map[32], gid_map[32];
};

/* Our effective user and group, as uid and gid 0 of a user namespace or as themselves. */
struct ids	 ids_as_root(void);
struct ids	 ids_as_ours(void);

/* Of the user namespace that this process has just come into.  Makes system calls only. */
bool		 ids_map(const struct ids *);

#endif
