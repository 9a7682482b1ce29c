/* SPDX-License-Identifier: Apache-2.0 */
/* Points as columns: the values of their members by number, whether they are plain or not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/store/store.h"
#include "daemon/view/column.h"
#include "daemon/view/columns.h"
#include "daemon/view/plain.h"

static void
add(struct columns *p, const char *meta)
{
	const struct point_row	row = { .cursor = 1, .job_id = 1, .spec_id = 1, .status = "ok",
				    .name = "k", .value_ns = 1, .low_ns = 1, .high_ns = 1,
				    .bound_ns = NAN, .meta = meta };

	assert_int_equal(ST_OK, columns_add(p, &row));
}

static json_t *
text_as_json(struct evbuffer *out)
{
	json_t	*doc;

	assert_int_equal(0, evbuffer_prepend(out, "{", 1));
	assert_int_equal(0, evbuffer_add(out, "}", 2));
	doc = json_loads((const char *)evbuffer_pullup(out, -1), 0, NULL);
	assert_non_null(doc);
	return doc;
}

/* A member as text. */
static char *
member_of(struct columns *p, const char *name)
{
	struct evbuffer	*out = evbuffer_new();
	struct store	*store;
	struct fault	 why;
	json_t		*doc;
	char		*text;

	assert_non_null(out);
	assert_int_equal(ST_OK, store_open(&store, ":memory:", &why));
	assert_int_equal(ST_OK, columns_put(p, store, out));
	store_free(store);
	doc = text_as_json(out);
	evbuffer_free(out);
	text = json_dumps(json_object_get(doc, name), JSON_COMPACT);
	json_decref(doc);
	return text;
}

static void
assert_dims(struct columns *p, const char *expected)
{
	char	*dims = member_of(p, "dims");

	assert_string_equal(expected, dims);
	free(dims);
	columns_free(p);
}

static void
test_columns_number_the_values_of_plain_and_other_points_alike(void **state)
{
	struct columns	*p = columns_new();

	(void)state;
	add(p, "{\"N\":4,\"PF\":\"A\"}");
	add(p, "{\"N\":8,\"flags\":[\"-O2\"]}");
	add(p, "{\"N\":4,\"PF\":\"a \\\"b\\\"\"}");
	add(p, NULL);
	add(p, "{\"PF\":\"A\",\"flags\":[\"-O2\"]}");
	assert_dims(p, "[{\"name\":\"N\",\"values\":[4,8],\"at\":[0,1,0,null,null]},"
	    "{\"name\":\"PF\",\"values\":[\"A\",\"a \\\"b\\\"\"],\"at\":[0,null,1,null,0]},"
	    "{\"name\":\"flags\",\"values\":[[\"-O2\"]],\"at\":[null,0,null,null,0]}]");
}

static void
test_columns_find_members_that_come_in_another_order_or_under_other_names(void **state)
{
	struct columns	*p = columns_new();

	(void)state;
	add(p, "{\"a\":1,\"b\":2}");
	add(p, "{\"a\":1,\"b\":2}");
	add(p, "{\"b\":3,\"a\":4}");
	add(p, "{\"a\":5}");
	add(p, "{\"a\":6,\"c\":7}");
	add(p, "{\"b\":8,\"a\":[9]}");		/* not plain, from its second member on */
	add(p, "{\"b\":8}");
	add(p, "{\"a\":1,\"b\":2}");
	assert_dims(p, "[{\"name\":\"a\",\"values\":[1,4,5,6,[9]],\"at\":[0,0,1,2,3,4,null,0]},"
	    "{\"name\":\"b\",\"values\":[2,3,8],\"at\":[0,0,1,null,null,2,2,0]},"
	    "{\"name\":\"c\",\"values\":[7],\"at\":[null,null,null,null,0,null,null,null]}]");
}

static void
test_columns_hide_a_source_that_looks_plain(void **state)
{
	struct columns	*p = columns_new();
	char		*dims;

	(void)state;
	add(p, "{\"variant.source\":\"secret\"}");
	dims = member_of(p, "dims");
	assert_null(strstr(dims, "secret"));
	assert_non_null(strstr(dims, "\"#"));
	free(dims);
	columns_free(p);
}

static void
test_columns_leave_what_is_not_plain_to_the_full_reader(void **state)
{
	static const char *const	not_plain[] = { "", "[]", "{", "{\"a\":1", "{\"a\":1}}",
		"{\"a\":1,}", "{\"a\": 1}", "{\"a\":[1]}", "{\"a\":{}}", "{\"a\":\"\\n\"}",
		"{\"a\":01}", "{\"a\":1.}", "{\"a\":1e3}", "{\"a\":-}", "{\"a\":tru}",
		"{\"a\":1,\"a\":2}", "{\"a\":9999999999999999999}", "{a:1}", "{\"a\"}" };
	struct plain			plain = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof not_plain / sizeof not_plain[0]; i++)
		assert_false(plain_read(&plain, not_plain[i]));
	assert_true(plain_read(&plain, "{}"));
	assert_true(plain_read(&plain, "{\"a\":-1.5,\"b\":true,\"c\":null,\"d\":\"\"}"));
	assert_int_equal(4, plain.n);
	assert_string_equal("-1.5", plain.member[0].value);
	assert_string_equal("\"\"", plain.member[3].value);
}

static void
test_columns_have_repeats_if_there_is_one(void **state)
{
	(void)state;
	for (int64_t of = 0; of <= 7; of += 7) {
		const struct point_row	 timed = { .job_id = 7, .status = "ok", .name = "a",
					    .value_ns = 1 };
		const struct point_row	 again = { .job_id = 9, .status = "ok", .name = "b",
					    .value_ns = 1, .repeat_of = of };
		struct columns		*p = columns_new();
		char			*text;

		assert_non_null(p);
		assert_int_equal(ST_OK, columns_add(p, &timed));
		assert_int_equal(ST_OK, columns_add(p, &again));
		text = member_of(p, "repeat");
		if (of == 0)
			assert_null(text);
		else
			assert_string_equal("[0,2]", text);
		free(text);
		columns_free(p);
	}
}

static void
test_columns_round_numbers_to_their_digits(void **state)
{
	struct column	c = { .text = NULL };

	(void)state;
	column_number(&c, 123456, 5);
	column_number(&c, 12345.5, 5);
	column_number(&c, 99999.7, 5);
	column_number(&c, 0.123456, 5);
	column_number(&c, -123456, 5);
	column_number(&c, INFINITY, 5);
	column_number(&c, 1e300, 5);
	assert_string_equal("[123460,12346,100000,0.12346,-1.2346e+05,null,1e+300]",
	    column_array(&c));
	column_release(&c);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_columns_number_the_values_of_plain_and_other_points_alike),
		cmocka_unit_test(test_columns_find_members_that_come_in_another_order_or_under_other_names),
		cmocka_unit_test(test_columns_hide_a_source_that_looks_plain),
		cmocka_unit_test(test_columns_leave_what_is_not_plain_to_the_full_reader),
		cmocka_unit_test(test_columns_have_repeats_if_there_is_one),
		cmocka_unit_test(test_columns_round_numbers_to_their_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
