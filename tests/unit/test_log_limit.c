/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/log_limit.h"

enum { MAX_WRITTEN = 100000 };

/* A log that writes nothing, and remembers when it would have written how much. */
struct written {
	struct log_limit limit;
	double		 at_s[MAX_WRITTEN];
	size_t		 bytes[MAX_WRITTEN];
	unsigned	 n, reports;
	uint64_t	 reported;	/* lines, of all reports */
	char		 last[512];	/* report */
};

static struct written	the;

static void
begin(void)
{
	memset(&the, 0, sizeof the);
	log_limit_init(&the.limit, 0);
}

static void
wrote(size_t bytes, double now_s)
{
	assert_true(the.n < MAX_WRITTEN);
	the.at_s[the.n] = now_s;
	the.bytes[the.n++] = bytes;
}

static void
take_reports(double now_s, bool all)
{
	size_t		bytes;
	const char	*count;

	while ((bytes = log_limit_report(&the.limit, the.last, sizeof the.last, now_s,
	    all)) != 0) {
		unsigned long long	n;

		wrote(bytes + 1, now_s);
		the.reports++;
		count = strchr(the.last, ' ');
		assert_int_equal(sscanf(count, "%llu", &n), 1);
		the.reported += n;
	}
}

/* true: at least a part of the line was written. */
static bool
line(const char *format, enum log_level level, size_t bytes, double now_s)
{
	const size_t	n = log_limit_take(&the.limit, format, level, "some text", bytes, now_s);

	assert_true(n <= bytes);
	if (n != 0)
		wrote(n, now_s);
	take_reports(now_s, false);
	return n != 0;
}

/* The most bytes in any second that begins with a line. */
static size_t
most_in_a_second(void)
{
	size_t		most = 0, sum = 0;
	unsigned	end = 0;

	for (unsigned i = 0; i < the.n; i++) {
		for (; end < the.n && the.at_s[end] < the.at_s[i] + 1; end++)
			sum += the.bytes[end];
		most = sum > most ? sum : most;
		sum -= the.bytes[i];
	}
	return most;
}

static void
test_log_limit_a_storm_of_one_place_is_bounded_in_any_second_and_counted(void **state)
{
	uint64_t	out = 0;

	(void)state;
	begin();
	for (unsigned i = 0; i < 200000; i++)
		out += !line("storm", LOG_LEVEL_ERROR, 100, i * 1e-4);
	assert_true(most_in_a_second() <= LOG_LIMIT_BYTES);
	assert_true(out > 190000);
	assert_true(the.reports >= 1);			/* while it went on */
	take_reports(40, false);
	assert_int_equal(the.reported, out);
	assert_non_null(strstr(the.last, "lines like this were left out: some text"));
	assert_int_equal(strncmp(the.last, "error ", 6), 0);
}

static void
test_log_limit_storms_of_many_places_and_sizes_are_bounded_together(void **state)
{
	static const char	places[200];

	(void)state;
	begin();
	for (unsigned i = 0; i < 100000; i++)
		(void)line(&places[i * 7919u % 200], i % 4, 20 + i * 31u % 2000, i * 3e-4);
	assert_true(most_in_a_second() <= LOG_LIMIT_BYTES);
}

static void
test_log_limit_a_storm_hides_no_other_fault(void **state)
{
	(void)state;
	begin();
	for (unsigned i = 0; i < 20000; i++)
		(void)line("storm", LOG_LEVEL_ERROR, 150, i * 1e-4);
	assert_true(line("other", LOG_LEVEL_ERROR, 150, 2));
	for (unsigned i = 0; i < 20000; i++)
		(void)line(i % 2 != 0 ? "storm" : "second storm", LOG_LEVEL_INFO, 150, 2 + i * 1e-4);
	assert_true(line("a warning", LOG_LEVEL_WARN, 2000, 4));
}

static void
test_log_limit_what_is_seldom_is_written_whole(void **state)
{
	(void)state;
	begin();
	for (unsigned i = 0; i < 3600; i++)
		assert_int_equal(log_limit_take(&the.limit, "job", LOG_LEVEL_INFO, "x", 2000, i), 2000);
	for (unsigned i = 0; i < 40; i++)		/* a start has many lines at once */
		assert_true(line("job", LOG_LEVEL_INFO, 60, 4000));
	assert_int_equal(the.reports, 0);
}

static void
test_log_limit_counts_are_reported_before_the_log_ends(void **state)
{
	uint64_t	out = 0;

	(void)state;
	begin();
	for (unsigned i = 0; i < 500; i++)
		out += !line("storm", LOG_LEVEL_WARN, 100, 1);
	assert_true(out > 0);
	take_reports(1.5, false);
	assert_int_equal(the.reported, 0);		/* it may go on */
	take_reports(1.5, true);
	assert_int_equal(the.reported, out);
}

static void
test_log_limit_a_clock_that_stands_or_goes_back_gives_nothing_away(void **state)
{
	unsigned	n = 0;

	(void)state;
	begin();
	for (unsigned i = 0; i < 10000; i++)
		n += line("storm", LOG_LEVEL_ERROR, 100, 100 - i * 1e-3);
	assert_true(n * 100 <= LOG_LIMIT_BYTES);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_log_limit_a_storm_of_one_place_is_bounded_in_any_second_and_counted),
		cmocka_unit_test(
		    test_log_limit_storms_of_many_places_and_sizes_are_bounded_together),
		cmocka_unit_test(test_log_limit_a_storm_hides_no_other_fault),
		cmocka_unit_test(test_log_limit_what_is_seldom_is_written_whole),
		cmocka_unit_test(test_log_limit_counts_are_reported_before_the_log_ends),
		cmocka_unit_test(
		    test_log_limit_a_clock_that_stands_or_goes_back_gives_nothing_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
