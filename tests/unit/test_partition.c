/* SPDX-License-Identifier: Apache-2.0 */

#include "tests/support/fake_host.h"

/* Of slots like "2; 4-7". */
static enum status
take(struct fake_host *h, struct tune *t, const char *slots, enum partition_kind kind,
    struct fault *why)
{
	struct tune_order	order = fake_order(h, false);
	struct site		site;
	cpu_set_t		slot[4];
	unsigned		n;
	enum status		st;

	order.partition.kind = kind;
	assert_true(cpulist_parse_lists(slots, slot, 4, &n));
	st = site_open(&site, &h->fs, slot, n, why);
	return st == ST_OK ? tune_apply(t, &site, &order, NULL, NULL, why) : st;
}

static enum status
take_cpu(struct fake_host *h, struct tune *t, enum partition_kind kind, struct fault *why)
{
	return take(h, t, "2", kind, why);
}

static void
test_partition_has_whole_cores_and_each_slot_one_cpu(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	assert_int_equal(take_cpu(&h, &t, PARTITION_ISOLATED, &why), ST_OK);
	assert_int_equal(t.partition.status, KNOB_SET);
	assert_string_equal(t.partition.words, "isolated");
	assert_string_equal(fake_get(&h, PARTITION_DIR "/cpuset.cpus"), "2-3");
	assert_string_equal(fake_get(&h, PARTITION_DIR "/cpuset.cpus.partition"), "isolated");
	assert_string_equal(fake_get(&h, PARTITION_DIR "/cgroup.subtree_control"),
	    "cpuset memory pids");
	assert_string_equal(fake_get(&h, PARTITION_DIR "/slot2/cpuset.cpus"), "2");
	assert_string_equal(fake_get(&h, CGROUP2 "/cgroup.subtree_control"), "cpuset memory pids");
	fake_give_back(&h, &t);
	assert_string_equal(fake_get(&h, CGROUP2 "/cgroup.subtree_control"), "memory");
	assert_string_equal(fake_get(&h, PARTITION_DIR "/cpuset.cpus"), "(none)");
	fake_host_release(&h);
}

static void
test_partition_a_slot_may_have_several_cpus(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	fake_put(&h, CPU "/online", "0-7");
	assert_int_equal(take(&h, &t, "3; 4-5,7", PARTITION_ISOLATED, &why), ST_OK);
	assert_string_equal(fake_get(&h, PARTITION_DIR "/cpuset.cpus"), "2-5,7");
	assert_string_equal(fake_get(&h, PARTITION_DIR "/slot3/cpuset.cpus"), "3");
	assert_string_equal(fake_get(&h, PARTITION_DIR "/slot4/cpuset.cpus"), "4-5,7");
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

static void
test_partition_both_threads_of_a_core_may_be_one_slot(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	assert_int_equal(take(&h, &t, "2-3", PARTITION_ISOLATED, &why), ST_OK);
	assert_string_equal(fake_get(&h, PARTITION_DIR "/slot2/cpuset.cpus"), "2-3");
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

static void
test_partition_of_kind_root_keeps_load_balancing(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	assert_int_equal(take_cpu(&h, &t, PARTITION_ROOT, &why), ST_OK);
	assert_string_equal(t.partition.words, "root");
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

static void
test_partition_takes_memory_from_the_cpus_own_node(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	fake_put(&h, CPU "/cpu2/node1/meminfo", "x");
	assert_int_equal(take_cpu(&h, &t, PARTITION_ISOLATED, &why), ST_OK);
	assert_string_equal(fake_get(&h, PARTITION_DIR "/cpuset.mems"), "1");
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

static void
test_partition_that_the_kernel_calls_invalid_leaves_nothing_behind(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	fake_remember(&h);
	h.partition_says = "isolated invalid (Cpu list in cpuset.cpus not exclusive)";
	assert_int_equal(take_cpu(&h, &t, PARTITION_ISOLATED, &why), ST_OK);
	assert_int_equal(t.partition.status, KNOB_NOT_TAKEN);
	assert_non_null(strstr(t.partition.words, "not exclusive"));
	assert_int_equal(t.count[KNOB_NOT_TAKEN], 1);
	assert_string_equal(fake_get(&h, PARTITION_DIR "/cpuset.cpus"), "(none)");
	assert_string_equal(fake_get(&h, "/proc/irq/default_smp_affinity"), "3");	/* the rest is done all the same */
	fake_give_back(&h, &t);
	fake_assert_as_before(&h, 0);
	fake_host_release(&h);
}

static void
test_partition_says_why_when_it_cannot_be_made(void **state)
{
	static const struct {
		const char		*refuse;
		int			 error;
		enum knob_status	 status;
	} all[] = {
		{ CGROUP2 "/cgroup.subtree_control", EBUSY, KNOB_REJECTED },
		{ PARTITION_DIR "/cpuset.cpus", EINVAL, KNOB_REJECTED },
		{ PARTITION_DIR "/cpuset.cpus.partition", EACCES, KNOB_DENIED },
		{ PARTITION_DIR "/slot2/cpuset.cpus", EIO, KNOB_REJECTED },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
		struct fake_host	h;
		struct tune		t;
		struct fault		why;

		fake_host_init(&h);
		fake_remember(&h);
		h.refuse = all[i].refuse;
		h.refuse_errno = all[i].error;
		assert_int_equal(take_cpu(&h, &t, PARTITION_ISOLATED, &why), ST_OK);
		assert_int_equal(t.partition.status, all[i].status);
		assert_non_null(strstr(t.partition.words, strerror(all[i].error)));
		h.refuse = NULL;
		fake_give_back(&h, &t);
		fake_assert_as_before(&h, 0);
		fake_host_release(&h);
	}
}

static void
test_partition_is_absent_without_cgroup_v2(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	fake_put(&h, CGROUP2 "/cgroup.controllers", "cpu io memory pids");
	assert_int_equal(take_cpu(&h, &t, PARTITION_ISOLATED, &why), ST_OK);
	assert_int_equal(t.partition.status, KNOB_ABSENT);
	fake_give_back(&h, &t);
	fake_remove(&h, CGROUP2 "/cgroup.controllers");
	assert_int_equal(take_cpu(&h, &t, PARTITION_ISOLATED, &why), ST_OK);
	assert_int_equal(t.partition.status, KNOB_ABSENT);
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

static void
test_partition_of_somebody_else_in_our_place_is_left_alone(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	fake_put(&h, PARTITION_DIR "/cpuset.cpus.partition", "isolated");
	assert_int_equal(take_cpu(&h, &t, PARTITION_ISOLATED, &why), ST_OK);
	assert_int_equal(t.partition.status, KNOB_FOREIGN);
	fake_give_back(&h, &t);
	assert_string_equal(fake_get(&h, PARTITION_DIR "/cpuset.cpus.partition"), "isolated");
	fake_host_release(&h);
}

static void
test_partition_restore_does_not_mind_that_it_became_invalid(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why;

	(void)state;
	fake_host_init(&h);
	fake_remember(&h);
	assert_int_equal(take_cpu(&h, &t, PARTITION_ISOLATED, &why), ST_OK);
	fake_put(&h, PARTITION_DIR "/cpuset.cpus.partition",
	    "isolated invalid (Parent unable to distribute cpu downstream)");
	fake_give_back(&h, &t);
	fake_assert_as_before(&h, 0);
	fake_host_release(&h);
}

static void
refused(const char *slots, const char *word)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why = { 0 };

	fake_host_init(&h);
	fake_remember(&h);
	assert_int_equal(take(&h, &t, slots, PARTITION_ISOLATED, &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "timing-cpus");
	if (strstr(why.text, word) == NULL)
		fail_msg("\"%s\" does not mention \"%s\"", why.text, word);
	fake_assert_as_before(&h, 0);
	fake_host_release(&h);
}

static void
test_partition_cpus_that_must_not_be_taken_are_refused(void **state)
{
	(void)state;
	refused("0", "CPU 0");
	refused("1", "CPU 0");
	refused("2; 0", "CPU 0");
	refused("1-2", "CPU 0");
	refused("2; 3", "share one core");
	refused("9", "no CPU 9");
	refused("2; 2", "twice");
	refused("2,9", "no CPU 9");
}

static void
test_partition_never_takes_the_last_cpus(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct fault		why = { 0 };

	(void)state;
	fake_host_init(&h);
	fake_put(&h, CPU "/online", "2-3");
	assert_int_equal(take(&h, &t, "2", PARTITION_ISOLATED, &why), ST_BAD_REQUEST);
	assert_non_null(strstr(why.text, "no CPU would be left"));
	fake_host_release(&h);
}

static void
test_partition_one_cpu_of_the_last_core_is_chosen_when_nobody_says(void **state)
{
	struct fake_host	h;
	struct site		s;

	(void)state;
	fake_host_init(&h);
	assert_int_equal(site_open(&s, &h.fs, NULL, 0, NULL), ST_OK);
	assert_int_equal(s.nslots, 1);
	assert_int_equal(s.slot_cpu[0], 2);
	assert_int_equal(CPU_COUNT(&s.house), 2);
	fake_host_release(&h);
}

static void
test_partition_the_cpu_that_is_chosen_is_on_a_fast_core(void **state)
{
	struct fake_host	h;
	struct site		s;

	(void)state;
	fake_host_init(&h);
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		char	path[96];

		(void)snprintf(path, sizeof path, CPU "/cpu%u/cpufreq/cpuinfo_max_freq", cpu);
		fake_put(&h, path, cpu < 2 ? "5000000" : "3000000");
	}
	assert_int_equal(site_open(&s, &h.fs, NULL, 0, NULL), ST_OK);
	assert_int_equal(s.slot_cpu[0], 0);
	fake_put(&h, CPU "/cpu3/cpufreq/cpuinfo_max_freq", "5200000");
	assert_int_equal(site_open(&s, &h.fs, NULL, 0, NULL), ST_OK);
	assert_int_equal(s.slot_cpu[0], 2);
	fake_host_release(&h);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_partition_has_whole_cores_and_each_slot_one_cpu),
		cmocka_unit_test(test_partition_a_slot_may_have_several_cpus),
		cmocka_unit_test(test_partition_both_threads_of_a_core_may_be_one_slot),
		cmocka_unit_test(test_partition_of_kind_root_keeps_load_balancing),
		cmocka_unit_test(test_partition_takes_memory_from_the_cpus_own_node),
		cmocka_unit_test(test_partition_that_the_kernel_calls_invalid_leaves_nothing_behind),
		cmocka_unit_test(test_partition_says_why_when_it_cannot_be_made),
		cmocka_unit_test(test_partition_is_absent_without_cgroup_v2),
		cmocka_unit_test(test_partition_of_somebody_else_in_our_place_is_left_alone),
		cmocka_unit_test(test_partition_restore_does_not_mind_that_it_became_invalid),
		cmocka_unit_test(test_partition_cpus_that_must_not_be_taken_are_refused),
		cmocka_unit_test(test_partition_never_takes_the_last_cpus),
		cmocka_unit_test(test_partition_one_cpu_of_the_last_core_is_chosen_when_nobody_says),
		cmocka_unit_test(test_partition_the_cpu_that_is_chosen_is_on_a_fast_core),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
