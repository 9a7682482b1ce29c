/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "proto/json/markdown.h"

static void
put_char(struct text *out, const char *s)
{
	char	entity[8];

	if ((unsigned char)*s < ' ' || *s == 0x7f) {
		text_char(out, ' ');
	} else if (strchr("<>&@|`", *s) != NULL || (*s == ':' && s[1] == '/') ||
	    strncmp(s, "www.", 4) == 0) {
		(void)snprintf(entity, sizeof entity, "&#%d;", *s);
		text_raw(out, entity, strlen(entity));
	} else {
		if (strchr("\\*_{}[]()#+!~$^=", *s) != NULL)
			text_char(out, '\\');
		text_char(out, *s);
	}
}

void
markdown_put(struct text *out, const char *s)
{
	for (; *s != '\0'; s++)
		put_char(out, s);
}

void
markdown_cell(struct text *out, const char *s)
{
	text_char(out, ' ');
	markdown_put(out, s);
	text_raw(out, " |", 2);
}
