/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of plain files in place of a cgroup; tests/guest has the kernel's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/fake_cell.h"
#include "worker/spawn/cell.h"

static const char *
text_of(const char *file)
{
	static char	text[64];
	FILE		*f = fopen(path_of(file), "r");

	assert_non_null(f);
	memset(text, 0, sizeof text);
	(void)fread(text, 1, sizeof text - 1, f);
	(void)fclose(f);
	return text;
}

static int
set_up(void **state)
{
	(void)state;
	return make_cell();
}

static int
tear_down(void **state)
{
	(void)state;
	cell_open(-1);
	return remove_cell();
}

static void
test_cell_is_found_by_the_way_into_it_and_what_is_left_in_it_killed(void **state)
{
	struct changing	events = { .file = "cgroup.events", .first = "populated 1\nfrozen 0\n",
			    .second = "populated 0\nfrozen 0\n" };

	(void)state;
	make("cgroup.kill", "");
	begin_change(&events);
	cell_open(procs_fd);
	end_change(&events);
	assert_int_equal(cell_procs_fd(), procs_fd);
	assert_true(cell_dir_fd() >= 0);
	assert_string_equal(text_of("cgroup.kill"), "1");
	cell_open(-1);
	assert_int_equal(cell_dir_fd(), -1);
	assert_int_equal(cell_procs_fd(), -1);
}

static void
test_cell_limits_memory_and_processes_together(void **state)
{
	(void)state;
	make("memory.max", "");
	make("pids.max", "");
	cell_open(procs_fd);
	assert_false(cell_limits());
	assert_true(cell_limit(3u << 20, 66));
	assert_true(cell_limits());
	assert_string_equal(text_of("memory.max"), "3145728");
	assert_string_equal(text_of("pids.max"), "66");
	make("memory.max", "");
	assert_true(cell_limit(0, 66));
	assert_string_equal(text_of("memory.max"), "max");
}

static void
test_cell_without_both_controllers_does_not_say_that_it_limits(void **state)
{
	(void)state;
	cell_open(procs_fd);
	assert_false(cell_limit(1u << 20, 66));
	make("pids.max", "");
	assert_false(cell_limit(1u << 20, 66));
	assert_false(cell_limits());
	cell_open(-1);
	assert_false(cell_limit(1u << 20, 66));
}

static void
test_cell_counts_processes_killed_for_lack_of_memory(void **state)
{
	(void)state;
	cell_open(procs_fd);
	assert_int_equal(cell_oom_kills(), 0);
	make("memory.events", "low 0\nhigh 0\nmax 7\noom 5\noom_kill 4\noom_group_kill 2\n");
	assert_int_equal(cell_oom_kills(), 4);
	make("memory.events", "low 0\n");
	assert_int_equal(cell_oom_kills(), 0);
}

static void
test_cell_counts_refused_processes(void **state)
{
	(void)state;
	cell_open(procs_fd);
	assert_int_equal(cell_refusals(), 0);
	make("pids.events", "max 12\n");
	assert_int_equal(cell_refusals(), 12);
}

static void
test_cell_that_could_not_be_entered_limits_nothing(void **state)
{
	(void)state;
	make("memory.max", "");
	make("pids.max", "");
	cell_open(procs_fd);
	assert_true(cell_limit(0, 56));
	cell_unlimit();
	assert_false(cell_limits());
}

static void
test_cell_that_is_empty_is_clear_at_once(void **state)
{
	(void)state;
	make("cgroup.kill", "");
	make("cgroup.events", "populated 0\nfrozen 0\n");
	cell_open(procs_fd);
	cell_clear();
	assert_string_equal(text_of("cgroup.kill"), "");
}

static void
test_cell_is_cleared_by_killing_what_is_left_in_it_and_waiting_for_its_end(void **state)
{
	struct changing	events = { .file = "cgroup.events", .first = "populated 1\nfrozen 0\n",
			    .second = "populated 0\nfrozen 0\n" };

	(void)state;
	make("cgroup.kill", "");
	cell_open(procs_fd);
	begin_change(&events);
	cell_clear();
	end_change(&events);
	assert_string_equal(text_of("cgroup.kill"), "1");
}

static void
test_cell_that_is_no_cgroup_is_still_a_way_in(void **state)
{
	int	pipe_fds[2];

	(void)state;
	assert_int_equal(pipe(pipe_fds), 0);
	cell_open(pipe_fds[1]);
	assert_int_equal(cell_procs_fd(), pipe_fds[1]);
	assert_int_equal(cell_dir_fd(), -1);
	cell_open(-1);
	(void)close(pipe_fds[0]);
	(void)close(pipe_fds[1]);
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(test_cell_is_found_by_the_way_into_it_and_what_is_left_in_it_killed),
		TEST(test_cell_limits_memory_and_processes_together),
		TEST(test_cell_without_both_controllers_does_not_say_that_it_limits),
		TEST(test_cell_counts_processes_killed_for_lack_of_memory),
		TEST(test_cell_counts_refused_processes),
		TEST(test_cell_that_could_not_be_entered_limits_nothing),
		TEST(test_cell_that_is_empty_is_clear_at_once),
		TEST(test_cell_is_cleared_by_killing_what_is_left_in_it_and_waiting_for_its_end),
		TEST(test_cell_that_is_no_cgroup_is_still_a_way_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
