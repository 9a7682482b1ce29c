/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/host/fitness.h"
#include "tests/support/fake_host.h"

static struct fitness *
open_fitness(const struct fake_host *h, unsigned probe_ms)
{
	cpu_set_t		slot;
	struct fitness_config	c = { h->root, h->run, &slot, 1, NULL, probe_ms, NULL };
	struct fitness		*f;
	struct fault		why = { 0 };

	CPU_ZERO(&slot);
	CPU_SET(FAKE_CPU, &slot);

	if (fitness_new(&f, &c, &why) != ST_OK)
		fail_msg("%s", why.text);
	return f;
}

static const char *
text(const json_t *o, const char *member)
{
	const char	*s = json_string_value(json_object_get(o, member));

	return s != NULL ? s : "(none)";
}

static const json_t *
knob(const json_t *report, const char *name)
{
	const json_t	*k;
	size_t		 i;

	json_array_foreach(json_object_get(report, "knobs"), i, k)
		if (strcmp(text(k, "name"), name) == 0)
			return k;
	fail_msg("no knob %s", name);
	return NULL;
}

static bool
has_reason(const json_t *report, const char *words)
{
	const json_t	*reason;
	size_t		 i;

	json_array_foreach(json_object_get(report, "reasons"), i, reason)
		if (strstr(json_string_value(reason), words) != NULL)
			return true;
	return false;
}

static void
test_fitness_report_has_wanted_found_status_and_a_remedy_for_each_knob(void **state)
{
	struct fake_host	h;
	struct fitness		*f;
	json_t			*r;
	const json_t		*k;
	size_t			 i;

	(void)state;
	fake_host_init(&h);
	f = open_fitness(&h, 0);
	assert_non_null(r = fitness_report(f));
	k = knob(r, "governor");
	assert_string_equal(text(k, "path"), CPU "/cpufreq/policy2/scaling_governor");
	assert_string_equal(text(k, "wanted"), "performance");
	assert_string_equal(text(k, "found"), "powersave");
	assert_string_equal(text(k, "status"), "not_taken");
	assert_non_null(strstr(text(k, "remedy"), "cpupower"));
	assert_string_equal(text(knob(r, "cpu_dma_latency"), "status"), "absent");
	assert_true(json_is_null(json_object_get(knob(r, "irqbalance"), "remedy")));
	json_array_foreach(json_object_get(r, "knobs"), i, k)
		assert_int_equal(json_object_size(k), 6);
	assert_true(has_reason(r, "governor is powersave"));
	assert_false(json_is_true(json_object_get(r, "tuned")));
	json_decref(r);
	fitness_free(f);
	fake_host_release(&h);
}

static void
test_fitness_without_a_controller_for_cpusets_there_can_be_no_partition(void **state)
{
	struct fake_host	h;
	struct fitness		*f;
	json_t			*r;

	(void)state;
	fake_host_init(&h);
	fake_put(&h, "/sys/fs/cgroup/cgroup.controllers", "cpu io memory pids");
	f = open_fitness(&h, 0);
	r = fitness_report(f);
	assert_string_equal(text(knob(r, "partition"), "status"), "absent");
	assert_non_null(strstr(text(knob(r, "partition"), "remedy"), "cgroup v2"));
	json_decref(r);
	fitness_free(f);
	fake_host_release(&h);
}

static void
test_fitness_interrupts_take_one_row_for_each_status(void **state)
{
	struct fake_host	h;
	struct fitness		*f;
	json_t			*r;
	const json_t		*k;
	unsigned		 rows = 0;
	size_t			 i;

	(void)state;
	fake_host_init(&h);
	for (int irq = 100; irq < 400; irq++) {
		char	path[64];

		(void)snprintf(path, sizeof path, "/proc/irq/%d/smp_affinity", irq);
		fake_put(&h, path, "f");
	}
	f = open_fitness(&h, 0);
	r = fitness_report(f);
	json_array_foreach(json_object_get(r, "knobs"), i, k) {
		if (strcmp(text(k, "name"), "irq_affinity") != 0)
			continue;
		rows++;
		if (strcmp(text(k, "status"), "already") == 0)
			assert_string_equal(text(k, "found"), "1 interrupt: 9");
		else
			assert_non_null(strstr(text(k, "found"), "302 interrupts: 100, 101"));
	}
	assert_int_equal(rows, 2);
	json_decref(r);
	fitness_free(f);
	fake_host_release(&h);
}

static void
test_fitness_report_tells_set_from_already_and_foreign(void **state)
{
	struct fake_host	h;
	struct tune_order	order;
	struct tune		t;
	struct site		site;
	struct fitness		*f;
	json_t			*r;

	(void)state;
	fake_host_init(&h);
	fake_put(&h, "/proc/sys/kernel/numa_balancing", "0");
	f = open_fitness(&h, 0);
	order = fake_order(&h, true);
	assert_int_equal(fake_site(&site, &h, NULL), ST_OK);
	assert_int_equal(tune_apply(&t, &site, &order, NULL, NULL, NULL), ST_OK);
	fake_put(&h, "/proc/sys/vm/stat_interval", "5");
	r = fitness_report(f);
	assert_true(json_is_true(json_object_get(r, "tuned")));
	assert_string_equal(text(knob(r, "partition"), "status"), "set");
	assert_string_equal(text(knob(r, "governor"), "status"), "set");
	assert_string_equal(text(knob(r, "smt_sibling"), "status"), "set");
	assert_string_equal(text(knob(r, "numa_balancing"), "status"), "already");
	assert_string_equal(text(knob(r, "stat_interval"), "status"), "foreign");
	assert_false(has_reason(r, "nothing keeps other programs off"));
	json_decref(r);
	assert_int_equal(tune_restore(&t, &h.fs, h.run, NULL, NULL, NULL), ST_OK);
	fitness_free(f);
	fake_host_release(&h);
}

static void
test_fitness_hash_is_of_the_hosts_state_and_not_of_the_moment(void **state)
{
	static const char	governor[] = CPU "/cpufreq/policy2/scaling_governor";
	struct fake_host	h;
	struct fitness		*f, *other;
	char			first[17];

	(void)state;
	fake_host_init(&h);
	f = open_fitness(&h, 0);
	assert_int_equal(strlen(fitness_hash(f)), 16);
	(void)strcpy(first, fitness_hash(f));
	fake_put(&h, "/sys/class/thermal/thermal_zone0/temp", "60000");
	fake_put(&h, "/proc/stat", "cpu2 0 0 0 0 0 0 0 6 0 0");
	fake_put(&h, "/proc/irq/40/smp_affinity", "f");
	assert_int_equal(fitness_look(f, NULL), ST_OK);
	assert_string_equal(fitness_hash(f), first);
	other = open_fitness(&h, 0);
	assert_string_equal(fitness_hash(other), first);
	fake_put(&h, governor, "performance");
	assert_int_equal(fitness_look(f, NULL), ST_OK);
	assert_string_not_equal(fitness_hash(f), first);
	fake_put(&h, governor, "powersave");
	assert_int_equal(fitness_look(f, NULL), ST_OK);
	assert_string_equal(fitness_hash(f), first);
	fake_put(&h, CPU "/online", "0-2");
	assert_int_equal(fitness_look(f, NULL), ST_OK);
	assert_string_not_equal(fitness_hash(f), first);
	fitness_free(other);
	fitness_free(f);
	fake_host_release(&h);
}

static void
test_fitness_a_partition_that_became_invalid_stops_timing(void **state)
{
	struct fake_host	h;
	struct fitness		*f;
	struct fault		why;
	json_t			*r;

	(void)state;
	fake_host_init(&h);
	f = open_fitness(&h, 0);
	fake_put(&h, PARTITION_DIR "/cpuset.cpus.partition", "isolated");
	assert_int_equal(fitness_look(f, &why), ST_OK);
	fake_put(&h, PARTITION_DIR "/cpuset.cpus.partition",
	    "isolated invalid (Cpu list in cpuset.cpus not exclusive)");
	assert_int_equal(fitness_look(f, &why), ST_UNAVAILABLE);
	assert_non_null(strstr(why.text, "not exclusive"));
	r = fitness_report(f);
	assert_string_equal(text(r, "grade"), "unfit");
	assert_string_equal(text(knob(r, "partition"), "status"), "not_taken");
	json_decref(r);
	fitness_free(f);
	fake_host_release(&h);
}

static void
test_fitness_evidence_is_what_changed_while_we_looked(void **state)
{
	struct fake_host	h;
	struct fitness		*f;
	const json_t		*e, *cpu;
	json_t			*r;

	(void)state;
	fake_host_init(&h);
	f = open_fitness(&h, 0);
	fake_put(&h, "/proc/stat", "cpu  0 0 0 0 0 0 0 99 0 0\ncpu2 0 0 0 0 0 0 0 6 0 0\ncpu20 0 0 0 0 0 0 0 77 0 0");
	fake_put(&h, "/proc/interrupts", "  CPU0 CPU1 CPU2 CPU3\n  7: 1 2 33 4 IO-APIC 7-edge timer\nLOC: 5 6 80 8 Local timer");
	fake_put(&h, CPU "/cpu2/thermal_throttle/core_throttle_count", "5");
	r = fitness_report(f);
	e = json_object_get(r, "evidence");
	cpu = json_array_get(json_object_get(e, "timing_cpus"), 0);
	assert_int_equal(json_integer_value(json_object_get(cpu, "cpu")), 2);
	assert_int_equal(json_integer_value(json_object_get(cpu, "interrupts")), 13);
	assert_int_equal(json_integer_value(json_object_get(cpu, "steal_ticks")), 1);
	assert_int_equal(json_integer_value(json_object_get(cpu, "throttled")), 2);
	assert_int_equal(json_integer_value(json_object_get(cpu, "throttled_since_boot")), 9);
	assert_true(json_is_null(json_object_get(cpu, "spin")));
	assert_true(json_real_value(json_object_get(e, "temperature_c")) == 51.0);
	assert_true(json_is_true(json_object_get(e, "core_pattern_piped")));
	assert_false(json_is_true(json_object_get(e, "hypervisor")));
	assert_string_equal(text(e, "clocksource"), "tsc");
	assert_string_equal(text(json_object_get(e, "speculation"), "spectre_v2"), "Mitigation: Retpolines");
	assert_true(has_reason(r, "was throttled"));
	assert_string_equal(text(r, "grade"), "noisy");
	json_decref(r);
	fitness_free(f);
	fake_host_release(&h);
}

/* On whatever machine this runs: a CPU that we may use can be spun on, and its gaps add up. */
static void
test_fitness_probe_spins_in_a_process_of_its_own(void **state)
{
	struct probe_spin	s = { 0 };
	struct probe		p;
	cpu_set_t		mine;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
	assert_int_equal(probe_start(&p, cpulist_first(&mine), -1, 20, NULL), ST_OK);
	assert_true(probe_done(&p, true, &s));
	assert_true(s.ran);
	assert_true(s.wall_ns >= 20000000 && s.stolen_ns <= s.wall_ns && s.worst_ns <= s.stolen_ns);
	assert_int_equal(s.gaps == 0, s.worst_ns == 0);
	assert_false(probe_done(&p, true, &s));
	assert_int_equal(probe_start(&p, CPU_SETSIZE - 1, -1, 20, NULL), ST_OK);
	assert_true(probe_done(&p, true, &s));
	assert_false(s.ran);
	assert_int_equal(probe_start(&p, cpulist_first(&mine), -1, 60000, NULL), ST_OK);
	probe_stop(&p);
}

/* ---- the grade ---- */

static void
keep_reason(void *arg, enum grade how_bad, const char *reason)
{
	(void)how_bad;
	(void)snprintf(arg, 512, "%s", reason);
}

static struct grade_facts
quiet_host(void)
{
	struct grade_facts	e = { .window_s = 10, .ncpus = 1, .temperature_mc = 45000, .set_apart = true,
		.clocksource = "tsc", .partition = "isolated" };

	e.cpu[0] = (struct cpu_facts){ .cpu = 2, .spin = { true, 1000000000, 100000, 20000, 50 } };
	return e;
}

static void
assert_grade(const struct grade_facts *e, enum grade expected, const char *words)
{
	char	reason[512] = "";

	assert_string_equal(grade_word(grade_of(e, keep_reason, reason)), grade_word(expected));
	if (strstr(reason, words) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", reason, words);
}

static void
test_fitness_W43_grade_follows_from_the_evidence(void **state)
{
	struct grade_facts	e = quiet_host();

	(void)state;
	assert_grade(&e, GRADE_QUIET, "");
	e.cpu[0].spin.worst_ns = 60000;
	assert_grade(&e, GRADE_USABLE, "at worst 60 us");
	e.cpu[0].spin.worst_ns = 4100000;
	assert_grade(&e, GRADE_NOISY, "at worst 4100 us");
	e.cpu[0].spin.stolen_ns = 200000000;
	assert_grade(&e, GRADE_UNFIT, "20.00 %");
	e = quiet_host();
	e.cpu[0].spin.ran = false;
	assert_grade(&e, GRADE_USABLE, "not been probed");
	e = quiet_host();
	e.cpu[0].delta.steal_ticks = 1;
	assert_grade(&e, GRADE_USABLE, "withheld");
	e.cpu[0].delta.steal_ticks = 100;
	assert_grade(&e, GRADE_NOISY, "withheld");
	e = quiet_host();
	e.cpu[0].delta.throttles = 1;
	assert_grade(&e, GRADE_NOISY, "throttled");
	e = quiet_host();
	e.temperature_mc = 95000;
	assert_grade(&e, GRADE_NOISY, "95 degrees");
	e = quiet_host();
	e.hypervisor = true;
	assert_grade(&e, GRADE_USABLE, "virtual machine");
	e = quiet_host();
	(void)strcpy(e.clocksource, "hpet");
	assert_grade(&e, GRADE_NOISY, "hpet");
	e = quiet_host();
	e.set_apart = false;
	assert_grade(&e, GRADE_USABLE, "nothing keeps");
	e.shared_core = true;
	assert_grade(&e, GRADE_NOISY, "no CPU is left");
	e = quiet_host();
	e.cpu[0].cpu = 0;
	assert_grade(&e, GRADE_USABLE, "CPU 0");
	e = quiet_host();
	(void)strcpy(e.partition, "isolated invalid (hotplug)");
	assert_grade(&e, GRADE_UNFIT, "hotplug");
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_fitness_report_has_wanted_found_status_and_a_remedy_for_each_knob),
		cmocka_unit_test(test_fitness_interrupts_take_one_row_for_each_status),
		cmocka_unit_test(test_fitness_report_tells_set_from_already_and_foreign),
		cmocka_unit_test(test_fitness_hash_is_of_the_hosts_state_and_not_of_the_moment),
		cmocka_unit_test(test_fitness_without_a_controller_for_cpusets_there_can_be_no_partition),
		cmocka_unit_test(test_fitness_a_partition_that_became_invalid_stops_timing),
		cmocka_unit_test(test_fitness_evidence_is_what_changed_while_we_looked),
		cmocka_unit_test(test_fitness_probe_spins_in_a_process_of_its_own),
		cmocka_unit_test(test_fitness_W43_grade_follows_from_the_evidence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
