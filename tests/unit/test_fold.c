/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/doors/fold.h"
#include "daemon/doors/line.h"

#define SPEC	"{\"routine\":\"double dot(int n)\",\"params\":{\"n\":[1,2]}}"
#define OTHER	"{\"routine\":\"double dot(int n)\",\"params\":{\"n\":[1,3]}}"
#define TEXT	"\"double dot(int n) { return \\\"[{\\\" != 0; }\""

enum { FLAGS = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY };

/* The text gives what the parser makes of it by itself.  Returns how many values were left out. */
static size_t
folds_of(const char *text)
{
	json_t		*whole = json_loads(text, FLAGS, NULL), *doc, *again;
	struct place	 place;
	struct fault	 why;
	struct folds	 f;
	size_t		 n;

	assert_non_null(whole);
	folds_init(&f, text, strlen(text));
	assert_int_equal(folds_scan(&f), FOLD_WITHIN);
	n = f.n;
	doc = folds_parse(&f, FLAGS);
	assert_true(n == 0 ? doc == NULL : json_equal(doc, whole));
	folds_release(&f);
	assert_int_equal(line_parse(text, strlen(text), &again, &place, &why), ST_OK);
	assert_true(json_equal(again, whole));
	json_decref(again);
	json_decref(doc);
	json_decref(whole);
	return n;
}

static void
test_fold_values_of_like_elements_are_parsed_once(void **state)
{
	(void)state;
	assert_int_equal(folds_of("[{\"spec\":" SPEC "},{\"spec\":" SPEC "}]"), 1);
	assert_int_equal(folds_of("{\"params\":{\"jobs\":[{\"a\":1,\"spec\":" SPEC "},"
	    "{\"spec\": " SPEC ",\"a\":2},{\"spec\":" SPEC "}]}}"), 2);
	assert_int_equal(folds_of("{\"jobs\":[{\"v\":{\"n\":1,\"source\":" TEXT "}},"
	    "{\"v\":{\"source\":" TEXT ",\"n\":2}}]}"), 1);
	assert_int_equal(folds_of("[{\"s\":[" SPEC "]},{\"s\":[" SPEC "]},{\"s\":[" OTHER "]},"
	    "{\"s\":[" OTHER "]},{\"s\":[" SPEC "]}]"), 2);
}

static void
test_fold_a_value_with_folded_parts_repeats_whole(void **state)
{
	(void)state;
	assert_int_equal(folds_of("[{\"v\":{\"n\":1,\"s\":" TEXT "}},{\"v\":{\"n\":2,\"s\":" TEXT
	    "}},{\"v\":{\"n\":2,\"s\":" TEXT "}}]"), 2);
}

static void
test_fold_lists_do_not_mix(void **state)
{
	(void)state;
	assert_int_equal(folds_of("{\"a\":[{\"s\":" SPEC "}],\"b\":[{\"s\":" SPEC "},{\"s\":" SPEC
	    "}],\"c\":{\"a\":[{\"s\":" SPEC "},{\"s\":" SPEC "}]}}"), 2);
}

static void
test_fold_other_keys_short_values_and_inner_lists_stay(void **state)
{
	(void)state;
	assert_int_equal(folds_of("[{\"a\":" SPEC "},{\"b\":" SPEC "}]"), 0);
	assert_int_equal(folds_of("[{\"a\":\"short\"},{\"a\":\"short\"},{\"a\":7},{\"a\":7}]"), 0);
	assert_int_equal(folds_of("[[{\"a\":" SPEC "}],[{\"a\":" SPEC "}]]"), 0);
	assert_int_equal(folds_of("[" SPEC "," SPEC "," TEXT "," TEXT "]"), 0);
	assert_int_equal(folds_of("[{\"\\u0061\":" SPEC "},{\"\\u0061\":" SPEC "}]"), 0);
	assert_int_equal(folds_of("[{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":" TEXT "},\"f\":1}}}},"
	    "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":" TEXT "},\"f\":2}}}}]"), 1);	/* of d */
	assert_int_equal(folds_of("{\"a\":" SPEC ",\"b\":[],\"c\":{}}"), 0);
	assert_int_equal(folds_of("\"text\""), 0);
}

/* With its place in the whole text, and the reason that the parser has for it. */
static void
assert_refused(const char *text)
{
	json_t		*doc;
	json_error_t	 error;
	struct place	 place;
	struct fault	 why;

	assert_null(json_loads(text, FLAGS, &error));
	assert_int_equal(line_parse(text, strlen(text), &doc, &place, &why), ST_BAD_REQUEST);
	assert_null(doc);
	assert_string_equal(why.text, error.text);
	assert_int_equal(place.offset, error.position);
}

static void
test_fold_what_is_no_json_is_refused_as_without(void **state)
{
	(void)state;
	assert_refused("[{\"s\":" SPEC "},{\"s\":" SPEC "},]");
	assert_refused("[{\"s\":" SPEC "},{\"s\":" SPEC ",\"s\":" SPEC "}]");
	assert_refused("[{\"s\":" SPEC "},{\"s\" " SPEC "}]");
	assert_refused("[{\"s\":" SPEC "},{\"s\":" SPEC SPEC "}]");
	assert_refused("[{\"s\":" SPEC "},{\"s\":" SPEC "}");
	assert_refused("[{\"s\":{\"a bad value of some bytes\":x}},"
	    "{\"s\":{\"a bad value of some bytes\":x}}]");
	assert_refused("[{\"s\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}},"
	    "{\"s\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}}]");
	assert_refused("[{\"s\":" SPEC "},{\"s\":\"" TEXT);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_fold_values_of_like_elements_are_parsed_once),
		cmocka_unit_test(test_fold_a_value_with_folded_parts_repeats_whole),
		cmocka_unit_test(test_fold_lists_do_not_mix),
		cmocka_unit_test(test_fold_other_keys_short_values_and_inner_lists_stay),
		cmocka_unit_test(test_fold_what_is_no_json_is_refused_as_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
