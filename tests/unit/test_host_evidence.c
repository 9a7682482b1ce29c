/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/evidence/host_evidence.h"

/* A host of two files below a directory of its own. */
static char	root[64];

#define FREQUENCY	"/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq"

static void
put_file(const char *path, const char *text)
{
	char	 full[256], *slash;
	FILE	*f;

	(void)snprintf(full, sizeof full, "%s%s", root, path);
	for (slash = strchr(full + strlen(root) + 1, '/'); slash != NULL;
	    slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(full, 0700);
		*slash = '/';
	}
	assert_non_null(f = fopen(full, "w"));
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* Steal of CPU 1, CPU 10 and all together, in ticks. */
static void
put_steal(unsigned one, unsigned ten, unsigned all)
{
	char	text[512];

	(void)snprintf(text, sizeof text, "cpu  9 8 7 6 5 4 3 %u 0 0\ncpu0 1 1 1 1 1 1 1 777 0 0\n"
	    "cpu10 1 1 1 1 1 1 1 %u 0 0\ncpu1 1 1 1 1 1 1 1 %u 0 0\nintr 12345 0 0\ncpu1 1 1 1 1 1 "
	    "1 1 999 0 0\n", all, ten, one);
	put_file("/proc/stat", text);
}

static int
make_host(void **state)
{
	(void)state;
	(void)snprintf(root, sizeof root, "/tmp/assay-host-XXXXXX");
	return mkdtemp(root) == NULL;
}

static int
remove_host(void **state)
{
	char	command[128];

	(void)state;
	(void)snprintf(command, sizeof command, "rm -r '%s'", root);
	return system(command);
}

static double
tick_ms(void)
{
	return 1e3 / (double)sysconf(_SC_CLK_TCK);
}

static void
test_steal_is_that_of_the_timing_cpu_and_spans_add_up(void **state)
{
	struct host_evidence	h;

	(void)state;
	host_evidence_init(&h, root, 1);
	put_steal(100, 5, 4000);
	host_evidence_begin(&h);
	put_steal(103, 50, 5000);
	host_evidence_end(&h);
	assert_float_equal(h.steal_ms, 3 * tick_ms(), 1e-9);
	put_steal(200, 60, 6000);		/* between the spans: nothing was timed */
	host_evidence_begin(&h);
	host_evidence_end(&h);
	assert_float_equal(h.steal_ms, 3 * tick_ms(), 1e-9);
	host_evidence_begin(&h);
	put_steal(202, 60, 6000);
	host_evidence_end(&h);
	assert_float_equal(h.steal_ms, 5 * tick_ms(), 1e-9);
}

static void
test_steal_of_a_routine_with_threads_is_that_of_all_its_cpus(void **state)
{
	struct host_evidence	h;
	cpu_set_t		slot;

	(void)state;
	CPU_ZERO(&slot);
	CPU_SET(10, &slot);
	host_evidence_init(&h, root, 0);
	host_evidence_watch(&h, &slot);
	put_steal(100, 5, 4000);
	host_evidence_begin(&h);
	put_steal(103, 50, 5000);
	host_evidence_end(&h);
	assert_float_equal(h.steal_ms, 45 * tick_ms(), 1e-9);
}

static void
test_steal_without_a_pinned_cpu_is_that_of_all(void **state)
{
	struct host_evidence	h;

	(void)state;
	host_evidence_init(&h, root, -1);
	put_steal(0, 0, 4000);
	put_file(FREQUENCY, "2500000\n");
	host_evidence_begin(&h);
	put_steal(0, 0, 4001);
	host_evidence_end(&h);
	assert_float_equal(h.steal_ms, tick_ms(), 1e-9);
	assert_false(h.has_frequency);
}

static void
test_what_a_host_does_not_show_is_absent(void **state)
{
	struct host_evidence	 h;
	struct report		 r;

	(void)state;
	host_evidence_init(&h, root, 1);
	host_evidence_begin(&h);
	host_evidence_end(&h);
	report_clear(&r);
	host_evidence_report(&h, &r.found.evidence.sample);
	assert_true(isnan(r.found.evidence.sample.steal_ms));
	assert_false(r.found.evidence.sample.has_frequency);
	put_file("/proc/stat", "cpu  1 2 3\ncpu1 1 2 3 4\n");	/* of a kernel that does not count
								 * it */
	put_file(FREQUENCY, "<unknown>\n");
	host_evidence_begin(&h);
	host_evidence_end(&h);
	assert_true(h.steal_ms < 0 && !h.has_frequency);
}

static void
frequencies(struct host_evidence *h, const char *before, const char *after)
{
	put_file(FREQUENCY, before);
	host_evidence_begin(h);
	put_file(FREQUENCY, after);
	host_evidence_end(h);
}

static void
test_W43_a_frequency_that_moved_by_more_than_two_percent_is_said(void **state)
{
	struct host_evidence	 h;
	struct sample_evidence	 e;

	(void)state;
	host_evidence_init(&h, root, 1);
	frequencies(&h, "2500000\n", "2550000\n");
	assert_false(host_evidence_moved(&h));
	host_evidence_init(&h, root, 1);
	frequencies(&h, "2600000\n", "2500000\n");
	host_evidence_report(&h, &e);
	assert_true(e.has_frequency && e.frequency_moved);
	assert_float_equal(e.frequency_mhz[0], 2600, 1e-9);
	assert_float_equal(e.frequency_mhz[1], 2500, 1e-9);
}

static void
test_W43_a_frequency_that_came_back_has_moved(void **state)
{
	struct host_evidence	h;

	(void)state;
	host_evidence_init(&h, root, 1);
	frequencies(&h, "2500000\n", "1200000\n");
	frequencies(&h, "2500000\n", "2500000\n");
	assert_true(host_evidence_moved(&h));
	assert_float_equal(h.first_mhz, 2500, 1e-9);
	assert_float_equal(h.last_mhz, 2500, 1e-9);
}

/* The counter of a guest may be set back, as by a move to another host. */
static void
test_steal_that_was_set_back_within_a_span_does_not_count(void **state)
{
	struct host_evidence	h;

	(void)state;
	host_evidence_init(&h, root, 1);
	put_steal(100, 5, 4000);
	host_evidence_begin(&h);
	put_steal(102, 5, 4000);
	host_evidence_end(&h);
	host_evidence_begin(&h);
	put_steal(7, 5, 4000);
	host_evidence_end(&h);
	assert_float_equal(h.steal_ms, 2 * tick_ms(), 1e-9);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, make_host, remove_host)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(test_steal_is_that_of_the_timing_cpu_and_spans_add_up),
		TEST(test_steal_of_a_routine_with_threads_is_that_of_all_its_cpus),
		TEST(test_steal_without_a_pinned_cpu_is_that_of_all),
		TEST(test_what_a_host_does_not_show_is_absent),
		TEST(test_W43_a_frequency_that_moved_by_more_than_two_percent_is_said),
		TEST(test_W43_a_frequency_that_came_back_has_moved),
		TEST(test_steal_that_was_set_back_within_a_span_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
