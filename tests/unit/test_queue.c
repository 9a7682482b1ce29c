/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "daemon/queue/queue.h"

enum { ALICE = 1001, BOB = 1002, CAROL = 1003 };

static struct queued_job
job(int64_t id, int priority)
{
	return (struct queued_job){ .id = id, .priority = (int16_t)priority, .submitter = ALICE,
	    .threads = 1, .window = { -1, -1 } };
}

static struct queued_job *
put(struct queue *q, struct queued_job template)
{
	struct queued_job	*j;

	assert_int_equal(queue_add(q, &template, &j), ST_OK);
	return j;
}

static struct queued_job *
add(struct queue *q, int64_t id, int priority)
{
	return put(q, job(id, priority));
}

static struct queued_job *
add_of(struct queue *q, int64_t id, uid_t user, int64_t sweep)
{
	struct queued_job	j = job(id, 0);

	j.submitter = user;
	j.sweep_id = sweep;
	return put(q, j);
}

static int64_t
next_to_build(struct queue *q, int64_t now)
{
	const struct queued_job	*j = queue_next_to_build(q, now);

	return j != NULL ? j->id : 0;
}

static void
build(struct queue *q, struct queued_job *j)
{
	job_move(q, j, JOB_BUILDING);
	job_move(q, j, JOB_BUILT);
}

/* Builds all that is next. */
static void
build_next(struct queue *q, int64_t now, unsigned n)
{
	while (n-- != 0) {
		struct queued_job	*j = queue_next_to_build(q, now);

		assert_non_null(j);
		build(q, j);
	}
}

static enum queue_answer
take_all(void *arg, const struct queued_job *j)
{
	(void)arg;
	(void)j;
	return QUEUE_TAKE;
}

static enum queue_answer
take_narrow(void *arg, const struct queued_job *j)
{
	return j->threads <= *(const unsigned *)arg ? QUEUE_TAKE : QUEUE_SKIP;
}

static int64_t
next_to_time(struct queue *q, int64_t now)
{
	const struct queued_job	*j = queue_next_to_time(q, now, take_all, NULL);

	return j != NULL ? j->id : 0;
}

/* Times the next job for so long; its id. */
static int64_t
time_next(struct queue *q, double seconds)
{
	struct queued_job	*j = queue_next_to_time(q, 0, take_all, NULL);
	int64_t			 id;

	assert_non_null(j);
	id = j->id;
	job_move(q, j, JOB_TIMING);
	queue_charge(q, j, seconds);
	job_move(q, j, JOB_DONE);
	queue_forget(q, j);
	return id;
}

static void
test_queue_hands_out_the_highest_priority_then_the_oldest(void **state)
{
	static const int64_t	want[] = { 3, 1, 4, 2 };
	struct queue		q;

	(void)state;
	queue_init(&q, 10);
	(void)add(&q, 1, 0);
	(void)add(&q, 2, -5);
	(void)add(&q, 3, 7);
	(void)add(&q, 4, 0);
	for (size_t i = 0; i < 4; i++) {
		struct queued_job	*j = queue_next_to_build(&q, 0);

		assert_non_null(j);
		assert_int_equal(j->id, want[i]);
		job_move(&q, j, JOB_BUILDING);
	}
	assert_null(queue_next_to_build(&q, 0));
	queue_release(&q);
}

static void
test_queue_refuses_one_past_the_limit_and_an_id_twice(void **state)
{
	struct queued_job	template = job(1, 0);
	struct queue		q;

	(void)state;
	queue_init(&q, 2);
	(void)add(&q, 1, 0);
	assert_int_equal(queue_add(&q, &template, NULL), ST_CONFLICT);
	(void)add(&q, 2, 0);
	template.id = 3;
	assert_int_equal(queue_add(&q, &template, NULL), ST_FULL);
	queue_release(&q);
}

static void
test_queue_counts_what_is_not_read_yet_against_its_limit(void **state)
{
	struct queued_job	template = job(1, 0);
	struct queue		q;

	(void)state;
	queue_init(&q, 2);
	q.unread = 2;
	assert_int_equal(queue_live(&q), 2);
	assert_int_equal(queue_add(&q, &template, NULL), ST_FULL);
	q.unread--;
	assert_int_equal(queue_add(&q, &template, NULL), ST_OK);
	queue_release(&q);
}

static void
test_queue_a_lost_build_goes_back_to_its_old_place(void **state)
{
	struct queued_job	*first;
	struct queue		 q;

	(void)state;
	queue_init(&q, 10);
	first = add(&q, 1, 0);
	(void)add(&q, 2, 0);
	job_move(&q, first, JOB_BUILDING);
	assert_int_equal(next_to_build(&q, 0), 2);
	job_move(&q, first, JOB_QUEUED);
	assert_int_equal(next_to_build(&q, 0), 1);
	queue_release(&q);
}

static void
test_queue_is_one_users_until_another_has_a_built_job(void **state)
{
	struct queued_job	*a, *b;
	struct queue		 q;

	(void)state;
	queue_init(&q, 10);
	assert_true(queue_is_one_users(&q));
	a = add_of(&q, 1, ALICE, 7);
	build(&q, add_of(&q, 2, ALICE, 7));
	b = add_of(&q, 3, BOB, 8);
	assert_true(queue_is_one_users(&q));	/* his is not built */
	build(&q, b);
	assert_false(queue_is_one_users(&q));
	build(&q, a);
	job_move(&q, b, JOB_TIMING);
	assert_true(queue_is_one_users(&q));
	queue_release(&q);
}

/* Whichever of them is free, and in whatever order they are done. */
static void
test_queue_builders_take_a_sweeps_jobs_in_its_order(void **state)
{
	enum { BUILDERS = 5, JOBS = 60 };
	struct queued_job	*at[BUILDERS] = { NULL };
	int64_t			 last = 0;
	struct queue		 q;

	(void)state;
	queue_init(&q, JOBS);
	for (int64_t id = 1; id <= JOBS; id++)
		(void)add_of(&q, id, ALICE, 7);
	for (unsigned i = 0; i < JOBS; i++) {
		struct queued_job	**builder = &at[(i * 3 + i / 4) % BUILDERS];

		if (*builder != NULL) {
			job_move(&q, *builder, JOB_BUILT);
			job_move(&q, *builder, JOB_TIMING);
		}
		assert_non_null(*builder = queue_next_to_build(&q, 0));
		assert_int_equal((*builder)->id, ++last);
		job_move(&q, *builder, JOB_BUILDING);
	}
	queue_release(&q);
}

static void
test_queue_counts_follow_every_move(void **state)
{
	struct queued_job	*j;
	struct queue		 q;

	(void)state;
	queue_init(&q, 10);
	j = add(&q, 1, 0);
	assert_int_equal(q.count[JOB_QUEUED], 1);
	job_move(&q, j, JOB_BUILDING);
	job_move(&q, j, JOB_BUILT);
	job_move(&q, j, JOB_TIMING);
	assert_int_equal(q.count[JOB_QUEUED] + q.count[JOB_BUILDING] + q.count[JOB_BUILT], 0);
	job_move(&q, j, JOB_DONE);
	queue_forget(&q, j);
	assert_int_equal(q.count[JOB_DONE], 1);
	assert_int_equal(queue_live(&q), 0);
	assert_null(queue_find(&q, 1));
	queue_release(&q);
}

static void
test_queue_a_sweep_knows_its_own_jobs(void **state)
{
	size_t		 count[JOB_NSTATES], n;
	int64_t		*ids;
	struct queue	 q;

	(void)state;
	queue_init(&q, 10);
	(void)add_of(&q, 1, ALICE, 7);
	(void)add_of(&q, 2, ALICE, 8);
	job_move(&q, add_of(&q, 3, ALICE, 7), JOB_BUILDING);
	queue_set_ending(&q, add_of(&q, 4, ALICE, 7), true);
	queue_sweep_counts(&q, 7, count);
	assert_int_equal(count[JOB_QUEUED], 1);
	assert_int_equal(count[JOB_BUILDING], 1);
	ids = queue_sweep_ids(&q, 7, &n);	/* the ending one too: it is alive */
	assert_int_equal(n, 3);
	free(ids);
	ids = queue_sweep_ids(&q, 9, &n);
	assert_non_null(ids);
	assert_int_equal(n, 0);
	free(ids);
	queue_release(&q);
}

static void
test_queue_leaves_alone_what_is_ending(void **state)
{
	struct queued_job	*j;
	struct queue		 q;

	(void)state;
	queue_init(&q, 10);
	j = add(&q, 1, 0);
	queue_set_ending(&q, j, true);
	assert_null(queue_next_to_build(&q, 0));
	queue_set_ending(&q, j, false);
	assert_ptr_equal(queue_next_to_build(&q, 0), j);
	queue_release(&q);
}

/* ---- time ---- */

static void
test_queue_D11_a_job_sleeps_until_not_before_and_again_if_the_clock_is_set_back(void **state)
{
	struct queued_job	j = job(1, 50);
	struct queue		q;

	(void)state;
	queue_init(&q, 10);
	j.not_before = 1000;
	(void)put(&q, j);
	(void)add(&q, 2, 0);
	assert_int_equal(next_to_build(&q, 999), 2);
	assert_int_equal(next_to_build(&q, 1000), 1);
	queue_clock_was_set(&q, 500);
	assert_int_equal(next_to_build(&q, 500), 2);
	assert_int_equal(next_to_build(&q, 1000), 1);
	queue_release(&q);
}

static void
test_queue_D11_a_window_opens_and_closes_past_midnight(void **state)
{
	enum { DAY = 86400, HOUR = 3600 };
	struct queued_job	j = job(1, 0);
	struct queue		q;

	(void)state;
	queue_init(&q, 10);
	j.window = (struct window){ 22 * 60, 6 * 60 };
	(void)put(&q, j);
	for (int64_t day = 1; day < 4; day++) {
		assert_int_equal(next_to_build(&q, day * DAY), 1);
		assert_int_equal(next_to_build(&q, day * DAY + 6 * HOUR - 1), 1);
		assert_int_equal(next_to_build(&q, day * DAY + 6 * HOUR), 0);
		assert_int_equal(next_to_build(&q, day * DAY + 22 * HOUR - 1), 0);
		assert_int_equal(next_to_build(&q, day * DAY + 22 * HOUR), 1);
	}
	queue_release(&q);
}

static void
test_queue_a_built_job_waits_for_its_window_too(void **state)
{
	struct queued_job	j = job(1, 0);
	struct queue		q;

	(void)state;
	queue_init(&q, 10);
	j.window = (struct window){ 60, 120 };
	(void)put(&q, j);
	build_next(&q, 3600, 1);
	assert_int_equal(next_to_time(&q, 7199), 1);
	assert_int_equal(next_to_time(&q, 7200), 0);
	assert_int_equal(next_to_time(&q, 86400 + 3600), 1);
	queue_release(&q);
}

static void
test_queue_a_clock_set_back_closes_windows(void **state)
{
	struct queued_job	j = job(1, 0);
	struct queue		q;

	(void)state;
	queue_init(&q, 10);
	j.window = (struct window){ 60, 120 };
	(void)put(&q, j);
	assert_int_equal(next_to_build(&q, 86400 + 3600), 1);
	queue_clock_was_set(&q, 86400);
	assert_int_equal(next_to_build(&q, 86400), 0);
	queue_release(&q);
}

static void
test_queue_deadlines_come_in_their_order_and_spare_jobs_at_work(void **state)
{
	struct queued_job	a = job(1, 0), b = job(2, 0), *second;
	struct queue		q;

	(void)state;
	queue_init(&q, 10);
	a.deadline = 200;
	b.deadline = 100;
	(void)put(&q, a);
	second = put(&q, b);
	(void)add(&q, 3, 0);
	assert_null(queue_next_expired(&q, 99));
	assert_ptr_equal(queue_next_expired(&q, 200), second);
	job_move(&q, second, JOB_BUILDING);
	assert_int_equal(queue_next_expired(&q, 200)->id, 1);
	job_move(&q, second, JOB_BUILT);
	assert_ptr_equal(queue_next_expired(&q, 200), second);
	queue_set_ending(&q, second, true);
	assert_int_equal(queue_next_expired(&q, 200)->id, 1);
	queue_release(&q);
}

/* ---- nothing that waits is in the way ---- */

static void
test_queue_D10_jobs_built_for_a_window_that_closed_stop_no_build(void **state)
{
	struct queue	q;

	(void)state;
	queue_init(&q, 1000);
	for (int64_t id = 1; id <= 2 * QUEUE_AHEAD_MAX; id++) {
		struct queued_job	j = job(id, 100);

		j.window = (struct window){ 60, 120 };
		(void)put(&q, j);
	}
	build_next(&q, 3600, QUEUE_AHEAD_MAX);
	assert_int_equal(next_to_build(&q, 3600), 0);
	(void)add(&q, 1000, 0);
	assert_int_equal(next_to_build(&q, 3600), 0);
	assert_int_equal(next_to_build(&q, 7200), 1000);
	build_next(&q, 7200, 1);
	assert_int_equal(next_to_time(&q, 7200), 1000);
	queue_release(&q);
}

static void
test_queue_D10_jobs_too_wide_for_the_free_slot_stop_no_build(void **state)
{
	static const unsigned	widths[] = { 1, 4 };
	unsigned		free_slot = 1;
	struct queue		q;

	(void)state;
	queue_init(&q, 1000);
	queue_set_widths(&q, widths, 2);
	for (int64_t id = 1; id <= 2 * QUEUE_AHEAD_MAX; id++) {
		struct queued_job	j = job(id, 100);

		j.threads = 3;
		(void)put(&q, j);
	}
	(void)add(&q, 1000, 0);
	build_next(&q, 0, QUEUE_AHEAD_MAX);
	assert_int_equal(next_to_build(&q, 0), 1000);
	build_next(&q, 0, 1);
	assert_int_equal(queue_next_to_time(&q, 0, take_narrow, &free_slot)->id, 1000);
	queue_release(&q);
}

static void
test_queue_D10_what_one_user_has_built_stops_no_other(void **state)
{
	struct queue	q;

	(void)state;
	queue_init(&q, 1000);
	for (int64_t id = 1; id <= 2 * QUEUE_AHEAD_MAX; id++)
		(void)add_of(&q, id, ALICE, 5);
	build_next(&q, 0, QUEUE_AHEAD_MAX);
	assert_int_equal(next_to_build(&q, 0), 0);
	(void)add_of(&q, 1000, BOB, 0);
	assert_int_equal(next_to_build(&q, 0), 1000);
	queue_release(&q);
}

/* ---- what is built beside another ---- */

static int64_t
beside(const struct queue *q, const struct queued_job *j, const struct queued_job *last)
{
	const struct queued_job	*next = queue_next_beside(q, j, last);

	return next != NULL ? next->id : 0;
}

static void
test_queue_jobs_beside_another_are_its_sweeps_in_their_turn(void **state)
{
	struct queue		 q;
	struct queued_job	*j[5];

	(void)state;
	queue_init(&q, 10);
	for (int64_t id = 1; id <= 4; id++)
		j[id] = add_of(&q, id, ALICE, 7);
	(void)add_of(&q, 5, ALICE, 8);
	assert_int_equal(next_to_build(&q, 0), 1);
	job_move(&q, j[1], JOB_BUILDING);
	assert_int_equal(beside(&q, j[1], NULL), 2);
	assert_int_equal(beside(&q, j[1], j[2]), 3);	/* 2 is passed by */
	job_move(&q, j[3], JOB_BUILDING);
	assert_int_equal(beside(&q, j[1], j[3]), 4);	/* 3 is taken */
	assert_int_equal(beside(&q, j[1], j[4]), 0);	/* the other sweep's */
	queue_release(&q);
}

static void
test_queue_a_job_of_another_priority_is_not_passed_by(void **state)
{
	struct queued_job	 single = job(1, 0), urgent = job(2, 5);
	struct queued_job	*first;
	struct queue		 q;

	(void)state;
	queue_init(&q, 10);
	first = put(&q, single);
	job_move(&q, first, JOB_BUILDING);
	(void)put(&q, urgent);
	(void)add(&q, 3, 0);
	assert_int_equal(beside(&q, first, NULL), 0);
	queue_release(&q);
}

/* ---- shares ---- */

static void
test_queue_single_jobs_come_before_sweeps_of_the_same_priority(void **state)
{
	struct queue	q;

	(void)state;
	queue_init(&q, 10);
	(void)add_of(&q, 1, ALICE, 7);
	(void)add_of(&q, 2, ALICE, 0);
	assert_int_equal(next_to_build(&q, 0), 2);
	queue_release(&q);
}

static void
test_queue_D10_users_have_equal_time_of_the_slots(void **state)
{
	double		used[2] = { 0 };
	struct queue	q;

	(void)state;
	queue_init(&q, 1000);
	for (int64_t id = 1; id <= 60; id++) {
		(void)add_of(&q, id, ALICE, 5);
		(void)add_of(&q, 100 + id, BOB, 6);
	}
	build_next(&q, 0, 100);
	for (int i = 0; i < 40; i++) {		/* a job of Bob's takes three times as long */
		const bool	is_bob = next_to_time(&q, 0) > 100;

		(void)time_next(&q, is_bob ? 3 : 1);
		used[is_bob] += is_bob ? 3 : 1;
	}
	assert_float_equal(used[0], used[1], 3);
	queue_release(&q);
}

static void
test_queue_D10_few_single_jobs_do_not_wait_behind_many_of_another(void **state)
{
	struct queue	q;

	(void)state;
	queue_init(&q, 10000);
	for (int64_t id = 1; id <= 1000; id++)
		(void)add_of(&q, id, ALICE, 0);
	build_next(&q, 0, QUEUE_AHEAD_MAX);
	for (int i = 0; i < 5; i++)
		(void)time_next(&q, 0.5);
	for (int64_t id = 2001; id <= 2010; id++)
		(void)add_of(&q, id, BOB, 0);
	for (int64_t id = 2001; id <= 2010; id++) {
		assert_int_equal(next_to_build(&q, 0), id);
		build_next(&q, 0, 1);
		assert_int_equal(time_next(&q, 0.5), id);
	}
	queue_release(&q);
}

static void
test_queue_D10_a_user_saves_up_nothing_and_a_newcomer_owes_nothing(void **state)
{
	int		bobs = 0;
	struct queue	q;

	(void)state;
	queue_init(&q, 10000);
	for (int64_t id = 1; id <= 60; id++)
		(void)add_of(&q, id, ALICE, 5);
	build_next(&q, 0, 60);
	for (int i = 0; i < 30; i++)
		(void)time_next(&q, 1000);
	for (int64_t id = 101; id <= 130; id++)
		(void)add_of(&q, id, BOB, 6);
	build_next(&q, 0, 30);
	for (int i = 0; i < 20; i++)
		bobs += time_next(&q, 1) > 100;
	assert_in_range(bobs, 9, 11);
	queue_release(&q);
}

static void
test_queue_D10_after_a_restart_shares_go_on_and_old_ones_count_little(void **state)
{
	struct queue	q;

	(void)state;
	queue_init(&q, 100);
	queue_set_share(&q, ALICE, 5010);
	queue_set_share(&q, BOB, 5000);
	queue_set_share(&q, CAROL, 3);
	for (int64_t id = 1; id <= 30; id++) {
		(void)add_of(&q, id, ALICE, 5);
		(void)add_of(&q, 100 + id, BOB, 6);
		(void)add_of(&q, 200 + id, CAROL, 7);
	}
	build_next(&q, 0, 90);
	for (int i = 0; i < 5; i++)
		assert_in_range(time_next(&q, 10), 201, 230);
	assert_in_range(time_next(&q, 10), 101, 130);
	queue_release(&q);
}

static void
test_queue_priority_orders_a_users_own_jobs_only(void **state)
{
	struct queued_job	j = job(1, 100);
	struct queue		q;

	(void)state;
	queue_init(&q, 100);
	queue_set_share(&q, ALICE, 30);
	j.sweep_id = 5;
	(void)put(&q, j);
	(void)add_of(&q, 2, BOB, 6);
	build_next(&q, 0, 2);
	assert_int_equal(next_to_time(&q, 0), 2);
	queue_release(&q);
}

static void
test_queue_root_goes_by_priority_before_and_after_all(void **state)
{
	struct queued_job	first = job(1, 1), last = job(2, -1);
	struct queue		q;

	(void)state;
	queue_init(&q, 100);
	first.submitter = last.submitter = 0;
	(void)put(&q, last);
	(void)add_of(&q, 3, BOB, 6);
	assert_int_equal(next_to_build(&q, 0), 3);
	(void)put(&q, first);
	assert_int_equal(next_to_build(&q, 0), 1);
	queue_release(&q);
}

/* ---- looking ---- */

static void
test_queue_lists_what_is_nearest_to_its_end_first(void **state)
{
	static const int64_t	 want[] = { 1, 2, 3, 5, 4, 6 };
	const struct queued_job	*out[10];
	struct queued_job	 sleeper = job(6, 100);
	struct queue		 q;

	(void)state;
	queue_init(&q, 100);
	sleeper.not_before = 99;
	(void)put(&q, sleeper);
	for (int64_t id = 1; id <= 3; id++)
		job_move(&q, add(&q, id, 0), JOB_BUILDING);
	(void)add(&q, 4, 0);
	(void)add(&q, 5, 9);
	job_move(&q, queue_find(&q, 1), JOB_BUILT);
	job_move(&q, queue_find(&q, 2), JOB_BUILT);
	job_move(&q, queue_find(&q, 1), JOB_TIMING);
	assert_int_equal(queue_list(&q, out, 10), 6);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(out[i]->id, want[i]);
	assert_int_equal(queue_list(&q, out, 4), 4);
	assert_int_equal(out[3]->id, 5);
	queue_release(&q);
}

static int
use_utc(void **state)
{
	(void)state;
	return setenv("TZ", "UTC", 1);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_queue_hands_out_the_highest_priority_then_the_oldest),
		cmocka_unit_test(test_queue_refuses_one_past_the_limit_and_an_id_twice),
		cmocka_unit_test(test_queue_counts_what_is_not_read_yet_against_its_limit),
		cmocka_unit_test(test_queue_a_lost_build_goes_back_to_its_old_place),
		cmocka_unit_test(test_queue_is_one_users_until_another_has_a_built_job),
		cmocka_unit_test(test_queue_builders_take_a_sweeps_jobs_in_its_order),
		cmocka_unit_test(test_queue_counts_follow_every_move),
		cmocka_unit_test(test_queue_a_sweep_knows_its_own_jobs),
		cmocka_unit_test(test_queue_leaves_alone_what_is_ending),
		cmocka_unit_test(
		test_queue_D11_a_job_sleeps_until_not_before_and_again_if_the_clock_is_set_back),
		cmocka_unit_test(test_queue_D11_a_window_opens_and_closes_past_midnight),
		cmocka_unit_test(test_queue_a_built_job_waits_for_its_window_too),
		cmocka_unit_test(test_queue_a_clock_set_back_closes_windows),
		cmocka_unit_test(test_queue_deadlines_come_in_their_order_and_spare_jobs_at_work),
		cmocka_unit_test(test_queue_D10_jobs_built_for_a_window_that_closed_stop_no_build),
		cmocka_unit_test(test_queue_D10_jobs_too_wide_for_the_free_slot_stop_no_build),
		cmocka_unit_test(test_queue_D10_what_one_user_has_built_stops_no_other),
		cmocka_unit_test(test_queue_jobs_beside_another_are_its_sweeps_in_their_turn),
		cmocka_unit_test(test_queue_a_job_of_another_priority_is_not_passed_by),
		cmocka_unit_test(test_queue_single_jobs_come_before_sweeps_of_the_same_priority),
		cmocka_unit_test(test_queue_D10_users_have_equal_time_of_the_slots),
		cmocka_unit_test(test_queue_D10_few_single_jobs_do_not_wait_behind_many_of_another),
		cmocka_unit_test(
		    test_queue_D10_a_user_saves_up_nothing_and_a_newcomer_owes_nothing),
		cmocka_unit_test(
		    test_queue_D10_after_a_restart_shares_go_on_and_old_ones_count_little),
		cmocka_unit_test(test_queue_priority_orders_a_users_own_jobs_only),
		cmocka_unit_test(test_queue_root_goes_by_priority_before_and_after_all),
		cmocka_unit_test(test_queue_lists_what_is_nearest_to_its_end_first),
	};

	return cmocka_run_group_tests(tests, use_utc, NULL);
}
