/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/host/fitness.h"
#include "tests/support/fake_host.h"

static bool
works(void)
{
	return true;
}

static bool
fails(void)
{
	return false;
}

static const struct container_tries	all_work = { works, works, works };
static const struct container_tries	all_fail = { fails, fails, fails };

static const char *const	mounts_rw = "22 1 0:20 / / rw - ext4 /dev/vda rw\n"
    "23 22 0:21 / /sys rw,nosuid - sysfs sysfs rw\n"
    "24 23 0:22 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup rw";
static const char *const	mounts_ro = "22 1 0:20 / / rw - overlay overlay rw\n"
    "23 22 0:21 / /sys rw,nosuid - sysfs sysfs rw\n"
    "25 23 0:21 / /sys ro,nosuid - sysfs sysfs ro\n"
    "24 23 0:22 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup ro";

static void
make_host(struct fake_host *h, const char *mounts)
{
	fake_host_init(h);
	fake_put(h, "/proc/self/mountinfo", mounts);
	fake_put(h, "/proc/self/status", "Name:\tassayd\nSeccomp:\t0\nSeccomp_filters:\t0");
	fake_put(h, "/proc/self/cgroup", "0::/system.slice/assayd.service");
	fake_put(h, "/proc/1/cgroup", "0::/init.scope");
}

static struct container
look(const struct fake_host *h, const struct container_tries *tries)
{
	struct container	c;

	container_look(&c, &h->fs, tries);
	return c;
}

/* All sentences of a report, one a line; the caller frees it. */
static char *
lost(const json_t *report)
{
	const json_t	*s;
	char		*text = NULL;
	size_t		 i, bytes;
	FILE		*f = open_memstream(&text, &bytes);

	json_array_foreach(json_object_get(report, "lost"), i, s)
		(void)fprintf(f, "%s\n", json_string_value(s));
	(void)fclose(f);
	return text;
}

static void
test_container_D10_a_host_of_its_own_has_lost_nothing(void **state)
{
	struct fake_host	h;
	struct container	c;
	json_t			*report;

	(void)state;
	make_host(&h, mounts_ro);
	c = look(&h, &all_fail);
	assert_string_equal(c.kind, "");
	assert_true(json_is_null(report = container_json(&c)));
	json_decref(report);
	fake_host_release(&h);
}

static void
test_container_D10_each_loss_is_a_sentence_with_its_remedy(void **state)
{
	static const char		seccomp_words[] = "no user namespaces, probably because "
					    "of its seccomp filter";
	static const char *const	words[] = {
		"a quota allows 1.50 CPUs", "(7 times so far)", "--cpus",
		"no real-time priority", "--cap-add SYS_NICE", "--ulimit memlock=-1",
		"all CPUs are open", "--cpuset-cpus", seccomp_words, "--security-opt seccomp=", "/sys/fs/cgroup is read-only",
		"writable-cgroups=true", "/sys is read-only", "assay-hostd on the host"
	};
	struct fake_host		 h;
	struct container		 c;
	json_t				*report;
	char				*text;

	(void)state;
	make_host(&h, mounts_ro);
	fake_put(&h, "/.dockerenv", "");
	fake_put(&h, "/proc/self/status", "Name:\tassayd\nSeccomp:\t2\nSeccomp_filters:\t1");
	/* a container hides the path of its cgroup, or shows one that is not there */
	fake_put(&h, "/proc/self/cgroup", "0::/../../elsewhere");
	fake_put(&h, "/sys/fs/cgroup/cpu.max", "150000 100000");
	fake_put(&h, "/sys/fs/cgroup/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 7");
	fake_put(&h, "/sys/fs/cgroup/cpuset.cpus.effective", "0-3");
	c = look(&h, &all_fail);
	report = container_json(&c);
	assert_string_equal(json_string_value(json_object_get(report, "kind")), "docker");
	text = lost(report);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strstr(text, words[i]) == NULL)
			fail_msg("no \"%s\" in: %s", words[i], text);
	assert_int_equal(json_array_size(json_object_get(report, "lost")), 7);
	free(text);
	json_decref(report);
	fake_host_release(&h);
}

static void
test_container_D10_one_that_has_all_lacks_only_the_sight_of_others(void **state)
{
	struct fake_host	h;
	struct container	c;
	json_t			*report;
	char			*text;

	(void)state;
	make_host(&h, mounts_rw);
	fake_put(&h, "/run/.containerenv", "engine=\"podman-4.3.1\"");
	fake_put(&h, "/sys/fs/cgroup/cpu.max", "max 100000");
	fake_put(&h, "/sys/fs/cgroup/cpuset.cpus.effective", "2-3");
	c = look(&h, &all_work);
	assert_string_equal(c.kind, "podman");
	report = container_json(&c);
	text = lost(report);
	assert_non_null(strstr(text, "CPUs 2-3 are this container's"));
	assert_int_equal(json_array_size(json_object_get(report, "lost")), 1);
	free(text);
	json_decref(report);
	fake_host_release(&h);
}

static void
test_container_D10_its_kind_is_found_in_each_engines_traces(void **state)
{
	static const char *const	kinds[][3] = {
		{ "/var/run/secrets/kubernetes.io/serviceaccount/namespace", "lab", "kubernetes" },
		{ "/run/systemd/container", "systemd-nspawn", "systemd-nspawn" },
		{ "/run/systemd/container", "\xff<b>x", "--b-x" },
		{ "/proc/1/cgroup", "12:cpu:/kubepods/burstable/pod1", "kubernetes" },
		{ "/proc/1/cgroup", "0::/system.slice/docker-12ab.scope", "docker" },
		{ "/proc/1/cgroup", "0::/machine.slice/libpod-12ab.scope", "podman" },
		{ "/proc/1/cgroup", "0::/\n1:name=systemd:/lxc/one", "lxc" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		struct fake_host	h;
		struct container	c;

		make_host(&h, mounts_rw);
		fake_put(&h, kinds[i][0], kinds[i][1]);
		c = look(&h, &all_work);
		assert_string_equal(c.kind, kinds[i][2]);
		fake_host_release(&h);
	}
}

static void
test_container_D10_a_quota_is_found_in_either_version_of_cgroups(void **state)
{
	struct fake_host	h;
	struct container	c;
	json_t			*report;

	(void)state;
	make_host(&h, mounts_rw);
	fake_put(&h, "/sys/fs/cgroup/system.slice/assayd.service/cpu.max", "50000 200000");
	c = look(&h, &all_fail);
	assert_true(c.quota_cpus == 0.25);
	report = container_json(&c);
	assert_true(json_is_null(json_object_get(report, "kind")));
	assert_int_equal(json_array_size(json_object_get(report, "lost")), 1);
	json_decref(report);
	fake_host_release(&h);

	make_host(&h, mounts_rw);
	fake_put(&h, "/proc/self/cgroup", "3:cpuset:/\n2:cpuacct,cpu:/jobs/one\n1:name=systemd:/");
	fake_put(&h, "/sys/fs/cgroup/cpu/jobs/one/cpu.cfs_quota_us", "300000");
	fake_put(&h, "/sys/fs/cgroup/cpu/jobs/one/cpu.cfs_period_us", "100000");
	assert_true((c = look(&h, &all_work)).quota_cpus == 3.0);
	fake_put(&h, "/sys/fs/cgroup/cpu/jobs/one/cpu.cfs_quota_us", "-1");
	assert_true((c = look(&h, &all_work)).quota_cpus == 0);
	fake_host_release(&h);
}

static void
test_container_D10_the_least_quota_of_all_parents_counts(void **state)
{
	struct fake_host	h;
	struct container	c;
	json_t			*report;
	char			*text;

	(void)state;
	make_host(&h, mounts_rw);
	fake_put(&h, "/proc/self/cgroup", "0::/lab.slice/lab-bench.slice/assayd.service");
	fake_put(&h, "/sys/fs/cgroup/lab.slice/cpu.max", "50000 100000");
	fake_put(&h, "/sys/fs/cgroup/lab.slice/cpu.stat", "nr_periods 9\nnr_throttled 4");
	fake_put(&h, "/sys/fs/cgroup/lab.slice/lab-bench.slice/cpu.max", "max 100000");
	fake_put(&h, "/sys/fs/cgroup/lab.slice/lab-bench.slice/assayd.service/cpu.max",
	    "200000 100000");
	fake_put(&h, "/sys/fs/cgroup/lab.slice/lab-bench.slice/assayd.service/cpu.stat",
	    "nr_periods 9\nnr_throttled 1");
	/* another's is no limit of this one */
	fake_put(&h, "/sys/fs/cgroup/lab.slice/other.service/cpu.max", "10000 100000");
	c = look(&h, &all_work);
	assert_true(c.quota_cpus == 0.5);
	assert_int_equal(c.quota_stops, 5);
	report = container_json(&c);
	text = lost(report);
	assert_non_null(strstr(text, "take it away from /sys/fs/cgroup/lab.slice ("));
	free(text);
	json_decref(report);
	fake_host_release(&h);

	make_host(&h, mounts_rw);
	fake_put(&h, "/proc/self/cgroup", "4:cpu,cpuacct:/lab/bench/one\n3:cpuset:/lab/bench\n");
	fake_put(&h, "/sys/fs/cgroup/cpu/lab/cpu.cfs_quota_us", "150000");
	fake_put(&h, "/sys/fs/cgroup/cpu/lab/cpu.cfs_period_us", "100000");
	fake_put(&h, "/sys/fs/cgroup/cpu/lab/bench/one/cpu.cfs_quota_us", "-1");
	fake_put(&h, "/sys/fs/cgroup/cpu/lab/bench/one/cpu.cfs_period_us", "100000");
	c = look(&h, &all_work);
	assert_true(c.quota_cpus == 1.5);
	assert_string_equal(c.quota_of, "/sys/fs/cgroup/cpu/lab");
	fake_host_release(&h);
}

static void
test_container_D10_cpus_are_those_of_the_nearest_parent_that_has_them(void **state)
{
	struct fake_host	h;

	(void)state;
	make_host(&h, mounts_rw);
	fake_put(&h, "/sys/fs/cgroup/cpuset.cpus.effective", "0-3");
	assert_true(look(&h, &all_work).all_cpus);
	/* the service has no such file, where only its slice has the controller */
	fake_put(&h, "/sys/fs/cgroup/system.slice/cpuset.cpus.effective", "1-2");
	assert_string_equal(look(&h, &all_work).cpus, "1-2");
	assert_false(look(&h, &all_work).all_cpus);
	fake_host_release(&h);

	make_host(&h, mounts_rw);
	fake_put(&h, "/proc/self/cgroup", "4:cpu,cpuacct:/\n3:cpuset:/lab/bench");
	fake_put(&h, "/sys/fs/cgroup/cpuset/cpuset.effective_cpus", "0-3");
	fake_put(&h, "/sys/fs/cgroup/cpuset/lab/cpuset.effective_cpus", "3");
	assert_string_equal(look(&h, &all_work).cpus, "3");
	fake_host_release(&h);
}

static void
test_container_D10_nonsense_in_the_kernels_files_is_no_quota(void **state)
{
	static const char *const	texts[] = { "", "max", "-5 100000", "1 0", "x y", "1e999 -1" };
	struct fake_host		h;

	(void)state;
	make_host(&h, mounts_rw);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct container	c;

		fake_put(&h, "/sys/fs/cgroup/cpu.max", texts[i]);
		fake_put(&h, "/proc/self/cgroup", i % 2 == 0 ? "::::" : "nothing");
		fake_put(&h, "/proc/self/mountinfo", texts[i]);
		c = look(&h, &all_work);
		assert_true(c.quota_cpus == 0);
		assert_false(c.sys_writable);
	}
	fake_host_release(&h);
}

static const char *
reported(const struct fake_host *h, const char *words, bool *is_reason)
{
	cpu_set_t		slot;
	struct fitness_config	c = { h->root, h->run, &slot, 1, NULL, 0, &all_fail };
	struct fitness		*f;
	struct fault		why = { 0 };
	json_t			*r;
	const json_t		*s;
	const char		*grade;
	size_t			 i;

	CPU_ZERO(&slot);
	CPU_SET(FAKE_CPU, &slot);
	if (fitness_new(&f, &c, &why) != ST_OK)
		fail_msg("%s", why.text);
	assert_non_null(r = fitness_report(f));
	*is_reason = false;
	json_array_foreach(json_object_get(r, "reasons"), i, s)
		*is_reason |= strstr(json_string_value(s), words) != NULL;
	grade = strcmp(json_string_value(json_object_get(r, "grade")), "noisy") == 0 ? "noisy" :
	    "another";
	assert_true(json_array_size(json_object_get(json_object_get(r, "container"), "lost")) > 0);
	json_decref(r);
	fitness_free(f);
	return grade;
}

static void
test_container_D10_a_quota_is_noise_unless_slots_are_set_apart(void **state)
{
	struct fake_host	h;
	bool			is_reason;

	(void)state;
	make_host(&h, mounts_rw);
	fake_put(&h, "/sys/fs/cgroup/cpu.max", "100000 100000");
	assert_string_equal(reported(&h, "a quota allows 1.00 CPUs", &is_reason), "noisy");
	assert_true(is_reason);
	fake_put(&h, CPU "/isolated", "2");
	assert_string_equal(reported(&h, "a quota allows", &is_reason), "another");
	assert_false(is_reason);
	fake_host_release(&h);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_container_D10_a_host_of_its_own_has_lost_nothing),
		cmocka_unit_test(test_container_D10_each_loss_is_a_sentence_with_its_remedy),
		cmocka_unit_test(test_container_D10_one_that_has_all_lacks_only_the_sight_of_others),
		cmocka_unit_test(test_container_D10_its_kind_is_found_in_each_engines_traces),
		cmocka_unit_test(test_container_D10_a_quota_is_found_in_either_version_of_cgroups),
		cmocka_unit_test(test_container_D10_the_least_quota_of_all_parents_counts),
		cmocka_unit_test(test_container_D10_cpus_are_those_of_the_nearest_parent_that_has_them),
		cmocka_unit_test(test_container_D10_nonsense_in_the_kernels_files_is_no_quota),
		cmocka_unit_test(test_container_D10_a_quota_is_noise_unless_slots_are_set_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
