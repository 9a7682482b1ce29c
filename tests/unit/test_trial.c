/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/dispatch/trial.h"
#include "daemon/store/pause.h"

struct asked {
	unsigned	times;
	bool		can_be_had;
};

static bool
ask(void *arg)
{
	struct asked	*a = arg;

	a->times++;
	return a->can_be_had;
}

static void
begin(struct trial *t, struct queue *q, struct asked *a)
{
	queue_init(q, 100);
	*a = (struct asked){ .can_be_had = true };
	*t = (struct trial){ .ask = ask, .arg = a };
}

static void
enter(struct queue *q, int64_t id)
{
	const struct queued_job	j = { .id = id, .submitter = geteuid(), .threads = 1,
				    .window = { -1, -1 } };

	assert_int_equal(queue_add(q, &j, NULL), ST_OK);
}

static void
leave(struct queue *q, int64_t id)
{
	struct queued_job	*j = queue_find(q, id);

	job_move(q, j, JOB_BUILDING);
	job_move(q, j, JOB_FAILED);
	queue_forget(q, j);
}

static void
test_D10_trial_is_asked_for_once_until_it_is_over(void **state)
{
	struct trial	t;
	struct queue	q;
	struct asked	a;

	(void)state;
	begin(&t, &q, &a);
	for (int i = 0; i < 3; i++)
		assert_true(trial_want(&t, &q, i));
	assert_null(trial_job(&t, &q));
	enter(&q, 7);
	trial_has(&t, 7, 3);
	assert_true(trial_want(&t, &q, 4));
	assert_int_equal(trial_job(&t, &q)->id, 7);
	assert_int_equal(a.times, 1);
	queue_release(&q);
}

static void
test_D10_trial_that_showed_nothing_is_not_asked_for_again_at_once(void **state)
{
	struct trial	t;
	struct queue	q;
	struct asked	a;

	(void)state;
	begin(&t, &q, &a);
	(void)trial_want(&t, &q, 0);
	enter(&q, 7);
	trial_has(&t, 7, 0);
	leave(&q, 7);
	assert_false(trial_want(&t, &q, 5));
	assert_false(trial_want(&t, &q, 5 + TRIAL_REST_S - 1));
	assert_true(trial_want(&t, &q, 5 + TRIAL_REST_S));
	assert_int_equal(a.times, 2);
	enter(&q, 8);
	trial_has(&t, 8, 20);
	leave(&q, 8);
	trial_is_done(&t);		/* this one has shown its slot to be well */
	assert_true(trial_want(&t, &q, 20));
	queue_release(&q);
}

static void
test_D10_trial_that_cannot_be_had_leaves_the_place_to_other_jobs(void **state)
{
	static const struct pause	all = { PAUSE_ALL, 0 };
	struct trial			t;
	struct queue			q;
	struct asked			a;

	(void)state;
	begin(&t, &q, &a);
	a.can_be_had = false;
	for (int i = 0; i < TRIAL_REST_S; i++)
		assert_false(trial_want(&t, &q, i));
	assert_int_equal(a.times, 1);
	a.can_be_had = true;
	assert_true(trial_want(&t, &q, TRIAL_REST_S));
	trial_has(&t, 0, TRIAL_REST_S);		/* the commit failed */
	assert_false(trial_want(&t, &q, TRIAL_REST_S));
	assert_int_equal(queue_set_paused(&q, &all, true), ST_OK);
	assert_false(trial_want(&t, &q, 3 * TRIAL_REST_S));
	assert_int_equal(a.times, 2);
	queue_release(&q);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_D10_trial_is_asked_for_once_until_it_is_over),
		cmocka_unit_test(test_D10_trial_that_showed_nothing_is_not_asked_for_again_at_once),
		cmocka_unit_test(test_D10_trial_that_cannot_be_had_leaves_the_place_to_other_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
