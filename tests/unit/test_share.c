/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/doors/share.h"

#define FIFTY	"01234567890123456789012345678901234567890123456789"
#define LONG	"\"" FIFTY FIFTY "\""
#define SPEC	"{\"routine\":" LONG ",\"params\":{\"N\":7},\"list\":[{\"a\":1},{\"a\":1},2]}"
#define JOB(n)	"{\"variant\":{\"name\":\"v" n "\",\"flags\":[\"-O3\"]},\"spec\":" SPEC "}"

static void
test_share_reads_what_jansson_reads(void **state)
{
	static const char *const	good[] = {
		"1", " \"x\" ", "{}", "[]", "null", "[[],{}]", "[" LONG "," LONG "]",
		"{\"a\":" LONG ",\"b\":[1,2,{}]}", "{\"\\u0061\":" LONG ",\"b\":" LONG "}",
		"[" JOB("1") "," JOB("2") "]", " [ " JOB("1") " , " JOB("2") " ] ",
		"{\"a\" :\t" SPEC "\r\n, \"b\"\n:" SPEC "}", "[{\"\\\"]}\":" LONG "}," LONG "]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		json_t	*plain = json_loads(good[i], JSON_DECODE_ANY, NULL);
		json_t	*shared = share_parse(good[i], strlen(good[i]));

		assert_non_null(plain);
		assert_non_null(shared);
		assert_true(json_equal(plain, shared));
		json_decref(plain);
		json_decref(shared);
	}
}

static void
test_share_refuses_what_jansson_refuses(void **state)
{
	static const char *const	bad[] = {
		"", " ", "{", "[" LONG, "[" LONG ",]", "[," LONG "]", "[" LONG " " LONG "]", "{\"a\":" LONG ",}",
		"{\"a\":" LONG ",\"a\":" LONG "}", "{\"a\":" LONG ",\"\\u0061\":" LONG "}", "{\"a\" " LONG "}",
		"{a:" LONG "}", "{1:" LONG "}", "{\"a\":" LONG "]", "[" LONG "}", "[[" LONG "}]", "[{\"a\":" LONG "]}",
		"{} {}", "[" LONG "] x",
		"[[" LONG "," LONG "]", "{\"a\"}" LONG, "{\"a\":," LONG "}", "{:" LONG "}", "[{\"a\":" LONG "}{}]",
		"{\"a\":" LONG " \"b\":" LONG "}", "[" JOB("1") ",]", "{\"\\u0000\":" LONG "}", "[" LONG ",\"\xff\"]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_null(json_loads(bad[i], JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL));
		assert_null(share_parse(bad[i], strlen(bad[i])));
	}
}

static void
test_share_keeps_equal_parts_once(void **state)
{
	static const char	text[] = "[" JOB("1") "," JOB("2") "]";
	json_t			*jobs = share_parse(text, strlen(text));
	const json_t		*one = json_array_get(jobs, 0), *two = json_array_get(jobs, 1);

	(void)state;
	assert_ptr_equal(json_object_get(one, "spec"), json_object_get(two, "spec"));
	assert_ptr_not_equal(json_object_get(one, "variant"), json_object_get(two, "variant"));
	json_decref(jobs);
}

/* Thousands of different parts push each other out of the table; nothing is lost or mixed up. */
static void
test_share_survives_more_parts_than_it_remembers(void **state)
{
	enum { N = 5000, EACH = 160 };
	char	*text = malloc((size_t)N * EACH + 3), *at = text;
	json_t	*list;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < N; i++)
		at += snprintf(at, EACH, "%c{\"n\":\"%d\",\"s\":" LONG ",\"m\":{\"k\":%d}}", i == 0 ? '[' : ',', i,
		    i % 1500);
	(void)snprintf(at, 3, "]");
	list = share_parse(text, strlen(text));
	assert_int_equal(json_array_size(list), N);
	for (int i = 0; i < N; i++) {
		const json_t	*o = json_array_get(list, (size_t)i);

		assert_int_equal(atoi(json_string_value(json_object_get(o, "n"))), i);
		assert_int_equal(json_integer_value(json_object_get(json_object_get(o, "m"), "k")), i % 1500);
	}
	json_decref(list);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_share_reads_what_jansson_reads),
		cmocka_unit_test(test_share_refuses_what_jansson_refuses),
		cmocka_unit_test(test_share_keeps_equal_parts_once),
		cmocka_unit_test(test_share_survives_more_parts_than_it_remembers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
