/* SPDX-License-Identifier: Apache-2.0 */
/* Where a runner's directory lies, what is copied into it, and what is left of those that are gone. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/bench/bay.h"
#include "worker/cache/own_dir.h"

enum { SMALL = 10000, LARGE = (1 << 20) + 1 };

static char	dir[64], scratch[96], small_path[96], large_path[96];

static void
write_file(const char *path, size_t bytes)
{
	FILE	*f = fopen(path, "w");

	assert_non_null(f);
	for (size_t i = 0; i < bytes; i++)
		assert_int_not_equal(putc((int)(i % 251), f), EOF);
	assert_int_equal(fclose(f), 0);
}

static int
set_up(void **state)
{
	(void)state;
	(void)strcpy(dir, "/tmp/assay-bay-XXXXXX");
	assert_non_null(mkdtemp(dir));
	(void)snprintf(scratch, sizeof scratch, "%s/scratch", dir);
	(void)snprintf(small_path, sizeof small_path, "%s/small.so", dir);
	(void)snprintf(large_path, sizeof large_path, "%s/large.so", dir);
	write_file(small_path, SMALL);
	write_file(large_path, LARGE);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	(void)unlink(small_path);
	(void)unlink(large_path);
	own_dir_empty(scratch);
	(void)rmdir(scratch);
	return rmdir(dir);
}

static struct bay
made(bool links)
{
	struct fault	why = { .status = ST_OK };
	struct bay	bay;

	assert_int_equal(bay_make(&bay, scratch, links, &why), ST_OK);
	return bay;
}

static struct stat
of_path(const char *path)
{
	struct stat	st;

	assert_int_equal(stat(path, &st), 0);
	return st;
}

static struct stat
of_file(const struct bay *bay, const char *name)
{
	char	path[4096];

	(void)snprintf(path, sizeof path, "%s/%s", bay->path, name);
	return of_path(path);
}

static bool
lies_in(const struct bay *bay, const char *parent)
{
	return strncmp(bay->path, parent, strlen(parent)) == 0 && bay->path[strlen(parent)] == '/';
}

static void
test_bay_lies_in_memory_and_with_linked_objects_in_the_scratch_directory(void **state)
{
	char		memory[64];
	const bool	has_memory = own_dir_in_memory(memory, sizeof memory, true);
	struct bay	a = made(false), b = made(true);

	(void)state;
	assert_true(lies_in(&a, has_memory ? memory : scratch));
	assert_true(lies_in(&b, scratch));
	assert_int_equal(of_path(a.path).st_mode & 0777, 0755);
	bay_remove(&a);
	bay_remove(&b);
}

static void
test_bay_a_small_object_is_copied_and_a_large_one_linked(void **state)
{
	struct fault	why = { .status = ST_OK };
	struct bay	bay = made(true);

	(void)state;
	assert_false(bay_links(small_path));
	assert_true(bay_links(large_path));
	assert_int_equal(bay_put(&bay, small_path, "v1.so", &why), ST_OK);
	assert_int_equal(bay_put(&bay, large_path, "v2.so", &why), ST_OK);
	assert_int_equal(of_file(&bay, "v1.so").st_size, SMALL);
	assert_int_not_equal(of_file(&bay, "v1.so").st_ino, of_path(small_path).st_ino);
	assert_int_equal(of_file(&bay, "v2.so").st_ino, of_path(large_path).st_ino);
	bay_remove(&bay);
}

static void
test_bay_in_memory_takes_a_large_object_too(void **state)
{
	struct fault	why = { .status = ST_OK };
	struct bay	bay = made(false);

	(void)state;
	assert_int_equal(bay_put(&bay, large_path, "v1.so", &why), ST_OK);
	assert_int_equal(of_file(&bay, "v1.so").st_size, LARGE);
	bay_remove(&bay);
}

static void
test_bay_an_object_that_is_not_there_is_named(void **state)
{
	struct fault	why = { .status = ST_OK };
	struct bay	bay = made(false);

	(void)state;
	assert_int_equal(bay_put(&bay, "/nowhere/x.so", "v1.so", &why), ST_INTERNAL);
	assert_non_null(strstr(why.text, "v1.so"));
	bay_remove(&bay);
}

/* The path of a bay that a process made which ended without removing it. */
static void
abandon(bool links, struct bay *out)
{
	struct fault	why;
	struct bay	bay;
	int		ends[2], status;
	pid_t		pid;

	assert_int_equal(pipe(ends), 0);
	assert_int_not_equal(pid = fork(), -1);
	if (pid == 0) {
		if (bay_make(&bay, scratch, links, &why) != ST_OK ||
		    bay_put(&bay, small_path, "v1.so", &why) != ST_OK)
			_exit(1);
		_exit(write(ends[1], &bay, sizeof bay) != sizeof bay);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(ends[0], out, sizeof *out), sizeof *out);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void
test_bay_those_of_processes_that_are_gone_are_removed_and_no_others(void **state)
{
	(void)state;
	for (int links = 0; links < 2; links++) {
		struct bay	own = made(links), left, next;

		abandon(links, &left);
		assert_int_equal(access(left.path, F_OK), 0);
		next = made(links);
		assert_int_not_equal(access(left.path, F_OK), 0);
		assert_int_equal(access(own.path, F_OK), 0);
		bay_remove(&own);
		assert_int_equal(own.path[0], '\0');
		bay_remove(&own);
		bay_remove(&next);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_bay_lies_in_memory_and_with_linked_objects_in_the_scratch_directory),
		cmocka_unit_test(test_bay_a_small_object_is_copied_and_a_large_one_linked),
		cmocka_unit_test(test_bay_in_memory_takes_a_large_object_too),
		cmocka_unit_test(test_bay_an_object_that_is_not_there_is_named),
		cmocka_unit_test(
		    test_bay_those_of_processes_that_are_gone_are_removed_and_no_others),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
