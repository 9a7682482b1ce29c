/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/print/progress.h"
#include "proto/base/clock.h"

enum { TEXT_BYTES = 512 };

/*
 * What the line says after `ms` from the first look, at which `before` were done; as on a terminal
 * of any width.
 */
static const char *
shown(char text[TEXT_BYTES], int64_t ms, size_t before, size_t done, size_t of)
{
	struct progress	 p;
	FILE		*file = tmpfile();
	int		 kept = dup(STDERR_FILENO);
	size_t		 n;

	assert_non_null(file);
	progress_init(&p, true);
	p.on = true;
	p.first_ms = clock_now_ms() - ms;
	p.began_ms = p.first_ms;
	p.done_first = before;
	(void)dup2(fileno(file), STDERR_FILENO);
	progress_show(&p, done, of, NULL);
	(void)dup2(kept, STDERR_FILENO);
	(void)close(kept);
	rewind(file);
	n = fread(text, 1, TEXT_BYTES - 1, file);
	text[n] = '\0';
	(void)fclose(file);
	return text;
}

/* It shows about `least` of this unit, or more on a machine that was busy meanwhile. */
static void
assert_left(const char *text, double least, const char *unit)
{
	const char	*about = strstr(text, ", about ");
	double		 n = 0;
	char		 word[8] = "";

	assert_non_null(about);
	assert_int_equal(sscanf(about, ", about %lf %7s left", &n, word), 2);
	assert_string_equal(word, unit);
	assert_true(n >= least && n < 1.4 * least);
}

static void
test_progress_shows_the_time_left_at_the_speed_so_far(void **state)
{
	char	text[TEXT_BYTES];

	(void)state;
	assert_left(shown(text, 20000, 0, 10, 40), 60, "s");
	assert_non_null(strstr(text, "10 of 40 done, "));
	assert_left(shown(text, 60000, 0, 10, 110), 10, "min");
	assert_left(shown(text, 60000, 0, 10, 1210), 2, "h");
}

static void
test_progress_counts_no_results_that_were_stored_before(void **state)
{
	char	text[TEXT_BYTES];

	(void)state;
	assert_left(shown(text, 20000, 900, 910, 940), 60, "s");
	assert_null(strstr(shown(text, 20000, 900, 902, 940), "left"));
}

static void
test_progress_says_nothing_of_the_time_left_before_it_knows(void **state)
{
	char	text[TEXT_BYTES];

	(void)state;
	assert_null(strstr(shown(text, 500, 0, 10, 40), "left"));
	assert_null(strstr(shown(text, 20000, 0, 40, 40), "left"));
	assert_null(strstr(shown(text, 20000, 0, 0, 0), "left"));
}

int
main(void)
{
	const struct CMUnitTest	 tests[] = {
		cmocka_unit_test(test_progress_shows_the_time_left_at_the_speed_so_far),
		cmocka_unit_test(test_progress_counts_no_results_that_were_stored_before),
		cmocka_unit_test(test_progress_says_nothing_of_the_time_left_before_it_knows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
