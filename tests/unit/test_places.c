/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "worker/chain/join.h"
#include "worker/evidence/places.h"

#define MEMORY	(1u << RUNNER_MEMORY)

/* Bins of chains from each level. */
struct clock {
	unsigned	first[RUNNER_NLEVELS], bins[RUNNER_NLEVELS];
};

/* With steps of a tick; with steps as long as the second cache takes; with steps as long as memory. */
static const struct clock	fine = { { 4, 10, 20, 40 }, { 2, 2, 3, 6 } };
static const struct clock	coarse = { { 4, 4, 10, 40 }, { 3, 4, 4, 6 } };
static const struct clock	hopeless = { { 4, 4, 4, 4 }, { 2, 2, 2, 2 } };

static void
put(struct runner_lines *to, const struct clock *c, enum runner_level level, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		to->chain[c->first[level] + i % c->bins[level]]++;
}

static struct runner_proof
known(const struct clock *c)
{
	struct runner_proof	p = { .proofs = 1 };

	for (unsigned l = 0; l < RUNNER_NLEVELS; l++)
		put(&p.known[l], c, l, 48);
	return p;
}

/* An operand with so many lines at each level. */
static struct runner_proof
found(const struct clock *c, unsigned l1, unsigned l2, unsigned l3, unsigned memory)
{
	struct runner_proof	p = known(c);
	const unsigned		n[RUNNER_NLEVELS] = { l1, l2, l3, memory };

	for (unsigned l = 0; l < RUNNER_NLEVELS; l++)
		put(&p.operand[0], c, l, n[l]);
	return p;
}

static bool
is_wrong(struct runner_proof p, unsigned asked)
{
	return places_are_wrong(&p, 0, asked);
}

static void
test_places_shares_are_those_of_the_lines(void **state)
{
	const struct runner_proof	p = found(&fine, 10, 20, 30, 40);
	const struct places		got = places_of(&p, 0);
	const double			want[RUNNER_NLEVELS] = { 0.1, 0.2, 0.3, 0.4 };

	(void)state;
	assert_int_equal(got.read, 100);
	for (unsigned l = 0; l < RUNNER_NLEVELS; l++)
		assert_in_range((unsigned)(1000 * got.share[l] + 0.5), 1000 * want[l] - 20,
		    1000 * want[l] + 20);
}

/* Beside load memory is slower than when it was measured, and few known lines stay in a cache. */
static void
test_places_lines_from_slower_memory_are_not_taken_for_a_cache_that_is_hardly_known(void **state)
{
	struct runner_proof	p = known(&fine);

	(void)state;
	memset(&p.known[RUNNER_L1], 0, sizeof p.known[RUNNER_L1]);
	p.known[RUNNER_L1].chain[fine.first[RUNNER_L1]] = 3;
	for (unsigned i = 0; i < 112; i++)
		p.operand[0].chain[fine.first[RUNNER_MEMORY] + 8 + i % 12]++;
	assert_false(is_wrong(p, MEMORY));
	assert_true(places_of(&p, 0).share[RUNNER_MEMORY] > 0.95);
	assert_true(is_wrong(p, 1u << RUNNER_L1));
}

static void
test_places_each_level_is_right_where_it_was_asked_for_and_wrong_elsewhere(void **state)
{
	(void)state;
	for (unsigned is = 0; is < RUNNER_NLEVELS; is++)
		for (unsigned asked = 0; asked < RUNNER_NLEVELS; asked++)
			assert_int_equal(is_wrong(found(&fine, 40 * (is == RUNNER_L1),
			    40 * (is == RUNNER_L2), 40 * (is == RUNNER_L3),
			    40 * (is == RUNNER_MEMORY)), 1u << asked), is != asked);
}

static void
test_places_a_few_lines_elsewhere_or_a_few_readings_prove_nothing(void **state)
{
	(void)state;
	assert_false(is_wrong(found(&fine, 0, 0, 8, 32), MEMORY));
	assert_false(is_wrong(found(&fine, 0, 0, 4, 0), MEMORY));
	assert_true(is_wrong(found(&fine, 0, 0, 40, 40), MEMORY));
	/* what another thread of the core drives out of a cache is more, and no fault of ours */
	assert_false(is_wrong(found(&fine, 0, 44, 36, 0), 1u << RUNNER_L2));
	assert_true(is_wrong(found(&fine, 0, 20, 80, 0), 1u << RUNNER_L2));
}

static void
test_places_any_cache_will_do_for_warm_operands(void **state)
{
	const unsigned	warm = MEMORY - 1;

	(void)state;
	assert_false(is_wrong(found(&fine, 10, 20, 30, 0), warm));
	assert_true(is_wrong(found(&fine, 5, 5, 5, 60), warm));
}

static void
test_places_a_clock_that_cannot_separate_them_accuses_nothing(void **state)
{
	(void)state;
	assert_true(is_wrong(found(&coarse, 0, 0, 0, 40), 1u << RUNNER_L1));
	assert_false(is_wrong(found(&hopeless, 40, 0, 0, 0), MEMORY));
	assert_false(is_wrong(found(&hopeless, 0, 0, 0, 40), 1u << RUNNER_L1));
}

/* Known readings overlap, but their numbers are not alike. */
static void
test_places_of_a_coarse_clock_the_mixture_is_found_from_many_readings(void **state)
{
	const struct runner_proof	p = found(&coarse, 0, 400, 0, 0);

	(void)state;
	assert_true(places_of(&p, 0).share[RUNNER_L2] > 0.9);
	assert_true(is_wrong(p, 1u << RUNNER_L1));
}

static void
test_places_what_is_not_asked_or_not_known_or_not_read_is_not_judged(void **state)
{
	struct runner_proof	p = found(&fine, 40, 0, 0, 0);

	(void)state;
	assert_false(is_wrong(p, 0));
	memset(&p.known[RUNNER_MEMORY], 0, sizeof p.known[RUNNER_MEMORY]);
	assert_false(is_wrong(p, MEMORY));
	assert_false(is_wrong(known(&fine), MEMORY));
	p = known(&fine);
	assert_true(places_of(&p, 0).share[RUNNER_L1] < 1e-6);
}

/* Another process may drive the known lines of the last cache out of it while they are measured. */
static void
test_places_a_cache_whose_known_lines_were_driven_out_does_not_look_like_memory(void **state)
{
	struct runner_proof	p = found(&fine, 0, 0, 0, 60), cold = p;

	(void)state;
	put(&p.known[RUNNER_L3], &fine, RUNNER_MEMORY, 200);
	assert_true(places_of(&p, 0).share[RUNNER_MEMORY] > 0.95);
	assert_true(is_wrong(p, 1u << RUNNER_L3));
	assert_false(is_wrong(cold, MEMORY));
}

static void
test_places_nearer_and_farther_are_before_and_behind_what_was_asked(void **state)
{
	const struct places	p = { .read = 1, .share = { 0.1, 0.2, 0.3, 0.4 } };

	(void)state;
	assert_int_equal((int)(100 * places_nearer(&p, 1u << RUNNER_L3) + 0.5), 30);
	assert_int_equal((int)(100 * places_farther(&p, 1u << RUNNER_L3) + 0.5), 40);
	assert_int_equal((int)(100 * places_nearer(&p, MEMORY) + 0.5), 60);
	assert_int_equal((int)(100 * places_farther(&p, MEMORY) + 0.5), 0);
	assert_int_equal((int)(100 * places_farther(&p, MEMORY - 1) + 0.5), 40);
	assert_int_equal((int)(100 * places_nearer(&p, MEMORY - 1) + 0.5), 0);
}

static void
test_places_proofs_add_up_and_an_order_without_any_changes_nothing(void **state)
{
	struct runner_proof		all = { .proofs = 0 }, none = known(&fine);
	const struct runner_proof	one = found(&fine, 0, 0, 0, 12);

	(void)state;
	none.proofs = 0;
	join_proofs(&all, &one);
	join_proofs(&all, &none);
	join_proofs(&all, &one);
	assert_int_equal(all.proofs, 2);
	assert_int_equal(places_of(&all, 0).read, 24);
	assert_int_equal(all.known[RUNNER_L1].chain[4], 2 * one.known[RUNNER_L1].chain[4]);
	for (unsigned i = 0; i < 70000 / 12; i++)
		join_proofs(&all, &one);
	assert_int_equal(all.operand[0].chain[fine.first[RUNNER_MEMORY]], 2 * (70000 / 12 + 2));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_places_lines_from_slower_memory_are_not_taken_for_a_cache_that_is_hardly_known),
		cmocka_unit_test(test_places_shares_are_those_of_the_lines),
		cmocka_unit_test(
		    test_places_each_level_is_right_where_it_was_asked_for_and_wrong_elsewhere),
		cmocka_unit_test(test_places_a_few_lines_elsewhere_or_a_few_readings_prove_nothing),
		cmocka_unit_test(test_places_any_cache_will_do_for_warm_operands),
		cmocka_unit_test(test_places_a_clock_that_cannot_separate_them_accuses_nothing),
		cmocka_unit_test(
		    test_places_of_a_coarse_clock_the_mixture_is_found_from_many_readings),
		cmocka_unit_test(
		    test_places_what_is_not_asked_or_not_known_or_not_read_is_not_judged),
		cmocka_unit_test(
		    test_places_a_cache_whose_known_lines_were_driven_out_does_not_look_like_memory),
		cmocka_unit_test(
		    test_places_nearer_and_farther_are_before_and_behind_what_was_asked),
		cmocka_unit_test(
		    test_places_proofs_add_up_and_an_order_without_any_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
