/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "daemon/queue/queue_impl.h"
#include "tests/support/dice.h"

enum { JOBS = 400, STEPS = 20000 };

static uint64_t	seed = 12;

static unsigned
roll(unsigned n)
{
	return (unsigned)(n * dice_uniform(&seed));
}

/* Of one tree; the ids are the places in `jobs`. */
struct wood {
	struct jobs_by_turn	 tree;
	struct queued_job	 jobs[JOBS];
	bool			 is_in[JOBS];
};

static size_t
before_by_hand(const struct wood *w, const struct queued_job *key)
{
	size_t	n = 0;

	for (unsigned i = 0; i < JOBS; i++)
		n += w->is_in[i] && queue_compare_turns(&w->jobs[i], key) < 0;
	return n;
}

static size_t
count_by_hand(const struct wood *w)
{
	size_t	n = 0;

	for (unsigned i = 0; i < JOBS; i++)
		n += w->is_in[i];
	return n;
}

static void
fill(struct wood *w)
{
	RB_INIT(&w->tree);
	for (unsigned i = 0; i < JOBS; i++)
		w->jobs[i] = (struct queued_job){ .id = i + 1, .priority = (int16_t)roll(3),
		    .sweep_id = roll(2) };
}

static void
toggle(struct wood *w, unsigned i)
{
	if (w->is_in[i])
		turns_remove(&w->tree, &w->jobs[i]);
	else
		turns_insert(&w->tree, &w->jobs[i]);
	w->is_in[i] = !w->is_in[i];
}

static void
test_rank_is_right_however_jobs_come_and_go(void **state)
{
	struct wood	*w = calloc(1, sizeof *w);

	(void)state;
	assert_non_null(w);
	fill(w);
	for (unsigned step = 0; step < STEPS; step++) {
		/* phases in which the tree grows, and in which it shrinks */
		unsigned		 i = roll(JOBS);
		const struct queued_job	*key = &w->jobs[roll(JOBS)];

		if (w->is_in[i] != (step / 2000 % 2 != 0) && roll(4) != 0)
			continue;
		toggle(w, i);
		assert_int_equal(turns_count(&w->tree), count_by_hand(w));
		assert_int_equal(turns_before(&w->tree, key), before_by_hand(w, key));
	}
	free(w);
}

static void
test_rank_is_right_in_a_tree_that_is_emptied_from_its_head(void **state)
{
	struct wood	*w = calloc(1, sizeof *w);
	size_t		 left = JOBS;

	(void)state;
	assert_non_null(w);
	fill(w);
	for (unsigned i = 0; i < JOBS; i++)
		toggle(w, i);
	while (left > 0) {
		struct queued_job	*first = RB_MIN(jobs_by_turn, &w->tree);
		const struct queued_job	*last = RB_MAX(jobs_by_turn, &w->tree);

		assert_int_equal(turns_before(&w->tree, first), 0);
		assert_int_equal(turns_before(&w->tree, last), left - 1);
		toggle(w, (unsigned)first->id - 1);
		left--;
	}
	assert_int_equal(turns_count(&w->tree), 0);
	free(w);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rank_is_right_however_jobs_come_and_go),
		cmocka_unit_test(test_rank_is_right_in_a_tree_that_is_emptied_from_its_head),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
