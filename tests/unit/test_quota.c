/* SPDX-License-Identifier: Apache-2.0 */
/* Quotas: what is claimed and what is queued, and users whose day is used up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/queue/queue.h"

enum { ALICE = 4242, BOB, DAY_S = 86400, NOON = 100 * DAY_S + DAY_S / 2 };

static struct queued_job *
add(struct queue *q, int64_t id, uid_t who, uint32_t bytes)
{
	const struct queued_job	 t = { .id = id, .submitter = who, .bytes = bytes, .threads = 1,
				    .window = { -1, -1 } };
	struct queued_job	*j;

	assert_int_equal(queue_add(q, &t, &j), ST_OK);
	return j;
}

static struct queued_job *
add_built(struct queue *q, int64_t id, uid_t who)
{
	struct queued_job	*j = add(q, id, who, 0);

	job_move(q, j, JOB_BUILDING);
	job_move(q, j, JOB_BUILT);
	return j;
}

static enum queue_answer
take_all(void *arg, const struct queued_job *j)
{
	(void)arg;
	(void)j;
	return QUEUE_TAKE;
}

static int64_t
next(struct queue *q, int64_t now)
{
	const struct queued_job	*j = queue_next_to_time(q, now, take_all, NULL);

	return j != NULL ? j->id : 0;
}

/* A slot is busy with it for so long, then it is over. */
static void
time_for(struct queue *q, struct queued_job *j, double seconds)
{
	job_move(q, j, JOB_TIMING);
	queue_charge(q, j, seconds);
	job_move(q, j, JOB_DONE);
	queue_forget(q, j);
}

static struct quota_use
use_of(const struct queue *q, uid_t who)
{
	struct quota_use	list[8], none = { .uid = who };
	const size_t		n = quota_uses(q, list, 8);

	for (size_t i = 0; i < n; i++)
		if (list[i].uid == who)
			return list[i];
	return none;
}

static void
test_quota_claimed_and_queued_jobs_count_until_they_are_over(void **state)
{
	struct queue		 q;
	struct quota_claim	 a, b;
	struct queued_job	*j;
	struct fault		 why;

	(void)state;
	queue_init(&q, 100);
	quota_set(&q, QUOTA_JOBS, 3);
	assert_int_equal(quota_claim(&a, &q, ALICE, 2, 20, &why), ST_OK);
	assert_int_equal(quota_claim(&b, &q, ALICE, 2, 20, &why), ST_FULL);
	assert_string_equal(why.text, "user 4242 has 2 jobs that wait or run, and 2 more are "
	    "beyond quota-queued-jobs, 3");
	assert_string_equal(why.hint, "wait until some are over, cancel some, or ask an operator "
	    "to raise quota-queued-jobs");
	assert_int_equal(q.quota_refused[QUOTA_JOBS], 1);
	assert_int_equal(quota_claim(&b, &q, BOB, 3, 0, &why), ST_OK);
	quota_claim_end(&a);
	quota_claim_end(&a);
	j = add(&q, 1, ALICE, 10);
	(void)add(&q, 2, ALICE, 10);
	assert_int_equal(use_of(&q, ALICE).jobs, 2);
	assert_int_equal(use_of(&q, ALICE).bytes, 20);
	assert_int_equal(use_of(&q, BOB).jobs, 3);
	assert_int_equal(quota_claim(&a, &q, ALICE, 2, 0, &why), ST_FULL);
	job_move(&q, j, JOB_CANCELLED);
	queue_forget(&q, j);
	assert_int_equal(quota_claim(&a, &q, ALICE, 2, 0, &why), ST_OK);
	quota_claim_end(&a);
	quota_claim_end(&b);
	queue_release(&q);
}

static void
test_quota_a_claim_goes_into_the_queue_piece_by_piece(void **state)
{
	struct queue		 q;
	struct quota_claim	 a;
	struct fault		 why;

	(void)state;
	queue_init(&q, 100);
	quota_set(&q, QUOTA_BYTES, 100);
	assert_int_equal(quota_claim(&a, &q, ALICE, 3, 90, &why), ST_OK);
	for (int i = 1; i <= 3; i++) {
		quota_claim_less(&a, 1, 30);
		(void)add(&q, i, ALICE, 30);
		assert_int_equal(use_of(&q, ALICE).jobs, 3);
		assert_int_equal(use_of(&q, ALICE).bytes, 90);
	}
	quota_claim_less(&a, 1, 30);	/* more than there is */
	quota_claim_end(&a);
	assert_int_equal(use_of(&q, ALICE).bytes, 90);
	assert_int_equal(quota_claim(&a, &q, ALICE, 1, 11, &why), ST_FULL);
	assert_string_equal(why.text, "the jobs of user 4242 that wait or run take 90 bytes, and "
	    "11 more are beyond quota-bytes, 100");
	assert_int_equal(quota_claim(&a, &q, ALICE, 1, 101, &why), ST_FULL);
	assert_string_equal(why.hint, "submit fewer at a time, or ask an operator to raise "
	    "quota-bytes");
	assert_int_equal(quota_claim(&a, &q, ALICE, 0, 0, &why), ST_OK);
	assert_int_equal(quota_claim(&a, &q, ALICE, 1, 10, &why), ST_OK);
	quota_claim_end(&a);
	queue_release(&q);
}

static void
test_quota_operators_have_none(void **state)
{
	struct queue		 q;
	struct quota_claim	 a;
	struct fault		 why;

	(void)state;
	queue_init(&q, 100);
	quota_set(&q, QUOTA_JOBS, 1);
	quota_set(&q, QUOTA_TIMING_S, 1);
	assert_int_equal(quota_claim(&a, &q, 0, 50, 0, &why), ST_OK);
	quota_claim_end(&a);
	assert_int_equal(quota_claim(&a, &q, geteuid(), 50, 0, &why), ST_OK);
	quota_claim_end(&a);
	assert_true(quota_binds(&q, ALICE));
	assert_false(quota_binds(&q, 0));
	assert_int_equal(next(&q, NOON), 0);
	time_for(&q, add_built(&q, 1, 0), 5);
	(void)add_built(&q, 2, 0);
	assert_int_equal(next(&q, NOON), 2);
	queue_release(&q);
}

static void
test_quota_a_user_that_has_used_its_day_is_held_until_midnight_and_others_are_not(void **state)
{
	struct queue	 q;

	(void)state;
	queue_init(&q, 100);
	quota_set(&q, QUOTA_TIMING_S, 10);
	assert_int_equal(next(&q, NOON), 0);
	time_for(&q, add_built(&q, 1, ALICE), 9);
	(void)add_built(&q, 2, ALICE);
	assert_int_equal(next(&q, NOON), 2);
	time_for(&q, queue_find(&q, 2), 1);
	(void)add_built(&q, 3, ALICE);
	(void)add_built(&q, 4, BOB);
	assert_int_equal(next(&q, NOON), 4);
	time_for(&q, queue_find(&q, 4), 1);
	assert_int_equal(next(&q, NOON), 0);
	assert_int_equal(quota_held_until(&q, ALICE), 101 * DAY_S);
	assert_int_equal(quota_held_until(&q, BOB), 0);
	assert_int_equal(use_of(&q, ALICE).held_until, 101 * DAY_S);
	assert_int_equal(next(&q, 101 * DAY_S - 1), 0);
	assert_int_equal(next(&q, 101 * DAY_S), 3);
	assert_int_equal(quota_held_until(&q, ALICE), 0);
	queue_release(&q);
}

static void
test_quota_a_held_user_is_built_ahead_and_listed(void **state)
{
	struct queue			 q;
	const struct queued_job		*list[4];

	(void)state;
	queue_init(&q, 100);
	quota_set(&q, QUOTA_TIMING_S, 1);
	assert_int_equal(next(&q, NOON), 0);
	time_for(&q, add_built(&q, 1, ALICE), 1);
	(void)add_built(&q, 2, ALICE);
	(void)add(&q, 3, ALICE, 0);
	assert_int_equal(next(&q, NOON), 0);
	assert_int_equal(queue_next_to_build(&q, NOON)->id, 3);
	assert_int_equal(queue_list(&q, list, 4), 2);
	assert_int_equal(list[0]->id, 2);
	assert_int_equal(list[1]->id, 3);
	queue_release(&q);
}

static void
test_quota_of_timing_is_changed_while_users_are_held(void **state)
{
	struct queue	 q;

	(void)state;
	queue_init(&q, 100);
	assert_int_equal(next(&q, NOON), 0);
	time_for(&q, add_built(&q, 1, ALICE), 5);
	(void)add_built(&q, 2, ALICE);
	assert_int_equal(next(&q, NOON), 2);
	quota_set(&q, QUOTA_TIMING_S, 5);
	assert_int_equal(next(&q, NOON), 0);
	quota_set(&q, QUOTA_TIMING_S, 6);
	assert_int_equal(next(&q, NOON), 2);
	quota_set(&q, QUOTA_TIMING_S, 1);
	quota_set(&q, QUOTA_TIMING_S, 0);
	assert_int_equal(next(&q, NOON), 2);
	queue_release(&q);
}

static void
test_quota_a_day_goes_on_after_a_restart_and_a_clock_set_to_another_day_begins_one(void **state)
{
	struct queue	 q;

	(void)state;
	queue_init(&q, 100);
	quota_set_day(&q, ALICE, 100, 7);
	quota_set_day(&q, BOB, 99, 7);
	quota_set(&q, QUOTA_TIMING_S, 7);
	(void)add_built(&q, 1, ALICE);
	assert_int_equal(next(&q, NOON), 0);
	(void)add_built(&q, 2, BOB);
	assert_int_equal(next(&q, NOON), 2);
	queue_clock_was_set(&q, NOON - 50 * DAY_S);
	job_move(&q, queue_find(&q, 2), JOB_TIMING);
	assert_int_equal(next(&q, NOON - 50 * DAY_S), 1);
	assert_int_equal(next(&q, NOON), 0);	/* it was timed for no longer on another day */
	queue_release(&q);
}

static void
test_quota_a_held_user_saves_up_no_time(void **state)
{
	struct queue	 q;

	(void)state;
	queue_init(&q, 100);
	quota_set(&q, QUOTA_TIMING_S, 10);
	assert_int_equal(next(&q, NOON), 0);
	time_for(&q, add_built(&q, 1, ALICE), 10);
	(void)add_built(&q, 2, ALICE);
	time_for(&q, add_built(&q, 3, 0), 500);
	assert_true(queue_share(queue_find(&q, 2)) < 500);
	assert_int_equal(next(&q, 101 * DAY_S), 2);
	assert_true(queue_share(queue_find(&q, 2)) >= 500);
	queue_release(&q);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_quota_claimed_and_queued_jobs_count_until_they_are_over),
		cmocka_unit_test(test_quota_a_claim_goes_into_the_queue_piece_by_piece),
		cmocka_unit_test(test_quota_operators_have_none),
		cmocka_unit_test(
		    test_quota_a_user_that_has_used_its_day_is_held_until_midnight_and_others_are_not),
		cmocka_unit_test(test_quota_a_held_user_is_built_ahead_and_listed),
		cmocka_unit_test(test_quota_of_timing_is_changed_while_users_are_held),
		cmocka_unit_test(
		    test_quota_a_day_goes_on_after_a_restart_and_a_clock_set_to_another_day_begins_one),
		cmocka_unit_test(test_quota_a_held_user_saves_up_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
