/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/wire/msg.h"

#define HASH_A	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HASH_B	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

#define ORDER(end)	"{\"kind\":\"time\",\"job_id\":1,\"job\":{},\"artifacts\":{" \
			"\"driver\":\"\",\"variant\":\"\",\"reference\":\"\"}" end

#define TIMED		"{\"kind\":\"timed\",\"job_id\":1,\"status\":\"ok\",\"report\":{}}"

static const struct job_text	text = { "{\"routine\":\"f\"}", "{\"variant\":{\"name\":\"v\"}}" };
static const char		whole[] =
    "{\"spec\":{\"routine\":\"f\"},\"variant\":{\"name\":\"v\"}}";
static char			report[] = "{\"a\":1,\"b\":[\"text\",null]}";

static bool
same(const char *want, const json_t *doc)
{
	json_t	*in = want != NULL ? json_loads(want, 0, NULL) : NULL;
	bool	 equal = want == NULL ? doc == NULL : json_equal(in, doc);

	json_decref(in);
	return equal;
}

/* Put, look at the header, get. */
static void
there_and_back(const struct msg *in, struct msg *out)
{
	struct fault	 why;
	char		*frame;
	size_t		 bytes;

	assert_int_equal(msg_put(in, &frame, &bytes, &why), ST_OK);
	assert_int_equal(msg_body_bytes((const unsigned char *)frame), bytes - MSG_HEADER_BYTES);
	assert_int_equal(msg_get(out, frame + MSG_HEADER_BYTES, bytes - MSG_HEADER_BYTES, &why),
	    ST_OK);
	free(frame);
	assert_int_equal(out->kind, in->kind);
	assert_int_equal(out->job_id, in->job_id);
	assert_int_equal(out->status, in->status);
	assert_true(same(in->text.spec != NULL ? whole : NULL, out->job));
	assert_true(same(in->report_text, out->report));
	assert_memory_equal(&in->artifacts, &out->artifacts, sizeof in->artifacts);
	assert_int_equal(in->submitter, out->submitter);
	assert_true(json_equal(in->calibrated, out->calibrated) ||
	    (in->calibrated == NULL && out->calibrated == NULL));
	assert_true(json_equal(in->quiet, out->quiet) || (in->quiet == NULL && out->quiet == NULL));
}

static void
test_msg_every_kind_survives_the_way(void **state)
{
	const struct msg	 all[] = {
		{ .kind = MSG_HELLO, .report_text = report },
		{ .kind = MSG_BUILD, .job_id = 7, .text = text },
		{ .kind = MSG_TIME, .job_id = INT64_MAX, .text = text, .submitter = UINT32_MAX,
		    .artifacts = { { HASH_A }, { HASH_B }, { "" }, { "" }, { "" } } },
		{ .kind = MSG_CANCEL, .job_id = 1 },
		{ .kind = MSG_BUILT, .job_id = 2, .status = ST_BUILD_FAILED, .report_text = report,
		    .artifacts = { { HASH_A }, { "" }, { HASH_B }, { HASH_A }, { HASH_B } } },
		{ .kind = MSG_TIMED, .job_id = 3, .status = ST_OK, .report_text = report },
	};
	struct msg		 back;

	(void)state;
	assert_int_equal(sizeof all / sizeof all[0], MSG_N);
	for (size_t i = 0; i < MSG_N; i++) {
		assert_int_equal(all[i].kind, i);
		there_and_back(&all[i], &back);
		assert_null(back.detail);
		msg_release(&back);
	}
}

static void
test_msg_timed_has_what_is_kept_as_it_was_written(void **state)
{
	char		 technique[] = "{\"samples\":18,\"timer\":\"a\\nb\"}", evidence[] = "{}",
			 readings[] = "{\"ticks\":[1,2]}";
	const char	*texts[][3] = { { technique, evidence, readings },
			    { NULL, evidence, NULL }, { technique, NULL, readings },
			    { NULL, NULL, NULL } };
	struct msg	 back, m = { .kind = MSG_TIMED, .job_id = 3, .status = ST_OK,
			    .report_text = report };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		m.kept.technique = texts[i][0] != NULL ? technique : NULL;
		m.kept.evidence = texts[i][1] != NULL ? evidence : NULL;
		m.kept.readings = texts[i][2] != NULL ? readings : NULL;
		there_and_back(&m, &back);
		assert_int_equal(back.kept.technique != NULL, texts[i][0] != NULL);
		assert_int_equal(back.kept.evidence != NULL, texts[i][1] != NULL);
		assert_int_equal(back.kept.readings != NULL, texts[i][2] != NULL);
		if (texts[i][0] != NULL)
			assert_string_equal(back.kept.technique, technique);
		if (texts[i][1] != NULL)
			assert_string_equal(back.kept.evidence, evidence);
		if (texts[i][2] != NULL)
			assert_string_equal(back.kept.readings, readings);
		msg_release(&back);
	}
}

static void
test_msg_order_to_time_may_have_what_a_calibration_found(void **state)
{
	struct msg	 back,
			    m = { .kind = MSG_TIME, .job_id = 5, .text = text,
			    .calibrated = json_pack("{s:I}", "flush_bytes", (json_int_t)5 << 30),
			    .artifacts = { { HASH_A }, { HASH_B }, { "" }, { "" }, { "" } } };

	(void)state;
	there_and_back(&m, &back);
	assert_int_equal(json_integer_value(json_object_get(back.calibrated, "flush_bytes")),
	    (json_int_t)5 << 30);
	json_decref(m.calibrated);
	msg_release(&back);
}

static void
test_msg_order_to_time_may_tell_what_is_known_of_quiet(void **state)
{
	json_t		*quiet = json_pack("{s:{s:i}}", "canary", "base", 18636);
	struct msg	 back, m = { .kind = MSG_TIME, .job_id = 5, .text = text, .quiet = quiet,
			    .artifacts = { { HASH_A }, { HASH_B }, { "" }, { "" }, { "" } } };

	(void)state;
	there_and_back(&m, &back);
	assert_true(json_equal(back.quiet, quiet));
	msg_release(&back);
	json_decref(quiet);
}

static void
test_msg_detail_keeps_its_words(void **state)
{
	char		 words[] =
			    "variant.c:1:1: error: \"\xc3\xbc\" \xe2\x82\xac "
			    "\xf0\x9f\x98\x80\n\ttab";
	struct msg	 m = { .kind = MSG_TIMED, .job_id = 3, .status = ST_CRASHED,
			    .detail = words }, back;

	(void)state;
	m.report_text = report;
	there_and_back(&m, &back);
	assert_string_equal(back.detail, words);
	msg_release(&back);
}

static void
test_msg_detail_that_is_no_utf8_gets_through_with_question_marks(void **state)
{
	char		 words[] =
			    "a\xe9 b\xc3 \xc3\xbc \xc0\xaf \xed\xa0\x80 \xf5\x80\x80\x80 "
			    "\xe2\x82\xac \xe2\x82";
	struct msg	 m = { .kind = MSG_BUILT, .job_id = 3, .status = ST_BUILD_FAILED,
			    .detail = words }, back;

	(void)state;
	m.report_text = report;
	there_and_back(&m, &back);
	assert_string_equal(back.detail, "a? b? \xc3\xbc ?? ??? ???? \xe2\x82\xac ??");
	msg_release(&back);
}

static void
test_msg_put_refuses_what_lacks_a_member(void **state)
{
	const struct msg	 bad[] = { { .kind = MSG_HELLO },
				    { .kind = MSG_BUILD, .job_id = 1 }, { .kind = MSG_N },
				    { .kind = MSG_TIMED, .job_id = 1, .status = ST_OK } };
	struct fault		 why;
	char			*frame;
	size_t			 bytes;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(msg_put(&bad[i], &frame, &bytes, &why), ST_BAD_REQUEST);
		assert_null(frame);
		assert_true(why.text[0] != '\0');
	}
}

static void
test_msg_header_is_little_endian(void **state)
{
	static const unsigned char	header[MSG_HEADER_BYTES] = { 0x78, 0x56, 0x34, 0xf2 };

	(void)state;
	assert_int_equal(msg_body_bytes(header), 0xf2345678u);
}

static void
test_msg_get_refuses_what_is_wrong_and_names_the_member(void **state)
{
	static const struct {
		const char	*body, *member;
	} bad[] = {
		{ "", "" }, { "{", "" }, { "[]", "" }, { "null", "" }, { "{} {}", "" },
		{ "\"build\"", "" }, { "{\"kind\":\"cancel\",\"job_id\":1,\"job_id\":2}", "" },
		{ "{\"kind\":\"cancel\",\"job_id\":1e400}", "" },
		{ "{\"kind\":\"cancel\\u0000\",\"job_id\":1}", "" },
		{ "{\"kind\":\"canc\xffl\",\"job_id\":1}", "" },
		{ "{}", "kind" }, { "{\"kind\":1}", "kind" }, { "{\"kind\":\"Build\"}", "kind" },
		{ "{\"kind\":\"cancel\"}", "job_id" },
		{ "{\"kind\":\"cancel\",\"job_id\":0}", "job_id" },
		{ "{\"kind\":\"cancel\",\"job_id\":-4}", "job_id" },
		{ "{\"kind\":\"cancel\",\"job_id\":1.0}", "job_id" },
		{ "{\"kind\":\"cancel\",\"job_id\":\"1\"}", "job_id" },
		{ "{\"kind\":\"cancel\",\"job_id\":99999999999999999999}", "" },
		{ "{\"kind\":\"cancel\",\"job_id\":1,\"x\":0}", "x" },
		{ "{\"kind\":\"cancel\",\"job_id\":1,\"job\":{}}", "job" },
		{ "{\"kind\":\"hello\"}", "report" },
		{ "{\"kind\":\"hello\",\"report\":[]}", "report" },
		{ "{\"kind\":\"hello\",\"report\":{},\"job_id\":1}", "job_id" },
		{ "{\"kind\":\"build\",\"job_id\":1}", "job" },
		{ "{\"kind\":\"build\",\"job_id\":1,\"job\":7}", "job" },
		{ "{\"kind\":\"time\",\"job_id\":1,\"job\":{}}", "artifacts" },
		{ "{\"kind\":\"time\",\"job_id\":1,\"job\":{},\"artifacts\":{}}", "artifacts" }, { "{\"kind\":\"time\",\"job_id\":1,\"job\":{},\"artifacts\":{\"driver\":\"\",\"variant\":\"\",\"x\":\"\"}}",
		    "artifacts.reference" },
		{ "{\"kind\":\"time\",\"job_id\":1,\"job\":{},\"artifacts\":{\"driver\":\"\",\"variant\":\"../../etc\","
		    "\"reference\":\"\"}}", "artifacts.variant" },
		{ "{\"kind\":\"time\",\"job_id\":1,\"job\":{},\"artifacts\":{\"driver\":\"" HASH_A "0\",\"variant\":\"\","
		    "\"reference\":\"\"}}", "artifacts.driver" },
		{ "{\"kind\":\"time\",\"job_id\":1,\"job\":{},\"artifacts\":{\"driver\":\"\",\"variant\":\"\","
		    "\"reference\":\"\",\"against\":\"x\"}}", "artifacts.against" },
		{ ORDER("}"), "submitter" }, { ORDER(",\"submitter\":-1}"), "submitter" },
		{ ORDER(",\"submitter\":4294967296}"), "submitter" },
		{ ORDER(",\"submitter\":\"0\"}"), "submitter" },
		{ "{\"kind\":\"build\",\"job_id\":1,\"job\":{},\"submitter\":0}", "submitter" },
		{ "{\"kind\":\"timed\",\"job_id\":1,\"report\":{}}", "status" },
		{ "{\"kind\":\"timed\",\"job_id\":1,\"status\":\"fine\",\"report\":{}}", "status" },
		{ "{\"kind\":\"timed\",\"job_id\":1,\"status\":\"not_found\",\"report\":{}}",
		"status" }, { "{\"kind\":\"timed\",\"job_id\":1,\"status\":\"ok\",\"detail\":null,\"report\":{}}", "detail" },
		{ "{\"kind\":\"timed\",\"job_id\":1,\"status\":\"ok\"}", "report" },
		{ TIMED "", "technique" }, { TIMED "\n{}", "evidence" },
		{ TIMED "\n{\n{}", "technique" }, { TIMED "\n[]\n{}", "technique" },
		{ TIMED "\n{}\n{\"a\":1e}", "evidence" }, { TIMED "\n\n{}x", "evidence" },
		{ TIMED "\n\n", "readings" }, { TIMED "\n\n\n3", "readings" }, { TIMED "\n\n\n\n", "" }, { "{\"kind\":\"cancel\",\"job_id\":1}\n", "" },
	};
	struct fault	why;
	struct msg	m;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		memset(&why, 0, sizeof why);
		if (msg_get(&m, bad[i].body, strlen(bad[i].body), &why) != ST_BAD_REQUEST)
			fail_msg("taken: %s", bad[i].body);
		if (strcmp(why.member, bad[i].member) != 0 || why.text[0] == '\0')
			fail_msg("%s: member \"%s\", text \"%s\"", bad[i].body,
			    why.member, why.text);
		assert_null(m.job);
		assert_null(m.report);
		assert_null(m.detail);
		assert_null(m.kept.technique);
		assert_null(m.kept.evidence);
		assert_null(m.kept.readings);
	}
}

static void
test_msg_get_refuses_nesting_without_end(void **state)
{
	const size_t	 n = 1 << 20;
	char		*body = malloc(n);
	struct fault	 why;
	struct msg	 m;

	(void)state;
	assert_non_null(body);
	memset(body, '[', n);
	memcpy(body, "{\"kind\":", 8);
	assert_int_equal(msg_get(&m, body, n, &why), ST_BAD_REQUEST);
	free(body);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_msg_every_kind_survives_the_way),
		cmocka_unit_test(test_msg_timed_has_what_is_kept_as_it_was_written),
		cmocka_unit_test(test_msg_order_to_time_may_have_what_a_calibration_found),
		cmocka_unit_test(test_msg_order_to_time_may_tell_what_is_known_of_quiet),
		cmocka_unit_test(test_msg_detail_keeps_its_words),
		cmocka_unit_test(test_msg_detail_that_is_no_utf8_gets_through_with_question_marks),
		cmocka_unit_test(test_msg_put_refuses_what_lacks_a_member),
		cmocka_unit_test(test_msg_header_is_little_endian),
		cmocka_unit_test(test_msg_get_refuses_what_is_wrong_and_names_the_member),
		cmocka_unit_test(test_msg_get_refuses_nesting_without_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
