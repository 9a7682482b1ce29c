/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api.h"
#include "daemon/doors/line.h"

enum { LINE_KEEP_BYTES = 64 << 10, CONTAINER_WEIGHT = 4 };

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

/* A buffer that one long line made big does not stay big. */
static void
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

struct scan {
	size_t	depth, weight;
	bool	in_string, escaped;
};

/* What one byte means for nesting and weight; true: still within the limits. */
static bool
scan_byte(struct scan *s, char c)
{
	if (s->in_string) {
		if (s->escaped)
			s->escaped = false;
		else if (c == '\\')
			s->escaped = true;
		else
			s->in_string = c != '"';
		return true;
	}
	switch (c) {
	case '"':
		s->in_string = true;
		break;
	case '[':
	case '{':
		s->depth++;
		s->weight += CONTAINER_WEIGHT;
		break;
	case ']':
	case '}':
		s->depth -= s->depth > 0;
		break;
	case ',':
		s->weight++;
		break;
	default:
		break;
	}
	return s->depth <= API_MAX_NESTING && s->weight <= API_MAX_WEIGHT;
}

/* The limits, checked before a parser builds anything: it needs no valid JSON for that. */
static enum status
check_limits(const char *text, size_t bytes, struct place *place, struct fault *why)
{
	struct scan	 s = { .depth = 0 };
	const char	*nul = memchr(text, '\0', bytes);

	if (nul != NULL) {		/* jansson takes it for the end after a number */
		*place = place_of(text, bytes, (size_t)(nul - text));
		return fault_set(why, ST_BAD_REQUEST, "a NUL byte");
	}
	for (size_t i = 0; i < bytes; i++) {
		if (scan_byte(&s, text[i]))
			continue;
		*place = place_of(text, bytes, i);
		if (s.depth > API_MAX_NESTING)
			return fault_set(why, ST_BAD_REQUEST, "nested more than %d deep",
			    API_MAX_NESTING);
		return fault_set(why, ST_BAD_REQUEST, "too many values in one text");
	}
	return ST_OK;
}

enum status
line_parse(const char *text, size_t bytes, json_t **out, struct place *place, struct fault *why)
{
	json_error_t	 error;
	enum status	 st;

	*out = NULL;
	*place = (struct place){ 0 };
	if ((st = check_limits(text, bytes, place, why)) != ST_OK)
		return st;
	*out = json_loadb(text, bytes, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	if (*out != NULL)
		return ST_OK;
	*place = place_of(text, bytes, error.position > 0 ? (size_t)error.position : 0);
	return fault_set(why, ST_BAD_REQUEST, "%s", error.text);
}
