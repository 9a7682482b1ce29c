/* SPDX-License-Identifier: Apache-2.0 */
/* A small image, mapped and run in this process. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/base/clock.h"
#include "proto/wire/runner_shm.h"
#include "tests/support/image.h"
#include "worker/runner/image/image.h"

enum { TWICE = 2 };

static struct rt_image	 image;
static char		 path[] = "/tmp/assay-image-XXXXXX";
static char		*const data = (char *)(uintptr_t)SUPPORT_DATA;

/* Its code calls the routine twice and stops: movabs $pointer, %rax; call *(%rax). */
static void
put_call(char *to, uint64_t pointer)
{
	memcpy(to, "\x48\xb8", 2);
	memcpy(to + 2, &pointer, sizeof pointer);
	memcpy(to + 10, "\xff\x10", 2);
}

static void
write_image(const struct support_image *i)
{
	int	fd = open(path, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, i, sizeof *i), sizeof *i);
	assert_int_equal(close(fd), 0);
}

static int
open_image(void **state)
{
	struct support_image	i = support_image();
	const char		*why;

	(void)state;
	for (int n = 0; n < TWICE; n++)
		put_call(&i.memory[0][12 * n], SUPPORT_DATA);
	put_call(&i.memory[0][12 * TWICE], SUPPORT_DATA + 8);
	memset(&i.memory[1][16], 'd', 64);
	i.header.clock[0] = 0x100;
	close(mkstemp(path));
	write_image(&i);
	if (rt_image_open(&image, path, &why) != RT_IMAGE_OK)
		return -1;
	rt_image_enter(&image);
	return 0;
}

static int
remove_image(void **state)
{
	(void)state;
	return unlink(path);
}

/* ---- what the image calls: a driver's, and a variant that writes into its memory ---- */

static long	result;

static void
variant(void)
{
	result++;
	data[16 + result] = 'v';
}

static void
through(void)
{
	rt_image_in();
	variant();
	rt_image_out(&result, sizeof result);
}

static void
test_rt_image_P39_runs_to_the_stop_with_each_call_going_to_the_driver(void **state)
{
	(void)state;
	result = 0;
	rt_image_restore(&image);
	rt_image_run(variant, through);
	assert_int_equal(rt_image_calls(), TWICE);
	assert_int_equal(result, TWICE);
	assert_memory_equal(data + 16, "dvvd", 4);
}

static void
test_rt_image_C6_memory_is_as_at_first_each_time(void **state)
{
	(void)state;
	for (int n = 0; n < 50; n++) {
		result = 0;
		rt_image_restore(&image);
		assert_memory_equal(data + 16, "dddd", 4);
		rt_image_run(variant, through);
		assert_memory_equal(data + 16, "dvvd", 4);
	}
}

static void
test_rt_image_what_it_left_is_results_and_memory_without_our_pointers(void **state)
{
	static char		out[RUNNER_MEMORY_AT(sizeof(long)) + IMAGE_PAGE];
	const char		*memory = out + RUNNER_MEMORY_AT(sizeof(long));
	const uint64_t		*hooks = (const void *)memory, *calls = (const void *)out;
	const long		*results = (const void *)(out + RUNNER_RESULTS_AT);

	(void)state;
	result = 0;
	rt_image_restore(&image);
	rt_image_run(variant, through);
	assert_int_equal(rt_image_put(&image, sizeof(long), out, sizeof out), 1);
	assert_int_equal(*calls, TWICE);
	assert_true(results[0] == 1 && results[1] == 2);
	assert_true(hooks[0] == (uintptr_t)rt_image_routine(&image) && hooks[1] == 0);
	assert_memory_equal(memory + 16, "dvvd", 4);
	assert_int_equal(rt_image_put(&image, sizeof(long), out, sizeof out - 1), 0);
}

static void
test_rt_image_addresses_that_are_taken_are_a_clash(void **state)
{
	struct rt_image	again;
	const char	*why = NULL;

	(void)state;
	assert_int_equal(rt_image_open(&again, path, &why), RT_IMAGE_CLASH);
	assert_non_null(strstr(why, "taken"));
}

static void
test_rt_image_a_file_that_is_none_is_refused_with_words(void **state)
{
	struct rt_image	none;
	const char	*why = NULL;

	(void)state;
	assert_int_equal(rt_image_open(&none, "/nowhere", &why), RT_IMAGE_BAD);
	assert_non_null(why);
	assert_int_equal(rt_image_open(&none, "/proc/self/exe", &why), RT_IMAGE_BAD);
	assert_non_null(strstr(why, "no checkpoint image"));
}

static void
test_rt_image_C5_its_clock_goes_on_and_counts_in_a_check(void **state)
{
	int		(*gettime)(clockid_t, struct timespec *);
	void		*at = (void *)(uintptr_t)(SUPPORT_VDSO + 0x100);
	struct timespec	t;
	uint64_t	before, after, its;

	(void)state;
	memcpy(&gettime, &at, sizeof gettime);
	before = clock_now_ns();
	assert_int_equal(gettime(CLOCK_MONOTONIC, &t), 0);
	after = clock_now_ns();
	its = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	assert_true(before <= its && its <= after);
	rt_image_count_time(1);
	for (long n = 1; n <= 2; n++) {
		rt_image_run(variant, through);
		assert_int_equal(gettime(CLOCK_MONOTONIC, &t), 0);
		assert_true(t.tv_sec == 0 && t.tv_nsec == 1000);
	}
	rt_image_count_time(0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_rt_image_P39_runs_to_the_stop_with_each_call_going_to_the_driver),
		cmocka_unit_test(test_rt_image_C6_memory_is_as_at_first_each_time),
		cmocka_unit_test(test_rt_image_what_it_left_is_results_and_memory_without_our_pointers),
		cmocka_unit_test(test_rt_image_C5_its_clock_goes_on_and_counts_in_a_check),
		cmocka_unit_test(test_rt_image_addresses_that_are_taken_are_a_clash),
		cmocka_unit_test(test_rt_image_a_file_that_is_none_is_refused_with_words),
	};

#if defined(__x86_64__)
	return cmocka_run_group_tests(tests, open_image, remove_image);
#else
	(void)tests;
	return 0;
#endif
}
