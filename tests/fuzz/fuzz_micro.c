/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptions of micro-kernels.  What is refused has a place and a reason; what is accepted has as
 * many programs as it says, of which the first and the last can be made or are refused in words.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/support/micro.h"

static void
make(struct micro *m, uint64_t index)
{
	struct arena	*a = arena_new();
	struct program	 p;
	struct fault	 why = { .text = "" };

	if (space_program(m, a, index, &p, &why) == ST_OK)
		must(p.name[0] != '\0' && p.text[0] != '\0');
	else
		must(why.text[0] != '\0');
	arena_free(a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct passes	 passes;
	struct arena		*a = arena_new();
	struct micro		 m = { .arena = a, .path = "d.xml", .passes = &passes,
				    .function = "f" };
	struct fault		 why = { .text = "" };

	passes_init(&passes);
	if (reader_parse(&m, (const char *)data, size, &why) == ST_OK &&
	    space_prepare(&m, &why) == ST_OK && space_count(&m, &m.count, &why) == ST_OK) {
		must(m.count > 0);
		make(&m, 0);
		make(&m, m.count - 1);
		m.as_c = true;
		make(&m, m.count / 2);
	} else {
		must(why.text[0] != '\0' && why.member[0] != '\0');
	}
	arena_free(a);
	return 0;
}
