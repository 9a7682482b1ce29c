/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/driver.h"
#include "worker/bench/proc/numa.h"

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

/* ---- nodes that a spec asks for ---- */

#define NODES	"/sys/devices/system/node"

static void
put_file(const char *name, const char *text)
{
	char	path[256];

	snprintf(path, sizeof path, "%s" NODES "/%s", support_own_dir(), name);
	support_write(path, text);
}

/* Two nodes with CPUs, of which the second has no memory; a third has memory only. */
static const char *
host_of_three(void)
{
	static const char	*const	steps[] = { "/sys", "/sys/devices", "/sys/devices/system",
	    NODES, NODES "/node0", NODES "/node1", NODES "/node2" };
	char				path[256];

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		snprintf(path, sizeof path, "%s%s", support_own_dir(), steps[i]);
		(void)mkdir(path, 0755);
	}
	put_file("online", "0-2\n");
	put_file("has_memory", "0,2\n");
	put_file("node0/cpulist", "0-3\n");
	put_file("node1/cpulist", "4-7\n");
	put_file("node2/cpulist", "\n");
	return support_dir;
}

static enum status
choose(const char *node, const char *root, int cpu, int32_t out[RUNNER_OPERANDS],
    struct fault *why)
{
	struct job	job;
	char		spec[256];
	enum status	st;

	snprintf(spec, sizeof spec, "{'routine': 'void f(char *x, int n, char *y)', 'args': "
	    "{'x': {'dims': [8]}, 'n': 1, 'y': {'dims': [8], 'node': %s}}}", node);
	support_spec_job(&job, spec);
	st = numa_choose(&job.spec, root, cpu, out, why);
	job_release(&job);
	return st;
}

static void
test_numa_X10_local_remote_or_a_number_is_a_node_with_memory(void **state)
{
	const char	*root = host_of_three();
	int32_t		 node[RUNNER_OPERANDS];
	struct fault	 why;

	(void)state;
	assert_int_equal(choose("'local'", root, 3, node, &why), ST_OK);
	assert_true(node[0] == -1 && node[1] == 0 && node[2] == -1);
	assert_int_equal(choose("'remote'", root, 3, node, &why), ST_OK);
	assert_int_equal(node[1], 2);
	assert_int_equal(choose("'remote'", root, 5, node, &why), ST_OK);
	assert_int_equal(node[1], 0);
	assert_int_equal(choose("2", root, -1, node, &why), ST_OK);
	assert_int_equal(node[1], 2);
}

static void
test_numa_X10_a_node_that_the_host_does_not_have_is_refused_with_the_reason(void **state)
{
	const char	*root = host_of_three();
	int32_t		 node[RUNNER_OPERANDS];
	struct fault	 why;

	(void)state;
	assert_int_equal(choose("1", root, 0, node, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.args.y.node");
	assert_non_null(strstr(why.text, "memory of this host is on 0,2"));
	assert_int_equal(choose("'local'", root, 4, node, &why), ST_BAD_SPEC);
	assert_int_equal(choose("'local'", root, -1, node, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "timing CPU is not known"));
	put_file("has_memory", "0\n");
	assert_int_equal(choose("'remote'", root, 0, node, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "one memory node"));
	assert_int_equal(choose("0", "/nonexistent", 0, node, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "no memory nodes"));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_numa_W62_the_owner_node_is_that_of_every_page_of_the_operands),
		cmocka_unit_test(test_numa_W62_operands_on_several_nodes_are_mixed),
		cmocka_unit_test(test_numa_W62_what_the_kernel_does_not_tell_is_unknown),
		cmocka_unit_test(test_numa_W62_where_one_node_has_all_memory_it_is_the_owner),
		cmocka_unit_test(test_numa_X10_local_remote_or_a_number_is_a_node_with_memory),
		cmocka_unit_test(
		    test_numa_X10_a_node_that_the_host_does_not_have_is_refused_with_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
