/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_WAL_H
#define ASSAY_DAEMON_STORE_WAL_H

#include <sqlite3.h>

#include "proto/base/fault.h"

/*
 * Copies the write-ahead log into the database without holding up commits.  Most of it is copied by
 * a thread, with a connection of its own, while commits go on behind it.  The few pages that they
 * wrote meanwhile are copied within a later commit, so that the log begins anew.
 */
struct wal;

enum { WAL_PAGES = 4000 };	/* of the log, from which on it is copied */

/* Takes over from the automatic checkpoints of `db` (borrowed, outlives this), the file `path`. */
enum status	 wal_new(struct wal **, sqlite3 *db, const char *path, struct fault *);
void		 wal_free(struct wal *);	/* waits for its thread; NULL is fine */

#endif
