/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions that are refused say where and why; those that are read keep all they say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/micro.h"

static enum status
read_text(struct kit *k, const char *text)
{
	return reader_parse(&k->micro, text, strlen(text), &k->why);
}

static void
assert_said(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", part, text);
}

static void
M4_M5_M6_M7_M8_figure_6_is_read_with_its_places(void **state)
{
	struct kit		*k = *state;
	const struct kernel	*kernel;
	const struct pattern	*p;

	assert_int_equal(kit_read(k, "\n" LOAD "<swap_after_unroll/></instruction>" UNROLL(1, 8)
	    POINTER COUNTER BRANCH), ST_OK);
	kernel = k->micro.root->statements[0].kernel;
	p = kernel->statements[0].pattern;
	assert_int_equal(p->at.line, 2);
	assert_string_equal(pattern_operation(p), "movaps");
	assert_int_equal(p->swap, WHEN_AFTER);
	assert_int_equal(p->slots[0].kind, SLOT_MEMORY);
	assert_string_equal(p->slots[0].base.logical, "r1");
	assert_string_equal(p->slots[1].base.physical, "%xmm");
	assert_int_equal(p->slots[1].base.numbers.max, 8);
	assert_int_equal(kernel->unrolling.max, 8);
	assert_int_equal(kernel->ninductions, 2);
	assert_true(kernel->inductions[1].is_last);
	assert_int_equal(kernel->inductions[1].linked, kernel->inductions[0].id);
	assert_string_equal(kernel->label, "L6");
}

static void
an_unknown_node_is_refused_with_its_line_and_a_near_name(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(read_text(k, "<description>\n <kernel>\n  <instructoin/>\n </kernel>\n"
	    "</description>"), ST_BAD_SPEC);
	assert_string_equal(k->why.member, "d.xml:3:3");
	assert_said(k->why.text, "no node <instructoin> in <kernel>");
	assert_said(k->why.hint, "<instruction>");
}

static void
each_bad_description_is_refused_with_its_reason(void **state)
{
	static const struct {
		const char	*kernel, *said;
	} rows[] = {
		{ "", "no instruction" },
		{ "<instruction/>", "no <operation>" },
		{ LOAD "</instruction>" UNROLL(5, 2), "min is 5, more than max, which is 2" },
		{ LOAD "</instruction>" UNROLL(0, 2), "values are from 1 to 4096" },
		{ LOAD "</instruction>" UNROLL(1, 99999999999999999999), "64 bits" },
		{ LOAD "</instruction><unrolling><min>1</min></unrolling>", "no <max>" },
		{ LOAD "</instruction><unrolling><min>1</min><max>x</max></unrolling>",
		  "no whole number" },
		{ LOAD "</instruction><unrolling><min>1</min><max>2</max><progress>0</progress>"
		  "</unrolling>", "never reaches" },
		{ LOAD "</instruction>" UNROLL(1, 2) UNROLL(1, 2), "second <unrolling>" },
		{ LOAD "<operation></operation></instruction>", "empty" },
		{ LOAD "<operation>a;b</operation></instruction>", "cannot be here: ';'" },
		{ LOAD "<operation>a&#13;b</operation></instruction>", "control character" },
		{ LOAD "<swap_after_unroll/><swap_before_unroll/></instruction>",
		  "before unrolling and after" },
		{ "<instruction><operation>nop</operation><swap_after_unroll/></instruction>",
		  "two operands" },
		{ "<instruction><operation>inc</operation><register/></instruction>",
		  "no <name>" },
		{ "<instruction><operation>inc</operation><register><phyName>eax</phyName>"
		  "</register></instruction>", "does not begin with %" },
		{ "<instruction><operation>add</operation><immediate><value>1</value><min>1</min>"
		  "</immediate></instruction>", "a value and a range" },
		{ "<instruction><operation>add</operation><immediate><linked>b</linked>"
		  "</immediate></instruction>", "no instruction b" },
		{ LOAD "</instruction><induction><register><name>r1</name></register>"
		  "<increment>0</increment></induction>", "it is 0" },
		{ LOAD "</instruction><induction><register><name>r1</name></register></induction>",
		  "no <increment>" },
		{ LOAD "</instruction>" POINTER POINTER, "one for r1 already" },
		{ LOAD "</instruction>" COUNTER, "no induction for r1" },
		{ LOAD "</instruction><alignment>3</alignment>", "power of two" },
		{ LOAD "</instruction><branch_information><label>a</label></branch_information>",
		  "no <test>" },
		{ LOAD "</instruction><insert_code><file>/etc/passwd</file></insert_code>",
		  "/etc/passwd" },
		{ LOAD "</instruction><insert_code><file>../x.s</file></insert_code>", "../x.s" },
		{ LOAD "</instruction><insert_code/>", "no <instruction>, <file>" },
		{ LOAD "</instruction><move><bytes>3</bytes></move>", "3 bytes" },
		{ LOAD "</instruction> text", "has a text in it" },
		{ LOAD "</instruction><kernel a='b'/>", "attribute" },
		{ LOAD "</instruction><loop_info><schedule><type>statik</type></schedule>"
		  "</loop_info>", "none of its words" },
	};
	struct kit	*k = *state;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (kit_read(k, rows[i].kernel) != ST_BAD_SPEC)
			fail_msg("row %zu is not refused", i);
		assert_said(k->why.text, rows[i].said);
		assert_said(k->why.member, "d.xml:1:");
	}
}

static void
document_types_and_so_entities_are_refused(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(read_text(k, "<!DOCTYPE d [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>\n"
	    "<description>&b;</description>"), ST_BAD_SPEC);
	assert_said(k->why.text, "document type");
	assert_int_equal(read_text(k, "<!DOCTYPE description SYSTEM 'file:///etc/passwd'>"
	    "<description/>"), ST_BAD_SPEC);
	assert_int_equal(read_text(k, "<description>&undefined;</description>"), ST_BAD_SPEC);
}

static void
a_million_nested_nodes_are_refused_at_the_limit(void **state)
{
	enum { DEPTH = 400000 };
	struct kit	*k = *state;
	char		*text = malloc(13 + DEPTH * 8 + 1);

	assert_non_null(text);
	memcpy(text, "<description>", 14);
	for (size_t i = 0; i < DEPTH; i++)
		memcpy(text + 13 + 8 * i, "<kernel>", 9);
	assert_int_equal(read_text(k, text), ST_BAD_SPEC);
	assert_said(k->why.text, "nested deeper than 24");
	free(text);
}

static void
what_is_no_xml_or_no_utf_8_is_refused_with_its_place(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(read_text(k, "<description>\n<kernel>"), ST_BAD_SPEC);
	assert_said(k->why.text, "no XML");
	assert_int_equal(read_text(k, "<description>\xff</description>"), ST_BAD_SPEC);
	assert_int_equal(read_text(k, ""), ST_BAD_SPEC);
	assert_int_equal(read_text(k, "<kernel/>"), ST_BAD_SPEC);
	assert_said(k->why.text, "not a <description>");
}

static void
a_command_is_never_executed_but_named(void **state)
{
	struct kit	*k = *state;

	assert_int_equal(read_text(k, "<description><kernel><instruction><operation>nop</operation>"
	    "</instruction></kernel><hardware_detector><execute>touch /tmp/x</execute>"
	    "<information_file>out</information_file></hardware_detector></description>"), ST_OK);
	assert_string_equal(k->micro.ignored, "execute");
}

#define T(name) cmocka_unit_test_setup_teardown(name, kit_set_up, kit_tear_down)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		T(M4_M5_M6_M7_M8_figure_6_is_read_with_its_places),
		T(an_unknown_node_is_refused_with_its_line_and_a_near_name),
		T(each_bad_description_is_refused_with_its_reason),
		T(document_types_and_so_entities_are_refused),
		T(a_million_nested_nodes_are_refused_at_the_limit),
		T(what_is_no_xml_or_no_utf_8_is_refused_with_its_place),
		T(a_command_is_never_executed_but_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
