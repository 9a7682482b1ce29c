/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "worker/build/unit_words.h"

size_t
unit_word_bytes(const char *at)
{
	size_t	n = 0;

	while (isalnum((unsigned char)at[n]) || at[n] == '_')
		n++;
	return n;
}

bool
unit_is_word(const char *at, size_t n, const char *word)
{
	return strlen(word) == n && strncmp(at, word, n) == 0;
}

const char *
unit_skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

const char *
unit_next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

const char *
unit_directive(const char *line, const char *name)
{
	const char	*at = unit_skip_blanks(line);

	if (*at != '#')
		return NULL;
	at = unit_skip_blanks(at + 1);
	return unit_is_word(at, unit_word_bytes(at), name) ?
	    unit_skip_blanks(at + strlen(name)) : NULL;
}
