/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Framing and parsing of lines.  The first byte says in what portions the rest arrives: the lines that come out must
 * not depend on it, and are those that a look at the newlines gives.  Each is parsed; what passes is written and read
 * again.  The text as a whole is the same however its repetitions are kept.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/doors/line.h"
#include "daemon/doors/share.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

/* Sharing takes what jansson takes, and reads the same in it; no NUL gets that far. */
static void
share(const char *text, size_t bytes)
{
	json_t	*plain = json_loadb(text, bytes, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
	json_t	*shared = share_parse(text, bytes);

	must((plain == NULL) == (shared == NULL));
	must(plain == NULL || json_equal(plain, shared));
	json_decref(plain);
	json_decref(shared);
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
	if (memchr(text, '\0', size) == NULL)
		share(text, size);
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
