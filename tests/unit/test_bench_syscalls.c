/* SPDX-License-Identifier: Apache-2.0 */
/* What the supervisor asks of the kernel for an order, and for a load. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/benches.h"
#include "tests/support/syscalls.h"
#include "worker/bench/proc/filters.h"

#define SPEC	"{'routine': 'int f(int *y)', 'context': 'warm', " \
		"'args': {'y': {'dims': [1000], 'init': 'index'}}}"

enum { ORDERS = 200, LOADS = 20, OF_ORDERS = 1, OF_LOADS = 2 };

static const char	*object;

static int
order_and_load(void)
{
	static const struct runner_run	run = { .kind = RUNNER_SAMPLE, .samples = 4, .calls = 10,
	    .realtime = true };
	struct bench			*bench = benches_open(SPEC, (struct bench_config){
	    .output_bytes = 64 + 4032, .threads = 1 });

	if (bench_load(bench, 0, object, soon(), &answer) != ST_OK)
		return 1;
	syscalls_mark();
	for (int i = 0; i < ORDERS; i++)
		if (bench_run(bench, 0, &run, soon(), &answer) != ST_OK || !answer.pinned)
			return 2;
	syscalls_mark();
	for (int i = 0; i < LOADS; i++) {
		bench_drop(bench, 0);
		if (bench_load(bench, 0, object, soon(), &answer) != ST_OK)
			return 3;
	}
	syscalls_mark();
	bench_free(bench);
	return 0;
}

static bool
count(struct syscalls *s)
{
	int	code;

	object = compile("few", "int f(int *y) { return y[7]; }");
	support_load_driver(SPEC, NULL);
	code = syscalls_count(s, order_and_load);
	if (code > 0)
		fail_msg("ended with %d", code);
	return code == 0;
}

static unsigned
opens(const unsigned *n)
{
	return n[SYS_openat];
}

/* Waiting aside, which depends on how fast the other side is. */
static unsigned
others(const unsigned *n)
{
	unsigned	sum = 0;

	for (unsigned i = 0; i < SYSCALLS_MOST; i++)
		sum += i != SYS_futex && i != SYS_wait4 && i != SYS_waitid ? n[i] : 0;
	return sum;
}

/*
 * A sealed child: its name, its CPUs and ours were looked at when it was loaded.  On a slow machine
 * its CPUs and the wish to stop are asked for with every order.
 */
static void
test_bench_an_order_asks_the_kernel_for_little_beside_the_wait(void **state)
{
	static struct syscalls	s;

	(void)state;
	if (!filters_are_counted("/proc") || !count(&s))
		skip();
	assert_int_equal(opens(s.n[OF_ORDERS]), 0);
	assert_int_equal(s.n[OF_ORDERS][SYS_fcntl], 0);
	assert_in_range(s.n[OF_ORDERS][SYS_sched_getaffinity], 1, ORDERS);
	assert_in_range(others(s.n[OF_ORDERS]), 0, 2 * ORDERS + 4);
}

/* Its object in and out of the bay, three files; and its status, for its filters. */
static void
test_bench_a_load_reads_one_file_of_the_childs_and_none_of_the_templates(void **state)
{
	static struct syscalls	s;

	(void)state;
	if (!filters_are_counted("/proc") || !count(&s))
		skip();
	assert_int_equal(opens(s.n[OF_LOADS]), 3 * LOADS);
	assert_int_equal(s.n[OF_LOADS][SYS_fcntl], 2 * LOADS);	/* it signs; its sign is gone */
	assert_in_range(others(s.n[OF_LOADS]), 0, 25 * LOADS);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_bench_an_order_asks_the_kernel_for_little_beside_the_wait),
		cmocka_unit_test(
		    test_bench_a_load_reads_one_file_of_the_childs_and_none_of_the_templates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
