/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/view/query.h"

static json_t *
from_query(const char *text)
{
	struct fault	 why;
	json_t		*params;

	if (params_from_query(query_params, text, &params, &why) != ST_OK)
		fail_msg("%s: %s: %s", text, why.member, why.text);
	return params;
}

static void
assert_query_refused(const char *text, const char *member)
{
	struct fault	 why;
	json_t		*params;

	assert_int_equal(params_from_query(query_params, text, &params, &why), ST_BAD_REQUEST);
	assert_null(params);
	assert_string_equal(why.member, member);
	assert_true(why.text[0] != '\0');
}

static void
test_query_string_gives_typed_members(void **state)
{
	json_t	*p = from_query("sweep=7&status=ok&name=dot%20u4%2B&routine=a+b&since=1.5&before=20&order=fastest"
		    "&limit=3&ids=3,1,2");

	(void)state;
	assert_int_equal(json_integer_value(json_object_get(p, "sweep")), 7);
	assert_string_equal(json_string_value(json_object_get(p, "name")), "dot u4+");
	assert_string_equal(json_string_value(json_object_get(p, "routine")), "a b");
	assert_true(json_real_value(json_object_get(p, "since")) == 1.5);
	assert_int_equal(json_integer_value(json_object_get(p, "before")), 20);
	assert_int_equal(json_integer_value(json_object_get(p, "limit")), 3);
	assert_int_equal(json_array_size(json_object_get(p, "ids")), 3);
	json_decref(p);
	p = from_query("sweep=dot-cold");
	assert_string_equal(json_string_value(json_object_get(p, "sweep")), "dot-cold");
	json_decref(p);
	p = from_query("");
	assert_int_equal(json_object_size(p), 0);
	json_decref(p);
}

static void
test_query_string_refusals_name_the_member(void **state)
{
	(void)state;
	assert_query_refused("limti=3", "limti");
	assert_query_refused("limit=0", "limit");
	assert_query_refused("limit=1001", "limit");
	assert_query_refused("limit=3x", "limit");
	assert_query_refused("limit=", "limit");
	assert_query_refused("limit=99999999999999999999", "limit");
	assert_query_refused("limit=%203", "limit");
	assert_query_refused("limit=1&limit=2", "limit");
	assert_query_refused("since=nan", "since");
	assert_query_refused("since=1e400", "since");
	assert_query_refused("since=-1", "since");
	assert_query_refused("sweep=0", "sweep");
	assert_query_refused("ids=1,x", "ids");
	assert_query_refused("ids=0", "ids[0]");
	assert_query_refused("ids=", "ids");
	assert_query_refused("name=%ff", "name");
	assert_query_refused("name=%00", "name");
	assert_query_refused("name=%4", "name");
	assert_query_refused("name", "");
}

static void
test_query_string_unknown_member_names_the_nearest(void **state)
{
	struct fault	 why;
	json_t		*params;

	(void)state;
	assert_int_equal(params_from_query(query_params, "statsu=ok", &params, &why),
	    ST_BAD_REQUEST);
	assert_string_equal(why.hint, "did you mean \"status\"?");
}

static enum status
check(const char *json, struct fault *why)
{
	json_t		*params = json_loads(json, JSON_DECODE_ANY, NULL);
	enum status	 st;

	assert_non_null(params);
	st = params_check(query_params, params, why);
	json_decref(params);
	return st;
}

static void
test_params_types_are_strict(void **state)
{
	static const char *const	bad[] = {
		"[]", "null", "{\"limit\":\"1\"}", "{\"limit\":1.0}", "{\"limit\":true}",
		    "{\"name\":1}", "{\"ids\":1}",
		"{\"ids\":[\"1\"]}", "{\"ids\":[]}", "{\"ids\":[1.0]}", "{\"ids\":[-1]}",
		"{\"sweep\":\"\"}", "{\"sweep\":1.5}", "{\"sweep\":null}", "{\"since\":\"1\"}",
		"{\"order\":\"\"}",
	};
	struct fault			why;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(check(bad[i], &why), ST_BAD_REQUEST);
	assert_int_equal(check("{\"ids\":[1,\"2\"]}", &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "ids[1]");
	assert_int_equal(check("{\"limit\":1000,\"sweep\":\"x\",\"ids\":[1,1],\"since\":0}", &why),
	    ST_OK);
}

static void
test_params_ids_are_sorted_and_distinct(void **state)
{
	json_t		*list = json_pack("[i,i,i,i,i]", 5, 1, 5, 3, 1);
	struct fault	 why;
	int64_t		*ids;
	size_t		 n;

	(void)state;
	assert_int_equal(params_ids(list, &ids, &n, &why), ST_OK);
	assert_int_equal(n, 3);
	assert_true(ids[0] == 1 && ids[1] == 3 && ids[2] == 5);
	assert_true(params_has_id(ids, n, 3));
	assert_false(params_has_id(ids, n, 2));
	assert_false(params_has_id(NULL, 0, 2));
	free(ids);
	json_decref(list);
}

/* ---- filters ---- */

static enum status
parse(struct query *q, const char *json, struct fault *why)
{
	json_t		*params = json_loads(json, 0, NULL);
	enum status	 st;

	assert_non_null(params);
	assert_int_equal(params_check(query_params, params, why), ST_OK);
	st = query_parse(q, &(struct viewer){ .uid = 0 }, params, why);
	json_decref(params);
	return st;
}

static void
test_query_fills_the_filter(void **state)
{
	struct fault	why;
	struct query	q;

	(void)state;
	assert_int_equal(parse(&q,
	    "{\"status\":\"crashed\",\"name\":\"a\",\"ids\":[4,2],\"since\":5,\"before\":6.5,"
	    "\"order\":\"newest\",\"limit\":7}", &why), ST_OK);
	assert_int_equal(q.filter.status, ST_CRASHED);
	assert_string_equal(q.filter.name, "a");
	assert_null(q.filter.routine);
	assert_int_equal(q.filter.nids, 2);
	assert_int_equal(q.filter.ids[0], 2);
	assert_true(q.filter.since == 5 && q.filter.before == 6.5);
	assert_int_equal(q.filter.order, ORDER_NEWEST);
	assert_int_equal(q.filter.submitter, -1);
	assert_int_equal(q.limit, 7);
	assert_true(q.limited);
	query_release(&q);

	assert_int_equal(parse(&q, "{}", &why), ST_OK);
	assert_int_equal(q.filter.status, -1);
	assert_int_equal(q.limit, QUERY_DEFAULT_LIMIT);
	assert_false(q.limited);
	assert_int_equal(q.filter.order, ORDER_ID);
	query_release(&q);
}

static void
test_query_refuses_words_that_are_no_outcome_or_order(void **state)
{
	struct fault	why;
	struct query	q;

	(void)state;
	assert_int_equal(parse(&q, "{\"status\":\"crash\"}", &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "status");
	assert_string_equal(why.hint, "did you mean \"crashed\"?");
	assert_int_equal(parse(&q, "{\"status\":\"not_found\"}", &why), ST_BAD_REQUEST);	/* ends no job */
	assert_int_equal(parse(&q, "{\"order\":\"oldest\"}", &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "order");
}

static void
test_query_cursor_survives_the_round_trip_in_every_order(void **state)
{
	static const double	values[] = { 1.0, 0.1, 123456.789, 5e-324 };
	char			text[QUERY_CURSOR_BYTES];

	(void)state;
	for (unsigned order = ORDER_ID; order <= ORDER_FASTEST; order++) {
		for (unsigned i = 0; i < 4; i++) {
			struct result_filter	out = { .order = order,
				.after_cursor = INT64_C(1) << (14 * i), .after_value = values[i] },
				in = { .order = order };
			struct fault		why;

			query_put_cursor(text, &out);
			assert_int_equal(query_get_cursor(&in, text, &why), ST_OK);
			assert_true(in.after_cursor == out.after_cursor);
			if (order == ORDER_FASTEST)
				assert_true(in.after_value == out.after_value);
		}
	}
}

static void
test_query_cursor_of_another_order_or_none_is_refused(void **state)
{
	static const char *const	bad[] = {
		"", "i", "i.", "i.x", "i.0", "i.-1", "i.01", "i. 1", "i.+1", "i.1 ", "i.1.2", "n.1",
		    "f.1", "f.1.0",
		"i.99999999999999999999", "57",
	};
	struct result_filter		f = { .order = ORDER_ID };
	struct fault			why;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(query_get_cursor(&f, bad[i], &why), ST_BAD_REQUEST);
		assert_string_equal(why.member, "cursor");
	}
	f.order = ORDER_FASTEST;
	assert_int_equal(query_get_cursor(&f, "f.1.7ff0000000000000", &why), ST_BAD_REQUEST);	/* infinity */
	assert_int_equal(query_get_cursor(&f, "f.1.3FF0000000000000", &why), ST_BAD_REQUEST);
	assert_int_equal(query_get_cursor(&f, "f.1.3ff0000000000000", &why), ST_OK);
	assert_true(f.after_value == 1.0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_query_string_gives_typed_members),
		cmocka_unit_test(test_query_string_refusals_name_the_member),
		cmocka_unit_test(test_query_string_unknown_member_names_the_nearest),
		cmocka_unit_test(test_params_types_are_strict),
		cmocka_unit_test(test_params_ids_are_sorted_and_distinct),
		cmocka_unit_test(test_query_fills_the_filter),
		cmocka_unit_test(test_query_refuses_words_that_are_no_outcome_or_order),
		cmocka_unit_test(test_query_cursor_survives_the_round_trip_in_every_order),
		cmocka_unit_test(test_query_cursor_of_another_order_or_none_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
