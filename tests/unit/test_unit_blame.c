/* SPDX-License-Identifier: Apache-2.0 */
/* Which versions of a unit a compiler's diagnostics are about, in the forms of gcc, clang and as. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "worker/build/unit/unit_blame.h"
#include "worker/build/unit/unit_text.h"

enum { VERSIONS = 3 };

/* Versions 0 to 2 begin in lines 2, 8 and 14; their macros are in lines 4, 10 and 16. */
#define VERSION(k)	"_Static_assert(1, \"\");\n" UNIT_BETWEEN #k "(void) { return 0; }\n" \
			"#pragma push_macro(\"U\")\n#define U 1\n#include \"routine.inc\"\n" \
			"#pragma pop_macro(\"U\")\n"

static const struct unit_page	c = {
	"variant.c", VERSION(0) VERSION(1) VERSION(2) "_Static_assert(1, \"\");\n"
	UNIT_BETWEEN "3(void) { return 0; }\n", "f"
};

static const struct unit_page	assembly = {
	"variant.s",
	"\t.section .text.f__assay0,\"ax\",%progbits\nf__assay0:\n\tret\n\n"
	"\t.section .text.f__assay1,\"ax\",%progbits\nf__assay1:\n\t.section .text.f__assay1,\"ax\",%progbits\n"
	"\tmovv\n\n\t.section .text.f__assay2,\"ax\",%progbits\nf__assay2:\n\tret\n\n", "f"
};

/* "101": the first and the last; "": nobody is blamed. */
static void
must_blame(const struct unit_page *page, const char *words, const char *whom)
{
	bool		guilty[VERSIONS] = { false };
	char		found[VERSIONS + 1] = "";
	const bool	some = unit_blame(guilty, VERSIONS, words, page);

	for (unsigned k = 0; k < VERSIONS && some; k++)
		found[k] = guilty[k] ? '1' : '0';
	assert_string_equal(found, whom);
}

static void
test_unit_blame_an_error_is_of_the_version_that_includes_its_line(void **state)
{
	(void)state;
	must_blame(&c, "In file included from variant.c:11:\nroutine.inc: In function 'f__assay1':\n"
	    "routine.inc:4:23: error: 'bad' undeclared\n    4 |  return bad;\n", "010");
	must_blame(&c, "In file included from variant.c:5:\n./routine.inc:4:9: error: use of "
	    "undeclared identifier 'bad'\n        return bad;\n               ^\n"
	    "variant.c:4:11: note: expanded from macro 'U'\n"
	    "In file included from variant.c:17:\n./routine.inc:4:9: error: again\n"
	    "2 errors generated.\n", "101");
	must_blame(&c, "In file included from /usr/include/x.h:3,\n                 from "
	    "routine.inc:1,\n                 from variant.c:17:\n"
	    "/usr/include/y.h:4:2: error: #error never\n", "001");
}

static void
test_unit_blame_an_error_in_a_macro_is_of_its_version(void **state)
{
	(void)state;
	must_blame(&c, "variant.c:10:11: error: 'bad' undeclared (first use in this function)\n"
	    "   10 | #define U bad\nroutine.inc:4:9: note: in expansion of macro 'U'\n", "010");
}

static void
test_unit_blame_what_is_found_between_two_is_of_the_first(void **state)
{
	(void)state;
	must_blame(&c, "variant.c:13:1: error: expected ';' before '_Static_assert'\n", "010");
	must_blame(&c, "variant.c:14:12: error: invalid storage class\n", "010");
}

static void
test_unit_blame_as_has_the_lines_of_the_unit(void **state)
{
	(void)state;
	must_blame(&assembly, "variant.s: Assembler messages:\n"
	    "variant.s:8: Error: no such instruction: `movv'\n", "010");
	must_blame(&assembly, "variant.s: Assembler messages:\nvariant.s:3: Error: a\n"
	    "variant.s:11: Error: b\n", "101");
}

static void
test_unit_blame_warnings_and_notes_are_no_errors(void **state)
{
	(void)state;
	must_blame(&c, "", "");
	must_blame(&c, "In file included from variant.c:5:\nroutine.inc:4:9: warning: unused\n"
	    "    4 | routine.inc:1: error: quoted\n"
	    "In file included from variant.c:11:\nroutine.inc:4:9: error: bad\n", "010");
}

static void
test_unit_blame_an_error_of_no_version_blames_nobody(void **state)
{
	static const char *const	words[] = {
		"variant.c:1:1: error: before all versions\n",
		"cc1: error: unrecognized option\n",
		"gcc: internal compiler error: Killed\n",
		"routine.inc:4:9: error: where it is included is not said\n",
		("In file included from variant.c:11:\nroutine.inc:4:9: error: bad\n"
		"variant.c:1:1: error: as well\n"),
		"variant.c:99999999999999999999: error: behind all versions\n",
		"In file included from variant.c:\nroutine.inc:4:9: error: no line\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		must_blame(&c, words[i], "");
}

#define TEST(name)	cmocka_unit_test(name)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(test_unit_blame_an_error_is_of_the_version_that_includes_its_line),
		TEST(test_unit_blame_an_error_in_a_macro_is_of_its_version),
		TEST(test_unit_blame_what_is_found_between_two_is_of_the_first),
		TEST(test_unit_blame_as_has_the_lines_of_the_unit),
		TEST(test_unit_blame_warnings_and_notes_are_no_errors),
		TEST(test_unit_blame_an_error_of_no_version_blames_nobody),
	};

	return cmocka_run_group_tests_name("unit_blame", tests, NULL, NULL);
}
