/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of plain files in place of cgroup v2; tests/guest has the kernel's. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/hold/delegation.h"
#include "tests/support/fake_host.h"

#define SERVICE		"/system.slice/assayd.service"
#define OURS		CGROUP2 SERVICE

static struct fake_host		h;
static struct delegation	d;
static char			own[24];

static const char *
own_pid(void)
{
	(void)snprintf(own, sizeof own, "%d", (int)getpid());
	return own;
}

/* A cgroup with all its files, as the fake kernel makes them. */
static void
make_cgroup(const char *path, const char *procs)
{
	char	file[256];

	fake_cgroup(&h, path, 1);
	(void)snprintf(file, sizeof file, "%s/cgroup.procs", path);
	fake_put(&h, file, procs);
	(void)snprintf(file, sizeof file, "%s/cgroup.controllers", path);
	fake_put(&h, file, "cpu memory pids");
}

static int
set_up(void **state)
{
	(void)state;
	fake_host_init(&h);
	fake_put(&h, "/proc/self/cgroup", "3:pids:/elsewhere\n0::" SERVICE);
	make_cgroup(OURS, own_pid());
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	fake_host_release(&h);
	return 0;
}

static bool
exists(const char *path)
{
	char	whole[512];

	(void)snprintf(whole, sizeof whole, "%s%s", h.root, path);
	return access(whole, F_OK) == 0;
}

static void
refused(enum status st, const char *words)
{
	struct fault	 why;
	char		*before = fake_snapshot(&h), *after;

	assert_int_equal(delegation_open(&d, &h.fs, 2, &why), st);
	assert_non_null(strstr(why.text, words));
	assert_int_equal(delegation_cell(&d, 0), -1);
	after = fake_snapshot(&h);
	assert_string_equal(after, before);
	free(before);
	free(after);
}

static void
test_delegation_gives_each_builder_a_cell_and_takes_itself_out_of_the_way(void **state)
{
	struct fault	why;

	(void)state;
	assert_int_equal(delegation_open(&d, &h.fs, 2, &why), ST_OK);
	assert_string_equal(fake_get(&h, OURS "/supervisor/cgroup.procs"), own_pid());
	assert_string_equal(fake_get(&h, OURS "/cgroup.subtree_control"), "memory pids");
	assert_string_equal(fake_get(&h, OURS "/build0/memory.oom.group"), "1");
	assert_int_equal(write(delegation_cell(&d, 1), "0", 1), 1);
	assert_string_equal(fake_get(&h, OURS "/build1/cgroup.procs"), "0");
	assert_int_equal(delegation_cell(&d, 2), -1);
	delegation_release(&d);
}

static void
test_delegation_released_leaves_nothing_but_the_process_where_it_was(void **state)
{
	struct fault	 why;
	char		*before = fake_snapshot(&h), *after;

	(void)state;
	assert_int_equal(delegation_open(&d, &h.fs, 3, &why), ST_OK);
	delegation_release(&d);
	after = fake_snapshot(&h);
	assert_string_equal(after, before);
	assert_int_equal(delegation_cell(&d, 0), -1);
	delegation_release(&d);				/* harmless */
	free(before);
	free(after);
}

static void
test_delegation_kills_who_an_earlier_process_left_in_a_cell(void **state)
{
	struct fault	why;

	(void)state;
	make_cgroup(OURS "/build5", "4711");
	fake_remove(&h, OURS "/build5/cgroup.controllers");
	assert_int_equal(delegation_open(&d, &h.fs, 1, &why), ST_OK);
	assert_false(exists(OURS "/build5"));
	assert_true(exists(OURS "/build0"));
	delegation_release(&d);
}

static void
test_delegation_started_in_a_supervisor_leaf_divides_its_parent(void **state)
{
	struct fault	why;

	(void)state;
	fake_put(&h, "/proc/self/cgroup", "0::" SERVICE "/supervisor");
	fake_put(&h, OURS "/cgroup.procs", "");
	make_cgroup(OURS "/supervisor", own_pid());
	fake_put(&h, OURS "/supervisor/cgroup.controllers", "");	/* nothing has been passed on yet */
	assert_int_equal(delegation_open(&d, &h.fs, 1, &why), ST_OK);
	assert_true(exists(OURS "/build0"));
	assert_false(exists(OURS "/supervisor/supervisor"));
	delegation_release(&d);
	assert_false(exists(OURS "/build0"));
	assert_string_equal(fake_get(&h, OURS "/supervisor/cgroup.procs"), own_pid());
}

static void
test_delegation_takes_no_cgroup_that_is_not_its_own(void **state)
{
	char	both[64];

	(void)state;
	(void)snprintf(both, sizeof both, "%s\n%s", "1", own_pid());
	fake_put(&h, OURS "/cgroup.procs", both);
	refused(ST_CONFLICT, "other processes");
}

static void
test_delegation_needs_both_controllers(void **state)
{
	(void)state;
	fake_put(&h, OURS "/cgroup.controllers", "cpu memory pidsomething");
	refused(ST_NOT_FOUND, "memory and pids");
}

static void
test_delegation_needs_cgroup_v2_within_sight(void **state)
{
	(void)state;
	fake_put(&h, "/proc/self/cgroup", "3:pids:/elsewhere");
	refused(ST_NOT_FOUND, "no cgroup v2");
	fake_put(&h, "/proc/self/cgroup", "0::/../other");
	refused(ST_NOT_FOUND, "not visible");
	fake_put(&h, "/proc/self/cgroup", "3:pids:/elsewhere\n0::/");	/* a namespace's root, with others in it */
	fake_put(&h, CGROUP2 "/cgroup.procs", "1");
	refused(ST_CONFLICT, "other processes");
	fake_remove(&h, "/proc/self/cgroup");
	refused(ST_NOT_FOUND, "no cgroup v2");
}

static void
test_delegation_that_is_refused_half_way_leaves_all_as_it_was(void **state)
{
	static const struct {
		const char	*path;
		int		 error;
		enum status	 st;
	} cases[] = {
		{ OURS "/supervisor/cgroup.procs", EACCES, ST_DENIED },
		{ OURS "/cgroup.subtree_control", EBUSY, ST_CONFLICT },
		{ OURS "/cgroup.subtree_control", ENOENT, ST_NOT_FOUND },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		h.refuse = cases[i].path;
		h.refuse_errno = cases[i].error;
		refused(cases[i].st, strerror(cases[i].error));
	}
}

#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(test_delegation_gives_each_builder_a_cell_and_takes_itself_out_of_the_way),
		TEST(test_delegation_released_leaves_nothing_but_the_process_where_it_was),
		TEST(test_delegation_kills_who_an_earlier_process_left_in_a_cell),
		TEST(test_delegation_started_in_a_supervisor_leaf_divides_its_parent),
		TEST(test_delegation_takes_no_cgroup_that_is_not_its_own),
		TEST(test_delegation_needs_both_controllers),
		TEST(test_delegation_needs_cgroup_v2_within_sight),
		TEST(test_delegation_that_is_refused_half_way_leaves_all_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
