/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "daemon/store/store_arrival.h"
#include "daemon/store/store_impl.h"

static enum status
compare(struct store *s, sqlite3_stmt *q, uid_t who, const json_t *doc, bool *is_old,
    struct fault *why)
{
	const int64_t	 id = sqlite3_column_int64(q, 0);
	json_t		*old = json_loads(store_column(q, 4), 0, NULL);
	bool		 same = sqlite3_column_int64(q, 2) == (int64_t)who && json_equal(old, doc);

	*is_old = json_object_get(old, "spec") == NULL;
	json_decref(old);
	return same || *is_old ? ST_OK : store_refuse_name(s, id, why);
}

enum status
store_arrival_find(struct store *s, const char *name, uid_t who, const json_t *doc, int64_t *id,
    bool *is_old, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_SWEEP_BY_NAME);
	enum status	 st = ST_OK;

	*id = 0;
	*is_old = false;
	store_bind_text(q, 1, name);
	if (sqlite3_step(q) == SQLITE_ROW) {
		*id = sqlite3_column_int64(q, 0);
		st = compare(s, q, who, doc, is_old, why);
	}
	(void)sqlite3_reset(q);
	return st;
}

enum status
store_arrival_begin(struct store *s, const char *name, uid_t who, double submitted,
    const json_t *doc, int64_t *id, struct fault *why)
{
	enum status	st = store_join_group(s, why);

	if (st == ST_OK)
		st = store_insert_sweep(s, Q_ARRIVAL_ADD, name, who, submitted, doc, why);
	*id = sqlite3_last_insert_rowid(s->db);
	return st;
}

static enum status
end_arrival(struct store *s, int64_t id, int64_t jobs, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_ARRIVAL_END);
	enum status	 st;

	(void)sqlite3_bind_int64(q, 1, id);
	if ((st = store_run(s, q, why)) != ST_OK)
		return st;
	if (sqlite3_changes(s->db) != 1)
		return fault_set(why, ST_IO, "%s: sweep %" PRId64 " is gone", s->path, id);
	return store_count_jobs(s, id, jobs, why);
}

enum status
store_arrival_end(struct store *s, int64_t id, int64_t jobs, struct fault *why)
{
	enum status	st = store_mark(s, why);

	if (st != ST_OK)
		return st;
	if ((st = end_arrival(s, id, jobs, why)) == ST_OK)
		return store_keep(s, why);
	store_undo(s);
	return st;
}

/* ---- those that do not arrive ---- */

/* 0: all. */
static enum status
give_up(struct store *s, int64_t id, struct fault *why)
{
	sqlite3_stmt	*q;
	enum status	 st = store_join_group(s, why);

	if (st != ST_OK)
		return st;
	q = store_statement(s, Q_ARRIVAL_GIVE_UP);
	if (id != 0)
		(void)sqlite3_bind_int64(q, 1, id);
	return store_run(s, q, why);
}

enum status
store_arrival_give_up(struct store *s, int64_t id, struct fault *why)
{
	return give_up(s, id, why);
}

static enum status
forget(struct store *s, int64_t id, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_ARRIVAL_FORGET);

	(void)sqlite3_bind_int64(q, 1, id);
	return store_run(s, q, why);
}

enum status
store_arrival_remove(struct store *s, int64_t id, size_t limit, bool *is_gone, struct fault *why)
{
	sqlite3_stmt	*q;
	enum status	 st = give_up(s, id, why);	/* where the disk refused that */

	*is_gone = false;
	if (st != ST_OK)
		return st;
	q = store_statement(s, Q_ARRIVAL_REMOVE);
	(void)sqlite3_bind_int64(q, 1, id);
	(void)sqlite3_bind_int64(q, 2, (int64_t)limit);
	if ((st = store_run(s, q, why)) != ST_OK || sqlite3_changes(s->db) != 0)
		return st;
	st = forget(s, id, why);
	*is_gone = st == ST_OK;
	return st;
}

static enum status
each_arrival(struct store *s, arrival_id_fn *fn, void *arg)
{
	sqlite3_stmt	*q = store_statement(s, Q_ARRIVAL_FIND);
	enum status	 st = ST_OK;

	while (st == ST_OK && sqlite3_step(q) == SQLITE_ROW)
		st = fn(arg, sqlite3_column_int64(q, 0));
	(void)sqlite3_reset(q);
	return st;
}

enum status
store_arrivals_recover(struct store *s, arrival_id_fn *fn, void *arg, struct fault *why)
{
	enum status	st;

	if (store_first_int(store_statement(s, Q_ARRIVAL_FIND), 0) == 0)
		return ST_OK;
	if ((st = give_up(s, 0, why)) != ST_OK || (st = store_commit(s, why)) != ST_OK)
		return st;
	st = each_arrival(s, fn, arg);
	return st == ST_OK ? ST_OK : fault_set(why, st, "sweeps that had not arrived");
}

size_t
store_sweep_jobs(struct store *s, int64_t id, int64_t *ids, size_t max)
{
	sqlite3_stmt	*q = store_statement(s, Q_SWEEP_JOBS);
	size_t		 n = 0;

	(void)sqlite3_bind_int64(q, 1, id);
	(void)sqlite3_bind_int64(q, 2, (int64_t)max);
	while (n < max && sqlite3_step(q) == SQLITE_ROW)
		ids[n++] = sqlite3_column_int64(q, 0);
	(void)sqlite3_reset(q);
	return n;
}
