/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <event2/event.h>

#include "daemon/dispatch/cancels.h"

enum { JOBS = 1000 };

struct ended {
	unsigned	times[JOBS + 1];	/* that each job was tried */
	unsigned	needs;			/* times until it has left the queue */
	unsigned	all;
};

static bool
end_one(void *arg, int64_t id)
{
	struct ended	*e = arg;

	e->all++;
	return ++e->times[id] < e->needs;
}

static void
set_up(struct cancels *c, struct ended *e, struct event_base *base)
{
	struct fault	why;

	assert_int_equal(cancels_init(c, base, end_one, e, &why), ST_OK);
	assert_int_equal(cancels_reserve(c, JOBS), ST_OK);
	for (int64_t id = 1; id <= JOBS; id++)
		cancels_add(c, id);
	assert_int_equal(e->all, 0);		/* not from within the call */
}

static void
test_cancels_are_ended_in_slices_between_other_events(void **state)
{
	struct event_base	*base = event_base_new();
	struct ended		 e = { .needs = 1 };
	struct cancels		 c;
	unsigned		 turns = 0;

	(void)state;
	set_up(&c, &e, base);
	for (unsigned before = 0; e.all < JOBS; before = e.all, turns++) {
		assert_int_equal(event_base_loop(base, EVLOOP_ONCE), 0);
		assert_in_range(e.all - before, 1, CANCELS_SLICE);
	}
	assert_in_range(turns, JOBS / CANCELS_SLICE, JOBS);
	assert_int_equal(c.n, 0);
	cancels_release(&c);
	event_base_free(base);
}

static void
test_cancels_that_did_not_end_are_tried_again_and_no_job_is_lost(void **state)
{
	struct event_base	*base = event_base_new();
	struct ended		 e = { .needs = 3 };
	struct cancels		 c;

	(void)state;
	set_up(&c, &e, base);
	for (unsigned pass = 1; pass <= 3; pass++) {
		(void)event_base_dispatch(base);	/* ends when no event is left */
		assert_int_equal(e.all, pass * JOBS);
		cancels_again(&c);
	}
	for (unsigned id = 1; id <= JOBS; id++)
		assert_int_equal(e.times[id], 3);
	assert_int_equal(c.n, 0);
	cancels_release(&c);
	event_base_free(base);
}

static void
test_cancels_of_a_sweep_hold_until_its_jobs_are_gone(void **state)
{
	struct event_base	*base = event_base_new();
	struct ended		 e = { .needs = 2 };
	struct cancels		 c;

	(void)state;
	set_up(&c, &e, base);
	assert_int_equal(cancels_add_sweep(&c, 7), ST_OK);
	assert_int_equal(cancels_add_sweep(&c, 7), ST_OK);
	assert_int_equal(c.nsweeps, 1);
	assert_false(cancels_has_sweep(&c, 0));
	assert_false(cancels_has_sweep(&c, 8));
	(void)event_base_dispatch(base);
	assert_true(cancels_has_sweep(&c, 7));
	cancels_again(&c);
	(void)event_base_dispatch(base);
	assert_false(cancels_has_sweep(&c, 7));
	cancels_release(&c);
	event_base_free(base);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_cancels_are_ended_in_slices_between_other_events),
		cmocka_unit_test(test_cancels_that_did_not_end_are_tried_again_and_no_job_is_lost),
		cmocka_unit_test(test_cancels_of_a_sweep_hold_until_its_jobs_are_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
