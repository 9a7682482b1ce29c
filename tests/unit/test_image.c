/* SPDX-License-Identifier: Apache-2.0 */
/* The format of checkpoint images: what is one, and every number that could lead elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/image.h"

static const char *
refusal(const struct support_image *i)
{
	struct image	m;

	return image_parse(&m, i, sizeof *i);
}

static void
test_image_P39_a_sound_one_is_parsed_and_its_memory_found(void **state)
{
	struct support_image	i = support_image();
	struct image		m;

	(void)state;
	assert_null(image_parse(&m, &i, sizeof i));
	assert_ptr_equal(image_find(&m, SUPPORT_DATA + 8, 8, IMAGE_WRITE), &m.segment[1]);
	assert_null(image_find(&m, SUPPORT_DATA + 8, 8, IMAGE_EXEC));
	assert_null(image_find(&m, SUPPORT_DATA + IMAGE_PAGE - 4, 8, IMAGE_READ));
	assert_null(image_find(&m, SUPPORT_DATA - 1, 1, IMAGE_READ));
	assert_int_equal(image_compared_bytes(&m), IMAGE_PAGE);		/* data, and neither code nor stack */
}

static void
test_image_a_file_that_is_none_or_not_whole_says_so(void **state)
{
	struct support_image	i = support_image();
	struct image		m;

	(void)state;
	assert_non_null(strstr(image_parse(&m, &i, sizeof i.header - 1), "too short"));
	assert_non_null(strstr(image_parse(&m, &i, sizeof i - 1), "truncated"));
	i.header.bytes -= IMAGE_PAGE;
	assert_non_null(strstr(refusal(&i), "size"));
	i = support_image();
	i.header.magic[7] = '!';
	assert_non_null(strstr(refusal(&i), "no checkpoint image"));
	i = support_image();
	i.header.version++;
	assert_non_null(strstr(refusal(&i), "version"));
	i = support_image();
	i.header.machine = 183;
	assert_non_null(strstr(refusal(&i), "architecture"));
}

/* One number of a sound image made bad; the words. */
struct spoil {
	size_t		 at;
	uint64_t	 value;
	const char	*words;
};

#define HEADER(member)		offsetof(struct support_image, header.member)
#define SEGMENT(n, member)	(offsetof(struct support_image, segment) + (n) * sizeof(struct image_segment) + \
				    offsetof(struct image_segment, member))

static void
test_image_a_number_that_leads_elsewhere_is_refused(void **state)
{
	static const struct spoil	spoils[] = {
		{ SEGMENT(1, at), 0, "lies where none can" },
		{ SEGMENT(1, at), SUPPORT_DATA + 1, "lies where none can" },
		{ SEGMENT(1, at), SUPPORT_CODE, "lies where none can" },
		{ SEGMENT(2, at), (uint64_t)1 << 47, "lies where none can" },
		{ SEGMENT(2, at), ((uint64_t)1 << 47) - IMAGE_PAGE, "lies where none can" },
		{ SEGMENT(2, at), UINT64_MAX - IMAGE_PAGE + 1, "lies where none can" },
		{ SEGMENT(1, bytes), 0, "lies where none can" },
		{ SEGMENT(1, bytes), UINT64_MAX - IMAGE_PAGE + 1, "lies where none can" },
		{ SEGMENT(2, bytes), 2 * IMAGE_PAGE, "not in the file" },
		{ SEGMENT(1, offset), 0, "not in the file" },
		{ SEGMENT(1, offset), IMAGE_PAGE, "not in the file" },
		{ SEGMENT(2, offset), UINT64_MAX - IMAGE_PAGE + 1, "not in the file" },
		{ HEADER(context.rip), SUPPORT_DATA, "registers" },
		{ HEADER(context.rsp), SUPPORT_STACK, "registers" },
		{ HEADER(context.rsp), SUPPORT_STACK + 4, "registers" },
		{ HEADER(context.fs), 0, "registers" },
		{ HEADER(context.mxcsr), UINT32_MAX, "registers" },
		{ HEADER(entry_at), 0, "names no routine" },
		{ HEADER(entry_at), SUPPORT_DATA + 4, "names no routine" },
		{ HEADER(entry_at), SUPPORT_DATA + 8, "names no routine" },	/* both would be one */
		{ HEADER(stop_at), SUPPORT_CODE, "names no routine" },
		{ HEADER(routine), SUPPORT_DATA, "names no routine" },
		{ HEADER(vdso_at), SUPPORT_CODE, "clocks" },
		{ HEADER(vdso_bytes), 16 * IMAGE_MAX_VDSO, "clocks" },
		{ HEADER(clock[2]), 2 * IMAGE_PAGE - IMAGE_STUB_BYTES + 1, "clocks" },
		{ HEADER(name), 0, "name its routine" },
		{ HEADER(name), 0x2f2e2e, "name its routine" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof spoils / sizeof spoils[0]; k++) {
		struct support_image	i = support_image();
		const char		*why;

		memcpy((char *)&i + spoils[k].at, &spoils[k].value, sizeof spoils[k].value);
		why = refusal(&i);
		if (why == NULL || strstr(why, spoils[k].words) == NULL)
			fail_msg("number %zu: \"%s\" has no \"%s\"", k, why != NULL ? why : "",
			    spoils[k].words);
	}
}

static void
test_image_nothing_is_writable_and_executable_at_once(void **state)
{
	static const uint32_t	bad[] = { 0, IMAGE_WRITE, IMAGE_READ | IMAGE_WRITE | IMAGE_EXEC,
				    8 | IMAGE_READ };

	(void)state;
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
		struct support_image	i = support_image();

		i.segment[1].protection = bad[k];
		assert_non_null(refusal(&i));
	}
}

static void
test_image_a_table_as_long_as_it_says_is_in_the_file(void **state)
{
	struct support_image	i = support_image();

	(void)state;
	i.header.segments = 0;
	assert_non_null(strstr(refusal(&i), "table"));
	i.header.segments = UINT32_MAX;
	assert_non_null(strstr(refusal(&i), "table"));
	i.header.segments = IMAGE_MAX_SEGMENTS;
	assert_non_null(strstr(refusal(&i), "table"));
	i.header.segments = 4;
	assert_non_null(refusal(&i));
}

static void
test_image_what_the_cpu_must_have_is_compared(void **state)
{
	struct image_cpu	needs = { .vendor = "GenuineIntel",
	    .features = { 1, 2, 4, 8 }, .xcr0 = 7 }, here = needs;

	(void)state;
	here.features[2] |= 0xff;
	assert_null(image_lacks(&needs, &here));
	here.features[3] = 7;
	assert_non_null(strstr(image_lacks(&needs, &here), "instructions"));
	here = needs;
	here.xcr0 = 0xe7;
	assert_non_null(strstr(image_lacks(&needs, &here), "registers"));
	here.vendor[0] = 'g';
	assert_non_null(strstr(image_lacks(&needs, &here), "vendor"));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_image_P39_a_sound_one_is_parsed_and_its_memory_found),
		cmocka_unit_test(test_image_a_file_that_is_none_or_not_whole_says_so),
		cmocka_unit_test(test_image_a_number_that_leads_elsewhere_is_refused),
		cmocka_unit_test(test_image_nothing_is_writable_and_executable_at_once),
		cmocka_unit_test(test_image_a_table_as_long_as_it_says_is_in_the_file),
		cmocka_unit_test(test_image_what_the_cpu_must_have_is_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
