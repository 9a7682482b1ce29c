/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "worker/build/recipe/executable.h"
#include "worker/starter/floor.h"

#define LINKER	"/nowhere/ld.so"

static struct fault	why;

/* The empty program, with room behind it. */
struct copy {
	Elf64_Ehdr	head;
	Elf64_Phdr	segment[2];
	char		rest[64];
};

static struct copy
small(void)
{
	struct copy	c;

	memset(&c, 0, sizeof c);
	memcpy(&c, floor_program, floor_bytes < sizeof c ? floor_bytes : sizeof c);
	return c;
}

static const char *
refused(const struct copy *c, size_t n)
{
	assert_int_equal(executable_check(c, n, &why), ST_LOAD_FAILED);
	return why.text;
}

static void
test_executable_the_empty_program_is_one(void **state)
{
	(void)state;
	assert_int_equal(executable_check(floor_program, floor_bytes, &why), ST_OK);
}

static void
test_executable_each_cut_of_it_is_none(void **state)
{
	(void)state;
	for (size_t n = 1; n < floor_bytes; n++)
		assert_int_equal(executable_check(floor_program, n, &why), ST_LOAD_FAILED);
}

static void
test_executable_another_machine_is_named(void **state)
{
	struct copy	c = small();

	(void)state;
	c.head.e_machine = EM_RISCV;
	assert_non_null(strstr(refused(&c, sizeof c), "RISC-V"));
	c.head.e_machine = 0xfff0;
	assert_non_null(strstr(refused(&c, sizeof c), "another machine"));
}

static void
test_executable_objects_of_other_types_are_named(void **state)
{
	struct copy	c = small();

	(void)state;
	c.head.e_type = ET_REL;
	assert_non_null(strstr(refused(&c, sizeof c), "relocatable"));
	c.head.e_type = ET_CORE;
	assert_non_null(strstr(refused(&c, sizeof c), "no executable"));
	c = small();
	c.head.e_entry = 0;
	assert_non_null(strstr(refused(&c, sizeof c), "without an entry"));
	assert_int_equal(executable_check("#!/bin/sh\n", 10, &why), ST_LOAD_FAILED);
	assert_non_null(strstr(why.text, "a script"));
}

static void
test_executable_headers_must_lie_in_the_file(void **state)
{
	struct copy	c = small();

	(void)state;
	c.head.e_phoff = UINT64_MAX - 8;
	(void)refused(&c, sizeof c);
	c = small();
	c.head.e_phnum = 0xffff;
	(void)refused(&c, sizeof c);
	c = small();
	c.segment[0].p_filesz = UINT64_MAX;
	assert_non_null(strstr(refused(&c, sizeof c), "ends before"));
}

static void
test_executable_a_dynamic_linker_must_be_on_the_host(void **state)
{
	struct copy	c = small();

	(void)state;
	c.head.e_phnum = 2;
	memcpy(c.rest, LINKER, sizeof LINKER);
	c.segment[1] = (Elf64_Phdr){ .p_type = PT_INTERP, .p_offset = offsetof(struct copy, rest),
	    .p_filesz = sizeof LINKER };
	assert_non_null(strstr(refused(&c, sizeof c), LINKER));
	assert_non_null(strstr(why.hint, "statically"));
	c.segment[1].p_filesz = sizeof LINKER - 1;	/* it does not end */
	assert_non_null(strstr(refused(&c, sizeof c), "is none"));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_executable_the_empty_program_is_one),
		cmocka_unit_test(test_executable_each_cut_of_it_is_none),
		cmocka_unit_test(test_executable_another_machine_is_named),
		cmocka_unit_test(test_executable_objects_of_other_types_are_named),
		cmocka_unit_test(test_executable_headers_must_lie_in_the_file),
		cmocka_unit_test(test_executable_a_dynamic_linker_must_be_on_the_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
