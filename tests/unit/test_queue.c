/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/queue/queue.h"

static struct queued_job
job(int64_t id, int priority)
{
	return (struct queued_job){ .id = id, .priority = priority, .window_from = -1,
	    .window_to = -1 };
}

static struct queued_job *
add(struct queue *q, int64_t id, int priority)
{
	struct queued_job	 template = job(id, priority), *j;

	assert_int_equal(queue_add(q, &template, &j), ST_OK);
	return j;
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
		struct queued_job	*j = queue_next_to_build(&q, 0, 0);

		assert_non_null(j);
		assert_int_equal(j->id, want[i]);
		job_move(&q, j, JOB_BUILDING);
	}
	assert_null(queue_next_to_build(&q, 0, 0));
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
test_queue_a_lost_build_goes_back_to_its_old_place(void **state)
{
	struct queued_job	*first;
	struct queue		 q;

	(void)state;
	queue_init(&q, 10);
	first = add(&q, 1, 0);
	(void)add(&q, 2, 0);
	job_move(&q, first, JOB_BUILDING);
	assert_int_equal(queue_next_to_build(&q, 0, 0)->id, 2);
	job_move(&q, first, JOB_QUEUED);
	assert_int_equal(queue_next_to_build(&q, 0, 0)->id, 1);
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
test_queue_waits_for_not_before_and_for_a_window_past_midnight(void **state)
{
	struct queued_job	*j;
	struct queue		 q;

	(void)state;
	queue_init(&q, 10);
	j = add(&q, 1, 0);
	j->not_before = 1000;
	assert_null(queue_next_to_build(&q, 999, 0));
	assert_non_null(queue_next_to_build(&q, 1000, 0));
	j->window_from = 22 * 60;
	j->window_to = 6 * 60;
	assert_non_null(queue_next_to_build(&q, 1000, 23 * 60));
	assert_non_null(queue_next_to_build(&q, 1000, 0));
	assert_null(queue_next_to_build(&q, 1000, 6 * 60));
	assert_null(queue_next_to_build(&q, 1000, 12 * 60));
	j->window_from = 9 * 60;
	j->window_to = 17 * 60;
	assert_non_null(queue_next_to_build(&q, 1000, 12 * 60));
	assert_null(queue_next_to_build(&q, 1000, 17 * 60));
	queue_release(&q);
}

static void
test_queue_leaves_alone_what_is_ending(void **state)
{
	struct queue	q;

	(void)state;
	queue_init(&q, 10);
	add(&q, 1, 0)->ending = true;
	assert_null(queue_next_to_build(&q, 0, 0));
	queue_release(&q);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_queue_hands_out_the_highest_priority_then_the_oldest),
		cmocka_unit_test(test_queue_refuses_one_past_the_limit_and_an_id_twice),
		cmocka_unit_test(test_queue_a_lost_build_goes_back_to_its_old_place),
		cmocka_unit_test(test_queue_counts_follow_every_move),
		cmocka_unit_test(test_queue_waits_for_not_before_and_for_a_window_past_midnight),
		cmocka_unit_test(test_queue_leaves_alone_what_is_ending),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
