/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagnostics of gcc, clang and as, in their usual form.  A version's source is a file that the
 * unit includes, so the line of the inclusion tells which version an error is in:
 *
 *	In file included from variant.c:26:
 *	routine.inc:3:2: error: …
 *
 * An error in a macro's text, and each of an assembler's, has the unit's own line.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/build/split/split_mark.h"
#include "worker/build/unit/read/unit_words.h"
#include "worker/build/unit/unit_blame.h"
#include "worker/build/unit/unit_text.h"

enum { SEAM_BYTES = 512 };

/* ---- lines of the unit ---- */

/* The number behind the words that a line starts with; false: it starts with others. */
static bool
starts_version(const char *line, const char *words, unsigned *k)
{
	const size_t	n = strlen(words);

	if (strncmp(line, words, n) != 0 || !isdigit((unsigned char)line[n]))
		return false;
	*k = (unsigned)strtoul(line + n, NULL, 10);
	return true;
}

/* The version whose first line is the last one before this.  False: there is none. */
static bool
version_at(const struct unit_page *p, unsigned long number, unsigned *k)
{
	char		 section[SEAM_BYTES];
	const char	*line = p->text;
	bool		 found = false;

	(void)snprintf(section, sizeof section, UNIT_SECTION "%s" SPLIT_MARK, p->routine);
	for (unsigned long i = 1; i < number && *line != '\0'; i++, line = unit_next_line(line))
		found |= starts_version(line, UNIT_BETWEEN, k) ||
		    starts_version(line, section, k);
	return found;
}

/* ---- lines of a compiler ---- */

/* "FILE:N" with this file: its line.  0: something else. */
static unsigned long
line_of(const char *at, const char *file)
{
	const size_t	n = strlen(file);

	if (strncmp(at, file, n) != 0 || at[n] != ':' || !isdigit((unsigned char)at[n + 1]))
		return 0;
	return strtoul(at + n + 1, NULL, 10);
}

/* In the words before the first blank: where an error is. */
static bool
is_error(const char *line, size_t bytes)
{
	static const char *const	kinds[] = { " error: ", " fatal error: ", " Error: ",
					    NULL };
	const char			*blank = memchr(line, ' ', bytes);

	if (blank == NULL || blank == line || blank[-1] != ':')
		return false;
	for (const char *const *k = kinds; *k != NULL; k++)
		if (strncmp(blank, *k, strlen(*k)) == 0)
			return true;
	return false;
}

/* "In file included from variant.c:26:", or the end of such lines. */
static unsigned long
inclusion_of(const char *line, size_t bytes, const char *file)
{
	const char	*from = memmem(line, bytes, "from ", 5);

	return from != NULL && (*line == ' ' || strncmp(line, "In file included ", 17) == 0) ?
	    line_of(from + 5, file) : 0;
}

bool
unit_blame(bool *guilty, unsigned n, const char *words, const struct unit_page *p)
{
	unsigned long	inclusion = 0, at;
	bool		some = false;

	for (const char *line = words; *line != '\0'; line = unit_next_line(line)) {
		const size_t	bytes = strcspn(line, "\n");
		unsigned	k;

		if ((at = inclusion_of(line, bytes, p->file)) != 0)
			inclusion = at;
		if (!is_error(line, bytes))
			continue;
		if ((at = line_of(line, p->file)) == 0)
			at = inclusion;
		if (!version_at(p, at, &k) || k >= n)
			return false;
		some = guilty[k] = true;
	}
	return some;
}
