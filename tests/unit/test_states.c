/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/search/states.h"

#define KIB	((uint64_t)1 << 10)
#define ALL	(1u << LEVEL_WARM | 1u << LEVEL_L2 | 1u << LEVEL_L3 | 1u << LEVEL_MEMORY)

static const struct states_operand	two[] = {
	{ "y", 200 * KIB, ALL }, { "x", 800 * KIB, ALL | 1u << LEVEL_WARM_DIRTY },
};
static const struct states_operand	small[] = { { "x", 200 * KIB, ALL } };

/* A machine: what each operand adds to the warm time at each level, in tenths of it. */
struct machine {
	double		 adds[STATES_OPERANDS][LEVEL_N];
	double		 warm_ns, cold;		/* cold: to warm */
	double		 overlap;		/* of two operands that are not warm: less than
						 * their sum */
	double		 drift;			/* each timing is so much slower than the last */
	unsigned	 timed;
};

static const struct machine	plain = {
	.adds = {
		{ [LEVEL_WARM_DIRTY] = 0.5, [LEVEL_L2] = 1, [LEVEL_L3] = 4, [LEVEL_MEMORY] = 10 },
		{ [LEVEL_L2] = 0.3, [LEVEL_L3] = 1.5, [LEVEL_MEMORY] = 3 },
	},
	.warm_ns = 10000, .cold = 2.4, .overlap = 1, .drift = 1,
};

static double
ratio_of(const struct machine *m, const struct states_point *p)
{
	double		sum = 0;
	unsigned	moved = 0;

	if (p->is_cold)
		return m->cold;
	for (size_t k = 0; k < STATES_OPERANDS; k++) {
		sum += m->adds[k][p->level[k]] / 10;
		moved += p->level[k] != LEVEL_WARM;
	}
	return 1 + sum * (moved > 1 ? m->overlap : 1);
}

static unsigned
seek(struct states *s, struct machine *m, double target_ns, unsigned timings)
{
	struct states_point	p;
	const unsigned		before = m->timed;

	states_seek(s, target_ns, 0.03, timings);
	while (states_next(s, &p)) {
		const double	warm_ns = m->warm_ns * pow(m->drift, m->timed++);

		if (states_is_warm(&p)) {
			states_add(s, &p, warm_ns, warm_ns);
			continue;
		}
		m->timed++;
		states_add(s, &p, warm_ns, warm_ns * ratio_of(m, &p));
	}
	return m->timed - before;
}

static const struct states_point *
best(const struct states *s)
{
	return &s->point[s->best];
}

static void
assert_hit(const struct states *s)
{
	assert_int_equal(s->end, SOLVE_HIT);
	assert_true(best(s)->times >= 2);
	assert_true(fabs(states_difference(s)) <= 0.03);
}

static void
test_states_the_largest_operands_come_first(void **state)
{
	struct states	s;

	(void)state;
	states_init(&s, two, 2);
	assert_string_equal(s.operand[0].name, "x");
	assert_string_equal(s.operand[1].name, "y");
}

static void
test_states_a_warm_time_needs_no_search(void **state)
{
	struct machine	m = plain;
	struct states	s;

	(void)state;
	states_init(&s, two, 2);
	assert_int_equal(seek(&s, &m, 10100, 40), 3);
	assert_hit(&s);
	assert_true(states_is_warm(best(&s)));
}

static void
test_states_P41_the_cold_time_is_the_cold_context(void **state)
{
	struct machine	m = plain;
	struct states	s;

	(void)state;
	states_init(&s, two, 2);
	(void)seek(&s, &m, 24100, 40);
	assert_hit(&s);
	assert_true(best(&s)->is_cold);
}

static void
test_states_all_operands_at_one_level_are_tried_before_single_ones(void **state)
{
	struct machine	m = plain;
	struct states	s;

	(void)state;
	states_init(&s, two, 2);
	(void)seek(&s, &m, 15500, 40);
	assert_hit(&s);
	assert_int_equal(best(&s)->level[0], LEVEL_L3);
	assert_int_equal(best(&s)->level[1], LEVEL_L3);
}

static void
test_states_P41_every_combination_is_found_that_no_other_takes_the_time_of(void **state)
{
	(void)state;
	for (int x = 0; x < LEVEL_N; x++)
		for (int y = 0; y < LEVEL_N; y++) {
			struct machine		m = plain;
			struct states		s;
			struct states_point	p = { .level = { (unsigned char)x,
						    (unsigned char)y } };

			if ((two[1].may & 1u << x) == 0 || (two[0].may & 1u << y) == 0)
				continue;
			states_init(&s, two, 2);
			(void)seek(&s, &m, 10000 * ratio_of(&plain, &p), 40);
			assert_hit(&s);
		}
}

static void
test_states_operands_that_overlap_are_foretold_better_with_each_combination(void **state)
{
	struct machine	m = plain;
	struct states	s;

	(void)state;
	m.overlap = 0.7;
	states_init(&s, two, 2);
	(void)seek(&s, &m, 10000 * (1 + 0.7 * 1.15), 40);	/* x from memory, y in L3 */
	assert_hit(&s);
	assert_int_equal(best(&s)->level[0], LEVEL_MEMORY);
	assert_int_equal(best(&s)->level[1], LEVEL_L3);
}

static void
test_states_a_host_that_becomes_slower_does_not_mislead(void **state)
{
	struct machine	m = plain;
	struct states	s;

	(void)state;
	m.drift = 1.002;
	states_init(&s, two, 2);
	(void)seek(&s, &m, 20200, 60);
	assert_hit(&s);
	assert_float_equal(best(&s)->ratio, 2, 0.06);
	assert_true(states_noise(&s) > 0);
}

static void
test_states_a_time_below_warm_or_above_cold_is_looked_at_twice(void **state)
{
	struct machine	m = plain;
	struct states	s;

	(void)state;
	states_init(&s, two, 2);
	(void)seek(&s, &m, 9000, 40);
	assert_int_equal(s.end, SOLVE_BELOW_WARM);
	assert_true(states_is_warm(best(&s)));
	assert_true(best(&s)->times >= 2);
	(void)seek(&s, &m, 30000, 40);
	assert_int_equal(s.end, SOLVE_ABOVE_COLD);
	assert_true(best(&s)->is_cold);
	assert_true(best(&s)->times >= 2);
}

static void
test_states_a_loud_moment_does_not_put_a_time_below_warm(void **state)
{
	struct machine	loud = plain, quiet = plain;
	struct states	s;

	(void)state;
	loud.warm_ns = 13000;
	states_init(&s, two, 2);
	(void)seek(&s, &loud, 12000, 3);	/* warm, cold beside warm; then it is over */
	assert_int_equal(s.nwarm, 2);
	(void)seek(&s, &quiet, 12000, 40);
	assert_hit(&s);
	assert_false(states_is_warm(best(&s)));
}

static void
test_states_above_cold_is_said_only_after_operands_were_in_memory(void **state)
{
	struct machine	m = plain;
	struct states	s;

	(void)state;
	m.cold = 1.7;			/* x alone takes 2 */
	states_init(&s, two, 2);
	(void)seek(&s, &m, 20000, 40);
	assert_hit(&s);
	assert_int_equal(best(&s)->level[0], LEVEL_MEMORY);
	assert_int_equal(best(&s)->level[1], LEVEL_WARM);
}

static void
test_states_a_routine_that_takes_the_same_cold_is_flat(void **state)
{
	struct machine	m = { .warm_ns = 10000, .cold = 1.01, .overlap = 1, .drift = 1 };
	struct states	s;

	(void)state;
	states_init(&s, small, 1);
	(void)seek(&s, &m, 40000, 40);
	assert_int_equal(s.end, SOLVE_FLAT);
	assert_true(states_is_flat(&s));
	(void)seek(&s, &m, 10000, 40);
	assert_hit(&s);
	assert_true(states_is_flat(&s));
}

static void
test_states_no_more_is_timed_than_allowed(void **state)
{
	(void)state;
	for (unsigned timings = 4; timings < 40; timings++) {
		struct machine	m = plain;
		struct states	s;

		states_init(&s, two, 2);
		assert_true(seek(&s, &m, 12700, timings) <= timings);
		assert_int_not_equal(s.end, SOLVE_GOES_ON);
	}
}

static void
test_states_what_no_state_takes_gets_the_nearest(void **state)
{
	struct machine	m = plain;
	struct states	s;

	(void)state;
	states_init(&s, small, 1);
	(void)seek(&s, &m, 17500, 60);		/* between L3 and memory */
	assert_int_equal(s.end, SOLVE_CLOSEST);
	assert_int_equal(best(&s)->level[0], LEVEL_MEMORY);
}

static void
test_states_that_take_as_long_are_counted(void **state)
{
	struct machine	m = plain;
	struct states	s;

	(void)state;
	m.cold = 2;			/* as x alone from memory */
	states_init(&s, small, 1);
	(void)seek(&s, &m, 14000, 60);
	assert_int_equal(states_rivals(&s), 0);
	(void)seek(&s, &m, 17000, 60);
	(void)seek(&s, &m, 20000, 60);
	assert_hit(&s);
	assert_int_equal(states_rivals(&s), 1);
}

static void
test_states_that_are_known_are_not_timed_again_for_another_time(void **state)
{
	struct machine	m = plain;
	struct states	s;

	(void)state;
	states_init(&s, two, 2);
	(void)seek(&s, &m, 15500, 40);
	assert_int_equal(seek(&s, &m, 15500, 40), 0);
	assert_hit(&s);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_states_the_largest_operands_come_first),
		cmocka_unit_test(test_states_a_warm_time_needs_no_search),
		cmocka_unit_test(test_states_P41_the_cold_time_is_the_cold_context),
		cmocka_unit_test(test_states_all_operands_at_one_level_are_tried_before_single_ones),
		cmocka_unit_test(
		    test_states_P41_every_combination_is_found_that_no_other_takes_the_time_of),
		cmocka_unit_test(
		    test_states_operands_that_overlap_are_foretold_better_with_each_combination),
		cmocka_unit_test(test_states_a_host_that_becomes_slower_does_not_mislead),
		cmocka_unit_test(test_states_a_time_below_warm_or_above_cold_is_looked_at_twice),
		cmocka_unit_test(test_states_a_loud_moment_does_not_put_a_time_below_warm),
		cmocka_unit_test(test_states_above_cold_is_said_only_after_operands_were_in_memory),
		cmocka_unit_test(test_states_a_routine_that_takes_the_same_cold_is_flat),
		cmocka_unit_test(test_states_no_more_is_timed_than_allowed),
		cmocka_unit_test(test_states_what_no_state_takes_gets_the_nearest),
		cmocka_unit_test(test_states_that_take_as_long_are_counted),
		cmocka_unit_test(test_states_that_are_known_are_not_timed_again_for_another_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
