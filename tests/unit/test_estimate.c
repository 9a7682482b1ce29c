/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "daemon/queue/queue_impl.h"
#include "tests/support/played_queue.h"

enum { ALICE = 1001, BOB = 1002, CAROL = 1003 };
enum { SHORT, LONG, SLOW_TO_BUILD, VARIED };

static const struct play_kind	kinds[PLAY_MAX_KINDS] = {
	[SHORT] = { 0.1, 1, 0 }, [LONG] = { 0.1, 5, 0 }, [SLOW_TO_BUILD] = { 4, 0.5, 0 },
	[VARIED] = { 0.1, 2, 0.9 },
};

static struct play *
setting(unsigned slots, unsigned builders)
{
	struct play	*p = play_new(slots, builders);

	memcpy(p->kinds, kinds, sizeof kinds);
	return p;
}

static struct queued_job
of(uid_t user, int64_t sweep, int priority)
{
	return (struct queued_job){ .submitter = user, .sweep_id = sweep,
	    .priority = (int16_t)priority };
}

/* All that was expected came about, within so many seconds and so much of the time until then. */
static void
check(const struct play *p, double slack_s, double part, double slack_jobs)
{
	unsigned	n = 0;

	for (int64_t id = 1; id <= p->last_id; id++) {
		const struct estimate	*e = &p->expected[id];
		const double		 took_s = p->ended[id] - p->asked;
		const double		 off = (double)(e->position - play_position(p, id));

		if (p->ended[id] <= p->asked || e->gap != ESTIMATE_MADE || e->eta_s < 0)
			continue;
		n++;
		if (fabs(e->eta_s - took_s) > slack_s + part * took_s)
			fail_msg("job %d: %.1f s expected, and %.1f s", (int)id, e->eta_s, took_s);
		if (p->place[id] > p->begun_then && fabs(off) > slack_jobs + part *
		    (double)play_position(p, id))
			fail_msg("job %d: %d before it expected, and %d", (int)id, (int)e->position,
			    (int)play_position(p, id));
	}
	assert_true(n > 10);
}

static void
finish(struct play *p)
{
	play_until_over(p, INT64_MAX);
	assert_int_equal(queue_live(&p->q), 0);
}

static void
test_D10_of_one_user_on_one_slot_times_and_places_are_as_expected(void **state)
{
	struct play	*p = setting(1, 1);

	(void)state;
	(void)play_add(p, 300, SHORT, of(ALICE, 7, 0));
	play_until_over(p, 20);
	play_ask(p);
	finish(p);
	check(p, 0.3, 0.001, 0);
	play_free(p);
}

static void
test_D10_users_share_and_each_is_expected_at_its_time(void **state)
{
	struct play	*p = setting(1, 1);

	(void)state;
	(void)play_add(p, 400, SHORT, of(ALICE, 7, 0));
	play_until_over(p, 50);
	(void)play_add(p, 60, LONG, of(BOB, 8, 0));
	(void)play_add(p, 150, SHORT, of(CAROL, 9, 0));
	play_until_over(p, 90);
	play_ask(p);
	finish(p);
	check(p, 15, 0.03, 6);
	play_free(p);
}

static void
test_D10_priorities_and_single_jobs_come_first_among_a_users_own(void **state)
{
	struct play	*p = setting(1, 2);

	(void)state;
	(void)play_add(p, 200, SHORT, of(ALICE, 7, 0));
	play_until_over(p, 10);
	(void)play_add(p, 40, SHORT, of(ALICE, 8, 5));
	(void)play_add(p, 30, SHORT, of(ALICE, 9, -5));
	(void)play_add(p, 150, SHORT, of(ALICE, 0, 0));
	(void)play_add(p, 150, SHORT, of(BOB, 10, 0));
	play_until_over(p, 13);		/* built ones go on until better ones are built */
	play_ask(p);
	finish(p);
	check(p, 12, 0.03, 12);
	play_free(p);
}

static void
test_D10_several_slots_work_at_the_same_time(void **state)
{
	struct play	*p = setting(4, 2);

	(void)state;
	(void)play_add(p, 400, SHORT, of(ALICE, 7, 0));
	(void)play_add(p, 400, SHORT, of(BOB, 8, 0));
	play_until_over(p, 100);
	play_ask(p);
	finish(p);
	check(p, 3, 0.03, 6);
	play_free(p);
}

static void
test_D10_builders_are_the_measure_where_they_are_slower(void **state)
{
	struct play	*p = setting(2, 2);

	(void)state;
	(void)play_add(p, 200, SLOW_TO_BUILD, of(ALICE, 7, 0));
	(void)play_add(p, 200, SLOW_TO_BUILD, of(BOB, 8, 0));
	play_until_over(p, 30);
	play_ask(p);
	finish(p);
	check(p, 10, 0.05, 6);
	play_free(p);
}

static void
test_D10_times_that_vary_are_expected_by_their_mean(void **state)
{
	struct play	*p = setting(2, 1);

	(void)state;
	(void)play_add(p, 800, VARIED, of(ALICE, 7, 0));
	(void)play_add(p, 300, VARIED, of(BOB, 8, 0));
	play_until_over(p, 200);
	play_ask(p);
	finish(p);
	check(p, 15, 0.15, 15);
	play_free(p);
}

/* As cold jobs on one last cache. */
static void
test_D10_slots_that_may_not_time_side_by_side_count_as_what_they_do(void **state)
{
	struct play	*p = setting(4, 1);

	(void)state;
	p->most_timing = 1;
	(void)play_add(p, 500, SHORT, of(ALICE, 7, 0));
	play_until_over(p, 150);
	play_ask(p);
	finish(p);
	check(p, 3, 0.1, 0);
	play_free(p);
}

static void
test_D10_operators_jobs_come_first_or_last_by_their_priority(void **state)
{
	struct play	*p = setting(1, 2);
	const int64_t	 before = play_add(p, 100, SHORT, of(ALICE, 7, 0));

	(void)state;
	play_until_over(p, 10);
	(void)play_add(p, 20, SHORT, of(0, 0, 3));
	play_ask(p);
	assert_true(p->expected[before].position > 100);
	assert_true(p->expected[p->last_id].position < 22);
	finish(p);
	check(p, 12, 0.03, 12);
	play_free(p);
}

/* ---- what is not known, and why ---- */

static struct estimate
ask(struct play *p, int64_t id)
{
	const struct queue_places	places = play_places(p);
	struct estimate			e;

	estimate_job(&p->q, &places, queue_find(&p->q, id), &e);
	return e;
}

static void
expect_gap(struct play *p, int64_t id, enum estimate_gap gap)
{
	const struct estimate	e = ask(p, id);

	assert_int_equal(e.gap, gap);
	assert_true(e.eta_s < 0);
	assert_int_equal(e.position, -1);
}

static void
test_D10_without_a_measured_job_there_is_a_place_and_no_time(void **state)
{
	struct play	*p = setting(1, 1);
	struct estimate	 e;

	(void)state;
	(void)play_add(p, 10, SHORT, of(ALICE, 7, 0));
	e = ask(p, 5);
	assert_int_equal(e.position, 4);
	assert_int_equal(e.gap, ESTIMATE_NO_RATE);
	assert_int_equal(e.by, ESTIMATE_BY_NONE);
	assert_true(e.eta_s < 0);
	play_until_over(p, 1);
	assert_int_equal(ask(p, 5).gap, ESTIMATE_MADE);
	play_free(p);
}

static void
test_D10_a_mean_is_of_the_sweep_else_of_the_user_else_of_all(void **state)
{
	struct play	*p = setting(1, 1);
	int64_t		 same, other, stranger;

	(void)state;
	same = play_add(p, 10, SHORT, of(ALICE, 7, 0));
	play_until_over(p, 2);
	other = play_add(p, 10, LONG, of(ALICE, 8, 0));
	stranger = play_add(p, 10, LONG, of(BOB, 9, 0));
	assert_int_equal(ask(p, same).by, ESTIMATE_BY_SWEEP);
	assert_int_equal(ask(p, other).by, ESTIMATE_BY_USER);
	assert_int_equal(ask(p, stranger).by, ESTIMATE_BY_ALL);
	play_until_over(p, 12);
	assert_int_equal(ask(p, stranger).by, ESTIMATE_BY_SWEEP);
	play_free(p);
}

static void
test_D10_what_is_paused_has_neither_and_is_in_nobodys_way(void **state)
{
	const struct pause	 sweep = { PAUSE_SWEEP, 7 }, bob = { PAUSE_USER, BOB },
				 all = { PAUSE_ALL, 0 };
	struct play		*p = setting(1, 1);
	const int64_t		 of_sweep = play_add(p, 100, SHORT, of(ALICE, 7, 0));
	const int64_t		 of_bob = play_add(p, 100, SHORT, of(BOB, 8, 0));
	const int64_t		 free_one = play_add(p, 50, SHORT, of(ALICE, 9, 0));

	(void)state;
	play_until_over(p, 10);
	assert_int_equal(queue_set_paused(&p->q, &sweep, true), ST_OK);
	assert_int_equal(queue_set_paused(&p->q, &bob, true), ST_OK);
	expect_gap(p, of_sweep, ESTIMATE_PAUSED);
	expect_gap(p, of_bob, ESTIMATE_PAUSED);
	play_ask(p);
	play_until_over(p, INT64_MAX);
	assert_true(p->ended[free_one] > 0);
	check(p, 3, 0.03, 2);
	assert_int_equal(queue_set_paused(&p->q, &sweep, false), ST_OK);
	assert_int_equal(queue_set_paused(&p->q, &bob, false), ST_OK);
	assert_int_equal(ask(p, of_sweep).gap, ESTIMATE_MADE);
	assert_int_equal(queue_set_paused(&p->q, &all, true), ST_OK);
	expect_gap(p, of_sweep, ESTIMATE_PAUSED);
	play_free(p);
}

static void
test_D10_what_is_asleep_says_until_when_and_is_in_nobodys_way(void **state)
{
	struct play		*p = setting(1, 1);
	struct queued_job	 late = of(ALICE, 0, 9), night = of(BOB, 8, 9);
	struct estimate		 e;
	int64_t			 id;

	(void)state;
	late.not_before = (int64_t)p->now + 5000;
	night.window = (struct window){ 2 * 60, 3 * 60 };	/* 1e9 is 01:46:40 UTC */
	(void)play_add(p, 100, SHORT, of(ALICE, 7, 0));
	play_until_over(p, 10);
	id = play_add(p, 50, SHORT, late);
	expect_gap(p, id, ESTIMATE_NOT_BEFORE);
	assert_int_equal(ask(p, id).until, late.not_before);
	id = play_add(p, 50, SHORT, night);
	expect_gap(p, id, ESTIMATE_WINDOW);
	assert_int_equal(ask(p, id).until, 1000000000 + 13 * 60 + 20);
	e = ask(p, 100);
	assert_true(fabs(e.eta_s - 90) < 1.5);
	play_free(p);
}

static void
test_D10_a_user_whose_day_is_used_up_waits_for_the_next_one(void **state)
{
	struct play		*p = setting(1, 1);
	const int64_t		 tomorrow = ((int64_t)p->now / 86400 + 1) * 86400;
	const int64_t		 of_alice = play_add(p, 100, SHORT, of(ALICE, 7, 0));
	const int64_t		 of_bob = play_add(p, 5, SHORT, of(BOB, 8, 0));

	(void)state;
	quota_set(&p->q, QUOTA_TIMING_S, 6);
	play_until_over(p, 11);
	assert_true(p->ended[of_bob] > 0);
	expect_gap(p, of_alice, ESTIMATE_QUOTA);
	assert_int_equal(ask(p, of_alice).until, tomorrow);
	play_free(p);
}

static void
test_D10_without_a_place_that_could_take_it_there_is_no_time(void **state)
{
	struct play		*p = setting(1, 1);
	struct queue_places	 places = play_places(p);
	struct estimate		 e;

	(void)state;
	(void)play_add(p, 10, SHORT, of(ALICE, 7, 0));
	play_until_over(p, 2);
	places.slots[0] = 0;
	estimate_job(&p->q, &places, queue_find(&p->q, 9), &e);
	assert_int_equal(e.gap, ESTIMATE_NO_PLACE);
	assert_true(e.position > 0 && e.eta_s < 0);
	p->q.unread = 5;
	expect_gap(p, 9, ESTIMATE_READING);
	p->q.unread = 0;
	play_free(p);
}

/* ---- sweeps and users ---- */

static void
test_D10_the_end_of_a_sweep_is_expected_when_it_comes(void **state)
{
	struct play			*p = setting(2, 1);
	const struct queue_places	 places = play_places(p);
	struct queue_places		 now;
	struct estimate			 e, of_bob, none;
	const int64_t			 last = play_add(p, 300, SHORT, of(ALICE, 7, 0));
	int64_t				 last_bob;

	(void)state;
	play_until_over(p, 20);
	last_bob = play_add(p, 100, SHORT, of(BOB, 8, 0));
	now = play_places(p);
	estimate_sweep(&p->q, &now, 7, &e);
	estimate_sweep(&p->q, &now, 8, &of_bob);
	estimate_sweep(&p->q, &places, 99, &none);
	assert_int_equal(none.gap, ESTIMATE_NOTHING);
	assert_int_equal(e.gap, ESTIMATE_MADE);
	assert_true(e.position >= 0 && e.position < 5);
	p->asked = p->now;
	finish(p);
	assert_true(fabs(p->ended[last] - p->asked - e.eta_s) < 5);
	assert_true(fabs(p->ended[last_bob] - p->asked - of_bob.eta_s) < 5);
	play_free(p);
}

static void
test_D10_a_sweep_that_is_partly_asleep_has_no_end_yet(void **state)
{
	struct play			*p = setting(1, 1);
	struct queued_job		 late = of(ALICE, 7, 0);
	struct queue_places		 places;
	struct estimate			 e;

	(void)state;
	late.not_before = (int64_t)p->now + 5000;
	(void)play_add(p, 20, SHORT, of(ALICE, 7, 0));
	play_until_over(p, 2);
	(void)play_add(p, 1, SHORT, late);
	places = play_places(p);
	estimate_sweep(&p->q, &places, 7, &e);
	assert_int_equal(e.gap, ESTIMATE_NOT_BEFORE);
	assert_int_equal(e.until, late.not_before);
	assert_true(e.eta_s < 0 && e.position >= 0);
	play_free(p);
}

static void
test_D10_each_users_queue_ends_when_expected(void **state)
{
	struct play		*p = setting(2, 2);
	struct queue_places	 places;
	struct user_estimate	*users;
	int64_t			 last[3];
	size_t			 n;

	(void)state;
	last[0] = play_add(p, 500, SHORT, of(ALICE, 7, 0));
	play_until_over(p, 100);
	last[1] = play_add(p, 100, SHORT, of(BOB, 8, 0));
	last[2] = play_add(p, 20, LONG, of(CAROL, 9, 0));
	play_until_over(p, 115);
	places = play_places(p);
	assert_non_null(users = estimate_users(&p->q, &places, &n));
	assert_int_equal(n, 3);
	p->asked = p->now;
	finish(p);
	for (size_t i = 0; i < 3; i++) {
		const double	took_s = p->ended[last[i]] - p->asked;

		assert_int_equal(users[i].uid, ALICE + i);
		if (fabs(users[i].end.eta_s - took_s) > 6 + 0.05 * took_s)
			fail_msg("user %zu: %.1f s expected, and %.1f s", i, users[i].end.eta_s,
			    took_s);
	}
	free(users);
	play_free(p);
}

static void
test_D10_counts_of_a_user_say_what_is_not_ready(void **state)
{
	const struct pause	 sweep = { PAUSE_SWEEP, 7 };
	struct play		*p = setting(1, 1);
	struct queue_places	 places;
	struct user_estimate	*users;
	size_t			 n;

	(void)state;
	(void)play_add(p, 10, SHORT, of(ALICE, 7, 0));
	(void)play_add(p, 5, SHORT, of(ALICE, 8, 0));
	play_until_over(p, 3);
	assert_int_equal(queue_set_paused(&p->q, &sweep, true), ST_OK);
	places = play_places(p);
	assert_non_null(users = estimate_users(&p->q, &places, &n));
	assert_int_equal(n, 1);
	assert_int_equal(users->waiting + users->building + users->timing, 12);
	assert_int_equal(users->not_ready, 6);
	assert_true(fabs(users->timed_s - 3) < 1e-9);
	assert_int_equal(users->end.gap, ESTIMATE_MADE);
	free(users);
	play_free(p);
}

/* ---- bounds ---- */

static void
test_D10_beyond_a_thousand_sweeps_a_place_is_a_bound_from_above(void **state)
{
	struct play	*p = setting(1, 1);
	int64_t		 middle, last;

	(void)state;
	for (int64_t sweep = 1; sweep <= 1500; sweep++)
		(void)play_add(p, 1, SHORT, of(ALICE, sweep, 0));
	middle = ask(p, 500).position;
	last = ask(p, 1400).position;
	assert_int_equal(middle, 499);
	assert_in_range(last, 1399, 1500);
	play_free(p);
}

/* By a walk over all jobs. */
static void
expect_true_sums(struct play *p)
{
	struct queue_user	*u;

	RB_FOREACH(u, users_by_uid, &p->q.users) {
		struct load	 sum = { .jobs = 0 };

		for (int64_t id = 1; id <= p->last_id; id++) {
			const struct queued_job	*j = queue_find(&p->q, id);
			const bool		 is_queued = j != NULL && j->place == PLACE_BUNCH;
			const struct pace	*pace;

			if (j == NULL || j->bunch->group->user != u || (j->place != PLACE_USER &&
			    (!is_queued || !bunch_may_start(j->bunch))))
				continue;
			pace = &j->bunch->group->pace;
			sum.jobs++;
			sum.unbuilt += is_queued;
			sum.strange += pace->n == 0;
			sum.strange_unbuilt += pace->n == 0 && is_queued;
			sum.time_us += pace->time_us;
			sum.build_us += is_queued ? pace->build_us : 0;
		}
		assert_memory_equal(&sum, &u->load[0], sizeof sum);
	}
}

/* The sums are those of the jobs that may start, however jobs, pauses and means come and go. */
static void
test_D10_sums_stay_true(void **state)
{
	struct play		*p = setting(2, 2);
	const struct pause	 sweep = { PAUSE_SWEEP, 7 };
	struct queue_places	 places;
	struct user_estimate	*users;
	size_t			 n;

	(void)state;
	for (int i = 0; i < 30; i++) {
		(void)play_add(p, 40, VARIED, of(ALICE, 7 + i % 3, i % 4));
		(void)play_add(p, 20, SHORT, of(BOB, i % 2, -(i % 3)));
		assert_int_equal(queue_set_paused(&p->q, &sweep, i % 2 != 0), ST_OK);
		play_until_over(p, p->over + 50);
		expect_true_sums(p);
	}
	assert_int_equal(queue_set_paused(&p->q, &sweep, false), ST_OK);
	places = play_places(p);
	assert_non_null(users = estimate_users(&p->q, &places, &n));
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(users[i].not_ready, 0);
	free(users);
	finish(p);
	assert_non_null(users = estimate_users(&p->q, &places, &n));
	assert_int_equal(n, 0);
	free(users);
	play_free(p);
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
		cmocka_unit_test(test_D10_of_one_user_on_one_slot_times_and_places_are_as_expected),
		cmocka_unit_test(test_D10_users_share_and_each_is_expected_at_its_time),
		cmocka_unit_test(test_D10_priorities_and_single_jobs_come_first_among_a_users_own),
		cmocka_unit_test(test_D10_several_slots_work_at_the_same_time),
		cmocka_unit_test(test_D10_builders_are_the_measure_where_they_are_slower),
		cmocka_unit_test(test_D10_times_that_vary_are_expected_by_their_mean),
		cmocka_unit_test(
		    test_D10_slots_that_may_not_time_side_by_side_count_as_what_they_do),
		cmocka_unit_test(test_D10_operators_jobs_come_first_or_last_by_their_priority),
		cmocka_unit_test(test_D10_without_a_measured_job_there_is_a_place_and_no_time),
		cmocka_unit_test(test_D10_a_mean_is_of_the_sweep_else_of_the_user_else_of_all),
		cmocka_unit_test(test_D10_what_is_paused_has_neither_and_is_in_nobodys_way),
		cmocka_unit_test(test_D10_what_is_asleep_says_until_when_and_is_in_nobodys_way),
		cmocka_unit_test(test_D10_a_user_whose_day_is_used_up_waits_for_the_next_one),
		cmocka_unit_test(test_D10_without_a_place_that_could_take_it_there_is_no_time),
		cmocka_unit_test(test_D10_the_end_of_a_sweep_is_expected_when_it_comes),
		cmocka_unit_test(test_D10_a_sweep_that_is_partly_asleep_has_no_end_yet),
		cmocka_unit_test(test_D10_each_users_queue_ends_when_expected),
		cmocka_unit_test(test_D10_counts_of_a_user_say_what_is_not_ready),
		cmocka_unit_test(test_D10_beyond_a_thousand_sweeps_a_place_is_a_bound_from_above),
		cmocka_unit_test(test_D10_sums_stay_true),
	};

	return cmocka_run_group_tests(tests, use_utc, NULL);
}
