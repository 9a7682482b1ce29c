/* SPDX-License-Identifier: Apache-2.0 */
/* A slot's clock at one frequency, on a host of files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "daemon/host/frequency.h"
#include "tests/support/fake_host.h"

#define POLICY	CPU "/cpufreq/policy2"

static void
begin(struct fake_host *h)
{
	fake_host_init(h);
	fake_put(h, POLICY "/cpuinfo_min_freq", "800000");
}

static enum status
set(struct fake_host *h, unsigned khz, struct fault *why)
{
	struct site	s;

	assert_int_equal(fake_site(&s, h, why), ST_OK);
	return frequency_set(&s, 0, khz, h->run, why);
}

static enum status
restore(struct fake_host *h, struct fault *why)
{
	return frequency_restore(&h->fs, 0, h->run, NULL, NULL, why);
}

static void
test_frequency_L40_least_and_most_are_it_and_are_put_back(void **state)
{
	static const unsigned	khz[] = { 800000, 1200000, 3000000 };
	struct fake_host	h;
	struct fault		why;
	char			text[24];

	(void)state;
	begin(&h);
	fake_put(&h, POLICY "/scaling_max_freq", "2000000");
	fake_remember(&h);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(set(&h, khz[i], &why), ST_OK);
		(void)snprintf(text, sizeof text, "%u", khz[i]);
		assert_string_equal(fake_get(&h, POLICY "/scaling_min_freq"), text);
		assert_string_equal(fake_get(&h, POLICY "/scaling_max_freq"), text);
		assert_string_equal(fake_get(&h, CPU "/cpufreq/policy0/scaling_max_freq"),
		    "3000000");
		assert_int_equal(restore(&h, &why), ST_OK);
		fake_assert_as_before(&h, 0);
		assert_int_equal(restore(&h, &why), ST_OK);
	}
	fake_host_release(&h);
}

static void
refuses(struct fake_host *h, unsigned khz, enum status st, const char *words)
{
	struct fault	why;

	fake_remember(h);
	assert_int_equal(set(h, khz, &why), st);
	if (strstr(why.text, words) == NULL)
		fail_msg("\"%s\" is not in: %s", words, why.text);
	fake_assert_as_before(h, 0);
}

static void
test_frequency_L40_what_cannot_be_had_is_said_and_changes_nothing(void **state)
{
	struct fake_host	h;

	(void)state;
	begin(&h);
	refuses(&h, 700000, ST_BAD_SPEC, "700000 kHz: the clock goes from 800000 to 3000000");
	refuses(&h, 3000001, ST_BAD_SPEC, "the clock goes from");
	fake_put(&h, POLICY "/scaling_available_frequencies", "3000000 1600000 800000 ");
	refuses(&h, 1200000, ST_BAD_SPEC, "the clock has the steps 3000000 1600000 800000");
	h.refuse = "scaling_max_freq";
	h.refuse_errno = EINVAL;
	refuses(&h, 1600000, ST_BAD_SPEC, "scaling_max_freq");
	h.refuse = NULL;
	h.clamp = "policy2/scaling_max_freq";
	h.clamp_to = "2000000";
	fake_remove(&h, POLICY "/scaling_available_frequencies");
	refuses(&h, 2400000, ST_BAD_SPEC, "the kernel makes 2000000 of 2400000");
	fake_remove(&h, POLICY "/related_cpus");
	refuses(&h, 1600000, ST_BAD_SPEC, "cpufreq is absent");
	fake_host_release(&h);
}

static void
test_frequency_L40_a_clock_that_two_slots_share_is_refused(void **state)
{
	struct fake_host	h;
	struct fault		why;
	struct site		s;
	cpu_set_t		slot[2];

	(void)state;
	begin(&h);
	fake_put(&h, POLICY "/related_cpus", "0 2");
	for (unsigned i = 0; i < 2; i++) {
		CPU_ZERO(&slot[i]);
		CPU_SET(2 * i, &slot[i]);
	}
	assert_int_equal(site_open(&s, &h.fs, slot, 2, &why), ST_OK);
	fake_remember(&h);
	assert_int_equal(frequency_set(&s, 1, 1200000, h.run, &why), ST_CONFLICT);
	assert_non_null(strstr(why.text, "CPUs 0,2 have one clock"));
	fake_assert_as_before(&h, 0);
	fake_host_release(&h);
}

/* In a process of its own, which may die on the way.  Returns whether it lived. */
static bool
lives(struct fake_host *h, unsigned khz, int die_at)
{
	struct fault	why;
	int		status;
	const pid_t	pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		h->moments = 0;
		h->die_at = die_at;
		_exit(set(h, khz, &why) == ST_OK ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 42));
	return WEXITSTATUS(status) == 0;
}

/* At whatever moment, the host is restored: the slots' clocks first. */
static void
test_frequency_L40_a_crash_at_any_moment_is_undone_with_the_host(void **state)
{
	struct fake_host	h;
	struct fault		why;
	int			n = 0;
	bool			lived;

	(void)state;
	begin(&h);
	fake_remember(&h);
	do {
		lived = lives(&h, 1200000, ++n);
		assert_int_equal(tune_restore(NULL, &h.fs, h.run, NULL, NULL, &why), ST_OK);
		fake_assert_as_before(&h, n);
	} while (!lived);
	assert_int_equal(n, 5);		/* two writes, each with a before and an after */
	fake_host_release(&h);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_frequency_L40_least_and_most_are_it_and_are_put_back),
		cmocka_unit_test(test_frequency_L40_what_cannot_be_had_is_said_and_changes_nothing),
		cmocka_unit_test(test_frequency_L40_a_clock_that_two_slots_share_is_refused),
		cmocka_unit_test(test_frequency_L40_a_crash_at_any_moment_is_undone_with_the_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
