/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_EXPORT_H
#define ASSAY_DAEMON_STORE_STORE_EXPORT_H

#include "daemon/store/store.h"

/* What exports read of a sweep beside its results.  For readers, too. */

/*
 * Its document, as it was submitted but without spec, and with the number of variants in place of
 * the variants; a new reference.  ST_NOT_FOUND.
 */
enum status	 store_sweep_doc(struct store *, int64_t id, json_t **doc, struct fault *);

/* Do two of its results have one name?  Yardsticks are left out. */
bool		 store_sweep_names_repeat(struct store *, int64_t id);

/* Each name of a result, once, in the order in which they landed; yardsticks are left out. */
typedef void	 store_name_fn(void *arg, const char *name);
void		 store_sweep_names(struct store *, int64_t id, store_name_fn *, void *arg);

/* Each job with a result, in the order in which they landed; yardsticks are left out. */
typedef void	 store_job_fn(void *arg, int64_t job_id);
void		 store_sweep_ended(struct store *, int64_t id, store_job_fn *, void *arg);

#endif
