/* SPDX-License-Identifier: Apache-2.0 */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/store/readers.h"
#include "tests/support/store_fixture.h"

enum { MANY = 40 };

struct outcome {
	int64_t		jobs;
	enum status	status;
	unsigned	calls;
};

static enum status
count_jobs(struct store *s, void *arg, struct fault *why)
{
	struct outcome	*o = arg;
	int64_t		 by[ST_N];

	return store_totals(s, by, &o->jobs, why);
}

/* A query without end. */
static enum status
read_for_ever(struct store *s, void *arg, struct fault *why)
{
	(void)arg;
	if (sqlite3_exec(s->db, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
	    " SELECT sum(i) FROM n", NULL, NULL, NULL) != SQLITE_OK)
		return store_fault(s, why, "reading");
	return ST_OK;
}

static void
on_done(void *arg, enum status st, const struct fault *why)
{
	struct outcome	*o = arg;

	(void)why;
	o->status = st;
	o->calls++;
}

static struct readers *
open_readers(struct fixture *f)
{
	struct readers	*r;
	struct fault	 why;

	assert_int_equal(readers_new(&r, f->path, &why), ST_OK);
	return r;
}

static void
reap_until(struct readers *r, const struct outcome *o)
{
	struct pollfd	p = { .fd = readers_fd(r), .events = POLLIN };

	while (o->calls == 0) {
		assert_true(poll(&p, 1, -1) == 1);
		readers_reap(r);
	}
}

static void
test_D10_readers_see_all_that_was_committed_before_they_began(void **state)
{
	struct fixture	*f = *state;
	struct readers	*r = open_readers(f);
	struct fault	 why;

	for (int i = 1; i <= 20; i++) {
		struct outcome	o = { .calls = 0 };

		store_make_job(f, &(struct made){ .sweep = 0 });
		assert_int_equal(store_commit(f->store, &why), ST_OK);
		store_make_job(f, &(struct made){ .sweep = 0 });	/* not committed */
		assert_non_null(readers_add(r, 1000, count_jobs, on_done, &o));
		reap_until(r, &o);
		assert_int_equal(o.status, ST_OK);
		assert_int_equal(o.jobs, 2 * i - 1);
	}
	readers_free(r);
}

static void
test_D10_readers_of_one_user_leave_threads_to_others_and_end_when_cancelled(void **state)
{
	struct fixture	*f = *state;
	struct readers	*r = open_readers(f);
	struct outcome	 slow[MANY] = { { .calls = 0 } }, quick = { .calls = 0 };
	struct reading	*readings[MANY];
	struct fault	 why;

	assert_int_equal(store_commit(f->store, &why), ST_OK);
	for (int i = 0; i < MANY; i++)
		readings[i] = readers_add(r, 1000, read_for_ever, on_done, &slow[i]);
	assert_non_null(readers_add(r, 1001, count_jobs, on_done, &quick));
	reap_until(r, &quick);
	assert_int_equal(quick.status, ST_OK);
	store_make_job(f, &(struct made){ .sweep = 0 });	/* they delay no commit */
	assert_int_equal(store_commit(f->store, &why), ST_OK);
	for (int i = 0; i < MANY; i++)
		if (slow[i].calls == 0)
			reading_cancel(readings[i]);
	for (int i = 0; i < MANY; i++)
		reap_until(r, &slow[i]);
	for (int i = 0; i < MANY; i++)
		assert_true(slow[i].calls == 1 && slow[i].status != ST_OK);
	readers_free(r);
}

static void
test_D10_readers_are_ended_and_called_back_once_when_freed(void **state)
{
	struct fixture	*f = *state;
	struct readers	*r = open_readers(f);
	struct outcome	 slow[MANY] = { { .calls = 0 } };

	for (int i = 0; i < MANY; i++)
		assert_non_null(readers_add(r, (uid_t)(i % 3), read_for_ever, on_done, &slow[i]));
	readers_free(r);
	for (int i = 0; i < MANY; i++)
		assert_true(slow[i].calls == 1 && slow[i].status == ST_CANCELLED);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		T(test_D10_readers_see_all_that_was_committed_before_they_began),
		T(test_D10_readers_of_one_user_leave_threads_to_others_and_end_when_cancelled),
		T(test_D10_readers_are_ended_and_called_back_once_when_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
