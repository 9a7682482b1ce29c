/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/store/store_impl.h"
#include "daemon/store/store_points.h"
#include "tests/support/store_fixture.h"

static json_t *
job_doc(const char *source, int n)
{
	return json_pack("{s:{s:s,s:s},s:{s:s,s:{s:i}}}", "variant", "language", "c",
	    "source", source, "spec", "routine", "void f(int n)", "params", "N", n);
}

static int64_t
add_job(struct fixture *f, const char *key, const char *source, enum status want,
    bool want_repeated)
{
	json_t			*doc = job_doc(source, 7);
	struct new_job		 j = { .submitter = 1000, .submitted = 1.5, .name = "v",
				    .routine = "f", .key = key, .doc = doc };
	struct stored_job	 stored;
	struct fault		 why;

	assert_int_equal(store_add_job(f->store, &j, &stored, &why), want);
	if (want == ST_OK)
		assert_int_equal(stored.repeated, want_repeated);
	free(stored.rest);
	json_decref(doc);
	return stored.id;
}

/* Where the rest of the job does not matter. */
static enum status
add_plain(struct fixture *f, const struct new_job *j, int64_t *id, struct fault *why)
{
	struct stored_job	stored;
	enum status		st = store_add_job(f->store, j, &stored, why);

	free(stored.rest);
	*id = stored.id;
	return st;
}

static int64_t
add_result(struct fixture *f, int64_t job, double value, enum status want)
{
	char			json[128];
	struct new_result	r = { .job_id = job, .cursor = store_next_cursor(f->store),
				    .outcome = ST_OK, .finished = 100.0 + (double)job,
				    .value_ns = value, .json = json };
	struct fault		why;

	(void)snprintf(json, sizeof json,
	    "{\"finished\":%.1f,\"cursor\":%lld,\"time\":{\"value_ns\":%.17g}}", r.finished,
	    (long long)r.cursor, value);
	assert_int_equal(store_add_result(f->store, &r, &why), want);
	if (want == ST_OK)
		assert_int_equal(store_next_cursor(f->store), r.cursor + 1);
	return r.cursor;
}

static enum status
check_point(void *arg, const struct point_row *p)
{
	++*(int *)arg;
	assert_string_equal(p->revision, "r7");
	assert_string_equal(p->meta, "{\"revision\":\"r7\"}");
	assert_string_equal(p->host_class, "this");
	assert_true(p->value_ns == 5 && p->low_ns == 4.5 && p->high_ns == 5.5);
	assert_true(isnan(p->bound_ns));
	return ST_OK;
}

/* The second has no revision, the third shows the drift. */
static void
test_store_a_result_with_a_revision_has_a_point(void **state)
{
	static const double	 interval[] = { 4.5, 5.5 };
	static const char	*const meta[] = { "{\"revision\":\"r7\"}", "{\"other\":1}",
				    "{\"revision\":\"r7\"}" };
	struct fixture		*f = *state;
	struct fault		 why;
	int			 points = 0;

	for (int i = 0; i < 3; i++) {
		const struct new_result	r = { .job_id = add_job(f, "", "int x;", ST_OK, false),
			.cursor = store_next_cursor(f->store), .outcome = ST_OK, .finished = 100,
			.value_ns = 5, .estimator = "median", .json = "{}", .half = NAN,
			.interval_ns = interval, .host_class = "this", .meta = meta[i],
			.is_yardstick = i == 2 };

		assert_int_equal(store_add_result(f->store, &r, &why), ST_OK);
	}
	assert_int_equal(store_history(f->store, "f", "v", 10, check_point, &points, &why), ST_OK);
	assert_int_equal(points, 1);
}

static void
count_call(void *arg, enum status st, const struct fault *why)
{
	(void)why;
	assert_int_equal(st, ST_OK);
	++*(int *)arg;
}

static enum status
count_unfinished(void *arg, const struct waiting_job *w)
{
	(void)w;
	++*(int *)arg;
	return ST_OK;
}

static int
unfinished(struct fixture *f)
{
	struct waiting_reader	r;
	struct fault		why;
	size_t			counted;
	int			n = 0;

	assert_int_equal(store_waiting_start(f->store, &r, &counted, &why), ST_OK);
	while (!r.is_over)
		assert_int_equal(store_waiting_read(f->store, &r, 2, count_unfinished, &n, &why),
		    ST_OK);
	assert_int_equal(counted, n);
	return n;
}

static void
reopen(struct fixture *f)
{
	struct fault	why;

	store_free(f->store);
	assert_int_equal(store_open(&f->store, f->path, &why), ST_OK);
}

static void
test_store_gives_a_job_back_as_it_came(void **state)
{
	struct fixture	*f = *state;
	json_t		*want = job_doc("int x;", 7), *got, *none;
	int64_t		 id = add_job(f, "", "int x;", ST_OK, false);
	struct fault	 why;

	assert_int_equal(store_job_doc(f->store, id, &got, &why), ST_OK);
	assert_true(json_equal(want, got));
	assert_int_equal(store_job_doc(f->store, id + 1, &none, &why), ST_NOT_FOUND);
	assert_null(none);
	json_decref(got);
	json_decref(want);
}

static void
test_store_what_was_not_committed_is_gone_and_what_was_stays(void **state)
{
	struct fixture	*f = *state;
	struct fault	 why;

	(void)add_job(f, "", "a", ST_OK, false);
	assert_int_equal(store_commit(f->store, &why), ST_OK);
	(void)add_job(f, "", "b", ST_OK, false);
	reopen(f);
	assert_int_equal(unfinished(f), 1);
}

static void
test_store_tells_waiters_once_and_only_after_the_commit(void **state)
{
	struct fixture	*f = *state;
	struct fault	 why;
	int		 calls = 0;

	(void)add_job(f, "", "a", ST_OK, false);
	assert_int_equal(store_when_durable(f->store, count_call, &calls, true), ST_OK);
	assert_int_equal(calls, 0);
	assert_int_equal(store_commit(f->store, &why), ST_OK);
	assert_int_equal(calls, 1);
	assert_int_equal(store_commit(f->store, &why), ST_OK);
	assert_int_equal(calls, 1);
}

static void
test_store_a_key_used_again_gives_the_same_job_unless_the_document_differs(void **state)
{
	struct fixture	*f = *state;
	int64_t		 id = add_job(f, "k1", "a", ST_OK, false);

	assert_int_equal(add_job(f, "k1", "a", ST_OK, true), id);
	(void)add_job(f, "k1", "b", ST_CONFLICT, false);
	assert_int_not_equal(add_job(f, "k2", "a", ST_OK, false), id);
	assert_int_equal(unfinished(f), 2);
}

static void
test_store_a_job_has_exactly_one_result(void **state)
{
	struct fixture	*f = *state;
	int64_t		 id = add_job(f, "", "a", ST_OK, false);

	(void)add_result(f, id, 5, ST_OK);
	(void)add_result(f, id, 6, ST_CONFLICT);
	(void)add_result(f, id + 1, 6, ST_CONFLICT);
	assert_int_equal(unfinished(f), 0);
}

static void
test_store_undo_takes_back_only_what_followed_the_mark(void **state)
{
	struct fixture	*f = *state;
	struct fault	 why;

	(void)add_job(f, "", "a", ST_OK, false);
	assert_int_equal(store_mark(f->store, &why), ST_OK);
	(void)add_job(f, "", "b", ST_OK, false);
	store_undo(f->store);
	assert_int_equal(store_commit(f->store, &why), ST_OK);
	assert_int_equal(unfinished(f), 1);
}

struct seen {
	int64_t	cursor[8];
	double	value[8];
	size_t	n;
};

static enum status
remember(void *arg, const struct result_row *row)
{
	struct seen	*s = arg;

	assert_true(s->n < 8);
	s->cursor[s->n] = row->cursor;
	s->value[s->n++] = row->value_ns;
	return ST_OK;
}

static struct seen
select_results(struct fixture *f, struct result_filter filter)
{
	struct seen	s = { .n = 0 };
	struct fault	why;

	assert_int_equal(store_results(f->store, &filter, remember, &s, &why), ST_OK);
	return s;
}

static void
test_store_results_come_in_the_order_asked_for_and_page_without_gap(void **state)
{
	static const double	values[] = { 30, 10, 20, 10 };
	struct fixture		*f = *state;
	struct result_filter	 filter = { .status = -1, .submitter = -1, .limit = 2 };
	int64_t			 ids[4];
	struct seen		 s;

	for (size_t i = 0; i < 4; i++)
		ids[i] = add_job(f, "", "a", ST_OK, false);
	for (size_t i = 0; i < 4; i++)
		(void)add_result(f, ids[i], values[i], ST_OK);

	filter.order = ORDER_FASTEST;
	s = select_results(f, filter);
	assert_int_equal(s.n, 2);
	assert_true(s.value[0] == 10 && s.value[1] == 10 && s.cursor[0] < s.cursor[1]);
	filter.after_value = s.value[1];
	filter.after_cursor = s.cursor[1];
	s = select_results(f, filter);
	assert_true(s.n == 2 && s.value[0] == 20 && s.value[1] == 30);

	filter = (struct result_filter){ .status = ST_OK, .submitter = 1000, .limit = 8,
	    .order = ORDER_NEWEST };
	s = select_results(f, filter);
	assert_true(s.n == 4 && s.cursor[0] > s.cursor[3]);
	filter = (struct result_filter){ .status = -1, .submitter = -1, .limit = 8,
	    .ids = ids + 1, .nids = 2 };
	assert_int_equal(select_results(f, filter).n, 2);
	filter = (struct result_filter){ .status = ST_CRASHED, .submitter = -1, .limit = 8 };
	assert_int_equal(select_results(f, filter).n, 0);
	filter = (struct result_filter){ .status = -1, .submitter = -1, .limit = 8,
	    .since = 100.0 + (double)ids[2] };
	assert_int_equal(select_results(f, filter).n, 2);
}

static void
test_store_a_sweep_name_is_taken_once_and_counts_its_jobs(void **state)
{
	struct fixture		*f = *state;
	json_t			*doc = json_object(), *other = json_pack("{s:i}", "variants", 3),
	    *job = job_doc("a", 1);
	struct new_job		 j = { .submitter = 1, .name = "", .routine = "f",
				    .key = "", .doc = job };
	struct sweep_row	 row;
	struct fault		 why;
	bool			 existed;
	int64_t			 again, id;

	assert_int_equal(store_add_sweep(f->store, "s", 1, 2.0, doc, &j.sweep_id, &existed, &why),
	    ST_OK);
	assert_false(existed);
	assert_int_equal(store_add_sweep(f->store, "s", 1, 3.0, doc, &again, &existed, &why),
	    ST_OK);
	assert_true(existed && again == j.sweep_id);
	assert_int_equal(store_add_sweep(f->store, "s", 1, 2.0, other, &again, &existed, &why),
	    ST_CONFLICT);
	assert_int_equal(store_add_sweep(f->store, "s", 2, 2.0, doc, &again, &existed, &why),
	    ST_CONFLICT);
	assert_int_equal(add_plain(f, &j, &id, &why), ST_OK);
	assert_int_equal(add_plain(f, &j, &again, &why), ST_OK);
	(void)add_result(f, id, 3, ST_OK);
	assert_int_equal(store_sweep(f->store, 0, "s", &row, &why), ST_OK);
	assert_true(row.jobs == 2 && row.finished == 1 && row.by_status[ST_OK] == 1);
	assert_int_equal(store_sweep(f->store, 0, "t", &row, &why), ST_NOT_FOUND);
	json_decref(doc);
	json_decref(other);
	json_decref(job);
}

static void
test_store_finds_a_sweeps_jobs_again_in_their_order(void **state)
{
	struct fixture	*f = *state;
	json_t		*doc = json_object();
	json_t		*docs[] = { job_doc("a", 1), job_doc("b", 1), job_doc("c", 1) };
	struct new_job	 j = { .submitter = 1, .name = "", .routine = "f", .key = "" };
	struct fault	 why;
	bool		 existed;
	int64_t		 ids[2], id, sweep;

	assert_int_equal(store_add_sweep(f->store, "s", 1, 2.0, doc, &sweep, &existed, &why),
	    ST_OK);
	for (int i = 0; i < 2; i++) {
		j.sweep_id = 0;			/* another job between the sweep's */
		j.doc = docs[i];
		assert_int_equal(add_plain(f, &j, &id, &why), ST_OK);
		j.sweep_id = sweep;
		assert_int_equal(add_plain(f, &j, &ids[i], &why), ST_OK);
	}
	for (int i = 0; i < 2; i++) {
		j.doc = docs[i];
		assert_int_equal(store_find_again(f->store, &j, i == 0 ? 0 : ids[i - 1], &id, &why),
		    ST_OK);
		assert_int_equal(id, ids[i]);
		j.doc = docs[2];
		assert_int_equal(store_find_again(f->store, &j, i == 0 ? 0 : ids[i - 1], &id, &why),
		    ST_CONFLICT);
		assert_string_equal(why.member, "name");
	}
	j.doc = docs[1];
	assert_int_equal(store_find_again(f->store, &j, ids[1], &id, &why), ST_CONFLICT);
	j.key = "none";
	assert_int_equal(store_find_again(f->store, &j, 0, &id, &why), ST_CONFLICT);
	for (int i = 0; i < 3; i++)
		json_decref(docs[i]);
	json_decref(doc);
}

static void
test_store_refuses_a_database_from_a_newer_version(void **state)
{
	struct fixture	*f = *state;
	struct fault	 why;
	sqlite3		*db;

	store_free(f->store);
	f->store = NULL;
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 999", NULL, NULL, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	assert_int_equal(store_open(&f->store, f->path, &why), ST_CONFLICT);
	assert_non_null(strstr(why.text, "999"));
}

static void
remember_outcome(void *arg, enum status st, const struct fault *why)
{
	*(enum status *)arg = st;
	if (st != ST_OK)
		assert_true(why->text[0] != '\0');
}

static void
limit_pages(struct fixture *f, int room)
{
	char		 sql[64];
	sqlite3_stmt	*q;

	assert_int_equal(sqlite3_prepare_v2(f->store->db, "PRAGMA page_count", -1, &q, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_step(q), SQLITE_ROW);
	(void)snprintf(sql, sizeof sql, "PRAGMA max_page_count = %d",
	    sqlite3_column_int(q, 0) + room);
	(void)sqlite3_finalize(q);
	assert_int_equal(sqlite3_exec(f->store->db, sql, NULL, NULL, NULL), SQLITE_OK);
}

/* Two jobs of 40 KB in one submission on a disk with `room` pages left; whether they got in. */
static bool
two_big_jobs(struct fixture *f, int room, const char *source)
{
	enum status	 told = ST_N, st;
	json_t		*doc = job_doc(source, 7);
	struct new_job	 j = { .submitter = 1, .name = "", .routine = "f", .key = "", .doc = doc };
	struct fault	 why;
	int64_t		 id;

	limit_pages(f, room);
	assert_int_equal(store_mark(f->store, &why), ST_OK);
	if ((st = add_plain(f, &j, &id, &why)) == ST_OK)
		st = add_plain(f, &j, &id, &why);
	if (st == ST_OK)
		st = store_keep(f->store, &why);
	if (st != ST_OK)
		store_undo(f->store);
	else
		assert_int_equal(store_when_durable(f->store, remember_outcome, &told, true),
		    ST_OK);
	(void)store_commit(f->store, &why);
	json_decref(doc);
	assert_int_equal(st == ST_OK, told != ST_N);
	return told == ST_OK;
}

/*
 * The disk fills up ever later, until it no longer does: an error each time, and never half a
 * submission.
 */
static void
test_store_a_full_disk_takes_a_submission_whole_or_not_at_all(void **state)
{
	struct fixture	*f = *state;
	struct fault	 why;
	char		*big = calloc(1, 40001);
	int		 room = 0;

	memset(big, 'x', 40000);
	(void)add_job(f, "", "first", ST_OK, false);
	assert_int_equal(store_commit(f->store, &why), ST_OK);
	while (!two_big_jobs(f, room, big)) {
		assert_true(++room < 100);
		reopen(f);
		assert_int_equal(unfinished(f), 1);
	}
	assert_true(room > 5);
	reopen(f);
	assert_int_equal(unfinished(f), 3);
	free(big);
}

static void
test_store_a_file_that_is_no_database_is_an_error_not_a_crash(void **state)
{
	struct fixture	*f = *state;
	struct fault	 why;
	FILE		*file;

	store_free(f->store);
	f->store = NULL;
	file = fopen(f->path, "w");
	assert_non_null(file);
	for (int i = 0; i < 5000; i++)
		(void)fputs("not a database ", file);
	(void)fclose(file);
	assert_int_equal(store_open(&f->store, f->path, &why), ST_IO);
	assert_non_null(strstr(why.text, f->path));
}

/* Measuring took all of it.  A job without a time has no rank. */
static void
test_store_a_time_of_nothing_is_the_fastest_not_left_out(void **state)
{
	struct fixture			*f = *state;
	const struct result_filter	 filter = { .status = ST_OK, .submitter = -1, .limit = 8,
					    .order = ORDER_FASTEST };
	struct new_result		 r = { .outcome = ST_OK, .estimator = "minimum",
					    .json = "{}" };
	struct fault			 why;
	struct seen			 s;

	(void)add_result(f, add_job(f, "", "a", ST_OK, false), 20, ST_OK);
	(void)add_result(f, add_job(f, "", "b", ST_OK, false), 0, ST_OK);
	r.job_id = add_job(f, "", "c", ST_OK, false);
	r.cursor = store_next_cursor(f->store);
	assert_int_equal(store_add_result(f->store, &r, &why), ST_OK);
	s = select_results(f, filter);
	assert_int_equal(s.n, 2);
	assert_true(s.value[0] == 0 && s.cursor[0] == r.cursor && s.value[1] == 20);
}

static void
count_hurries(void *arg, bool hurry)
{
	*(int *)arg += hurry;
}

static void
test_store_a_client_that_begins_to_wait_hurries_what_is_not_committed(void **state)
{
	struct fixture	*f = *state;
	int		 hurries = 0;

	store_set_on_dirty(f->store, count_hurries, &hurries);
	store_hurry(f->store);
	assert_int_equal(hurries, 0);
	(void)add_result(f, add_job(f, "", "a", ST_OK, false), 20, ST_OK);
	store_hurry(f->store);
	assert_int_equal(hurries, 1);
	assert_int_equal(store_commit(f->store, NULL), ST_OK);
	store_hurry(f->store);
	assert_int_equal(hurries, 1);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		T(test_store_a_client_that_begins_to_wait_hurries_what_is_not_committed),
		T(test_store_a_time_of_nothing_is_the_fastest_not_left_out),
		T(test_store_gives_a_job_back_as_it_came),
		T(test_store_a_result_with_a_revision_has_a_point),
		T(test_store_what_was_not_committed_is_gone_and_what_was_stays),
		T(test_store_tells_waiters_once_and_only_after_the_commit),
		T(test_store_a_key_used_again_gives_the_same_job_unless_the_document_differs),
		T(test_store_a_job_has_exactly_one_result),
		T(test_store_undo_takes_back_only_what_followed_the_mark),
		T(test_store_results_come_in_the_order_asked_for_and_page_without_gap),
		T(test_store_a_sweep_name_is_taken_once_and_counts_its_jobs),
		T(test_store_finds_a_sweeps_jobs_again_in_their_order),
		T(test_store_refuses_a_database_from_a_newer_version),
		T(test_store_a_full_disk_takes_a_submission_whole_or_not_at_all),
		T(test_store_a_file_that_is_no_database_is_an_error_not_a_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
