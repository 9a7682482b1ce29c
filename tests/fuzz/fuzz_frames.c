/* SPDX-License-Identifier: Apache-2.0 */
/* What a plugin's process writes: only whole frames within their limits are taken. */
#include <string.h>

#include "client/micro/plugin/frames.h"
#include "tests/fuzz/fuzz.h"

static enum status
take(void *arg, const struct frame *f, struct fault *why)
{
	(void)arg, (void)why;
	must(f->kind < FRAME_NKINDS);
	if (f->kind == FRAME_PROGRAM) {
		must(strlen(f->part[0]) <= FRAME_NAME_BYTES && strchr(f->part[0], '/') == NULL);
		must(f->part[0][0] != '.' && f->part[2][0] != '\0');
	}
	return ST_OK;
}

/* The first byte says in pieces of how many bytes the others arrive. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t	at_once = size > 0 ? data[0] + 1u : 1;
	struct fault	why = { .status = ST_OK };
	struct frames	f;
	enum status	st = ST_OK;

	frames_init(&f, take, NULL);
	for (size_t at = 1; at < size && st == ST_OK; at += at_once)
		st = frames_read(&f, data + at, size - at < at_once ? size - at : at_once, &why);
	must(st == ST_OK || why.text[0] != '\0');
	frames_release(&f);
	return 0;
}
