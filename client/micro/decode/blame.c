/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/micro/decode/blame.h"

static const char *const	kinds[] = { ": Error: ", ": Fatal error: " };

/* What stands behind "FILE:12: Error: "; NULL: there is no such thing in it. */
static const char *
words_of(const char *text, size_t *place_bytes)
{
	const char	*at;

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if ((at = strstr(text, kinds[i])) != NULL) {
			*place_bytes = (size_t)(at - text);
			return at + strlen(kinds[i]);
		}
	return NULL;
}

/* # 12 "d.xml" */
static bool
is_mark(const char *line, const char *file, unsigned long *number)
{
	const size_t	n = strlen(file);
	char		*end;

	if (strncmp(line, "# ", 2) != 0 || !isdigit((unsigned char)line[2]))
		return false;
	*number = strtoul(line + 2, &end, 10);
	return strncmp(end, " \"", 2) == 0 && strncmp(end + 2, file, n) == 0 && end[n + 2] == '"';
}

/* The line of the file that line `wanted` of the text comes from; 0: it is not known. */
static unsigned long
line_of(const struct source_text *p, unsigned long wanted)
{
	const char	*line = p->text;
	unsigned long	 found = 0, number;

	for (unsigned long i = 1; i <= wanted && *line != '\0'; i++) {
		if (is_mark(line, p->file, &number))
			found = number;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return found;
}

static void
put_place(const struct source_text *p, const char *given, size_t n, char *to, size_t bytes)
{
	const unsigned long	in_text = strspn(given, "0123456789") == n ?
				    strtoul(given, NULL, 10) : 0;
	const unsigned long	line = line_of(p, in_text);

	if (in_text == 0 && n > 0)
		(void)snprintf(to, bytes, "%.*s", (int)n, given);
	else if (line > 0)
		(void)snprintf(to, bytes, "%s:%lu", p->file, line);
	else
		(void)snprintf(to, bytes, "%s", p->file);
}

enum status
blame(const struct source_text *p, struct fault *why)
{
	struct fault	 found;
	char		 place[sizeof found.member];
	const char	*words, *from;
	size_t		 n = 0;

	if (why == NULL)
		return ST_INTERNAL;
	if (p->file == NULL)
		return fault_within(why, p->name);
	found = *why;
	from = found.status == ST_BUILD_FAILED ? "the assembler: " : "";
	words = words_of(found.text, &n);
	put_place(p, found.text, n, place, sizeof place);
	if (words != NULL && strcmp(place, p->file) != 0)
		(void)fault_at(why, found.status, place, "%s%s", from, words);
	else
		(void)fault_at(why, found.status, place, "program %s: %s%s", p->name, from,
		    words != NULL ? words : found.text);
	fault_hint(why, "%s", found.hint);
	return found.status;
}
