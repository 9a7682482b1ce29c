/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Framing and parsing of lines.  The first byte says in what portions the rest arrives: the lines
 * that come out must not depend on it, and are those that a look at the newlines gives.  Each is
 * parsed, to the value that jansson alone makes of it; that is written and read again.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/doors/line.h"
#include "tests/fuzz/fuzz.h"

static void
parse(const char *text, size_t bytes)
{
	struct place	 place;
	struct fault	 why;
	json_t		*doc, *again;
	json_t		*whole = json_loadb(text, bytes, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY,
			    NULL);
	char		*dump;

	if (line_parse(text, bytes, &doc, &place, &why) != ST_OK) {
		json_decref(whole);
		must(doc == NULL && why.text[0] != '\0');
		must(place.line >= 1 && place.column >= 1 && place.offset <= bytes);
		return;
	}
	must(json_equal(doc, whole));
	json_decref(whole);
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
