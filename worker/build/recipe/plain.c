/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A source in which no word is a macro is the same after the preprocessor, wherever its strings and
 * comments are, unless it has directives, comments of C or lines that go on.  So its words are all
 * that is looked at, those in strings and comments too.
 */
#include <ctype.h>
#include <string.h>

#include "worker/build/recipe/plain.h"

static bool
is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool
is_one_of(const char *word, size_t n, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strlen(*words) == n && strncmp(word, *words, n) == 0)
			return true;
	return false;
}

/* ---- lines ---- */

/* At the start of a line, '#' begins a comment for an assembler, unless a directive follows. */
static bool
is_directive(const char *line)
{
	static const char *const	names[] = {
		"define", "undef", "include", "include_next", "import", "if", "ifdef", "ifndef",
		"elif", "elifdef", "elifndef", "else", "endif", "line", "error", "warning",
		"pragma", "ident", "sccs", "assert", "unassert", "embed", NULL
	};
	const char			*word = line + strspn(line, " \t");
	size_t				 n = 0;

	if (*word++ != '#')
		return false;
	word += strspn(word, " \t");
	while (is_of_name(word[n]))
		n++;
	return isdigit((unsigned char)*word) || is_one_of(word, n, names);
}

static bool
has_odd_quotes(const char *line)
{
	bool	open = false;

	for (; *line != '\n' && *line != '\0'; line++)
		open ^= *line == '"';
	return open;
}

static bool
has_plain_lines(const char *source)
{
	for (const char *line = source; *line != '\0'; line = strchr(line, '\n') + 1)
		if (strchr(line, '\n') == NULL || is_directive(line) || has_odd_quotes(line))
			return false;
	return true;
}

/* ---- characters ---- */

static bool
has_plain_characters(const struct variant *v)
{
	static const char *const	marks[] = { "//", "/*", "??", "%:", "'", "\\" };

	if (strlen(v->source) != v->source_bytes)
		return false;
	for (const char *s = v->source; *s != '\0'; s++)
		if (*s != '\n' && *s != '\t' && (*s < ' ' || *s > '~'))
			return false;
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
		if (strstr(v->source, marks[i]) != NULL)
			return false;
	return true;
}

/* ---- words ---- */

/* A compiler's own macros begin as names that C reserves do, but for two. */
static bool
is_reserved(const char *word, size_t n)
{
	static const char *const	others[] = { "linux", "unix", NULL };

	return (word[0] == '_' && n > 1 && (word[1] == '_' || isupper((unsigned char)word[1]))) ||
	    is_one_of(word, n, others);
}

static bool
is_defined(const struct spec *spec, const struct variant *v, const char *word, size_t n)
{
	for (size_t i = 0; i < spec->nparams; i++)
		if (is_one_of(word, n, (const char *const[]){ spec->params[i].name, NULL }))
			return true;
	for (size_t i = 0; i < v->ndefines; i++)
		if (is_one_of(word, n, (const char *const[]){ v->defines[i].name, NULL }))
			return true;
	return false;
}

static bool
has_macros(const struct spec *spec, const struct variant *v)
{
	for (const char *s = v->source; *s != '\0';) {
		size_t	n = 0;

		while (is_of_name(s[n]))
			n++;
		if (n > 0 && (is_reserved(s, n) || is_defined(spec, v, s, n)))
			return true;
		s += n > 0 ? n : 1;
	}
	return false;
}

/* Macros of its own; lines of source that a debugger shows; another way to preprocess. */
static bool
has_plain_flags(const struct variant *v)
{
	for (size_t i = 0; i < v->nflags; i++)
		if (strncmp(v->flags[i], "-D", 2) == 0 || strncmp(v->flags[i], "-g", 2) == 0)
			return false;
	return true;
}

bool
plain_is(const struct spec *spec, const struct variant *v)
{
	return v->language == LANG_ASM && has_plain_flags(v) && has_plain_characters(v) &&
	    has_plain_lines(v->source) && !has_macros(spec, v);
}
