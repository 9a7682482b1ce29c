/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/store/store_impl.h"
#include "tests/support/store_fixture.h"

/* ---- counters ---- */

static void
assert_counters_are_counted(struct store *s)
{
	static const char	wrong[] =
	    "WITH c (sweep_id, what, n) AS ("
	    " SELECT 0, 'jobs', count(*) FROM jobs HAVING count(*) > 0 UNION ALL"
	    " SELECT sweep_id, 'jobs', count(*) FROM jobs WHERE sweep_id > 0 GROUP BY 1 UNION ALL"
	    " SELECT 0, status, count(*) FROM results GROUP BY 2 UNION ALL"
	    " SELECT sweep_id, status, count(*) FROM results WHERE sweep_id > 0 GROUP BY 1, 2)"
	    " SELECT count(*) FROM (SELECT * FROM (SELECT * FROM c EXCEPT SELECT sweep_id, what, n FROM counters)"
	    " UNION ALL SELECT * FROM (SELECT sweep_id, what, n FROM counters EXCEPT SELECT * FROM c))";

	assert_int_equal(store_sql_int(s, wrong), 0);
}

static void
test_D10_store_counters_follow_each_write_and_each_undo(void **state)
{
	struct fixture		*f = *state;
	int64_t			 sweep = store_make_sweep(f, "s"), by[ST_N], jobs;
	struct sweep_row	 row;
	struct fault		 why;

	for (int i = 0; i < 20; i++)
		store_make_result(f, &(struct made){ .sweep = i % 2 != 0 ? sweep : 0,
		    .outcome = i % 3 != 0 ? ST_OK : ST_CRASHED, .value = i + 1 });
	assert_int_equal(store_mark(f->store, &why), ST_OK);
	store_make_result(f, &(struct made){ .sweep = sweep, .value = 7 });
	store_undo(f->store);
	assert_counters_are_counted(f->store);
	assert_int_equal(store_sweep(f->store, sweep, NULL, &row, &why), ST_OK);
	assert_true(row.jobs == 10 && row.finished == 10 && row.by_status[ST_CRASHED] == 3);
	assert_int_equal(store_totals(f->store, by, &jobs, &why), ST_OK);
	assert_true(jobs == 20 && by[ST_OK] == 13 && by[ST_CRASHED] == 7);
}

/* ---- plans ---- */

struct trace {
	struct store	*store;
	unsigned	 seen;
	bool		 may_sort;
	char		 sql[8][1024];
	unsigned	 n;
};

static int
note_sql(unsigned what, void *arg, void *stmt, void *text)
{
	struct trace	*t = arg;

	(void)what;
	(void)stmt;
	if (strstr(text, "FROM results ") != NULL && strstr(text, "max(cursor)") == NULL &&
	    t->n < 8)
		(void)snprintf(t->sql[t->n++], sizeof t->sql[0], "%s", (const char *)text);
	return 0;
}

/* Each step of its plan is a search, or walks an index that has what it looks for. */
static void
assert_searches(struct trace *t, const char *sql)
{
	char		 explain[1100];
	sqlite3_stmt	*q;

	(void)snprintf(explain, sizeof explain, "EXPLAIN QUERY PLAN %s", sql);
	assert_int_equal(sqlite3_prepare_v2(t->store->db, explain, -1, &q, NULL), SQLITE_OK);
	while (sqlite3_step(q) == SQLITE_ROW) {
		const char	*step = store_column(q, 3);

		if (strstr(step, "SCAN results") != NULL ||
		    (strstr(step, "TEMP B-TREE") != NULL && !t->may_sort))
			fail_msg("%s: %s", sql, step);
		t->seen++;
	}
	(void)sqlite3_finalize(q);
}

static enum status
ignore_row(void *arg, const struct result_row *row)
{
	(void)row;
	++*(size_t *)arg;
	return ST_OK;
}

static size_t
run_traced(struct store *s, const struct result_filter *f, bool may_sort)
{
	struct trace	 t = { .store = s, .may_sort = may_sort };
	struct fault	 why;
	size_t		 rows = 0;

	(void)sqlite3_trace_v2(s->db, SQLITE_TRACE_STMT, note_sql, &t);
	if (store_results(s, f, ignore_row, &rows, &why) != ST_OK)
		fail_msg("%s", why.text);
	(void)sqlite3_trace_v2(s->db, 0, NULL, NULL);
	for (unsigned i = 0; i < t.n; i++)
		assert_searches(&t, t.sql[i]);
	assert_true(t.n > 0 && t.seen > 0);
	return rows;
}

enum { F_SWEEP = 1, F_IDS = 2, F_STATUS = 4, F_NAME = 8, F_ROUTINE = 16, F_SINCE = 32,
    F_BEFORE = 64, F_ALL = 128 };

static const int64_t	some_ids[] = { 3, 5, 8, 9 };

static struct result_filter
filter_of(unsigned members, enum result_order order, int64_t sweep)
{
	struct result_filter	f = { .status = -1, .submitter = -1, .order = order, .limit = 99 };

	f.sweep_id = (members & F_SWEEP) != 0 ? sweep : 0;
	f.ids = some_ids;
	f.nids = (members & F_IDS) != 0 ? 4 : 0;
	f.status = (members & F_STATUS) != 0 ? ST_OK : -1;
	f.name = (members & F_NAME) != 0 ? "v1" : NULL;
	f.routine = (members & F_ROUTINE) != 0 ? "f" : NULL;
	f.since = (members & F_SINCE) != 0 ? 105 : 0;
	f.before = (members & F_BEFORE) != 0 ? 115 : 0;
	return f;
}

/* Does a row of store_make_result fit? */
static bool
fits(unsigned members, int i, enum result_order order)
{
	bool	timed = i % 5 != 0, in_ids = i == 3 || i == 5 || i == 8 || i == 9;

	return !((members & F_SWEEP) != 0 && i % 2 != 0) && !((members & F_IDS) != 0 && !in_ids) &&
	    !((members & F_STATUS) != 0 && !timed) && !((members & F_NAME) != 0 && i % 4 != 1) &&
	    !((members & F_SINCE) != 0 && i < 5) && !((members & F_BEFORE) != 0 && i >= 15) &&
	    (order != ORDER_FASTEST || timed);
}

static void
test_D10_store_every_combination_of_filters_and_order_searches_and_finds_what_fits(void **state)
{
	struct fixture	*f = *state;
	int64_t		 sweep = store_make_sweep(f, "s");
	char		 name[8];

	for (int i = 1; i <= 20; i++) {
		(void)snprintf(name, sizeof name, "v%d", i % 4);
		store_make_result(f, &(struct made){ .sweep = i % 2 == 0 ? sweep : 0, .name = name,
		    .outcome = i % 5 != 0 ? ST_OK : ST_CRASHED, .value = i % 5 != 0 ? 100 - i : 0,
		    .finished = 100 + i });
	}
	for (unsigned members = 0; members < F_ALL; members++)
		for (enum result_order order = ORDER_ID; order <= ORDER_FASTEST; order++) {
			struct result_filter	filter = filter_of(members, order, sweep);
			size_t			want = 0;

			for (int i = 1; i <= 20; i++)
				want += fits(members, i, order);
			if (run_traced(f->store, &filter, (members & (F_IDS | F_SINCE | F_BEFORE)) != 0) !=
			    want)
				fail_msg("filters %x, order %d: not %zu rows", members, order, want);
		}
}

/* A clock that was set back by an hour, in the middle of a block and over its end. */
static void
test_D10_store_times_are_found_where_the_clock_was_set_back(void **state)
{
	struct fixture		*f = *state;
	struct result_filter	 filter = { .status = -1, .submitter = -1, .limit = 2000 };
	size_t			 rows = 0;
	struct fault		 why;

	for (int i = 0; i < 1200; i++)
		store_make_result(f, &(struct made){ .value = 1,
		    .finished = 10000 + i - (i >= 600 ? 500 : 0) });
	filter.since = 10100;
	filter.before = 10200;
	for (enum result_order order = ORDER_ID; order <= ORDER_FASTEST; order++) {
		filter.order = order;
		rows = 0;
		assert_int_equal(store_results(f->store, &filter, ignore_row, &rows, &why), ST_OK);
		assert_int_equal(rows, 200);
	}
}

/* ---- damage ---- */

struct damage {
	size_t	whole, damaged;
	int64_t	job;			/* of the last damaged one */
};

static enum status
note_damage(void *arg, const struct result_row *row)
{
	struct damage	*d = arg;

	d->whole += row->json != NULL;
	d->damaged += row->json == NULL;
	if (row->json == NULL)
		d->job = row->job_id;
	return ST_OK;
}

static struct damage
read_all(struct store *s)
{
	struct result_filter	filter = { .status = -1, .submitter = -1, .limit = 9 };
	struct damage		d = { .whole = 0 };
	struct fault		why;

	assert_int_equal(store_results(s, &filter, note_damage, &d, &why), ST_OK);
	return d;
}

static struct damage
read_with(struct fixture *f, const char *change)
{
	assert_int_equal(sqlite3_exec(f->store->db, change, NULL, NULL, NULL), SQLITE_OK);
	return read_all(f->store);
}

static void
test_D10_store_names_a_result_that_is_not_as_it_was_written(void **state)
{
	static const char *const	changes[] = {
		"UPDATE results SET json = replace(json, 'ok', 'oj') WHERE cursor = 2",
		("UPDATE results SET json = (SELECT json FROM results WHERE cursor = 1)"
		    " WHERE cursor = 2"),
		"UPDATE results SET json = '' WHERE cursor = 2",
		"UPDATE results SET json = substr(json, 2), sum = NULL WHERE cursor = 2",
	};
	struct fixture	*f = *state;
	struct damage	 d;

	for (int i = 0; i < 3; i++)
		store_make_result(f, &(struct made){ .value = 1 });
	assert_int_equal(read_with(f, "UPDATE results SET sum = NULL WHERE cursor = 3").whole, 3);
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		d = read_with(f, changes[i]);
		assert_true(d.whole == 2 && d.damaged == 1 && d.job == 2);
	}
}

/* One that it has read is given as it was; one that was pruned is not given. */
static void
test_D10_store_a_reader_keeps_whole_results_and_no_pruned_or_damaged_ones(void **state)
{
	struct fixture	*f = *state;
	struct store	*reader;
	struct fault	 why;

	for (int i = 0; i < 40; i++)
		store_make_result(f, &(struct made){ .value = 1 });
	assert_int_equal(store_commit(f->store, &why), ST_OK);
	assert_int_equal(store_open_reader(&reader, f->path, &why), ST_OK);
	(void)read_with(f, "UPDATE results SET json = '' WHERE cursor = 4");
	assert_int_equal(read_all(reader).whole, 8);
	assert_int_equal(read_all(reader).damaged, 1);
	(void)read_with(f, "UPDATE results SET json = '' WHERE cursor = 5");
	assert_int_equal(read_all(reader).whole, 8);
	(void)read_with(f, "DELETE FROM results WHERE cursor BETWEEN 2 AND 31");
	assert_int_equal(read_all(reader).whole, 9);
	(void)read_with(f, "UPDATE results SET json = '' WHERE cursor = 34");
	assert_int_equal(read_all(reader).whole, 9);
	store_free(reader);
	assert_int_equal(store_open_reader(&reader, f->path, &why), ST_OK);
	assert_int_equal(read_all(reader).damaged, 1);
	store_free(reader);
}

static void
test_D10_store_refuses_a_job_that_is_not_as_it_was_written(void **state)
{
	static const char *const	changes[] = {
		"UPDATE jobs SET doc = replace(doc, 'language', 'longuage') WHERE id = 1",
		"UPDATE specs SET text = replace(text, 'routine', 'rautine')",
	};
	struct fixture	*f = *state;
	struct fault	 why;
	char		*rest;

	store_make_job(f, &(struct made){ .sweep = 0 });
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(store_mark(f->store, &why), ST_OK);
		assert_int_equal(store_job_rest(f->store, 1, &rest, &why), ST_OK);
		free(rest);
		assert_int_equal(sqlite3_exec(f->store->db, changes[i], NULL, NULL, NULL), 0);
		assert_int_equal(store_job_rest(f->store, 1, &rest, &why), ST_IO);
		assert_non_null(strstr(why.text, "job 1 is damaged"));
		store_undo(f->store);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		T(test_D10_store_counters_follow_each_write_and_each_undo),
		T(test_D10_store_every_combination_of_filters_and_order_searches_and_finds_what_fits),
		T(test_D10_store_names_a_result_that_is_not_as_it_was_written),
		T(test_D10_store_a_reader_keeps_whole_results_and_no_pruned_or_damaged_ones),
		T(test_D10_store_refuses_a_job_that_is_not_as_it_was_written),
		T(test_D10_store_times_are_found_where_the_clock_was_set_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
