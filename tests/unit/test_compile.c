/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a builder's cell says of a build, by a directory of plain files in place of a cgroup;
 * tests/guest has the kernel's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/fake_cell.h"
#include "worker/build/recipe/compile.h"
#include "worker/spawn/cell.h"

#define KILLS(n)	"oom " n "\noom_kill " n "\n"

static char			work[80];	/* where the compiler works */
static const struct changing	nothing;

#define FROM_TO(name, a, b)	(struct changing){ .file = name, .first = a, .second = b }

static unsigned long long
number_in(const char *file)
{
	unsigned long long	 number = 0;
	FILE			*f = fopen(path_of(file), "r");

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%llu", &number), 1);
	assert_int_equal(fclose(f), 0);
	return number;
}

static int
set_up(void **state)
{
	(void)state;
	if (make_cell() != 0)
		return 1;
	(void)snprintf(work, sizeof work, "%s/work", dir);
	if (mkdir(work, 0755) != 0)
		return 1;
	make("memory.events", KILLS("3"));
	make("pids.events", "max 5\n");
	make("memory.max", "");
	make("pids.max", "");
	jail_enter_cell(procs_fd);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	jail_enter_cell(-1);
	return remove_cell();
}

/* A "compiler" that does this, while the kernel counts something in its cell. */
static struct compiled
compile_with(struct changing event, const char *script)
{
	const char *const	argv[] = { "/bin/sh", "-c", script, NULL };
	const struct compile	order = { .phase = JAIL_BUILD, .argv = argv, .dir = work, .cpu = -1,
				    .wall_ms = 120000 };
	struct compiled		c;

	if (event.file != NULL)
		begin_change(&event);
	compile_run(&order, &c);
	if (event.file != NULL)
		end_change(&event);
	return c;
}

static void
assert_compiled(struct compiled c, enum status st, const char *words)
{
	if (c.status != st)
		fail_msg("%s: %s", status_word(c.status), c.words != NULL ? c.words : "");
	if (words != NULL && (c.words == NULL || strstr(c.words, words) == NULL))
		fail_msg("%s", c.words != NULL ? c.words : "(no words)");
	free(c.words);
}

static void
test_compile_a_build_that_its_cell_killed_has_reached_its_limit_of_memory(void **state)
{
	(void)state;
	if (!jail_support()->works)
		skip();
	assert_compiled(compile_with(FROM_TO("memory.events", KILLS("3"), KILLS("4")),
	    "kill -9 $$"),
	    ST_BUILD_LIMIT, "MiB of memory");
	/* one of its processes, and the compiler makes the best of it */
	assert_compiled(compile_with(FROM_TO("memory.events", KILLS("4"), KILLS("5")), "exit 0"),
	    ST_BUILD_LIMIT, "MiB of memory");
	assert_compiled(compile_with(nothing, "exit 0"), ST_OK, NULL);	/* that was another's */
}

static void
test_compile_a_build_that_was_refused_a_process_and_failed_has_reached_a_limit(void **state)
{
	(void)state;
	if (!jail_support()->works)
		skip();
	assert_compiled(compile_with(FROM_TO("pids.events", "max 5\n", "max 6\n"), "exit 1"),
	    ST_BUILD_LIMIT,
	    "56 processes");
	assert_compiled(compile_with(FROM_TO("pids.events", "max 6\n", "max 7\n"), "exit 0"), ST_OK,
	    NULL);
	assert_compiled(compile_with(nothing, "exit 1"), ST_BUILD_FAILED, NULL);
}

static void
test_compile_without_a_cell_the_refusal_is_told_by_the_compiler_itself(void **state)
{
	(void)state;
	if (!jail_support()->works)
		skip();
	jail_enter_cell(-1);
	assert_compiled(compile_with(nothing,
	    "echo 'gcc: fatal error: vfork: Resource temporarily unavailable'; exit 1"),
	    ST_BUILD_LIMIT, "gcc:");
}

static void
test_compile_the_cell_of_a_build_limits_memory_and_processes(void **state)
{
	(void)state;
	if (!jail_support()->works)
		skip();
	assert_compiled(compile_with(nothing, "exit 0"), ST_OK, NULL);
	assert_true(cell_limits());
	assert_int_equal(number_in("pids.max"), 56);
	assert_in_range(number_in("memory.max"), 1 << 20, (uint64_t)2 << 30);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(test_compile_a_build_that_its_cell_killed_has_reached_its_limit_of_memory),
		TEST(test_compile_a_build_that_was_refused_a_process_and_failed_has_reached_a_limit),
		TEST(test_compile_without_a_cell_the_refusal_is_told_by_the_compiler_itself),
		TEST(test_compile_the_cell_of_a_build_limits_memory_and_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
