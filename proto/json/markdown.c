/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/utf8.h"
#include "proto/json/markdown.h"

static bool
is_word_byte(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* An underscore between letters is no markup. */
static bool
is_plain(const char *begin, const char *s)
{
	return strchr("\\*_[]()~$#", *s) == NULL ||
	    (*s == '_' && s > begin && is_word_byte(s[-1]) && is_word_byte(s[1]));
}

static void
put_char(struct text *out, const char *begin, const char *s)
{
	char	entity[8];

	if ((unsigned char)*s < ' ' || *s == 0x7f) {
		text_char(out, ' ');
	} else if (strchr("<>&@|`", *s) != NULL || (*s == ':' && s[1] == '/') ||
	    strncmp(s, "www.", 4) == 0) {
		(void)snprintf(entity, sizeof entity, "&#%d;", *s);
		text_raw(out, entity, strlen(entity));
	} else {
		if (!is_plain(begin, s))
			text_char(out, '\\');
		text_char(out, *s);
	}
}

void
markdown_put(struct text *out, const char *s)
{
	char	escaped[UTF8_ESCAPED];
	size_t	bytes;

	for (const char *c = s; *c != '\0'; c += bytes) {
		if ((bytes = utf8_escape(c, escaped)) != 0) {
			text_char(out, '\\');
			text_raw(out, escaped, strlen(escaped));
		} else {
			put_char(out, s, c);
			bytes = 1;
		}
	}
}

void
markdown_cell(struct text *out, const char *s)
{
	text_char(out, ' ');
	markdown_put(out, s);
	text_raw(out, " |", 2);
}
