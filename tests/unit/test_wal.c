/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/store/wal.h"

enum { PATH_BYTES = 64, PAGE_BYTES = 4096, TRIES = 60000 };

struct fixture {
	char			 dir[PATH_BYTES - 16], path[PATH_BYTES];
	sqlite3			*db;
	struct wal	*wal;
};

static void
run(sqlite3 *db, const char *sql)
{
	char	*why = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
}

static int
set_up(void **state)
{
	struct fixture	*f = calloc(1, sizeof *f);
	struct fault	 why;

	assert_non_null(f);
	strcpy(f->dir, "/tmp/assay-wal-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	(void)snprintf(f->path, sizeof f->path, "%s/a.db", f->dir);
	assert_int_equal(sqlite3_open(f->path, &f->db), SQLITE_OK);
	run(f->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
	    "CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)");
	assert_int_equal(wal_new(&f->wal, f->db, f->path, &why), ST_OK);
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture	*f = *state;
	char		 command[PATH_BYTES + 16];

	wal_free(f->wal);
	(void)sqlite3_close(f->db);
	(void)snprintf(command, sizeof command, "rm -rf '%s'", f->dir);
	free(f);
	return system(command);
}

/* How often the log was begun anew: four bytes of its header, the first is the highest. */
static unsigned
beginnings(const struct fixture *f)
{
	char		 wal[PATH_BYTES + 8];
	unsigned char	 header[16];
	FILE		*file;

	(void)snprintf(wal, sizeof wal, "%s-wal", f->path);
	assert_non_null(file = fopen(wal, "r"));
	assert_int_equal(fread(header, 1, sizeof header, file), sizeof header);
	(void)fclose(file);
	return (unsigned)header[12] << 24 | (unsigned)header[13] << 16 |
	    (unsigned)header[14] << 8 | header[15];
}

static void
write_pages(const struct fixture *f, int pages)
{
	char	sql[96];

	(void)snprintf(sql, sizeof sql, "INSERT INTO t (text) VALUES (hex(zeroblob(%d)))",
	    pages * PAGE_BYTES / 2);
	run(f->db, sql);
}

static int
rows_of(sqlite3 *db)
{
	sqlite3_stmt	*q;
	int		 rows;

	assert_int_equal(sqlite3_prepare_v2(db, "SELECT count(*) FROM t", -1, &q, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_step(q), SQLITE_ROW);
	rows = sqlite3_column_int(q, 0);
	(void)sqlite3_finalize(q);
	return rows;
}

/* Commits, a moment apart, until the log begins anew; the rows that this took. */
static int
commit_until_anew(const struct fixture *f)
{
	const struct timespec	moment = { 0, 1000000 };
	const unsigned		before = beginnings(f);
	int			rows = 0;

	for (; beginnings(f) == before; rows++) {
		assert_in_range(rows, 0, TRIES);
		write_pages(f, 1);
		(void)nanosleep(&moment, NULL);
	}
	return rows;
}

static void
test_wal_begins_a_long_log_anew_while_commits_go_on(void **state)
{
	struct fixture	*f = *state;
	int		 rows = 0;

	for (int round = 0; round < 3; round++) {
		write_pages(f, WAL_PAGES + 1);
		rows += 1 + commit_until_anew(f);
	}
	assert_int_equal(rows_of(f->db), rows);
}

static void
test_wal_leaves_a_short_log_alone(void **state)
{
	struct fixture	*f = *state;
	unsigned	 before;

	write_pages(f, 1);
	before = beginnings(f);
	for (int i = 0; i < 100; i++)
		write_pages(f, 20);
	assert_int_equal(beginnings(f), before);
}

static void
test_wal_waits_for_a_reader_of_old_pages_and_goes_on_after_it(void **state)
{
	struct fixture	*f = *state;
	sqlite3		*reader;
	unsigned	 before;

	write_pages(f, 1);
	assert_int_equal(sqlite3_open(f->path, &reader), SQLITE_OK);
	run(reader, "BEGIN");
	assert_int_equal(rows_of(reader), 1);
	before = beginnings(f);
	write_pages(f, WAL_PAGES + 1);
	for (int i = 0; i < 200; i++)
		write_pages(f, 20);
	assert_int_equal(beginnings(f), before);
	assert_int_equal(rows_of(reader), 1);
	run(reader, "COMMIT");
	write_pages(f, WAL_PAGES + 1);
	(void)commit_until_anew(f);
	(void)sqlite3_close(reader);
}

static void
test_wal_of_a_file_that_is_no_database_is_refused(void **state)
{
	struct fixture		*f = *state;
	struct wal	*second;
	struct fault		 why;

	assert_int_equal(wal_new(&second, f->db, "/dev/null/a.db", &why), ST_IO);
	assert_null(second);
	assert_non_null(strstr(why.text, "/dev/null/a.db"));
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(test_wal_begins_a_long_log_anew_while_commits_go_on),
		TEST(test_wal_leaves_a_short_log_alone),
		TEST(test_wal_waits_for_a_reader_of_old_pages_and_goes_on_after_it),
		TEST(test_wal_of_a_file_that_is_no_database_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
