/* SPDX-License-Identifier: Apache-2.0 */
/* Counts as the kernel reports them, in a /proc of our own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/bench/proc/filters.h"

enum { TEMPLATE = 40, CHILD = 41 };

static char	proc[] = "/tmp/assay-proc-XXXXXX";

static void
path_of(char *to, size_t bytes, const char *whose, const char *file)
{
	(void)snprintf(to, bytes, "%s/%s%s", proc, whose, file);
}

/* filters -1: a kernel that does not count. */
static void
put_status(const char *whose, int parent, int filters)
{
	char	 path[128];
	FILE	*f;

	path_of(path, sizeof path, whose, "");
	(void)mkdir(path, 0700);
	path_of(path, sizeof path, whose, "/status");
	assert_non_null(f = fopen(path, "w"));
	(void)fprintf(f, "Name:\tassay-runner\nPid:\t41\nPPid:\t%d\nSeccomp:\t2\n", parent);
	if (filters >= 0)
		(void)fprintf(f, "Seccomp_filters:\t%d\n", filters);
	(void)fprintf(f, "Cpus_allowed:\t3\n");
	assert_int_equal(fclose(f), 0);
}

static void
put_all(int self, int template, int child)
{
	put_status("self", 1, self);
	put_status("40", 1, template);
	put_status("41", TEMPLATE, child);
}

/* As a bench's first child is looked at. */
static const char *
first_fault(pid_t pid)
{
	struct filters_known	known = { 0 };

	return filters_fault(proc, pid, &known);
}

static int
make_proc(void **state)
{
	(void)state;
	return mkdtemp(proc) != NULL ? 0 : -1;
}

static int
remove_proc(void **state)
{
	static const char *const	whose[] = { "self", "40", "41", "42" };
	char				path[128];

	(void)state;
	for (size_t i = 0; i < sizeof whose / sizeof whose[0]; i++) {
		path_of(path, sizeof path, whose[i], "/status");
		(void)unlink(path);
		path_of(path, sizeof path, whose[i], "");
		(void)rmdir(path);
	}
	return rmdir(proc);
}

static void
test_filters_two_more_than_the_template_has_are_right(void **state)
{
	(void)state;
	put_all(0, 1, 3);
	assert_null(first_fault(CHILD));
	put_all(2, 4, 6);
	assert_null(first_fault(CHILD));
}

static void
test_filters_one_more_or_less_is_the_variants_doing(void **state)
{
	(void)state;
	for (int child = 0; child < 6; child++) {
		put_all(0, 1, child);
		if (child == 3)
			continue;
		assert_string_equal(first_fault(CHILD),
		    "the variant changed the filter of its system calls");
	}
}

static void
test_filters_a_process_that_cannot_be_found_has_hidden(void **state)
{
	(void)state;
	put_all(0, 1, 3);
	assert_string_equal(first_fault(0),
	    "the variant hid its process from the supervisor");
}

static void
test_filters_of_a_process_that_has_ended_nothing_is_said(void **state)
{
	(void)state;
	put_all(0, 1, 3);
	assert_null(first_fault(42));
}

static void
test_filters_a_kernel_that_does_not_count_them_blames_no_variant(void **state)
{
	(void)state;
	put_all(-1, -1, -1);
	assert_false(filters_are_counted(proc));
	assert_null(first_fault(CHILD));
	assert_null(first_fault(0));
	put_all(0, 0, 0);
	assert_true(filters_are_counted(proc));
}

/* A template's filters stay as they are.  A later child costs one file, and is held to them. */
static void
test_filters_the_templates_are_read_once_and_each_childs_every_time(void **state)
{
	struct filters_known	known = { 0 };

	(void)state;
	put_all(0, 1, 3);
	assert_null(filters_fault(proc, CHILD, &known));
	put_all(-1, 7, 3);
	assert_null(filters_fault(proc, CHILD, &known));
	put_all(-1, 7, 9);
	assert_non_null(filters_fault(proc, CHILD, &known));
	put_status("42", 1, 5);
	put_status("41", 42, 7);		/* another template's: that is read */
	assert_null(filters_fault(proc, CHILD, &known));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_filters_two_more_than_the_template_has_are_right),
		cmocka_unit_test(test_filters_one_more_or_less_is_the_variants_doing),
		cmocka_unit_test(test_filters_a_process_that_cannot_be_found_has_hidden),
		cmocka_unit_test(test_filters_of_a_process_that_has_ended_nothing_is_said),
		cmocka_unit_test(
		    test_filters_the_templates_are_read_once_and_each_childs_every_time),
		cmocka_unit_test(test_filters_a_kernel_that_does_not_count_them_blames_no_variant),
	};

	return cmocka_run_group_tests(tests, make_proc, remove_proc);
}
