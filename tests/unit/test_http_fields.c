/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/api/api.h"
#include "daemon/http/http_fields.h"
#include "daemon/http/http_link.h"

static void
test_http_host_is_loopback_by_name_or_number_alone(void **state)
{
	static const char *const	good[] = {
		"localhost", "LocalHost:80", "127.0.0.1", "127.3.2.1:8023", "[::1]", "[::1]:9",
	};
	static const char *const	bad[] = {
		"", "example.org", "localhost.example.org", "127.0.0.1.example.org", "127.1",
		    "10.0.0.1", "[::2]",
		"[::1", "::1", "0.0.0.0", ":80", "127.0.0.1:80@evil", "localhost@evil",
		"localhost:80x", "[::1]x", "[::1]:80@evil", "[localhost]", "localhost/", "[]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(http_is_loopback_name(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(http_is_loopback_name(bad[i]));
}

static void
test_http_accepts_a_coding_that_is_named_or_meant_by_a_star(void **state)
{
	static const char *const	good[] = { "gzip", "GZIP", "br, gzip", "gzip;q=0.1", "*",
					    "br;q=1, * ; q=0.5", " gzip , br", "identity, gzip;q=1.0" };
	static const char *const	bad[] = { "", "br", "gzip;q=0", "gzip;q=0.0", "*, gzip;q=0",
					    "gzipped", "x-gzip", "*;q=0", "gzip;q=x", ",,;" };

	(void)state;
	assert_false(http_accepts(NULL, "gzip"));
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(http_accepts(good[i], "gzip"));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(http_accepts(bad[i], "gzip"));
}

static void
test_http_prefers_a_type_that_is_named_with_the_greater_weight(void **state)
{
	static const char *const	good[] = { "a/lines", "a/one, a/lines", "*/*, a/lines",
					    "a/lines;q=0.2", "a/one;q=0.1, a/lines;q=0.2" };
	static const char *const	bad[] = { "", "*/*", "a/one", "a/lines;q=0",
					    "a/one, a/lines;q=0.9", "a/linesx" };

	(void)state;
	assert_false(http_prefers(NULL, "a/lines", "a/one"));
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(http_prefers(good[i], "a/lines", "a/one"));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(http_prefers(bad[i], "a/lines", "a/one"));
}

static void
test_http_tags_are_found_weak_or_strong_and_in_either_form(void **state)
{
	static const char *const	good[] = { "\"ab\"", "W/\"ab\"", "\"x\", \"ab\"", "*",
					    "\"ab-gz\"", "\"x\" , W/\"ab-gz\"" };
	static const char *const	bad[] = { "", "ab", "\"ab", "\"a\"", "\"abc\"", "\"ab-g\"",
					    "\"x\" \"ab\"", "*, \"x\"", "W\"ab\"", "\"-gz\"" };

	(void)state;
	assert_false(http_has_tag(NULL, "ab"));
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(http_has_tag(good[i], "ab"));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(http_has_tag(bad[i], "ab"));
}

static void
test_http_event_ids_are_cursors_and_nothing_else(void **state)
{
	static const char *const	bad[] = { "", "-1", "+1", "1.5", " 1", "1 ", "x", "0x1",
					    "9999999999999999999" };

	(void)state;
	assert_int_equal(http_event_id("0"), 0);
	assert_int_equal(http_event_id("999999999999999999"), INT64_C(999999999999999999));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(http_event_id(bad[i]), -1);
}

static void
test_http_pages_of_this_site_alone_are_our_own(void **state)
{
	(void)state;
	assert_true(http_is_own_page("http://", NULL, NULL, NULL));
	assert_true(http_is_own_page("http://", "HTTP://Lab:80", "same-origin", "lab:80"));
	assert_false(http_is_own_page("https://", "http://lab", NULL, "lab"));
	assert_false(http_is_own_page("http://", "null", NULL, "lab"));
	assert_false(http_is_own_page("http://", "http://lab", NULL, NULL));
	assert_false(http_is_own_page("http://", NULL, "same-site", "lab"));
}

static void
test_http_waits_are_whole_numbers_with_a_unit(void **state)
{
	static const char *const	bad[] = { "", "1", "ms", "-1s", "+1s", " 1s", "1 s", "1.5s",
					    "1h", "1sec", "1S", "0x1s", "999999999ms", "1441m" };

	(void)state;
	assert_int_equal(params_duration_ms("0ms"), 0);
	assert_int_equal(params_duration_ms("500ms"), 500);
	assert_int_equal(params_duration_ms("30s"), 30000);
	assert_int_equal(params_duration_ms("1440m"), 86400000);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(params_duration_ms(bad[i]), -1);
}

/* ST_OK: a question for sweeps with this query fits the table. */
static enum status
ask(const struct api_param *table, const char *query, struct fault *why)
{
	json_t		*params;
	enum status	 st = params_from_query(table, query, &params, why);

	json_decref(params);
	return st;
}

static void
test_http_questions_for_sweeps_have_bounds_and_lines_of_them_no_limit(void **state)
{
	static const char *const	bad[] = { "limit=0", "limit=1001", "limit=x", "user=4294967295",
					    "search=", "state=seventeen-letters-", "page=2",
					    "limit=1&limit=2" };
	struct fault			why;

	(void)state;
	assert_int_equal(ask(sweep_list_params, "search=%C3%A9&state=done&user=0&limit=1000&"
	    "cursor=s.1", &why), ST_OK);
	assert_int_equal(ask(sweep_stream_params, "limit=1000000", &why), ST_OK);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(ask(sweep_list_params, bad[i], &why), ST_BAD_REQUEST);
		assert_true(why.text[0] != '\0');
	}
}

/* The link to the page behind this one. */
static void
assert_link(const char *path, const char *query, const char *link)
{
	struct evbuffer	*out = evbuffer_new();

	assert_true(http_put_next_link(out, path, query, "cursor", "s.7"));
	assert_int_equal(evbuffer_add(out, "", 1), 0);
	assert_string_equal((const char *)evbuffer_pullup(out, -1), link);
	evbuffer_free(out);
}

static void
test_http_links_have_one_cursor_and_the_rest_of_the_query(void **state)
{
	(void)state;
	assert_link("/v1/sweeps", "", "</v1/sweeps?cursor=s.7>; rel=\"next\"");
	assert_link("/v1/sweeps", "cursor=s.9&limit=1&&cursor=s.8",
	    "</v1/sweeps?limit=1&cursor=s.7>; rel=\"next\"");
	assert_link("/v1/sweeps", "c%75rsor=s.9&name=cursor",
	    "</v1/sweeps?name=cursor&cursor=s.7>; rel=\"next\"");
	assert_link("/a>\r\nb", "x=\">;\x80",
	    "</a%3E%0D%0Ab?x=%22%3E%3B%80&cursor=s.7>; rel=\"next\"");
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_http_host_is_loopback_by_name_or_number_alone),
		cmocka_unit_test(test_http_accepts_a_coding_that_is_named_or_meant_by_a_star),
		cmocka_unit_test(test_http_prefers_a_type_that_is_named_with_the_greater_weight),
		cmocka_unit_test(test_http_tags_are_found_weak_or_strong_and_in_either_form),
		cmocka_unit_test(test_http_event_ids_are_cursors_and_nothing_else),
		cmocka_unit_test(test_http_pages_of_this_site_alone_are_our_own),
		cmocka_unit_test(test_http_waits_are_whole_numbers_with_a_unit),
		cmocka_unit_test(test_http_questions_for_sweeps_have_bounds_and_lines_of_them_no_limit),
		cmocka_unit_test(test_http_links_have_one_cursor_and_the_rest_of_the_query),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
