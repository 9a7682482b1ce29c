/* SPDX-License-Identifier: Apache-2.0 */
/* Who sees what of a job. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/view/view.h"

enum { ALICE = 4001, BOB = 4002, OPS = 4003 };

static enum status
no_number(void *arg, const char *name, uid_t *uid, struct fault *why)
{
	(void)arg;
	(void)name;
	(void)uid;
	return fault_set(why, ST_FULL, "no numbers");
}

static int
set_up(void **state)
{
	struct users	*users;
	struct fault	 why;
	char		 path[] = "/tmp/assay-view-XXXXXX";
	const int	 fd = mkstemp(path);

	assert_true(fd >= 0 && dprintf(fd, "alice role=submit uid=%d\nbob role=submit uid=%d\n"
	    "ops role=operate uid=%d\n", ALICE, BOB, OPS) > 0);
	assert_int_equal(users_new(&users, &why), ST_OK);
	assert_int_equal(users_read(users, path, no_number, NULL, &why), ST_OK);
	(void)close(fd);
	(void)unlink(path);
	*state = users;
	return 0;
}

static int
tear_down(void **state)
{
	users_free(*state);
	return 0;
}

static bool
sees(struct users *users, uid_t who, const char *visibility)
{
	const struct viewer	v = { users, who };
	const struct row_owner	o = { ALICE, visibility };

	return viewer_may_see(&v, &o);
}

static void
test_view_a_job_is_its_submitters_the_operators_and_those_it_names(void **state)
{
	struct users	*us = *state;

	assert_true(sees(us, ALICE, NULL));
	assert_true(sees(us, OPS, NULL));
	assert_false(sees(us, BOB, NULL));
	assert_false(sees(us, USER_NOBODY, NULL));
	assert_true(sees(us, BOB, "\"all\""));
	assert_true(sees(us, USER_NOBODY, "\"all\""));
	assert_true(sees(us, BOB, "[\"carol\",\"bob\"]"));
	assert_false(sees(us, BOB, "[\"alice\",\"bobby\"]"));
	assert_false(sees(us, USER_NOBODY, "[\"bob\",\"\"]"));
	assert_false(sees(us, BOB, "[\"all\"]"));
	assert_false(sees(us, BOB, "\"private\""));
	assert_false(sees(us, BOB, "{"));
}

static void
test_view_an_unknown_reader_is_nobodys_submitter(void **state)
{
	const struct viewer	v = { *state, USER_NOBODY };
	const struct row_owner	o = { USER_NOBODY, NULL };

	assert_false(viewer_may_see(&v, &o));
}

static json_t *
seen_by(struct users *users, uid_t who, const char *json, const char *visibility,
    const struct row_rank *rank)
{
	const struct viewer	 v = { users, who };
	const struct shown	 r = { json, strlen(json), { ALICE, visibility }, *rank };
	struct evbuffer		*out = evbuffer_new();
	json_t			*doc, *parsed = json_loads(json, 0, NULL);

	assert_non_null(out);
	assert_int_equal(view_put(&v, out, &r), ST_OK);
	doc = json_loadb((const char *)evbuffer_pullup(out, -1), evbuffer_get_length(out),
	    JSON_REJECT_DUPLICATES, NULL);
	evbuffer_free(out);
	assert_non_null(doc);
	view_set(&v, parsed, &r);
	assert_true(json_equal(doc, parsed));
	json_decref(parsed);
	return doc;
}

static void
test_view_sources_of_a_point_are_words_that_tell_them_apart(void **state)
{
	static const char	result[] = "{\"detail\":null,\"meta\":{\"source\":\"secret one\","
	    "\"check.reference.source\":\"secret two\",\"body\":\"secret\\nthree\","
	    "\"own\":{\"files\":{\"a.h\":\"secret four\"}},\"U\":4,\"flags\":[\"-O2\"]}}";
	const struct row_rank	none = { NULL, 0 };
	json_t			*r = seen_by(*state, BOB, result, NULL, &none);
	json_t			*meta = json_object_get(r, "meta");
	char			*text = json_dumps(r, 0);

	assert_null(strstr(text, "secret"));
	assert_non_null(strstr(text, "\"withheld\": [\"meta\"]"));
	assert_int_equal(json_string_value(json_object_get(meta, "source"))[0], '#');
	assert_false(json_equal(json_object_get(meta, "source"), json_object_get(meta, "body")));
	assert_int_equal(json_integer_value(json_object_get(meta, "U")), 4);
	assert_int_equal(json_array_size(json_object_get(meta, "flags")), 1);
	free(text);
	json_decref(r);
	r = seen_by(*state, ALICE, result, NULL, &none);
	assert_string_equal(json_string_value(json_object_get(json_object_get(r, "meta"), "source")),
	    "secret one");
	json_decref(r);
}

static void
test_view_messages_that_quote_a_source_are_withheld_and_named(void **state)
{
	static const char	result[] = "{\"job\":1,\"detail\":\"x.c:1: int secret;\","
	    "\"technique\":{\"checkpoint\":{\"image\":\"secret.img\",\"bytes\":4}},"
	    "\"meta\":{\"detail\":null,\"POINT\":4},\"time\":{\"value_ns\":2}}";
	const struct row_rank	none = { NULL, 0 };
	json_t			*r = seen_by(*state, BOB, result, NULL, &none);
	char			*text = json_dumps(r, 0);

	assert_null(strstr(text, "secret"));
	assert_true(json_is_null(json_object_get(r, "detail")));
	assert_int_equal(json_array_size(json_object_get(r, "withheld")), 2);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(r, "time"),
	    "value_ns")), 2);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(r, "meta"),
	    "POINT")), 4);
	assert_string_equal(json_string_value(json_object_get(r, "user_name")), "alice");
	free(text);
	json_decref(r);
	r = seen_by(*state, BOB, result, "[\"bob\"]", &none);
	assert_non_null(json_string_value(json_object_get(r, "detail")));
	assert_null(json_object_get(r, "withheld"));
	json_decref(r);
}

/* The look at the text is not misled by a member of the same name that comes first. */
static void
test_view_a_null_of_the_same_name_before_it_does_not_let_a_message_out(void **state)
{
	const struct row_rank	none = { NULL, 0 };
	json_t			*r = seen_by(*state, BOB,
				    "{\"meta\":{\"detail\":null},\"detail\":\"secret\"}", NULL, &none);

	assert_true(json_is_null(json_object_get(r, "detail")));
	json_decref(r);
}

static void
test_view_a_result_without_messages_is_for_all_readers_as_it_is(void **state)
{
	const struct row_rank	corrected = { "corrected", 1.5 };
	json_t			*r = seen_by(*state, USER_NOBODY, "{\"job\":1,\"detail\":null}", NULL,
				    &corrected);

	assert_null(json_object_get(r, "withheld"));
	assert_true(json_real_value(json_object_get(r, "corrected_ns")) == 1.5);
	json_decref(r);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_view_a_job_is_its_submitters_the_operators_and_those_it_names),
		cmocka_unit_test(test_view_an_unknown_reader_is_nobodys_submitter),
		cmocka_unit_test(test_view_sources_of_a_point_are_words_that_tell_them_apart),
		cmocka_unit_test(test_view_messages_that_quote_a_source_are_withheld_and_named),
		cmocka_unit_test(
		    test_view_a_null_of_the_same_name_before_it_does_not_let_a_message_out),
		cmocka_unit_test(test_view_a_result_without_messages_is_for_all_readers_as_it_is),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
