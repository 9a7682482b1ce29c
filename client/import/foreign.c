/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/import/foreign.h"
#include "client/import/scan.h"

enum { REMARK_BYTES = 600 };

/* ---- places ---- */

void
foreign_place(const struct foreign *s, const char *at, int *line, int *column)
{
	const char	*start = s->text;

	*line = 1;
	for (const char *c = s->text; c < at; c++) {
		if (*c == '\n') {
			(*line)++;
			start = c + 1;
		}
	}
	*column = (int)(at - start) + 1;
}

static enum status
put_place(const struct foreign *s, const char *at, const char *text, struct fault *why)
{
	int	line, column;

	foreign_place(s, at, &line, &column);
	return fault_set(why, ST_BAD_SPEC, "%s:%d:%d: %s", s->path, line, column, text);
}

enum status
foreign_fault(const struct foreign *s, const char *at, struct fault *why, const char *fmt, ...)
{
	char	text[sizeof why->text];
	va_list	ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return put_place(s, at, text, why);
}

enum status
foreign_blame(const struct foreign *s, const char *at, struct fault *why)
{
	struct fault	found = *why;
	char		text[sizeof found.text + sizeof found.member + 2];

	(void)snprintf(text, sizeof text, "%s%s%s", found.member,
	    found.member[0] != '\0' ? ": " : "", found.text);
	(void)put_place(s, at, text, why);
	if (found.hint[0] != '\0')
		fault_hint(why, "%s", found.hint);
	return ST_BAD_SPEC;
}

void
foreign_remark(struct foreign *s, const char *at, const char *fmt, ...)
{
	char	text[REMARK_BYTES];
	int	line, column;
	va_list	ap;

	if (json_array_size(s->remarks) >= FOREIGN_MAX_REMARKS)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	foreign_place(s, at, &line, &column);
	(void)json_array_append_new(s->remarks, json_pack("{s:i, s:i, s:s%}", "line", line,
	    "column", column, "text", text, strlen(text)));
}

/* ---- the text ---- */

/* The first byte that is no UTF-8, or a NUL; NULL: there is none. */
static const char *
bad_byte(const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; ) {
		size_t	n = 1;
		json_t	*one;

		if (text[i] == '\0')
			return text + i;
		if ((text[i] & 0x80) == 0) {
			i++;
			continue;
		}
		while (n < 4 && i + n < bytes && (text[i + n] & 0xc0) == 0x80)
			n++;
		if ((one = json_stringn(text + i, n)) == NULL)
			return text + i;
		json_decref(one);
		i += n;
	}
	return NULL;
}

static enum status
bad_text(const struct foreign *s, const char *bad, struct fault *why)
{
	const unsigned char	*b = (const unsigned char *)s->text;
	bool			 is_utf16 = s->bytes >= 2 && ((b[0] == 0xff && b[1] == 0xfe) ||
				    (b[0] == 0xfe && b[1] == 0xff));

	(void)foreign_fault(s, bad, why, is_utf16 ? "the text is UTF-16" :
	    *bad == '\0' ? "a NUL byte stands in the text" : "the text is not UTF-8");
	if (*bad == '\0' && !is_utf16)
		fault_hint(why, "give a text, not a binary file");
	else
		fault_hint(why, "convert it with: iconv -f %s -t UTF-8", is_utf16 ? "UTF-16" :
		    "LATIN1");
	return ST_BAD_SPEC;
}

enum status
foreign_init(struct foreign *s, const char *path, const char *text, size_t bytes, struct fault *why)
{
	const char	*bad;

	*s = (struct foreign){ .path = path, .text = text, .bytes = bytes };
	if (bytes > FOREIGN_MAX_BYTES)
		return fault_set(why, ST_BAD_SPEC, "%s: the text is longer than %d MiB", path,
		    FOREIGN_MAX_BYTES >> 20);
	if ((bad = bad_byte(text, bytes)) != NULL)
		return bad_text(s, bad, why);
	if ((s->remarks = json_array()) == NULL)
		return fault_set(why, ST_NOMEM, "%s", path);
	return ST_OK;
}

void
foreign_release(struct foreign *s)
{
	json_decref(s->remarks);
	s->remarks = NULL;
}

/* ---- spans ---- */

bool
span_is(struct span s, const char *word)
{
	return strlen(word) == s.n && memcmp(s.at, word, s.n) == 0;
}

bool
span_equals(struct span a, struct span b)
{
	return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

struct span
span_trimmed(struct span s)
{
	const char	*end = s.at + s.n, *last, *c = scan_blank(s.at, end);

	s.at = last = c;
	while (c < end) {
		c = scan_past(c, end);
		last = c;
		c = scan_blank(c, end);
	}
	s.n = (size_t)(last - s.at);
	return s;
}

struct span
span_between(const char *at, const char *end)
{
	return span_trimmed((struct span){ at, (size_t)(end - at) });
}

char *
span_copy(struct span s)
{
	return strndup(s.at, s.n);
}

char *
span_on_one_line(struct span s)
{
	const char	*end = s.at + s.n, *next;
	char		*line = malloc(s.n + 1), *to = line;

	if (line == NULL)
		return NULL;
	for (const char *c = scan_blank(s.at, end); c < end; c = next) {
		const char	*past = scan_past(c, end);

		to = (char *)mempcpy(to, c, (size_t)(past - c));
		next = scan_blank(past, end);
		if (next > past && next < end)
			*to++ = ' ';
	}
	*to = '\0';
	return line;
}
