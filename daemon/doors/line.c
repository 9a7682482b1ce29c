/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api.h"
#include "daemon/doors/fold.h"
#include "daemon/doors/line.h"

enum { LINE_KEEP_BYTES = 64 << 10,
	LINE_MOST_BYTES = API_MAX_LINE_BYTES + LINE_KEEP_BYTES };

void
line_init(struct line_buffer *b)
{
	memset(b, 0, sizeof *b);
}

void
line_release(struct line_buffer *b)
{
	free(b->bytes);
	line_init(b);
}

void
line_shrink(struct line_buffer *b)
{
	if (b->begin != b->end)
		return;
	if (b->size > LINE_KEEP_BYTES)
		line_release(b);
	b->begin = b->end = b->scanned = 0;
}

static enum status
line_make_room(struct line_buffer *b, size_t n)
{
	size_t	 size = b->size != 0 ? b->size : 4096;
	char	*more;

	if (b->size - b->end >= n)
		return ST_OK;
	if (b->begin > 0) {
		memmove(b->bytes, b->bytes + b->begin, b->end - b->begin);
		b->end -= b->begin;
		b->scanned -= b->begin;
		b->begin = 0;
	}
	if (b->size - b->end >= n)
		return ST_OK;
	while (size - b->end < n)
		size *= 2;
	if (size > API_MAX_LINE_BYTES)		/* a line's last bytes, and the first of the next */
		size = b->end + n > LINE_MOST_BYTES ? b->end + n : LINE_MOST_BYTES;
	if ((more = realloc(b->bytes, size)) == NULL)
		return ST_NOMEM;
	b->bytes = more;
	b->size = size;
	return ST_OK;
}

enum status
line_put(struct line_buffer *b, const void *bytes, size_t n)
{
	if (n == 0)
		return ST_OK;
	line_shrink(b);
	if (line_make_room(b, n) != ST_OK)
		return ST_NOMEM;
	memcpy(b->bytes + b->end, bytes, n);
	b->end += n;
	return ST_OK;
}

enum status
line_take(struct line_buffer *b, const char **line, size_t *bytes)
{
	const char	*newline = NULL;

	if (b->scanned < b->end)
		newline = memchr(b->bytes + b->scanned, '\n', b->end - b->scanned);
	if (newline == NULL) {
		b->scanned = b->end;
		return b->end - b->begin > API_MAX_LINE_BYTES ? ST_FULL : ST_NOT_FOUND;
	}
	*bytes = (size_t)(newline - (b->bytes + b->begin));
	if (*bytes > API_MAX_LINE_BYTES)
		return ST_FULL;
	*line = b->bytes + b->begin;
	b->begin += *bytes + 1;
	b->scanned = b->begin;
	return ST_OK;
}

static struct place
place_of(const char *text, size_t bytes, size_t offset)
{
	struct place	p = { 1, 1, offset < bytes ? offset : bytes };

	for (size_t i = 0; i < p.offset; i++) {
		if (text[i] == '\n') {
			p.line++;
			p.column = 1;
		} else if (((unsigned char)text[i] & 0xc0) != 0x80) {
			p.column++;	/* continuation bytes belong to the character before */
		}
	}
	return p;
}

/* The limits, checked before a parser builds anything: it needs no valid JSON for that. */
static enum status
check_limits(struct folds *f, struct place *place, struct fault *why)
{
	const char	*nul = memchr(f->text, '\0', f->bytes);
	enum fold_limit	 limit;

	if (nul != NULL) {		/* jansson takes it for the end after a number */
		*place = place_of(f->text, f->bytes, (size_t)(nul - f->text));
		return fault_set(why, ST_BAD_REQUEST, "a NUL byte");
	}
	if ((limit = folds_scan(f)) == FOLD_WITHIN)
		return ST_OK;
	*place = place_of(f->text, f->bytes, f->at);
	if (limit == FOLD_TOO_DEEP)
		return fault_set(why, ST_BAD_REQUEST, "nested more than %d deep", API_MAX_NESTING);
	return fault_set(why, ST_BAD_REQUEST, "too many values in one text");
}

enum status
line_parse(const char *text, size_t bytes, json_t **out, struct place *place, struct fault *why)
{
	const size_t	flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY;
	struct folds	f;
	json_error_t	error;
	enum status	st;

	*out = NULL;
	*place = (struct place){ 0 };
	folds_init(&f, text, bytes);
	if ((st = check_limits(&f, place, why)) == ST_OK)
		*out = folds_parse(&f, flags);
	folds_release(&f);
	if (st == ST_OK && *out == NULL)
		*out = json_loadb(text, bytes, flags, &error);
	if (st != ST_OK || *out != NULL)
		return st;
	*place = place_of(text, bytes, error.position > 0 ? (size_t)error.position : 0);
	return fault_set(why, ST_BAD_REQUEST, "%s", json_error_code(&error) ==
	    json_error_null_character ? "\\u0000 may be in no string" : error.text);
}
