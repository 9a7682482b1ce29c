/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "client/micro/marks.h"

/* # 12 "d.xml" */
static bool
is_mark(const struct micro *m, const char *line, size_t bytes)
{
	const size_t	n = strlen(m->path);
	size_t		at = 2;

	if (strncmp(line, "# ", 2) != 0)
		return false;
	while (isdigit((unsigned char)line[at]))
		at++;
	return at > 2 && bytes == at + n + 3 && strncmp(line + at, " \"", 2) == 0 &&
	    strncmp(line + at + 2, m->path, n) == 0;
}

char *
marks_without(const struct micro *m, const char *text)
{
	char	*to = malloc(strlen(text) + 1);
	size_t	 used = 0, n;

	if (to == NULL)
		return NULL;
	for (; *text != '\0'; text += n) {
		n = strcspn(text, "\n");
		if (m->has_marks && !m->has_lines && is_mark(m, text, n)) {
			n += text[n] == '\n';
			continue;
		}
		n += text[n] == '\n';
		memcpy(to + used, text, n);
		used += n;
	}
	to[used] = '\0';
	return to;
}
