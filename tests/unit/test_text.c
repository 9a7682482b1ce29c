/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as JSON has them: read again they are the same, and no longer than they must be. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/json/text.h"
#include "worker/runner/sample/stream.h"

static char *
real(double x)
{
	struct text	t = { .at = NULL };
	char		*s;

	text_real(&t, x);
	assert_non_null(s = text_take(&t));
	return s;
}

static void
assert_text(double x, const char *want)
{
	char	*s = real(x);

	assert_string_equal(s, want);
	free(s);
}

/* The same bits, and a real to a reader of JSON. */
static void
assert_returns(double x)
{
	char	*s = real(x), *end;
	double	 y = strtod(s, &end);

	if (memcmp(&x, &y, sizeof x) != 0 || *end != '\0' || strpbrk(s, ".e") == NULL ||
	    s[strspn(s, "-")] == '.')
		fail_msg("%a became %s", x, s);
	free(s);
}

static void
test_text_an_integer_is_written_whole(void **state)
{
	static const struct {
		int64_t		 i;
		const char	*want;
	} each[] = {
		{ 0, "0" }, { 7, "7" }, { -1, "-1" }, { 10, "10" }, { -1234567890, "-1234567890" },
		{ INT64_MAX, "9223372036854775807" }, { INT64_MIN, "-9223372036854775808" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
		struct text	t = { .at = NULL };
		char		*s;

		text_integer(&t, each[i].i);
		assert_non_null(s = text_take(&t));
		assert_string_equal(s, each[i].want);
		free(s);
	}
}

static void
test_text_a_real_of_few_digits_is_written_with_those(void **state)
{
	(void)state;
	assert_text(0, "0.0");
	assert_text(-0.0, "-0.0");
	assert_text(1, "1.0");
	assert_text(-17, "-17.0");
	assert_text(0.1, "0.1");
	assert_text(23.04, "23.04");
	assert_text(-797.9410293, "-797.9410293");
	assert_text(0.0001, "0.0001");
	assert_text(0.00012345678901, "0.00012345678901");
	assert_text(99999999999999, "99999999999999.0");
	assert_text(999999999999999, "999999999999999.0");
	assert_text(0.1 + 0.2, "0.30000000000000004");
	assert_text(1e15, "1000000000000000.0");
	assert_text(1e300, "1.0000000000000001e+300");
	assert_text(1e-9, "1.0000000000000001e-09");
	assert_text(NAN, "null");
	assert_text(INFINITY, "null");
}

static void
test_text_a_real_is_the_same_when_it_is_read_again(void **state)
{
	static const double	edges[] = { 1e-4, 9.9999999999999991e-5, 0x1p-1074, 0x1p-1022, 1e14,
				    1e15, 999999999999999.9, 0x1p53, 0x1p53 - 1, 0x1p63, 0x1.fffffffffffffp1023 };
	char			digits[64];

	(void)state;
	for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
		assert_returns(edges[i]);
		assert_returns(-edges[i]);
		assert_returns(nextafter(edges[i], 0));
	}
	for (uint64_t i = 0; i < 200000; i++) {
		const uint64_t	bits = rt_number(1, i);
		double		x;

		memcpy(&x, &bits, sizeof x);
		if (isfinite(x))
			assert_returns(x);
		assert_returns((double)bits * 0x1p-64);
		assert_returns((double)(bits >> 11) * 0x1p-30);
		(void)snprintf(digits, sizeof digits, "%.*g", (int)(1 + bits % 17),
		    (double)bits * 0x1p-64 * pow(10, (double)(bits % 31) - 12));
		assert_returns(strtod(digits, NULL));
	}
}

static void
test_text_digits_that_a_reader_gave_come_back_to_him(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 100000; i++) {
		const uint64_t	bits = rt_number(2, i);
		const unsigned	decimals = 1 + bits % 9;
		char		given[64];
		size_t		n;

		(void)snprintf(given, sizeof given, "%.*f", (int)decimals,
		    (double)(bits >> 48) + (double)(bits & 0xffff) / 65536);
		for (n = strlen(given); given[n - 1] == '0' && given[n - 2] != '.'; n--)
			given[n - 1] = '\0';
		assert_text(strtod(given, NULL), given);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_text_an_integer_is_written_whole),
		cmocka_unit_test(test_text_a_real_of_few_digits_is_written_with_those),
		cmocka_unit_test(test_text_a_real_is_the_same_when_it_is_read_again),
		cmocka_unit_test(test_text_digits_that_a_reader_gave_come_back_to_him),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
