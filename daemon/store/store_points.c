/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "daemon/store/store_impl.h"
#include "daemon/store/store_points.h"

static double
number(sqlite3_stmt *q, int column)
{
	return sqlite3_column_type(q, column) == SQLITE_NULL ? NAN :
	    sqlite3_column_double(q, column);
}

static const char *
text(sqlite3_stmt *q, int column)
{
	return (const char *)sqlite3_column_text(q, column);
}

/* Columns in the order of POINT_COLUMNS. */
static struct point_row
point_of(sqlite3_stmt *q)
{
	return (struct point_row){
		.cursor = sqlite3_column_int64(q, 0), .job_id = sqlite3_column_int64(q, 1),
		.spec_id = sqlite3_column_int64(q, 2), .status = store_column(q, 3),
		.name = store_column(q, 4), .finished = sqlite3_column_double(q, 5),
		.value_ns = number(q, 6), .low_ns = number(q, 7), .high_ns = number(q, 8),
		.bound_ns = number(q, 9), .meta = text(q, 10), .revision = text(q, 11),
		.host_class = text(q, 12), .sweep_id = sqlite3_column_int64(q, 13),
		.repeat_of = sqlite3_column_int64(q, 14),
	};
}

static enum status
give_points(struct store *s, sqlite3_stmt *q, point_row_fn *fn, void *arg, struct fault *why)
{
	enum status	st = ST_OK;
	int		rc = SQLITE_DONE;

	while (st == ST_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		const struct point_row	row = point_of(q);

		st = fn(arg, &row);
	}
	if (st == ST_NOMEM)
		(void)fault_set(why, ST_NOMEM, "points");
	else if (st == ST_OK && rc != SQLITE_DONE)
		st = store_fault(s, why, "reading points");
	(void)sqlite3_reset(q);
	(void)sqlite3_clear_bindings(q);
	return st;
}

enum status
store_sweep_points(struct store *s, int64_t sweep_id, int64_t after, size_t limit,
    point_row_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_POINTS);

	(void)sqlite3_bind_int64(q, 1, sweep_id);
	(void)sqlite3_bind_int64(q, 2, after);
	(void)sqlite3_bind_int64(q, 3, (int64_t)limit);
	return give_points(s, q, fn, arg, why);
}

enum status
store_history(struct store *s, const char *routine, const char *name, size_t limit,
    point_row_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_HISTORY);

	store_bind_text(q, 1, routine);
	store_bind_text(q, 2, name);
	(void)sqlite3_bind_int64(q, 3, (int64_t)limit);
	return give_points(s, q, fn, arg, why);
}

enum status
store_kernels(struct store *s, size_t limit, kernel_row_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_KERNELS);
	enum status	 st = ST_OK;
	int		 rc = SQLITE_DONE;

	(void)sqlite3_bind_int64(q, 1, (int64_t)limit);
	while (st == ST_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		const struct kernel_row	row = { store_column(q, 0), store_column(q, 1),
		    sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3),
		    sqlite3_column_double(q, 4) };

		st = fn(arg, &row);
	}
	if (st == ST_NOMEM)
		(void)fault_set(why, ST_NOMEM, "kernels");
	else if (st == ST_OK && rc != SQLITE_DONE)
		st = store_fault(s, why, "reading kernels");
	(void)sqlite3_reset(q);
	return st;
}

char *
store_spec_text(struct store *s, int64_t spec_id)
{
	sqlite3_stmt	*q = store_statement(s, Q_SPEC_TEXT);
	char		*copy = NULL;

	(void)sqlite3_bind_int64(q, 1, spec_id);
	if (sqlite3_step(q) == SQLITE_ROW)
		copy = strdup(store_column(q, 0));
	(void)sqlite3_reset(q);
	return copy;
}
