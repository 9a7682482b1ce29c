/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of programs in large pages: what they are of, and that a jail executes them. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mount.h>

#include "tests/support/jails.h"
#include "worker/spawn/large.h"

enum { LARGE = 9 << 20, SMALL = 1 << 20 };

/* A program whose file has so many bytes: what is behind an executable's own does not matter. */
static const char *
make_program(const char *name, const char *like, off_t bytes)
{
	static char	path[2][128];
	static unsigned	n;
	char		command[256];

	n = (n + 1) % 2;
	(void)snprintf(path[n], sizeof path[n], "%s/%s", dir, name);
	(void)snprintf(command, sizeof command, "cp %s %s && chmod 755 %s", like, path[n], path[n]);
	assert_int_equal(system(command), 0);
	assert_int_equal(truncate(path[n], bytes), 0);
	return path[n];
}

/* Of a program that deserves one.  Not every host can have it: this one, if root here can. */
static int
copy_or_skip(const char *path)
{
	const int	fd = large_copy(path);

	if (fd == -1 && (geteuid() != 0 ||
	    access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == -1 ||
	    fsopen("tmpfs", FSOPEN_CLOEXEC) == -1))
		skip();
	assert_int_not_equal(fd, -1);
	return fd;
}

static void
assert_same_bytes(int fd, const char *path)
{
	static char	copied[1 << 16], own[1 << 16];
	const int	file = open(path, O_RDONLY | O_CLOEXEC);
	off_t		at = 0;
	ssize_t		n;

	assert_int_not_equal(file, -1);
	while ((n = pread(file, own, sizeof own, at)) > 0) {
		assert_int_equal(pread(fd, copied, sizeof copied, at), n);
		assert_memory_equal(copied, own, (size_t)n);
		at += n;
	}
	assert_int_equal(pread(fd, copied, sizeof copied, at), 0);
	close(file);
}

static void
test_large_a_copy_has_the_programs_bytes(void **state)
{
	const char	*path = make_program("large", "/bin/true", LARGE);
	const int	 fd = copy_or_skip(path);

	(void)state;
	assert_same_bytes(fd, path);
	assert_int_equal(large_copy(path), fd);
}

static void
test_large_a_program_that_changed_is_copied_anew(void **state)
{
	const char	*path = make_program("large", "/bin/true", LARGE);
	int		 fd;

	(void)state;
	(void)copy_or_skip(path);
	assert_int_equal(unlink(path), 0);
	path = make_program("large", "/bin/false", LARGE + 1);
	fd = large_copy(path);
	assert_int_not_equal(fd, -1);
	assert_same_bytes(fd, path);
}

static void
test_large_small_ones_and_other_files_have_none(void **state)
{
	const char	*path = make_program("small", "/bin/true", SMALL);

	(void)state;
	assert_int_equal(large_copy(path), -1);
	assert_int_equal(large_copy("/nowhere/at/all"), -1);
	assert_int_equal(large_copy(dir), -1);
	path = make_program("huge", "/bin/true", (off_t)1 << 40);
	assert_int_equal(large_copy(path), -1);
	path = make_program("privileged", "/bin/true", LARGE);
	assert_int_equal(chmod(path, 04755), 0);
	assert_int_equal(large_copy(path), -1);
}

/* Two steps: the shell, which says a word, and a program that succeeds only as its copy. */
static struct jail_end
run_with_copy(const char *copy_of, int fd)
{
	static const char *const	argv[] = { "/bin/sh", "-c", "echo first", "/bin/false",
					    "--word", NULL };
	struct jail_order		o = order_of(argv);

	o.steps = "3,2";
	o.copy_of = copy_of;
	o.copy_fd = fd;
	return run(&o);
}

static void
test_large_a_jail_executes_the_copy_in_place_of_one_step(void **state)
{
	const int	fd = copy_or_skip(make_program("large", "/bin/true", LARGE));

	(void)state;
	assert_int_equal(run_with_copy(NULL, -1).code, 1);
	assert_int_equal(run_with_copy("/bin/true", fd).code, 1);
	assert_int_equal(run_with_copy("/bin/false", fd).code, 0);
	assert_string_equal(printed(), "first\nfirst\nfirst\n");
	assert_no_children();
}

/* What cannot be executed is passed over. */
static void
test_large_a_copy_that_is_none_does_no_harm(void **state)
{
	const int	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct jail_end	end = run_with_copy("/bin/sh", fd);

	(void)state;
	close(fd);
	assert_int_equal(end.code, 1);
	assert_string_equal(printed(), "first\n");
}

static int
group(const char *name)
{
	const struct CMUnitTest	tests[] = {
		IN_JAIL(test_large_a_copy_has_the_programs_bytes),
		IN_JAIL(test_large_a_program_that_changed_is_copied_anew),
		IN_JAIL(test_large_small_ones_and_other_files_have_none),
		IN_JAIL(test_large_a_jail_executes_the_copy_in_place_of_one_step),
		IN_JAIL(test_large_a_copy_that_is_none_does_no_harm),
	};

	return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}

int
main(void)
{
	return run_in_every_way(group);
}
