/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "worker/runner/method/meeting.h"

enum { COPIES = 3, REGIONS = 50 };

/* Threads stand for processes: what they share is the spots. */
struct copy {
	struct rt_meeting	 meeting;
	struct runner_sample	 sample[REGIONS];
};

static char		 spots[COPIES][RUNNER_PAGE_BYTES] __attribute__((aligned(4096)));
static struct copy	 copy[COPIES];
static struct runner_run run = { .kind = RUNNER_SAMPLE, .samples = REGIONS, .copies = COPIES };

static int
set_up(void **state)
{
	(void)state;
	memset(spots, 0, sizeof spots);
	memset(copy, 0, sizeof copy);
	for (uint32_t i = 0; i < COPIES; i++)
		copy[i].meeting = (struct rt_meeting){ (struct runner_spot *)(void *)spots, i, 0, 0 };
	return 0;
}

static void *
take_samples(void *arg)
{
	struct copy	*c = arg;

	rt_meet_order(&c->meeting, &run);
	for (int i = 0; i < REGIONS; i++) {
		assert_int_equal(rt_meet(&c->meeting), 1);
		rt_meet_to_begin(&c->meeting, &c->sample[i]);
		rt_meet_leave(&c->meeting, &c->sample[i]);
		while (!rt_meet_is_over(&c->meeting))
			continue;
	}
	return NULL;
}

static void
test_rt_meeting_no_copy_begins_before_the_last_is_ready(void **state)
{
	pthread_t	thread[COPIES];

	(void)state;
	for (int i = 0; i < COPIES; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, take_samples, &copy[i]), 0);
	for (int i = 0; i < COPIES; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	for (int r = 0; r < REGIONS; r++)
		for (int i = 0; i < COPIES; i++)
			for (int k = 0; k < COPIES; k++)
				assert_true(copy[i].sample[r].began_ns >=
				    copy[k].sample[r].ready_ns);
}

static void
test_rt_meeting_each_region_has_two_numbers_that_grow(void **state)
{
	(void)state;
	test_rt_meeting_no_copy_begins_before_the_last_is_ready(state);
	for (int i = 0; i < COPIES; i++) {
		const struct runner_spot	*s = (const void *)spots[i];

		assert_int_equal(s->arrived, 2 * REGIONS);
		assert_int_equal(s->left, 2 * REGIONS);
	}
}

static void
test_rt_meeting_a_region_is_over_when_all_have_left(void **state)
{
	struct runner_spot	*other = (struct runner_spot *)(void *)spots[1];
	struct runner_sample	 s;

	(void)state;
	rt_meet_order(&copy[0].meeting, &run);
	((struct runner_spot *)(void *)spots[2])->arrived = UINT64_MAX;
	((struct runner_spot *)(void *)spots[2])->left = UINT64_MAX;
	other->arrived = UINT64_MAX;
	(void)rt_meet(&copy[0].meeting);
	rt_meet_to_begin(&copy[0].meeting, &s);
	rt_meet_leave(&copy[0].meeting, &s);
	assert_false(rt_meet_is_over(&copy[0].meeting));
	other->left = copy[0].meeting.number;
	assert_true(rt_meet_is_over(&copy[0].meeting));
}

static void
test_rt_meeting_alone_there_is_nothing_to_wait_for(void **state)
{
	const struct runner_run	 alone = { .kind = RUNNER_SAMPLE, .samples = 1 };
	const struct runner_run	 empty = { .kind = RUNNER_EMPTY, .samples = 1, .copies = COPIES };
	const struct runner_run	*of[] = { &alone, &empty };
	struct runner_sample	 s = { .began_ns = 7 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		rt_meet_order(&copy[0].meeting, of[i]);
		assert_int_equal(rt_meet(&copy[0].meeting), 0);
		rt_meet_to_begin(&copy[0].meeting, &s);
		assert_int_equal(s.began_ns, 0);
		rt_meet_leave(&copy[0].meeting, &s);
		assert_int_equal(s.ended_ns, 0);
		assert_true(rt_meet_is_over(&copy[0].meeting));
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test_setup(test_rt_meeting_no_copy_begins_before_the_last_is_ready,
		    set_up),
		cmocka_unit_test_setup(test_rt_meeting_each_region_has_two_numbers_that_grow, set_up),
		cmocka_unit_test_setup(test_rt_meeting_a_region_is_over_when_all_have_left, set_up),
		cmocka_unit_test_setup(test_rt_meeting_alone_there_is_nothing_to_wait_for, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
