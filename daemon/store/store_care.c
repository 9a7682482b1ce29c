/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "daemon/store/store_care.h"
#include "daemon/store/store_impl.h"

enum { MAX_LISTED = 1000, BACKUP_PAGES = 1000 };

/* ---- check ---- */

static void
add_line(json_t *list, json_t *line)
{
	if (json_array_size(list) < MAX_LISTED)
		(void)json_array_append_new(list, line);
	else
		json_decref(line);
}

/* Each row's first column; what ends the statement early is a line, too. */
static void
add_lines(struct store *s, const char *sql, json_t *list)
{
	sqlite3_stmt	*q = NULL;
	int		 rc = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);

	while (rc == SQLITE_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		if (strcmp(store_column(q, 0), "ok") != 0)
			add_line(list, json_string(store_column(q, 0)));
		rc = SQLITE_OK;
	}
	if (rc != SQLITE_DONE)
		add_line(list, json_string(sqlite3_errmsg(s->db)));
	(void)sqlite3_finalize(q);
}

/* Rows of (row for the checksum, id to list, text, checksum); returns how many there are. */
static json_int_t
check_sums(struct store *s, const char *sql, json_t *damaged, json_t *database)
{
	sqlite3_stmt	*q = NULL;
	int		 rc = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);
	json_int_t	 rows = 0;

	while (rc == SQLITE_OK && (rc = sqlite3_step(q)) == SQLITE_ROW && !store_is_over(s)) {
		rows++;
		if (!store_is_whole(q, 2, 3, sqlite3_column_int64(q, 0)))
			add_line(damaged, json_integer(sqlite3_column_int64(q, 1)));
		rc = SQLITE_OK;
	}
	if (rc != SQLITE_DONE)
		add_line(database, json_string(sqlite3_errmsg(s->db)));
	(void)sqlite3_finalize(q);
	return rows;
}

/*
 * Counters that differ from the rows that are there, but for those that were pruned, and jobs of
 * sweeps that have not arrived.
 */
static const char	wrong_counters[] =
    "WITH c (sweep_id, what, n) AS ("
    " SELECT 0, 'jobs', count(*) FROM jobs WHERE sweep_id IS NULL OR sweep_id NOT IN"
    " (SELECT id FROM sweeps WHERE arriving <> 0) UNION ALL"
    " SELECT sweep_id, 'jobs', count(*) FROM jobs WHERE sweep_id > 0 GROUP BY 1 UNION ALL"
    " SELECT 0, status, count(*) FROM results GROUP BY 2 UNION ALL"
    " SELECT sweep_id, status, count(*) FROM results WHERE sweep_id > 0 GROUP BY 1, 2)"
    " SELECT printf('sweep %d, %s: counted %d, there are %d', k.sweep_id, k.what,"
    " k.n - k.pruned, coalesce(c.n, 0)) FROM counters k LEFT JOIN c USING (sweep_id, what)"
    " WHERE k.n - k.pruned <> coalesce(c.n, 0)";

/* Corrected rankings that differ from the results, from their factors, or from their counts. */
static const char	wrong_ranks[] =
    "SELECT printf('job %d: its rank is not its time by its correction', job_id) FROM ranks"
    " WHERE abs(ranked_ns * coalesce(factor, 1) - value_ns) > 1e-9 * value_ns"
    " OR (how = 'corrected') <> (factor IS NOT NULL) UNION ALL"
    " SELECT printf('job %d: its rank is of no such result', k.job_id) FROM ranks k"
    " LEFT JOIN results r ON r.cursor = k.cursor WHERE r.value_ns IS NOT k.value_ns UNION ALL"
    " SELECT printf('job %d: it has no rank', r.job_id) FROM sweeps w JOIN results r"
    " ON r.sweep_id = w.id AND r.value_ns IS NOT NULL LEFT JOIN ranks k ON k.cursor = r.cursor"
    " WHERE w.corrects = 1 AND k.cursor IS NULL UNION ALL"
    " SELECT printf('sweep %d, %s: counted %d, there are %d', sweep_id, how, n, found) FROM"
    " (SELECT c.*, (SELECT count(*) FROM ranks k WHERE k.sweep_id = c.sweep_id"
    " AND k.how = c.how) AS found FROM corrections c) WHERE n <> found UNION ALL"
    " SELECT printf('sweep %d, yardsticks: counted %d, there are %d', sweep_id, timings, found)"
    " FROM (SELECT d.*, (SELECT count(*) FROM yardsticks y WHERE y.sweep_id = d.sweep_id"
    " AND y.value_ns IS NOT NULL) AS found FROM drifts d) WHERE timings <> found";

enum status
store_check(struct store *s, json_t **report, struct fault *why)
{
	json_t		*database = json_array(), *results = json_array(), *jobs = json_array();
	json_t		*counters = json_array();
	json_int_t	 nresults, njobs;

	add_lines(s, "PRAGMA quick_check", database);
	nresults = check_sums(s, "SELECT cursor, job_id, json, sum FROM results", results,
	    database);
	njobs = check_sums(s, "SELECT 0, id, doc, sum FROM jobs", jobs, database);
	add_lines(s, wrong_counters, counters);
	add_lines(s, wrong_ranks, counters);
	*report = json_pack("{s:b, s:I, s:I, s:o, s:o, s:o, s:o}", "ok",
	    json_array_size(database) + json_array_size(results) + json_array_size(jobs) +
	    json_array_size(counters) == 0, "results", nresults, "jobs", njobs, "database",
	    database, "damaged_results", results, "damaged_jobs", jobs, "counters", counters);
	return *report != NULL ? ST_OK : fault_set(why, ST_NOMEM, "check");
}

/* ---- backup ---- */

static enum status
copy(struct store *s, sqlite3 *to, const char *path, struct fault *why)
{
	sqlite3_backup	*b = sqlite3_backup_init(to, "main", s->db, "main");
	int		 rc;

	if (b == NULL)
		return fault_set(why, ST_IO, "%s: %s", path, sqlite3_errmsg(to));
	do
		rc = sqlite3_backup_step(b, BACKUP_PAGES);
	while (rc == SQLITE_OK && !store_is_over(s));
	(void)sqlite3_backup_finish(b);
	return rc == SQLITE_DONE ? ST_OK :
	    fault_set(why, ST_IO, "%s: %s", path, sqlite3_errstr(rc));
}

/* One transaction over all steps: writes meanwhile do not begin the copy anew. */
static enum status
copy_snapshot(struct store *s, const char *path, struct fault *why)
{
	sqlite3		*to = NULL;
	enum status	 st = ST_OK;

	if (sqlite3_open(path, &to) != SQLITE_OK)
		st = fault_set(why, ST_IO, "%s: %s", path, sqlite3_errmsg(to));
	else if (sqlite3_exec(s->db, "BEGIN; SELECT count(*) FROM sqlite_schema", NULL, NULL,
	    NULL) != SQLITE_OK)
		st = store_fault(s, why, "backup");
	else
		st = copy(s, to, path, why);
	(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	if (sqlite3_close(to) != SQLITE_OK && st == ST_OK)
		st = fault_set(why, ST_IO, "%s: it could not be closed", path);
	return st;
}

enum status
store_backup(struct store *s, const char *path, struct fault *why)
{
	int		fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	enum status	st;

	if (fd < 0) {
		st = fault_at(why, errno == EEXIST ? ST_CONFLICT : ST_IO, "path", "%s: %s", path,
		    strerror(errno));
		if (st == ST_CONFLICT)
			fault_hint(why, "no file is overwritten: give another name");
		return st;
	}
	(void)close(fd);
	if ((st = copy_snapshot(s, path, why)) != ST_OK)
		(void)unlink(path);
	return st;
}
