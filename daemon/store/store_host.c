/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/store/store_impl.h"

enum status
store_add_calibration(struct store *s, const char *machine, double taken, uint64_t flush_bytes,
    const json_t *doc, struct fault *why)
{
	char		*text = json_dumps(doc, JSON_COMPACT);
	sqlite3_stmt	*q;
	enum status	 st;

	if (text == NULL)
		return fault_set(why, ST_NOMEM, "calibration");
	if ((st = store_join_group(s, why)) == ST_OK) {
		q = store_statement(s, Q_CALIBRATION_ADD);
		store_bind_text(q, 1, machine);
		(void)sqlite3_bind_double(q, 2, taken);
		if (flush_bytes != 0)
			(void)sqlite3_bind_int64(q, 3, (int64_t)flush_bytes);
		store_bind_text(q, 4, text);
		st = store_run(s, q, why);
	}
	free(text);
	return st;
}

enum status
store_calibration(struct store *s, const char *machine, int last,
    uint64_t *flush_bytes, json_t **doc, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_CALIBRATION_LAST);
	enum status	 st = ST_OK;

	*flush_bytes = 0;
	*doc = NULL;
	store_bind_text(q, 1, machine);
	(void)sqlite3_bind_int(q, 2, last);
	if (sqlite3_step(q) != SQLITE_ROW) {
		(void)sqlite3_reset(q);
		return fault_set(why, ST_NOT_FOUND, "this host has not been calibrated");
	}
	*flush_bytes = (uint64_t)sqlite3_column_int64(q, 0);
	if ((*doc = json_loads(store_column(q, 1), 0, NULL)) == NULL)
		st = fault_set(why, ST_IO, "%s: the calibration cannot be read", s->path);
	(void)sqlite3_reset(q);
	return st;
}

enum status
store_add_yardstick(struct store *s, const char *machine, const struct yardstick_row *r,
    struct fault *why)
{
	sqlite3_stmt	*q;
	enum status	 st;

	if ((st = store_join_group(s, why)) != ST_OK)
		return st;
	q = store_statement(s, Q_YARDSTICK_ADD);
	store_bind_text(q, 1, machine);
	store_bind_text(q, 2, r->kernel);
	(void)sqlite3_bind_double(q, 3, r->taken);
	(void)sqlite3_bind_double(q, 4, r->value_ns);
	store_bind_text(q, 5, r->estimator);
	if (r->fitness[0] != '\0')
		store_bind_text(q, 6, r->fitness);
	(void)sqlite3_bind_int64(q, 7, r->job_id);
	return store_run(s, q, why);
}

enum status
store_yardsticks(struct store *s, const char *machine, const char *kernel, size_t limit,
    yardstick_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_YARDSTICKS);
	enum status	 st = ST_OK;
	int		 rc = SQLITE_DONE;

	store_bind_text(q, 1, machine);
	store_bind_text(q, 2, kernel);
	(void)sqlite3_bind_int64(q, 3, (int64_t)limit);
	while (st == ST_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		struct yardstick_row	row = {
			.kernel = kernel, .taken = sqlite3_column_double(q, 0),
			.value_ns = sqlite3_column_double(q, 1), .estimator = store_column(q, 2),
			.fitness = store_column(q, 3), .job_id = sqlite3_column_int64(q, 4),
		};

		st = fn(arg, &row);
	}
	if (st == ST_OK && rc != SQLITE_DONE)
		st = store_fault(s, why, "reading reference times");
	(void)sqlite3_reset(q);
	return st;
}

enum status
store_keep_quiet(struct store *s, const struct quiet_row *r, const json_t *doc, struct fault *why)
{
	char		*text = json_dumps(doc, JSON_COMPACT);
	sqlite3_stmt	*q;
	enum status	 st;

	if (text == NULL)
		return fault_set(why, ST_NOMEM, "quiet");
	if ((st = store_join_group(s, why)) == ST_OK) {
		q = store_statement(s, Q_QUIET_KEEP);
		store_bind_text(q, 1, r->machine);
		(void)sqlite3_bind_int(q, 2, r->cpu);
		(void)sqlite3_bind_double(q, 3, r->taken);
		store_bind_text(q, 4, r->fitness);
		store_bind_text(q, 5, text);
		st = store_run(s, q, why);
	}
	free(text);
	return st;
}

enum status
store_quiet(struct store *s, struct quiet_row *r, json_t **doc, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_QUIET);
	enum status	 st = ST_OK;

	*doc = NULL;
	store_bind_text(q, 1, r->machine);
	(void)sqlite3_bind_int(q, 2, r->cpu);
	store_bind_text(q, 3, r->fitness);
	if (sqlite3_step(q) != SQLITE_ROW) {
		(void)sqlite3_reset(q);
		return fault_set(why, ST_NOT_FOUND, "there is no gate state of this CPU");
	}
	r->taken = sqlite3_column_double(q, 0);
	if ((*doc = json_loads(store_column(q, 1), 0, NULL)) == NULL)
		st = fault_set(why, ST_IO, "%s: the gate state cannot be read", s->path);
	(void)sqlite3_reset(q);
	return st;
}
