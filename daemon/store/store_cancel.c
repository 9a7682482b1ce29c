/* SPDX-License-Identifier: Apache-2.0 */
/* Cancels, as rows: they hold from the commit on, and store_waiting_read has them again. */
#include "daemon/store/store_impl.h"

enum status
store_cancel_job(struct store *s, int64_t id, int64_t owner, bool *is_open, struct fault *why)
{
	sqlite3_stmt	*q;
	enum status	 st = store_join_group(s, why);

	*is_open = false;
	if (st != ST_OK)
		return st;
	q = store_statement(s, Q_JOB_CANCEL);
	(void)sqlite3_bind_int64(q, 1, id);
	(void)sqlite3_bind_int64(q, 2, owner);
	st = store_run(s, q, why);
	*is_open = st == ST_OK && sqlite3_changes(s->db) != 0;
	return st;
}

enum status
store_cancel_sweep(struct store *s, int64_t id, struct fault *why)
{
	sqlite3_stmt	*q;
	enum status	 st = store_join_group(s, why);

	if (st != ST_OK)
		return st;
	q = store_statement(s, Q_SWEEP_CANCEL);
	(void)sqlite3_bind_int64(q, 1, id);
	return store_run(s, q, why);
}
