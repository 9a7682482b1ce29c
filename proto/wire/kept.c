/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "proto/json/scan.h"
#include "proto/wire/kept.h"

static void
put_line(struct text *t, const char *part)
{
	text_char(t, '\n');
	if (part != NULL)
		text_raw(t, part, strlen(part));
}

void
kept_put(struct text *t, const struct kept *k)
{
	put_line(t, k->technique);
	put_line(t, k->evidence);
	put_line(t, k->readings);
}

/* From a line feed to the next one, or to the end. */
static enum status
get_line(char **out, const char *name, const char **at, const char *end, struct fault *why)
{
	const char	*from = *at + 1, *to;
	struct span	 object;

	if (*at == end)
		return fault_at(why, ST_BAD_REQUEST, name, "its line is missing");
	if ((to = memchr(from, '\n', (size_t)(end - from))) == NULL)
		to = end;
	*at = to;
	if (from == to)
		return ST_OK;
	if (!scan_text(from, (size_t)(to - from), &object) || !scan_is_object(&object))
		return fault_at(why, ST_BAD_REQUEST, name, "is no JSON object");
	*out = scan_copy(&object);
	return *out != NULL ? ST_OK : fault_at(why, ST_NOMEM, name, "out of memory");
}

enum status
kept_get(struct kept *k, const char *lines, size_t bytes, struct fault *why)
{
	const char	*at = lines, *const end = lines + bytes;
	enum status	 st;

	*k = (struct kept){ .technique = NULL };
	if ((st = get_line(&k->technique, "technique", &at, end, why)) == ST_OK &&
	    (st = get_line(&k->evidence, "evidence", &at, end, why)) == ST_OK &&
	    (st = get_line(&k->readings, "readings", &at, end, why)) == ST_OK && at != end)
		st = fault_set(why, ST_BAD_REQUEST, "a fourth line behind the message");
	if (st != ST_OK)
		kept_release(k);
	return st;
}

void
kept_release(struct kept *k)
{
	free(k->technique);
	free(k->evidence);
	free(k->readings);
	*k = (struct kept){ .technique = NULL };
}
