/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "daemon/store/store_care.h"
#include "daemon/store/store_correct.h"
#include "tests/support/store_fixture.h"

static int64_t
corrected_sweep(struct fixture *f, const char *name)
{
	json_t		*doc = json_pack("{s:{s:b}}", "yardstick", "correct", 1);
	struct fault	 why;
	bool		 existed;
	int64_t		 id;

	assert_int_equal(store_add_sweep(f->store, name, 1000, 2.0, doc, &id, &existed, &why), ST_OK);
	json_decref(doc);
	return id;
}

/* Returns its job. */
static int64_t
add(struct fixture *f, int64_t sweep, double ended, double ns, bool is_yardstick, int64_t repeat_of)
{
	struct made		m = { .sweep = sweep };
	struct new_result	r = { .outcome = ns > 0 ? ST_OK : ST_CRASHED, .finished = ended,
				    .value_ns = ns, .ended = ended, .half = 0,
				    .estimator = ns > 0 ? "median" : NULL, .json = "{\"a\":1}",
				    .repeat_of = repeat_of, .is_yardstick = is_yardstick };

	store_keep_result(f, &m, &r);
	return m.job;
}

struct order {
	size_t	n;
	double	ns[4096];
	int64_t	job[4096];
};

static enum status
note(void *arg, const struct result_row *row)
{
	struct order	*o = arg;

	o->ns[o->n] = row->value_ns;
	o->job[o->n++] = row->job_id;
	return ST_OK;
}

/* Page by page, as a client with a cursor. */
static void
read_fastest(struct fixture *f, int64_t sweep, struct order *o, size_t page)
{
	struct result_filter	filter = { .sweep_id = sweep, .status = ST_OK, .submitter = -1,
				    .order = ORDER_FASTEST, .corrected = true, .limit = page };
	struct fault		why;
	size_t			before;

	o->n = 0;
	do {
		before = o->n;
		assert_int_equal(store_results(f->store, &filter, note, o, &why), ST_OK);
		filter.after_value = o->n > 0 ? o->ns[o->n - 1] : 0;
		filter.after_cursor = o->n > 0 ? o->job[o->n - 1] : 0;	/* as its job */
	} while (o->n == before + page);
}

static void
assert_whole(struct fixture *f)
{
	struct fault	 why;
	json_t		*report;

	assert_int_equal(store_check(f->store, &report, &why), ST_OK);
	if (!json_is_true(json_object_get(report, "ok")))
		fail_msg("%s", json_dumps(report, 0));
	json_decref(report);
}

static int64_t
count_of(struct fixture *f, int64_t sweep, enum correction c)
{
	struct store_corrections	n;

	assert_true(store_corrections(f->store, sweep, &n));
	return n.n[c];
}

static void
test_D11_a_ranking_is_corrected_when_the_later_yardstick_has_ended(void **state)
{
	struct fixture	*f = *state;
	const int64_t	 sweep = corrected_sweep(f, "s");
	int64_t		 a, b;
	struct order	 o;

	(void)add(f, sweep, 0, 100, true, 0);
	a = add(f, sweep, 0, 50, false, 0);
	b = add(f, sweep, 10, 52, false, 0);
	read_fastest(f, sweep, &o, 10);
	assert_true(o.n == 2 && o.job[0] == a && o.ns[1] == 52);
	assert_int_equal(count_of(f, sweep, CORRECTION_WAITING), 2);
	(void)add(f, sweep, 10, 110, true, 0);
	read_fastest(f, sweep, &o, 1);
	assert_true(o.n == 2 && o.job[0] == b && fabs(o.ns[0] - 52 / 1.1) < 1e-12 && o.ns[1] == 50);
	assert_int_equal(count_of(f, sweep, CORRECTION_CORRECTED), 2);
	assert_int_equal(count_of(f, sweep, CORRECTION_WAITING), 0);
	assert_int_equal(store_sql_int(f->store, "SELECT sum(value_ns) FROM results"), 102);
	assert_whole(f);
}

static void
test_D11_what_is_outside_failed_or_another_boots_is_ranked_as_taken(void **state)
{
	struct fixture	*f = *state;
	const int64_t	 sweep = corrected_sweep(f, "s");

	(void)add(f, sweep, 0, 9, false, 0);
	(void)add(f, sweep, 1, 100, true, 0);
	(void)add(f, sweep, 2, 10, false, 0);
	(void)add(f, sweep, 3, 0, true, 0);		/* it crashed */
	(void)add(f, sweep, 4, 11, false, 0);
	(void)add(f, sweep, 5, 110, true, 0);
	(void)add(f, sweep, 6, 12, false, 0);
	f->store->boot++;
	(void)add(f, sweep, 7, 112, true, 0);
	(void)add(f, sweep, 8, 13, false, 0);
	assert_int_equal(count_of(f, sweep, CORRECTION_BEFORE), 1);
	assert_int_equal(count_of(f, sweep, CORRECTION_FAILED), 2);
	assert_int_equal(count_of(f, sweep, CORRECTION_REBOOT), 1);
	assert_int_equal(count_of(f, sweep, CORRECTION_WAITING), 1);
	assert_int_equal(store_sql_int(f->store, "SELECT count(*) FROM ranks WHERE ranked_ns <> value_ns"), 0);
	assert_whole(f);
}

static void
test_D11_a_repeat_is_corrected_as_what_was_timed_in_its_sweep(void **state)
{
	struct fixture	*f = *state;
	const int64_t	 sweep = corrected_sweep(f, "s");
	const int64_t	 other = add(f, 0, 0, 40, false, 0);
	const int64_t	 first = add(f, sweep, 0, 100, true, 0);
	const int64_t	 timed = add(f, sweep, 5, 50, false, 0);
	struct order	 o;

	(void)add(f, sweep, 6, 50, false, timed);	/* it waits with the other */
	(void)add(f, sweep, 10, 110, true, 0);
	(void)add(f, sweep, 11, 50, false, timed);	/* that is known already */
	(void)add(f, sweep, 12, 100, false, first);	/* the yardstick's own time */
	(void)add(f, sweep, 13, 40, false, other);
	assert_int_equal(count_of(f, sweep, CORRECTION_CORRECTED), 4);
	assert_int_equal(count_of(f, sweep, CORRECTION_ELSEWHERE), 1);
	read_fastest(f, sweep, &o, 2);
	assert_int_equal(o.n, 5);
	for (size_t i = 1; i < 4; i++)
		assert_true(fabs(o.ns[i] - 50 / 1.05) < 1e-12);
	assert_true(o.ns[0] == 40 && o.ns[4] == 100);
	assert_whole(f);
}

/* More results than a yardstick's transaction corrects, and a store that is opened anew. */
static void
test_D11_many_results_are_corrected_in_slices_that_go_on_after_a_kill(void **state)
{
	struct fixture	*f = *state;
	const int64_t	 sweep = corrected_sweep(f, "s");
	struct fault	 why;
	struct order	*o = calloc(1, sizeof *o);
	unsigned	 slices = 0;

	(void)add(f, sweep, 0, 100, true, 0);
	for (int i = 1; i <= 1000; i++)
		(void)add(f, sweep, i, 1000, false, 0);
	(void)add(f, sweep, 1000, 110, true, 0);
	assert_true(store_must_correct(f->store));
	assert_int_equal(count_of(f, sweep, CORRECTION_CORRECTED), 128);
	assert_int_equal(store_commit(f->store, &why), ST_OK);
	store_free(f->store);
	assert_int_equal(store_open(&f->store, f->path, &why), ST_OK);
	for (; store_must_correct(f->store); slices++)
		assert_int_equal(store_correct(f->store, 0, &why), ST_OK);
	assert_true(slices > 1);
	assert_int_equal(count_of(f, sweep, CORRECTION_CORRECTED), 1000);
	read_fastest(f, sweep, o, 7);
	assert_int_equal(o->n, 1000);
	for (size_t i = 1; i < o->n; i++)
		assert_true(o->ns[i - 1] < o->ns[i] && o->job[i - 1] > o->job[i]);
	free(o);
	assert_whole(f);
}

static void
test_D11_rows_of_a_ranking_go_with_their_results_and_sweeps_and_a_check_sees_them(void **state)
{
	struct fixture	*f = *state;
	const int64_t	 sweep = corrected_sweep(f, "s");
	struct fault	 why;
	json_t		*report;

	(void)add(f, sweep, 0, 100, true, 0);
	(void)add(f, sweep, 5, 50, false, 0);
	(void)add(f, sweep, 10, 110, true, 0);
	assert_int_equal(sqlite3_exec(f->store->db, "UPDATE ranks SET ranked_ns = 1;"
	    " UPDATE corrections SET n = 7; UPDATE drifts SET timings = 9;"
	    " INSERT INTO ranks SELECT 99, 99, sweep_id, spec_id, submitter, status, name, routine, finished, at,"
	    " boot, ended, estimator, value_ns, ranked_ns, factor, how FROM ranks", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(store_check(f->store, &report, &why), ST_OK);
	assert_int_equal(json_array_size(json_object_get(report, "counters")), 6);
	json_decref(report);
	assert_int_equal(sqlite3_exec(f->store->db, "DELETE FROM ranks WHERE cursor = 99;"
	    " DELETE FROM results", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(store_sql_int(f->store, "SELECT count(*) FROM ranks"), 0);
	assert_int_equal(sqlite3_exec(f->store->db, "DELETE FROM jobs; DELETE FROM sweeps", NULL, NULL, NULL),
	    SQLITE_OK);
	assert_int_equal(store_sql_int(f->store, "SELECT (SELECT count(*) FROM yardsticks) +"
	    " (SELECT count(*) FROM drifts) + (SELECT count(*) FROM corrections)"), 0);
}

static void
test_D11_a_sweep_without_correction_has_no_such_rows(void **state)
{
	struct fixture			*f = *state;
	const int64_t			 sweep = store_make_sweep(f, "s");
	struct store_corrections	 n;

	(void)add(f, sweep, 0, 100, true, 0);
	(void)add(f, sweep, 5, 50, false, 0);
	(void)add(f, sweep, 10, 110, true, 0);
	assert_false(store_corrections(f->store, sweep, &n));
	assert_false(store_must_correct(f->store));
	assert_int_equal(store_sql_int(f->store, "SELECT count(*) FROM ranks"), 0);
	assert_whole(f);
}

/* No walk of a corrected ranking sorts or scans: each has its index. */
static void
test_D11_each_filter_of_a_corrected_ranking_has_its_index(void **state)
{
	static const char *const	filters[] = { "", "AND status = 'ok'", "AND spec_id = 1 AND status = 'ok'",
					    "AND name = 'v'", "AND routine = 'f'" };
	struct fixture			*f = *state;
	char				 sql[400];
	sqlite3_stmt			*q;

	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		(void)snprintf(sql, sizeof sql, "EXPLAIN QUERY PLAN SELECT cursor, ranked_ns FROM ranks WHERE"
		    " sweep_id = 1 %s AND (ranked_ns, cursor) > (1, 1) ORDER BY ranked_ns, cursor", filters[i]);
		assert_int_equal(sqlite3_prepare_v2(f->store->db, sql, -1, &q, NULL), SQLITE_OK);
		while (sqlite3_step(q) == SQLITE_ROW) {
			assert_non_null(strstr((const char *)sqlite3_column_text(q, 3), "USING COVERING INDEX ranks_"));
		}
		(void)sqlite3_finalize(q);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		T(test_D11_a_ranking_is_corrected_when_the_later_yardstick_has_ended),
		T(test_D11_what_is_outside_failed_or_another_boots_is_ranked_as_taken),
		T(test_D11_a_repeat_is_corrected_as_what_was_timed_in_its_sweep),
		T(test_D11_many_results_are_corrected_in_slices_that_go_on_after_a_kill),
		T(test_D11_rows_of_a_ranking_go_with_their_results_and_sweeps_and_a_check_sees_them),
		T(test_D11_a_sweep_without_correction_has_no_such_rows),
		T(test_D11_each_filter_of_a_corrected_ranking_has_its_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
