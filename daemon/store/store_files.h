/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_FILES_H
#define ASSAY_DAEMON_STORE_STORE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/fault.h"

/*
 * The database as files, and whether it takes commits.
 *
 * SQLite goes on writing to a file that was removed or replaced; the next daemon would not see
 * these writes.  So a commit looks for the file first, and fails if it is gone.
 */
struct store;

struct store_files {
	int64_t		 database_bytes, wal_bytes;	/* 0: missing */
	int64_t		 free_bytes;	/* of their file system; -1: unknown */
};
void		 store_files(const struct store *, struct store_files *);

/* false: the database was removed or replaced while it is open. */
bool		 store_is_there(const struct store *, struct fault *why);
/* false: the last commit failed, or another process has the lock; *why: the reason. */
bool		 store_takes_commits(const struct store *, struct fault *why);
/* After a failed commit, write one page: ST_OK, and commits are taken again, if that works. */
enum status	 store_probe(struct store *, struct fault *);

#endif
