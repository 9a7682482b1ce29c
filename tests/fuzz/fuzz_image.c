/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checkpoint images.  Whatever is parsed leads nowhere but into the file, no two pieces of its
 * memory overlap, and what the runner jumps to and writes to is in a piece that allows it.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/wire/image.h"
#include "tests/fuzz/fuzz.h"

/* As a runner and a check would read it. */
static unsigned
read_all(const struct image *m, size_t size)
{
	uint64_t	end = 0, compared = 0;
	unsigned	sum = 0;

	for (uint32_t i = 0; i < m->header->segments; i++) {
		const struct image_segment	*s = &m->segment[i];

		must(s->at >= end && s->at + s->bytes > s->at &&
		    s->at + s->bytes < (uint64_t)1 << 47);
		must(s->offset <= size && s->bytes <= size - s->offset);
		must(!((s->protection & IMAGE_WRITE) && (s->protection & IMAGE_EXEC)));
		end = s->at + s->bytes;
		compared += image_is_compared(s) ? s->bytes : 0;
		sum += (unsigned char)m->bytes[s->offset] +
		    (unsigned char)m->bytes[s->offset + s->bytes - 1];
	}
	must(image_compared_bytes(m) == compared);
	return sum;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char			*file = malloc(size + 1);
	const struct image_cpu	 nothing = { .xcr0 = 0 };
	struct image		 m;
	const char		*why;

	must(file != NULL);
	memcpy(file, data, size);
	if ((why = image_parse(&m, file, size)) != NULL) {
		must(why[0] != '\0');
	} else {
		(void)read_all(&m, size);
		must(image_find(&m, m.header->context.rip, 1, IMAGE_EXEC) != NULL);
		must(image_find(&m, m.header->entry_at, 8, IMAGE_WRITE) != NULL);
		must(image_find(&m, m.header->stop_at, 8, IMAGE_WRITE) != NULL);
		must(strlen(m.header->name) < IMAGE_NAME_BYTES);
		(void)image_lacks(&m.header->cpu, &nothing);
	}
	free(file);
	return 0;
}
