/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory of an application its image has. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/agent/maps.h"

#define APPLICATION									\
	"100000-101000 r--p 00000000 fe:00 17   /usr/bin/app\n"				\
	"101000-102000 r-xp 00001000 fe:00 17   /usr/bin/app\n"				\
	"102000-103000 rw-p 00002000 fe:00 17   /usr/bin/app with [a] name\n"		\
	"200000-221000 rw-p 00000000 00:00 0    [heap]\n"				\
	"300000-301000 ---p 00000000 00:00 0 \n"					\
	"400000-401000 rwxp 00000000 00:00 0 \n"					\
	"500000-501000 rw-p 00000000 fe:00 18   /lib/x86_64-linux-gnu/ld-linux-x86-64.so.2\n"	\
	"501000-502000 rw-p 00000000 00:00 0 \n"					\
	"503000-504000 rw-p 00000000 00:00 0 \n"					\
	"600000-604000 r--p 00000000 00:00 0    [vvar]\n"				\
	"604000-605000 r--p 00000000 00:00 0    [vvar_vclock]\n"			\
	"605000-607000 r-xp 00000000 00:00 0    [vdso]\n"				\
	"700000-721000 rw-p 00000000 00:00 0    [stack]\n"				\
	"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n"

enum { MOST = 16 };

static int
parse(const char *text, struct image_segment *to, uint32_t most, struct image_header *h)
{
	char	copy[2048];

	memset(h, 0, sizeof *h);
	strncpy(copy, text, sizeof copy - 1);
	copy[sizeof copy - 1] = '\0';
	return maps_parse(copy, to, most, h);
}

static void
test_maps_C4_all_that_can_be_read_is_in_and_the_kernels_own_is_not(void **state)
{
	static const uint64_t	at[] = { 0x100000, 0x101000, 0x102000, 0x200000, 0x400000, 0x500000,
				    0x501000, 0x503000, 0x700000 };
	struct image_segment	s[MOST];
	struct image_header	h;

	(void)state;
	assert_int_equal(parse(APPLICATION, s, MOST, &h), sizeof at / sizeof at[0]);
	for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
		assert_int_equal(s[i].at, at[i]);
	assert_int_equal(s[3].bytes, 0x21000);
	assert_int_equal(h.vdso_at, 0x605000);
	assert_int_equal(h.vdso_bytes, 0x2000);
}

static void
test_maps_protections_stay_but_nothing_is_writable_and_executable(void **state)
{
	struct image_segment	s[MOST];
	struct image_header	h;

	(void)state;
	parse(APPLICATION, s, MOST, &h);
	assert_int_equal(s[0].protection, IMAGE_READ);
	assert_int_equal(s[1].protection, IMAGE_READ | IMAGE_EXEC);
	assert_int_equal(s[2].protection, IMAGE_READ | IMAGE_WRITE);
	assert_int_equal(s[4].protection, IMAGE_READ | IMAGE_WRITE);
}

static void
test_maps_stack_and_loader_are_marked(void **state)
{
	struct image_segment	s[MOST];
	struct image_header	h;

	(void)state;
	parse(APPLICATION, s, MOST, &h);
	assert_int_equal(s[3].flags, 0);
	assert_int_equal(s[5].flags, IMAGE_LOADER);
	assert_int_equal(s[6].flags, IMAGE_LOADER);	/* what follows on it without a gap is its
							 * as well */
	assert_int_equal(s[7].flags, 0);
	assert_int_equal(s[8].flags, IMAGE_STACK);
}

static void
test_maps_memory_that_others_see_is_refused_unless_it_is_only_read(void **state)
{
	struct image_segment	s[MOST];
	struct image_header	h;

	(void)state;
	assert_int_equal(parse("100000-101000 r--s 00000000 fe:00 17   /usr/lib/gconv.cache\n", s,
	    MOST, &h), 1);
	assert_int_equal(parse("100000-101000 rw-s 00000000 00:01 17   /dev/shm/them\n", s, MOST,
	    &h), -ENOTSUP);
}

static void
test_maps_more_pieces_than_there_is_room_for_are_too_many(void **state)
{
	struct image_segment	s[MOST];
	struct image_header	h;

	(void)state;
	assert_int_equal(parse(APPLICATION, s, 8, &h), -E2BIG);
	assert_int_equal(parse(APPLICATION, s, 9, &h), 9);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_maps_C4_all_that_can_be_read_is_in_and_the_kernels_own_is_not),
		cmocka_unit_test(test_maps_protections_stay_but_nothing_is_writable_and_executable),
		cmocka_unit_test(test_maps_stack_and_loader_are_marked),
		cmocka_unit_test(test_maps_memory_that_others_see_is_refused_unless_it_is_only_read),
		cmocka_unit_test(test_maps_more_pieces_than_there_is_room_for_are_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
