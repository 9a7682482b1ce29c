/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/store/store_impl.h"
#include "daemon/store/store_notice.h"

int64_t
store_notice_waiting(struct store *s, int64_t after_sweep)
{
	sqlite3_stmt	*q = store_statement(s, Q_NOTICE_WAITING);

	(void)sqlite3_bind_int64(q, 1, after_sweep);
	return store_first_int(q, 0);
}

enum status
store_notice_due(struct store *s, int64_t sweep_id, double now, struct fault *why)
{
	sqlite3_stmt	*q;
	enum status	 st = store_join_group(s, why);

	if (st != ST_OK)
		return st;
	q = store_statement(s, Q_NOTICE_DUE);
	(void)sqlite3_bind_int64(q, 1, sweep_id);
	(void)sqlite3_bind_double(q, 2, now);
	return store_run(s, q, why);
}

static void
give(sqlite3_stmt *q, notice_fn *fn, void *arg)
{
	while (sqlite3_step(q) == SQLITE_ROW) {
		const struct notice	n = {
			.id = sqlite3_column_int64(q, 0), .sweep_id = sqlite3_column_int64(q, 1),
			.what = store_column(q, 2), .target = store_column(q, 3),
			.state = store_column(q, 4), .ended = sqlite3_column_double(q, 5),
			.tries = sqlite3_column_int64(q, 6), .next = sqlite3_column_double(q, 7),
			.reason = (const char *)sqlite3_column_text(q, 8),
		};

		fn(arg, &n);
	}
	(void)sqlite3_reset(q);
}

void
store_notices_due(struct store *s, double now, bool webhooks, size_t limit, notice_fn *fn,
    void *arg)
{
	sqlite3_stmt	*q = store_statement(s, Q_NOTICES_DUE);

	(void)sqlite3_bind_double(q, 1, now);
	(void)sqlite3_bind_int64(q, 2, (int64_t)limit);
	(void)sqlite3_bind_int(q, 3, webhooks);
	give(q, fn, arg);
}

void
store_notices_of(struct store *s, int64_t sweep_id, notice_fn *fn, void *arg)
{
	sqlite3_stmt	*q = store_statement(s, Q_NOTICES_OF);

	(void)sqlite3_bind_int64(q, 1, sweep_id);
	give(q, fn, arg);
}

enum status
store_notice_set(struct store *s, const struct notice *n, struct fault *why)
{
	sqlite3_stmt	*q;
	enum status	 st = store_join_group(s, why);

	if (st != ST_OK)
		return st;
	q = store_statement(s, Q_NOTICE_SET);
	(void)sqlite3_bind_int64(q, 1, n->id);
	store_bind_text(q, 2, n->state);
	(void)sqlite3_bind_int64(q, 3, n->tries);
	(void)sqlite3_bind_double(q, 4, n->next);
	if (n->reason != NULL)
		store_bind_text(q, 5, n->reason);
	return store_run(s, q, why);
}

enum status
store_notice_drop(struct store *s, int64_t id, struct fault *why)
{
	sqlite3_stmt	*q;
	enum status	 st = store_join_group(s, why);

	if (st != ST_OK)
		return st;
	q = store_statement(s, Q_NOTICE_DROP);
	(void)sqlite3_bind_int64(q, 1, id);
	return store_run(s, q, why);
}
