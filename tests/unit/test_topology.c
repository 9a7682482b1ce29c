/* SPDX-License-Identifier: Apache-2.0 */

#include "daemon/setup/config.h"
#include "daemon/setup/topology.h"
#include "tests/support/fake_host.h"

/* hwloc builds the host that HWLOC_SYNTHETIC describes. */
static enum status
load_with(struct topology *t, const char *host, const char *setting, const char *timing_cpus,
    struct fault *why)
{
	char		 empty[] = "", flag[32], list[64], name[] = "assayd";
	char		*argv[] = { name, flag, list, NULL };
	struct config	 c;
	enum status	 st;

	(void)setenv("HWLOC_SYNTHETIC", host, 1);
	(void)strcpy(flag, setting);
	(void)strcpy(list, timing_cpus);
	assert_int_equal(config_load(&c, timing_cpus[0] != '\0' ? 3 : 1, argv, why), ST_OK);
	assert_string_equal(c.sysfs_root, empty);
	st = topology_load(t, &c.slots, c.sysfs_root, why);
	config_release(&c);
	return st;
}

static enum status
load(struct topology *t, const char *host, const char *timing_cpus, struct fault *why)
{
	return load_with(t, host, "--timing-cpus", timing_cpus, why);
}

/* A host on which other daemons have claimed these CPUs. */
static enum status
load_beside(struct topology *t, const char *host, const char *claimed, struct fault *why)
{
	struct slot_list	want = { .from = "timing-cpus", .any_free = true };

	(void)setenv("HWLOC_SYNTHETIC", host, 1);
	assert_true(cpulist_parse(claimed, &want.claimed));
	return topology_load(t, &want, "", why);
}

static const char	smt_host[] =
    "pack:1 l3:1(size=33554432) l2:4(size=1048576) l1:1(size=49152) core:1 pu:2";

static void
class_of(const char *host, const char *timing_cpus, char out[TOPOLOGY_CLASS_BYTES])
{
	struct topology	t;
	struct fault	why;

	assert_int_equal(load(&t, host, timing_cpus, &why), ST_OK);
	topology_class(&t, out);
	assert_int_equal(strlen(out), TOPOLOGY_CLASS_BYTES - 1);
}

static void
test_topology_D4_a_host_s_class_is_its_caches_and_cpus_and_not_the_chosen_slot(void **state)
{
	char	a[TOPOLOGY_CLASS_BYTES], b[TOPOLOGY_CLASS_BYTES], c[TOPOLOGY_CLASS_BYTES];
	char	d[TOPOLOGY_CLASS_BYTES];

	(void)state;
	class_of(smt_host, "", a);
	class_of(smt_host, "2", b);
	class_of("pack:1 l3:1(size=33554432) l2:8(size=1048576) l1:1(size=49152) core:1 pu:1", "",
	    c);
	class_of("pack:1 l3:1(size=16777216) l2:4(size=1048576) l1:1(size=49152) core:1 pu:2", "",
	    d);
	assert_string_equal(a, b);
	assert_string_not_equal(a, d);
	assert_string_not_equal(c, d);
}

static void
test_topology_takes_the_last_core_and_keeps_its_siblings_idle(void **state)
{
	struct topology	t;
	struct fault	why;

	(void)state;
	assert_int_equal(load(&t, smt_host, "", &why), ST_OK);
	assert_int_equal(t.ncpus, 8);
	assert_int_equal(t.nslots, 1);
	assert_int_equal(t.slot_cpu[0], 6);
	assert_int_equal(t.nhouse, 6);
	for (unsigned i = 0; i < t.nhouse; i++)
		assert_true(t.house_cpu[i] < 6);
}

static void
test_topology_reports_the_caches_that_hwloc_sees(void **state)
{
	struct topology	t;
	struct fault	why;

	(void)state;
	assert_int_equal(load(&t, smt_host, "", &why), ST_OK);
	assert_int_equal(t.l1_bytes, 49152);
	assert_int_equal(t.l2_bytes, 1048576);
	assert_int_equal(t.l3_bytes, 33554432);
}

static bool
shares(const struct topology *t, unsigned slot, const char *cpus)
{
	cpu_set_t	want;

	assert_true(cpulist_parse(cpus, &want));
	return CPU_EQUAL(&t->slot_shares[slot], &want);
}

static void
test_topology_slots_share_their_last_cache_with_the_cpus_below_it(void **state)
{
	struct topology	t;
	struct fault	why;

	(void)state;
	assert_int_equal(load_with(&t, "pack:1 l3:2(size=33554432) l2:4(size=1048576) core:1 pu:1",
	    "--slots", "1;2;3-4;5", &why), ST_OK);
	assert_true(shares(&t, 0, "0-3") && shares(&t, 1, "0-3"));
	assert_true(shares(&t, 2, "0-7"));		/* it lies on both */
	assert_true(shares(&t, 3, "4-7"));
	assert_int_equal(load_with(&t, "pack:2 core:2 pu:1", "--slots", "0;3", &why), ST_OK);
	assert_true(shares(&t, 0, "0-1") && shares(&t, 1, "2-3"));	/* no caches: the package */
}

static void
test_topology_W61_each_slot_has_the_caches_of_its_own_cpus(void **state)
{
	struct topology	t;
	struct fault	why;

	(void)state;
	assert_int_equal(load_with(&t, smt_host, "--slots", "0;2-5", &why), ST_OK);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(t.slot_caches[i].l1_bytes, 49152);
		assert_int_equal(t.slot_caches[i].l3_bytes, 33554432);
		assert_int_equal(t.slot_caches[i].line_bytes, t.line_bytes);
	}
	t.slot_caches[1].l3_bytes = 2 * t.l3_bytes;
	assert_int_equal(topology_largest_cache(&t), 67108864);
}

static void
test_topology_a_timing_cpu_that_is_not_there_is_named(void **state)
{
	struct topology	t;
	struct fault	why;

	(void)state;
	assert_int_equal(load(&t, "core:2 pu:1", "1,9", &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "timing-cpus");
	assert_non_null(strstr(why.text, "9"));
}

static void
test_topology_one_core_still_leaves_a_place_for_the_daemon_and_says_so(void **state)
{
	struct topology	t;
	struct fault	why;
	json_t		*report;

	(void)state;
	assert_int_equal(load(&t, "core:1 pu:1", "", &why), ST_OK);
	assert_int_equal(t.nhouse, 1);
	assert_int_equal(t.house_cpu[0], t.slot_cpu[0]);
	report = topology_report(&t);
	assert_int_equal(json_array_size(json_object_get(report, "warnings")), 3);
	json_decref(report);
}

static void
assert_cpus(const cpu_set_t *cpus, const char *expected)
{
	char	list[64];

	assert_string_equal(cpulist_format(cpus, list, sizeof list), expected);
}

static void
test_topology_a_core_that_another_daemon_times_on_is_passed_over(void **state)
{
	struct topology	t;
	struct fault	why;

	(void)state;
	assert_int_equal(load_beside(&t, smt_host, "6-7", &why), ST_OK);
	assert_int_equal(t.slot_cpu[0], 4);
	assert_cpus(&t.timing_cores, "4-5");
	assert_int_equal(load_beside(&t, smt_host, "2-7", &why), ST_OK);
	assert_int_equal(t.slot_cpu[0], 0);
}

static void
test_topology_compilers_keep_off_claimed_cpus_while_another_is_left(void **state)
{
	struct topology	t;
	struct fault	why;
	cpu_set_t	others;

	(void)state;
	assert_int_equal(load(&t, smt_host, "2", &why), ST_OK);
	assert_true(cpulist_parse("0-1,6", &others));
	topology_keep_off(&t, &others);
	assert_int_equal(t.nhouse, 3);
	assert_int_equal(t.house_cpu[0], 4);
	assert_int_equal(t.house_cpu[1], 5);
	assert_int_equal(t.house_cpu[2], 7);
	assert_false(t.disturbs);
	assert_true(cpulist_parse("4-7", &others));
	topology_keep_off(&t, &others);
	assert_int_equal(t.nhouse, 3);
	assert_true(t.disturbs);
}

static void
test_topology_no_core_is_left_when_other_daemons_time_on_all(void **state)
{
	struct topology	t;
	struct fault	why;

	(void)state;
	assert_int_equal(load_beside(&t, smt_host, "0-7", &why), ST_FULL);
	assert_string_equal(why.member, "timing-cpus");
}

/* Files of four cores with one thread each; `file` of each has these values, "" none. */
static void
put_cores(const struct fake_host *h, const char *file, const char *const values[4])
{
	char	path[128], text[8];

	fake_put(h, CPU "/possible", "0-3");
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		(void)snprintf(text, sizeof text, "%x", 1u << cpu);
		(void)snprintf(path, sizeof path, CPU "/cpu%u/topology/core_cpus", cpu);
		fake_put(h, path, text);
		(void)snprintf(text, sizeof text, "%u", cpu);
		(void)snprintf(path, sizeof path, CPU "/cpu%u/topology/core_id", cpu);
		fake_put(h, path, text);
		(void)snprintf(path, sizeof path, CPU "/cpu%u/%s", cpu, file);
		if (values[cpu][0] != '\0')
			fake_put(h, path, values[cpu]);
	}
}

/* On a host of files; the claimed CPUs are those of other daemons. */
static void
load_files(struct topology *t, const struct fake_host *h, const char *claimed)
{
	struct slot_list	want = { .from = "timing-cpus" };
	struct fault		why = { 0 };

	assert_true(cpulist_parse(claimed, &want.claimed));
	if (topology_load(t, &want, h->root, &why) != ST_OK)
		fail_msg("%s", why.text);
	(void)unsetenv("HWLOC_FSROOT");		/* it would outlast the files */
}

static void
test_topology_on_a_hybrid_host_the_last_fast_core_is_for_timing(void **state)
{
	static const struct {
		const char	*file, *values[4];
		int		 timing;
	} hosts[] = {
		{ "cpu_capacity", { "1024", "1024", "446", "446" }, 1 },
		{ "cpu_capacity", { "446", "446", "1024", "1024" }, 3 },
		{ "cpufreq/cpuinfo_max_freq", { "5200000", "5500000", "5300000", "3800000" }, 2 },
		{ "cpufreq/cpuinfo_max_freq", { "5500000", "5200000", "5300000", "5100000" }, 3 },
		{ "cpufreq/cpuinfo_max_freq", { "", "", "", "" }, 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
		struct fake_host	h;
		struct topology		t;

		fake_host_init(&h);
		put_cores(&h, hosts[i].file, hosts[i].values);
		load_files(&t, &h, "");
		assert_int_equal(t.ncpus, 4);
		assert_int_equal(t.slot_cpu[0], hosts[i].timing);
		fake_host_release(&h);
	}
}

static void
test_topology_a_slow_core_is_taken_only_if_no_fast_one_is_left_and_it_says_so(void **state)
{
	static const char *const	values[] = { "446", "1024", "1024", "446" };
	static const char		warning[] = "slot 3 has slow cores of a hybrid host";
	struct fake_host		h;
	struct topology			t;
	json_t				*report;
	char				*text;

	(void)state;
	fake_host_init(&h);
	put_cores(&h, "cpu_capacity", values);
	load_files(&t, &h, "2");
	assert_int_equal(t.slot_cpu[0], 1);
	load_files(&t, &h, "1-2");
	assert_int_equal(t.slot_cpu[0], 3);
	report = topology_report(&t);
	assert_non_null(text = json_dumps(json_object_get(report, "warnings"), 0));
	assert_non_null(strstr(text, warning));
	free(text);
	json_decref(report);
	fake_host_release(&h);
}

static bool
is_house(const struct topology *t, int cpu)
{
	for (unsigned i = 0; i < t->nhouse; i++)
		if (t->house_cpu[i] == cpu)
			return true;
	return false;
}

static void
test_topology_a_slot_of_whole_cores_leaves_their_siblings_idle(void **state)
{
	struct topology	t;
	struct fault	why;

	(void)state;
	assert_int_equal(load_with(&t, smt_host, "--slots", "2; 4,6", &why), ST_OK);
	assert_int_equal(t.nslots, 2);
	assert_int_equal(t.slot_cpu[0], 2);
	assert_int_equal(t.slot_cpu[1], 4);
	assert_int_equal(CPU_COUNT(&t.slot[1]), 2);
	assert_int_equal(t.nhouse, 2);
	for (int cpu = 0; cpu < 8; cpu++)
		assert_int_equal(is_house(&t, cpu), cpu < 2);
}

static json_t *
report_of(const char *host, const char *slots)
{
	struct topology	t;
	struct fault	why;

	assert_int_equal(load_with(&t, host, "--slots", slots, &why), ST_OK);
	return topology_report(&t);
}

static void
test_topology_says_what_is_odd_about_a_slot(void **state)
{
	static const struct {
		const char	*host, *slots, *warning;
	} odd[] = {
		{ smt_host, "4-5", "slot 4-5 has several threads of one core" },
		{ smt_host, "0,2", "CPU 0 is a timing CPU" },
		{ "pack:2 l3:1(size=33554432) core:2 pu:1", "1-2",
		"slot 1-2 lies in several packages" }, { "core:2 pu:1", "0-1", "no core is left" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
		json_t	*report = report_of(odd[i].host, odd[i].slots);
		char	*text = json_dumps(json_object_get(report, "warnings"), 0);

		if (strstr(text, odd[i].warning) == NULL)
			fail_msg("%s: %s", odd[i].slots, text);
		free(text);
		json_decref(report);
	}
}

static void
test_topology_a_cpu_is_in_one_slot_only(void **state)
{
	struct topology	t;
	struct fault	why;

	(void)state;
	assert_int_equal(load_with(&t, smt_host, "--slots", "2,4; 4,6", &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "slots");
	assert_non_null(strstr(why.text, "CPU 4 is in two slots"));
	assert_int_equal(load_with(&t, smt_host, "--slots", "6,8", &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "slots");
	assert_non_null(strstr(why.text, "8"));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_topology_D4_a_host_s_class_is_its_caches_and_cpus_and_not_the_chosen_slot),
		cmocka_unit_test(test_topology_takes_the_last_core_and_keeps_its_siblings_idle),
		cmocka_unit_test(test_topology_reports_the_caches_that_hwloc_sees),
		cmocka_unit_test(test_topology_slots_share_their_last_cache_with_the_cpus_below_it),
		cmocka_unit_test(test_topology_W61_each_slot_has_the_caches_of_its_own_cpus),
		cmocka_unit_test(test_topology_a_timing_cpu_that_is_not_there_is_named),
		cmocka_unit_test(test_topology_one_core_still_leaves_a_place_for_the_daemon_and_says_so),
		cmocka_unit_test(test_topology_a_core_that_another_daemon_times_on_is_passed_over),
		cmocka_unit_test(test_topology_compilers_keep_off_claimed_cpus_while_another_is_left),
		cmocka_unit_test(test_topology_no_core_is_left_when_other_daemons_time_on_all),
		cmocka_unit_test(test_topology_on_a_hybrid_host_the_last_fast_core_is_for_timing),
		cmocka_unit_test(test_topology_a_slow_core_is_taken_only_if_no_fast_one_is_left_and_it_says_so),
		cmocka_unit_test(test_topology_a_slot_of_whole_cores_leaves_their_siblings_idle),
		cmocka_unit_test(test_topology_says_what_is_odd_about_a_slot),
		cmocka_unit_test(test_topology_a_cpu_is_in_one_slot_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
