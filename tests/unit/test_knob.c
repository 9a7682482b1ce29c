/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/fake_host.h"

#define POLICY2	CPU "/cpufreq/policy2"

/* Every file that assay-hostd sets on the fake host, and what it then says. */
static const struct {
	const char	*path, *value, *name;
	enum knob_scope	 scope;
} set[] = {
	{ "/proc/irq/default_smp_affinity", "3", "default_irq_affinity", KNOB_NARROW },
	{ "/proc/irq/7/smp_affinity", "3", "irq_affinity", KNOB_NARROW },
	{ "/proc/irq/8/smp_affinity", "3", "irq_affinity", KNOB_NARROW },
	{ "/sys/devices/virtual/workqueue/cpumask", "3", "workqueue_cpus", KNOB_NARROW },
	{ "/sys/devices/virtual/workqueue/writeback/cpumask", "3", "writeback_cpus", KNOB_NARROW },
	{ "/proc/sys/kernel/watchdog_cpumask", "0-1", "watchdog_cpus", KNOB_NARROW },
	{ CPU "/intel_pstate/no_turbo", "1", "turbo", KNOB_GLOBAL },
	{ CPU "/cpufreq/boost", "0", "turbo", KNOB_GLOBAL },
	{ POLICY2 "/boost", "0", "turbo", KNOB_GLOBAL },
	{ POLICY2 "/scaling_governor", "performance", "governor", KNOB_GLOBAL },
	{ POLICY2 "/scaling_max_freq", "2400000", "max_frequency", KNOB_GLOBAL },
	{ POLICY2 "/scaling_min_freq", "2400000", "min_frequency", KNOB_GLOBAL },
	{ "/proc/sys/kernel/timer_migration", "0", "timer_migration", KNOB_GLOBAL },
	{ "/proc/sys/kernel/numa_balancing", "0", "numa_balancing", KNOB_GLOBAL },
	{ "/proc/sys/kernel/nmi_watchdog", "0", "nmi_watchdog", KNOB_GLOBAL },
	{ "/proc/sys/kernel/soft_watchdog", "0", "soft_watchdog", KNOB_GLOBAL },
	{ "/proc/sys/vm/stat_interval", "10", "stat_interval", KNOB_GLOBAL },
	{ "/proc/sys/kernel/sched_rt_runtime_us", "950000", "rt_runtime", KNOB_GLOBAL },
	{ CPU "/cpu3/online", "0", "smt_sibling", KNOB_GLOBAL },
};
enum { NSET = sizeof set / sizeof set[0] };

struct seen {
	const char	*path;			/* which knob is asked about */
	unsigned	 times, count[KNOB_NSTATUS];
	enum knob_status status;
	char		 found[HOSTFS_VALUE_BYTES], wanted[HOSTFS_VALUE_BYTES];
};

static void
see(void *arg, const struct knob *k)
{
	struct seen	*s = arg;

	s->count[k->status]++;
	assert_true(knob_remedy(k)[0] != '\0');
	if (s->path == NULL || strcmp(s->path, k->path) != 0)
		return;
	s->times++;
	s->status = k->status;
	(void)strcpy(s->found, k->found);
	(void)strcpy(s->wanted, k->wanted);
}

static enum status
see_too(void *arg, struct knob *k)
{
	see(arg, k);
	return ST_OK;
}

enum { ALL = KNOB_HELD | KNOB_NARROW | KNOB_GLOBAL | KNOB_REPORT };

static struct seen
look_among(const struct fake_host *h, unsigned scopes, const char *path)
{
	struct seen	s = { .path = path };
	struct site	site;

	assert_int_equal(fake_site(&site, h, NULL), ST_OK);
	assert_int_equal(knob_each(&site, scopes, see_too, &s), ST_OK);
	return s;
}

static struct seen
look_at(const struct fake_host *h, const char *path)
{
	return look_among(h, ALL, path);
}

/* Take the host; what became of the knob at `path`. */
static struct seen
apply(struct fake_host *h, struct tune *t, bool tune, const char *path)
{
	struct tune_order	order = fake_order(h, tune);
	struct seen		s = { .path = path };
	struct fault		why = { 0 };
	struct site		site;
	enum status		st;

	assert_int_equal(fake_site(&site, h, &why), ST_OK);
	st = tune_apply(t, &site, &order, see, &s, &why);
	if (st != ST_OK)
		fail_msg("%s", why.text);
	return s;
}

static void
test_knob_W43_each_is_set_to_what_is_wanted_and_put_back(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct seen		 s;

	(void)state;
	fake_host_init(&h);
	fake_remember(&h);
	s = apply(&h, &t, true, NULL);
	assert_int_equal(s.count[KNOB_SET], NSET);
	for (unsigned i = 0; i < NSET; i++)
		assert_string_equal(fake_get(&h, set[i].path), set[i].value);
	for (unsigned i = 0; i < NSET; i++)
		assert_int_equal(look_at(&h, set[i].path).status, KNOB_ALREADY);
	fake_give_back(&h, &t);
	fake_assert_as_before(&h, 0);
	fake_host_release(&h);
}

/* A look at what lasts does not read a file for each process and interrupt. */
static void
test_knob_of_what_lasts_processes_and_interrupts_are_not_read(void **state)
{
	static const char *const	passing[] = { "/dev/cpu_dma_latency",
		"/proc/irq/default_smp_affinity", "/proc/[0-9]*/comm" };
	const char			*lasts = CPU "/cpufreq/policy2/scaling_governor";
	struct fake_host		h;

	(void)state;
	fake_host_init(&h);
	for (unsigned i = 0; i < sizeof passing / sizeof passing[0]; i++) {
		assert_int_equal(look_at(&h, passing[i]).times, 1);
		assert_int_equal(look_among(&h, ALL | KNOB_LASTING, passing[i]).times, 0);
	}
	assert_int_equal(look_among(&h, ALL | KNOB_LASTING, lasts).times,
	    look_at(&h, lasts).times);
	assert_int_equal(look_at(&h, lasts).times, 1);
	fake_host_release(&h);
}

static void
test_knob_without_tune_what_concerns_the_whole_host_is_left_alone(void **state)
{
	struct fake_host	h;
	struct tune		t;

	(void)state;
	fake_host_init(&h);
	(void)apply(&h, &t, false, NULL);
	for (unsigned i = 0; i < NSET; i++) {
		if (set[i].scope == KNOB_NARROW)
			assert_string_equal(fake_get(&h, set[i].path), set[i].value);
		else
			assert_string_not_equal(fake_get(&h, set[i].path), set[i].value);
	}
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

static void
test_knob_one_that_is_absent_is_no_obstacle_to_the_others(void **state)
{
	(void)state;
	for (unsigned gone = 0; gone < NSET; gone++) {
		struct fake_host	h;
		struct tune		t;
		struct seen		s;

		fake_host_init(&h);
		fake_remove(&h, set[gone].path);
		s = apply(&h, &t, true, set[gone].path);
		assert_int_equal(s.count[KNOB_SET], NSET - 1);
		for (unsigned i = 0; i < NSET; i++)
			assert_string_equal(fake_get(&h, set[i].path),
			    i == gone ? "(none)" : set[i].value);
		fake_give_back(&h, &t);
		fake_host_release(&h);
	}
}

static void
test_knob_a_host_that_has_none_of_a_kind_says_absent_once(void **state)
{
	static const char *const	turbo[] = { CPU "/intel_pstate/no_turbo",
	    CPU "/cpufreq/boost", POLICY2 "/boost" };
	struct fake_host		h;
	unsigned			before;

	(void)state;
	fake_host_init(&h);
	before = look_at(&h, NULL).count[KNOB_ABSENT];
	for (unsigned i = 0; i < 3; i++)
		fake_remove(&h, turbo[i]);
	assert_int_equal(look_at(&h, NULL).count[KNOB_ABSENT], before + 1);
	assert_int_equal(look_at(&h, turbo[0]).status, KNOB_ABSENT);
	fake_host_release(&h);
}

static void
refused_with(int error, enum knob_status expected)
{
	for (unsigned i = 0; i < NSET; i++) {
		struct fake_host	h;
		struct tune		t;
		struct seen		s;

		fake_host_init(&h);
		fake_remember(&h);
		h.refuse = set[i].path;
		h.refuse_errno = error;
		s = apply(&h, &t, true, set[i].path);
		assert_int_equal(s.times, 1);
		assert_int_equal(s.status, expected);
		assert_int_equal(s.count[KNOB_SET], NSET - 1);
		fake_give_back(&h, &t);
		fake_assert_as_before(&h, 0);
		fake_host_release(&h);
	}
}

static void
test_knob_a_write_that_is_not_permitted_is_denied(void **state)
{
	(void)state;
	refused_with(EACCES, KNOB_DENIED);
	refused_with(EPERM, KNOB_DENIED);
	refused_with(EROFS, KNOB_DENIED);
}

static void
test_knob_a_value_that_the_kernel_refuses_is_rejected(void **state)
{
	(void)state;
	refused_with(EINVAL, KNOB_REJECTED);
	refused_with(EBUSY, KNOB_REJECTED);
	refused_with(524, KNOB_REJECTED);
}

/* As in real life: a file of the wrong mode and no root. */
static void
test_knob_a_file_that_may_not_be_read_is_denied(void **state)
{
	struct fake_host	h;
	char			path[256];

	(void)state;
	fake_host_init(&h);
	(void)snprintf(path, sizeof path, "%s" POLICY2 "/scaling_governor", h.root);
	assert_int_equal(chmod(h.dir, 0755) | chmod(path, 0), 0);
	if (geteuid() == 0 && seteuid(65534) != 0)
		skip();
	assert_int_equal(look_at(&h, POLICY2 "/scaling_governor").status, KNOB_DENIED);
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	fake_host_release(&h);
}

static void
test_knob_a_clamped_value_is_not_taken_and_put_back(void **state)
{
	struct fake_host	h;
	struct tune		t;
	struct seen		s;

	(void)state;
	fake_host_init(&h);
	h.clamp = POLICY2 "/scaling_max_freq";
	h.clamp_to = "2000000";
	s = apply(&h, &t, true, h.clamp);
	assert_int_equal(s.status, KNOB_NOT_TAKEN);
	h.clamp = NULL;
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

static void
test_knob_what_is_right_already_is_not_written(void **state)
{
	struct fake_host	h;
	struct tune		t;

	(void)state;
	fake_host_init(&h);
	for (unsigned i = 0; i < NSET; i++)
		fake_put(&h, set[i].path, set[i].value);
	fake_remember(&h);
	h.refuse = "/proc/";
	h.refuse_errno = EIO;
	assert_int_equal(apply(&h, &t, true, NULL).count[KNOB_REJECTED], 0);
	h.refuse = NULL;
	fake_give_back(&h, &t);
	fake_assert_as_before(&h, 0);
	fake_host_release(&h);
}

/* What a kernel does whose global boost sets that of each policy, those of other CPUs too. */
static void
test_knob_the_boost_of_each_policy_is_put_back_after_the_global_one_has_changed_it(void **state)
{
	static const char *const	mixed[][2] = { { "0", "1" }, { "1", "0" }, { "0", "0" },
	    { "1", "1" } };

	(void)state;
	for (unsigned i = 0; i < sizeof mixed / sizeof mixed[0]; i++) {
		struct fake_host	h;
		struct tune		t;

		fake_host_init(&h);
		h.boost_drags = true;
		fake_put(&h, CPU "/cpufreq/policy0/boost", mixed[i][0]);
		fake_put(&h, POLICY2 "/boost", mixed[i][1]);
		fake_remember(&h);
		assert_int_equal(apply(&h, &t, true, POLICY2 "/boost").status, KNOB_ALREADY);
		assert_string_equal(fake_get(&h, CPU "/cpufreq/policy0/boost"), "0");
		assert_string_equal(fake_get(&h, POLICY2 "/boost"), "0");
		fake_give_back(&h, &t);
		fake_assert_as_before(&h, 0);
		fake_host_release(&h);
	}
}

static void
test_knob_policies_and_interrupts_of_other_cpus_are_left_alone(void **state)
{
	struct fake_host	h;
	struct tune		t;

	(void)state;
	fake_host_init(&h);
	assert_int_equal(apply(&h, &t, true, CPU "/cpufreq/policy0/scaling_governor").times, 0);
	assert_string_equal(fake_get(&h, CPU "/cpufreq/policy0/scaling_governor"), "powersave");
	assert_string_equal(fake_get(&h, "/proc/irq/9/smp_affinity"), "1");
	assert_string_equal(fake_get(&h, CPU "/cpu1/online"), "1");
	assert_string_equal(fake_get(&h, CPU "/cpu2/online"), "1");
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

static void
test_knob_without_a_base_frequency_the_highest_one_is_kept(void **state)
{
	struct fake_host	h;

	(void)state;
	fake_host_init(&h);
	assert_string_equal(look_at(&h, POLICY2 "/scaling_min_freq").wanted, "2400000");
	fake_remove(&h, POLICY2 "/base_frequency");
	assert_string_equal(look_at(&h, POLICY2 "/scaling_min_freq").wanted, "3000000");
	fake_remove(&h, POLICY2 "/cpuinfo_max_freq");
	assert_int_equal(look_at(&h, POLICY2 "/scaling_min_freq").status, KNOB_REJECTED);
	fake_host_release(&h);
}

static void
test_knob_deep_idle_is_kept_off_by_an_open_descriptor(void **state)
{
	struct fake_host	h;
	struct tune		t;
	char			path[256];
	unsigned char		us[8] = { 0 };
	FILE			*f;

	(void)state;
	fake_host_init(&h);
	(void)snprintf(path, sizeof path, "%s/dev", h.root);
	assert_int_equal(mkdir(path, 0755), 0);
	(void)strcat(path, "/cpu_dma_latency");
	assert_non_null(f = fopen(path, "w"));
	assert_int_equal(fwrite("\0\224\65\167", 1, 4, f), 4);
	(void)fclose(f);
	assert_string_equal(look_at(&h, "/dev/cpu_dma_latency").found, "2000000000");
	assert_int_equal(apply(&h, &t, false, "/dev/cpu_dma_latency").status, KNOB_SET);
	assert_true(t.latency_fd >= 0);
	assert_non_null(f = fopen(path, "r"));
	assert_int_equal(fread(us, 1, sizeof us, f), 4);
	(void)fclose(f);
	assert_memory_equal(us, "\0\0\0\0", 4);
	fake_give_back(&h, &t);
	assert_int_equal(t.latency_fd, -1);
	fake_host_release(&h);
}

static void
test_knob_what_is_only_reported_is_never_written(void **state)
{
	static const char	pages[] = "/sys/kernel/mm/transparent_hugepage/enabled";
	static const char	tick[] = CPU "/nohz_full";
	struct fake_host	h;
	struct tune		t;

	(void)state;
	fake_host_init(&h);
	assert_int_equal(look_at(&h, pages).status, KNOB_NOT_TAKEN);
	assert_int_equal(look_at(&h, tick).status, KNOB_NOT_TAKEN);
	assert_int_equal(look_at(&h, "/proc/[0-9]*/comm").status, KNOB_ALREADY);
	(void)apply(&h, &t, true, NULL);
	assert_string_equal(fake_get(&h, pages), "[always] madvise never");
	fake_put(&h, pages, "always [madvise] never");
	fake_put(&h, tick, "1-3");
	fake_put(&h, "/proc/77/comm", "irqbalance");
	assert_int_equal(look_at(&h, pages).status, KNOB_ALREADY);
	assert_int_equal(look_at(&h, tick).status, KNOB_ALREADY);
	assert_string_equal(look_at(&h, "/proc/[0-9]*/comm").found, "running");
	fake_give_back(&h, &t);
	fake_host_release(&h);
}

static void
test_knob_sets_of_cpus_are_read_and_written_as_the_kernel_does(void **state)
{
	static const struct {
		const char	*list, *mask;
	} same[] = { { "", "0" }, { "0", "1" }, { "0-3,5", "2f" }, { "31-32", "1,80000000" },
		{ "0,64", "1,00000000,00000001" }, { "1023", NULL } };
	char		text[HOSTFS_VALUE_BYTES];
	cpu_set_t	a, b;

	(void)state;
	for (unsigned i = 0; i < sizeof same / sizeof same[0]; i++) {
		assert_true(cpulist_parse(same[i].list, &a));
		assert_string_equal(cpulist_format(&a, text, sizeof text), same[i].list);
		(void)cpulist_format_mask(&a, text, sizeof text);
		if (same[i].mask != NULL)
			assert_string_equal(text, same[i].mask);
		assert_true(cpulist_parse_mask(text, &b));
		assert_true(CPU_EQUAL(&a, &b));
	}
	assert_true(cpulist_parse("0 1 2", &a));
	assert_int_equal(CPU_COUNT(&a), 3);
	assert_false(cpulist_parse("(null)", &a));
	assert_false(cpulist_parse("3-1", &a));
	assert_false(cpulist_parse("1-", &a));
	assert_false(cpulist_parse("1024", &a));
	assert_false(cpulist_parse("1;2", &a));
	assert_false(cpulist_parse_mask("0x3", &a));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_knob_W43_each_is_set_to_what_is_wanted_and_put_back),
		cmocka_unit_test(test_knob_of_what_lasts_processes_and_interrupts_are_not_read),
		cmocka_unit_test(test_knob_without_tune_what_concerns_the_whole_host_is_left_alone),
		cmocka_unit_test(test_knob_one_that_is_absent_is_no_obstacle_to_the_others),
		cmocka_unit_test(test_knob_a_host_that_has_none_of_a_kind_says_absent_once),
		cmocka_unit_test(test_knob_a_write_that_is_not_permitted_is_denied),
		cmocka_unit_test(test_knob_a_value_that_the_kernel_refuses_is_rejected),
		cmocka_unit_test(test_knob_a_file_that_may_not_be_read_is_denied),
		cmocka_unit_test(test_knob_a_clamped_value_is_not_taken_and_put_back),
		cmocka_unit_test(test_knob_what_is_right_already_is_not_written),
		cmocka_unit_test(test_knob_the_boost_of_each_policy_is_put_back_after_the_global_one_has_changed_it),
		cmocka_unit_test(test_knob_policies_and_interrupts_of_other_cpus_are_left_alone),
		cmocka_unit_test(test_knob_without_a_base_frequency_the_highest_one_is_kept),
		cmocka_unit_test(test_knob_deep_idle_is_kept_off_by_an_open_descriptor),
		cmocka_unit_test(test_knob_what_is_only_reported_is_never_written),
		cmocka_unit_test(test_knob_sets_of_cpus_are_read_and_written_as_the_kernel_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
