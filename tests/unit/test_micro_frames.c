/* SPDX-License-Identifier: Apache-2.0 */
/* What a process with plugins sends, and what its reader makes of anything else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/micro/plugin/frames.h"

enum { SENT_BYTES = 4096, TAKEN = 4 };

struct taken {
	unsigned	n;
	enum frame_kind	kind[TAKEN];
	uint64_t	value[TAKEN];
	char		words[TAKEN][64];
};

static enum status
take(void *arg, const struct frame *f, struct fault *why)
{
	struct taken	*t = arg;

	(void)why;
	assert_true(t->n < TAKEN);
	t->kind[t->n] = f->kind;
	t->value[t->n] = f->value;
	(void)snprintf(t->words[t->n++], sizeof t->words[0], "%s|%s|%s|%s", f->part[0],
	    f->part[1], f->part[2], f->part[3]);
	return ST_OK;
}

static char	sent[SENT_BYTES];

/* Frames one after another; the number of their bytes. */
static size_t
send_all(const struct frame *frames, unsigned n)
{
	FILE	*to = fmemopen(sent, sizeof sent, "w");
	size_t	 bytes;

	assert_non_null(to);
	for (unsigned i = 0; i < n; i++)
		assert_true(frame_put(to, &frames[i]));
	bytes = (size_t)ftell(to);
	(void)fclose(to);
	return bytes;
}

static enum status
read_all(size_t bytes, size_t at_once, struct taken *t, struct fault *why)
{
	struct frames	f;
	enum status	st = ST_OK;

	*t = (struct taken){ .n = 0 };
	frames_init(&f, take, t);
	for (size_t at = 0; at < bytes && st == ST_OK; at += at_once)
		st = frames_read(&f, sent + at, bytes - at < at_once ? bytes - at : at_once, why);
	frames_release(&f);
	return st;
}

static void
test_micro_frames_frames_arrive_as_they_were_sent_in_pieces_of_any_size(void **state)
{
	const struct frame	all[] = {
		{ .kind = FRAME_COUNT, .value = 510 },
		{ .kind = FRAME_PROGRAM, .value = 7, .part = { "load_7", "asm", "\tnop\n", "{}" } },
		{ .kind = FRAME_FAULT, .value = ST_BAD_SPEC, .part = { "x", "words", "hint" } },
	};
	const size_t		bytes = send_all(all, 3);
	struct taken		t;
	struct fault		why;

	(void)state;
	for (size_t at_once = 1; at_once <= bytes; at_once++) {
		assert_int_equal(read_all(bytes, at_once, &t, &why), ST_OK);
		assert_int_equal(t.n, 3);
		assert_int_equal(t.value[0], 510);
		assert_string_equal(t.words[1], "load_7|asm|\tnop\n|{}");
		assert_string_equal(t.words[2], "x|words|hint|");
	}
}

static void
test_micro_frames_bytes_that_are_no_frame_are_refused(void **state)
{
	const struct frame	one = { .kind = FRAME_PROGRAM, .part = { "a", "asm", "nop" } };
	const size_t		bytes = send_all(&one, 1);
	struct taken		t;
	struct fault		why;

	(void)state;
	sent[0] ^= 1;
	assert_int_equal(read_all(bytes, bytes, &t, &why), ST_BAD_SPEC);
	(void)send_all(&one, 1);
	sent[4] = FRAME_NKINDS;
	assert_int_equal(read_all(bytes, bytes, &t, &why), ST_BAD_SPEC);
	(void)send_all(&one, 1);
	memset(sent + 24, 0xff, 4);
	assert_int_equal(read_all(bytes, bytes, &t, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "are the most"));
	(void)send_all(&one, 1);
	sent[bytes - 1] = '\0';
	assert_int_equal(read_all(bytes, bytes, &t, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "NUL"));
	assert_int_equal(t.n, 0);
}

static void
test_micro_frames_a_name_that_leaves_its_folder_is_refused(void **state)
{
	static const char *const	names[] = { "../x", "/etc/x", ".hidden", "-o", "a b", "a/b",
		"a\nb", "" };
	struct taken			t;
	struct fault			why;

	(void)state;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		const struct frame	one = { .kind = FRAME_PROGRAM, .part = { names[i], "asm", "nop" } };
		const size_t		bytes = send_all(&one, 1);

		assert_int_equal(read_all(bytes, bytes, &t, &why), ST_BAD_SPEC);
		assert_int_equal(t.n, 0);
	}
}

static void
test_micro_frames_a_program_without_text_is_refused(void **state)
{
	const struct frame	one = { .kind = FRAME_PROGRAM, .part = { "a", "asm", NULL } };
	const size_t		bytes = send_all(&one, 1);
	struct taken		t;
	struct fault		why;

	(void)state;
	assert_int_equal(read_all(bytes, bytes, &t, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "has no text"));
}

static void
test_micro_frames_nothing_may_follow_the_end(void **state)
{
	const struct frame	all[] = { { .kind = FRAME_END }, { .kind = FRAME_COUNT } };
	const size_t		bytes = send_all(all, 2);
	struct taken		t;
	struct fault		why;

	(void)state;
	assert_int_equal(read_all(bytes, bytes, &t, &why), ST_BAD_SPEC);
	assert_int_equal(t.n, 1);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_micro_frames_frames_arrive_as_they_were_sent_in_pieces_of_any_size),
		cmocka_unit_test(test_micro_frames_bytes_that_are_no_frame_are_refused),
		cmocka_unit_test(test_micro_frames_a_name_that_leaves_its_folder_is_refused),
		cmocka_unit_test(test_micro_frames_a_program_without_text_is_refused),
		cmocka_unit_test(test_micro_frames_nothing_may_follow_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
