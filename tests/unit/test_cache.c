/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/build/build.h"
#include "worker/cache/cache.h"
#include "worker/cache/seal.h"

#ifdef __aarch64__
#define MACHINE	EM_AARCH64
#else
#define MACHINE	EM_X86_64
#endif

static char	dir[64], cache_dir[96], object[96];

static int
set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/assay-test-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return -1;
	(void)snprintf(cache_dir, sizeof cache_dir, "%s/cache", dir);
	(void)snprintf(object, sizeof object, "%s/out.so", dir);
	return 0;
}

static int
tear_down(void **state)
{
	char	command[128];

	(void)state;
	(void)snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

/*
 * A file that begins as an ELF file of this type and machine and has `bytes` bytes, at last its
 * section headers.
 */
static void
write_elf(const char *path, unsigned type, unsigned machine, size_t bytes)
{
	Elf64_Ehdr	h = { .e_ident = ELFMAG "\2\1\1", .e_type = (Elf64_Half)type,
			    .e_machine = (Elf64_Half)machine, .e_shnum = 1, .e_shentsize = 64,
			    .e_shoff = bytes - 64 };
	int		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd != -1);
	assert_int_equal(write(fd, &h, sizeof h), sizeof h);
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	close(fd);
}

static struct hash
name_of(unsigned n)
{
	struct hash	h;

	(void)snprintf(h.hex, sizeof h.hex, "%02x%062x", n * 37 % 256, n);
	return h;
}

static struct cache *
open_cache(uint64_t limit)
{
	struct cache	*c;
	struct fault	 why;

	assert_int_equal(cache_open(&c, cache_dir, limit, &why), ST_OK);
	return c;
}

static enum status
put_file(struct cache *c, const struct hash *h, struct fault *why)
{
	int		fd = open(object, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	enum status	st = cache_put(c, h, fd, why);

	if (fd != -1)
		close(fd);
	return st;
}

/* bytes: in the cache. */
static void
put(struct cache *c, unsigned n, size_t bytes)
{
	struct hash	h = name_of(n);
	struct fault	why;

	write_elf(object, ET_DYN, MACHINE, bytes - SEAL_BYTES);
	assert_int_equal(put_file(c, &h, &why), ST_OK);
}

static bool
has(struct cache *c, unsigned n)
{
	struct hash	h = name_of(n);

	return cache_has(c, &h);
}

/* Make it look as if it had last been used so long ago. */
static void
age(unsigned n, long seconds)
{
	struct hash	h = name_of(n);
	struct timespec	times[2] = { { .tv_nsec = UTIME_OMIT },
			    { .tv_sec = time(NULL) - seconds } };
	char		path[256];

	assert_true(artifact_path(cache_dir, &h, path, sizeof path));
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void
test_cache_what_is_put_is_found_with_its_bytes(void **state)
{
	struct cache	*c = open_cache(1 << 20);
	struct hash	 h = name_of(1);
	char		 path[256], command[512];

	(void)state;
	assert_false(has(c, 1));
	assert_false(artifact_path(cache_dir, &h, path, sizeof path));
	put(c, 1, 5000);
	assert_true(has(c, 1));
	assert_true(artifact_path(cache_dir, &h, path, sizeof path));
	(void)snprintf(command, sizeof command, "cmp -s -n %d '%s' '%s'", 5000 - SEAL_BYTES,
	    object, path);
	assert_int_equal(system(command), 0);
	assert_int_equal(cache_bytes(c), 5000);
	cache_free(c);
}

/* In the middle, where neither the headers nor the size show it. */
static void
test_cache_a_damaged_object_is_removed_when_it_is_to_be_used(void **state)
{
	struct cache	*c = open_cache(1 << 20);
	struct hash	 h = name_of(1);
	char		 path[256];
	int		 fd;

	(void)state;
	for (off_t at = 1000; at < 200000; at += 66000) {
		put(c, 1, 200000);
		assert_true(artifact_path(cache_dir, &h, path, sizeof path));
		assert_true((fd = open(path, O_WRONLY)) != -1);
		assert_int_equal(pwrite(fd, "x", 1, at), 1);
		close(fd);
		assert_false(artifact_path(cache_dir, &h, path, sizeof path));
		assert_false(has(c, 1));
	}
	cache_free(c);
}

static void
test_cache_the_empty_name_has_no_path(void **state)
{
	const struct hash	none = { "" };
	char			path[256];

	(void)state;
	assert_false(artifact_path(cache_dir, &none, path, sizeof path));
}

static void
test_cache_takes_only_what_is_linked_for_this_machine(void **state)
{
	struct cache	*c = open_cache(1 << 20);
	struct hash	 h = name_of(1);
	struct fault	 why;
	FILE		*f;

	(void)state;
	assert_int_equal(put_file(c, &h, &why), ST_LOAD_FAILED);	/* there is none */
	write_elf(object, ET_CORE, MACHINE, 4096);
	assert_int_equal(put_file(c, &h, &why), ST_LOAD_FAILED);
	write_elf(object, ET_DYN, EM_S390, 4096);
	assert_int_equal(put_file(c, &h, &why), ST_LOAD_FAILED);
	f = fopen(object, "w");
	assert_non_null(f);
	fputs("#!/bin/sh\n", f);
	fclose(f);
	assert_int_equal(put_file(c, &h, &why), ST_LOAD_FAILED);
	assert_int_equal(unlink(object), 0);
	assert_int_equal(mkfifo(object, 0644), 0);
	assert_int_equal(put_file(c, &h, &why), ST_LOAD_FAILED);
	assert_false(has(c, 1));
	assert_int_equal(unlink(object), 0);
	cache_free(c);
}

static void
test_cache_refuses_what_is_too_large(void **state)
{
	struct cache	*c = open_cache((uint64_t)1 << 30);
	struct hash	 h = name_of(1);
	struct fault	 why;

	(void)state;
	write_elf(object, ET_DYN, MACHINE, ARTIFACT_MAX_BYTES + 1);
	assert_int_equal(put_file(c, &h, &why), ST_BUILD_LIMIT);
	assert_non_null(strstr(why.text, "16777217"));
	write_elf(object, ET_DYN, MACHINE, ARTIFACT_MAX_BYTES);
	assert_int_equal(put_file(c, &h, &why), ST_OK);
	cache_free(c);
}

static void
test_cache_an_object_that_lost_its_end_is_not_there(void **state)
{
	struct cache	*c = open_cache(1 << 20);
	struct hash	 h = name_of(1);
	char		 path[256];

	(void)state;
	put(c, 1, 5000);
	assert_true(artifact_path(cache_dir, &h, path, sizeof path));
	assert_int_equal(truncate(path, 4999), 0);
	assert_false(has(c, 1));
	assert_false(artifact_path(cache_dir, &h, path, sizeof path));
	assert_int_equal(truncate(path, 0), 0);
	assert_false(has(c, 1));
	put(c, 1, 5000);
	assert_true(has(c, 1));
	cache_free(c);
}

static void
test_cache_lets_the_least_recently_used_go(void **state)
{
	struct cache	*c = open_cache(100000);
	unsigned	 left = 0;

	(void)state;
	for (unsigned n = 0; n < 10; n++) {
		put(c, n, 10000);
		age(n, 1000 - (long)n);
	}
	assert_true(has(c, 0));			/* the oldest, but used just now */
	put(c, 10, 10000);
	assert_true(cache_bytes(c) <= 100000);
	assert_true(has(c, 0));
	assert_true(has(c, 10));
	assert_false(has(c, 1));
	assert_true(has(c, 9));
	for (unsigned n = 0; n <= 10; n++)
		left += has(c, n);
	assert_int_equal(left * 10000, cache_bytes(c));
	cache_free(c);
}

static void
test_cache_keeps_what_was_put_last_even_beyond_the_limit(void **state)
{
	struct cache	*c = open_cache(1000);

	(void)state;
	put(c, 1, 5000);
	assert_true(has(c, 1));
	put(c, 2, 5000);
	assert_true(has(c, 2));
	assert_false(has(c, 1));
	cache_free(c);
}

static void
test_cache_counts_what_it_finds_and_makes_room_at_start(void **state)
{
	struct cache	*c = open_cache(1 << 20);

	(void)state;
	for (unsigned n = 0; n < 5; n++) {
		put(c, n, 10000);
		age(n, 100 - (long)n);
	}
	cache_free(c);
	c = open_cache(1 << 20);
	assert_int_equal(cache_bytes(c), 50000);
	cache_free(c);
	c = open_cache(20000);
	assert_true(cache_bytes(c) <= 20000);
	assert_false(has(c, 0));
	assert_true(has(c, 4));
	cache_free(c);
}

static void
test_cache_removes_what_dead_builders_left_and_nothing_else(void **state)
{
	char	dead[256], alive[256], other[256];
	pid_t	pid = fork();

	(void)state;
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	cache_free(open_cache(1000));
	(void)snprintf(dead, sizeof dead, "%s/new.%d.0123", cache_dir, (int)pid);
	(void)snprintf(alive, sizeof alive, "%s/new.%d.0123", cache_dir, (int)getppid());
	(void)snprintf(other, sizeof other, "%s/notes", cache_dir);
	write_elf(dead, ET_DYN, MACHINE, 100);
	write_elf(alive, ET_DYN, MACHINE, 100);
	write_elf(other, ET_DYN, MACHINE, 100);
	cache_free(open_cache(1000));
	assert_int_equal(access(dead, F_OK), -1);
	assert_int_equal(access(alive, F_OK), 0);
	assert_int_equal(access(other, F_OK), 0);
}

static void
test_cache_two_builders_may_put_the_same_object_at_once(void **state)
{
	struct cache	*c = open_cache(1 << 20);
	pid_t		 pids[2];
	int		 status;

	(void)state;
	for (unsigned b = 0; b < 2; b++) {
		pids[b] = fork();
		if (pids[b] == 0) {
			struct cache	*mine = open_cache(1 << 20);
			struct hash	 h = name_of(1);
			struct fault	 why;

			(void)snprintf(object, sizeof object, "%s/out%u.so", dir, b);
			write_elf(object, ET_DYN, MACHINE, 200000);
			for (unsigned i = 0; i < 200; i++)
				if (put_file(mine, &h, &why) != ST_OK || !cache_has(mine, &h))
					_exit(1);
			_exit(0);
		}
	}
	for (unsigned b = 0; b < 2; b++) {
		assert_int_equal(waitpid(pids[b], &status, 0), pids[b]);
		assert_int_equal(status, 0);
	}
	assert_true(has(c, 1));
	cache_free(c);
}

static void
test_cache_says_where_it_cannot_write(void **state)
{
	struct cache	*c;
	struct fault	 why;
	char		 below_a_file[160];

	(void)state;
	write_elf(object, ET_DYN, MACHINE, 100);
	(void)snprintf(below_a_file, sizeof below_a_file, "%s/cache", object);
	assert_int_equal(cache_open(&c, below_a_file, 1000, &why), ST_IO);
	assert_null(c);
	assert_non_null(strstr(why.text, "out.so/cache"));
}

int
main(void)
{
#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest	tests[] = {
		TEST(test_cache_what_is_put_is_found_with_its_bytes),
		TEST(test_cache_the_empty_name_has_no_path),
		TEST(test_cache_a_damaged_object_is_removed_when_it_is_to_be_used),
		TEST(test_cache_takes_only_what_is_linked_for_this_machine),
		TEST(test_cache_refuses_what_is_too_large),
		TEST(test_cache_an_object_that_lost_its_end_is_not_there),
		TEST(test_cache_lets_the_least_recently_used_go),
		TEST(test_cache_keeps_what_was_put_last_even_beyond_the_limit),
		TEST(test_cache_counts_what_it_finds_and_makes_room_at_start),
		TEST(test_cache_removes_what_dead_builders_left_and_nothing_else),
		TEST(test_cache_two_builders_may_put_the_same_object_at_once),
		TEST(test_cache_says_where_it_cannot_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
