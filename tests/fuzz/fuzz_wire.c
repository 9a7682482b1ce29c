/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ends of HTTP requests.  The first byte says in what portions the rest arrives: what is found
 * must not depend on it.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/http/http_wire.h"
#include "tests/fuzz/fuzz.h"

struct found {
	size_t		whole, read, line_bytes;
	enum wire_state	state;
};

static struct found
look(const char *text, size_t size, size_t portion)
{
	struct wire	w = { .state = WIRE_IDLE };
	struct found	f = { .whole = 0 };

	while (f.read < size && w.state != WIRE_BAD) {
		size_t	some = size - f.read < portion ? size - f.read : portion;
		size_t	n = wire_read(&w, text + f.read, some);

		must(n > 0 && n <= some);
		f.read += n;
		f.whole += w.state == WIRE_IDLE;
	}
	must(w.line_bytes <= f.read && (w.state == WIRE_BAD) == (w.reason != NULL));
	f.line_bytes = w.line_bytes;
	f.state = w.state;
	return f;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct found	a, b;

	if (size < 2)
		return 0;
	a = look((const char *)data + 1, size - 1, size);
	b = look((const char *)data + 1, size - 1, (size_t)data[0] + 1);
	must(a.whole == b.whole && a.read == b.read && a.state == b.state);
	must(a.line_bytes == b.line_bytes);
	return 0;
}
