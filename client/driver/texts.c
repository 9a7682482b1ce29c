/* SPDX-License-Identifier: Apache-2.0 */
#include "client/driver/texts.h"

/* The bytes of a file in the tree. */
#define EMBED(id, path)								\
	__asm__("	.section .rodata\n"						\
	    "alone_" #id ":\n	.incbin \"" path "\"\n"			\
	    "alone_" #id "_end:\n	.byte 0\n	.previous\n");			\
	extern const char	alone_##id[] __attribute__((visibility("hidden")));	\
	extern const char	alone_##id##_end[] __attribute__((visibility("hidden")))

EMBED(rt_h, "worker/runner/sample/rt.h");
EMBED(fill_c, "worker/runner/sample/fill.c");
EMBED(fill_h, "worker/runner/sample/fill.h");
EMBED(flush_c, "worker/runner/sample/flush.c");
EMBED(flush_h, "worker/runner/sample/flush.h");
EMBED(memalign_c, "worker/runner/sample/memalign.c");
EMBED(memalign_h, "worker/runner/sample/memalign.h");
EMBED(sort_c, "worker/runner/sample/sort.c");
EMBED(sort_h, "worker/runner/sample/sort.h");
EMBED(stream_h, "worker/runner/sample/stream.h");
EMBED(text_c, "worker/runner/sample/text.c");
EMBED(text_h, "worker/runner/sample/text.h");
EMBED(alone_h, "worker/runner/alone/alone.h");
EMBED(check_c, "worker/runner/alone/check.c");
EMBED(check_h, "worker/runner/alone/check.h");
EMBED(main_c, "worker/runner/alone/main.c");
EMBED(measure_c, "worker/runner/alone/measure.c");
EMBED(measure_h, "worker/runner/alone/measure.h");
EMBED(memory_c, "worker/runner/alone/memory.c");
EMBED(memory_h, "worker/runner/alone/memory.h");
EMBED(clock_h, "proto/base/clock.h");

#define TEXT(id, name)	{ name, alone_##id, alone_##id##_end }

const struct text	texts[] = {
	TEXT(rt_h, "rt.h"),
	TEXT(fill_c, "fill.c"),
	TEXT(fill_h, "fill.h"),
	TEXT(flush_c, "flush.c"),
	TEXT(flush_h, "flush.h"),
	TEXT(memalign_c, "memalign.c"),
	TEXT(memalign_h, "memalign.h"),
	TEXT(sort_c, "sort.c"),
	TEXT(sort_h, "sort.h"),
	TEXT(stream_h, "stream.h"),
	TEXT(text_c, "text.c"),
	TEXT(text_h, "text.h"),
	TEXT(alone_h, "alone.h"),
	TEXT(check_c, "check.c"),
	TEXT(check_h, "check.h"),
	TEXT(main_c, "main.c"),
	TEXT(measure_c, "measure.c"),
	TEXT(measure_h, "measure.h"),
	TEXT(memory_c, "memory.c"),
	TEXT(memory_h, "memory.h"),
	TEXT(clock_h, "clock.h"),
	{ NULL, NULL, NULL },
};
