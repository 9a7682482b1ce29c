/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/setup/places.h"

/* `slots` timing CPUs, and the CPUs from 0 on for the rest. */
static struct topology
imagine(unsigned house, unsigned slots)
{
	struct topology	t = { .nhouse = house, .nslots = slots };

	for (unsigned i = 0; i < house; i++)
		t.house_cpu[i] = (int)i;
	for (unsigned i = 0; i < slots; i++)
		t.slot_cpu[i] = (int)(house + i);
	return t;
}

static void
test_places_builders_of_a_wide_host_share_no_cpu_with_a_supervisor(void **state)
{
	static const struct {
		unsigned	house, slots, asked;
	} hosts[] = { { 56, 8, 0 }, { 56, 8, 3 }, { 56, 8, 100 }, { 3, 1, 0 }, { 24, 8, 0 },
	    { 1000, 24, 0 } };

	(void)state;
	for (size_t n = 0; n < sizeof hosts / sizeof hosts[0]; n++) {
		const struct topology	t = imagine(hosts[n].house, hosts[n].slots);
		const unsigned		builders = places_builders(&t, hosts[n].asked);
		bool			has_builder[1024] = { false }, taken[1024] = { false };

		assert_int_equal(builders, hosts[n].asked != 0 ? hosts[n].asked :
		    hosts[n].house - hosts[n].slots);
		for (unsigned i = 0; i < builders; i++)
			has_builder[places_builder_cpu(&t, i)] = true;
		for (unsigned i = 0; i < hosts[n].slots; i++) {
			const int	cpu = places_supervisor_cpu(&t, builders, i);

			assert_in_range(cpu, 0, hosts[n].house - 1);
			assert_false(has_builder[cpu]);
			assert_false(taken[cpu]);	/* nor do two supervisors */
			taken[cpu] = true;
		}
	}
}

static void
test_places_builders_use_every_cpu_that_is_for_them_before_two_share_one(void **state)
{
	const struct topology	t = imagine(56, 8);
	unsigned		on[56] = { 0 };

	(void)state;
	for (unsigned i = 0; i < 96; i++)
		on[places_builder_cpu(&t, i)]++;
	for (unsigned cpu = 0; cpu < 48; cpu++)
		assert_int_equal(on[cpu], 2);
}

static void
test_places_a_narrow_host_has_a_builder_on_each_cpu(void **state)
{
	const struct topology	one = imagine(1, 1), two = imagine(2, 1);

	(void)state;
	assert_int_equal(places_builders(&one, 0), 1);
	assert_int_equal(places_builder_cpu(&one, 0), 0);
	assert_int_equal(places_supervisor_cpu(&one, 1, 0), 0);
	assert_int_equal(places_builders(&two, 0), 2);
	assert_int_equal(places_builder_cpu(&two, 1), 1);
	/* fewer builders than CPUs leave one to the supervisor */
	assert_int_equal(places_builder_cpu(&two, 0), 0);
	assert_int_equal(places_supervisor_cpu(&two, 1, 0), 1);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_places_builders_of_a_wide_host_share_no_cpu_with_a_supervisor),
		cmocka_unit_test(
		    test_places_builders_use_every_cpu_that_is_for_them_before_two_share_one),
		cmocka_unit_test(test_places_a_narrow_host_has_a_builder_on_each_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
