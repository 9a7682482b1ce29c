/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Framing and parsing of lines.  The first byte says in what portions the rest arrives: the lines
 * that come out must not depend on it, and are those that a look at the newlines gives.  Each is
 * parsed; what passes is written and read again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/doors/line.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
parse(const char *text, size_t bytes)
{
	struct place	 place;
	struct fault	 why;
	json_t		*doc, *again;
	char		*dump;

	if (line_parse(text, bytes, &doc, &place, &why) != ST_OK) {
		must(doc == NULL && why.text[0] != '\0');
		must(place.line >= 1 && place.column >= 1 && place.offset <= bytes);
		return;
	}
	dump = json_dumps(doc, JSON_COMPACT | JSON_ENCODE_ANY);
	must(dump != NULL);
	must(line_parse(dump, strlen(dump), &again, &place, &why) == ST_OK);
	must(json_equal(doc, again));
	json_decref(again);
	json_decref(doc);
	free(dump);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t			 portion, done = 0, bytes;
	struct line_buffer	 b;
	const char		*text, *line;

	if (size < 1)
		return 0;
	portion = data[0] != 0 ? data[0] : size;
	text = (const char *)data + 1;
	size--;
	line_init(&b);
	for (size_t at = 0; at < size; at += portion) {
		must(line_put(&b, text + at, size - at < portion ? size - at : portion) == ST_OK);
		while (line_take(&b, &line, &bytes) == ST_OK) {
			const char	*newline = memchr(text + done, '\n', size - done);

			must(newline != NULL && bytes == (size_t)(newline - text) - done);
			must(memcmp(line, text + done, bytes) == 0);
			parse(line, bytes);
			done += bytes + 1;
		}
	}
	must(memchr(text + done, '\n', size - done) == NULL);
	line_release(&b);
	return 0;
}
