/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_IMAGE_H
#define ASSAY_TESTS_SUPPORT_IMAGE_H

/*
 * A sound checkpoint image of three pages (code, data, stack) and a vdso of two, for tests to
 * spoil.
 */
#include <string.h>

#include "proto/wire/image.h"

#define SUPPORT_CODE	((uint64_t)0x500000000000)
#define SUPPORT_DATA	(SUPPORT_CODE + 4 * IMAGE_PAGE)
#define SUPPORT_VDSO	(SUPPORT_CODE + 8 * IMAGE_PAGE)
#define SUPPORT_STACK	(SUPPORT_CODE + ((uint64_t)1 << 30))

enum { SUPPORT_PIECES = 3 };

struct support_image {
	struct image_header	 header;
	struct image_segment	 segment[SUPPORT_PIECES];
	char			 rest[IMAGE_PAGE - sizeof(struct image_header) -
				    SUPPORT_PIECES * sizeof(struct image_segment)];
	char			 memory[SUPPORT_PIECES][IMAGE_PAGE];
};

static inline struct support_image
support_image(void)
{
	return (struct support_image){
		.header = {
			.magic = { 'A', 'S', 'S', 'A', 'Y', 'I', 'M', 'G' },
			.version = IMAGE_VERSION, .machine = IMAGE_X86_64,
			.bytes = sizeof(struct support_image), .segments = SUPPORT_PIECES,
			    .context = { .rsp = SUPPORT_STACK + IMAGE_PAGE, .rip = SUPPORT_CODE,
			    .mxcsr = 0x1f80, .fcw = 0x37f, .fs = SUPPORT_DATA + 2048 },
			.entry_at = SUPPORT_DATA, .stop_at = SUPPORT_DATA + 8,
			.routine = SUPPORT_CODE + 16, .vdso_at = SUPPORT_VDSO,
			    .vdso_bytes = 2 * IMAGE_PAGE,
			    .clock = { 0x100, 0x200, 0x300, 0x400, 0x500 },
			.name = "walk",
		},
		.segment = {
			{ SUPPORT_CODE, IMAGE_PAGE, IMAGE_PAGE, IMAGE_READ | IMAGE_EXEC, 0 },
			{ SUPPORT_DATA, IMAGE_PAGE, 2 * IMAGE_PAGE, IMAGE_READ | IMAGE_WRITE, 0 },
			{ SUPPORT_STACK, IMAGE_PAGE, 3 * IMAGE_PAGE, IMAGE_READ | IMAGE_WRITE,
			IMAGE_STACK },
		},
	};
}

#endif
