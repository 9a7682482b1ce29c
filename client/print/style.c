/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/print/style.h"

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER, WHEN_N };

const char *const	style_when_words[WHEN_N + 1] = { "auto", "always", "never", NULL };

/* As in format.c, what the command line says holds for all that is printed. */
static enum when	when_coloured;
static bool		is_markdown;

enum status
style_init(const char *when, bool markdown, struct fault *why)
{
	unsigned	i = 0;

	while (when != NULL && i < WHEN_N && strcmp(when, style_when_words[i]) != 0)
		i++;
	if (i == WHEN_N)
		return fault_at(why, ST_BAD_REQUEST, "--color",
		    "must be auto, always or never");
	when_coloured = (enum when)i;
	is_markdown = markdown;
	return ST_OK;
}

bool
style_is_markdown(void)
{
	return is_markdown;
}

static bool
terminal_has_colours(FILE *to)
{
	const char	*no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fileno(to)) && (no == NULL || no[0] == '\0') && term != NULL &&
	    term[0] != '\0' && strcmp(term, "dumb") != 0;
}

const char *
style_on(FILE *to, enum style style)
{
	/* of the terminal's own eight; all eyes tell cyan from red */
	static const char *const	codes[STYLE_N] = {
		[STYLE_PLAIN] = "\033[0m", [STYLE_HEADING] = "\033[1m",
		[STYLE_GOOD] = "\033[36m", [STYLE_BAD] = "\033[1;31m",
		[STYLE_WEAK] = "\033[2m",
	};
	const bool			is_on = when_coloured == WHEN_ALWAYS ||
	    (when_coloured == WHEN_AUTO && terminal_has_colours(to));

	return is_on && !(is_markdown && to == stdout) ? codes[style] : "";
}

enum style
style_of_word(const char *word)
{
	enum status	st;

	if (strcmp(word, "ok") == 0 || strcmp(word, "faster") == 0)
		return STYLE_GOOD;
	if (strcmp(word, "given up") == 0 || strcmp(word, "cancelled") == 0)
		return STYLE_WEAK;
	return strcmp(word, "slower") == 0 ||
	    (status_from_word(&st, word) && status_is_outcome(st)) ? STYLE_BAD : STYLE_PLAIN;
}
