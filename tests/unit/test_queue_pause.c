/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "daemon/queue/queue.h"
#include "daemon/store/store.h"

enum { ALICE = 1001, BOB = 1002, SWEEP = 7, NIGHT_FROM = 120, NIGHT_TO = 180 };

static const struct pause	all = { PAUSE_ALL, 0 }, of_alice = { PAUSE_USER, ALICE },
				of_sweep = { PAUSE_SWEEP, SWEEP };

static void
enter(struct queue *q, int64_t id, uid_t user, int64_t sweep)
{
	const struct queued_job	j = { .id = id, .submitter = user, .sweep_id = sweep, .threads = 1,
				    .window = { -1, -1 } };

	assert_int_equal(queue_add(q, &j, NULL), ST_OK);
}

static void
set(struct queue *q, const struct pause *p, bool is_on)
{
	assert_int_equal(queue_set_paused(q, p, is_on), ST_OK);
}

static int64_t
to_build(struct queue *q)
{
	const struct queued_job	*j = queue_next_to_build(q, 0);

	return j != NULL ? j->id : 0;
}

static enum queue_answer
take(void *arg, const struct queued_job *j)
{
	(void)arg;
	(void)j;
	return QUEUE_TAKE;
}

static int64_t
to_time(struct queue *q)
{
	const struct queued_job	*j = queue_next_to_time(q, 0, take, NULL);

	return j != NULL ? j->id : 0;
}

static void
move(struct queue *q, int64_t id, enum job_state to)
{
	job_move(q, queue_find(q, id), to);
}

/* 1 and 2 of the sweep, 3 of Alice, 4 of Bob; 1 is built, 2 is being built. */
static void
fill(struct queue *q)
{
	queue_init(q, 100);
	enter(q, 1, ALICE, SWEEP);
	enter(q, 2, ALICE, SWEEP);
	move(q, 1, JOB_BUILDING);
	move(q, 1, JOB_BUILT);
	move(q, 2, JOB_BUILDING);
	enter(q, 3, ALICE, 0);
	enter(q, 4, BOB, 0);
}

static void
test_pause_D10_of_a_paused_sweep_nothing_is_begun_and_others_go_on(void **state)
{
	struct queue	q;

	(void)state;
	fill(&q);
	set(&q, &of_sweep, true);
	move(&q, 2, JOB_QUEUED);			/* a fault; it begins anew */
	assert_int_equal(to_time(&q), 0);
	move(&q, 4, JOB_BUILDING);
	assert_int_equal(to_build(&q), 3);
	move(&q, 3, JOB_BUILDING);
	assert_int_equal(to_build(&q), 0);
	assert_int_equal(queue_paused_by(&q, ALICE, SWEEP), PAUSE_SWEEP);
	assert_int_equal(queue_paused_by(&q, ALICE, 0), PAUSE_NONE);
	set(&q, &of_sweep, false);
	assert_int_equal(to_time(&q), 1);
	assert_int_equal(to_build(&q), 2);
	queue_release(&q);
}

static void
test_pause_D10_of_a_paused_user_nothing_is_begun_and_others_go_on(void **state)
{
	struct queue	q;

	(void)state;
	fill(&q);
	set(&q, &of_alice, true);
	move(&q, 2, JOB_BUILT);				/* what is at work ends */
	assert_int_equal(to_time(&q), 0);
	assert_int_equal(to_build(&q), 4);
	move(&q, 4, JOB_BUILDING);
	assert_int_equal(to_build(&q), 0);
	move(&q, 4, JOB_BUILT);
	assert_int_equal(to_time(&q), 4);
	assert_int_equal(queue_paused_by(&q, ALICE, SWEEP), PAUSE_USER);
	assert_int_equal(queue_paused_by(&q, BOB, 0), PAUSE_NONE);
	set(&q, &of_alice, false);
	assert_int_equal(to_build(&q), 3);
	queue_release(&q);
}

static void
test_pause_D10_while_all_is_paused_nothing_is_begun(void **state)
{
	struct queue	q;

	(void)state;
	fill(&q);
	set(&q, &all, true);
	assert_int_equal(to_build(&q), 0);
	assert_int_equal(to_time(&q), 0);
	assert_int_equal(queue_paused_by(&q, BOB, 0), PAUSE_ALL);
	set(&q, &all, false);
	assert_int_equal(to_time(&q), 1);
	assert_int_not_equal(to_build(&q), 0);
	queue_release(&q);
}

static void
test_pause_each_of_several_holds_by_itself(void **state)
{
	struct queue	q;

	(void)state;
	fill(&q);
	set(&q, &of_sweep, true);
	set(&q, &of_alice, true);
	set(&q, &all, true);
	set(&q, &of_sweep, true);			/* again */
	set(&q, &all, false);
	assert_int_equal(to_time(&q), 0);
	set(&q, &of_alice, false);
	assert_int_equal(to_time(&q), 0);
	set(&q, &of_sweep, false);
	assert_int_equal(to_time(&q), 1);
	queue_release(&q);
}

static void
test_pause_a_sweep_without_live_jobs_stays_paused_for_those_that_come(void **state)
{
	struct queue	q;
	struct pause	got[4];

	(void)state;
	queue_init(&q, 100);
	set(&q, &of_sweep, true);
	set(&q, &of_alice, true);
	enter(&q, 1, BOB, SWEEP);
	enter(&q, 2, ALICE, 0);
	assert_int_equal(to_build(&q), 0);
	assert_int_equal(queue_pauses(&q, got, 1), 1);
	assert_int_equal(queue_pauses(&q, got, 4), 2);
	assert_int_equal(got[0].kind, PAUSE_USER);
	assert_int_equal(got[0].id, ALICE);
	assert_int_equal(got[1].kind, PAUSE_SWEEP);
	assert_int_equal(got[1].id, SWEEP);
	set(&q, &of_sweep, false);
	assert_int_equal(to_build(&q), 1);
	queue_release(&q);
}

static void
test_pause_a_window_that_opens_does_not_resume(void **state)
{
	struct queue	q;
	const int64_t	night = NIGHT_FROM * 60, day = (NIGHT_TO + 60) * 60;
	struct queued_job	j = { .id = 1, .submitter = ALICE, .sweep_id = SWEEP, .threads = 1,
				    .window = { NIGHT_FROM, NIGHT_TO } };

	(void)state;
	queue_init(&q, 100);
	assert_null(queue_next_to_build(&q, day - 24 * 3600));
	assert_int_equal(queue_add(&q, &j, NULL), ST_OK);
	set(&q, &of_sweep, true);
	assert_null(queue_next_to_build(&q, night));
	set(&q, &of_sweep, false);
	assert_non_null(queue_next_to_build(&q, night));
	set(&q, &of_sweep, true);
	assert_null(queue_next_to_build(&q, day));
	set(&q, &of_sweep, false);
	assert_null(queue_next_to_build(&q, day));
	queue_release(&q);
}

static void
test_pause_paused_jobs_are_listed_and_expire(void **state)
{
	const struct queued_job	*list[8];
	struct queued_job	 due = { .id = 9, .submitter = ALICE, .sweep_id = SWEEP,
				    .threads = 1, .window = { -1, -1 }, .deadline = 50 };
	const struct pause	*const pauses[] = { &of_sweep, &of_alice, &all };

	(void)state;
	for (unsigned i = 0; i < sizeof pauses / sizeof pauses[0]; i++) {
		struct queue	q;

		fill(&q);
		assert_int_equal(queue_add(&q, &due, NULL), ST_OK);
		set(&q, pauses[i], true);
		assert_int_equal(queue_list(&q, list, 8), 5);
		assert_int_equal(list[0]->id, 1);	/* built */
		assert_int_equal(list[1]->id, 2);	/* building */
		assert_int_equal(queue_next_expired(&q, 50)->id, 9);
		queue_release(&q);
	}
}

/* ---- on disk ---- */

struct seen {
	size_t		 n;
	struct pause	 last;
};

static enum status
see(void *arg, const struct pause *p)
{
	struct seen	*s = arg;

	s->n++;
	s->last = *p;
	return ST_OK;
}

static struct seen
stored(struct store *store)
{
	struct seen	s = { .n = 0 };
	struct fault	why;

	assert_int_equal(store_each_pause(store, see, &s, &why), ST_OK);
	return s;
}

static void
test_pause_the_store_has_each_once_until_it_ends(void **state)
{
	struct store	*store;
	struct fault	 why;

	(void)state;
	assert_int_equal(store_open(&store, ":memory:", &why), ST_OK);
	assert_int_equal(store_set_pause(store, &all, true, &why), ST_OK);
	assert_int_equal(store_set_pause(store, &of_alice, true, &why), ST_OK);
	assert_int_equal(store_set_pause(store, &of_alice, true, &why), ST_OK);
	assert_int_equal(store_set_pause(store, &of_sweep, true, &why), ST_OK);
	assert_int_equal(stored(store).n, 3);
	assert_int_equal(store_set_pause(store, &all, false, &why), ST_OK);
	assert_int_equal(store_set_pause(store, &of_alice, false, &why), ST_OK);
	assert_int_equal(stored(store).n, 1);
	assert_int_equal(stored(store).last.kind, PAUSE_SWEEP);
	assert_int_equal(stored(store).last.id, SWEEP);
	store_free(store);
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
		cmocka_unit_test(test_pause_D10_of_a_paused_sweep_nothing_is_begun_and_others_go_on),
		cmocka_unit_test(test_pause_D10_of_a_paused_user_nothing_is_begun_and_others_go_on),
		cmocka_unit_test(test_pause_D10_while_all_is_paused_nothing_is_begun),
		cmocka_unit_test(test_pause_each_of_several_holds_by_itself),
		cmocka_unit_test(test_pause_a_sweep_without_live_jobs_stays_paused_for_those_that_come),
		cmocka_unit_test(test_pause_a_window_that_opens_does_not_resume),
		cmocka_unit_test(test_pause_paused_jobs_are_listed_and_expire),
		cmocka_unit_test(test_pause_the_store_has_each_once_until_it_ends),
	};

	return cmocka_run_group_tests(tests, use_utc, NULL);
}
