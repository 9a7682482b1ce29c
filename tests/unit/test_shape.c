/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/json/shape.h"

enum colour { RED, GREEN };

struct spot {
	double	 x, y;
};

struct count {
	const char	*name;
	uint64_t	 n;
};

struct whole {
	bool			 flag, has_maybe, maybe, has_colour, has_object,
	    has_group, has_pair;
	unsigned		 count;
	uint64_t		 size;
	int64_t			 integer;
	double			 real, pair[2];
	const char		*text, *word;
	enum colour		 colour;
	struct spot		 object, group;
	struct shape_reals	 reals;
	struct shape_sizes	 sizes;
	struct shape_texts	 texts;
	struct shape_list	 list, map, notes;
	int			 own;			/* -1: none */
};

static enum status
get_own(void *out, const struct node *n, struct fault *why)
{
	struct whole	*w = out;
	int64_t		 value = -1;
	enum status	 st = n->value == NULL ? ST_OK : decode_integer(n, 0, 9, &value, why);

	w->own = (int)value;
	return st;
}

static void
put_own(struct text *t, const void *in)
{
	text_integer(t, ((const struct whole *)in)->own);
}

static bool
has_no_own(const void *in)
{
	return ((const struct whole *)in)->own < 0;
}

#define ROW(member, ...) SHAPE_ROW(struct spot, member, __VA_ARGS__)
static const struct shape_row	spot_rows[] = { ROW(x, SHAPE_REAL),
    ROW(y, SHAPE_REAL, .none = SHAPE_NULL) };
static const struct shape_row	group_rows[] = {
	{ .name = "east", .kind = SHAPE_REAL, .offset = offsetof(struct spot, x) },
	{ .name = "north", .kind = SHAPE_REAL, .offset = offsetof(struct spot, y) },
};
static const struct shape	spot_shape = SHAPE_OF(struct spot, spot_rows);
static const struct shape	group_shape = SHAPE_OF(struct spot, group_rows);
#undef ROW

static const struct shape_row	count_rows[] = { SHAPE_ROW(struct count, n, SHAPE_SIZE) };
static const struct shape	count_shape = SHAPE_OF(struct count, count_rows);

#define ROW(member, ...) SHAPE_ROW(struct whole, member, __VA_ARGS__)
#define HAS(member, how) .none = how, .has = offsetof(struct whole, has_##member)
static const char *const	colours[] = { "red", "green", NULL };
static const struct shape_row	whole_rows[] = {
	ROW(flag, SHAPE_FLAG),
	ROW(maybe, SHAPE_FLAG, HAS(maybe, SHAPE_NULL)),
	ROW(count, SHAPE_COUNT, .most = 10),
	ROW(size, SHAPE_SIZE, .none = SHAPE_NULL),
	ROW(integer, SHAPE_INTEGER, .least = -5, .most = 5),
	ROW(real, SHAPE_REAL, .none = SHAPE_ABSENT),
	ROW(pair, SHAPE_PAIR, HAS(pair, SHAPE_NULL)),
	ROW(text, SHAPE_TEXT, .none = SHAPE_NULL),
	ROW(word, SHAPE_TEXT, .words = colours),
	ROW(colour, SHAPE_WORD, .words = colours, HAS(colour, SHAPE_LEFT_OUT)),
	ROW(object, SHAPE_OBJECT, .of = &spot_shape, HAS(object, SHAPE_NULL)),
	ROW(group, SHAPE_INLINE, .of = &group_shape, HAS(group, SHAPE_LEFT_OUT)),
	ROW(reals, SHAPE_REALS),
	ROW(sizes, SHAPE_SIZES, .none = SHAPE_NULL),
	ROW(texts, SHAPE_TEXTS),
	ROW(list, SHAPE_LIST, .of = &spot_shape),
	ROW(map, SHAPE_MAP, .of = &count_shape),
	ROW(notes, SHAPE_NOTES),
	ROW(own, SHAPE_OWN, .none = SHAPE_NULL, .get = get_own, .put = put_own,
	.is_none = has_no_own),
};
static const struct shape	whole_shape = SHAPE_OF(struct whole, whole_rows);
#undef HAS
#undef ROW

static const char	all[] =
	"{\"flag\":true,\"maybe\":false,\"count\":3,\"size\":0,\"integer\":-5,\"real\":0.5,\"pair\":[1.5,2.5],"
	"\"text\":\"a \\\"b\\\" "
	"\\u0001\",\"word\":\"red\",\"colour\":\"green\",\"object\":{\"x\":1.5,\"y\":null},"
	"\"east\":2.5,\"north\":3.5,\"reals\":[0.5,-2.5],\"sizes\":[1,2],\"texts\":[\"x\",\"\"]," "\"list\":[{\"x\":1.5,\"y\":2.5},{\"x\":3.5,\"y\":null}],\"map\":{\"a\":{\"n\":1},\"b\":{\"n\":2}},"
	"\"notes\":{\"k\":\"v\"},\"own\":7}";

static const char	least[] =
	"{\"flag\":false,\"maybe\":null,\"count\":0,\"size\":null,\"integer\":0,\"real\":\"absent\",\"pair\":null,"
	"\"text\":null,\"word\":\"red\",\"object\":null,\"reals\":[],\"sizes\":null,\"texts\":[],\"list\":[],\"map\":{},"
	"\"notes\":{},\"own\":null}";

static json_t	*document;			/* that the struct of the test borrows its texts
						 * from */

static enum status
get(struct whole *w, const char *text, enum shape_way way, struct fault *why)
{
	struct node	root = { .value = NULL };

	json_decref(document);
	root.value = document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(document);
	return shape_get(&whole_shape, w, &root, way, why);
}

static int
forget(void **state)
{
	(void)state;
	json_decref(document);
	document = NULL;
	return 0;
}

static void
expect_same(const char *text, enum shape_way way)
{
	struct whole	 w;
	struct fault	 why;
	char		*again;

	assert_int_equal(ST_OK, get(&w, text, way, &why));
	again = shape_put(&whole_shape, &w, way);
	assert_string_equal(text, again);
	free(again);
	shape_release(&whole_shape, &w);
}

static void
expect_fault(const char *text, enum shape_way way, const char *member, const char *says)
{
	struct whole	w;
	struct fault	why = { .status = ST_OK };

	assert_int_equal(ST_BAD_SPEC, get(&w, text, way, &why));
	assert_string_equal(member, why.member);
	assert_string_equal(says, why.text);
}

/* `all` with one member's value in place of its own. */
static const char *
with(const char *name, const char *value)
{
	static char	 buf[2048];
	json_t		*doc = json_loads(all, 0, NULL);
	char		*text;

	assert_int_equal(0, json_object_set_new(doc, name,
	    json_loads(value, JSON_DECODE_ANY, NULL)));
	text = json_dumps(doc, JSON_COMPACT);
	(void)snprintf(buf, sizeof buf, "%s", text);
	free(text);
	json_decref(doc);
	return buf;
}

static void
test_shape_every_kind_is_written_as_it_was_read(void **state)
{
	(void)state;
	expect_same(all, SHAPE_EXACT);
}

static void
test_shape_what_is_none_is_written_as_its_row_says(void **state)
{
	struct whole	w;
	struct fault	why;

	(void)state;
	expect_same(least, SHAPE_EXACT);
	assert_int_equal(ST_OK, get(&w, least, SHAPE_EXACT, &why));
	assert_true(isnan(w.real) && w.size == SHAPE_NO_SIZE && w.text == NULL && w.own == -1);
	assert_false(w.has_maybe || w.has_pair || w.has_colour || w.has_object || w.has_group);
	shape_release(&whole_shape, &w);
}

static void
test_shape_a_sparse_one_leaves_out_what_is_none(void **state)
{
	const char	*text = "{\"flag\":false,\"count\":0,\"integer\":0,\"word\":\"red\",\"reals\":[],\"texts\":[],"
			    "\"list\":[],\"map\":{},\"notes\":{}}";

	(void)state;
	expect_same(text, SHAPE_SPARSE);
	expect_fault("{\"flag\":false}", SHAPE_SPARSE, "count", "is missing");
}

static void
test_shape_a_member_too_many_or_too_few_is_named(void **state)
{
	(void)state;
	expect_fault(with("extra", "1"), SHAPE_EXACT, "extra", "there is no such member");
	expect_fault("{\"flag\":true}", SHAPE_EXACT, "maybe", "is missing");
	expect_fault(with("object", "{\"x\":1.5}"), SHAPE_EXACT, "object.y", "is missing");
	expect_fault(with("list", "[{\"x\":1.5,\"y\":null},{\"x\":1.5,\"y\":null,\"z\":1}]"),
	    SHAPE_EXACT, "list[1].z", "there is no such member");
}

static void
test_shape_members_of_a_group_come_together_or_not_at_all(void **state)
{
	json_t	*doc = json_loads(all, 0, NULL);
	char	*text;

	(void)state;
	assert_int_equal(0, json_object_del(doc, "north"));
	text = json_dumps(doc, JSON_COMPACT);
	expect_fault(text, SHAPE_EXACT, "north", "is missing");
	free(text);
	json_decref(doc);
}

static void
test_shape_a_value_of_another_type_or_out_of_bounds_is_named(void **state)
{
	static const char *const	cases[][4] = {
		{ "flag", "1", "flag", "must be true or false, not an integer" },
		{ "count", "11", "count", "is 11; 0 to 10 is allowed" },
		{ "size", "-1", "size", "is -1; 0 to 9223372036854775807 is allowed" },
		{ "integer", "6", "integer", "is 6; -5 to 5 is allowed" },
		{ "pair", "[1.5]", "pair", "must be two numbers" },
		{ "text", "1", "text", "must be a string, not an integer" },
		{ "word", "\"blue\"", "word", "\"blue\" is not known here" },
		{ "reals", "[1.5,\"x\"]", "reals[1]", "must be a number, not a string" },
		{ "sizes", "[1,-2]", "sizes[1]", "is -2; 0 to 9223372036854775807 is allowed" },
		{ "sizes", "[]", "sizes", "must not be empty" },
		{ "texts", "[1]", "texts[0]", "must be a string, not an integer" },
		{ "map", "{\"a\":{\"n\":true}}", "map.a.n", "must be an integer, not true" },
		{ "notes", "{\"k\":1}", "notes.k", "must be a string, not an integer" },
		{ "own", "10", "own", "is 10; 0 to 9 is allowed" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		expect_fault(with(cases[i][0], cases[i][1]), SHAPE_EXACT, cases[i][2], cases[i][3]);
	expect_fault("[]", SHAPE_EXACT, "", "must be an object, not an array");
}

static void
test_shape_a_lenient_reader_takes_only_what_is_as_it_should_be(void **state)
{
	struct whole	w;
	struct fault	why;

	(void)state;
	assert_int_equal(ST_OK, get(&w, "{\"count\":\"x\",\"flag\":true,\"extra\":1,\"texts\":[\"x\",1],\"reals\":[1.5],"
	    "\"object\":{\"x\":\"?\",\"y\":2.5},\"map\":{\"a\":{\"n\":1},\"b\":3}}",
	    SHAPE_LENIENT, &why));
	assert_true(w.flag && w.count == UINT_MAX && w.texts.n == 0 && w.reals.n == 1 &&
	    w.map.n == 0);
	assert_true(w.has_object && isnan(w.object.x) && w.object.y == 2.5);
	shape_release(&whole_shape, &w);
	assert_int_equal(ST_BAD_SPEC, get(&w, "[]", SHAPE_LENIENT, &why));
}

static void
test_shape_a_number_that_json_has_not_is_none(void **state)
{
	struct whole	 w;
	struct fault	 why;
	char		*text;

	(void)state;
	assert_int_equal(ST_OK, get(&w, all, SHAPE_EXACT, &why));
	w.real = INFINITY;
	text = shape_put(&whole_shape, &w, SHAPE_EXACT);
	assert_non_null(strstr(text, "\"real\":\"absent\""));
	free(text);
	shape_release(&whole_shape, &w);
}

static void
test_shape_arrays_of_a_struct_filled_by_hand_are_released_with_it(void **state)
{
	struct whole	w;

	(void)state;
	shape_clear(&whole_shape, &w);
	assert_true(shape_reals_make(&w.reals, 3) && shape_sizes_make(&w.sizes, 2) &&
	    shape_texts_make(&w.texts, 1));
	assert_true(shape_list_make(&w.map, 2, sizeof(struct count)) &&
	    shape_list_make(&w.list, 0, 8));
	assert_null(w.list.at);
	shape_release(&whole_shape, &w);
	assert_true(w.reals.x == NULL && w.sizes.n == 0 && w.map.at == NULL);
}

static void
test_shape_a_label_has_no_characters_that_reorder_or_hide_text(void **state)
{
	static const struct {
		const char	*text, *refusal;
	} cases[] = {
		{ "dot", "" }, { "\xd7\xa9\xd7\x9c \xe0\xa4\x95\xe2\x80\x8d\xf0\x9f\x98\x80", "" },
		{ "a\nb", "must not contain control characters: its character 2 is U+000A" },
		{ "\xc3\xa4\xc2\x85", "must not contain control characters: its character 2 is U+0085" },
		{ "a\xe2\x80\xae", "must not contain characters that reorder or hide text: "
		    "its character 2 is U+202E" },
		{ "\xd8\x9c", "must not contain characters that reorder or hide text: "
		    "its character 1 is U+061C" },
		{ "\xe2\x80\x8b", "must not contain characters that reorder or hide text: "
		    "its character 1 is U+200B" },
		{ "x\xe2\x81\xa9", "must not contain characters that reorder or hide text: "
		    "its character 2 is U+2069" },
		{ "\xef\xbb\xbf", "must not contain characters that reorder or hide text: "
		    "its character 1 is U+FEFF" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		json_t			*value = json_string(cases[i].text);
		const struct node	 root = { .value = NULL };
		const struct node	 n = { .up = &root, .name = "name", .value = value };
		struct fault		 why = { .text = "" };
		char			*label = NULL;

		assert_int_equal(decode_label(&n, 100, &label, &why),
		    cases[i].refusal[0] == '\0' ? ST_OK : ST_BAD_SPEC);
		assert_string_equal(why.text, cases[i].refusal);
		assert_string_equal(why.member, cases[i].refusal[0] == '\0' ? "" : "name");
		free(label);
		json_decref(value);
	}
}

struct parts {
	double		 first;
	struct spot	 object, inlined;
	const char	*object_text, *inlined_text;
};

#define ROW(member, ...) SHAPE_ROW(struct parts, member, __VA_ARGS__)
static const struct shape_row	parts_rows[] = {
	ROW(first, SHAPE_REAL),
	ROW(object, SHAPE_OBJECT, .of = &spot_shape, .kept = offsetof(struct parts, object_text)),
	ROW(inlined, SHAPE_INLINE, .of = &group_shape,
	    .kept = offsetof(struct parts, inlined_text)),
};
static const struct shape	parts_shape = SHAPE_OF(struct parts, parts_rows);
#undef ROW

static void
test_shape_a_text_that_is_kept_is_written_in_its_objects_place(void **state)
{
	static const struct {
		const char	*object, *inlined, *want;
	} cases[] = {
		{ NULL, NULL, "{\"first\":1.5,\"object\":{\"x\":1.0,\"y\":2.0},"
		    "\"east\":3.0,\"north\":4.0}" },
		{ "{\"x\":[7]}", NULL, "{\"first\":1.5,\"object\":{\"x\":[7]},"
		    "\"east\":3.0,\"north\":4.0}" },
		{ "{}", "{\"a\":{},\"b\":[]}", "{\"first\":1.5,\"object\":{},\"a\":{},\"b\":[]}" },
		{ "{}", "{}", "{\"first\":1.5,\"object\":{}}" },
		{ "{}", "{ }", "{\"first\":1.5,\"object\":{}}" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct parts	p = { 1.5, { 1, 2 }, { 3, 4 }, cases[i].object,
			cases[i].inlined };
		char			*text = shape_put(&parts_shape, &p, SHAPE_EXACT);

		assert_non_null(text);
		assert_string_equal(text, cases[i].want);
		free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test_teardown(test_shape_every_kind_is_written_as_it_was_read, forget),
		cmocka_unit_test_teardown(test_shape_what_is_none_is_written_as_its_row_says,
		forget), cmocka_unit_test_teardown(test_shape_a_sparse_one_leaves_out_what_is_none,
		forget), cmocka_unit_test_teardown(test_shape_a_member_too_many_or_too_few_is_named,
		forget), cmocka_unit_test_teardown(test_shape_members_of_a_group_come_together_or_not_at_all, forget),
		cmocka_unit_test_teardown(test_shape_a_value_of_another_type_or_out_of_bounds_is_named, forget),
		cmocka_unit_test_teardown(test_shape_a_lenient_reader_takes_only_what_is_as_it_should_be, forget),
		cmocka_unit_test_teardown(test_shape_a_number_that_json_has_not_is_none, forget),
		cmocka_unit_test(test_shape_arrays_of_a_struct_filled_by_hand_are_released_with_it),
		cmocka_unit_test(test_shape_a_text_that_is_kept_is_written_in_its_objects_place),
		cmocka_unit_test(test_shape_a_label_has_no_characters_that_reorder_or_hide_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
