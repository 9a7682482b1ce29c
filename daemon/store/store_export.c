/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "daemon/store/store_impl.h"
#include "daemon/store/store_export.h"

enum status
store_sweep_doc(struct store *s, int64_t id, json_t **doc, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_SWEEP_DOC);
	enum status	 st = ST_OK;

	*doc = NULL;
	(void)sqlite3_bind_int64(q, 1, id);
	if (sqlite3_step(q) != SQLITE_ROW)
		st = fault_set(why, ST_NOT_FOUND, "there is no sweep %" PRId64, id);
	else
		*doc = json_loads(store_column(q, 0), 0, NULL);
	if (st == ST_OK && !json_is_object(*doc))
		st = store_damaged(s, why, "sweep", id);
	(void)sqlite3_reset(q);
	if (st != ST_OK) {
		json_decref(*doc);
		*doc = NULL;
	}
	return st;
}

bool
store_sweep_names_repeat(struct store *s, int64_t id)
{
	sqlite3_stmt	*q = store_statement(s, Q_NAMES_REPEAT);

	(void)sqlite3_bind_int64(q, 1, id);
	return store_first_int(q, 0) != 0;
}

void
store_sweep_names(struct store *s, int64_t id, store_name_fn *fn, void *arg)
{
	sqlite3_stmt	*q = store_statement(s, Q_SWEEP_NAMES);

	(void)sqlite3_bind_int64(q, 1, id);
	while (sqlite3_step(q) == SQLITE_ROW)
		fn(arg, store_column(q, 0));
	(void)sqlite3_reset(q);
}

void
store_sweep_ended(struct store *s, int64_t id, store_job_fn *fn, void *arg)
{
	sqlite3_stmt	*q = store_statement(s, Q_SWEEP_ENDED);

	(void)sqlite3_bind_int64(q, 1, id);
	while (sqlite3_step(q) == SQLITE_ROW)
		fn(arg, sqlite3_column_int64(q, 0));
	(void)sqlite3_reset(q);
}
