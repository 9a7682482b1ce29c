/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/driver.h"
#include "worker/bench/proc/pages.h"

#define MAPPING(range, rss, huge)	range " rw-p 00000000 00:00 0 \n"		\
	"Size:               4096 kB\nRss:   " rss " kB\nPss:   " rss " kB\n"		\
	"Anonymous: " rss " kB\nAnonHugePages:   " huge " kB\nVmFlags: rd wr mr\n"

static const char	smaps[] = MAPPING("7f1000000000-7f1000400000", "4096", "4096")
    MAPPING("7f2000000000-7f2000400000", "4096", "0")
    MAPPING("7f3000000000-7f3000400000", "4096", "2048")
    MAPPING("7f4000000000-7f4000400000", "0", "0")
    MAPPING("7f5000000000-7f5000400000", "4100", "4096");

static void
test_pages_X5_the_size_of_pages_is_that_of_the_mapping_where_the_address_lies(void **state)
{
	const uint64_t		at[] = { 0x7f1000000040, 0x7f2000000000, 0x7f30003fffff,
				    0x7f4000000000, 0x7f5000000100, 0x7f1000400000, 0x1000 };
	const enum pages_found	want[] = { PAGES_FOUND_HUGE, PAGES_FOUND_SMALL, PAGES_FOUND_MIXED,
				    PAGES_FOUND_UNKNOWN, PAGES_FOUND_HUGE, PAGES_FOUND_UNKNOWN,
				    PAGES_FOUND_UNKNOWN };
	enum pages_found	got[7];
	FILE			*f = fmemopen((void *)(uintptr_t)smaps, strlen(smaps), "r");

	(void)state;
	assert_non_null(f);
	pages_find(f, at, 7, got);
	fclose(f);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(got[i], want[i]);
	assert_string_equal(pages_found_name(PAGES_FOUND_MIXED), "mixed");
	assert_null(pages_found_name(PAGES_FOUND_UNKNOWN));
}

static void
put_switch(const char *text)
{
	static const char	*const	steps[] = { "/sys", "/sys/kernel", "/sys/kernel/mm",
	    "/sys/kernel/mm/transparent_hugepage" };
	char				path[256];

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		snprintf(path, sizeof path, "%s%s", support_own_dir(), steps[i]);
		(void)mkdir(path, 0755);
	}
	strcat(path, "/enabled");
	if (text != NULL)
		support_write(path, text);
	else
		(void)remove(path);
}

static void
test_pages_X5_huge_ones_are_refused_where_the_host_gives_none(void **state)
{
	static const struct {
		const char	*text;
		enum status	 want;
	} cases[] = {
		{ "always [madvise] never\n", ST_OK }, { "[always] madvise never\n", ST_OK },
		{ "always madvise [never]\n", ST_BAD_SPEC }, { NULL, ST_BAD_SPEC },
	};
	struct fault	why;
	struct job	huge, plain;

	(void)state;
	support_spec_job(&huge, "{'routine': 'void f(char *x)', "
	    "'args': {'x': {'dims': [8], 'pages': 'huge'}}}");
	support_spec_job(&plain, "{'routine': 'void f(char *x)', 'args': {'x': {'dims': [8]}}}");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		put_switch(cases[i].text);
		assert_int_equal(pages_check(&plain.spec, support_dir, &why), ST_OK);
		assert_int_equal(pages_check(&huge.spec, support_dir, &why), cases[i].want);
	}
	assert_string_equal(why.member, "spec.args.x.pages");
	job_release(&huge);
	job_release(&plain);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_pages_X5_the_size_of_pages_is_that_of_the_mapping_where_the_address_lies),
		cmocka_unit_test(test_pages_X5_huge_ones_are_refused_where_the_host_gives_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
