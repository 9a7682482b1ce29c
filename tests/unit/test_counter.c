/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/fake_clock.h"
#include "worker/take/counter.h"

#define FAULTS	"PERF_COUNT_SW_PAGE_FAULTS"

enum { PAGES = 16, OWN = 40 };

/*
 * This process stands in for the routine's: a call touches 16 new pages, and each kind of order
 * some more.
 */
struct fake {
	struct fake_clock clock;
	uint64_t	sample_ns;
	unsigned	orders;
	enum status	fail;
	unsigned	fail_at;
	double		step;			/* of the first event; 0: it is no energy */
};

static void
touch(uint64_t pages)
{
	long	 page = sysconf(_SC_PAGESIZE);
	char	*at = mmap(NULL, pages * (size_t)page, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(at != MAP_FAILED);
	assert_int_equal(madvise(at, pages * (size_t)page, MADV_NOHUGEPAGE), 0);
	for (uint64_t i = 0; i < pages; i++)
		((volatile char *)at)[i * (size_t)page] = 1;
	munmap(at, pages * (size_t)page);
}

static enum status
fake_run(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct fake	*f = arg;

	if (++f->orders == f->fail_at)
		return a->status = f->fail;
	touch(OWN);
	for (uint64_t i = 0; run->kind == RUNNER_SAMPLE && i < run->samples * run->calls; i++)
		touch(PAGES);
	a->samples = run->samples;
	a->took_ns = run->samples * f->sample_ns;
	f->clock.now_ns += a->took_ns;
	return a->status = ST_OK;
}

/* The counters of this process, over a plan of `calls` a sample that take sample_ns. */
static enum status
count(struct counters *c, struct fake *f, uint64_t limit_ns, const char *first, const char *second)
{
	static struct bench_reply	answer;
	const struct take_clock		clock = fake_take_clock(&f->clock);
	const struct take_setting	with = { .orders = { fake_run, f }, .clock = &clock,
					    .deadline_ns = limit_ns };
	struct plan			plan = { .run = { .calls = 3, .warm_calls = 1 } };
	struct timing			t = { .ncounters = second != NULL ? 2 : 1 };
	enum status			st;

	snprintf(t.counters[0], SPEC_COUNTER_BYTES, "%s", first);
	snprintf(t.counters[1], SPEC_COUNTER_BYTES, "%s", second != NULL ? second : "");
	counter_open(c, &t, getpid());
	if (f->step != 0) {
		c->one[0].step = f->step;
		snprintf(c->one[0].unit, sizeof c->one[0].unit, "J");
	}
	st = counter_run(c, &plan, &with, (double)f->sample_ns, &answer);
	counter_close(c);
	return st;
}

/* What is reported of an event; NULL: nothing is. */
static const struct counter_report *
reported(const struct shape_list *all, const char *name)
{
	const struct counter_report	*one = all->at;

	for (size_t i = 0; i < all->n; i++)
		if (strcmp(one[i].name, name) == 0)
			return &one[i];
	return NULL;
}

static void
test_counter_what_a_call_does_is_told_from_what_an_order_does_anyway(void **state)
{
	struct counters			 c;
	struct fake			 f = { .sample_ns = 1000000 };
	struct shape_list		 all;
	const struct counter_report	*one;

	(void)state;
	assert_int_equal(count(&c, &f, 100000000000u, FAULTS, NULL), ST_OK);
	assert_true(counter_report(&c, &all));
	assert_non_null(one = reported(&all, FAULTS));
	if (one->absent != NULL) {
		print_message("%s\n", one->absent);
		free(all.at);
		skip();
	}
	assert_true(one->per_call > PAGES - 1 && one->per_call < PAGES + 1);
	assert_int_equal(one->calls, 6 * 3);
	assert_non_null(strstr(one->event, FAULTS));
	assert_int_equal(f.orders, 3);
	free(all.at);
}

static void
test_L49_energy_is_the_count_in_steps_of_the_kernels(void **state)
{
	struct counters			 c;
	struct fake			 f = { .sample_ns = 1000000, .step = 0.25 };
	struct shape_list		 all;
	const struct counter_report	*one;

	(void)state;
	assert_int_equal(count(&c, &f, 100000000000u, FAULTS, NULL), ST_OK);
	assert_true(counter_report(&c, &all));
	assert_non_null(one = reported(&all, FAULTS));
	if (one->absent != NULL) {
		print_message("%s\n", one->absent);
		free(all.at);
		skip();
	}
	assert_string_equal(one->unit, "J");
	assert_true(one->per_call > 0.25 * (PAGES - 1) && one->per_call < 0.25 * (PAGES + 1));
	free(all.at);
}

static void
test_counter_what_cannot_be_counted_is_absent_with_the_reason_and_never_0(void **state)
{
	struct counters			 c;
	struct fake			 f = { .sample_ns = 1000000 };
	struct shape_list		 all;
	const struct counter_report	*one;

	(void)state;
	assert_int_equal(count(&c, &f, 100000000000u, "NO_SUCH_EVENT", "PERF_COUNT_HW_CPU_CYCLES"),
	    ST_OK);
	assert_true(counter_report(&c, &all));
	assert_non_null(one = reported(&all, "NO_SUCH_EVENT"));
	assert_non_null(strstr(one->absent, "libpfm"));
	one = all.at;
	for (size_t i = 0; i < all.n; i++)
		assert_true((one[i].absent == NULL) == isfinite(one[i].per_call));
	free(all.at);
}

static void
test_counter_near_the_wall_limit_nothing_is_counted_and_nothing_fails(void **state)
{
	struct counters		c;
	struct fake		f = { .sample_ns = 1000000000 };
	struct shape_list	all;

	(void)state;
	assert_int_equal(count(&c, &f, 2000000000, FAULTS, NULL), ST_OK);
	assert_true(counter_report(&c, &all));
	assert_non_null(reported(&all, FAULTS)->absent);
	assert_true(f.orders <= 1);
	free(all.at);
}

static void
test_counter_a_failing_order_ends_it_at_any_point(void **state)
{
	(void)state;
	for (unsigned at = 1; at <= 3; at++) {
		struct counters	c;
		struct fake	f = { .sample_ns = 1000000, .fail_at = at, .fail = ST_CRASHED };
		enum status	st = count(&c, &f, 100000000000u, FAULTS, NULL);

		if (c.one[0].absent[0] != '\0')
			skip();
		assert_int_equal(st, ST_CRASHED);
		assert_int_equal(f.orders, at);
	}
}

static void
test_counter_names_that_libpfm_lacks_are_refused_with_their_place(void **state)
{
	struct timing	t = { .ncounters = 2,
			    .counters = { FAULTS, "PERF_COUNT_SW_PAGE_FAULTS:no_such_unit" } };
	struct fault	why;

	(void)state;
	assert_int_equal(counter_check(&t, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.timing.counters[1]");
	t.ncounters = 1;
	assert_int_equal(counter_check(&t, &why), ST_OK);
}

static void
test_counter_the_names_of_this_machine_have_those_of_every_kernel(void **state)
{
	struct shape_texts	names;
	bool			found = false;

	(void)state;
	assert_true(counter_names(&names));
	for (size_t i = 0; i < names.n; i++)
		found |= strcmp(names.x[i], FAULTS) == 0;
	assert_true(found);
	free(names.x);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_counter_what_a_call_does_is_told_from_what_an_order_does_anyway),
		cmocka_unit_test(test_L49_energy_is_the_count_in_steps_of_the_kernels),
		cmocka_unit_test(test_counter_what_cannot_be_counted_is_absent_with_the_reason_and_never_0),
		cmocka_unit_test(test_counter_near_the_wall_limit_nothing_is_counted_and_nothing_fails),
		cmocka_unit_test(test_counter_a_failing_order_ends_it_at_any_point),
		cmocka_unit_test(test_counter_names_that_libpfm_lacks_are_refused_with_their_place),
		cmocka_unit_test(test_counter_the_names_of_this_machine_have_those_of_every_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
