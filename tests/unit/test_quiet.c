/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of quiet, from one worker through the host's record to the next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/support/api_fixture.h"

#include "daemon/dispatch/quiet.h"
#include "worker/quiet/quiet.h"

#define SECOND	1000000000u
static const struct tick	clock_here = { .clock = CLK_CYCLE, .hz = 2.5e9, .resolution_ns = 10 };
static const struct gate	fresh = { .resolution_ticks = 26 };

static void
see(struct gate *g, unsigned orders, uint32_t canary, uint32_t pace, uint32_t memory, uint64_t *now_ns)
{
	for (unsigned i = 0; i < orders; i++) {
		gate_order(g, *now_ns += 2 * (uint64_t)SECOND);
		gate_see(g, 0, (struct gate_reading){ canary, canary, pace, pace });
		gate_rest(g, pace, *now_ns);
		gate_see_memory(g, memory);
	}
}

/* What a worker tells that had 50 quiet orders, an hour after the clock began. */
static json_t *
told_in_quiet(void)
{
	struct gate	g = fresh;
	uint64_t	now = 3600 * (uint64_t)SECOND;

	see(&g, 50, 7700, 1660, 12000, &now);
	gate_memory_learn(&g, 0.7);
	return quiet_report(&g, &clock_here, now + 5 * (uint64_t)SECOND);
}

static bool
is_quiet(const struct gate *g, uint32_t canary, uint32_t pace)
{
	return gate_is_quiet(g, (struct gate_reading){ canary, canary, pace, pace });
}

static void
test_quiet_a_worker_that_starts_beside_a_neighbour_rejects_from_its_first_sample_on(void **state)
{
	struct gate	g = fresh, ignorant = fresh;
	uint64_t	now = 7777;
	json_t		*told = told_in_quiet();

	(void)state;
	assert_true(quiet_begin(&g, &clock_here, told));
	assert_false(gate_is_coarse(&g));
	assert_false(is_quiet(&g, 14000, 1660));
	assert_true(is_quiet(&g, 7700, 1660));
	assert_int_equal(gate_best_pace(&g), 1660);
	assert_float_equal(gate_memory_ratio(&g, 24000), 2, 1e-9);
	assert_int_equal(g.memory.jobs, 1);
	assert_float_equal(g.memory.worth, 0.7, 1e-9);
	see(&g, 100, 14000, 1900, 24000, &now);
	see(&ignorant, 100, 14000, 1900, 24000, &now);
	assert_false(is_quiet(&g, 14000, 1900));
	assert_true(is_quiet(&ignorant, 14000, 1900));
	assert_true(gate_clock(&g) > 1.1 && gate_clock(&ignorant) == 1);
	assert_false(gate_memory_is_quiet(&g, 24000));
	assert_true(gate_memory_is_quiet(&ignorant, 24000));
	json_decref(told);
}

static void
test_quiet_a_machine_that_has_become_slower_is_believed_within_a_quarter_of_an_hour(void **state)
{
	struct gate	g = fresh;
	uint64_t	now = 7777, began = now;
	json_t		*told = told_in_quiet();

	(void)state;
	assert_true(quiet_begin(&g, &clock_here, told));
	while (!is_quiet(&g, 9000, 1660) && now - began < 3600 * (uint64_t)SECOND)
		see(&g, 1, 9000, 1660, 12000, &now);
	assert_in_range((now - began) / SECOND, 12 * 60, 18 * 60);
	json_decref(told);
}

/* As many workers as it takes, of one job each. */
static void
test_quiet_it_is_forgotten_by_many_short_lives_as_by_a_long_one(void **state)
{
	json_t		*told = told_in_quiet(), *next;
	uint64_t	 now = 7777;
	unsigned	 lives = 0;
	bool		 stands = true;

	(void)state;
	for (; stands && lives < 2000; lives++) {
		struct gate	g = fresh;

		assert_true(quiet_begin(&g, &clock_here, told));
		stands = !is_quiet(&g, 9000, 1660);
		see(&g, 2, 9000, 1660, 12000, &now);
		next = quiet_report(&g, &clock_here, now);
		json_decref(told);
		told = next;
	}
	assert_in_range(lives, 200, 300);
	json_decref(told);
}

static void
test_quiet_a_faster_machine_is_believed_at_once(void **state)
{
	struct gate	g = fresh;
	uint64_t	now = 7777;
	json_t		*told = told_in_quiet();

	(void)state;
	assert_true(quiet_begin(&g, &clock_here, told));
	see(&g, 1, 6000, 1500, 9000, &now);
	assert_false(is_quiet(&g, 7700, 1660));
	assert_int_equal(gate_best_pace(&g), 1500);
	assert_true(gate_memory_ratio(&g, 9000) == 1);
	json_decref(told);
}

static void
test_quiet_of_another_clock_or_without_sense_is_not_taken_nor_by_a_gate_that_knows(void **state)
{
	static const char *const	senseless[] = { "{}", "{'clock': 7}", "{'clock': 'cycle', 'tick_hz': 'x'}",
		"{'clock': 'cycle', 'tick_hz': 2.5e9, 'canary': {'base': -1, 'left': 5}}",
		"{'clock': 'cycle', 'tick_hz': 2.5e9, 'canary': {'base': 18636, 'left': 1000000}}",
		"{'clock': 'cycle', 'tick_hz': 2.5e9, 'canary': {'base': 4294967296, 'left': 5}}",
		"{'clock': 'cycle', 'tick_hz': 2.5e9, 'memory': {'jobs': -1}}" };
	struct tick			faster = clock_here, wall = clock_here;
	struct gate			g = fresh;
	uint64_t			now = 7777;
	json_t				*told = told_in_quiet();

	(void)state;
	faster.hz *= 1.04;
	wall.clock = CLK_WALL;
	assert_false(quiet_begin(&g, &faster, told));
	assert_false(quiet_begin(&g, &wall, told));
	for (unsigned i = 0; i < sizeof senseless / sizeof senseless[0]; i++) {
		char	text[256];
		json_t	*o;

		(void)snprintf(text, sizeof text, "%s", senseless[i]);
		for (char *c = text; *c != '\0'; c++)
			*c = *c == '\'' ? '"' : *c;
		assert_non_null(o = json_loads(text, 0, NULL));
		assert_false(quiet_begin(&g, &clock_here, o));
		json_decref(o);
	}
	assert_true(gate_is_coarse(&g));
	see(&g, 1, 9000, 1660, 12000, &now);
	assert_false(quiet_begin(&g, &clock_here, told));
	assert_true(is_quiet(&g, 9000, 1660));
	json_decref(told);
}

/* ---- in the host's record ---- */

static struct quiet
record(void)
{
	struct quiet	q;

	quiet_init(&q, the->store, &the->topology);
	return q;
}

static bool
knows(int cpu, const char *fitness, const json_t *told, double taken)
{
	struct quiet	 q = record();
	json_t		*doc = quiet_recall(&q, cpu, fitness);
	bool		 same = doc != NULL && json_equal(json_object_get(doc, "canary"),
			    json_object_get(told, "canary")) &&
			    json_number_value(json_object_get(doc, "taken")) == taken;

	json_decref(doc);
	return same;
}

static void
test_quiet_it_is_kept_for_its_cpu_in_its_state_of_its_host_and_for_no_other(void **state)
{
	struct quiet	 q = record();
	json_t		*told = told_in_quiet(), *doc = quiet_keep(&q, 1, "abc", told, NULL, 1005);

	(void)state;
	json_decref(doc);
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	assert_true(knows(1, "abc", told, 1000));
	assert_false(knows(3, "abc", told, 1000));
	assert_false(knows(1, "abd", told, 1000));		/* turbo switched off, say */
	assert_false(knows(1, NULL, told, 1000));
	the->topology.l3_bytes *= 2;
	assert_false(knows(1, "abc", told, 1000));
	the->topology.l3_bytes /= 2;
	(void)snprintf(the->topology.cpu_model, sizeof the->topology.cpu_model, "another");
	assert_false(knows(1, "abc", told, 1000));
	json_decref(told);
}

static void
test_quiet_the_record_has_the_last_and_when_it_was_met(void **state)
{
	struct quiet	 q = record();
	json_t		*told = told_in_quiet(), *first = quiet_keep(&q, 1, NULL, told, NULL, 1005), *later, *never;

	(void)state;
	(void)json_object_set_new(told, "met_s", json_null());
	later = quiet_keep(&q, 1, NULL, told, first, 5000);
	assert_float_equal(json_number_value(json_object_get(later, "taken")), 1000, 0);
	assert_true(knows(1, NULL, told, 1000));
	(void)json_object_set_new(told, "canary", json_pack("{s:i,s:i}", "base", 7, "left", 7));
	never = quiet_keep(&q, 1, NULL, told, NULL, 5000);
	assert_true(knows(1, NULL, told, 5000));
	json_decref(first);
	json_decref(later);
	json_decref(never);
	json_decref(told);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet_a_worker_that_starts_beside_a_neighbour_rejects_from_its_first_sample_on),
		cmocka_unit_test(test_quiet_a_machine_that_has_become_slower_is_believed_within_a_quarter_of_an_hour),
		cmocka_unit_test(test_quiet_it_is_forgotten_by_many_short_lives_as_by_a_long_one),
		cmocka_unit_test(test_quiet_a_faster_machine_is_believed_at_once),
		cmocka_unit_test(test_quiet_of_another_clock_or_without_sense_is_not_taken_nor_by_a_gate_that_knows),
		TEST(test_quiet_it_is_kept_for_its_cpu_in_its_state_of_its_host_and_for_no_other),
		TEST(test_quiet_the_record_has_the_last_and_when_it_was_met),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
