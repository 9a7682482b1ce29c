/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_CARE_H
#define ASSAY_DAEMON_STORE_STORE_CARE_H

#include "daemon/store/store.h"

/* For operators.  Both take long: on a thread, with a reader. */

/*
 * Verifies the database's structure, all checksums and the counters.  *report, a new reference:
 * { ok, results, jobs, database, damaged_results, damaged_jobs, counters }; the last four list what
 * is wrong, up to 1000 each.
 */
enum status	 store_check(struct store *, json_t **report, struct fault *);

/* ST_CONFLICT: the file exists.  Nothing is left of a copy that fails. */
enum status	 store_backup(struct store *, const char *path, struct fault *);

#endif
