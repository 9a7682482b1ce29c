/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "worker/build/unit/read/unit_words.h"

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

bool
unit_is_one_of(const char *at, size_t n, const char *const *words)
{
	for (; *words != NULL; words++)
		if (unit_is_word(at, n, *words))
			return true;
	return false;
}

bool
unit_is_tag(const char *at, size_t n)
{
	return unit_is_one_of(at, n, (const char *const[]){ "struct", "union", "enum", NULL });
}

const char *
unit_skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

const char *
unit_skip_space(const char *at)
{
	return at + strspn(at, " \t\n");
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

bool
unit_nest(char *stack, size_t *depth, char c)
{
	static const char	opens[] = "([{", closes[] = ")]}";
	const char		*at;

	if (c == '\0')
		return true;
	if (strchr(opens, c) != NULL) {
		if (*depth == NEST_MOST)
			return false;
		stack[(*depth)++] = c;
	}
	if ((at = strchr(closes, c)) != NULL)
		return *depth > 0 && stack[--*depth] == opens[at - closes];
	return true;
}

bool
unit_is_balanced(const char *at, size_t n)
{
	char	stack[NEST_MOST];
	size_t	depth = 0;

	for (; n > 0; n--, at++)
		if (!unit_nest(stack, &depth, *at))
			return false;
	return depth == 0;
}
