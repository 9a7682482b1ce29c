/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/hold/hold.h"
#include "tests/support/fake_host.h"

#define STATE	PARTITION_DIR "/cpuset.cpus.partition"

struct held {
	struct fake_host	 host;
	struct config		 config;
	struct topology		 topology;
	struct hold		*hold;
};

static void
begin(struct held *d)
{
	static char	nothing[] = "";
	struct fault	why = { 0 };

	memset(d, 0, sizeof *d);
	fake_host_init(&d->host);
	d->config.sysfs_root = d->host.root;
	d->config.hostd_path = nothing;
	d->topology.nslots = 1;
	CPU_SET(FAKE_CPU, &d->topology.slot[0]);
	d->topology.slot_cpu[0] = FAKE_CPU;
	fake_put(&d->host, STATE, "isolated");
	if (hold_open(&d->hold, &d->config, &d->topology, &why) != ST_OK)
		fail_msg("%s", why.text);
	assert_true(hold_may_time(d->hold));	/* the next look is two seconds away */
}

static void
end(struct held *d)
{
	hold_free(d->hold);
	fake_host_release(&d->host);
}

/* Each of these is written after a timing's beginning and before its end. */
static void
test_hold_a_knob_written_during_a_window_is_in_the_hash_of_that_window(void **state)
{
	static const char *const	written[][2] = {
		{ CPU "/cpufreq/policy2/scaling_governor", "performance" },
		{ CPU "/intel_pstate/no_turbo", "1" },
		{ "/proc/sys/kernel/numa_balancing", "0" },
		{ "/sys/devices/virtual/workqueue/cpumask", "3" },
		{ CPU "/online", "0-2" },
		{ "/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet" },
		{ STATE, "root" },
	};
	char				before[17];
	struct held			d;

	(void)state;
	begin(&d);
	for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
		(void)strcpy(before, hold_hash(d.hold));
		hold_see_window(d.hold);
		assert_string_equal(hold_hash(d.hold), before);
		fake_put(&d.host, written[i][0], written[i][1]);
		hold_see_window(d.hold);
		if (strcmp(hold_hash(d.hold), before) == 0)
			fail_msg("%s changed unseen", written[i][0]);
	}
	end(&d);
}

static void
test_hold_a_window_whose_partition_broke_ends_with_timing_forbidden(void **state)
{
	struct held	d;

	(void)state;
	begin(&d);
	fake_put(&d.host, STATE, "isolated invalid (Parent is not a partition root)");
	hold_see_window(d.hold);
	assert_false(hold_may_time(d.hold));
	fake_put(&d.host, STATE, "isolated");
	hold_see_window(d.hold);
	assert_true(hold_may_time(d.hold));
	end(&d);
}

/* A report looks for itself; what it saw must not be news that no window gets. */
static void
test_hold_a_report_between_two_windows_hides_nothing(void **state)
{
	struct held	d;

	(void)state;
	begin(&d);
	fake_put(&d.host, STATE, "isolated invalid (Parent is not a partition root)");
	json_decref(hold_report(d.hold));
	assert_false(hold_may_time(d.hold));
	end(&d);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_hold_a_knob_written_during_a_window_is_in_the_hash_of_that_window),
		cmocka_unit_test(
		    test_hold_a_window_whose_partition_broke_ends_with_timing_forbidden),
		cmocka_unit_test(test_hold_a_report_between_two_windows_hides_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
