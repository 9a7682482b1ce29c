/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of quiet, from one worker through the host's record to the next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/support/api_fixture.h"

#include "daemon/dispatch/station/quiet.h"
#include "tests/support/reading.h"
#include "worker/quiet/gate_report.h"

#define SECOND	1000000000u
static const struct tick	clock_here = { .clock = CLK_CYCLE, .hz = 2.5e9,
    .resolution_ns = 10 };
static const struct gate	fresh = { .resolution_ticks = 26 };

static void
see(struct gate *g, unsigned orders, uint32_t canary, uint32_t pace, uint32_t memory,
    uint64_t *now_ns)
{
	for (unsigned i = 0; i < orders; i++) {
		gate_order(g, *now_ns += 2 * (uint64_t)SECOND);
		gate_see(g, 0, &READING(canary, canary, pace, pace));
		gate_rest(g, pace, *now_ns);
		memory_gate_see(&g->memory, g->resolution_ticks, memory);
	}
}

/* What a worker tells that had 50 quiet orders, an hour after the clock began. */
static struct gate_state
told_in_quiet(void)
{
	struct gate	g = fresh;
	uint64_t	now = 3600 * (uint64_t)SECOND;

	see(&g, 50, 7700, 1660, 12000, &now);
	return gate_state_of(&g, &clock_here, now + 5 * (uint64_t)SECOND);
}

/* The same as a worker's report has it; new reference. */
static json_t *
document_of(const struct gate_state *s)
{
	char	*text = shape_put(&gate_state_shape, s, SHAPE_SPARSE);
	json_t	*doc = json_loads(text, 0, NULL);

	free(text);
	assert_non_null(doc);
	return doc;
}

static bool
is_quiet(const struct gate *g, uint32_t canary, uint32_t pace)
{
	return gate_is_quiet(g, &READING(canary, canary, pace, pace));
}

static void
test_quiet_a_worker_that_starts_beside_a_neighbour_rejects_from_its_first_sample_on(void **state)
{
	struct gate	g = fresh, ignorant = fresh;
	uint64_t	now = 7777;
	struct gate_state	 told = told_in_quiet();

	(void)state;
	assert_true(gate_begin_with(&g, &clock_here, &told));
	assert_false(gate_is_coarse(&g));
	assert_false(is_quiet(&g, 14000, 1660));
	assert_true(is_quiet(&g, 7700, 1660));
	assert_int_equal(gate_best_pace(&g), 1660);
	assert_float_equal(memory_gate_ratio(&g.memory, 24000), 2, 1e-9);
	see(&g, 100, 14000, 1900, 24000, &now);
	see(&ignorant, 100, 14000, 1900, 24000, &now);
	assert_false(is_quiet(&g, 14000, 1900));
	assert_true(is_quiet(&ignorant, 14000, 1900));
	assert_true(gate_clock(&g) > 1.1 && gate_clock(&ignorant) == 1);
	assert_float_equal(memory_gate_ratio(&g.memory, 24000), 2, 1e-9);
	assert_true(memory_gate_ratio(&ignorant.memory, 24000) == 1);
}

static void
test_quiet_a_machine_that_has_become_slower_is_believed_within_a_quarter_of_an_hour(void **state)
{
	struct gate	g = fresh;
	uint64_t	now = 7777, began = now;
	struct gate_state	 told = told_in_quiet();

	(void)state;
	assert_true(gate_begin_with(&g, &clock_here, &told));
	while (!is_quiet(&g, 9000, 1660) && now - began < 3600 * (uint64_t)SECOND)
		see(&g, 1, 9000, 1660, 12000, &now);
	assert_in_range((now - began) / SECOND, 12 * 60, 18 * 60);
}

/* As many workers as it takes, of one job each. */
static void
test_quiet_it_is_forgotten_by_many_short_lives_as_by_a_long_one(void **state)
{
	struct gate_state	 told = told_in_quiet();
	uint64_t	 now = 7777;
	unsigned	 lives = 0;
	bool		 stands = true;

	(void)state;
	for (; stands && lives < 2000; lives++) {
		struct gate	g = fresh;

		assert_true(gate_begin_with(&g, &clock_here, &told));
		stands = !is_quiet(&g, 9000, 1660);
		see(&g, 2, 9000, 1660, 12000, &now);
		told = gate_state_of(&g, &clock_here, now);
	}
	assert_in_range(lives, 200, 300);
}

static void
test_quiet_a_faster_machine_is_believed_at_once(void **state)
{
	struct gate	g = fresh;
	uint64_t	now = 7777;
	struct gate_state	 told = told_in_quiet();

	(void)state;
	assert_true(gate_begin_with(&g, &clock_here, &told));
	see(&g, 1, 6000, 1500, 9000, &now);
	assert_false(is_quiet(&g, 7700, 1660));
	assert_int_equal(gate_best_pace(&g), 1500);
	assert_true(memory_gate_ratio(&g.memory, 9000) == 1);
}

static void
test_quiet_of_another_clock_or_without_sense_is_not_taken_nor_by_a_gate_that_knows(void **state)
{
	static const char *const	senseless[] = { "{}", "{'clock': 7}",
		"{'clock': 'cycle', 'tick_hz': 'x'}",
		"{'clock': 'cycle', 'tick_hz': 2.5e9, 'canary': {'base': -1, 'left': 5}}",
		"{'clock': 'cycle', 'tick_hz': 2.5e9, 'canary': {'base': 18636, 'left': 1000000}}",
		"{'clock': 'cycle', 'tick_hz': 2.5e9, 'canary': {'base': 4294967296, 'left': 5}}",
		"{'clock': 'cycle', 'tick_hz': 2.5e9, 'memory': {'jobs': -1}}" };
	struct tick			faster = clock_here, wall = clock_here;
	struct gate			g = fresh;
	uint64_t			now = 7777;
	struct gate_state	 told = told_in_quiet();

	(void)state;
	faster.hz *= 1.04;
	wall.clock = CLK_WALL;
	assert_false(gate_begin_with(&g, &faster, &told));
	assert_false(gate_begin_with(&g, &wall, &told));
	for (unsigned i = 0; i < sizeof senseless / sizeof senseless[0]; i++) {
		char			 text[256];
		struct gate_state	 senseless_state;
		struct node		 root = { .up = NULL };
		json_t			*o;

		(void)snprintf(text, sizeof text, "%s", senseless[i]);
		for (char *c = text; *c != '\0'; c++)
			*c = *c == '\'' ? '"' : *c;
		assert_non_null(o = json_loads(text, 0, NULL));
		root.value = o;
		assert_int_equal(shape_get(&gate_state_shape, &senseless_state, &root,
		    SHAPE_LENIENT, NULL), ST_OK);
		assert_false(gate_begin_with(&g, &clock_here, &senseless_state));
		json_decref(o);
	}
	assert_true(gate_is_coarse(&g));
	see(&g, 1, 9000, 1660, 12000, &now);
	assert_false(gate_begin_with(&g, &clock_here, &told));
	assert_true(is_quiet(&g, 9000, 1660));
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
	struct quiet		q = record();
	struct quiet_state	s = { .doc = NULL };
	bool			same;

	quiet_recall(&q, &s, cpu, fitness);
	same = s.doc != NULL && json_equal(json_object_get(s.doc, "canary"),
	    json_object_get(told, "canary")) &&
	    json_number_value(json_object_get(s.doc, "taken")) == taken && s.taken == taken;
	quiet_forget(&s);
	return same;
}

static void
test_quiet_it_is_kept_for_its_cpu_in_its_state_of_its_host_and_for_no_other(void **state)
{
	struct quiet		 q = record();
	struct gate_state	 known = told_in_quiet();
	struct quiet_state	 s = { .doc = NULL };
	json_t			*told = document_of(&known);

	(void)state;
	quiet_keep(&q, &s, 1, "abc", told, 1005);
	quiet_forget(&s);
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
	struct quiet		 q = record();
	struct gate_state	 known = told_in_quiet();
	struct quiet_state	 s = { .doc = NULL };
	json_t			*told = document_of(&known);

	(void)state;
	quiet_keep(&q, &s, 1, NULL, told, 1005);
	(void)json_object_del(told, "met_s");
	quiet_keep(&q, &s, 1, NULL, told, 5000);
	assert_float_equal(s.taken, 1000, 0);
	assert_true(knows(1, NULL, told, 1000));
	quiet_forget(&s);
	(void)json_object_set_new(told, "canary", json_pack("{s:i,s:i}", "base", 7, "left", 7));
	quiet_keep(&q, &s, 1, NULL, told, 5000);
	assert_true(knows(1, NULL, told, 5000));
	quiet_forget(&s);
	json_decref(told);
}

/*
 * Each timing changes it a little: what comes within seconds of a write waits for the next, or for
 * quiet_store.
 */
static void
test_quiet_a_change_soon_after_a_write_is_written_later(void **state)
{
	struct quiet		 q = record();
	struct gate_state	 known = told_in_quiet();
	struct quiet_state	 s = { .doc = NULL };
	json_t			*first = document_of(&known), *next = document_of(&known);

	(void)state;
	(void)json_object_set_new(next, "canary", json_pack("{s:i,s:i}", "base", 7, "left", 7));
	quiet_keep(&q, &s, 1, NULL, first, 1005);
	quiet_keep(&q, &s, 1, NULL, next, 1005 + QUIET_STORE_S / 2);
	assert_true(s.is_dirty);
	assert_true(knows(1, NULL, first, 1000));
	quiet_store(&q, &s, 1, NULL, 1005 + QUIET_STORE_S / 2);
	assert_false(s.is_dirty);
	assert_true(knows(1, NULL, next, 1000 + QUIET_STORE_S / 2));
	quiet_keep(&q, &s, 1, NULL, first, 1005 + 2 * QUIET_STORE_S);
	assert_false(s.is_dirty);
	quiet_forget(&s);
	json_decref(first);
	json_decref(next);
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
		TEST(test_quiet_a_change_soon_after_a_write_is_written_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
