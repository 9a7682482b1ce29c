/* SPDX-License-Identifier: Apache-2.0 */
/* Who sees a sweep: one row, however many jobs and results it has. */
#include <stdlib.h>
#include <string.h>

#include "daemon/store/store_impl.h"

enum status
store_share_sweep(struct store *s, int64_t id, const char *visibility, struct fault *why)
{
	sqlite3_stmt	*q;
	enum status	 st = store_join_group(s, why);

	if (st != ST_OK)
		return st;
	q = store_statement(s, Q_SEEN_BY_SET);
	(void)sqlite3_bind_int64(q, 1, id);
	store_bind_text(q, 2, visibility);
	return store_run(s, q, why);
}

const char *
store_seen_by(struct store *s, int64_t sweep_id, const char *own)
{
	sqlite3_stmt	*q = sweep_id != 0 ? store_statement(s, Q_SEEN_BY) : NULL;

	if (q == NULL)
		return own;
	(void)sqlite3_bind_int64(q, 1, sweep_id);
	if (sqlite3_step(q) == SQLITE_ROW) {
		free(s->seen_by);
		/* without memory for it, it is private */
		own = s->seen_by = strdup(store_column(q, 0));
	}
	(void)sqlite3_reset(q);
	return own;
}

json_t *
store_readers(struct store *s, int64_t sweep_id)
{
	sqlite3_stmt	*q = store_statement(s, Q_SWEEP_SEEN_BY);
	json_t		*readers = NULL;

	(void)sqlite3_bind_int64(q, 1, sweep_id);
	if (sqlite3_step(q) == SQLITE_ROW)
		readers = json_loads(store_column(q, 0), JSON_DECODE_ANY, NULL);
	(void)sqlite3_reset(q);
	return readers;
}
