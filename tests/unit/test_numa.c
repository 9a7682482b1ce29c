/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "worker/bench/numa.h"

/* As a machine of two nodes has it; file names and flags are there to be skipped. */
static const char	maps[] =
	"55d0c0000000 default file=/opt/N1=9/assay-runner mapped=4 N1=4 kernelpagesize_kB=4\n"
	"7f1000000000 default anon=5 dirty=5 active=0 N0=5 kernelpagesize_kB=4\n"
	"7f1000005000 default\n"
	"7f2000000000 default anon=512 dirty=512 N0=500 N1=12 kernelpagesize_kB=4\n"
	"7f3000000000 default anon=8 dirty=8 N0=8 kernelpagesize_kB=4\n"
	"7f4000000000 default stack anon=8 dirty=8 N12=8 kernelpagesize_kB=4\n";

enum { ON_0 = 0, GUARD, SPLIT, ALSO_0, ON_12, NPLACES };

static const uint64_t	place[NPLACES] = {
	[ON_0] = 0x7f1000004ff8, [GUARD] = 0x7f1000005000, [SPLIT] = 0x7f2000000040,
	[ALSO_0] = 0x7f3000000000, [ON_12] = 0x7f4000000010,
};

static int
owner(const uint64_t *at, size_t n)
{
	FILE	*f = fmemopen((void *)(uintptr_t)maps, strlen(maps), "r");
	int	 node;

	assert_non_null(f);
	node = numa_owner(f, at, n);
	fclose(f);
	return node;
}

static void
test_numa_W62_the_owner_node_is_that_of_every_page_of_the_operands(void **state)
{
	const uint64_t	both[] = { place[ALSO_0], place[ON_0] };

	(void)state;
	assert_int_equal(owner(both, 2), 0);
	assert_int_equal(owner(&place[ON_12], 1), 12);
}

static void
test_numa_W62_operands_on_several_nodes_are_mixed(void **state)
{
	const uint64_t	apart[] = { place[ON_0], place[ON_12] };

	(void)state;
	assert_int_equal(owner(apart, 2), NODE_MIXED);
	assert_int_equal(owner(&place[SPLIT], 1), NODE_MIXED);
}

static void
test_numa_W62_what_the_kernel_does_not_tell_is_unknown(void **state)
{
	const uint64_t	untouched[] = { place[ON_0], place[GUARD] }, below = 0x1000;

	(void)state;
	assert_int_equal(owner(untouched, 2), NODE_UNKNOWN);
	assert_int_equal(owner(&below, 1), NODE_UNKNOWN);
	assert_int_equal(owner(place, 0), NODE_UNKNOWN);
}

static int
only_of(const char *list)
{
	FILE	*f = fmemopen((void *)(uintptr_t)list, strlen(list), "r");
	int	 node;

	assert_non_null(f);
	node = numa_only(f);
	fclose(f);
	return node;
}

static void
test_numa_W62_where_one_node_has_all_memory_it_is_the_owner(void **state)
{
	(void)state;
	assert_int_equal(only_of("0\n"), 0);
	assert_int_equal(only_of("3\n"), 3);
	assert_int_equal(only_of("0-1\n"), NODE_UNKNOWN);
	assert_int_equal(only_of("0,2\n"), NODE_UNKNOWN);
	assert_int_equal(only_of("\n"), NODE_UNKNOWN);
	assert_int_equal(only_of("none"), NODE_UNKNOWN);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_numa_W62_the_owner_node_is_that_of_every_page_of_the_operands),
		cmocka_unit_test(test_numa_W62_operands_on_several_nodes_are_mixed),
		cmocka_unit_test(test_numa_W62_what_the_kernel_does_not_tell_is_unknown),
		cmocka_unit_test(test_numa_W62_where_one_node_has_all_memory_it_is_the_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
