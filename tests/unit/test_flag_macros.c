/* SPDX-License-Identifier: Apache-2.0 */
/* Macros that are given as flags: which become defines, and that units take them as well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/two_builders.h"
#include "worker/build/recipe/flag_macros.h"

/* PLAIN with these flags, and beside them U = 1 if asked. */
static json_t *
with_flags(const char *flags, bool defines_u)
{
	json_t	*doc = document("c", PLAIN, split_words(flags), 1, "2");
	json_t	*variant = json_object_get(doc, "variant");

	(void)json_object_del(json_object_get(variant, "defines"), "V");
	if (!defines_u)
		(void)json_object_del(variant, "defines");
	return doc;
}

/* Flags and defines of what is left, each followed by a blank. */
static void
must_become(const char *flags, bool defines_u, const char *wanted)
{
	json_t		*doc = with_flags(flags, defines_u);
	struct job	 job;
	struct fault	 why;
	char		 found[256] = "";
	size_t		 n = 0;

	assert_int_equal(job_decode(&job, doc, &why), ST_OK);
	flag_macros_take(&job.variant);
	for (size_t i = 0; i < job.variant.nflags; i++)
		n += (size_t)snprintf(found + n, sizeof found - n, "%s ", job.variant.flags[i]);
	for (size_t i = 0; i < job.variant.ndefines; i++)
		n += (size_t)snprintf(found + n, sizeof found - n, "%s:%s ",
		    job.variant.defines[i].name, job.variant.defines[i].text);
	assert_string_equal(found, wanted);
	job_release(&job);
	json_decref(doc);
}

static void
test_flag_macros_become_defines(void **state)
{
	(void)state;
	must_become("-O2", true, "-O2 U:1 ");
	must_become("-O2 -DV=2 -g0", true, "-O2 -g0 U:1 V:2 ");
	must_become("-DV -DW= -DX=a=b", false, "V:1 W: X:a=b ");
}

static void
test_flag_macros_stay_flags_where_their_order_or_name_matters(void **state)
{
	(void)state;
	must_become("-DV=1 -DV=2", false, "-DV=1 -DV=2 ");
	must_become("-DV=1 -DU=2", true, "-DV=1 -DU=2 U:1 ");
	must_become("-DV=1 -UV", false, "-DV=1 -UV ");
	must_become("-DV=1 -D_GNU_SOURCE", false, "-DV=1 -D_GNU_SOURCE ");
}

static void
test_flag_macros_make_the_object_that_defines_make(void **state)
{
	json_t	*flags = with_flags("-O2 -DU=1 -DV=2", false);
	json_t	*defines = document("c", PLAIN, split_words("-O2"), 1, "2");
	char	 name[sizeof alone.made.variant.hex];

	(void)state;
	assert_int_equal(build(&alone, flags, NULL), ST_OK);
	(void)snprintf(name, sizeof name, "%s", alone.made.variant.hex);
	assert_int_equal(build(&alone, defines, NULL), ST_OK);
	assert_string_equal(alone.made.variant.hex, name);
	json_decref(flags);
	json_decref(defines);
}

static void
test_flag_macros_of_variants_share_a_unit(void **state)
{
	static const char *const	flags[] = { "-O2 -DU=1 -DV=7", "-DV=8 -O2 -DU=1",
					    "-O2 -DU=3 -DV=7" };
	json_t				*docs = json_array();
	enum status			 st[3];

	(void)state;
	for (size_t i = 0; i < 3; i++)
		(void)json_array_append_new(docs, with_flags(flags[i], false));
	assert_int_equal(build_all(docs, st), 3);
	json_decref(docs);
}

#define TEST(name)	cmocka_unit_test(name)

int
main(void)
{
	static const struct CMUnitTest	tests[] = {
		TEST(test_flag_macros_become_defines),
		TEST(test_flag_macros_stay_flags_where_their_order_or_name_matters),
		TEST(test_flag_macros_make_the_object_that_defines_make),
		TEST(test_flag_macros_of_variants_share_a_unit),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
