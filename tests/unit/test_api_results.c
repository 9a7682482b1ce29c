/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/api_fixture.h"

/* ---- subscriptions ---- */

static void
assert_told(unsigned n)
{
	assert_int_equal(the->ntold, n);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(the->told[i], i + 1);
}

static void
test_api_subscription_without_after_hears_only_what_is_new(void **state)
{
	int64_t	a = submit(), b = submit();

	(void)state;
	end_job(a, ST_OK, 1);
	assert_int_equal(integer(ok("results.subscribe", "{\"all\":true}"), "subscription"), 1);
	assert_int_equal(the->ntold, 0);
	end_job(b, ST_OK, 1);
	assert_int_equal(the->ntold, 1);
	assert_int_equal(the->told[0], 2);
	(void)ok("results.unsubscribe", "{\"subscription\":1}");
	(void)ok("results.unsubscribe", "{\"subscription\":1}");	/* ended: no error */
	refused("results.unsubscribe", "{\"subscription\":2}", ST_NOT_FOUND, API_NOT_FOUND,
	    "subscription");
	end_job(submit(), ST_OK, 1);
	assert_int_equal(the->ntold, 1);
}

/*
 * One result is on disk and told, one on disk and not told, one not on disk when the reading comes
 * to them.
 */
static void
test_api_subscription_has_no_gap_and_no_double_at_the_seam(void **state)
{
	int64_t	a = submit(), b = submit(), c = submit(), d = submit(), second, third;

	(void)state;
	end_job(a, ST_OK, 1);
	second = write_result(b, ST_OK, 1);
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	third = write_result(c, ST_OK, 1);
	(void)start_call(USER, "results.subscribe", "{\"all\":true,\"after\":0}");
	loop();
	assert_told(1);
	tell_news(b, second, JOB_FAILED);
	assert_told(2);
	assert_int_equal(store_commit(the->store, NULL), ST_OK);
	tell_news(c, third, JOB_FAILED);
	assert_told(3);
	end_job(d, ST_OK, 1);
	assert_told(4);
}

static void
test_api_subscription_waits_for_a_slow_reader_and_then_goes_on(void **state)
{
	int64_t	ids[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		ids[i] = submit();
	end_job(ids[0], ST_OK, 1);
	the->room = false;
	(void)ok("results.subscribe", "{\"all\":true,\"after\":0}");
	end_job(ids[1], ST_OK, 1);
	loop();
	assert_told(0);
	the->room = true;
	api_client_room(the->client);
	loop();
	assert_told(2);
	end_job(ids[2], ST_OK, 1);
	assert_told(3);
}

static void
test_api_subscription_by_ids_ends_after_its_last_result(void **state)
{
	int64_t	a = submit(), b = submit(), c = submit();
	char	params[64];

	(void)state;
	(void)snprintf(params, sizeof params, "{\"ids\":[%d,%d]}", (int)a, (int)c);
	(void)ok("results.subscribe", params);
	end_job(b, ST_OK, 1);
	assert_int_equal(the->ntold, 0);
	end_job(c, ST_OK, 1);
	end_job(a, ST_OK, 1);
	assert_int_equal(the->ntold, 2);
	for (int i = 0; i < API_MAX_SUBSCRIPTIONS; i++)		/* over already: these do not pile
								 * up */
		(void)ok("results.subscribe", params);
	(void)ok("results.subscribe", params);
	refused("results.subscribe", "{\"ids\":[99]}", ST_NOT_FOUND, API_NOT_FOUND, "");
}

static void
test_api_subscriptions_of_a_connection_are_limited(void **state)
{
	(void)state;
	for (int i = 0; i < API_MAX_SUBSCRIPTIONS; i++)
		(void)start_call(USER, "results.subscribe", "{\"all\":true}");
	refused("results.subscribe", "{\"all\":true}", ST_FULL, API_FULL, "");
	refused("job.submit", "{\"job\":" JOB ",\"follow\":true}", ST_FULL, API_FULL, "follow");
}

static void
test_api_follow_tells_results_and_those_that_a_repeated_key_has_already(void **state)
{
	static const char	keyed[] = "{\"jobs\":[{" VARIANT "," SPEC ",\"key\":\"k1\"},{" VARIANT "," SPEC
				    ",\"key\":\"k2\"}],\"follow\":true}";
	int64_t			first, second;
	const json_t		*r = ok("job.submit", keyed);

	(void)state;
	first = json_integer_value(json_array_get(json_object_get(r, "ids"), 0));
	second = json_integer_value(json_array_get(json_object_get(r, "ids"), 1));
	assert_int_equal(integer(r, "subscription"), 1);
	end_job(first, ST_OK, 1);
	assert_told(1);
	r = ok("job.submit", keyed);
	assert_int_equal(integer(r, "repeated"), 2);
	assert_int_equal(integer(r, "subscription"), 2);
	assert_int_equal(the->ntold, 2);		/* the stored one again, for the new
							 * subscription */
	assert_int_equal(the->told[1], 1);
	assert_int_equal(the->told_for[1], 2);
	end_job(second, ST_OK, 1);
	assert_int_equal(the->ntold, 4);
}

/* ---- results ---- */

static void
test_api_pages_of_results_cover_all_once(void **state)
{
	static const char *const	orders[] = { "id", "newest", "fastest" };
	char				params[160], cursor[80];

	(void)state;
	for (int i = 0; i < 7; i++)
		end_job(submit(), ST_OK, 10 - i / 2);		/* equal values, too */
	for (unsigned o = 0; o < 3; o++) {
		unsigned	pages = 0, rows = 0;
		uint64_t	seen = 0;

		cursor[0] = '\0';
		do {
			const json_t	*r, *row;
			size_t		 i;

			(void)snprintf(params, sizeof params,
			    "{\"order\":\"%s\",\"limit\":3%s%s%s}", orders[o],
			    cursor[0] != '\0' ? ",\"cursor\":\"" : "", cursor,
			    cursor[0] != '\0' ? "\"" : "");
			r = ok("results.query", params);
			json_array_foreach(json_object_get(r, "results"), i, row)
				seen |= UINT64_C(1) << integer(row, "cursor");
			rows += (unsigned)json_array_size(json_object_get(r, "results"));
			pages++;
			cursor[0] = '\0';
			if (json_is_string(json_object_get(r, "next")))
				(void)snprintf(cursor, sizeof cursor, "%s", text(r, "next"));
		} while (cursor[0] != '\0');
		assert_int_equal(pages, 3);
		assert_int_equal(rows, 7);
		assert_int_equal(seen, 0xfe);
	}
}

static void
test_api_results_of_an_unknown_sweep_are_not_found(void **state)
{
	(void)state;
	refused("results.query", "{\"sweep\":3}", ST_NOT_FOUND, API_NOT_FOUND, "");
	refused("results.query", "{\"sweep\":\"x\"}", ST_NOT_FOUND, API_NOT_FOUND, "");
	refused("results.best", "{\"sweep\":\"x\"}", ST_NOT_FOUND, API_NOT_FOUND, "");
	refused("job.wait", "{\"sweep\":\"x\"}", ST_NOT_FOUND, API_NOT_FOUND, "");
	refused("results.subscribe", "{\"sweep\":\"x\"}", ST_NOT_FOUND, API_NOT_FOUND, "");
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(test_api_subscription_without_after_hears_only_what_is_new),
		TEST(test_api_subscription_has_no_gap_and_no_double_at_the_seam),
		TEST(test_api_subscription_waits_for_a_slow_reader_and_then_goes_on),
		TEST(test_api_subscription_by_ids_ends_after_its_last_result),
		TEST(test_api_subscriptions_of_a_connection_are_limited),
		TEST(test_api_follow_tells_results_and_those_that_a_repeated_key_has_already),
		TEST(test_api_pages_of_results_cover_all_once),
		TEST(test_api_results_of_an_unknown_sweep_are_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
